"""Check whether a term fits into a puzzle, before anybody plays. Pure."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from vocab.text import search_key

Reason = Literal["no letters", "too short", "too long", "contained", "blocked"]

SHORTEST = 3
# The widest grid that a phone shows with letters that are large enough.
LONGEST = 16


@dataclass(frozen=True, slots=True)
class Finding:
    """One reason why a term does not fit; `other` is the longer term that contains it."""

    reason: Reason
    other: str = ""
    letters: int = 0


def check(
    terms: Mapping[int, tuple[str, Sequence[str]]],
    everything: Iterable[tuple[str, Sequence[str]]],
    *,
    blocked: Collection[str] = (),
    longest: int = LONGEST,
) -> dict[int, Sequence[Finding]]:
    """Return the findings for each of *terms* (key: term and tiles), none for those that fit.

    *everything* are all terms and tiles of the list: a word contained in another one, forwards or
    backwards, would be found twice. *blocked* are search keys of words that must not appear.
    """
    others = [(term, "\x1f".join(("", *tiles, ""))) for term, tiles in everything]
    # Search one joined text, which is many times as fast as searching each term.
    places, text, end = [], "".join(f"{joined}\n" for _term, joined in others), 0
    for term, joined in others:
        places.append((end, term))
        end += len(joined) + 1
    result: dict[int, Sequence[Finding]] = {}
    for key, (term, tiles) in terms.items():
        found: list[Finding] = []
        if not tiles:
            found.append(Finding("no letters"))
        elif len(tiles) < SHORTEST:
            found.append(Finding("too short", letters=len(tiles)))
        if len(tiles) > longest:
            found.append(Finding("too long", letters=len(tiles)))
        if tiles and (other := _container(term, tiles, text, places)):
            found.append(Finding("contained", other=other))
        plain = search_key(term)
        if blocked and ({plain, *plain.split()} & set(blocked)):
            found.append(Finding("blocked"))
        if found:
            result[key] = found
    return result


def _container(
    term: str, tiles: Sequence[str], text: str, places: Sequence[tuple[int, str]]
) -> str:
    """Return the first longer term that contains these tiles, in either direction, or ""."""
    from bisect import bisect_right

    for order in (tiles, tiles[::-1]):
        wanted = "\x1f".join(("", *order, ""))
        start = text.find(wanted)
        while start >= 0:
            where, other = places[bisect_right(places, start, key=lambda place: place[0]) - 1]
            line_end = text.index("\n", start)
            if line_end - where > len(wanted) and other != term:
                return other
            start = text.find(wanted, start + 1)
    return ""
