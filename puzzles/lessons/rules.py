"""How a student is getting on in a lesson, from their answers in it. Pure.

A teacher in class can help one student at a time. Therefore "stuck" means that somebody tries and
gets nowhere, not that they are slow; and who has stopped answering is told apart from them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from itertools import pairwise

# A lesson without a beginning that somebody chose, and the longest that may be chosen.
USUAL = timedelta(minutes=45)
LONGEST = timedelta(hours=4)
# Two or three wrong answers in a row are thinking aloud; five are no way forward.
WRONG_IN_A_ROW = 5
STUCK_AFTER = timedelta(minutes=3)
# A break between two answers counts as no more play than this: a child may have been called to the
# board, and nobody is stuck in a puzzle that is not played.
LONGEST_THOUGHT = timedelta(minutes=2)
AWAY_AFTER = timedelta(minutes=5)


class State(StrEnum):
    """What a student does in the lesson, those who need a teacher first."""

    STUCK = "stuck"
    PAUSED = "paused"
    PLAYING = "playing"
    FINISHED = "finished"
    LOGGED_IN = "logged in"
    ABSENT = "absent"


ORDER = list(State)


class Reason(StrEnum):
    """Why a student counts as stuck."""

    WRONG_ANSWERS = "wrong answers"
    NO_WORD = "no word"


class Outcome(StrEnum):
    """What came of a step in a game; the names are those of `puzzles.models.Move`."""

    FOUND = "found"
    WRONG = "wrong"
    HINT = "hint"
    REVEALED = "revealed"
    BONUS = "bonus"


@dataclass(frozen=True, slots=True)
class Step:
    """A step in a game; *word* is the one that the student was looking for, if it is known."""

    at: datetime
    outcome: str
    word: str = ""


@dataclass(frozen=True, slots=True)
class Game:
    """A student's game, with its steps in the lesson in order."""

    started_at: datetime
    finished_at: datetime | None = None
    steps: Sequence[Step] = ()

    @property
    def last_at(self) -> datetime:
        """When the student last did something in it."""
        times = [self.started_at, *(step.at for step in self.steps[-1:])]
        return max([*times, self.finished_at] if self.finished_at else times)


@dataclass(frozen=True, slots=True)
class Standing:
    """How a student is getting on.

    *count* is the number of wrong answers in a row, or of minutes: of play without a word found for
    `Reason.NO_WORD`, since the last answer for `State.PAUSED`. *word* is what they are looking for.
    """

    state: State
    reason: Reason | None = None
    count: int = 0
    word: str = ""


def standing(
    game: Game | None,
    *,
    reviewed_at: datetime | None = None,
    is_logged_in: bool = False,
    since: datetime,
    now: datetime,
) -> Standing:
    """Return how a student is getting on who does one thing at a time: the last one counts.

    *game* is the one in which they last did something in the lesson, *reviewed_at* the time of
    their last answer in the quick review, which has no end of its own.
    """
    if reviewed_at is not None and is_reviewing(game, reviewed_at):
        is_over = now - reviewed_at >= AWAY_AFTER
        return Standing(State.FINISHED if is_over else State.PLAYING)
    if game is None:
        return Standing(State.LOGGED_IN if is_logged_in else State.ABSENT)
    if game.finished_at is not None:
        return Standing(State.FINISHED)
    silence = now - game.last_at
    if silence >= AWAY_AFTER:
        return Standing(State.PAUSED, count=_minutes(silence))
    return _in_play(game, since, now)


def is_reviewing(game: Game | None, reviewed_at: datetime) -> bool:
    """Return whether the quick review is what the student did last."""
    return game is None or reviewed_at >= game.last_at


def _in_play(game: Game, since: datetime, now: datetime) -> Standing:
    word = next((step.word for step in reversed(_since_a_word(game.steps)) if step.word), "")
    wrong = wrong_in_a_row(game.steps)
    if wrong >= WRONG_IN_A_ROW:
        return Standing(State.STUCK, Reason.WRONG_ANSWERS, wrong, word)
    played = played_without_a_word(game, since, now)
    if played >= STUCK_AFTER and _since_a_word(game.steps):
        return Standing(State.STUCK, Reason.NO_WORD, _minutes(played), word)
    return Standing(State.PLAYING, word=word)


def wrong_in_a_row(steps: Sequence[Step]) -> int:
    """Return how many wrong answers were given since a word was last found or shown.

    Hints in between change nothing: with them, too, the student has not found it.
    """
    wrong = 0
    for step in reversed(steps):
        if step.outcome in (Outcome.FOUND, Outcome.REVEALED, Outcome.BONUS):
            break
        wrong += step.outcome == Outcome.WRONG
    return wrong


def played_without_a_word(game: Game, since: datetime, now: datetime) -> timedelta:
    """Return for how long the student has played since they last found a word in the lesson.

    A word that was shown is not found. A game that was begun before the lesson goes on with its
    first step in it.
    """
    tries = _since_a_word(game.steps)
    found = game.steps[: len(game.steps) - len(tries)]
    begun = found[-1].at if found else game.started_at
    times = [*([begun] if begun >= since else []), *(step.at for step in tries), now]
    return sum(
        (min(later - earlier, LONGEST_THOUGHT) for earlier, later in pairwise(times)), timedelta()
    )


def _since_a_word(steps: Sequence[Step]) -> Sequence[Step]:
    """Return the steps since a word was last found."""
    are_found = (Outcome.FOUND, Outcome.BONUS)
    found = [place for place, step in enumerate(steps, 1) if step.outcome in are_found]
    return steps[found[-1] :] if found else steps


def _minutes(time: timedelta) -> int:
    return int(time.total_seconds() // 60)


def begins_at(wanted: str, now: datetime) -> datetime | None:
    """Return the time of day *wanted* ("09:45") of the day of *now*, in its time zone.

    None if it is no time or not past yet; no lesson is longer than `LONGEST`.
    """
    try:
        time = datetime.strptime(wanted, "%H:%M").time()
    except ValueError:
        return None
    begun = now.replace(hour=time.hour, minute=time.minute, second=0, microsecond=0)
    return max(begun, now - LONGEST) if begun <= now else None
