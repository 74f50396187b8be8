"""What a guest has done in a game: it comes with each request and goes back with its answer. Pure.

It is short, because a cookie holds 4096 bytes and a large crossword has a hundred words.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import Any

# The letter of an outcome in the cookie. Both kinds of hints are hints; one shows a text.
_LETTERS = {
    ("found", ""): "f",
    ("revealed", ""): "r",
    ("bonus", ""): "b",
    ("hint", ""): "h",
    ("hint", "text"): "t",
}
_OUTCOMES = {letter: outcome for outcome, letter in _LETTERS.items()}


@dataclass(frozen=True, slots=True)
class GuestMove:
    """One move: the word by its position in the puzzle, and seconds since the game began.

    *outcome* is a value of `puzzles.models.Move.Outcome`; *kind* is "text" for the hint that shows
    the text of a sound, else "".
    """

    outcome: str
    position: int
    seconds: int
    kind: str = ""


@dataclass(frozen=True, slots=True)
class GuestState:
    """A game of a guest: when it began and ended, and its moves in order."""

    started_at: datetime
    moves: Sequence[GuestMove] = ()
    finished_at: datetime | None = None

    def at(self, move: GuestMove) -> datetime:
        return self.started_at + timedelta(seconds=move.seconds)

    def after(self, outcome: str, position: int, now: datetime, kind: str = "") -> GuestState:
        """Return the state after a move; one that was made before changes nothing."""
        made = {(one.outcome, one.position, one.kind) for one in self.moves}
        if (outcome, position, kind) in made:
            return self
        seconds = max(0, round((now - self.started_at).total_seconds()))
        return replace(self, moves=(*self.moves, GuestMove(outcome, position, seconds, kind)))

    def as_json(self) -> list[Any]:
        """Return it in a form that JSON can store: `[began, ended, "f0.12 h3.40"]`."""
        moves = " ".join(
            f"{_LETTERS[one.outcome, one.kind]}{one.position}.{one.seconds}" for one in self.moves
        )
        ended = self.finished_at and int(self.finished_at.timestamp())
        return [int(self.started_at.timestamp()), ended, moves]

    @classmethod
    def of_json(cls, stored: Any) -> GuestState:
        """Return the state that `as_json` stored."""
        began, ended, moves = stored
        return cls(
            datetime.fromtimestamp(began, UTC),
            tuple(_move(one) for one in moves.split()),
            None if ended is None else datetime.fromtimestamp(ended, UTC),
        )


def _move(text: str) -> GuestMove:
    outcome, kind = _OUTCOMES[text[0]]
    position, seconds = text[1:].split(".")
    return GuestMove(outcome, int(position), int(seconds), kind)
