"""Several crosswords on one board, for words that share too few letters to be joined in one.

Words of syllables or of Chinese characters often share none. Each family of words that do is grown
into a crossword, an *island*. Words left over grow into further islands, single ones at the end.
The islands are packed on one board, with an empty cell between them in all eight directions, and
numbered together.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Protocol

from puzzles.generators.crossword.puzzle import (
    Crossword,
    Direction,
    LaidWord,
    does_not_continue,
    without_place,
)
from puzzles.generators.crossword.words import Term, families_of
from puzzles.generators.errors import CrosswordError
from puzzles.generators.grid import Cell, Unplaced

_LARGEST_SIDE = 200
_FOR_FAMILIES = 0.9
"""The share of the remaining time for the families; the rest is for words that they leave over."""
_SHORTEST = 0.01  # seconds
_TURNED: dict[Direction, Direction] = {"across": "down", "down": "across"}


class Grow(Protocol):
    """A search for one island: `generate` with all arguments but these."""

    def __call__(
        self,
        words: Sequence[str],
        *,
        rows: int | None,
        cols: int | None,
        seconds: float | None,
        pinned: Collection[str],
        start_from: Crossword | None,
    ) -> Crossword: ...


@dataclass(frozen=True, slots=True)
class _Island:
    """Words by their places, from row 0 and column 0 on."""

    words: tuple[LaidWord, ...]
    rows: int
    cols: int

    @classmethod
    def of(cls, words: Sequence[LaidWord]) -> _Island:
        top = min(word.cells[0][0] for word in words)
        left = min(word.cells[0][1] for word in words)
        moved = tuple(_moved(word, -top, -left) for word in words)
        return cls(
            moved,
            1 + max(word.cells[-1][0] for word in moved),
            1 + max(word.cells[-1][1] for word in moved),
        )

    @property
    def cells(self) -> frozenset[Cell]:
        return frozenset(cell for word in self.words for cell in word.cells)

    def turned(self) -> _Island:
        """Return the island with rows for columns: its words run down instead of across."""
        turned = tuple(
            replace(
                word,
                cells=tuple((c, r) for r, c in word.cells),
                direction=_TURNED[word.direction],
            )
            for word in self.words
        )
        return _Island(turned, self.cols, self.rows)


def _moved(word: LaidWord, down: int, right: int) -> LaidWord:
    return replace(word, cells=tuple((r + down, c + right) for r, c in word.cells))


def grow_islands(
    terms: Sequence[Term],
    refused: Sequence[Unplaced],
    grow: Grow,
    *,
    rows: int | None,
    cols: int | None,
    seconds: float | None,
    on_better: Callable[[Crossword], None] | None,
    start_from: Crossword | None,
) -> Crossword:
    """Return a crossword of all *terms* for which the board has room; *grow* makes one island.

    *on_better* is told whenever an island is finished.
    """
    deadline = None if seconds is None else time.monotonic() + seconds
    tiles_of = {term.word: term.tiles for term in terms}
    before = _islands_in(start_from, tiles_of) if start_from is not None else []
    waiting = sorted(families_of(terms), key=_rank, reverse=True)
    islands: list[_Island] = []
    while waiting:
        family = waiting.pop(0)
        island, rest = _grown(family, grow, rows, cols, _share(family, waiting, deadline), before)
        islands.append(island)
        waiting = sorted([*waiting, *families_of(rest)], key=_rank, reverse=True)
        if on_better is not None and waiting:
            on_better(_packed(islands, terms, refused, rows, cols))
    made = _packed(islands, terms, refused, rows, cols)
    if before:
        made = max(made, _packed(before, terms, refused, rows, cols), key=_value)
    if on_better is not None:
        on_better(made)
    return made


def _rank(family: Sequence[Term]) -> tuple[int, int, int]:
    """Words that must be included come first, then large families, then long words."""
    return (
        sum(term.is_pinned for term in family),
        len(family),
        max(len(term.tiles) for term in family),
    )


def _share(
    family: Sequence[Term], waiting: Sequence[Sequence[Term]], deadline: float | None
) -> float | None:
    """Return the seconds for this *family*, in proportion to its words."""
    if deadline is None:
        return None
    words = len(family) + sum(len(other) for other in waiting if len(other) > 1)
    left = deadline - time.monotonic()
    return max(_SHORTEST, _FOR_FAMILIES * left * len(family) / words)


def _grown(
    family: Sequence[Term],
    grow: Grow,
    rows: int | None,
    cols: int | None,
    seconds: float | None,
    before: Sequence[_Island],
) -> tuple[_Island, list[Term]]:
    """Return an island of as many words of *family* as possible, and the others."""
    if len(family) == 1:
        cells = tuple((0, col) for col in range(len(family[0].tiles)))
        return _Island.of([LaidWord(family[0].word, family[0].tiles, cells, "across")]), []
    names = [term.word for term in family]
    start = max(
        (island for island in before if {word.word for word in island.words} <= set(names)),
        key=lambda island: len(island.words),
        default=None,
    )
    is_bounded = rows is not None or cols is not None
    half = seconds / 2 if seconds is not None and is_bounded else seconds
    # A compact island leaves most room for others; if it is too large, it must grow on the board.
    grow = partial(grow, names, seconds=half, pinned=[t.word for t in family if t.is_pinned])
    try:
        made = grow(rows=None, cols=None, start_from=_alone(start))
    except CrosswordError:  # the island has no room where this family begins
        made = grow(rows=None, cols=None, start_from=None)
    island = _island_of(made)
    if not any(_has_room(way, rows, cols) for way in (island, island.turned())):
        island = _island_of(grow(rows=rows, cols=cols, start_from=None))
    laid = {word.word for word in island.words}
    return island, [term for term in family if term.word not in laid]


def _alone(island: _Island | None) -> Crossword | None:
    """Return the island as a crossword of its own."""
    return None if island is None else Crossword.of(island.words, (), rows=None, cols=None)


def _has_room(island: _Island, rows: int | None, cols: int | None) -> bool:
    return island.rows <= (rows or _LARGEST_SIDE) and island.cols <= (cols or _LARGEST_SIDE)


def _island_of(made: Crossword) -> _Island:
    return _Island.of(
        [
            LaidWord(
                placed.word,
                tuple(made.grid[row][col] or "" for row, col in placed.cells),
                placed.cells,
                placed.direction,
            )
            for placed in made.placements
        ]
    )


def _islands_in(crossword: Crossword, tiles_of: dict[str, tuple[str, ...]]) -> list[_Island]:
    """Return the islands of a crossword: words that share cells, directly or through others."""
    groups: list[tuple[set[Cell], list[LaidWord]]] = []
    for placed in crossword.placements:
        if placed.word not in tiles_of:
            raise does_not_continue(placed.word)
        word = LaidWord(placed.word, tiles_of[placed.word], placed.cells, placed.direction)
        linked = [group for group in groups if not group[0].isdisjoint(word.cells)]
        cells = set(word.cells).union(*(group[0] for group in linked))
        groups = [group for group in groups if group not in linked]
        groups.append((cells, [*(other for group in linked for other in group[1]), word]))
    return [_Island.of(words) for _, words in groups]


def _value(crossword: Crossword) -> tuple[int, int]:
    return len(crossword.placements), len(crossword.crossings)


def _packed(
    islands: Sequence[_Island],
    terms: Sequence[Term],
    refused: Sequence[Unplaced],
    rows: int | None,
    cols: int | None,
) -> Crossword:
    """Return the islands on one board, as small and square as possible, if they have room."""
    boards = [_pack(islands, rows or _LARGEST_SIDE, width) for width in _widths(islands, cols)]
    words = min(boards, key=lambda words: _size(words, rows, cols))
    placed = {word.word for word in words}
    left_over = without_place(term.word for term in terms if term.word not in placed)
    return Crossword.of(words, (*refused, *left_over), rows=rows, cols=cols)


def _widths(islands: Sequence[_Island], cols: int | None) -> Iterator[int]:
    """Yield the widths of board to try."""
    if cols is not None:
        yield cols
        return
    narrowest = max(min(island.rows, island.cols) for island in islands)
    side = math.sqrt(sum((island.rows + 1) * (island.cols + 1) for island in islands))
    widest = max(*(max(island.rows, island.cols) for island in islands), int(1.5 * side))
    first = max(narrowest, int(0.7 * side))
    yield from range(min(first, _LARGEST_SIDE), min(widest, _LARGEST_SIDE) + 1)
    yield _LARGEST_SIDE


def _size(words: Sequence[LaidWord], rows: int | None, cols: int | None) -> tuple[int, int, int]:
    """Return what makes a board worse: words left out, its longer side, its area."""
    height = rows or 1 + max((word.cells[-1][0] for word in words), default=0)
    width = cols or 1 + max((word.cells[-1][1] for word in words), default=0)
    return -len(words), max(height, width), height * width


def _pack(islands: Sequence[_Island], height: int, width: int) -> list[LaidWord]:
    """Lay each island as far up, then as far left as it can be; return the words that have room.

    The board is one number with a bit for each cell, and one unused column between its rows.
    """
    stride, taken = width + 1, 0
    words: list[LaidWord] = []
    # No cell becomes free again: an island of the same shape as an earlier one lies further down.
    above: dict[frozenset[Cell], int] = {}
    for island in islands:
        ways: list[tuple[_Island, Cell]] = []
        for way in (island, island.turned()):
            place = _first_place(way, taken, height, width, above.get(way.cells, 0))
            above[way.cells] = height if place is None else place[0]
            if place is not None:
                ways.append((way, place))
        if not ways:
            continue
        # The one that ends further up; if they are equal, the one that is not turned.
        laid, (down, right) = min(ways, key=lambda way: way[1][0] + way[0].rows)
        words += [_moved(word, down, right) for word in laid.words]
        for row, col in laid.cells:
            for near in range(max(0, row + down - 1), row + down + 2):
                taken |= 0b111 << near * stride + col + right >> 1
    return words


def _first_place(
    island: _Island, taken: int, height: int, width: int, from_row: int
) -> Cell | None:
    """Return where the island's top left corner can lie first, row by row; None if nowhere."""
    stride = width + 1
    shape = sum(1 << row * stride + col for row, col in island.cells)
    for row in range(from_row, height - island.rows + 1):
        for col in range(width - island.cols + 1):
            if not taken & shape << row * stride + col:
                return row, col
    return None
