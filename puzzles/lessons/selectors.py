"""What a class does in a lesson, in a constant number of queries: pages ask for it all the time.

Nothing is stored for it. When a lesson began is in the address; what happens in it is read from the
games and reviews of its students. A game is seen if its puzzle was assigned to this class, or if
the student practises words of its lists: what students do in other classes is not told here.
"""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import Any
from uuid import UUID

from django.db.models import Count, F, Max, OuterRef, Q, Subquery
from django.utils.translation import get_language

from osmosmjerka.accounts.models import Classroom
from osmosmjerka.accounts.selectors import students_of
from puzzles.goals.services import Together, goal_of
from puzzles.lessons import rules
from puzzles.lessons.rules import Game, Reason, Standing, State, Step
from puzzles.models import Assignment, Move, Placement, PlaySession
from puzzles.play.helping import is_found, is_help, words_with_help
from vocab.memory.days import study_day
from vocab.memory.rules import zone_of
from vocab.models import Review

# The quick review, and what else asks words without a puzzle.
_OF_REVIEW = (
    Review.Mode.CHOSEN,
    Review.Mode.TYPED,
    Review.Mode.HEARD,
    Review.Mode.CARD,
    Review.Mode.MATCHED,
)


@dataclass(frozen=True, slots=True)
class Played:
    """The puzzle that a student plays or has finished; without an assignment it is practice."""

    code: str
    title: str
    kind: str
    language: str
    assignment: int | None
    found: int
    total: int
    helped: int


@dataclass(frozen=True, slots=True)
class Line:
    """A student in the lesson: plain values only, so that their text says whether any changed.

    *answers* and *right* are those of the quick review, if that is what they do.
    """

    student: int
    name: str
    standing: Standing
    played: Played | None = None
    answers: int = 0
    right: int = 0

    @property
    def state(self) -> State:
        return self.standing.state

    @property
    def reason(self) -> Reason | None:
        return self.standing.reason


@dataclass(frozen=True)
class Lesson:
    """A class in a lesson; *right* counts words found and right answers of reviews."""

    since: datetime
    lines: tuple[Line, ...]
    right: int
    goal: Together | None

    def count(self, *states: State) -> int:
        return sum(line.state in states for line in self.lines)

    @cached_property
    def groups(self) -> dict[State, list[Line]]:
        """The students by state, those who need a teacher first, without empty states."""
        groups = {state: [one for one in self.lines if one.state == state] for state in State}
        return {state: lines for state, lines in groups.items() if lines}

    @property
    def students(self) -> int:
        return len(self.lines)

    @property
    def playing(self) -> int:
        return self.count(State.STUCK, State.PLAYING)

    @property
    def finished(self) -> int:
        return self.count(State.FINISHED)

    @property
    def absent(self) -> int:
        return self.count(State.ABSENT)

    @property
    def version(self) -> str:
        """A text that is another if the teacher's page has something else to show."""
        return self._digest(self.lines)

    @property
    def board_version(self) -> str:
        """A text that is another if the board has something else to show."""
        return self._digest((self.students, self.playing, self.finished, self.absent))

    def _digest(self, shown: object) -> str:
        goal = self.goal.goal if self.goal else None
        of_goal = (goal.words, goal.ends_on, self.goal.learned) if goal and self.goal else ()
        everything = repr((shown, self.right, of_goal, get_language()))
        return hashlib.sha256(everything.encode()).hexdigest()[:16]


def lesson_of(classroom: Classroom, now: datetime, since: datetime | None = None) -> Lesson:
    """Return what the students of a class do and did since a moment, at most `rules.LONGEST` ago.

    Without *since*, the lesson began `rules.USUAL` ago.
    """
    since = max(since, now - rules.LONGEST) if since else now - rules.USUAL
    students = students_of(classroom)
    ids = [student.pk for student in students]
    given = _assignments(classroom)
    games = _games(ids, given, since)
    last: dict[int, PlaySession] = {}
    for session in sorted(games, key=lambda one: games[one].last_at, reverse=True):
        last.setdefault(session.student_id, session)
    played = _played(last.values(), given)
    reviewed = _reviewed(ids, {words for _pk, _puzzle, words in given}, since)
    lines = []
    for student in students:
        mine = last.get(student.pk)
        answers, right, reviewed_at = reviewed.get(student.pk, (0, 0, None))
        game = games[mine] if mine else None
        is_review = reviewed_at is not None and rules.is_reviewing(game, reviewed_at)
        how = rules.standing(
            game,
            reviewed_at=reviewed_at,
            is_logged_in=student.last_login is not None and student.last_login >= since,
            since=since,
            now=now,
        )
        lines.append(
            Line(
                student.pk,
                str(student),
                how,
                played[mine.pk] if mine and not is_review else None,
                answers if is_review else 0,
                right if is_review else 0,
            )
        )
    together = goal_of(classroom, study_day(now, zone_of(classroom.school)))
    steps = [step for game in games.values() for step in game.steps]
    found = sum(step.outcome == Move.Outcome.FOUND for step in steps)
    return Lesson(
        since=since,
        lines=tuple(sorted(lines, key=lambda line: rules.ORDER.index(line.state))),
        right=found + sum(right for _answers, right, _at in reviewed.values()),
        goal=together if together.goal else None,
    )


def _assignments(classroom: Classroom) -> list[tuple[int, int, int]]:
    """Return what the class was given, as ids of assignments, puzzles and lists."""
    given = Assignment.objects.filter(classroom=classroom, is_draft=False).order_by("pk")
    return list(given.values_list("pk", "puzzle", "puzzle__vocabulary_list"))


def _games(
    students: Collection[int], given: Collection[tuple[int, int, int]], since: datetime
) -> dict[PlaySession, Game]:
    """Return the sessions in which students did something since then, each with its game."""
    of_class = Q(puzzle__in={puzzle for _pk, puzzle, _words in given})
    of_class |= Q(puzzle__adapted_for__in={pk for pk, _puzzle, _words in given})
    of_class |= Q(
        puzzle__adapted_for=None,
        puzzle__created_by=F("student"),
        puzzle__vocabulary_list__in={words for _pk, _puzzle, words in given},
    )
    sessions = PlaySession.objects.filter(
        # No move is made in a game that is over.
        Q(finished_at=None) | Q(finished_at__gte=since),
        of_class,
        student__in=students,
        puzzle__deleted_at=None,
    )
    found = sessions.select_related("puzzle__vocabulary_list").only(
        "student_id", "started_at", "finished_at", "puzzle__code", "puzzle__title", "puzzle__kind",
        "puzzle__adapted_for_id", "puzzle__vocabulary_list__language",
    )  # fmt: skip
    steps: dict[UUID, list[Step]] = {one.pk: [] for one in found}
    moves = Move.objects.filter(session__in=list(steps), at__gte=since).order_by("at", "pk")
    for session, at, outcome, word in moves.values_list(
        "session", "at", "outcome", "placement__term"
    ):
        steps[session].append(Step(at, outcome, word or ""))
    return {
        one: Game(one.started_at, one.finished_at, steps[one.pk])
        for one in found
        if steps[one.pk] or one.started_at >= since or one.finished_at is not None
    }


def _played(
    sessions: Iterable[PlaySession], given: Iterable[tuple[int, int, int]]
) -> Mapping[UUID, Played]:
    """Return how far each game is, from its beginning."""
    assignment_of = {puzzle: pk for pk, puzzle, _words in given}
    puzzles = {session.pk: session.puzzle for session in sessions}
    total = Placement.objects.filter(puzzle=OuterRef("puzzle")).order_by().values("puzzle")
    found = Count("moves__placement", filter=Q(moves__outcome=Move.Outcome.FOUND), distinct=True)
    helped = Count("moves__placement", filter=is_help("moves__"), distinct=True)
    is_of_found = is_help("moves__") & Q(is_found("pk", "moves__placement"))
    found_with_help = Count("moves__placement", filter=is_of_found, distinct=True)
    rows: Iterable[Any] = (
        PlaySession.objects.filter(pk__in=list(puzzles))
        .annotate(total=Subquery(total.values_list(Count("pk"))), found=found, helped=helped)
        .annotate(found_with_help=found_with_help)
        .values_list("pk", "finished_at", "found", "total", "helped", "found_with_help")
    )
    return {
        pk: Played(
            puzzles[pk].code,
            puzzles[pk].title,
            puzzles[pk].kind,
            puzzles[pk].vocabulary_list.language,
            puzzles[pk].adapted_for_id or assignment_of.get(puzzles[pk].pk),
            found,
            total or 0,
            words_with_help(
                is_finished=finished_at is not None,
                total=total or 0,
                found=found,
                helped=helped,
                found_with_help=found_with_help,
            ),
        )
        for pk, finished_at, found, total, helped, found_with_help in rows
    }


def _reviewed(
    students: Collection[int], lists: Collection[int], since: datetime
) -> dict[int, tuple[int, int, datetime | None]]:
    """Return each student's answers in the quick review: how many, how many right, the last."""
    rows = Review.objects.filter(
        student__in=students, at__gte=since, mode__in=_OF_REVIEW, entry__vocabulary_list__in=lists
    )
    # Each word once: whoever types the same word again and again does not fill the board.
    right = Count("entry", filter=Q(outcome=Review.Outcome.RIGHT), distinct=True)
    counted = (
        rows.order_by().values("student").annotate(answers=Count("pk"), right=right, last=Max("at"))
    )
    found: dict[int, tuple[int, int, datetime | None]] = defaultdict(lambda: (0, 0, None))
    for row in counted:
        found[row["student"]] = (row["answers"], row["right"], row["last"])
    return found
