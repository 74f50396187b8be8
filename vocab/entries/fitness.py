"""Check whether a term fits into a puzzle, before anybody plays. Pure."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from vocab.text import fewest_tiles, search_key

Reason = Literal["no letters", "too short", "too long", "digits", "contained", "blocked"]

# The widest grid that a phone shows with letters that are large enough.
LONGEST = 16
_FIRST_SIGN = 0x20  # after the line end


@dataclass(frozen=True, slots=True)
class Finding:
    """One remark on a term; `other` is the longer term that contains it.

    Digits fit into a grid, but often were no part of the word: “1 Hund”.
    """

    reason: Reason
    other: str = ""
    letters: int = 0


def check(
    terms: Mapping[int, tuple[str, Sequence[str]]],
    everything: Iterable[tuple[str, Sequence[str]]],
    *,
    blocked: Collection[str] = (),
) -> dict[int, Sequence[Finding]]:
    """Return the findings for each of *terms* (key: term and tiles), none for those that fit.

    *everything* are all terms and tiles of the list: a word contained in another one, forwards or
    backwards, would be found twice. *blocked* are search keys of words that must not appear.
    """
    # Search one joined text, which is many times as fast as searching each term, and one sign a
    # tile, which is several times as fast as tiles with separators.
    signs = _Signs()
    names, lines = [], []
    for term, tiles in everything:
        names.append(term)
        lines.append(signs.of(tiles))
    text = "\n".join(["", *lines, ""])
    result: dict[int, Sequence[Finding]] = {}
    for key, (term, tiles) in terms.items():
        found: list[Finding] = []
        if not tiles:
            found.append(Finding("no letters"))
        elif len(tiles) < fewest_tiles(tiles):
            found.append(Finding("too short", letters=len(tiles)))
        if len(tiles) > LONGEST:
            found.append(Finding("too long", letters=len(tiles)))
        if any(tile.isdecimal() for tile in tiles):
            found.append(Finding("digits"))
        if tiles and (other := _container(term, signs.of(tiles), text, names)):
            found.append(Finding("contained", other=other))
        plain = search_key(term)
        if blocked and ({plain, *plain.split()} & set(blocked)):
            found.append(Finding("blocked"))
        if found:
            result[key] = found
    return result


class _Signs(dict[str, str]):
    """One character for each tile."""

    def __missing__(self, tile: str) -> str:
        self[tile] = chr(_FIRST_SIGN + len(self))
        return self[tile]

    def of(self, tiles: Iterable[str]) -> str:
        return "".join([self[tile] for tile in tiles])


def _container(term: str, wanted: str, text: str, names: Sequence[str]) -> str:
    """Return the first longer term that contains these signs, in either direction, or "".

    *text* has a line for each of *names*.
    """
    for order in (wanted, wanted[::-1]):
        start = text.find(order)
        while start >= 0:
            begin, end = text.rindex("\n", 0, start), text.index("\n", start)
            if end - begin - 1 > len(order):
                other = names[text.count("\n", 0, start) - 1]
                if other != term:
                    return other
            start = text.find(order, start + 1)
    return ""
