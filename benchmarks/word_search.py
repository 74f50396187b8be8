"""Measure the word search generator, wordfind and word-search-generator on the same lists.

    python -m benchmarks.word_search [--lists FOLDER] [--parts fixed pressure ...] [--sample 20]

"Shared" is the share of the words' letters on cells where words of two lines meet: letters that
words share along one line do not count, for any generator. Times are medians per grid in a warm
process; "cpu" is processor time, which other programs on the machine disturb less.
"""

from __future__ import annotations

import tempfile
import time
from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from random import Random
from statistics import fmean, median
from typing import Any

from benchmarks.harness import WordList, add_folder_argument, read_lists
from benchmarks.word_search_peers import Outcome, Peer, install
from puzzles.generators import word_search
from tests.puzzles.generators.figures import measure

SIZES = (10, 20, 40)
USUAL, TIGHT = 1.6, 1.1
"""Cells per letter."""


def ours(word_list: WordList, seed: int, **options: Any) -> tuple[Outcome, float, int]:
    """Generate one word search: (outcome, milliseconds of processor time, side)."""
    began, began_cpu = time.perf_counter(), time.process_time()
    made = word_search.generate(word_list.words, language="en", rng=Random(seed), **options)
    cpu = (time.process_time() - began_cpu) * 1000
    outcome = Outcome(made.placements, (time.perf_counter() - began) * 1000)
    return outcome, cpu, len(made.grid)


def shared(word_list: WordList, side: int, outcome: Outcome) -> float:
    """Return the share of letters on shared cells; 0 if nothing was placed."""
    grid = ((None,) * side,) * side
    return measure(grid, outcome.placements).shared if outcome.placements else 0.0


def line(
    name: str,
    lists: Sequence[WordList],
    sides: Sequence[int],
    outcomes: Sequence[Outcome],
    cpu: str = "",
) -> None:
    """Print one line of a table."""
    share = fmean(map(shared, lists, sides, outcomes))
    placed = sum(len(o.placements) for o in outcomes) / sum(len(each.words) for each in lists)
    whole = fmean(
        len(o.placements) == len(each.words) for o, each in zip(outcomes, lists, strict=True)
    )
    used = [
        measure(((None,) * s,) * s, o.placements).directions
        for s, o in zip(sides, outcomes, strict=True)
        if o.placements
    ]
    print(
        f"  {name:<24}{median(o.milliseconds for o in outcomes):9.2f} ms{cpu:>9}"
        f"{share:9.1%} shared{placed:9.1%} placed{whole:6.0%} whole"
        f"{fmean(used) if used else 0:6.1f} directions (at least {min(used, default=0)})"
        + (
            f"{fmean(o.failures for o in outcomes):6.0%} failed"
            if any(o.failures for o in outcomes)
            else ""
        )
    )


def our_line(
    name: str, lists: Sequence[WordList], sides: Sequence[int | None], **options: Any
) -> None:
    """Generate ours for each list and print the line."""
    runs = [
        ours(each, i, size=side, **options)
        for i, (each, side) in enumerate(zip(lists, sides, strict=True))
    ]
    cpu = f"{median(run[1] for run in runs):.2f} cpu"
    line(name, lists, [run[2] for run in runs], [run[0] for run in runs], cpu)


def their_line(
    peer: Peer,
    lists: Sequence[WordList],
    sides: Sequence[int],
    milliseconds: float = 0,
    note: str = "",
) -> None:
    """Run a peer on each list and print the line."""
    jobs = [
        {"words": each.words, "side": side, "milliseconds": milliseconds}
        for each, side in zip(lists, sides, strict=True)
    ]
    line(peer.name + note, lists, sides, peer.run(jobs))


def fixed(folder: Path, peers: dict[str, Peer], sample: int) -> None:
    """The three efforts at the usual fixed side."""
    for words in SIZES:
        some = read_lists(folder, words)[:sample]
        sides = [each.side(USUAL) for each in some]
        print(f"{words} words, side ceil(sqrt({USUAL} letters)):")
        for effort in ("instant", "normal", "best"):
            our_line(effort, some, sides, effort=effort)
        for peer in peers.values():
            their_line(peer, some, sides)


def restarts(folder: Path, peers: dict[str, Peer], sample: int) -> None:
    """Equal time: wordfind restarted for as long as ours runs."""
    for words in SIZES:
        some = read_lists(folder, words)[:sample]
        sides = [each.side(USUAL) for each in some]
        print(f"{words} words, side ceil(sqrt({USUAL} letters)), equal time:")
        for milliseconds in (10.0, 50.0):
            our_line(f"ours, {milliseconds:.0f} ms", some, sides, effort=milliseconds)
            if "wordfind" in peers:
                their_line(peers["wordfind"], some, sides, milliseconds, f", {milliseconds:.0f} ms")


def pressure(folder: Path, peers: dict[str, Peer], sample: int) -> None:
    """A side at which words hardly fit."""
    for words in SIZES:
        some = read_lists(folder, words)[:sample]
        sides = [each.side(TIGHT) for each in some]
        print(f"{words} words, side ceil(sqrt({TIGHT} letters)):")
        our_line("instant", some, sides, effort="instant")
        our_line("50 ms", some, sides, effort=50.0)
        for peer in peers.values():
            their_line(peer, some, sides)


def automatic(folder: Path, peers: dict[str, Peer], sample: int) -> None:
    """The size that the generator chooses."""
    for words in (5, 10, 15, 20, 40, 100):
        some = read_lists(folder, words)[:sample]
        print(f"{words} words, automatic size:")
        for effort in ("instant", "normal"):
            our_line(effort, some, [None] * len(some), effort=effort)
        sides = [
            len(word_search.generate(each.words, rng=Random(0), effort="instant").grid)
            for each in some
        ]
        print(f"  side {fmean(sides):.1f} on average")


def growth(folder: Path, peers: dict[str, Peer], sample: int) -> None:
    """Growth of time from 5 to 200 words, at the usual side."""
    hundreds = [each.words for each in read_lists(folder, 100)]
    for words in (5, 10, 20, 40, 80, 120, 160, 200):
        pools = [tuple(dict.fromkeys(a + b))[:words] for a, b in pairwise(hundreds)]
        some = [WordList(f"{words}-{i}", pool) for i, pool in enumerate(pools[:5])]
        sides = [each.side(USUAL) for each in some]
        print(f"{words} words:")
        for effort in ("instant", "normal"):
            our_line(effort, some, sides, effort=effort)
        for peer in peers.values():
            their_line(peer, some, sides)


PARTS = {part.__name__: part for part in (fixed, restarts, pressure, automatic, growth)}


def main() -> None:
    """Print the tables that the command line asks for."""
    arguments = _arguments()
    word_search.warm_up()
    with tempfile.TemporaryDirectory() as folder:
        peers = {} if arguments.alone else install(Path(folder), arguments.wordfind)
        for part in arguments.parts:
            print(f"\n{part}: {(PARTS[part].__doc__ or '').lower()}")
            PARTS[part](arguments.lists, peers, arguments.sample)


def _arguments() -> Namespace:
    parser = ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    add_folder_argument(parser)
    parser.add_argument("--parts", nargs="*", choices=list(PARTS), default=list(PARTS))
    parser.add_argument("--sample", type=int, default=20, help="how many lists of each size")
    parser.add_argument("--alone", action="store_true", help="leave the peers out")
    parser.add_argument("--wordfind", type=Path, help="the original wordfind.js, if at hand")
    return parser.parse_args()


if __name__ == "__main__":
    main()
