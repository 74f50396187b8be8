"""Check exported puzzles with readers of other programs, and import files of other programs.

    python benchmarks/exchange_readers.py --node FOLDER [--puzzles 200] [--files FOLDER]

Makes crosswords and word searches in twelve languages and compares what others read with what was
made: ipuz with the library `ipuz`, .puz with `puzjs`, .jpz with `xd-crossword-tools`.
Without --node, those of npm are left out. FOLDER of --node is where they are installed:

    npm install puzjs xd-crossword-tools@12.1.2

Every file in FOLDER of --files is read, fitted into English, and told with its reason if it is
refused. Exits with status 1 if a puzzle was read otherwise than it was made.
"""

from __future__ import annotations

import argparse
import collections
import json
import os
import random
import re
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "osmosmjerka.settings")

import django  # noqa: E402

django.setup()

import ipuz  # noqa: E402

from puzzles.exports import FORMATS, ExportError, PuzzleData  # noqa: E402
from puzzles.generators.errors import PuzzleError  # noqa: E402
from puzzles.imports.readers import ReadError, read  # noqa: E402
from puzzles.kinds import KINDS  # noqa: E402
from puzzles.kinds.base import FromWords  # noqa: E402

LANGUAGES = ("ar", "cs", "de", "el", "es", "fr", "he", "hr", "ja", "pl", "ru", "tr")
WORDS = {
    "cs": "pes kočka žába škola kniha dům strom slunce voda chleba mléko přítel ruka",
    "pl": "pies kot żaba szkoła książka dom drzewo słońce woda chleb mleko przyjaciel ręka",
}
# Reads every file of a folder with the libraries of npm, and prints what each says.
NODE = """
const fs = require("fs"), path = require("path");
const folder = process.argv[2], found = {};
const log = console.log; console.log = console.warn = () => {};
const puz = require("puzjs"), xd = require("xd-crossword-tools");
for (const name of fs.readdirSync(folder)) {
  const file = path.join(folder, name);
  try {
    if (name.endsWith(".puz")) found[name] = puz.decode(new Uint8Array(fs.readFileSync(file)));
    if (name.endsWith(".jpz")) {
      found[name] = {xd: xd.jpzToXD(fs.readFileSync(file, "utf8"))};
    }
  } catch (error) { found[name] = {error: String(error)}; }
}
log(JSON.stringify(found));
"""
# A line of the format xd: “A3. school ~ ŠKOLA”.
_XD_CLUE = re.compile(r"^([AD])(\d+)\. (.*) ~ (.*)$", re.MULTILINE)
Clues = dict[tuple[int | None, str], str]


def words_of(language: str) -> list[tuple[str, str]]:
    """Return sample words of a language with their English translations."""
    if language in WORDS:
        return [(word, f"clue of {word}") for word in WORDS[language].split()]
    lines = (ROOT / "vocab/samples/first-words.tsv").read_text(encoding="utf-8").splitlines()
    table = [line.split("\t") for line in lines]
    own, other = table[0].index(language), table[0].index("en")
    return [(row[own], row[other]) for row in table[1:]]


def made(kind: str, language: str, rng: random.Random) -> PuzzleData:
    """Return a generated puzzle of some sample words."""
    items = rng.sample(words_of(language), 10)
    request = FromWords([word for word, _clue in items], language, None, 0.1, rng)
    result = KINDS[kind].make(request)
    title = f"Zagonetka {language}"
    return PuzzleData.from_generated(kind, result, items, title=title, language=language)


def clues_of(puzzle: PuzzleData) -> Clues:
    return {(p.number, p.direction): p.clue for p in puzzle.placements}


def answers_of(puzzle: PuzzleData) -> Clues:
    """Return the letters of each word."""
    return {
        (p.number, p.direction): "".join(puzzle.grid[row][col] or "" for row, col in p.cells)
        for p in puzzle.placements
    }


def check_ipuz(puzzle: PuzzleData, data: bytes) -> str:
    """Return what the library `ipuz` objects to, or ""."""
    document = json.loads(data)
    for clue in document.get("clues", {}).get("Across", []):
        clue.pop("cells", None)  # an extension that this library does not know
    try:
        ipuz.read(json.dumps(document))
    except ipuz.IPUZException as error:
        return str(error)
    return ""


def check_own(puzzle: PuzzleData, data: bytes) -> str:
    """Return how our own reader reads the puzzle otherwise, or ""."""
    try:
        found = read(data).in_reading_order(is_rtl=puzzle.is_mirrored)
    except ReadError as error:
        return str(error)
    if found.grid != puzzle.grid:
        return "another grid"
    if {(w.cells, w.number) for w in found.words} != {
        (p.cells, p.number) for p in puzzle.placements
    }:
        return "other places"
    return ""


def check_puzjs(puzzle: PuzzleData, told: Any) -> str:
    """Return how puzjs reads a .puz file otherwise, or ""; it takes UTF-8 for Latin-1."""
    if "error" in told:
        return str(told["error"])

    def text(value: str) -> str:
        try:
            return value.encode("latin-1").decode("utf-8")
        except UnicodeError:
            return value

    grid = tuple(
        tuple(
            None if cell == "." else text(cell["solution"] if isinstance(cell, dict) else cell)
            for cell in row
        )
        for row in told["grid"]
    )
    clues = {
        (number, direction): text(clue)
        for direction, listed in told["clues"].items()
        for number, clue in enumerate(listed)
        if clue is not None
    }
    lengths = {
        (p.number, p.direction): f"{p.clue} ({p.enumeration})".strip()
        if len(p.lengths) > 1 or not p.clue
        else p.clue
        for p in puzzle.placements
    }
    if grid != puzzle.grid:
        return "another grid"
    if text(told["meta"]["title"]) != puzzle.title:
        return "another title"
    return "" if clues == lengths else "other clues"


def check_xd(puzzle: PuzzleData, told: Any) -> str:
    """Return how xd-crossword-tools reads the clues and answers of a .jpz otherwise, or ""."""
    if "error" in told:
        return str(told["error"])
    found = {
        (int(number), "across" if way == "A" else "down"): (clue, answer.replace("|", ""))
        for way, number, clue, answer in _XD_CLUE.findall(told["xd"])
    }
    clues, answers = clues_of(puzzle), answers_of(puzzle)
    own = {key: (clues[key], answers[key]) for key in clues}
    return "" if found == own else "other clues or answers"


def import_files(folder: Path) -> None:
    """Read every file of a folder and say which are refused."""
    from django.core.exceptions import ValidationError

    from puzzles.imports.services import fit

    counts: collections.Counter[str] = collections.Counter()
    for path in sorted(folder.iterdir()):
        try:
            fit(read(path.read_bytes()), "en")
            outcome = "imported"
        except ReadError as error:
            outcome = f"refused: {error}"
        except ValidationError as error:
            outcome = f"refused: {error.messages[0]}"
        counts[outcome.partition(":")[0]] += 1
        print(f"  {path.name}: {outcome}")
    print("files of others:", dict(counts))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--puzzles", type=int, default=200)
    parser.add_argument("--node", type=Path)
    parser.add_argument("--files", type=Path)
    options = parser.parse_args()
    rng = random.Random(1)
    agree: collections.Counter[str] = collections.Counter()
    wrong: list[str] = []

    def note(reader: str, name: str, objection: str) -> None:
        if objection:
            wrong.append(f"{reader} {name}: {objection}")
        else:
            agree[reader] += 1

    with tempfile.TemporaryDirectory() as folder:
        puzzles: dict[str, PuzzleData] = {}
        for number in range(options.puzzles):
            language = LANGUAGES[number % len(LANGUAGES)]
            kind = "crossword" if number // len(LANGUAGES) % 2 == 0 else "word-search"
            try:
                puzzle = made(kind, language, rng)
            except PuzzleError as error:
                agree[f"not generated: {language}"] += 1
                print(f"  {language} {kind}: {error}")
                continue
            for name in ("ipuz", "jpz", "puz"):
                try:
                    data = FORMATS[name].write(puzzle)
                except ExportError as error:
                    agree[f".{name} refused: {str(error)[:60]}"] += 1
                    continue
                file = f"{number}-{language}.{name}"
                puzzles[file] = puzzle
                (Path(folder) / file).write_bytes(data)
                note(f".{name} own reader", file, check_own(puzzle, data))
                if name == "ipuz":
                    note(".ipuz ipuz", file, check_ipuz(puzzle, data))
        if options.node:
            told = json.loads(
                subprocess.run(
                    ["node", "-e", NODE, "-", folder],
                    cwd=options.node,
                    capture_output=True,
                    text=True,
                    check=True,
                ).stdout
            )
            for file, said in told.items():
                if file.endswith(".puz"):
                    note(".puz puzjs", file, check_puzjs(puzzles[file], said))
                else:
                    note(".jpz xd-crossword-tools", file, check_xd(puzzles[file], said))
    for reader, count in sorted(agree.items()):
        print(f"{reader}: {count}")
    print("\n".join(wrong[:40]) or "all agree")
    if options.files:
        import_files(options.files)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
