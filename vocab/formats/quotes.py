"""Quotation marks of all languages around words: „Hund“, »pas«, 「犬」."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

# What opens a quotation, and what may close it. On a keyboard, people mix „ with ".
_MARKS = {
    **{"„": '“”„"', "‚": "‘’'", "“": '”“"', "‘": "’‘", "”": "”", "’": "’", "»": "«»", "«": "»"},
    **{"›": "‹›", "‹": "›", '"': '"”', "'": "'’", "`": "´'`", "´": "´", "＂": "＂"},
    **{"「": "」", "『": "』", "｢": "｣", "《": "》", "〝": "〟〞"},
}
# A mark between two letters is an apostrophe.
_PAIR = (
    rf"(?<!\w)(?=[{''.join(_MARKS)}])(?:"
    + "|".join(
        rf"{opening}\s*(?P<{{name}}{number}>(?:[^{opening}{closing}]|(?<=\w)[{closing}](?=\w))+?)"
        rf"\s*[{closing}]"
        for number, (opening, closing) in enumerate(_MARKS.items())
    )
    + r")(?!\w)"
)
_QUOTED = re.compile(_PAIR.replace("{name}", "text"))
_TWO = re.compile(
    r"\s*"
    + _PAIR.replace("{name}", "word")
    + r"\s*(?:[-–—−=:：;,|/→⇒]|->|=>)?\s*"
    + _PAIR.replace("{name}", "meaning")
    + r"[.;,]?\s*"
)
# What the csv module reads by itself.
_CSV = re.compile(r'\s*"[^"]*"\s*[,;|\t]')
_MOST = 0.9
# If these have no quotation marks, the others are not looked at.
_FIRST = 2


def is_quoted(text: str) -> bool:
    """Return whether *text* begins with something in quotation marks: „Hund“, -e."""
    return _QUOTED.match(text.strip()) is not None


def has_quotes(text: str) -> bool:
    """Return whether *text* has quotation marks around a word, or around all of it."""
    return _QUOTED.search(text) is not None


def without_quotes(text: str) -> str:
    """Return *text* without the quotation marks around words."""
    return _QUOTED.sub(lambda found: _inside(found, "text"), text) if text else text


def share_of_quoted(cells: Iterable[str]) -> float:
    """Return the share of *cells* that begin with a quotation; empty ones do not count."""
    filled = [cell for cell in cells if cell.strip()]
    return sum(map(is_quoted, filled)) / len(filled) if filled else 0.0


def quoted_pairs(lines: Sequence[str]) -> list[str] | None:
    """Return lines of two quotations as words and translations, with tabs; None if most are not."""
    filled = [line for line in lines if line.strip()]
    if not all(map(has_quotes, filled[:_FIRST])):
        return None
    found = [None if _CSV.match(line) else _TWO.fullmatch(line) for line in lines]
    if not filled or sum(map(bool, found)) < _MOST * len(filled):
        return None
    return [
        f"{_inside(match, 'word')}\t{_inside(match, 'meaning')}\n" if match else line
        for line, match in zip(lines, found, strict=True)
    ]


def _inside(found: re.Match[str], name: str) -> str:
    groups = found.groupdict()
    return next(groups[key] for key in groups if key.startswith(name) and groups[key] is not None)
