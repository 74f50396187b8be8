"""Fit FSRS's parameters to this site's own reviews, and keep them if they forecast better."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from operator import attrgetter
from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from vocab.memory import reviews, rules
from vocab.memory.fitting import FEWEST_STUDENTS, FEWEST_TESTS, Move, fit_moves, moves
from vocab.models import Review

_FIELDS = (
    "student_id", "entry_id", "at", "day", "mode", "skill", "outcome", "hints", "wrong_tries",
    "is_slip", "was_tried", "is_free_practice", "is_taken_back",
)  # fmt: skip


class Command(BaseCommand):
    help = (
        "Fit the forgetting model to this site's students. The new parameters are kept only if "
        "they forecast students better on whom they were not fitted."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--dry-run", action="store_true", help="only say what would be kept")

    def handle(self, *args: Any, dry_run: bool, **options: Any) -> None:
        present = rules.rules_of(None).model.parameters
        found = fit_moves(dict(_moves_by_student()), present)
        if found.tests < FEWEST_TESTS or found.students < FEWEST_STUDENTS:
            self.stdout.write(
                f"Too little to fit: {found.tests} delayed tests of {found.students} students; "
                f"{FEWEST_TESTS} of {FEWEST_STUDENTS} are needed."
            )
            return
        low, high = found.fall
        self.stdout.write(
            f"{found.tests} delayed tests of {found.students} students. Log-loss of students left "
            f"out: {found.before:.4f} before, {found.after:.4f} after "
            f"(95 % interval of the fall: {low:.4f} to {high:.4f})."
        )
        if not found.is_kept:
            self.stdout.write("The present parameters are kept.")
        elif dry_run:
            self.stdout.write(f"Would be kept: {found.parameters}")
        else:
            rules.keep_fit(
                found.parameters,
                log_loss_before=found.before,
                log_loss_after=found.after,
                reviews=found.tests,
            )
            self.stdout.write(
                "The new parameters are kept. All schedules are now rebuilt in the background.\n"
                "If students forget faster than others, intervals become shorter and fewer new "
                "words fit into a day. A lower recall target of the school makes up for that."
            )


def _moves_by_student() -> Iterator[tuple[int, list[list[Move]]]]:
    # One student's answers in memory at a time; the moves that remain of them are small.
    rows = (
        Review.objects.filter(reviews.of_present_words())
        .order_by("student_id", "entry_id", "at", "pk")
        .only(*_FIELDS)
    )
    for student, theirs in groupby(rows.iterator(), attrgetter("student_id")):
        words = groupby(theirs, attrgetter("entry_id"))
        yield student, [moves(map(reviews.answer_of, word)) for _entry, word in words]
