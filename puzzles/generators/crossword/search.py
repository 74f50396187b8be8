"""Run several searches in parallel, in slices of time, and keep the best board."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray

from puzzles.generators.crossword.anneal import anneal, rank_of, value_of
from puzzles.generators.crossword.beam import LEVELS, clear_level, extend_beam, new_beam, start_beam
from puzzles.generators.crossword.board import WORDS, Board, copy_of, write_over
from puzzles.generators.crossword.lexicon import Ints, Lexicon
from puzzles.generators.crossword.tuning import Tuning, new_workspace

SLICE = 0.05
"""Target duration of a slice in seconds, between which a search is stopped, shown and cooled."""
NARROW, WIDER = 64, 4
"""The width of the first beam of each searcher, and the factor from one to the next."""
MOST_BOARDS = 48
"""How many boards a searcher anneals side by side at most."""
SELECTIONS = 12
"""How often the worst boards give way to the best: at the end most boards come from few."""


@dataclass(frozen=True)
class Limits:
    """When a search ends: after its iterations, at a time, or when it is told to stop."""

    iterations: int
    """For each searcher; only used if there is no deadline."""
    deadline: float | None = None
    """In seconds of `time.monotonic()`."""
    should_stop: Callable[[], bool] | None = None

    def are_reached(self) -> bool:
        """Return whether the search must stop now."""
        if self.should_stop is not None and self.should_stop():
            return True
        return self.deadline is not None and time.monotonic() >= self.deadline


@dataclass(frozen=True)
class Plan:
    """The steps of a search: beams, unless their width is 0, then annealing from hot to cold."""

    tuning: Tuning
    hot: float
    cold: float
    beam_width: int | None = None
    """None begins with a narrow beam and tries wider ones while there is time."""
    beam_noise: float = 0.0
    seconds_a_board: float | None = None
    """If there is a deadline, each searcher anneals a board for each of these spans until then."""


class Searcher:
    """One search with its own board and random numbers."""

    def __init__(self, lexicon: Lexicon, board: Board, seed: int, plan: Plan) -> None:
        self.lexicon = lexicon
        self.board = copy_of(board)
        self.best: Ints = board.memory.copy()
        self.empty: Ints = board.memory.copy()
        self.plan = plan
        self.rng: NDArray[np.uint64] = np.array([seed | 1], np.uint64)

    def rank(self) -> int:
        """Return the value of the best board by the objective."""
        return int(rank_of(copy_of(self.board, self.best), self.plan.tuning.rank))

    def prepare_beam(self, width: int) -> None:
        """Lay the first words of a beam of this *width*."""
        write_over(self.board.memory, self.empty)
        seed = int(self.rng[0] >> np.uint64(1))
        self.beam = new_beam(self.lexicon, self.board, width, seed)
        start_beam(self.lexicon, self.board, self.beam, self.rng)
        self.words, self.slot = 1, 0

    def extend(self, grids: int) -> bool:
        """Continue this number of the beam's *grids*; return whether any are left."""
        tuning = self.plan.tuning
        worth = (tuning.weight[1], tuning.weight[3], self.plan.beam_noise, 1)
        while grids > 0 and self.beam.size.any():
            waiting = int(self.beam.size[self.words % LEVELS])
            until = min(waiting, self.slot + grids)
            extend_beam(
                self.lexicon,
                self.board,
                self.empty,
                self.best,
                self.beam,
                self.rng,
                tuning.rank,
                worth,
                self.words,
                self.slot,
                until,
            )
            grids -= until - self.slot
            self.slot = until
            if until == waiting:
                clear_level(self.beam, self.words)
                self.words, self.slot = self.words + 1, 0
        return bool(self.beam.size.any())

    def prepare_annealing(self, boards: int) -> None:
        """Begin this number of *boards* with the best and release the memory of the beam."""
        self.__dict__.pop("beam", None)
        self.work = new_workspace(self.board)
        self.annealed = [self.best.copy() for _ in range(boards)]

    def improve(self, heats: tuple[float, float, int, int], iterations: int) -> None:
        """Anneal every board for this number of *iterations*; *heats* is as for `anneal`."""
        for memory in self.annealed:
            write_over(self.board.memory, memory)
            anneal(
                self.lexicon,
                self.board,
                self.best,
                self.plan.tuning,
                self.work,
                self.rng,
                heats,
                iterations,
            )
            write_over(memory, self.board.memory)


class Crew:
    """Several searchers that run in parallel, each on its own thread."""

    def __init__(
        self,
        searchers: Sequence[Searcher],
        limits: Limits,
        on_better: Callable[[Board], None] | None,
    ) -> None:
        self.searchers = searchers
        self.limits = limits
        self.on_better = on_better
        self.threads = ThreadPoolExecutor(len(searchers))
        self.rank = self.leader().rank()

    def leader(self) -> Searcher:
        """Return the searcher with the best board, the first of equals."""
        return max(self.searchers, key=Searcher.rank)

    def work(self, task: Callable[[Searcher], object]) -> tuple[list[object], float]:
        """Run *task* for every searcher; report a better board; return results and seconds."""
        began = time.monotonic()
        jobs = [self.threads.submit(task, searcher) for searcher in self.searchers]
        results = [job.result() for job in jobs]
        took = max(1e-6, time.monotonic() - began)
        leader = self.leader()
        if self.on_better is not None and leader.rank() > self.rank:
            self.on_better(copy_of(leader.board, leader.best))
        self.rank = leader.rank()
        return results, took

    def beams(self, width: int | None) -> None:
        """Run a beam of this *width*; if None, ever wider ones while half of the time is left."""
        if width is not None:
            self.beam(width)
            return
        width, began = NARROW, time.monotonic()
        self.beam(width)
        while self.limits.deadline is not None and not self.limits.are_reached():
            now = time.monotonic()
            if WIDER * (now - began) > (self.limits.deadline - now) / 2:
                break
            width, began = WIDER * width, now
            self.beam(width)

    def beam(self, width: int) -> None:
        """Run the beams of all searchers to their ends."""
        self.work(partial(Searcher.prepare_beam, width=width))
        grids, unfinished = 4, True
        while unfinished and not self.limits.are_reached():
            results, took = self.work(partial(Searcher.extend, grids=grids))
            unfinished = any(results)
            grids = max(1, min(2 * grids, int(grids * SLICE / took)))

    def anneal(self, plan: Plan) -> None:
        """Anneal all searchers together.

        Heat falls with the iterations, or with time if there is a deadline. Only then has each
        searcher several boards, of which the worst give way to copies of the best as the heat
        falls: a single board, however long it is annealed, seldom leaves the shape with which it
        cooled.
        """
        limits, began = self.limits, time.monotonic()
        boards = 1
        if limits.deadline is not None and plan.seconds_a_board is not None:
            boards = round((limits.deadline - began) / plan.seconds_a_board)
            boards = min(max(1, boards), MOST_BOARDS)
        self.work(partial(Searcher.prepare_annealing, boards=boards))
        done, size, selections = 0, 16, 0
        # Always run the first slice: it lays at least one word.
        while done == 0 or not limits.are_reached():
            if limits.deadline is None:
                if done == limits.iterations:
                    break
                size = min(size, limits.iterations - done)
                heats = (plan.hot, plan.cold, done, limits.iterations)
            else:
                spent = (time.monotonic() - began) / max(1e-9, limits.deadline - began)
                heat = plan.hot * (plan.cold / plan.hot) ** min(1.0, spent)
                heats = (heat, heat, 0, size)
                if spent * SELECTIONS >= selections + 1:
                    selections += 1
                    self.select(plan)
            took = self.work(partial(Searcher.improve, heats=heats, iterations=size))[1]
            done += size
            size = max(1, min(2 * size, int(size * SLICE / took)))

    def select(self, plan: Plan) -> None:
        """Replace the worst quarter of all searchers' boards by copies of the best quarter.

        This is "go with the winners" (Aldous and Vazirani, 1994).
        """
        shape, weight = self.searchers[0].board, plan.tuning.weight
        boards = [memory for searcher in self.searchers for memory in searcher.annealed]
        boards.sort(key=lambda memory: float(value_of(copy_of(shape, memory), weight)))
        quarter = len(boards) // 4
        for worst, best in zip(boards[:quarter], boards[::-1][:quarter], strict=True):
            write_over(worst, best)


def search(
    searchers: Sequence[Searcher],
    plan: Plan,
    limits: Limits,
    on_better: Callable[[Board], None] | None = None,
) -> Board:
    """Carry out *plan* with all *searchers*; return the best board found.

    If only iterations are limited, the result depends on nothing but the searchers.
    """
    crew = Crew(searchers, limits, on_better)
    with crew.threads:
        if plan.beam_width != 0 and searchers[0].board.tally[WORDS] == 0:
            crew.beams(plan.beam_width)
        crew.anneal(plan)
    leader = crew.leader()
    return copy_of(leader.board, leader.best)
