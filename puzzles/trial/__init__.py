"""A game for strangers: one fixed puzzle, judged on the server, of which nothing is stored."""
