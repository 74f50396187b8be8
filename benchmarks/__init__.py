"""One command for each figure, compared with a peer or a baseline in the same run."""
