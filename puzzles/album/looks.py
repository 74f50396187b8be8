"""How the capsule of a word looks in an album. Pure.

The colour is that of the word's list. The pattern and the tone are the word's own; they follow from
its id, so that a word looks the same wherever and whenever it is met. How it is drawn shows how
well it was known at best: a word that slips keeps what it had.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from vocab.memory.card import Level
from vocab.text import alphabet, direction, tiles

PATTERNS, TONES = 8, 3

_DRAWN = {
    Level.NEW: "met",
    Level.LEARNING: "met",
    Level.SLIPPING: "met",
    Level.DAYS: "days",
    Level.WEEKS: "weeks",
    Level.MONTHS: "months",
}


def drawn(level: Level) -> str:
    """Return the CSS class that draws a level."""
    return f"drawn-{_DRAWN[level]}"


@dataclass(frozen=True, slots=True)
class Place:
    """The place of a word in an album.

    *key* is the id of its entry, *level* how well it is known now, *best* how well it ever was. Of
    an empty place nothing is told: neither the word, nor whether the student has met it.
    """

    key: int = 0
    term: str = ""
    language: str = ""
    colour: int = 0
    level: Level = Level.NEW
    best: Level = Level.NEW

    @property
    def direction(self) -> str:
        """In which direction its language is written: "ltr" or "rtl"."""
        return direction(self.language)

    @property
    def has_fallen(self) -> bool:
        return self.level < self.best

    @property
    def look(self) -> str:
        """The CSS classes of its capsule."""
        pattern, tone = self.key % PATTERNS, self.key // PATTERNS % TONES
        return f"{drawn(self.best)} pattern-{pattern} tone-{tone}"


EMPTY = Place()

# Of a row of letters in which a word was found.
SQUARES = 10
_APART = 7


@dataclass(frozen=True, slots=True)
class Row:
    """A word as it was found in a grid: its letters, then those of *others*."""

    place: Place
    letters: Sequence[str]
    others: Sequence[str]


def row_of(place: Place) -> Row | None:
    """Return a picture of a word among letters; None if it is too long.

    The others are taken from the alphabet at equal steps: by chance they could spell anything.
    """
    letters = tiles(place.term, place.language)
    if not 0 < len(letters) <= SQUARES:
        return None
    of = [tile for tile in alphabet(place.language) if len(tile) == 1]  # a narrow row has no DŽ
    steps = range(place.key, place.key + _APART * (SQUARES - len(letters)), _APART)
    return Row(place, letters, [of[step % len(of)] for step in steps])
