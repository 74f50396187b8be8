"""Read puzzles from files of other programs: ipuz, Across Lite, Crossword Compiler. Pure.

A file comes from anybody. Whatever it contains, `read` returns a puzzle within the limits of
`puzzle.py`, or raises ReadError with a sentence for people.
"""

from __future__ import annotations

import re
from importlib import import_module

from puzzles.imports.readers.puzzle import ReadError, ReadPuzzle, ReadWord
from vocab.message import message

__all__ = ["LARGEST_FILE", "SUFFIXES", "ReadError", "ReadPuzzle", "ReadWord", "read"]

SUFFIXES = (".ipuz", ".puz", ".jpz", ".xml")
LARGEST_FILE = 1_000_000
# Files may have something before the mark of Across Lite.
_HEAD = 4096
_IPUZ = re.compile(rb"\s*(?:[\w.$]{1,60}\s*\(\s*)?\{")


def read(data: bytes) -> ReadPuzzle:
    """Return the puzzle of a file, whose format is recognised by its content.

    Raises ReadError.
    """
    if len(data) > LARGEST_FILE:
        raise ReadError(
            message("The file is larger than {most} MB.", most=LARGEST_FILE // 1_000_000)
        )
    found: ReadPuzzle = import_module(f"{__name__}.{_format_of(data)}").read(data)
    return found


def _format_of(data: bytes) -> str:
    head = data[:_HEAD]
    start = head.removeprefix(b"\xef\xbb\xbf")
    if b"ACROSS&DOWN" in head:
        return "puz"
    if start.startswith(b"PK\x03\x04") or start.lstrip().startswith(b"<"):
        return "jpz"
    if _IPUZ.match(start):
        return "ipuz"
    raise ReadError(
        message("This is not a puzzle file that can be read. Choose a file in ipuz, PUZ or JPZ.")
    )
