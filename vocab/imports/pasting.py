"""Parse what a teacher pasted into a page. Pure."""

from __future__ import annotations

from vocab.formats import delimited
from vocab.formats.rows import FormatError, Parsed, message

MOST_LINES = 5_000
CHARACTERS_A_LINE = 100  # on average


def parse_pasted(text: str) -> Parsed:
    """Return the rows of pasted lines and their problems.

    Raises FormatError if nothing can be read at all, or if it is too long to wait for.
    """
    refuse_too_long(text, lines=MOST_LINES)
    return delimited.parse(text)


def refuse_too_long(text: str, *, lines: int) -> None:
    """Raise FormatError if a pasted text has more than these *lines*, or a hundred times as much.

    A request waits until it is read; a file's words are saved by a worker.
    """
    count = max(text.count("\n"), text.count("\r")) + 1
    if count > lines or len(text) > lines * CHARACTERS_A_LINE:
        raise FormatError(
            message(
                "This text is too long to paste. Save it as a file, for example as CSV, and import "
                "that."
            )
        )
