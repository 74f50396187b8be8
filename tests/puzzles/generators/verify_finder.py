"""Check a finder from what is printed: the grid and the list. Shares no code with the engine."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import combinations, pairwise
from typing import Protocol

Cell = tuple[int, int]
Word = tuple[str, ...]


class Placement(Protocol):
    @property
    def word(self) -> str: ...
    @property
    def cells(self) -> Sequence[Cell]: ...


class Puzzle(Protocol):
    @property
    def grid(self) -> Sequence[Sequence[str | None]]: ...
    @property
    def placements(self) -> Sequence[Placement]: ...
    @property
    def attempts(self) -> int: ...


def readings(
    tile_row: Sequence[str | None], start: int, length: int
) -> list[tuple[list[str | None], list[int]]]:
    """Return the tiles from *start* on, and their squares' columns, in both directions."""
    columns = list(range(start, start + length))
    there = [tile_row[column] for column in columns]
    return [(there, columns), (there[::-1], columns[::-1])]


def is_within(short: Word, long: Word) -> bool:
    return any(long[i : i + len(short)] == short for i in range(len(long) - len(short) + 1))


def false_placements(
    grid: Sequence[Sequence[str | None]],
    placed: Mapping[Word, Sequence[Cell]],
    forwards_only: bool,
) -> Iterator[tuple[int, list[int], Word]]:
    """Yield (row, columns in reading order, word) where a word reads that was not laid there.

    *placed* maps a word's tiles to its cells.
    """
    for word, home in placed.items():
        for r, row in enumerate(grid):
            for c in range(len(row) - len(word) + 1):
                if row[c] not in (word[0], word[-1]):
                    continue
                ways = readings(row, c, len(word))
                for tiles, columns in ways[:1] if forwards_only else ways:
                    if tuple(tiles) == word and {(r, k) for k in columns} != set(home):
                        yield r, columns, word


def choice_faults(chosen: Sequence[Word], alphabet: Iterable[str], shortest: int = 3) -> list[str]:
    wrong = [f"{word} is short" for word in chosen if len(word) < shortest]
    wrong += [
        f"{one} and {other} lie in one another"
        for one, other in combinations(chosen, 2)
        if is_within(one, other) or is_within(other, one)
    ]
    if not set(alphabet) - {tile for word in chosen for tile in word}:
        wrong.append("no letter of the alphabet is left unchosen")
    return wrong


def placing_faults(
    placements: Sequence[Placement],
    chosen: Sequence[Word],
    grid: Sequence[Sequence[str | None]],
    forwards_only: bool,
) -> list[str]:
    wrong: list[str] = []
    row_spans: list[tuple[int, int, int]] = []
    for placement, word in zip(placements, chosen, strict=True):
        rows = {r for r, _ in placement.cells}
        columns = [c for _, c in placement.cells]
        step = columns[1] - columns[0]
        if len(rows) != 1 or any(b - a != step for a, b in pairwise(columns)):
            wrong.append(f"{placement.word} is not straight in a row")
        if step not in ((1,) if forwards_only else (1, -1)):
            wrong.append(f"{placement.word} steps by {step}")
        if min(columns) < 0 or tuple(grid[r][c] for r, c in placement.cells) != word:
            wrong.append(f"{placement.word} is not where it is said to be")
        row_spans.append((rows.pop(), min(columns), max(columns)))
    for (r, first, last), (other_r, other_first, other_last) in combinations(row_spans, 2):
        if r == other_r and first <= other_last + 1 and other_first <= last + 1:
            wrong.append(f"two words touch or overlap in row {r}")
    return wrong


def filling_faults(
    grid: Sequence[Sequence[str | None]],
    placed: Mapping[Word, Sequence[Cell]],
    alphabet: Iterable[str],
    difficulty: str,
    forwards_only: bool,
) -> list[str]:
    """Check where each letter that belongs to no word may come from."""
    taken = {cell for cells in placed.values() for cell in cells}
    letters = {tile for word in placed for tile in word}
    filling = {
        (r, c): tile
        for r, row in enumerate(grid)
        for c, tile in enumerate(row)
        if (r, c) not in taken and tile is not None
    }
    if difficulty == "easy":
        # A letter that only words have would give them away, so the words' letters may be there.
        known = letters | set(alphabet)
        return [f"{t} is not in the alphabet" for t in filling.values() if t not in known]
    # In hard mode a letter of no word can only have come from fixing a false placement.
    fixed = {cell for cell, tile in filling.items() if tile not in letters}
    wrong = [
        f"{filling[cell]} comes from nowhere" for cell in fixed if filling[cell] not in alphabet
    ]
    for r, c in fixed:
        if not any(
            next(k for k in columns if (r, k) not in taken) == c
            for word in placed
            for start in range(max(0, c - len(word) + 1), min(c, len(grid[r]) - len(word)) + 1)
            for tiles, columns in readings(grid[r], start, len(word))[: 1 if forwards_only else 2]
            if all(tile == tiles[i] or (r, columns[i]) in fixed for i, tile in enumerate(word))
        ):
            wrong.append(f"{filling[r, c]} at {r, c} breaks no false placement")
    return wrong


def faults(
    puzzle: Puzzle,
    vocabulary: Sequence[str],
    cut: Callable[[str], Word],
    alphabet: Sequence[str],
    *,
    words: int,
    rows: int,
    cols: int,
    difficulty: str,
    forwards_only: bool,
    shortest: int = 3,
) -> list[str]:
    """Return what is wrong with *puzzle* as sentences. *cut* turns a word into its tiles."""
    grid, wrong = puzzle.grid, list[str]()
    if len(grid) != rows or {len(row) for row in grid} != {cols}:
        return [f"the grid is not {rows}×{cols}"]
    if len(puzzle.placements) != words:
        wrong.append(f"{len(puzzle.placements)} words instead of {words}")
    if Counter(p.word for p in puzzle.placements) - Counter(vocabulary):
        wrong.append("a word is not in the list, or chosen twice")
    if not 1 <= puzzle.attempts <= 10:
        wrong.append(f"{puzzle.attempts} attempts")
    chosen = [tuple(cut(p.word)) for p in puzzle.placements]
    placed = dict(zip(chosen, (p.cells for p in puzzle.placements), strict=True))
    wrong += choice_faults(chosen, alphabet, shortest)
    wrong += placing_faults(puzzle.placements, chosen, grid, forwards_only)
    wrong += filling_faults(grid, placed, alphabet, difficulty, forwards_only)
    wrong += [
        f"{word} reads in row {r} at {columns} too"
        for r, columns, word in false_placements(grid, placed, forwards_only)
    ]
    return wrong


def destroyed(puzzle: Puzzle, cut: Callable[[str], Word]) -> list[str]:
    """Return the words whose squares do not spell them."""
    return [
        p.word
        for p in puzzle.placements
        if [puzzle.grid[r][c] for r, c in p.cells] != list(cut(p.word))
    ]


def backwards(puzzle: Puzzle) -> int:
    """Return how many words lie backwards."""
    return sum(p.cells[0][1] > p.cells[-1][1] for p in puzzle.placements)


class Ranks:
    """Where, among all places that fitted, each word was laid: a chi-squared test of uniformity.

    Each placement is counted under the number of places that there were, as places differ in
    number from one to the next; the statistics of all these counts add up.
    """

    def __init__(self) -> None:
        self.counts: dict[int, list[int]] = {}

    def add(self, puzzle: Puzzle, rows: int, cols: int) -> None:
        blocked: set[Cell] = set()
        for placement in puzzle.placements:
            length, (row, left) = len(placement.cells), min(placement.cells)
            places = [
                (r, c)
                for r in range(rows)
                for c in range(cols - length + 1)
                if not any((r, k) in blocked for k in range(c, c + length))
            ]
            counts = self.counts.setdefault(len(places), [0] * len(places))
            counts[places.index((row, left))] += 1
            blocked.update((row, k) for k in range(left - 1, left + length + 1))

    def deviation(self) -> float:
        """Return by how many standard deviations the statistic is above its mean.

        Numbers of places with under five expected placements each are left out, as is usual; the
        normal approximation is Wilson and Hilferty's.
        """
        usable = [counts for counts in self.counts.values() if sum(counts) >= 5 * len(counts)]
        return deviation_of(usable)


def deviation_of(tables: Iterable[Sequence[int]]) -> float:
    """Return the deviation for counts that ought to be alike within each table."""
    statistic, freedom = 0.0, 0
    for counts in tables:
        expected = sum(counts) / len(counts)
        statistic += sum((count - expected) ** 2 / expected for count in counts)
        freedom += len(counts) - 1
    if not freedom:
        raise ValueError("too few counts for the test")
    spread = 2 / (9 * freedom)
    deviation: float = ((statistic / freedom) ** (1 / 3) - (1 - spread)) / spread**0.5
    return deviation
