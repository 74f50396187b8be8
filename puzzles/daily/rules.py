"""Which words and which kind of puzzle a class gets on a day, and how a result is shown. Pure.

The same class gets the same on the same day, whoever opens it first.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from datetime import date, timedelta
from enum import StrEnum
from random import Random

SIZE = 10
FEWEST = 6
KEPT_FOR = timedelta(days=30)
# Who has answered nothing for so long does not keep words from the others.
AWAY_AFTER = timedelta(days=7)
# A class plays regularly if somebody of it played on so many of the last seven days.
FEWEST_DAYS = 3
# A picture of fewer results would show what one student did.
FEWEST_RESULTS = 3


class Mark(StrEnum):
    """What became of a word, as a square that tells nothing of the word."""

    ALONE = "\N{LARGE GREEN SQUARE}"
    HELPED = "\N{LARGE YELLOW SQUARE}"
    MISSED = "\N{WHITE LARGE SQUARE}"


def seed_of(classroom: int, day: date) -> int:
    """Return the seed of a class's day, below 2⁵³; the same in every process."""
    digest = hashlib.sha256(f"{classroom}:{day.isoformat()}".encode()).digest()
    return int.from_bytes(digest[:7]) >> 3


def kinds_of(classroom: int, day: date, kinds: Sequence[str]) -> list[str]:
    """Return the kinds in the order in which they are tried: each is the first in turn."""
    first = (day.toordinal() + classroom) % len(kinds)
    return [*kinds[first:], *kinds[:first]]


def most_wanted(met_by: Mapping[int, int], students: int, rng: Random) -> list[int]:
    """Return the words in the order in which they are wanted, by chance among equals.

    *met_by* says how many of the *students* have met each word that may be asked. First those that
    half of the class has met, then those that somebody has, then others, but no more of these than
    of the first: it is no lesson.
    """
    drawn = sorted(met_by)
    rng.shuffle(drawn)
    many = [word for word in drawn if met_by[word] and 2 * met_by[word] >= students]
    some = [word for word in drawn if 0 < 2 * met_by[word] < students]
    none = [word for word in drawn if not met_by[word]]
    met = [*many, *some]
    return [*met, *none[: len(met)]]


def is_regular(weeks: Iterable[Iterable[bool]]) -> bool:
    """Return whether a class plays regularly, by the last seven days of each of its students."""
    return sum(any(played) for played in zip(*weeks, strict=True)) >= FEWEST_DAYS


def picture(results: Sequence[Sequence[Mark]]) -> list[list[Mark]]:
    """Return the results of a class as rows, one for each word, with a mark for each student.

    The marks of a row are sorted, and so are the rows, the words that went best first: the picture
    tells nothing of a student, nor which word is which. It is empty for too few results.
    """
    if len(results) < FEWEST_RESULTS:
        return []
    order = list(Mark)
    rows = [sorted(marks, key=order.index) for marks in zip(*results, strict=True)]
    return sorted(rows, key=lambda row: [order.index(one) for one in row])
