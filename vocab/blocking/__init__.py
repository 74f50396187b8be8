"""Words that no puzzle shows: what a school blocks, and the strong words that are shipped."""
