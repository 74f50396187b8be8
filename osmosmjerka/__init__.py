"""The project: settings, accounts and background jobs, on which vocab and puzzles depend."""

from osmosmjerka.celery import app as celery_app

__all__ = ["celery_app"]
