"""Turn the words of a word search into its grid: size, search, places, filling."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from random import Random

import numpy as np

from puzzles.generators.grid import Cell, Grid
from puzzles.generators.word_search.board import COL_STEP, ROW_STEP
from puzzles.generators.word_search.engine import Search, Task
from puzzles.generators.word_search.fill import fill_in
from puzzles.generators.word_search.words import Entry, Nested, Tiles, nest

Shape = tuple[int, int]

WORK_TO_FIT = 1_000
"""Steps of work per tile to find out whether all words fit into a size."""
WORK_TO_SETTLE, MOST_WORK_TO_SETTLE = 200, 5_000_000
"""Steps of work per tile and square root of their number, with which every search begins."""
WORK_TO_PLACE, MOST_WORK_TO_PLACE = 20_000, 50_000_000
"""Steps of work per tile that are added if words are still missing."""
TIME_TO_SETTLE = 0.5
"""The share of the remaining seconds to spend on finding which words have a place."""


@dataclass(frozen=True)
class Budget:
    """The limits of a search: work beyond settling (per tile, and in total), or seconds."""

    work_a_tile: int = 0
    most_work: int = 0
    searches: int = 1
    """The number of searches that do this work in parallel."""
    seconds: float | None = None


@dataclass(frozen=True)
class Layout:
    """The places of words on a board."""

    shape: Shape
    cells: Mapping[Entry, tuple[Cell, ...]]
    echoes: tuple[tuple[Entry, tuple[Cell, ...]], ...]
    """Further readings of words that others contain."""
    backwards: Mapping[Entry, Entry]
    """Words that can be read in others, but only in directions that are not allowed."""


@dataclass(frozen=True)
class _Lap:
    """A search for the places of some words, and the words nested in them."""

    shape: Shape
    roots: Sequence[Entry]
    nested: Sequence[Nested]
    directions: Sequence[int]
    task: Task
    search: Search

    def layout(self) -> Layout:
        cells = {
            entry: _cells(place, len(entry.tiles))
            for entry, place in zip(self.roots, self.search.places, strict=True)
            if place is not None
        }
        return _with_nested(
            self.shape, _in_the_middle(self.shape, cells), self.nested, self.directions
        )


def lay_out(
    entries: Sequence[Entry],
    blocked: Sequence[Tiles],
    shapes: Sequence[Shape],
    directions: Sequence[int],
    budget: Budget,
    rng: Random,
) -> Layout:
    """Place *entries* on the first board of *shapes* that fits them all, or else on the last.

    Which words have a place is settled first, at the same small cost for every budget. The rest
    of the budget is spent on improving the board, which never loses a word.
    """
    deadline = None if budget.seconds is None else time.perf_counter() + budget.seconds
    dropped: set[Entry] = set()
    best: tuple[_Lap, Layout] | None = None
    while True:
        roots, nested = nest([entry for entry in entries if entry not in dropped])
        lap = _settled(roots, nested, blocked, shapes, directions, deadline, rng)
        layout = lap.layout()
        if best is None or len(layout.cells) >= len(best[1].cells):
            best = lap, layout
        # A word nested in a word without a place should get its own place.
        in_vain = {
            host
            for word in nested
            if word.entry not in layout.cells and word.entry not in layout.backwards
            for host, _ in word.readings
        }
        if not in_vain:
            break
        dropped |= in_vain
        shapes = [lap.shape]
    return _improved(*best, budget, deadline, rng)


def _settled(
    roots: Sequence[Entry],
    nested: Sequence[Nested],
    blocked: Sequence[Tiles],
    shapes: Sequence[Shape],
    directions: Sequence[int],
    deadline: float | None,
    rng: Random,
) -> _Lap:
    """Find the shape for *roots*, and how many of them have a place there."""
    numbers: dict[str, int] = {}
    words = [_numbered(entry.tiles, numbers) for entry in roots]
    forbidden = [_numbered(word.entry.tiles, numbers) for word in nested]
    forbidden += [_numbered(cut, numbers) for cut in blocked if len(cut) > 1]
    size = sum(map(len, words))
    for shape in shapes:
        task = Task(words, forbidden, *shape, directions, len(numbers))
        search = Search(task, rng)
        if len(shapes) > 1:
            search.run(WORK_TO_FIT * size, until_full=True)
            if not search.missing:
                break
    if deadline is None:
        search.run(min(MOST_WORK_TO_SETTLE, int(WORK_TO_SETTLE * size**1.5)))
        if search.missing:
            search.run(min(MOST_WORK_TO_PLACE, WORK_TO_PLACE * size), until_full=True)
    elif nested:
        search.run_for((deadline - time.perf_counter()) * TIME_TO_SETTLE, until_full=True)
    return _Lap(shape, roots, nested, directions, task, search)


def _improved(
    lap: _Lap, layout: Layout, budget: Budget, deadline: float | None, rng: Random
) -> Layout:
    """Spend the budget on the board of *lap*; return the new layout, or the one with more words."""
    if deadline is not None:
        lap.search.run_for(deadline - time.perf_counter())
    elif budget.work_a_tile:
        size = sum(len(entry.tiles) for entry in lap.roots)
        work = min(budget.most_work, int(budget.work_a_tile * size**1.5))
        searches = [lap.search, *(Search(lap.task, rng) for _ in range(budget.searches - 1))]
        with ThreadPoolExecutor(len(searches)) as threads:
            for _ in threads.map(lambda search: search.run(work), searches):
                pass
        lap = replace(lap, search=max(searches, key=lambda search: search.worth))
    return max(lap.layout(), layout, key=lambda layout: len(layout.cells))


def _numbered(cut: Tiles, numbers: dict[str, int]) -> list[int]:
    return [numbers.setdefault(tile, len(numbers)) for tile in cut]


def _cells(place: tuple[int, int, int], length: int) -> tuple[Cell, ...]:
    row, col, direction = place
    down, right = int(ROW_STEP[direction]), int(COL_STEP[direction])
    return tuple((row + i * down, col + i * right) for i in range(length))


def _in_the_middle(
    shape: Shape, cells: Mapping[Entry, tuple[Cell, ...]]
) -> dict[Entry, tuple[Cell, ...]]:
    """Move all words together, so that the empty margins are equal on opposite sides."""
    if not cells:
        return {}
    rows, cols = zip(*(cell for word in cells.values() for cell in word), strict=True)
    down = (shape[0] - 1 - max(rows) - min(rows)) // 2
    right = (shape[1] - 1 - max(cols) - min(cols)) // 2
    return {entry: tuple((r + down, c + right) for r, c in word) for entry, word in cells.items()}


def _with_nested(
    shape: Shape,
    cells: dict[Entry, tuple[Cell, ...]],
    nested: Sequence[Nested],
    directions: Sequence[int],
) -> Layout:
    allowed = {(int(ROW_STEP[direction]), int(COL_STEP[direction])) for direction in directions}
    echoes: list[tuple[Entry, tuple[Cell, ...]]] = []
    backwards: dict[Entry, Entry] = {}
    for word in nested:
        readings = [
            (host, tuple(cells[host][i] for i in positions))
            for host, positions in word.readings
            if host in cells
        ]
        if not readings:
            continue
        # The place is a reading in an allowed direction, if there is one.
        readings.sort(key=lambda reading: _step(reading[1]) not in allowed)
        host, place = readings[0]
        if _step(place) in allowed:
            cells[word.entry] = place
            echoes += [(word.entry, reading) for _, reading in readings[1:]]
        else:
            backwards[word.entry] = host
    return Layout(shape, cells, tuple(echoes), backwards)


def _step(line: tuple[Cell, ...]) -> Cell:
    (row, col), (next_row, next_col) = line[:2]
    return next_row - row, next_col - col


def filled_grid(
    layout: Layout,
    blocked: Sequence[Tiles],
    weights: Mapping[str, float],
    spare: Sequence[str],
    rng: Random,
) -> Grid:
    """Return the grid of *layout*, filled according to *weights*, with *spare* tiles if needed."""
    numbers = {tile: number for number, tile in enumerate(dict.fromkeys((*weights, *spare)))}
    words = {entry: _numbered(entry.tiles, numbers) for entry in layout.cells}
    patterns = [*words.values(), *(_numbered(cut, numbers) for cut in blocked)]
    grid = np.full(layout.shape, -1, np.int64)
    for entry, cells in layout.cells.items():
        rows, cols = zip(*cells, strict=True)
        grid[rows, cols] = words[entry]
    fill_in(grid, weights, numbers, patterns, rng)
    names = list(numbers)
    return tuple(tuple(names[number] for number in row) for row in grid.tolist())
