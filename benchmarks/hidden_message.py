"""Count in how many word searches the letters left over are exactly a hidden message.

    python -m benchmarks.hidden_message [--lists FOLDER] [--puzzles 100] [--words 12]

A reader that shares no code with the generator judges each grid: it finds the words by itself,
reads what is left row by row, and looks for second readings and for blocked words. It also prints
which share of the words lies in rows, in columns and on diagonals, and which share of a grid's
words lies in its fullest kind of line.
"""

from __future__ import annotations

import time
from argparse import ArgumentParser
from collections import Counter
from collections.abc import Sequence
from random import Random
from statistics import fmean, median

from benchmarks.word_lists import add_folder_argument, read_lists
from puzzles.generators import word_search
from puzzles.generators.errors import WordSearchError
from puzzles.generators.grid import Grid, Placement

TEXT = "WELL DONE CLEVER READERS AND NOW TAKE A BREAK IN THE SUNSHINE BEFORE THE NEXT ONE"
LENGTHS = (5, 10, 20, 40, 60)
LINES = ("rows", "columns", "diagonals")
BLOCKED = ("DAMN", "HELL", "ARSE")


def text_of(count: int) -> str:
    """Return the beginning of TEXT with this number of letters."""
    taken = ""
    for letter in TEXT:
        if len(taken.replace(" ", "")) == count:
            break
        taken += letter
    return taken.strip()


def readings(grid: Grid, word: str) -> set[frozenset[tuple[int, int]]]:
    """Return the sets of cells that read as *word*, in any of eight directions."""
    at = {(r, c): tile for r, row in enumerate(grid) for c, tile in enumerate(row)}
    steps = [(r, c) for r in (-1, 0, 1) for c in (-1, 0, 1) if r or c]
    found = set()
    for row, col in (cell for cell, tile in at.items() if tile == word[0]):
        for down, right in steps:
            line = [(row + i * down, col + i * right) for i in range(len(word))]
            if all(at.get(cell) == letter for cell, letter in zip(line, word, strict=True)):
                found.add(frozenset(line))
    return found


def fault(grid: Grid, words: Sequence[str], text: str) -> str | None:
    """Return what is wrong with a grid of *words* in capitals, or None."""
    used: set[tuple[int, int]] = set()
    found = {word: readings(grid, word) for word in words}
    for word, places in found.items():
        is_within = any(word in other or word in other[::-1] for other in words if other != word)
        if len(places) != 1 and not is_within:
            return f"{word} is read {len(places)} times"
        used.update(*places)
    left = "".join(
        tile or "" for r, row in enumerate(grid) for c, tile in enumerate(row) if (r, c) not in used
    )
    if left != text:
        return f"{left} is left over instead of {text}"
    for word in BLOCKED:
        if readings(grid, word) and not any(word in w or word in w[::-1] for w in words):
            return f"the blocked {word} is read"
    return None


def line_of(placement: Placement) -> str:
    """Return in which kind of line a word lies."""
    (row, col), (next_row, next_col) = placement.cells[:2]
    return "rows" if row == next_row else "columns" if col == next_col else "diagonals"


def main() -> None:
    """Print one line for each difficulty and length of the message."""
    parser = ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    add_folder_argument(parser)
    parser.add_argument("--puzzles", type=int, default=100)
    parser.add_argument("--words", type=int, default=12)
    arguments = parser.parse_args()
    lists = read_lists(arguments.lists)
    pool = sorted({word for each in lists if each.group.startswith("N") for word in each.words})
    word_search.warm_up()
    for difficulty in ("easy", "medium", "hard"):
        for count in LENGTHS:
            text, exact, times, faults = text_of(count), 0, [], []
            lines: Counter[str] = Counter()
            fullest = []
            for seed in range(arguments.puzzles):
                words = Random(seed).sample(pool, arguments.words)
                began = time.perf_counter()
                try:
                    made = word_search.generate(
                        words,
                        language="en",
                        rng=Random(seed),
                        difficulty=difficulty,
                        hidden=text,
                        blocklist=BLOCKED,
                    )
                except WordSearchError:
                    continue
                finally:
                    times.append(time.perf_counter() - began)
                of_grid = Counter(map(line_of, made.placements))
                lines += of_grid
                fullest.append(max(of_grid.values()) / len(made.placements))
                wrong = fault(made.grid, [word.upper() for word in words], text.replace(" ", ""))
                exact += wrong is None and len(made.placements) == len(words)
                faults += [wrong] if wrong else []
            shares = ", ".join(f"{lines[n] / lines.total():.0%} {n}" for n in LINES)
            shares += f", {fmean(fullest):.0%} in the fullest"
            print(
                f"{difficulty:<7}{count:3} letters: {exact} of {arguments.puzzles} exact, "
                f"{len(faults)} faults, {median(times) * 1000:.0f} ms each, "
                f"at most {max(times) * 1000:.0f} ms; {shares}",
                *faults[:3],
                sep="\n  " if faults else "",
            )


if __name__ == "__main__":
    main()
