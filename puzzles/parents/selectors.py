"""What a link tells parents: of one student, and nothing that a puzzle still asks for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime

from osmosmjerka.accounts.classrooms import names
from osmosmjerka.accounts.models import User
from puzzles.access import Moment
from puzzles.assignments.selectors import assignments_of_student
from puzzles.models import Assignment
from puzzles.withheld import Waiting
from vocab.memory import selectors as memory
from vocab.memory import streaks
from vocab.memory.days import study_day
from vocab.memory.rules import zone_of
from vocab.memory.streaks import DayState
from vocab.models import Entry

MOST_WORDS = 10
_NEVER = datetime.max.replace(tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Told:
    """One student's last seven days, what is due, and words that stay hard."""

    name: str  # the given name only
    week: Sequence[tuple[date, DayState]]
    days: int
    answers: int
    due: Sequence[Assignment]
    hard: Sequence[Entry]


def told_to_parents(student: User, now: datetime) -> Told:
    """Return what the parents of a student are told, in a constant number of queries."""
    moment = Moment(student, now)
    today = study_day(now, zone_of(student.school))
    practised = memory.practised_days(student, today)
    week = streaks.week(practised, today)
    answers = [practised.get(day, 0) for day, _state in week]
    waiting = [
        one.assignment for one in assignments_of_student(student, moment) if not one.is_finished
    ]
    return Told(
        name=names.split(student.display_name or "").given or student.display_name,
        week=week,
        days=sum(count > 0 for count in answers),
        answers=sum(answers),
        due=sorted(waiting, key=lambda one: (one.due_at or _NEVER, one.pk)),
        hard=memory.resisting(student, Waiting(moment).withheld, MOST_WORDS),
    )
