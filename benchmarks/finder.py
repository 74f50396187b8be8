"""Generate many finders of each mode, check every rule, and compare with a faulty baseline.

    python -m benchmarks.finder [folder with finder-words.txt] [--grids 20000]

Every grid is checked by the verifier
of the tests, which shares no code with the generator. The baseline is a plain implementation of the
same rules that makes the known mistakes; it is measured in the same run. Exits with status 1 if any
figure misses its target.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache, partial
from pathlib import Path
from random import Random
from statistics import median
from typing import Literal

from benchmarks.harness import BASE, DEFAULT_FOLDER
from puzzles.generators import finder
from puzzles.generators.grid import Cell, Grid, Placement
from tests.puzzles.generators.verify_finder import Puzzle, Ranks, backwards, destroyed, faults
from vocab.text import alphabet, tiles

SIDE = WORDS = 10
FEWEST = 500
DATA = BASE / "tests" / "data"
PALINDROMES = [
    *("civic", "deed", "eye", "gag", "kayak", "level", "madam"),
    *("noon", "peep", "pop", "radar", "refer", "rotor", "tot"),
]
MODES: list[tuple[finder.Difficulty, bool]] = [
    ("easy", True),
    ("easy", False),
    ("hard", True),
    ("hard", False),
]

Generate = Callable[[Sequence[str], str, finder.Difficulty, bool, Random], Puzzle]


@dataclass
class Figures:
    """The counts over the grids of one list in one mode."""

    grids: int = 0
    with_fault: int = 0
    with_destroyed: int = 0
    again: int = 0
    backwards: int = 0
    milliseconds: list[float] = field(default_factory=list)
    ranks: Ranks | None = field(default_factory=Ranks)
    examples: list[str] = field(default_factory=list)

    def line(self) -> str:
        share = self.backwards / (self.grids * WORDS)
        uniform = "       -" if self.ranks is None else f"{self.ranks.deviation():+8.2f}"
        return (
            f"{self.grids:7} {self.with_fault:7} {self.with_destroyed / self.grids:10.2%}"
            f" {self.again:6} {share:10.2%} {uniform} {median(self.milliseconds):9.3f}"
        )


HEAD = (
    f"{'':28} {'grids':>7} {'faulty':>7} {'destroyed':>10} {'again':>6} {'backwards':>10}"
    f" {'uniform':>8} {'median ms':>9}"
)
LEGEND = """faulty: grids in which any rule is broken
destroyed: grids with a word that its cells do not spell
again: grids that took more than one attempt
uniform: by how many standard deviations the chi-squared statistic of the places is off its mean"""


def measure(
    generate: Generate,
    name: str,
    vocabulary: Sequence[str],
    language: str,
    difficulty: finder.Difficulty,
    forwards_only: bool,
    grids: int,
    ranks: Ranks | None,
) -> Figures:
    cut = lru_cache(maxsize=None)(partial(tiles, language=language))
    letters = alphabet(language)
    figures = Figures(grids=grids, ranks=ranks)
    generate(vocabulary, language, difficulty, forwards_only, Random(0))  # splits the list
    for seed in range(grids):
        rng = Random(f"{name} {seed}")
        begun = time.perf_counter()
        puzzle = generate(vocabulary, language, difficulty, forwards_only, rng)
        figures.milliseconds.append((time.perf_counter() - begun) * 1000)
        found = faults(
            puzzle,
            vocabulary,
            cut,
            letters,
            words=WORDS,
            rows=SIDE,
            cols=SIDE,
            difficulty=difficulty,
            forwards_only=forwards_only,
        )
        figures.with_fault += bool(found)
        figures.examples += found[: 3 - len(figures.examples)]
        figures.with_destroyed += bool(destroyed(puzzle, cut))
        figures.again += puzzle.attempts > 1
        figures.backwards += backwards(puzzle)
        if ranks is not None:
            ranks.add(puzzle, SIDE, SIDE)
    return figures


def ours(
    vocabulary: Sequence[str],
    language: str,
    difficulty: finder.Difficulty,
    forwards_only: bool,
    rng: Random,
) -> Puzzle:
    return finder.generate(
        vocabulary,
        language=language,
        difficulty=difficulty,
        forwards_only=forwards_only,
        rng=rng,
    )


@dataclass(frozen=True)
class BaselinePuzzle:
    grid: Grid
    placements: tuple[Placement, ...]
    attempts: int = 1


Step = Literal[1, -1]


def baseline(
    vocabulary: Sequence[str],
    language: str,
    difficulty: finder.Difficulty,
    forwards_only: bool,
    rng: Random,
) -> Puzzle:
    """Generate a grid with the known mistakes, which concern words that lie backwards.

    Whether such a word fits is tested for the cells to the left of its left end, but it is
    written into those to the right; and its place is drawn from all places of both directions, of
    which backwards has fewer. False placements are searched for in the same wrong cells and
    repaired at their first cell, whatever it belongs to. Written for this comparison from the
    wording of the rules and the mistakes observed in pdorrell/change-my-letters.
    """
    words = _baseline_words(vocabulary, rng)
    board = [[""] * SIDE for _ in range(SIDE)]
    steps: tuple[Step, ...] = (1,) if forwards_only else (1, -1)
    placements: list[Placement] = []
    for word in words:
        places = [
            (row, left, step)
            for row in range(SIDE)
            for left in range(SIDE - len(word) + 1)
            for step in steps
            if _seems_free(board[row], left, len(word), step)
        ]
        row, left, step = rng.choice(places)
        cells = _written_cells(row, left, len(word), step)
        for (r, c), letter in zip(cells, word, strict=True):
            board[r][c] = letter
        placements.append(Placement(word, cells))
    letters = "".join(map(chr, range(ord("a"), ord("z") + 1)))
    unused = [letter for letter in letters if letter not in "".join(words)]
    source = letters if difficulty == "easy" else "".join(words)
    for line in board:
        line[:] = [letter or rng.choice(source) for letter in line]
    for placement in placements:
        for row, left, step in _seeming_false(board, placement, steps):
            first = _written_cells(row, left, len(placement.word), step)[0]
            board[first[0]][first[1]] = rng.choice(unused)
    grid = tuple(tuple(letter.upper() for letter in line) for line in board)
    return BaselinePuzzle(grid, tuple(placements))


def _baseline_words(vocabulary: Sequence[str], rng: Random) -> list[str]:
    words: list[str] = []
    while len(words) < WORDS:
        start = rng.randrange(len(vocabulary))
        for word in [*vocabulary[start:], *vocabulary[:start]]:
            nested = any(word in other or other in word for other in words)
            if len(word) >= 3 and not nested and len(set("".join([*words, word]))) < 26:
                words.append(word)
                break
    return words


def _asked_columns(left: int, length: int, step: Step) -> range:
    return range(left, left + length * step, step)


def _written_cells(row: int, left: int, length: int, step: Step) -> tuple[Cell, ...]:
    columns = range(left, left + length)
    return tuple((row, column) for column in columns[::step])


def _seems_free(line: list[str], left: int, length: int, step: Step) -> bool:
    columns = _asked_columns(left, length, step)
    if min(columns) < 0 or max(columns) >= SIDE:
        return False
    around = range(max(0, min(columns) - 1), min(SIDE, max(columns) + 2))
    return not any(line[column] for column in around)


def _seeming_false(
    board: list[list[str]], placement: Placement, steps: tuple[Step, ...]
) -> list[tuple[int, int, Step]]:
    length = len(placement.word)
    return [
        (row, left, step)
        for row in range(SIDE)
        for left in range(SIDE - length + 1)
        for step in steps
        if min(_asked_columns(left, length, step)) >= 0
        and "".join(board[row][c] for c in _asked_columns(left, length, step)) == placement.word
        and _written_cells(row, left, length, step) != placement.cells
    ]


def shortcomings(name: str, figures: Figures, forwards_only: bool) -> list[str]:
    """Return where the figures of our generator miss their targets."""
    share = figures.backwards / (figures.grids * WORDS)
    wrong = [f"{name}: {example}" for example in figures.examples]
    if abs(share - (0 if forwards_only else 0.5)) > 0.01:
        wrong.append(f"{name}: {share:.2%} lie backwards")
    if figures.ranks is not None and figures.ranks.deviation() > 4:
        wrong.append(f"{name}: places are not uniform")
    if median(figures.milliseconds) >= 1:
        wrong.append(f"{name}: a grid takes {median(figures.milliseconds):.2f} ms")
    return wrong


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("folder", nargs="?", type=Path, default=DEFAULT_FOLDER)
    parser.add_argument("--grids", type=int, default=20_000, help="grids of each list and mode")
    arguments = parser.parse_args()
    if arguments.grids < FEWEST:
        parser.error(f"the figures mean nothing under {FEWEST} grids")
    # Each list's name, language, words, and whether the baseline, which is English only, runs.
    lists = [("en", "en", words_of(arguments.folder / "finder-words.txt"), True)]
    lists += [(tag, tag, words_of(DATA / f"finder-{tag}.txt"), False) for tag in ("hr", "el", "ar")]
    lists += [("palindromes", "en", PALINDROMES, True)]
    missed: list[str] = []
    print(HEAD)
    for title, language, vocabulary, has_baseline in lists:
        for difficulty, forwards_only in MODES:
            name = f"{title} {difficulty} {'forwards' if forwards_only else 'both'}"
            run = partial(
                measure,
                name=name,
                vocabulary=vocabulary,
                language=language,
                difficulty=difficulty,
                forwards_only=forwards_only,
            )
            figures = run(ours, grids=arguments.grids, ranks=Ranks())
            print(f"{name:28} {figures.line()}", flush=True)
            missed += shortcomings(name, figures, forwards_only)
            if has_baseline:
                # It lays words upon one another, so its places cannot be ranked.
                figures = run(baseline, grids=max(1, arguments.grids // 10), ranks=None)
                print(f"{'  baseline':28} {figures.line()}", flush=True)
    print(f"\n{LEGEND}\n" + ("\n".join(missed) or "All as promised."))
    return bool(missed)


def words_of(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8").split()


if __name__ == "__main__":
    sys.exit(main())
