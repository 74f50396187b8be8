"""The project: settings, accounts, background jobs and paper, on which vocab and puzzles depend."""

__version__ = "0.2.0"
"""The version of the program; pyproject.toml, the API and the command line take it from here."""
