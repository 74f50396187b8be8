"""One search for a dense word search, limited by work or by time.

A limit by work counts steps, so that the search ends with the same board on any machine. A limit
by time is checked between slices of work.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

import numpy as np

from puzzles.generators.grid import Cell
from puzzles.generators.word_search.anneal import (
    BEST_COVERED,
    BEST_PLACED,
    TUNING,
    Patterns,
    Tally,
    Tuning,
    anneal,
    go_to,
)
from puzzles.generators.word_search.board import Words, empty_board, new_scratch, strew

SKIP_BITS = 5
"""One start in 2**SKIP_BITS is overlooked."""
ROUND = 400_000
"""Steps of work, per tile and square root of the number of tiles, after which a new start from an
empty board is more promising than continuing."""
SECONDS_A_STEP = 1.4e-9
"""Approximate time of a step; it only affects the number of rounds within a time limit."""
MOST_LOOSE = 1.8
"""Above this ratio of room to tiles, the cost of unevenness does not increase any more."""
UNBALANCED_TO_COVER = 0.2
"""The cost of unbalanced directions if a certain number of cells is to be covered. Straight lines
fill a board most easily: at the usual cost, most words would lie in rows."""
NOTHING = -1e9
"""Less than the value of any board."""
SLICE = 20_000
"""Steps of work between two checks of the clock: well under a millisecond."""


@dataclass(frozen=True)
class Task:
    """Words as numbered tiles, longest first, and the board to place them on."""

    words: Sequence[Sequence[int]]
    forbidden: Sequence[Sequence[int]]
    """More sequences that must not be readable, unless a placed word contains them."""
    rows: int
    cols: int
    directions: Sequence[int]
    tiles: int
    """The number of distinct tiles."""
    inside: frozenset[Cell] | None = None
    """The cells on which words may be; None: all."""
    covered: int = 0
    """How many cells the words must cover exactly; 0: the fewer, the better."""
    is_even: bool = False
    """Whether their directions should be even, too."""

    @property
    def area(self) -> int:
        """The number of cells on which words may be."""
        return self.rows * self.cols if self.inside is None else len(self.inside)


class Search:
    """One search for one task, which can continue for as long as its caller likes."""

    def __init__(self, task: Task, rng: Random, tuning: Tuning = TUNING) -> None:
        n = len(task.words)
        size = sum(map(len, task.words))
        self._round = ROUND * size**1.5
        room = task.area / size
        looseness = min(MOST_LOOSE, max(0.0, room - 1))
        self._cols = task.cols
        self._tuning = tuning._replace(
            uneven=tuning.uneven * looseness**4, covered=float(task.covered)
        )
        if task.is_even:
            self._tuning = self._tuning._replace(
                unbalanced=UNBALANCED_TO_COVER,
                # Chi-squared of directions drawn by chance is one less than their number.
                enough=-UNBALANCED_TO_COVER * (len(task.directions) - 1),
            )
        self._words = _words(task.words)
        self._patterns = _patterns(task)
        self._board = empty_board(task.rows, task.cols, task.tiles, task.inside)
        self._directions = len(task.directions)
        self._kept = self._board.memory.copy()
        self._scratch = new_scratch(self._board, task.directions)
        self._rng = np.array([rng.getrandbits(64) | 1], np.uint64)
        self._tally = Tally(
            np.full((n, 2), -1),
            np.full((n, 2), -1),
            np.full((n, 2), -1),
            np.zeros(n, np.int64),
            np.zeros(n, np.int64),
            np.zeros(6, np.int64),
            np.array([NOTHING, NOTHING]),
            np.zeros(8, np.int64),
            np.zeros(len(self._patterns.first) - 1, np.int64),
        )
        strew(self._scratch.skips, SKIP_BITS, self._rng)

    def run(self, work: int, *, until_full: bool = False) -> None:
        """Search for this many steps of *work*, from hot to cold; in rounds if there are many."""
        rounds = max(1, round(work / self._round))
        for number in range(rounds):
            if number:
                self._start_again()
            self._anneal((self._tuning.hot, self._tuning.cold), work // rounds, until_full)

    def run_for(self, seconds: float, *, until_full: bool = False) -> None:
        """Search for this many *seconds*, in the same way as `run`; at least one board."""
        self._anneal((self._tuning.hot, self._tuning.hot), SLICE, True)
        began = time.perf_counter()
        rounds = max(1, round(seconds / (self._round * SECONDS_A_STEP)))
        for number in range(rounds):
            if number:
                self._start_again()
            self._anneal_until(began + seconds * (number + 1) / rounds, until_full)

    def _anneal_until(self, deadline: float, until_full: bool) -> None:
        hot, cold = self._tuning.hot, self._tuning.cold
        began = now = time.perf_counter()
        while now < deadline and not (until_full and not self.missing):
            heat = hot * (cold / hot) ** ((now - began) / (deadline - began))
            self._anneal((heat, heat), SLICE, False)
            now = time.perf_counter()

    def _start_again(self) -> None:
        go_to(self._board, self._words, self._tally, np.full_like(self._tally.best, -1))
        self._tally.worth[0] = NOTHING

    def _anneal(self, heat: tuple[float, float], work: int, until_full: bool) -> None:
        anneal(
            self._board,
            self._kept,
            self._words,
            self._patterns,
            self._directions,
            self._scratch,
            self._tally,
            self._tuning,
            self._rng,
            heat,
            work,
            until_full,
        )

    @property
    def worth(self) -> float:
        """The value of the best board."""
        return float(self._tally.worth[1])

    @property
    def enough(self) -> float:
        """The value of a board that covers as many cells as wanted, in even directions."""
        return self._tuning.enough

    @property
    def missing(self) -> int:
        """The number of words that are missing from the best board."""
        return len(self._tally.best) - int(self._tally.numbers[BEST_PLACED])

    @property
    def covered(self) -> int:
        """The number of cells that the words of the best board cover."""
        return int(self._tally.numbers[BEST_COVERED])

    @property
    def places(self) -> list[tuple[int, int, int] | None]:
        """Row, column and direction of each word on the best board; None if it is missing."""
        return [
            (*divmod(cell, self._cols), direction) if direction >= 0 else None
            for cell, direction in self._tally.best.tolist()
        ]


def _words(sequences: Sequence[Sequence[int]]) -> Words:
    first = np.zeros(len(sequences) + 1, np.int64)
    np.cumsum([len(sequence) for sequence in sequences], out=first[1:])
    return Words(np.array([tile for word in sequences for tile in word], np.int64), first)


def _patterns(task: Task) -> Patterns:
    sequences = [*task.words, *task.forbidden]
    # As strings with one character per tile, so that substring search is fast.
    texts = ["".join(map(chr, sequence)) for sequence in sequences]
    hosts = texts[: len(task.words)]
    together = "\uffff".join(hosts)
    inside: list[list[tuple[int, int]]] = [[] for _ in hosts]
    for p, text in enumerate(texts):
        ways = [text, text[::-1]]
        if p < len(hosts) and sum(map(together.count, ways)) == 1:
            inside[p].append((p, 1))
            continue
        for w, host in enumerate(hosts):
            if times := sum(count_in(host, way) for way in ways):
                inside[w].append((p, times))
    laid = _words(sequences)
    first = np.zeros(len(hosts) + 1, np.int64)
    np.cumsum([len(pairs) for pairs in inside], out=first[1:])
    return Patterns(
        laid.tiles,
        laid.first,
        first,
        np.array([pair for pairs in inside for pair in pairs], np.int64).reshape(-1, 2),
    )


def count_in(text: str, part: str) -> int:
    """Count the positions at which *part* begins in *text*; occurrences can overlap."""
    if part not in text:
        return 0
    return sum(text.startswith(part, i) for i in range(len(text) - len(part) + 1))
