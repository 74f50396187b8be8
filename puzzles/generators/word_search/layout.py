"""Turn the words of a word search into its grid: size, search, places, filling."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from random import Random

import numpy as np
from numpy.typing import NDArray

from puzzles.generators.grid import Cell, Grid
from puzzles.generators.word_search.board import COL_STEP, ROW_STEP
from puzzles.generators.word_search.engine import Search, Task
from puzzles.generators.word_search.fill import fill_in
from puzzles.generators.word_search.words import Entry, Nested, Tiles, nest

WORK_TO_FIT, WORK_TO_FIT_A_SHAPE = 1_000, 3_000
"""Steps of work per tile to find out whether all words fit into a size. A shape, with its narrow
parts, takes more to be as dense."""
WORK_TO_SETTLE, MOST_WORK_TO_SETTLE = 200, 5_000_000
"""Steps of work per tile and square root of their number, with which every search begins."""
WORK_TO_PLACE, MOST_WORK_TO_PLACE = 20_000, 50_000_000
"""Steps of work per tile that are added if words are still missing."""
WORK_TO_COVER = (10_000, 40_000, 160_000)
"""Steps of work per tile to leave a certain number of cells: of the first try on each frame, of the
second, of the third."""
FRAMES_FOR_EVEN_DIRECTIONS = 10
"""How many frames are tried before a grid is taken in which most words lie in rows, or columns."""
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
    least: Budget | None = None
    """A smaller budget that is spent before; its layout stays if this one places fewer words."""


@dataclass(frozen=True, slots=True)
class Frame:
    """The outline of a board: its sides, and the cells *inside* its shape; None: all."""

    rows: int
    cols: int
    inside: frozenset[Cell] | None = None

    @classmethod
    def around(cls, cells: frozenset[Cell]) -> Frame:
        """Return the frame of a shape without empty rows and columns at its sides."""
        if not cells:
            return cls(0, 0, cells)
        rows, cols = ({cell[axis] for cell in cells} for axis in (0, 1))
        top, left = min(rows), min(cols)
        moved = frozenset((row - top, col - left) for row, col in cells)
        return cls(max(rows) - top + 1, max(cols) - left + 1, moved)

    @property
    def shape(self) -> tuple[int, int]:
        return self.rows, self.cols

    @property
    def area(self) -> int:
        return self.rows * self.cols if self.inside is None else len(self.inside)


@dataclass(frozen=True)
class Layout:
    """The places of words on a board."""

    frame: Frame
    cells: Mapping[Entry, tuple[Cell, ...]]
    echoes: tuple[tuple[Entry, tuple[Cell, ...]], ...]
    """Further readings of words that others contain."""
    backwards: Mapping[Entry, Entry]
    """Words that can be read in others, but only in directions that are not allowed."""


@dataclass(frozen=True)
class _Lap:
    """A search for the places of some words, and the words nested in them."""

    frame: Frame
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
        if self.frame.inside is None:
            cells = _in_the_middle(self.frame.shape, cells)
        return _with_nested(self.frame, cells, self.nested, self.directions)


def lay_out(
    entries: Sequence[Entry],
    blocked: Sequence[Tiles],
    frames: Sequence[Frame],
    directions: Sequence[int],
    budget: Budget,
    rng: Random,
) -> Layout:
    """Place *entries* on the first board of *frames* that fits them all, or else on the last.

    Which words have a place is settled first, at the same small cost for every budget. The rest
    of the budget is spent on improving the board, which never loses a word.
    """
    deadline = None if budget.seconds is None else time.perf_counter() + budget.seconds
    dropped: set[Entry] = set()
    best: tuple[_Lap, Layout] | None = None
    while True:
        roots, nested = nest([entry for entry in entries if entry not in dropped])
        lap = _settled(roots, nested, blocked, frames, directions, deadline, rng)
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
        frames = [lap.frame]
    return _improved(*best, budget, deadline, rng)


def _settled(
    roots: Sequence[Entry],
    nested: Sequence[Nested],
    blocked: Sequence[Tiles],
    frames: Sequence[Frame],
    directions: Sequence[int],
    deadline: float | None,
    rng: Random,
) -> _Lap:
    """Find the frame for *roots*, and how many of them have a place there."""
    size = sum(len(entry.tiles) for entry in roots)
    for frame in frames:
        task = _task(roots, nested, blocked, frame, directions)
        search = Search(task, rng)
        if len(frames) > 1:
            work = WORK_TO_FIT if frame.inside is None else WORK_TO_FIT_A_SHAPE
            search.run(work * size, until_full=True)
            if not search.missing:
                break
    if deadline is None:
        search.run(min(MOST_WORK_TO_SETTLE, int(WORK_TO_SETTLE * size**1.5)))
        if search.missing:
            search.run(min(MOST_WORK_TO_PLACE, WORK_TO_PLACE * size), until_full=True)
    elif nested:
        search.run_for((deadline - time.perf_counter()) * TIME_TO_SETTLE, until_full=True)
    return _Lap(frame, roots, nested, directions, task, search)


def _task(
    roots: Sequence[Entry],
    nested: Sequence[Nested],
    blocked: Sequence[Tiles],
    frame: Frame,
    directions: Sequence[int],
    covered: int = 0,
) -> Task:
    numbers: dict[str, int] = {}
    words = [_numbered(entry.tiles, numbers) for entry in roots]
    forbidden = [_numbered(word.entry.tiles, numbers) for word in nested]
    forbidden += [_numbered(cut, numbers) for cut in blocked if len(cut) > 1]
    return Task(words, forbidden, *frame.shape, directions, len(numbers), frame.inside, covered)


def spell_out(
    entries: Sequence[Entry],
    blocked: Sequence[Tiles],
    text: Tiles,
    frames: Sequence[Frame],
    directions: Sequence[int],
    rng: Random,
) -> tuple[Layout, Grid] | None:
    """Place all *entries* so that the cells left over are those of *text*, and write it there.

    Tries *frames* in their order, first with little work, then with more; None if none succeeds.
    Of several that do, the one is taken whose words run most evenly in all directions.
    A word that would be readable elsewhere, because of the text, makes a layout fail.
    """
    roots, nested = nest(entries)
    size = sum(len(entry.tiles) for entry in roots)
    for work in WORK_TO_COVER:
        # Words that fit only after more work are taken as they fit.
        is_even = work == WORK_TO_COVER[0]
        best: tuple[float, Layout, Grid] | None = None
        for number, frame in enumerate(frames, 1):
            wanted = frame.area - len(text)
            task = _task(roots, nested, blocked, frame, directions, wanted)
            search = Search(replace(task, is_even=is_even), rng)
            search.run(work * size, until_full=True)
            is_exact = not search.missing and search.covered == wanted
            if is_exact and (best is None or search.worth > best[0]):
                layout = _Lap(frame, roots, nested, directions, task, search).layout()
                grid = _spelt(layout, text, blocked)
                if grid is not None:
                    best = search.worth, layout, grid
            is_last = number >= FRAMES_FOR_EVEN_DIRECTIONS
            if best and (is_last or best[0] >= search.enough):
                return best[1:]
        if best:
            return best[1:]
    return None


def _spelt(layout: Layout, text: Tiles, blocked: Sequence[Tiles]) -> Grid | None:
    """Return the grid of *layout* with *text* in its free cells; None if it spells another word."""
    numbers = {tile: number for number, tile in enumerate(dict.fromkeys(text))}
    grid = _written(layout, numbers)
    free = iter(text)
    outside = _outside(layout.frame)
    covered = {cell for cells in layout.cells.values() for cell in cells}
    for row in range(layout.frame.rows):
        for col in range(layout.frame.cols):
            if (row, col) not in covered and not outside[row, col]:
                grid[row, col] = numbers[next(free)]
    known = set(layout.cells.values()) | {cells for _, cells in layout.echoes}
    known = {way for cells in known for way in (cells, cells[::-1])}
    hosts = [set(cells) for cells in layout.cells.values()]
    for pattern in [*(entry.tiles for entry in layout.cells), *blocked]:
        for cells in _readings(grid, [numbers.get(tile, -2) for tile in pattern]):
            if cells not in known and not any(host.issuperset(cells) for host in hosts):
                return None
    return _named(grid, outside, list(numbers))


def _readings(grid: NDArray[np.int64], pattern: Sequence[int]) -> Iterator[tuple[Cell, ...]]:
    """Yield the cells of each reading of *pattern*, in any of eight directions."""
    rows, cols = grid.shape
    for row, col in np.argwhere(grid == pattern[0]).tolist():
        for down, right in zip(ROW_STEP.tolist(), COL_STEP.tolist(), strict=True):
            cells = tuple((row + i * down, col + i * right) for i in range(len(pattern)))
            if all(
                0 <= r < rows and 0 <= c < cols and grid[r, c] == tile
                for (r, c), tile in zip(cells, pattern, strict=True)
            ):
                yield cells


def _improved(
    lap: _Lap, layout: Layout, budget: Budget, deadline: float | None, rng: Random
) -> Layout:
    """Spend the budget on the board of *lap*; return the new layout, or the one with more words."""
    if budget.least is not None:
        layout = _improved(lap, layout, budget.least, deadline, rng)
    if deadline is not None:
        lap.search.run_for(deadline - time.perf_counter())
    elif budget.work_a_tile:
        size = sum(len(entry.tiles) for entry in lap.roots)
        work = min(budget.most_work, int(budget.work_a_tile * size**1.5))
        searches = [lap.search, *(Search(lap.task, rng) for _ in range(budget.searches - 1))]
        with ThreadPoolExecutor(len(searches)) as threads:
            for _ in threads.map(lambda search: search.run(work), searches):
                pass
        laps = [replace(lap, search=search) for search in searches]
        lap = max(laps, key=lambda lap: (len(lap.layout().cells), lap.search.worth))
    return max(lap.layout(), layout, key=lambda layout: len(layout.cells))


def _numbered(cut: Tiles, numbers: dict[str, int]) -> list[int]:
    return [numbers.setdefault(tile, len(numbers)) for tile in cut]


def _cells(place: tuple[int, int, int], length: int) -> tuple[Cell, ...]:
    row, col, direction = place
    down, right = int(ROW_STEP[direction]), int(COL_STEP[direction])
    return tuple((row + i * down, col + i * right) for i in range(length))


def _in_the_middle(
    shape: tuple[int, int], cells: Mapping[Entry, tuple[Cell, ...]]
) -> dict[Entry, tuple[Cell, ...]]:
    """Move all words together, so that the empty margins are equal on opposite sides."""
    if not cells:
        return {}
    rows, cols = zip(*(cell for word in cells.values() for cell in word), strict=True)
    down = (shape[0] - 1 - max(rows) - min(rows)) // 2
    right = (shape[1] - 1 - max(cols) - min(cols)) // 2
    return {entry: tuple((r + down, c + right) for r, c in word) for entry, word in cells.items()}


def _with_nested(
    frame: Frame,
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
    return Layout(frame, cells, tuple(echoes), backwards)


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
    grid = _written(layout, numbers)
    patterns = [
        _numbered(cut, numbers) for cut in (*(entry.tiles for entry in layout.cells), *blocked)
    ]
    outside = _outside(layout.frame)
    grid[outside] = len(numbers)  # the number of no tile: nothing is filled in
    fill_in(grid, weights, numbers, patterns, rng)
    return _named(grid, outside, list(numbers))


def _written(layout: Layout, numbers: dict[str, int]) -> NDArray[np.int64]:
    """Return the words of *layout* as numbers of tiles, which are added to *numbers*; -1: free."""
    grid = np.full(layout.frame.shape, -1, np.int64)
    for entry, cells in layout.cells.items():
        rows, cols = zip(*cells, strict=True)
        grid[rows, cols] = _numbered(entry.tiles, numbers)
    return grid


def _outside(frame: Frame) -> NDArray[np.bool_]:
    """Return which cells are not in the shape."""
    outside = np.zeros(frame.shape, np.bool_)
    if frame.inside is not None:
        outside[:] = True
        rows, cols = zip(*frame.inside, strict=True)
        outside[rows, cols] = False
    return outside


def _named(grid: NDArray[np.int64], outside: NDArray[np.bool_], names: Sequence[str]) -> Grid:
    return tuple(
        tuple(
            None if is_outside else names[number]
            for number, is_outside in zip(row, line, strict=True)
        )
        for row, line in zip(grid.tolist(), outside.tolist(), strict=True)
    )
