"""Read puzzles from files of other programs: ipuz, Across Lite, Crossword Compiler. Pure.

A file comes from anybody. Whatever it contains, `read` returns a puzzle within the limits of
`puzzle.py`, or raises ReadError with a sentence for people.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from importlib import import_module
from itertools import islice
from pathlib import PurePosixPath

from puzzles.imports.readers.puzzle import ReadError, ReadPuzzle, ReadWord, other_format, unknown
from vocab.formats import archive
from vocab.formats.rows import FormatError
from vocab.message import message

__all__ = ["LARGEST_FILE", "SUFFIXES", "ReadError", "ReadPuzzle", "ReadWord", "read"]

SUFFIXES = (".ipuz", ".puz", ".jpz", ".xml", ".zip")
LARGEST_FILE = 1_000_000
# Files may have something before the mark of Across Lite.
_HEAD = 4096
_LARGEST_MEMBER = 5_000_000
_MOST_MEMBERS = 20
_ZIP = b"PK\x03\x04"
_UTF_16 = (b"\xff\xfe<", b"\xfe\xff\0<")
_IPUZ = re.compile(rb"\s*(?:[\w.$]{1,60}\s*\(\s*)?\{")
# What is at the beginning of files of other formats. Those of JSON are told apart by ipuz's reader.
_OTHERS = (
    ("Across Lite Text", re.compile(rb"\s*<ACROSS PUZZLE")),
    ("CrossFire", re.compile(rb"\s*(?:<\?xml[^>]*>\s*)?<CROSSFIRE", re.IGNORECASE)),
    ("Uclick XML", re.compile(rb"(?s:.*?)<AllAnswer ")),
    ("Exolve", re.compile(rb"(?s:.*?)^[ \t]*exolve-begin", re.MULTILINE)),
    ("XD", re.compile(rb"(?s:.*?)^(?:## Metadata|A1\. )", re.MULTILINE)),
)


def read(data: bytes) -> ReadPuzzle:
    """Return the puzzle of a file, whose format is recognised by its content.

    Raises ReadError.
    """
    if len(data) > LARGEST_FILE:
        raise ReadError(
            message("The file is larger than {most} MB.", most=LARGEST_FILE // 1_000_000)
        )
    return _read_packed(data) if data.startswith(_ZIP) else _read_plain(data)


def _read_plain(data: bytes) -> ReadPuzzle:
    found: ReadPuzzle = import_module(f"{__name__}.{_format_of(data)}").read(data)
    return found


def _read_packed(data: bytes) -> ReadPuzzle:
    """Return the first puzzle in a ZIP file, whatever else is in it."""
    puzzles: list[ReadPuzzle] = []
    refused, left = [], _LARGEST_MEMBER
    for member in islice(_members(data), _MOST_MEMBERS):
        left -= len(member)
        if left < 0 or len(puzzles) == 2:
            break
        try:
            puzzles.append(_read_plain(member))
        except ReadError as error:
            refused.append(error)
    if not puzzles:
        raise refused[0] if refused else unknown()
    if len(puzzles) == 1:
        return puzzles[0]
    told = message("The ZIP file contains several puzzles. Only the first is imported.")
    return replace(puzzles[0], losses=(told, *puzzles[0].losses))


def _members(data: bytes, *, may_nest: bool = True) -> Iterator[bytes]:
    """Yield the files in a ZIP file that may be puzzles, best first.

    GitHub and mail programs pack files again that are packed already. What macOS adds is left out.
    """
    try:
        with archive.open_zip(data, unpacked=_LARGEST_MEMBER) as opened:
            names = [
                member.filename
                for member in opened.infolist()
                if not (member.is_dir() or member.filename.startswith("__MACOSX/"))
            ]
            names.sort(key=lambda name: PurePosixPath(name.lower()).suffix not in SUFFIXES)
            for name in names[:_MOST_MEMBERS]:
                member = archive.read_member(opened, name, _LARGEST_MEMBER)
                if member.startswith(_ZIP) and may_nest:
                    yield from _members(member, may_nest=False)
                else:
                    yield member
    except FormatError as error:
        raise ReadError(error.sentence) from None


def _format_of(data: bytes) -> str:
    head = data[:_HEAD]
    start = head.removeprefix(b"\xef\xbb\xbf")
    if b"ACROSS&DOWN" in head:
        return "puz"
    for name, sign in _OTHERS:
        if sign.match(start):
            raise other_format(name)
    if start.lstrip().startswith(b"<") or start.startswith(_UTF_16):
        return "jpz"
    if _IPUZ.match(start):
        return "ipuz"
    raise unknown()
