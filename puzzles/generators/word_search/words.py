"""The words of a word search: which can be in the grid, and which are nested in others."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from puzzles.generators.grid import Unplaced
from vocab.message import Sentence, message, messages
from vocab.text import fewest_tiles, tiles

Tiles = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Entry:
    """A word that can be in the grid."""

    word: str
    """The word as given."""
    tiles: Tiles


@dataclass(frozen=True, slots=True)
class Nested:
    """A word that can be read in other words of the list, forwards or backwards."""

    entry: Entry
    readings: tuple[tuple[Entry, tuple[int, ...]], ...]
    """Each way to read it: the other word, and the positions there of its tiles, in order."""


def prepare(
    words: Iterable[str], language: str | None, digraphs: bool, blocked: Sequence[Tiles]
) -> tuple[list[Entry], list[Unplaced]]:
    """Split *words* into tiles, in their order; return separately those that cannot be placed."""
    entries: list[Entry] = []
    unplaced: list[Unplaced] = []
    known: dict[Tiles, str] = {}
    unwanted = {way for cut in blocked for way in (cut, cut[::-1])}
    for word in words:
        cut = tiles(word, language, digraphs=digraphs)
        reason = None
        if not cut:
            reason = message("“{word}” has no letters to put into a grid.", word=word)
        elif len(cut) < fewest_tiles(cut):
            reason = _too_short(word, cut)
        elif known.get(cut) == word:
            reason = message("“{word}” is already in the list.", word=word)
        elif cut in known:
            reason = message(
                "“{word}” is spelt like “{other}”, which is already in the list.",
                word=word,
                other=known[cut],
            )
        elif cut in unwanted:
            reason = message("“{word}” is a blocked word, read forwards or backwards.", word=word)
        if reason:
            unplaced.append(Unplaced(word, reason))
        else:
            known[cut] = word
            entries.append(Entry(word, cut))
    return entries, unplaced


def _too_short(word: str, cut: Tiles) -> Sentence:
    return messages(
        "“{word}” has {count} letter in the grid; a word needs at least {least}.",
        "“{word}” has {count} letters in the grid; a word needs at least {least}.",
        len(cut),
        word=word,
        least=fewest_tiles(cut),
    )


def nest(entries: Sequence[Entry]) -> tuple[list[Entry], list[Nested]]:
    """Separate the words that must be placed, longest first, from those nested in them.

    A word that can be read within a longer one, or backwards in one of the same length, would be
    in the grid twice if it were also placed; so its place is in the other word.
    """
    roots: list[Entry] = []
    nested: list[Nested] = []
    # The roots as text with one character per tile, to find quickly the few words nested in others.
    letters: dict[str, str] = {}
    together = ""
    for entry in sorted(entries, key=lambda entry: -len(entry.tiles)):
        text = "".join(letters.setdefault(tile, chr(len(letters) + 1)) for tile in entry.tiles)
        readings = (
            tuple(
                (root, positions)
                for root in roots
                for positions in positions_in(entry.tiles, root.tiles)
            )
            if text in together or text[::-1] in together
            else ()
        )
        if readings:
            nested.append(Nested(entry, readings))
        else:
            roots.append(entry)
            together += f"\0{text}"
    return roots, nested


def positions_in(part: Tiles, whole: Tiles) -> list[tuple[int, ...]]:
    """Return all ways to read *part* in *whole*: the positions of its tiles, in its order."""
    if part[0] not in whole or part[-1] not in whole:
        return []
    length = len(part)
    found: list[tuple[int, ...]] = []
    for i in range(len(whole) - length + 1):
        window = whole[i : i + length]
        if window == part:
            found.append(tuple(range(i, i + length)))
        elif window == part[::-1]:
            found.append(tuple(reversed(range(i, i + length))))
    return found
