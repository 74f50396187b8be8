"""Remove what a document's numbered or bulleted list puts before each line: “1. cat”, “• cat”."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

_NUMBER = re.compile(r"\s*\(?([0-9]{1,4})[.)]\s+(?=\S)")
_LETTER = re.compile(r"\s*\(?([a-z])\)\s+(?=\S)")
_BULLET = re.compile(r"\s*([-–—*•‣◦▪▫●○■□➢➤✓✔·])\s+(?:\[[ x]\]\s+)?(?=\S)")
# Where a line has no mark, so many others need one, and so many of all lines.
_FEWEST_MARKS = 3
_MOST = 2 / 3


def without_marks(lines: Sequence[str]) -> Sequence[str]:
    """Return *lines* without their marks; the same sequence if they have none.

    Most lines must begin with the same bullet, or count: a heading, or a line that somebody added,
    has no mark, and a deleted line leaves a gap. “1st year, 2nd year”, written as “1. year” and
    “2. year”, counts the same word, and is no list; nor are the years of a history lesson.
    """
    filled = [number for number, line in enumerate(lines) if line.strip()]
    for pattern in (_NUMBER, _LETTER, _BULLET):
        found = {number: match for number in filled if (match := pattern.match(lines[number]))}
        is_marked = len(found) == len(filled) >= 2 or (
            len(found) >= max(_FEWEST_MARKS, _MOST * len(filled))
        )
        if not is_marked or not _goes_on([match[1] for match in found.values()]):
            continue
        left = {number: lines[number][match.end() :] for number, match in found.items()}
        if len({text.split()[0] for text in left.values()}) == 1:
            return lines
        return [left.get(number, line) for number, line in enumerate(lines)]
    return lines


def _goes_on(marks: Sequence[str]) -> bool:
    """Return whether marks are all the same bullet, or numbers or letters in order."""
    if not marks[0].isalnum():
        return len(set(marks)) == 1
    numbers = [int(text) if text.isdecimal() else ord(text) for text in marks]
    steps = [after - before for before, after in pairwise(numbers)]
    return set(steps) <= {1, 2} and 2 * steps.count(1) >= len(steps)
