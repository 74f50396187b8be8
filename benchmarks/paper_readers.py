"""Read worksheets back with programs that are not ours, and compare them with their puzzles.

    python -m benchmarks.paper_readers [--puzzles 200]

Makes puzzles of all kinds in twelve languages, each with its solution, and reads PDF with pdftotext
and pdffonts (Debian: poppler-utils), SVG with Chromium, and DOCX with python-docx. Grid, clues and
the solution must be those of the puzzle, and each font must be embedded. Exits with status 1 if a
letter or a clue differs.
"""

from __future__ import annotations

import argparse
import collections
import io
import random
import subprocess
import sys
import tempfile
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from itertools import cycle, groupby
from pathlib import Path
from typing import Any

from defusedxml import ElementTree
from docx import Document
from playwright.sync_api import Page, sync_playwright

from benchmarks.exchange_readers import LANGUAGES, made
from puzzles.exports import FORMATS, PuzzleData
from puzzles.generators.errors import PuzzleError
from puzzles.kinds import KINDS
from tests.services import find_chromium

# Where each text of a drawing is, as Chromium lays it out: text, size, middle, baseline.
_TEXTS = """() => [...document.querySelectorAll("svg text")].map((one) => {
  const box = one.getBoundingClientRect();
  const [size, y] = ["font-size", "y"].map((name) => Number(one.getAttribute(name)));
  return [one.textContent, size, box.x + box.width / 2, y];
})"""
_XHTML = "{http://www.w3.org/1999/xhtml}"
_SIDES = ("xMin", "yMin", "xMax", "yMax")
_SAME_LINE = 4.0  # points
Rows = list[str]


def plain(text: str) -> str:
    """Return the letters and signs of a text: no marks, which readers order freely, nor spaces."""
    composed = unicodedata.normalize("NFKD", text)
    return "".join(one for one in composed if unicodedata.category(one)[0] not in "MZC")


def letters_of(text: str) -> str:
    """Return the letters of a line of a grid, without the numbers of its squares."""
    return "".join(one for one in plain(text) if not one.isdigit())


def rows_of(puzzle: PuzzleData) -> Rows:
    """Return the letters of each row, from left to right."""
    grid = puzzle.from_the_left().grid
    return [plain("".join(tile or "" for tile in row)) for row in grid]


def texts_of(puzzle: PuzzleData) -> list[str]:
    """Return the clues on the student's sheet."""
    return [placed.clue for placed in puzzle.placements]


def has_in_order(found: Sequence[str], wanted: Rows) -> bool:
    """Return whether the rows follow each other in what was read, in either direction."""
    either = [{row, row[::-1]} for row in wanted if row]
    kept = [text for text in found if text]
    return any(
        all(kept[start + n] in ways for n, ways in enumerate(either))
        for start in range(len(kept) - len(either) + 1)
    )


def lacking(puzzle: PuzzleData, text: str) -> Iterator[str]:
    """Yield what is not in the text of a sheet or its solution."""
    letters = plain(text)
    for clue in texts_of(puzzle):
        if not all(plain(word) in letters for word in clue.split()):
            yield f"the clue “{clue}” is missing"


def lines_of(path: Path) -> tuple[list[str], str]:
    """Return the letters of each line of a PDF from left to right, and its whole text."""
    told = subprocess.run(["pdftotext", "-bbox", path, "-"], capture_output=True, check=True).stdout
    lines: list[tuple[float, list[tuple[float, str]]]] = []
    every = []
    for number, page in enumerate(ElementTree.fromstring(told).iter(f"{_XHTML}page")):
        for word in page.iter(f"{_XHTML}word"):
            text = word.text or ""
            every.append(text)
            left, top, right, bottom = (float(word.attrib[name]) for name in _SIDES)
            middle = (left + right) / 2
            y = number * 10_000 + (top + bottom) / 2
            line = next((one for one in lines if abs(one[0] - y) < _SAME_LINE), None)
            if line is None:
                line = (y, [])
                lines.append(line)
            line[1].append((middle, letters_of(text)))
    ordered = ["".join(text for _x, text in sorted(line)) for _y, line in sorted(lines)]
    return ordered, " ".join(every)


def check_pdf(puzzle: PuzzleData, folder: Path) -> Iterator[str]:
    path = folder / "puzzle.pdf"
    for is_key in (False, True):
        file = FORMATS["pdf"]
        path.write_bytes(file.write_solution(puzzle) if is_key else file.write(puzzle))
        lines, text = lines_of(path)
        name = "solution" if is_key else "sheet"
        if is_key or not puzzle.hides_letters:
            if not has_in_order(lines, rows_of(puzzle)):
                yield f"PDF, {name}: another grid"
        elif any(row in lines for row in rows_of(puzzle) if len(row) > 1):
            yield f"PDF, {name}: the letters of the solution are there"
        yield from (f"PDF, {name}: {one}" for one in lacking(puzzle, text))
        fonts = subprocess.run(["pdffonts", path], capture_output=True, text=True, check=True)
        for line in fonts.stdout.splitlines()[2:]:
            if line.split()[-5:-2] != ["yes", "yes", "yes"]:  # embedded, a part, with letters
                yield f"PDF, {name}: a font is not embedded: {line}"


def check_svg(puzzle: PuzzleData, page: Page) -> Iterator[str]:
    drawing = FORMATS["svg"].write_solution(puzzle).decode()
    page.set_content(drawing[drawing.index("<svg") :])
    texts: list[tuple[str, float, float, float]] = page.evaluate(_TEXTS)
    tiles = {tile for row in puzzle.grid for tile in row if tile}
    letters = [one for one in texts if one[0] in tiles]
    size = collections.Counter(one[1] for one in letters).most_common(1)[0][0]
    grid = sorted((round(y, 1), x, text) for text, its, x, y in letters if its == size)
    rows = groupby(grid, lambda one: one[0])
    found = [plain("".join(text for _y, _x, text in row)) for _y, row in rows]
    if not has_in_order(found, rows_of(puzzle)):
        yield "SVG: another grid"
    yield from (f"SVG: {one}" for one in lacking(puzzle, " ".join(one[0] for one in texts)))


def check_docx(puzzle: PuzzleData) -> Iterator[str]:
    document: Any = Document(io.BytesIO(FORMATS["docx"].write_solution(puzzle)))
    tables = [
        [[cell.text for cell in row.cells] for row in table.rows] for table in document.tables
    ]
    wanted = [[plain(tile or "") for tile in row] for row in puzzle.grid]
    if wanted not in [[[letters_of(text) for text in row] for row in table] for table in tables]:
        yield "DOCX: another grid"
    texts = [paragraph.text for paragraph in document.paragraphs]
    texts += [text for table in tables for row in table for text in row]
    yield from (f"DOCX: {one}" for one in lacking(puzzle, " ".join(texts)))


def faults_of(puzzle: PuzzleData, folder: Path, page: Page) -> Iterable[str]:
    yield from check_pdf(puzzle, folder)
    yield from check_svg(puzzle, page)
    yield from check_docx(puzzle)


def main() -> None:
    """Make, read and compare; print each fault, and how many puzzles of each kind agree."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--puzzles", type=int, default=200)
    wanted = parser.parse_args().puzzles
    agreed: collections.Counter[str] = collections.Counter()
    wrong = 0
    each = cycle([(kind, language) for language in LANGUAGES for kind in KINDS])
    with sync_playwright() as playwright, tempfile.TemporaryDirectory() as folder:
        browser = playwright.chromium.launch(executable_path=find_chromium(), args=["--no-sandbox"])
        page = browser.new_page()
        for seed in range(wanted):
            kind, language = next(each)
            try:
                puzzle = made(kind, language, random.Random(seed))
            except PuzzleError as error:
                print(f"{kind}, {language}, seed {seed}: not made: {error}")
                continue
            faults = list(faults_of(puzzle, Path(folder), page))
            wrong += bool(faults)
            agreed[kind] += not faults
            print(
                *(f"{kind}, {language}, seed {seed}: {one}" for one in faults),
                sep="\n",
                end="\n" * bool(faults),
            )
        browser.close()
    for kind, count in agreed.items():
        print(f"{kind:12} {count} agree in PDF, SVG and DOCX")
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main()
