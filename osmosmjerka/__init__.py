"""The project: settings, accounts, background jobs and paper, on which vocab and puzzles depend."""
