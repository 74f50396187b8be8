"""The project: settings, accounts, background jobs and paper, on which vocab and puzzles depend."""

__version__ = "1.0.0.dev0"
"""The version of the program; pyproject.toml, the API and the command line take it from here."""
