"""Draw the word searches of lists as text and SVG, with their figures, to look at.

    python -m benchmarks.draw_word_search --out DIR [--list NAME ...] [--effort normal] [--svg]
    python -m benchmarks.draw_word_search --words FILE --language hr --difficulty easy --out DIR

Writes NAME.txt and NAME.svg for each list; a page index.html shows them all.
"""

from __future__ import annotations

from argparse import ArgumentParser
from dataclasses import fields
from html import escape
from pathlib import Path
from random import Random
from time import perf_counter

from benchmarks.word_lists import WordList, add_folder_argument, read_lists
from puzzles.generators import word_search
from puzzles.generators.word_search import WordSearch
from puzzles.generators.word_search.figures import Figures, measure

CELL = 26
COLOURS = ("#c2410c", "#1d4ed8", "#15803d", "#a21caf", "#b45309", "#0e7490", "#be123c", "#4d7c0f")
LANGUAGES = {"script_hr": "hr", "script_el": "el", "script_uk": "uk"}


def as_text(puzzle: WordSearch) -> str:
    """Return the grid, then its key: the same with only the words' letters."""
    used = {cell for placement in puzzle.placements for cell in placement.cells}
    key = [
        [tile if (r, c) in used else "·" for c, tile in enumerate(row)]
        for r, row in enumerate(puzzle.grid)
    ]
    return "\n\n".join(
        "\n".join(" ".join(map(str, row)) for row in rows) for rows in (puzzle.grid, key)
    )


def as_svg(puzzle: WordSearch, caption: str) -> str:
    """Return a drawing of the grid with each word's line in one of eight colours."""
    rows, cols = len(puzzle.grid), len(puzzle.grid[0])
    width, height = cols * CELL + 20, rows * CELL + 50
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
        'font-family="DejaVu Sans, Noto Sans, sans-serif">',
        f'<rect width="{width}" height="{height}" fill="white"/>',
    ]
    used = {cell for placement in puzzle.placements for cell in placement.cells}
    for number, placement in enumerate(puzzle.placements):
        (r1, c1), (r2, c2) = ((10 + (v + 0.5) * CELL for v in placement.cells[k]) for k in (0, -1))
        colour = COLOURS[number % len(COLOURS)]
        parts.append(
            f'<line x1="{c1}" y1="{r1}" x2="{c2}" y2="{r2}" stroke="{colour}" stroke-opacity=".3" '
            f'stroke-width="{CELL * 0.7}" stroke-linecap="round"/>'
            f'<circle cx="{c1}" cy="{r1}" r="3" fill="{colour}" transform="translate(-7 -7)"/>'
        )
    for r, row in enumerate(puzzle.grid):
        for c, tile in enumerate(row):
            colour = "black" if (r, c) in used else "#9ca3af"
            parts.append(
                f'<text x="{10 + (c + 0.5) * CELL}" y="{10 + (r + 0.7) * CELL}" font-size="15" '
                f'text-anchor="middle" fill="{colour}">{escape(str(tile))}</text>'
            )
    parts.append(f'<text x="10" y="{height - 14}" font-size="10">{escape(caption)}</text></svg>')
    return "\n".join(parts)


def caption_of(figures: Figures, seconds: float) -> str:
    """Return the figures in one line."""
    told = [f"{field.name} {getattr(figures, field.name):.3g}" for field in fields(figures)]
    return " · ".join([*told, f"{seconds * 1000:.1f} ms"]).replace("_", " ")


def main() -> None:
    """Draw what the command line asks for."""
    parser = ArgumentParser(description=__doc__.partition("\n")[0])
    add_folder_argument(parser)
    parser.add_argument("--out", type=Path, required=True, help="folder to write to")
    parser.add_argument("--list", nargs="*", help="names of lists (default: fifty of them)")
    parser.add_argument("--words", type=Path, help="a file with one word a line, instead of lists")
    parser.add_argument("--language")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--size", type=int)
    parser.add_argument("--tightness", type=float, help="cells a letter, instead of --size")
    parser.add_argument("--effort", default="normal", choices=["instant", "normal", "best"])
    parser.add_argument("--difficulty", choices=["easy", "medium", "hard"])
    arguments = parser.parse_args()
    if arguments.words:
        words = tuple(arguments.words.read_text().split())
        lists = [WordList(arguments.words.stem, "", words)]
    else:
        lists = read_lists(arguments.lists)
        wanted = arguments.list or [each.name for each in lists[::3] + lists[-8:]][:50]
        lists = [each for each in lists if each.name in wanted]
    arguments.out.mkdir(parents=True, exist_ok=True)
    pages = []
    word_search.warm_up()
    for each in lists:
        size = each.side(arguments.tightness) if arguments.tightness else arguments.size
        began = perf_counter()
        puzzle = word_search.generate(
            each.words,
            size=size,
            language=arguments.language or LANGUAGES.get(each.group, "en"),
            rng=Random(arguments.seed),
            effort=arguments.effort,
            difficulty=arguments.difficulty,
        )
        caption = caption_of(measure(puzzle.grid, puzzle.placements), perf_counter() - began)
        left_out = "".join(f"\n{unplaced.reason}" for unplaced in puzzle.unplaced)
        text = f"{each.name}: {caption}\n\n{as_text(puzzle)}\n{left_out}\n"
        svg = as_svg(puzzle, f"{each.name}: {caption}")
        (arguments.out / f"{each.name}.txt").write_text(text)
        (arguments.out / f"{each.name}.svg").write_text(svg)
        pages.append(svg)
        print(f"{each.name}: {caption}")
    (arguments.out / "index.html").write_text(
        "<!doctype html><meta charset=utf-8>" + "\n".join(pages)
    )


if __name__ == "__main__":
    main()
