"""A picture of a student's words: a stem each, the taller the longer the word is known. Pure.

Only unaided recall raises a word's level, so only that makes a stem grow.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import ceil

from vocab.memory.card import Level

# The stems of a level, shortest first: a CSS class, the levels it shows, and its height.
_GROUPS: Sequence[tuple[str, tuple[Level, ...], int]] = (
    ("learning", (Level.LEARNING, Level.SLIPPING), 4),
    ("days", (Level.DAYS,), 26),
    ("weeks", (Level.WEEKS,), 50),
    ("months", (Level.MONTHS,), 74),
)
# More words share a stem. A few words do not make thick ones.
MOST_STEMS, WIDTH_AT_LEAST = 80, 60
_STEP, GROUND = 5, 94


@dataclass(frozen=True, slots=True)
class Group:
    """The words of a level: an SVG path of their stems."""

    name: str
    level: int
    words: int
    path: str


@dataclass(frozen=True, slots=True)
class Growth:
    """All words of a student, in groups; *risen* are the dots over those that grew today."""

    words: int
    words_a_stem: int
    width: int
    ground: int
    groups: Sequence[Group]
    risen: Sequence[tuple[int, int]]


def growth(levels: Mapping[int, int], risen: Iterable[int]) -> Growth:
    """Return the picture of words, given how many are at each level.

    *risen* are the levels that words reached today.
    """
    counts = {name: sum(levels.get(one, 0) for one in of) for name, of, _height in _GROUPS}
    total = sum(counts.values())
    a_stem = max(1, ceil(total / MOST_STEMS))
    grown = Counter(risen)
    x, groups, dots = 3, [], []
    for name, of, height in _GROUPS:
        stems = ceil(counts[name] / a_stem)
        places = [x + _STEP * number for number in range(stems)]
        x += _STEP * stems
        path = "".join(f"M{place} {GROUND}v-{height}" for place in places)
        groups.append(Group(name, of[0], counts[name], path))
        dotted = min(stems, ceil(sum(grown[one] for one in of) / a_stem))
        dots += [(place, GROUND - height - 7) for place in places[stems - dotted :]]
    return Growth(total, a_stem, max(x, _STEP * WIDTH_AT_LEAST), GROUND, groups, dots)
