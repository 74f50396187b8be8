"""One command a figure, each against a peer or a baseline in the same run."""
