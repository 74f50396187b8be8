"""How each pupil stands with each assignment of a class."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from django.db import models
from django.db.models import Count, Q
from django.utils.translation import gettext_lazy as _

from osmosmjerka.accounts.models import User
from osmosmjerka.charts import Part, parts
from puzzles.models import Assignment, Find, Placement, PlaySession

# A pupil needs help who was shown, or took hints for, more than this share of the words met.
HELPED_SHARE = 1 / 3


class Standing(models.TextChoices):
    """How a student is getting on with an assignment."""

    EXCUSED = "excused", _("excused")
    DONE = "done", _("done")
    LATE = "late", _("done late")
    NEEDS_HELP = "needs help", _("needs help")
    IN_PROGRESS = "in progress", _("in progress")
    NOT_STARTED = "not started", _("not started")


@dataclass(frozen=True, slots=True)
class AssignmentLine:
    """An assignment and how its pupils stand; `bar` is drawn in a box of 100 × 10."""

    assignment: Assignment
    state: str
    standings: dict[User, Standing]
    tries: dict[User, int] = field(default_factory=dict)

    @property
    def pupil_lines(self) -> list[tuple[User, Standing, int]]:
        """Each pupil with how they stand and how many tries they began."""
        return [(pupil, how, self.tries.get(pupil, 0)) for pupil, how in self.standings.items()]

    def count(self, *wanted: Standing) -> int:
        return sum(standing in wanted for standing in self.standings.values())

    @property
    def pupils(self) -> int:
        """How many have it to do."""
        return len(self.standings) - self.count(Standing.EXCUSED)

    @property
    def done(self) -> int:
        return self.count(Standing.DONE, Standing.LATE)

    @property
    def started(self) -> int:
        return self.count(Standing.IN_PROGRESS)

    @property
    def needing_help(self) -> int:
        return self.count(Standing.NEEDS_HELP)

    @property
    def not_started(self) -> int:
        return self.count(Standing.NOT_STARTED)

    @property
    def bar(self) -> list[Part]:
        counts = [("done", self.done), ("started", self.started), ("help", self.needing_help)]
        return [part for part in parts([*counts, ("", self.not_started)]) if part.name]


def standing(
    assignment: Assignment,
    session: PlaySession | None,
    *,
    is_excused: bool,
    words: int,
    helped: int,
    at: datetime,
) -> Standing:
    """Return how one pupil stands.

    "Needs help" by this rule: the pupil was shown, or took hints for, more than a third of the
    *words* they have solved so far, or it is past due and not done.
    """
    if is_excused:
        return Standing.EXCUSED
    is_overdue = assignment.due_at is not None and assignment.due_at < at
    needs_help = helped > HELPED_SHARE * max(words, 1)
    if session is not None and session.finished_at is not None:
        if needs_help:
            return Standing.NEEDS_HELP
        is_late = assignment.due_at is not None and session.finished_at > assignment.due_at
        return Standing.LATE if is_late else Standing.DONE
    if is_overdue or (session is not None and needs_help):
        return Standing.NEEDS_HELP
    return Standing.IN_PROGRESS if session is not None else Standing.NOT_STARTED


@dataclass(frozen=True, slots=True)
class Try:
    """One try of a pupil: of how many `words` they were `helped` with how many."""

    session: PlaySession
    words: int
    helped: int


def that_counts(assignment: Assignment, tries: Sequence[Try]) -> Try | None:
    """Return which of a pupil's tries, in their order, says how they stand.

    One that is finished counts before one that is not; of several the last, or the best: the one
    with the least help, and of those the last.
    """
    finished = [one for one in tries if one.session.finished_at is not None]
    if not finished:
        return tries[-1] if tries else None
    if assignment.counting == Assignment.Counting.LAST:
        return finished[-1]
    return min(reversed(finished), key=lambda one: one.helped / max(one.words, 1))


def assignment_lines(
    assignments: Iterable[Assignment], pupils: Sequence[User], at: datetime
) -> list[AssignmentLine]:
    """Return how *pupils* stand with *assignments* of their class, in constantly many queries."""
    given = list(assignments)
    chosen = _people(Assignment.chosen_pupils.through, given)
    excused = _people(Assignment.excused.through, given)
    tries = _tries(given, pupils)
    lines = []
    for assignment in given:
        its = chosen.get(assignment.pk)
        standings, used = {}, {}
        for pupil in pupils:
            if its and pupil.pk not in its:
                continue
            mine = tries.get((assignment.pk, pupil.pk), [])
            counted = that_counts(assignment, mine)
            used[pupil] = len(mine)
            standings[pupil] = standing(
                assignment,
                counted.session if counted else None,
                is_excused=pupil.pk in excused.get(assignment.pk, ()),
                words=counted.words if counted else 0,
                helped=counted.helped if counted else 0,
                at=at,
            )
        state = str(assignment.state_at(at).label)
        lines.append(AssignmentLine(assignment, state, standings, used))
    return lines


def _tries(given: Sequence[Assignment], pupils: Sequence[User]) -> dict[tuple[int, int], list[Try]]:
    """Return the tries at each assignment by each pupil, in their order."""
    puzzles = {assignment.puzzle_id: assignment.pk for assignment in given}
    sessions = list(
        PlaySession.objects.filter(
            Q(puzzle__in=puzzles) | Q(puzzle__adapted_for__in=given), student__in=pupils
        )
        .select_related("puzzle")
        .defer("draft", "puzzle__grid", "puzzle__unplaced", "puzzle__settings")
        .order_by("number")
    )
    helps = Q(outcome__in=[Find.Outcome.HINT, Find.Outcome.REVEALED])
    counts: dict[Any, tuple[int, int]] = {
        row["session"]: (row["words"], row["helped"])
        for row in Find.objects.filter(session__in=[session.pk for session in sessions])
        .order_by()
        .values("session")
        .annotate(
            words=Count("placement", distinct=True),
            helped=Count("placement", filter=helps, distinct=True),
        )
    }
    totals = _totals(session.puzzle_id for session in sessions)
    tries: dict[tuple[int, int], list[Try]] = {}
    for session in sessions:
        words, helped = counts.get(session.pk, (0, 0))
        if session.finished_at is not None:
            # What was not found when the pupil ended it was shown.
            words = totals.get(session.puzzle_id, 0)
            helped = max(helped, words - session.found_count)
        key = session.puzzle.adapted_for_id or puzzles[session.puzzle_id]
        tries.setdefault((key, session.student_id), []).append(Try(session, words, helped))
    return tries


def _people(through: Any, assignments: list[Assignment]) -> dict[int, set[int]]:
    people: dict[int, set[int]] = {}
    for assignment, user in through.objects.filter(assignment__in=assignments).values_list(
        "assignment", "user"
    ):
        people.setdefault(assignment, set()).add(user)
    return people


def _totals(puzzles: Iterable[int]) -> dict[int, int]:
    rows = Placement.objects.filter(puzzle__in=set(puzzles)).order_by().values_list("puzzle")
    return dict(rows.annotate(Count("pk")))
