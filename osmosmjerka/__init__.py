"""The project: settings, accounts, background jobs and paper, on which vocab and puzzles depend."""

__version__ = "0.2.0"
"""The version of the whole program, for pyproject.toml, the API, the command line and pages."""
