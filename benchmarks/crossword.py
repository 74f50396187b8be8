"""Measure the crossword generator and its peers on the same lists in the same run.

    python -m benchmarks.crossword {classroom,contest,hundred,crozzle,ideas} ...
        [--data FOLDER] [--lists N] [--seconds S] [--seed N]

Every grid, including the peers', is
checked by the verifier of the tests, which shares no code with the generator. Milliseconds are
wall time; CPU is the time of all threads together.

The contest is CROZZLE of the Programmer of the Month, spring 1996 (potm.tripod.com/CROZZLE): words
of a list of 101 to 200 on 20 by 20 squares, all connected and every run a word of the list, ranked
by words, then connectors (letters in two words), then letters, then time. It was won by jigsaw by
Franz Korntner; its word lists and source are at github.com/xyzzy/jigsaw.

The Crozzle, from which the contest took its name, is the competition of The Australian Women's
Weekly: 10 points for a word, and for each letter in two words 2 to 64 points, depending on the
letter. The rules are those of Binkley and Kuhn (Crozzle: an NP-complete problem, 1997). For boards
of any size the problem is NP-hard (Gower and Wilkerson, R-by-C Crozzle: an NP-hard problem, ACM
Symposium on Applied Computing, 1996), so no generator can be expected to prove that its result is
the best: the peers are the winning human scores.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random
from statistics import mean, median
from typing import Any

from benchmarks.crossword_peers import Peers
from benchmarks.harness import add_folder_argument, read_lists
from puzzles.generators import crossword
from puzzles.generators.crossword import Crossword, PlacedWord, Scoring
from puzzles.generators.crossword import plan as crossword_plan
from puzzles.generators.grid import Unplaced
from tests.puzzles.generators.verify_crossword import faults
from vocab.text import tiles

CROZZLE = Scoring(
    word=10,
    crossing={
        letter: points
        for letters, points in (
            ("ABCDEF", 2),
            ("GHIJKL", 4),
            ("MNOPQR", 8),
            ("STUVWX", 16),
            ("Y", 32),
            ("Z", 64),
        )
        for letter in letters
    },
)
Task = dict[str, Any]


@dataclass
class Run:
    """One crossword and its cost."""

    task: Task
    puzzle: Crossword
    seconds: float
    cpu: float
    wrong: int

    @property
    def letters(self) -> int:
        """Return the number of cells with a letter."""
        return sum(tile is not None for row in self.puzzle.grid for tile in row)

    @property
    def box(self) -> int:
        """Return the number of cells in the smallest rectangle around all words."""
        cells = [cell for placement in self.puzzle.placements for cell in placement.cells]
        rows, cols = zip(*cells, strict=True)
        return int((max(rows) - min(rows) + 1) * (max(cols) - min(cols) + 1))


def ours(tasks: Iterable[Task], seed: int, **options: Any) -> list[Run]:
    """Generate the crossword of each task."""
    crossword.warm_up()
    runs = []
    for task in tasks:
        began, cpu = time.perf_counter(), time.process_time()
        puzzle = crossword.generate(
            task["words"],
            rows=task["rows"],
            cols=task["cols"],
            seconds=task.get("ours"),
            rng=Random(seed),
            **options,
        )
        took, cpu = time.perf_counter() - began, time.process_time() - cpu
        runs.append(Run(task, puzzle, took, cpu, len(faults(puzzle, task["words"], tiles))))
    return runs


def theirs(tasks: Sequence[Task], answers: Sequence[dict[str, Any]]) -> list[Run]:
    """Read a peer's answers."""
    runs = []
    for task, answer in zip(tasks, answers, strict=True):
        puzzle = read(task["words"], answer["placed"])
        wrong = len(faults(puzzle, task["words"], tiles))
        runs.append(Run(task, puzzle, answer["seconds"], answer["seconds"], wrong))
    return runs


def read(words: Sequence[str], placed: Sequence[tuple[str, int, int, bool]]) -> Crossword:
    """Build a crossword from peers' output: (word, row, col, is down)."""
    given = {word.upper(): word for word in words}
    spots = {}
    for word, row, col, is_down in placed:
        span = range(len(word))
        cells = tuple((row + i, col) if is_down else (row, col + i) for i in span)
        spots[given[word.upper()]] = (cells, is_down)
    letters = {
        cell: tile
        for word, (cells, _) in spots.items()
        for cell, tile in zip(cells, tiles(word), strict=True)
    }
    height, width = max(row for row, _ in letters) + 1, max(col for _, col in letters) + 1
    heads = sorted({cells[0] for cells, _ in spots.values()})
    placements = [
        PlacedWord(word, cells, heads.index(cells[0]) + 1, "down" if is_down else "across")
        for word, (cells, is_down) in spots.items()
    ]
    grid = tuple(tuple(letters.get((r, c)) for c in range(width)) for r in range(height))
    left = tuple(Unplaced(word, "left out") for word in words if word not in spots)
    return Crossword(grid, tuple(sorted(placements, key=lambda p: (p.number, p.direction))), left)


def show(name: str, runs: Sequence[Run]) -> None:
    """Print the means of *runs* in one line."""
    count = [len(run.puzzle.placements) for run in runs]
    crossings = [len(run.puzzle.crossings) for run in runs]
    whole = mean(n / len(run.task["words"]) for n, run in zip(count, runs, strict=True))
    print(
        f"{name:<34}{100 * whole:6.1f} %{mean(count):8.2f}{mean(crossings):8.2f}"
        f"{sum(crossings) / sum(count):7.2f}{mean(run.letters for run in runs):8.1f}"
        f"{mean(run.box for run in runs):8.0f}{1000 * median(run.seconds for run in runs):9.0f}"
        f"{1000 * median(run.cpu for run in runs):9.0f}{sum(run.wrong > 0 for run in runs):7}",
        flush=True,
    )


def head(title: str) -> None:
    """Print the head of a table."""
    print(
        f"\n{title}\n{'':<34}{'placed':>8}{'words':>8}{'cross.':>8}{'/word':>7}{'letters':>8}"
        f"{'box':>8}{'ms':>9}{'CPU ms':>9}{'faulty':>7}",
        flush=True,
    )


def board(words: Sequence[str], side: int | None, ours: float | None, peer: float) -> Task:
    """Return a task with a square board, or with a board of any size."""
    return {"words": words, "rows": side, "cols": side, "ours": ours, "seconds": peer}


def classroom(folder: Path, arguments: argparse.Namespace, peers: Peers) -> None:
    """Lists of 10, 20 and 40 words on a board of any size."""
    for count in (10, 20, 40):
        lists = [each.words for each in read_lists(folder, count)[: arguments.lists]]
        head(f"Classroom: {len(lists)} lists of {count} words")
        show("ours", ours([board(words, None, None, 0) for words in lists], arguments.seed))
        show("ours, 1 s", ours([board(words, None, 1.0, 0) for words in lists], arguments.seed))
        tasks = [board(words, None, None, 2.0) for words in lists]
        show("genxword, at most 2 s", theirs(tasks, peers.genxword(tasks)))
        show("crossword-layout-generator", theirs(tasks, peers.layout(tasks)))


def contest(folder: Path, arguments: argparse.Namespace, peers: Peers) -> None:
    """The list of the contest of 1996, on 20 by 20 squares.

    jigsaw's figures are words/connectors/letters with a beam of 1,500 grids, with which it won,
    and of 15,000, the value in its current source.
    """
    head("Contest: potm-worldnet, 20 by 20 (jigsaw: 79/111/228, with a beam of 15,000 79/119/230)")
    words = (folder / "potm-worldnet.txt").read_text().split()
    for seconds in (3.0, arguments.seconds or 60.0):
        show(f"ours, {seconds:g} s", ours([board(words, 20, seconds, 0)], arguments.seed))
    tasks = [board(words, 20, None, 30.0)]
    show("genxword, 30 s", theirs(tasks, peers.genxword(tasks)))


def hundred(folder: Path, arguments: argparse.Namespace, peers: Peers) -> None:
    """Lists of 100 words on a board of 20 by 20."""
    lists = [each.words for each in read_lists(folder, 100)[: arguments.lists]]
    head(f"Hundred: {len(lists)} lists of 100 words, 20 by 20")
    for seconds in (1.0, 6.0):
        tasks = [board(words, 20, seconds, seconds) for words in lists]
        show(f"ours, {seconds:g} s", ours(tasks, arguments.seed))
        show(f"genxword, {seconds:g} s", theirs(tasks, peers.genxword(tasks)))


def crozzle(folder: Path, arguments: argparse.Namespace, peers: Peers) -> None:
    """The Crozzle's games by points, compared with the human winners."""
    games = json.loads((folder / "crozzle-dev.json").read_text())["games"][: arguments.lists]
    seconds = arguments.seconds or 60.0
    print(f"\nCrozzle: {len(games)} games, {seconds:g} s each\n{'game':>6}{'human':>7}", end="")
    print(f"{'ours':>7}{'share':>8}{'genxword':>10}{'faulty':>8}")
    tasks = [
        {key: game[key] for key in ("words", "rows", "cols")} | {"ours": seconds, "seconds": 10.0}
        for game in games
    ]
    others = theirs(tasks, peers.genxword(tasks))
    humans = points = peer_points = 0
    for game, task, other in zip(games, tasks, others, strict=True):
        run = ours([task], arguments.seed, objective=CROZZLE)[0]
        mine, its = run.puzzle.points(CROZZLE), other.puzzle.points(CROZZLE)
        humans, points, peer_points = humans + game["human"], points + mine, peer_points + its
        share = mine / game["human"]
        print(f"{game['game']:>6}{game['human']:>7}{mine:>7}{share:>8.3f}{its:>10}{run.wrong:>8}")
    print(f"{'sum':>6}{humans:>7}{points:>7}{points / humans:>8.3f}{peer_points:>10}", flush=True)


def ideas(folder: Path, arguments: argparse.Namespace, peers: Peers) -> None:
    """The effect of each idea on the contest's list: the search without it."""
    seconds = arguments.seconds or 20.0
    head(f"Ideas: potm-worldnet, 20 by 20, {seconds:g} s, means of three seeds")
    words = (folder / "potm-worldnet.txt").read_text().split()
    usual = crossword_plan.plan_search

    def trial(name: str, changes: dict[str, Any], tuning: dict[str, Any], **options: Any) -> None:
        def changed(**arguments: Any) -> Any:
            plan = usual(**arguments)
            return replace(plan, **changes, tuning=plan.tuning._replace(**tuning))

        crossword_plan.plan_search = changed
        runs = []
        for seed in range(arguments.seed, arguments.seed + 3):
            runs += ours([board(words, 20, seconds, 0)], seed, **options)
        show(name, runs)

    try:
        trial("all ideas", {}, {})
        trial("no beam", {"beam_width": 0}, {})
        trial("one beam of 1500", {}, {}, beam_width=1500)
        trial("beam without noise", {"beam_noise": 0.0}, {})
        trial("no words side by side", {}, {}, touching=False)
        trial("windows of 1 to 3 cells", {}, {"smallest": 1, "largest": 3})
        trial("windows of 12 to 20 cells", {}, {"smallest": 12, "largest": 20})
        trial("cold: nothing worse accepted", {"hot": 0.01, "cold": 0.009}, {})
        trial("refilling without noise", {}, {"noise": 0.001})
        trial("connectors count for nothing", {}, {"weight": usual_weights(words_only=True)})
        trial("one thread", {}, {}, threads=1)
    finally:
        crossword_plan.plan_search = usual


def usual_weights(*, words_only: bool) -> Any:
    """Return the weights that guide the search on a given board, or those of words alone."""
    plan = crossword_plan.plan_search(
        word=None, is_free=False, touching=True, symmetric=False, beam_width=0
    )
    weights = plan.tuning.weight.copy()
    if words_only:
        weights[1] = 0.0
    return weights


SECTIONS = {section.__name__: section for section in (classroom, contest, hundred, crozzle, ideas)}


def main() -> None:
    """Run the sections named on the command line."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("sections", nargs="+", choices=SECTIONS)
    add_folder_argument(parser, "--data")
    parser.add_argument("--lists", type=int, default=None, help="only so many lists or games")
    parser.add_argument("--seconds", type=float, default=None)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    with Peers() as peers:
        for name in arguments.sections:
            SECTIONS[name](arguments.data, arguments, peers)


if __name__ == "__main__":
    main()
