"""Rebuild every summary of what students know from the review history."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandParser

from osmosmjerka.accounts.models import User
from vocab.memory import reviews

_BAR = 40


class Command(BaseCommand):
    help = (
        "Rebuild what students remember from the log of reviews, student by student. Stopped in "
        "the middle, it goes on where it was when it is started again."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--restart", action="store_true", help="begin again, whatever an earlier run did"
        )

    def handle(self, *args: Any, restart: bool, **options: Any) -> None:
        checkpoint: Path = settings.DATA_DIR / "rebuild-progress.checkpoint"
        done_up_to = 0
        if checkpoint.is_file() and not restart:
            done_up_to = int(checkpoint.read_text(encoding="ascii"))
            self.stdout.write(f"Going on behind student {done_up_to}.")
        students = User.objects.filter(reviews__isnull=False) | User.objects.filter(
            progress__isnull=False
        )
        waiting = list(students.filter(pk__gt=done_up_to).distinct().order_by("pk"))
        different = 0
        for number, student in enumerate(waiting, start=1):
            different += reviews.replay(student=student)
            written = checkpoint.with_suffix(".new")
            written.write_text(str(student.pk), encoding="ascii")
            written.replace(checkpoint)  # so that a kill leaves the old or the new file
            self._show(number, len(waiting))
        checkpoint.unlink(missing_ok=True)
        self.stdout.write(f"{len(waiting)} students rebuilt; {different} summaries were different.")

    def _show(self, done: int, total: int) -> None:
        """Draw the progress bar: in place on a terminal, else one line per tenth."""
        filled = _BAR * done // total
        bar = f"[{'#' * filled}{'.' * (_BAR - filled)}] {done}/{total} students"
        if self.stdout.isatty():
            self.stdout.write(f"\r{bar}", ending="\n" if done == total else "")
            self.stdout.flush()
        elif done == total or 10 * done // total != 10 * (done - 1) // total:
            self.stdout.write(bar)
