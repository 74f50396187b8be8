"""Compile the generators' inner loops, so that nobody waits for them in class."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand


class Command(BaseCommand):
    help = "Compile the generators' inner loops; later starts load what was compiled."

    def handle(self, *args: Any, **options: Any) -> None:
        from puzzles.generators import warm_up

        warm_up()
