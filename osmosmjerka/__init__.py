"""The project: settings, people and background work, on which vocab and puzzles stand."""

from osmosmjerka.celery import app as celery_app

__all__ = ["celery_app"]
