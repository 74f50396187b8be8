"""Compare the library with others that people install from PyPI: same words, same grids, same run.

    python -m benchmarks.libraries [--lists 20] [--seed 1]

Word searches are those of word-search-generator 5.0.0, in all eight directions on the same square;
crosswords those of genxword 2.2.0, which installs only without the drawing libraries that its
calculator does not need. The words are drawn from the 256 of English login cards. Milliseconds are
medians of wall time in a warm process.
"""

from __future__ import annotations

import tempfile
from argparse import ArgumentParser
from collections.abc import Sequence
from pathlib import Path
from random import Random
from statistics import fmean, median

from benchmarks import crossword, word_search
from benchmarks.crossword_peers import Peers
from benchmarks.harness import WordList, table
from benchmarks.word_search_peers import Outcome, install
from puzzles.generators import warm_up

WORDS = Path(__file__).parents[1] / "osmosmjerka" / "accounts" / "card_words" / "en.txt"
SIZES = (10, 20, 40)
ROOMS = (1.6, 1.1)
"""Cells per letter of the words: usual, and such that the words hardly fit."""
SECONDS = 1.0
"""How long genxword searches, its own default."""


def sample_lists(words: int, lists: int, rng: Random) -> list[WordList]:
    """Return random lists of so many words."""
    known = WORDS.read_text(encoding="utf-8").split()
    return [
        WordList(f"{words}-{number}", tuple(rng.sample(known, words))) for number in range(lists)
    ]


def of_word_searches(
    name: str, lists: Sequence[WordList], sides: Sequence[int], outcomes: Sequence[Outcome]
) -> list[str]:
    """Return a line: words placed, grids with all of them, letters on shared cells, time."""
    placed = sum(len(outcome.placements) for outcome in outcomes)
    whole = [
        len(outcome.placements) == len(each.words)
        for outcome, each in zip(outcomes, lists, strict=True)
    ]
    return [
        name,
        f"{placed / sum(len(each.words) for each in lists):.1%}",
        f"{fmean(whole):.0%}",
        f"{fmean(map(word_search.shared, lists, sides, outcomes)):.1%}",
        f"{median(outcome.milliseconds for outcome in outcomes):.0f}",
    ]


def of_crosswords(name: str, runs: Sequence[crossword.Run]) -> list[str]:
    """Return a line: words placed, crossings a word, share of cells with letters, time."""
    placed = [len(run.puzzle.placements) for run in runs]
    return [
        name,
        f"{sum(placed) / sum(len(run.task['words']) for run in runs):.1%}",
        f"{sum(len(run.puzzle.crossings) for run in runs) / sum(placed):.2f}",
        f"{fmean(run.letters / run.box for run in runs):.0%}",
        f"{1000 * median(run.seconds for run in runs):.0f}",
    ]


def main() -> None:
    """Print both tables."""
    parser = ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--lists", type=int, default=20, help="how many lists of each size")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    rng = Random(arguments.seed)
    lists = {size: sample_lists(size, arguments.lists, rng) for size in SIZES}
    warm_up()
    lines = [["word search", "words placed", "grids with all", "letters shared", "ms"]]
    with tempfile.TemporaryDirectory() as folder:
        peer = install(Path(folder), None).get("wsg")
        for size, some in lists.items():
            for room in ROOMS:
                sides = [each.side(room) for each in some]
                where = f"{size} words, {room} cells a letter"
                own = [
                    word_search.ours(each, number, size=side)[0]
                    for number, (each, side) in enumerate(zip(some, sides, strict=True))
                ]
                lines.append(of_word_searches(f"{where}: ours", some, sides, own))
                if peer:
                    jobs = [
                        {"words": each.words, "side": side}
                        for each, side in zip(some, sides, strict=True)
                    ]
                    lines.append(of_word_searches(f"  {peer.name}", some, sides, peer.run(jobs)))
    print(table(lines), end="\n\n", flush=True)
    lines = [["crossword", "words placed", "crossings a word", "density", "ms"]]
    with Peers() as peers:
        for size, some in lists.items():
            tasks = [crossword.board(each.words, None, None, SECONDS) for each in some]
            own_runs = crossword.ours(tasks, arguments.seed)
            lines.append(of_crosswords(f"{size} words: ours", own_runs))
            their_runs = crossword.theirs(tasks, peers.genxword(tasks))
            lines.append(of_crosswords("  genxword", their_runs))
    print(table(lines))


if __name__ == "__main__":
    main()
