"""Remove what a document's numbered or bulleted list puts before each line: “1. cat”, “• cat”."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

_NUMBER = re.compile(r"\s*\(?([0-9]{1,4})[.)]\s+(?=\S)")
_LETTER = re.compile(r"\s*\(?([a-z])\)\s+(?=\S)")
_BULLET = re.compile(r"\s*([-–—*•‣◦▪▫●○■□➢➤✓✔·])\s+(?:\[[ x]\]\s+)?(?=\S)")


def without_marks(lines: Sequence[str]) -> Sequence[str]:
    """Return *lines* without their marks; the same sequence if they have none.

    All lines must begin with the same bullet, or count. “1st year, 2nd year”, written as “1. year”
    and “2. year”, counts the same word, and is no list.
    """
    filled = [number for number, line in enumerate(lines) if line.strip()]
    if len(filled) < 2:
        return lines
    for pattern in (_NUMBER, _LETTER, _BULLET):
        if not pattern.match(lines[filled[0]]):
            continue
        found = [pattern.match(lines[number]) for number in filled]
        marks = [match for match in found if match]
        if len(marks) < len(filled) or not _goes_on(match[1] for match in marks):
            return lines
        left = {
            number: lines[number][match.end() :]
            for number, match in zip(filled, marks, strict=True)
        }
        if len({text.split()[0] for text in left.values()}) == 1:
            return lines
        return [left.get(number, line) for number, line in enumerate(lines)]
    return lines


def _goes_on(marks: Iterable[str]) -> bool:
    """Return whether marks are all the same bullet, or numbers or letters in order."""
    texts = list(marks)
    if not texts[0].isalnum():
        return len(set(texts)) == 1
    numbers = [int(text) if text.isdecimal() else ord(text) for text in texts]
    return numbers == list(range(numbers[0], numbers[0] + len(numbers)))
