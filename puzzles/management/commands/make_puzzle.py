"""Create a puzzle from a file of words, without web server and database."""

from __future__ import annotations

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


class Command(BaseCommand):
    help = "Make a puzzle from a file of words, one a line or with a translation behind a tab."
    requires_system_checks = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("kind", choices=KIND_NAMES)
        parser.add_argument("words", metavar="WORDS_FILE", help="a text file, or - to type or pipe")
        parser.add_argument("--size", metavar="R[xC]", help="rows and columns, as 12 or 10x15")
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
        words: str,
        size: str | None,
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
        if seconds is not None and not KINDS[kind].is_searched:
            self._note(f"--seconds is for crosswords; it changes nothing in a {kind}.")
        if key and file_format.has_answers:
            self._note(f"--key changes nothing: a {file_format.name} file always has the answers.")
        tag = _language(language)
        sides = _size(size)
        items = self._read(words)
        if seed is None:
            seed = secrets.randbits(32)
            self._note(f"Seed: {seed} (--seed {seed} makes this puzzle again)")
        request = WordsRequest([word for word, _ in items], tag, sides, seconds, Random(seed))
        try:
            result = KINDS[kind].make(request)
            title = title or ("" if words == _STANDARD else Path(words).stem) or kind
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
