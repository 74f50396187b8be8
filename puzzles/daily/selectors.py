"""What students and teachers see of a class's puzzle of the day."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import date, datetime

from django.db.models import F, FilteredRelation, Q, QuerySet
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from osmosmjerka.accounts.models import Classroom, Membership, User
from puzzles.access import Moment
from puzzles.daily import rules
from puzzles.daily import services as daily
from puzzles.kinds import KINDS
from puzzles.models import Move, Placement, PlaySession, Puzzle
from puzzles.play import games
from puzzles.play.helping import HELPS


@dataclass(frozen=True, slots=True)
class Card:
    """The puzzle of the day of one class, on a student's home page.

    *code* is that of the puzzle, if it was made; *kind* its kind.
    """

    classroom: Classroom
    code: str = ""
    kind: str = ""
    has_begun: bool = False
    is_finished: bool = False


def of_student(moment: Moment) -> list[Card]:
    """Return today's puzzles of the student's classes: one query, or none if no class has one."""
    classes = [one for one in moment.classes if one.has_daily_puzzle]
    if not classes:
        return []
    rows = (
        Puzzle.objects.filter(daily__classroom__in=classes, daily__until__gt=moment.at)
        .annotate(own=FilteredRelation("sessions", condition=Q(sessions__student=moment.student)))
        .order_by("daily__day", "own__number")
        .values_list("daily__classroom", "code", "kind", "own__pk", "own__finished_at")
    )
    found = {classroom: (code, kind, own, end) for classroom, code, kind, own, end in rows}
    cards = []
    for one in classes:
        code, kind, own, end = found.get(one.pk, ("", "", None, None))
        cards.append(Card(one, code, kind, own is not None, end is not None))
    return cards


@dataclass(frozen=True, slots=True)
class Result:
    """A finished game in numbers and squares: no words, no names. *helped* words took help."""

    found: int
    total: int
    helped: int
    marks: Sequence[rules.Mark]

    @property
    def squares(self) -> str:
        return "".join(self.marks)


def result_of(session: PlaySession) -> Result:
    """Return the result of a game that is over, its words in the order of the puzzle's list."""
    game = games.current(session)
    marks = []
    helped = 0
    for word in game.words:
        outcomes = {move.outcome for move in game.moves_of(word)}
        helped += not outcomes.isdisjoint(HELPS)
        marks.append(_mark(outcomes))
    return Result(game.found, len(game.words), helped, marks)


def _mark(outcomes: Collection[str]) -> rules.Mark:
    """Return the mark of a word of a game that is over, of the *outcomes* of its moves."""
    if Move.Outcome.FOUND not in outcomes:
        return rules.Mark.MISSED
    is_alone = {*HELPS, Move.Outcome.WRONG}.isdisjoint(outcomes)
    return rules.Mark.ALONE if is_alone else rules.Mark.HELPED


@dataclass(frozen=True, slots=True)
class Together:
    """What a class did with its puzzle of a day: *done* of its students finished it.

    *rows* are those of `rules.picture`: no names and no words.
    """

    done: int
    rows: Sequence[Sequence[rules.Mark]]

    @property
    def squares(self) -> list[tuple[str, int, int]]:
        """The marks as names with the place of each, from (0, 0)."""
        return [
            (mark.name.lower(), column, row)
            for row, marks in enumerate(self.rows)
            for column, mark in enumerate(marks)
        ]

    @property
    def total(self) -> int:
        return sum(map(len, self.rows))

    def count(self, mark: rules.Mark) -> int:
        return sum(row.count(mark) for row in self.rows)

    @property
    def alone(self) -> int:
        return self.count(rules.Mark.ALONE)

    @property
    def helped(self) -> int:
        return self.count(rules.Mark.HELPED)


def together(classroom: Classroom, puzzle: Puzzle) -> Together:
    """Return what a class did with a puzzle, in three queries: each student’s first game."""
    games = list(_finished(classroom, puzzle).filter(number=1).values_list("pk", flat=True))
    words = Placement.everything.filter(puzzle=puzzle, is_bonus=False)
    keys = list(words.values_list("pk", flat=True))
    outcomes: dict[tuple[object, int], set[str]] = defaultdict(set)
    moves = Move.objects.filter(session__in=games, placement__in=keys)
    for game, word, outcome in moves.values_list("session", "placement", "outcome"):
        outcomes[game, word].add(outcome)
    results = [[_mark(outcomes[game, word]) for word in keys] for game in games]
    return Together(len(games), rules.picture(results))


def together_today(classroom: Classroom, at: datetime) -> Together | None:
    """Return what a class did with today's puzzle; None if it has none, or nobody opened it."""
    if not classroom.has_daily_puzzle:
        return None
    puzzle = daily.puzzle_of(classroom, daily.day_of(classroom, at))
    return together(classroom, puzzle) if puzzle else None


def share_text(classroom: Classroom, day: date, kind: str, result: Result) -> str:
    """Return a result as text to share."""
    help_taken = (
        ngettext("%(count)s with help", "%(count)s with help", result.helped)
        % {"count": result.helped}
        if result.helped
        else _("no help")
    )
    on = date_format(day, pgettext("date format", "j F"))
    # Translators: of a puzzle of the day, for example “Word search: 9 of 10, no help”.
    line = _("%(kind)s: %(found)s of %(total)s, %(help)s") % {
        "kind": KINDS[kind].name,
        "found": result.found,
        "total": result.total,
        "help": help_taken,
    }
    return f"Osmosmjerka · {classroom.name} · {on}\n{line}\n{result.squares}"


@dataclass(frozen=True, slots=True)
class OfDay:
    """A class's puzzle of a day with one person's game of it; *text* is their result to share.

    *done* students of the class have finished it; *unfinished* are the person's of earlier days.
    *together* is what the class did, for who has finished it and for teachers.
    """

    classroom: Classroom
    day: date
    puzzle: Puzzle | None
    session: PlaySession | None
    text: str
    done: int
    unfinished: Sequence[Puzzle]
    together: Together | None = None

    @property
    def has_begun(self) -> bool:
        return self.session is not None

    @property
    def is_finished(self) -> bool:
        return self.session is not None and self.session.finished_at is not None


def seen_by(person: User, classroom: Classroom, at: datetime) -> OfDay:
    """Return what *person* sees of the puzzle of the day of a class at a moment."""
    day = daily.day_of(classroom, at)
    puzzle = daily.puzzle_of(classroom, day)
    session = daily.session_of(puzzle, person) if puzzle else None
    text = ""
    if puzzle and session and session.finished_at:
        text = share_text(classroom, day, puzzle.kind, result_of(session))
    done = number_done(classroom, puzzle) if puzzle else 0
    earlier = unfinished(classroom, person, day)
    may_see = bool(text) or not person.is_student
    of_class = together(classroom, puzzle) if puzzle and may_see else None
    return OfDay(classroom, day, puzzle, session, text, done, earlier, of_class)


def number_done(classroom: Classroom, puzzle: Puzzle) -> int:
    """Return how many students of the class have finished a puzzle."""
    return _finished(classroom, puzzle).values("student").distinct().count()


def _finished(classroom: Classroom, puzzle: Puzzle) -> QuerySet[PlaySession]:
    members = Membership.objects.filter(classroom=classroom, role=Membership.Role.STUDENT)
    return puzzle.sessions.filter(finished_at__isnull=False, student__in=members.values("user"))


def unfinished(classroom: Classroom, person: User, before: date) -> list[Puzzle]:
    """Return puzzles of earlier days of a class that *person* has begun and can still finish."""
    mine = PlaySession.objects.filter(student=person, finished_at=None)
    begun = Puzzle.objects.filter(daily__classroom=classroom, daily__day__lt=before)
    return list(
        begun.filter(sessions__in=mine)
        .annotate(day=F("daily__day"))
        .defer("grid", "unplaced", "entries", "settings")
        .order_by("-daily__day")
    )
