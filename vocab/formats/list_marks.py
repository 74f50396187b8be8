"""Remove what a document's numbered or bulleted list puts before each line: “1. cat”, “• cat”."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from itertools import pairwise

# “1.”, “(1)”, “1.2)”, “１．”, “1、”, “١.”, and “1.cat” without a space.
_NUMBER = re.compile(
    r"\s*(?P<mark>[(\[（]?(?:\d{1,3}\.)?(?P<count>\d{1,4})(?:[.)\]）．、]|:(?=\s)))"
    r"(?:\s+(?=\S)|(?=[^\W\d_]))"
)
_CIRCLED = re.compile(r"\s*(?P<mark>(?P<count>[①-⑳⓵-⓾❶-❿➀-➉]))\s*(?=\S)")
_ONES = ["I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X"]
_ROMANS = {numeral: number for number, numeral in enumerate([*_ONES, *map("X{}".format, _ONES)], 1)}
_ROMAN = re.compile(r"\s*(?P<mark>\(?(?P<count>[IVX]{1,5})[.)])\s+(?=\S)")
# “1.1” and a number alone, as in “1 cat”, may be part of a phrase: all lines count from 1.
_BARE = re.compile(r"\s*(?P<mark>(?P<count>\d{1,4}))\s+(?=[^\W\d_])")
_DECIMAL = re.compile(r"\s*(?P<mark>\d{1,3}\.(?P<count>\d{1,4}))\s+(?=[^\W\d_])")
_LETTER = re.compile(r"\s*(?P<mark>\(?(?P<count>[^\W\d_])(?:\)|\.(?=\s)))\s+(?=\S)")
_BULLET = re.compile(
    r"\s*(?P<mark>[-–—*](?=\s)|[•‣◦▪▫●○■□➢➤➔▸▹▶►✓✔✗☐☑❖◆◇★☆∙⋅·・⁃]|[\uf000-\uf0ff]|o(?=\t))\s*"
    r"(?:\[[ x]\]\s+)?(?=\S)"
)
_LINE_PATTERNS = (_NUMBER, _CIRCLED, _ROMAN, _LETTER, _BULLET, _DECIMAL, _BARE)
_STRICT = (_DECIMAL, _BARE)
_MIXED = (_NUMBER, _BULLET, _LETTER)
# Signs that words do not begin with, even on a single line.
_SURE_BULLET = re.compile(
    r"\s*(?:[•‣◦▪▫●■□➢➤➔▸▹▶►✓✔☐☑❖◆◇]|[\uf000-\uf0ff])\s*(?:\[[ x]\]\s+)?(?=\S)"
)
# Where a line has no mark, so many others need one, and so many of all lines.
_FEWEST_MARKS = 3
_MOST = 2 / 3
# If none of these has a mark, the others are not looked at.
_FIRST = 20


def without_marks(lines: Sequence[str]) -> Sequence[str]:
    """Return *lines* without their marks; the same sequence if they have none.

    Most lines must begin with the same bullet, or count: a heading, or a line that somebody added,
    has no mark, and a deleted line leaves a gap. “1st year, 2nd year”, written as “1. year” and
    “2. year”, counts the same word, and is no list; nor are the years of a history lesson. A list
    of several documents may mix marks, if its numbers go up.
    """
    filled = [number for number, line in enumerate(lines) if line.strip()]
    for pattern in _LINE_PATTERNS:
        if not any(pattern.match(lines[number]) for number in filled[:_FIRST]):
            continue
        found = {number: match for number in filled if (match := pattern.match(lines[number]))}
        if _are_marks(found, len(filled), is_strict=pattern in _STRICT):
            left = {number: lines[number][match.end() :] for number, match in found.items()}
            if len({text.split()[0] for text in left.values()}) == 1:
                return lines
            return [left.get(number, line) for number, line in enumerate(lines)]
    return _without_mixed_marks(lines, filled)


def _are_marks(found: dict[int, re.Match[str]], filled: int, *, is_strict: bool) -> bool:
    matches = list(found.values())
    if is_strict:
        counts = [_count(match) for match in matches]
        return len(matches) == filled >= _FEWEST_MARKS and counts == [*range(1, filled + 1)]
    is_marked = len(found) == filled >= 2 or len(found) >= max(_FEWEST_MARKS, _MOST * filled)
    return is_marked and _goes_on(matches)


def _without_mixed_marks(lines: Sequence[str], filled: Sequence[int]) -> Sequence[str]:
    """Remove numbers and bullets from a list that mixes them; sure bullets from any."""
    found = {
        number: match
        for number in filled
        if (match := next(filter(None, (p.match(lines[number]) for p in _MIXED)), None))
    }
    counts = [_count(match) for match in found.values() if match.re is _NUMBER]
    goes_up = all(after > before for before, after in pairwise(counts))
    is_mixed = len(counts) < len(found) and all(count <= 2 * len(filled) for count in counts)
    if len(found) < max(_FEWEST_MARKS, _MOST * len(filled)) or not goes_up or not is_mixed:
        found = {n: match for n in filled if (match := _SURE_BULLET.match(lines[n]))}
    if not found:
        return lines
    return [line[found[n].end() :] if n in found else line for n, line in enumerate(lines)]


def _goes_on(matches: Sequence[re.Match[str]]) -> bool:
    """Return whether marks are all the same bullet, or numbers or letters in order."""
    if matches[0].re is _BULLET:
        return len({match["mark"] for match in matches}) == 1
    numbers = [_count(match) for match in matches]
    steps = [after - before for before, after in pairwise(numbers)]
    return set(steps) <= {1, 2} and 2 * steps.count(1) >= len(steps)


def _count(match: re.Match[str]) -> int:
    text = match["count"]
    if match.re is _ROMAN:
        return _ROMANS.get(text, 0)
    if text.isdecimal():
        return int(text)
    return ord(text) if text.isalpha() else int(unicodedata.numeric(text))
