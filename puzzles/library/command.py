"""The command `osmosmjerka make-puzzle`, which the library installs as `osmosmjerka-puzzles`."""

from __future__ import annotations

import argparse
import re
import secrets
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from puzzles.exports import FORMATS, ExportError
from puzzles.generators.errors import PuzzleError
from puzzles.library.makers import MAKERS
from puzzles.library.puzzle import NotAllWords, Puzzle, format_of

PROGRAM = "osmosmjerka-puzzles"
_WISHES = {
    "crossword": {"seconds"},
    "finder": {"difficulty"},
    "word-search": {"difficulty", "directions", "shape", "message"},
}
_STANDARD = "-"
_EXAMPLES = """
examples:
  %(prog)s word-search cat dog horse
  %(prog)s word-search animals.tsv --shape heart --difficulty easy -o animals.pdf
  %(prog)s crossword animals.tsv --language hr --count 12 --require-all --format ipuz
  %(prog)s word-search animals.tsv --versions 2 --key -o test.pdf    (test-A.pdf, test-B.pdf)
  cut -f1 animals.tsv | %(prog)s finder - --seed 7
"""


class Failed(Exception):
    """No puzzle was made; the message says why and what to do."""


class _Word(NamedTuple):
    word: str
    clue: str = ""
    line: int = 0


def main(arguments: Sequence[str] | None = None, *, program: str = PROGRAM) -> None:
    """Make the puzzle that *arguments*, or those of the shell, ask for.

    Raises SystemExit: 2 for wrong options, else with a sentence, which is 1 for the shell.
    """
    options = vars(parser(program).parse_args(arguments))
    try:
        _run(**options)
    except Failed as error:
        sys.exit(f"{program}: {error}")
    except KeyboardInterrupt:
        sys.exit(130)  # the exit code that shells expect after Ctrl-C


def parser(program: str = PROGRAM) -> argparse.ArgumentParser:
    """Return the parser of the command's options."""
    made = argparse.ArgumentParser(
        program,
        description="Make a puzzle from words, or a file with one a line, or with a translation "
        "behind a tab.",
        epilog=_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add = made.add_argument
    add("kind", choices=sorted(MAKERS))
    add(
        "words",
        metavar="WORD",
        nargs="+",
        help="two words or more; or a text file, or - to type or pipe one",
    )
    add("--size", metavar="R[xC]", help="rows and columns, as 12 or 10x15")
    add("--count", type=int, metavar="N", help="so many of the words, at random")
    add("--difficulty", choices=["easy", "medium", "hard"])
    add("--directions", metavar="E,SE,…", help="where words run, as points of the compass")
    add(
        "--shape", choices=["heart", "circle", "star", "diamond"], help="the shape of a word search"
    )
    add("--message", default="", help="what its other letters spell")
    add("--require-all", action="store_true", help="fail unless every word is in the puzzle")
    add("--versions", type=int, metavar="N", default=1, help="so many grids of the same words")
    add("--seed", type=int, help="the same seed makes the same puzzle again")
    add("--seconds", type=float, help="how long to search for a crossword")
    add("--language", metavar="TAG", help="the words' language, as hr or pt-BR")
    add("--title", help="what stands above the puzzle; else the file's name")
    add("--format", choices=list(FORMATS), help="else by the name of FILE, or text")
    add(
        "--key",
        action="store_true",
        help="add the answers to text, pdf and docx, or write svg and png of the answers alone",
    )
    add("-o", "--output", metavar="FILE", default=_STANDARD)
    return made


def _run(
    *,
    kind: str,
    words: list[str],
    size: str | None,
    count: int | None,
    require_all: bool,
    versions: int,
    seed: int | None,
    language: str | None,
    title: str | None,
    format: str | None,
    key: bool,
    output: str,
    **wishes: Any,
) -> None:
    file_format = FORMATS[_format_for(format, output)]
    if output == _STANDARD and not file_format.is_text:
        if sys.stdout.isatty():
            raise Failed(
                f"A {file_format.name} file is not for a terminal. Name a file with -o, or pipe it."
            )
        if versions > 1:
            raise Failed(
                f"{versions} {file_format.name} files cannot be in one. Name them with -o."
            )
    wishes["directions"] = [name for name in (wishes["directions"] or "").split(",") if name]
    wanted = {name: value for name, value in wishes.items() if value}
    for name in sorted(wanted.keys() - _WISHES[kind]):
        _note(f"--{name} changes nothing in a {kind}.")
    if key and file_format.has_answers:
        _note(f"--key changes nothing: a {file_format.name} file always has the answers.")
    options: dict[str, Any] = {name: wanted[name] for name in wanted.keys() & _WISHES[kind]}
    if size is not None:
        options["size"] = _size(size)
    source = words[0] if len(words) == 1 else None
    given = _read(source) if source else _given(words)
    if count is not None and not 0 < count <= len(given):
        raise Failed(f"--count {count}: there are {len(given)} words.")
    if seed is None:
        seed = secrets.randbits(32)
        _note(f"Seed: {seed} (--seed {seed} makes this puzzle again)")
    title = title or (Path(source).stem if source and source != _STANDARD else "")
    if title:
        options["title"] = title
    try:
        puzzle = MAKERS[kind](
            [(word.word, word.clue) for word in given],
            language=language,
            count=count,
            require_all=require_all,
            seed=seed,
            **options,
        )
        made = puzzle.versions(versions) if versions != 1 else [puzzle]
        written = [one.to_bytes(file_format.name, key=key) for one in made]
    except NotAllWords as error:
        _tell_what_is_missing(error.puzzle, given)
        raise Failed(
            f"{len(error.puzzle.words)} of {error.wanted} words are in the puzzle, so nothing was "
            "written. Allow more room with --size, or leave out --require-all."
        ) from error
    except (PuzzleError, ExportError) as error:
        raise Failed(str(error)) from error
    _tell_what_is_missing(puzzle, given)
    for one, data in zip(made, written, strict=True):
        _write(data, _numbered(output, one.data.printing.version))


def _read(name: str) -> list[_Word]:
    """Return the words of the lines of a file; report the lines that cannot be used."""
    # Only for files, and as large as all the rest.
    from vocab.formats import delimited
    from vocab.formats.rows import FormatError

    try:
        data = sys.stdin.buffer.read() if name == _STANDARD else Path(name).read_bytes()
    except OSError as error:
        more = ""
        if isinstance(error, FileNotFoundError) and not Path(name).suffix:
            more = " Give a file of words, or two words or more, each an argument of its own."
        raise Failed(f"“{name}” cannot be read: {error.strerror}.{more}") from error
    try:
        parsed = delimited.parse(data)
        if parsed.settings["has_header"] and len(parsed.columns) == 1:
            # In a plain list of words the first line is also a word.
            parsed = delimited.parse(data, has_header=False)
    except FormatError as error:
        raise Failed(f"“{name}” cannot be read: {error}") from error
    if parsed.settings["has_header"]:
        _note("The first line was read as the names of the columns.")
    for problem in parsed.problems:
        where = f"Line {problem.line}: " if problem.line else ""
        _note(f"{where}{problem.sentence}")
    if not parsed.rows:
        raise Failed(f"“{name}” has no word that can be used.")
    if len(parsed.rows) == 1 and " " in parsed.rows[0].term:
        _note(
            f"One line is one word: “{parsed.rows[0].term}” is a phrase. Put each word on a line "
            "of its own, or commas between them."
        )
    return [
        _Word(row.term, " · ".join(next(iter(row.translations.values()), [])), row.line)
        for row in parsed.rows
    ]


def _given(words: list[str]) -> list[_Word]:
    """Return words of the command line, each once; fail for a file among them."""
    for word in words:
        if Path(word).suffix and Path(word).is_file():
            raise Failed(f"“{word}” is a file. Name one file alone, or words.")
    return [_Word(word) for word in dict.fromkeys(words)]


def _tell_what_is_missing(puzzle: Puzzle, given: Sequence[_Word]) -> None:
    lines = {word.word: f" (line {word.line})" for word in given if word.line}
    for left_out in puzzle.unplaced:
        _note(f"Not placed: “{left_out.word}”: {left_out.reason}{lines.get(left_out.word, '')}")
    placed = len(puzzle.words)
    if placed + len(puzzle.unplaced) < len(given):
        _note(f"{placed} of {len(given)} words were chosen.")
    if puzzle.data.hides_letters:
        without = [word.word for word in puzzle.words if not word.clue]
        if without:
            _note(
                "Without a translation, so that only the number of letters is its clue: "
                f"{', '.join(without)}"
            )


def _write(data: bytes, output: str) -> None:
    if output == _STANDARD:
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()
        return
    try:
        Path(output).write_bytes(data)
    except OSError as error:
        raise Failed(f"“{output}” cannot be written: {error.strerror}.") from error


def _numbered(output: str, version: str) -> str:
    """Return the name of the file of one version: test-A.pdf for test.pdf."""
    path = Path(output)
    if not version or output == _STANDARD:
        return output
    return str(path.with_name(f"{path.stem}-{version}{path.suffix}"))


def _format_for(name: str | None, output: str) -> str:
    """Return the format asked for, else the one of the file's name; text if neither names one.

    Fails for a name whose ending is unknown, or that of another format.
    """
    if output == _STANDARD or not Path(output).suffix:
        return name or "text"
    try:
        named = format_of(output)
    except PuzzleError as error:
        if name:
            return name
        raise Failed(str(error)) from error
    if name and name != named:
        raise Failed(
            f"“{output}” is the name of a {named} file, but --format is {name}. "
            f"Name it {Path(output).with_suffix(FORMATS[name].extension)}, or leave out --format."
        )
    return named


def _size(text: str) -> tuple[int, int]:
    """Return (rows, columns) of "12" or "10x15"."""
    match = re.fullmatch(r"(\d{1,3})(?:[x×](\d{1,3}))?", text.strip(), re.IGNORECASE)
    if match is None:
        raise Failed(f"“{text}” is not a size. Write 12, or 10x15 for 10 rows of 15.")
    return int(match[1]), int(match[2] or match[1])


def _note(text: str) -> None:
    print(text, file=sys.stderr)


if __name__ == "__main__":
    main()
