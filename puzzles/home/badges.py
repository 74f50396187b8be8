"""Badges for what lasts: days of practice, words that stayed, puzzles without help. Pure.

They are counted from the history of answers, which only grows: nobody loses a badge, and none can
be bought or drawn by lot.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum


class Feat(StrEnum):
    """What is counted for badges."""

    DAYS = "days"  # on which the student practised
    ROW = "row"  # days, the longest streak
    WORDS_DAYS = "words-days"  # recalled without help after a gap of days
    WORDS_WEEKS = "words-weeks"
    WORDS_MONTHS = "words-months"
    UNAIDED = "unaided"  # puzzles, all words found without help


STEPS: Mapping[Feat, Sequence[int]] = {
    Feat.DAYS: (1, 5, 20, 50, 100, 200),
    Feat.ROW: (3, 7, 14, 30, 60, 100),
    Feat.WORDS_DAYS: (5, 25, 100, 250, 500, 1000),
    Feat.WORDS_WEEKS: (5, 25, 100, 250, 500, 1000),
    Feat.WORDS_MONTHS: (5, 25, 100, 250, 500, 1000),
    Feat.UNAIDED: (1, 5, 20, 50, 100, 200),
}


@dataclass(frozen=True, slots=True)
class Badge:
    """How far a student is: *count*, the step *reached* (0: none), the *next* (None: no more)."""

    feat: Feat
    count: int
    reached: int
    next: int | None
    is_new: bool = False

    @property
    def rank(self) -> int:
        """How many steps were reached."""
        return sum(step <= self.count for step in STEPS[self.feat])


def badges(now: Mapping[Feat, int], before: Mapping[Feat, int]) -> list[Badge]:
    """Return a badge for each feat; new are those whose step was not reached *before* today."""
    return [_badge(feat, now.get(feat, 0), before.get(feat, 0)) for feat in Feat]


def _badge(feat: Feat, count: int, before: int) -> Badge:
    reached = max((step for step in STEPS[feat] if step <= count), default=0)
    following = next((step for step in STEPS[feat] if step > count), None)
    return Badge(feat, count, reached, following, is_new=reached > before and reached > 0)
