"""Parse what a teacher pasted into a page. Pure."""

from __future__ import annotations

from vocab.formats import delimited
from vocab.formats.rows import Parsed


def parse_pasted(text: str) -> Parsed:
    """Return the rows of pasted lines and their problems.

    Raises FormatError if nothing can be read at all.
    """
    return delimited.parse(text)
