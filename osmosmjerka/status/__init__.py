"""The status page: what a site admin has to know to keep the site running."""
