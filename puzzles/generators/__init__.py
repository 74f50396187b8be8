"""Pure generators: words in, puzzles out. No Django, no clock, no global randomness.

`word_search`, `finder` and `crossword` have one function `generate` each; docs/library.md shows how
to use them from other programs.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

log = logging.getLogger(__name__)


def generate_grid(
    items: Sequence[Mapping[str, Any]],
    size: int | tuple[int, int] | None = None,
    *,
    language: str | None = None,
    rng: Random | None = None,
) -> tuple[list[list[str | None]], list[dict[str, Any]]]:
    """Create a word search of *items*, each with a "phrase" or a "word"; return (grid, placed).

    *size* is a side or (rows, cols); without it the grid is as large as the words need. *language*
    is a tag such as "hr": it decides which letters are one tile, and fills the grid.

    Returns:
        The grid, a list of rows, each a list of tiles; and the items that are in it, in order,
        each with "coords": a list of the (row, col) of every tile, first letter first.

    Raises:
        WordSearchError: no word can be placed, or an item has neither key.

    An item that is not in the grid is logged with the reason; `word_search.generate` returns the
    reasons. Without *rng* every call gives another puzzle.
    """
    from puzzles.generators import word_search
    from puzzles.generators.errors import WordSearchError
    from vocab.message import message

    words = []
    for item in items:
        if not isinstance(item, Mapping) or not ("phrase" in item or "word" in item):
            raise WordSearchError(
                message(
                    "An item needs a “phrase” or a “word”; {item} has neither.", item=repr(item)
                )
            )
        words.append(item["phrase"] if "phrase" in item else item["word"])
    made = word_search.generate(words, size=size, language=language, rng=rng)
    for unplaced in made.unplaced:
        log.warning("Not in the grid: %s", unplaced.reason)
    cells = {placement.word: list(placement.cells) for placement in made.placements}
    placed = [
        {**item, "coords": cells.pop(word)}
        for item, word in zip(items, words, strict=True)
        if word in cells
    ]
    return [list(row) for row in made.grid], placed


def warm_up() -> None:
    """Compile every generator's inner loops, or load the compiled code from the cache.

    Takes up to a minute once, then about two seconds. A puzzle that is made without it compiles
    what it needs.
    """
    from puzzles.generators import crossword, word_search

    crossword.warm_up()
    word_search.warm_up()
