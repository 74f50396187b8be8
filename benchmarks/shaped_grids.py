"""Judge word searches in the shape of hearts, stars, letters: faults, and density beside squares.

    python -m benchmarks.shaped_grids [--lists FOLDER] [--puzzles 300]

The judge shares no code with the generator. Density is the share of the squares that words use,
divided by that of the square grid of the same words and difficulty.
"""

from __future__ import annotations

import time
from argparse import ArgumentParser
from collections.abc import Sequence
from itertools import cycle
from random import Random
from statistics import fmean, median
from typing import Any

from benchmarks.hidden_message import readings
from benchmarks.word_lists import add_folder_argument, read_lists
from puzzles.generators import word_search
from puzzles.generators.word_search import WordSearch, masks
from tests.puzzles.generators.shapes import inside, is_connected

LETTERS = "AEKMOSZČЖΩ"
SIZES = (6, 12, 20, 40)


def faults(made: WordSearch, words: Sequence[str], square: WordSearch) -> list[str]:
    """Return what is wrong with a shaped grid; *square* has the words that fit into any grid."""
    cells, found = inside(made.grid), []
    if not is_connected(cells):
        found.append("the shape falls apart")
    missing = {p.word for p in square.placements} - {p.word for p in made.placements}
    found += [f"{word} is missing" for word in sorted(missing)]
    letters = {word: word.upper() for word in words}
    for placement in made.placements:
        word = letters[placement.word]
        places = readings(made.grid, word)
        is_within = any(word in w or word in w[::-1] for w in letters.values() if w != word)
        if frozenset(placement.cells) not in places or (len(places) > 1 and not is_within):
            found.append(f"{word} is read {len(places)} times")
        if not cells.issuperset(placement.cells):
            found.append(f"{word} leaves the shape")
    return found


def density(made: WordSearch) -> float:
    """Return the share of the cells that words use."""
    return len({cell for p in made.placements for cell in p.cells}) / len(inside(made.grid))


def main() -> None:
    """Print one line for each shape, and one for all."""
    parser = ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    add_folder_argument(parser)
    parser.add_argument("--puzzles", type=int, default=300)
    arguments = parser.parse_args()
    lists = read_lists(arguments.lists)
    pool = sorted({word for each in lists if each.group.startswith("N") for word in each.words})
    shapes = {name: masks.silhouette(name) for name in masks.SHAPES}
    shapes |= {letter: masks.silhouette_of_letter(letter) for letter in LETTERS}
    lines: dict[str, list[tuple[float, float, int]]] = {name: [] for name in shapes}
    word_search.warm_up()
    wrong: list[str] = []
    for seed, name in zip(range(arguments.puzzles), cycle(shapes), strict=False):
        rng = Random(seed)
        words = rng.sample(pool, rng.choice(SIZES))
        options: dict[str, Any] = {
            "language": "en",
            "difficulty": rng.choice(("easy", "medium", "hard")),
        }
        square = word_search.generate(words, rng=Random(seed), **options)
        began = time.perf_counter()
        made = word_search.generate(words, rng=Random(seed), shape=shapes[name], **options)
        seconds = time.perf_counter() - began
        found = faults(made, words, square)
        wrong += [f"{name}, seed {seed}: {one}" for one in found]
        lines[name].append((density(made) / density(square), seconds, len(found)))
    lines["all"] = [one for some in lines.values() for one in some]
    for name, some in lines.items():
        if some:
            ratios, times, counts = zip(*some, strict=True)
            near = sum(abs(ratio - 1) <= 0.1 for ratio in ratios)
            denser = sum(ratio > 1.1 for ratio in ratios)
            print(
                f"{name:<8} {len(some):3} grids, {sum(counts)} faults, density of squares × "
                f"{fmean(ratios):.2f} ({min(ratios):.2f} to {max(ratios):.2f}; {near} within 10 %,"
                f" {denser} denser),"
                f" {median(times) * 1000:.0f} ms each"
            )
    print(*wrong[:20], sep="\n")


if __name__ == "__main__":
    main()
