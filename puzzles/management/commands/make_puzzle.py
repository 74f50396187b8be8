"""Create a puzzle from words or a file of words, without web server and database."""

from __future__ import annotations

import argparse
import re
import secrets
import sys
from pathlib import Path
from random import Random
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from puzzles.exports import FORMATS, ExportError, Format, PuzzleData
from puzzles.generators.errors import PuzzleError
from puzzles.kinds import KIND_NAMES, KINDS
from puzzles.kinds.base import WordsRequest
from vocab.formats import delimited
from vocab.formats.rows import FormatError
from vocab.text import canonical_language

_STANDARD = "-"
# Rows and columns of one step, by the point of the compass to which a word runs on paper.
_DIRECTIONS = {
    "E": (0, 1), "SE": (1, 1), "S": (1, 0), "SW": (1, -1),
    "W": (0, -1), "NW": (-1, -1), "N": (-1, 0), "NE": (-1, 1),
}  # fmt: skip
_SHAPES = ("heart", "circle", "star", "diamond")
_EXAMPLES = """
examples:
  %(prog)s word-search cat dog horse
  %(prog)s word-search animals.tsv --shape heart --difficulty easy -o animals.pdf
  %(prog)s crossword animals.tsv --language hr --count 12 --require-all --format ipuz
  cut -f1 animals.tsv | %(prog)s finder - --seed 7
"""


class Command(BaseCommand):
    help = (
        "Make a puzzle from words, or a file with one a line, or with a translation behind a tab."
    )
    requires_system_checks = []
    # What is about Django means nothing to a person who makes a puzzle.
    suppressed_base_arguments = {
        "--version", "--verbosity", "--settings", "--pythonpath", "--traceback", "--no-color",
        "--force-color", "--skip-checks",
    }  # fmt: skip

    def create_parser(self, prog_name: str, subcommand: str, **kwargs: Any) -> CommandParser:
        """Return the parser; the installed program writes its commands with hyphens."""
        if Path(prog_name).name == "osmosmjerka":
            subcommand = subcommand.replace("_", "-")
        return super().create_parser(
            prog_name,
            subcommand,
            epilog=_EXAMPLES,
            formatter_class=argparse.RawDescriptionHelpFormatter,
            **kwargs,
        )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("kind", choices=KIND_NAMES)
        parser.add_argument(
            "words",
            metavar="WORD",
            nargs="+",
            help="two words or more; or a text file, or - to type or pipe one",
        )
        parser.add_argument("--size", metavar="R[xC]", help="rows and columns, as 12 or 10x15")
        parser.add_argument(
            "--count", type=int, metavar="N", help="so many of the words, at random"
        )
        parser.add_argument("--difficulty", choices=["easy", "medium", "hard"])
        parser.add_argument(
            "--directions", metavar="E,SE,…", help="where words run, as points of the compass"
        )
        parser.add_argument("--shape", choices=_SHAPES, help="the shape of a word search")
        parser.add_argument("--message", default="", help="what its other letters spell")
        parser.add_argument(
            "--require-all", action="store_true", help="fail unless every word is in the puzzle"
        )
        parser.add_argument("--seed", type=int, help="the same seed makes the same puzzle again")
        parser.add_argument("--seconds", type=float, help="how long to search for a crossword")
        parser.add_argument("--language", metavar="TAG", help="the words' language, as hr or pt-BR")
        parser.add_argument("--title", help="what stands above the puzzle; else the file's name")
        parser.add_argument(
            "--format", choices=list(FORMATS), help="else by the name of FILE, or text"
        )
        parser.add_argument(
            "--key",
            action="store_true",
            help="add the answers to text, pdf and docx, or write svg and png of the answers alone",
        )
        parser.add_argument("-o", "--output", metavar="FILE", default=_STANDARD)

    def handle(
        self,
        *args: Any,
        kind: str,
        words: list[str],
        size: str | None,
        count: int | None,
        difficulty: str | None,
        directions: str | None,
        shape: str | None,
        message: str,
        require_all: bool,
        seed: int | None,
        seconds: float | None,
        language: str | None,
        title: str | None,
        format: str | None,
        key: bool,
        output: str,
        **options: Any,
    ) -> None:
        file_format = _format_for(format, output)
        if output == _STANDARD and not file_format.is_text and self.stdout.isatty():
            raise CommandError(
                f"A {file_format.name} file is not for a terminal. Name a file with -o, or pipe it."
            )
        ways = _directions(directions)
        wanted = {
            "seconds": seconds,
            "difficulty": difficulty,
            "directions": ways,
            "shape": shape or "",
            "message": message,
        }
        for name in sorted(wanted.keys() - KINDS[kind].wishes):
            if wanted[name]:
                self._note(f"--{name} changes nothing in a {kind}.")
        if key and file_format.has_answers:
            self._note(f"--key changes nothing: a {file_format.name} file always has the answers.")
        tag = _language(language)
        sides = _size(size)
        source = words[0] if len(words) == 1 else None
        items = self._read(source) if source else _given(words)
        if seed is None:
            seed = secrets.randbits(32)
            self._note(f"Seed: {seed} (--seed {seed} makes this puzzle again)")
        rng = Random(seed)
        given = len(items)
        if count is not None:
            if not 0 < count <= given:
                raise CommandError(f"--count {count}: there are {given} words.")
            chosen = set(rng.sample(range(given), count))
            items = [item for place, item in enumerate(items) if place in chosen]
        request = WordsRequest(
            [word for word, _ in items],
            tag,
            sides,
            seconds,
            rng,
            difficulty=difficulty,
            directions=ways,
            shape=shape or "",
            message=message,
            takes_all=count is not None or require_all,
        )
        try:
            result = KINDS[kind].make(request)
            named = "" if source in (None, _STANDARD) else Path(str(source)).stem
            title = title or named or kind
            puzzle = PuzzleData.from_generated(
                kind,
                result,
                items,
                title=title,
                language=tag,
                shows_words=KINDS[kind].shows_words_on_paper,
            )
            written = file_format.write(puzzle, key=key)
        except (PuzzleError, ExportError) as error:
            raise CommandError(str(error)) from error
        self._tell_what_is_missing(puzzle, len(items))
        if require_all and len(puzzle.placements) < len(items):
            raise CommandError(
                f"{len(puzzle.placements)} of {len(items)} words are in the puzzle, so nothing was "
                "written. Allow more room with --size, or leave out --require-all."
            )
        self._write(written, output, file_format)

    def _read(self, name: str) -> list[tuple[str, str]]:
        """Return (word, translation or "") of each line; report the lines that cannot be used."""
        try:
            data = sys.stdin.buffer.read() if name == _STANDARD else Path(name).read_bytes()
        except OSError as error:
            raise CommandError(f"“{name}” cannot be read: {error.strerror}.") from error
        try:
            parsed = delimited.parse(data)
            if parsed.settings["has_header"] and len(parsed.columns) == 1:
                # In a plain list of words the first line is also a word.
                parsed = delimited.parse(data, has_header=False)
        except FormatError as error:
            raise CommandError(f"“{name}” cannot be read: {error}") from error
        if parsed.settings["has_header"]:
            self._note("The first line was read as the names of the columns.")
        for problem in parsed.problems:
            where = f"Line {problem.line}: " if problem.line else ""
            self._note(f"{where}{problem.sentence}")
        if not parsed.rows:
            raise CommandError(f"“{name}” has no word that can be used.")
        if len(parsed.rows) == 1 and " " in parsed.rows[0].term:
            self._note(f"One line is one word: “{parsed.rows[0].term}” is a phrase.")
        return [
            (row.term, " · ".join(next(iter(row.translations.values()), []))) for row in parsed.rows
        ]

    def _tell_what_is_missing(self, puzzle: PuzzleData, given: int) -> None:
        for left_out in puzzle.unplaced:
            self._note(f"Not placed: “{left_out.word}”: {left_out.reason}")
        placed = len(puzzle.placements)
        if placed + len(puzzle.unplaced) < given:
            self._note(f"{placed} of {given} words were chosen.")
        if puzzle.hides_letters:
            without = [placed.word for placed in puzzle.placements if not placed.clue]
            if without:
                self._note(
                    f"Without a translation, so that only the number of letters is its clue: "
                    f"{', '.join(without)}"
                )

    def _write(self, written: bytes, output: str, file_format: Format) -> None:
        if output != _STANDARD:
            try:
                Path(output).write_bytes(written)
            except OSError as error:
                raise CommandError(f"“{output}” cannot be written: {error.strerror}.") from error
        elif binary := getattr(self.stdout, "buffer", None):
            binary.write(written)
            binary.flush()
        elif file_format.is_text:
            self.stdout.write(written.decode(), ending="")
        else:
            raise CommandError("Name a file with -o; this output takes text only.")

    def _note(self, text: str) -> None:
        self.stderr.write(text, style_func=str)


def _format_for(name: str | None, output: str) -> Format:
    """Return the format asked for, else the one of the file's name; text if neither names one.

    Raises CommandError for a name whose ending is unknown, or that of another format.
    """
    ending = Path(output).suffix.lower()
    named = next((f for f in FORMATS.values() if f.extension == ending), None)
    if name is None:
        if named is None and ending and output != _STANDARD:
            known = ", ".join(format.extension for format in FORMATS.values())
            raise CommandError(
                f"“{output}” ends in {ending}, which is not a known format. Known are {known}."
            )
        return named or FORMATS["text"]
    if named is not None and named.name != name:
        raise CommandError(
            f"“{output}” is the name of a {named.name} file, but --format is {name}. "
            f"Name it {Path(output).with_suffix(FORMATS[name].extension)}, or leave out --format."
        )
    return FORMATS[name]


def _given(words: list[str]) -> list[tuple[str, str]]:
    """Return words of the command line, each once. Raises CommandError for a file among them."""
    for word in words:
        if Path(word).suffix and Path(word).is_file():
            raise CommandError(f"“{word}” is a file. Name one file alone, or words.")
    return [(word, "") for word in dict.fromkeys(words)]


def _directions(text: str | None) -> tuple[tuple[int, int], ...]:
    """Return the directions of "E,SE". Raises CommandError for what is none."""
    names = [name.strip().upper() for name in (text or "").split(",") if name.strip()]
    if unknown := [name for name in names if name not in _DIRECTIONS]:
        raise CommandError(
            f"“{unknown[0]}” is not a direction. Known are {', '.join(_DIRECTIONS)}."
        )
    return tuple(_DIRECTIONS[name] for name in names)


def _language(tag: str | None) -> str | None:
    if tag is None:
        return None
    try:
        return canonical_language(tag)
    except ValueError as error:
        raise CommandError(str(error)) from error


def _size(text: str | None) -> tuple[int, int] | None:
    """Return (rows, columns) of "12" or "10x15"."""
    if text is None:
        return None
    match = re.fullmatch(r"(\d{1,3})(?:[x×](\d{1,3}))?", text.strip(), re.IGNORECASE)
    if match is None:
        raise CommandError(f"“{text}” is not a size. Write 12, or 10x15 for 10 rows of 15.")
    return int(match[1]), int(match[2] or match[1])
