"""The millimetres of a worksheet, by how many share a page and how large its texts are."""

from __future__ import annotations

from dataclasses import dataclass, replace

from puzzles.exports.data import Printing


@dataclass(frozen=True, slots=True)
class Measures:
    """The millimetres of a sheet: margin, gaps, letters of the head, and the QR code.

    *line* is the room of a line to write on. *words* and *clues* are the sizes of the list, best
    first.
    """

    margin: float
    gap: float
    title: float
    head: float
    line: float
    instruction: float
    code: float
    words: tuple[float, ...]
    clues: tuple[float, ...]


# Eleven points are 3.9 mm, and ten are 3.53. By the number of sheets on a page.
_MEASURES = {
    1: Measures(
        margin=15, gap=6, title=7, head=3.9, line=9, instruction=4.6, code=22,
        words=(5.0, 4.6, 4.2, 3.9), clues=(4.6, 4.2, 3.9, 3.55),
    ),
    2: Measures(
        margin=10, gap=4, title=5.4, head=3.4, line=7.5, instruction=3.9, code=18,
        words=(4.2, 3.9, 3.55, 3.2), clues=(3.9, 3.55, 3.2, 2.9),
    ),
    4: Measures(
        margin=8, gap=3, title=4.4, head=3.0, line=6.5, instruction=3.3, code=15,
        words=(3.6, 3.2, 2.9, 2.6), clues=(3.2, 2.9, 2.6),
    ),
}  # fmt: skip
_SMALL = (3.4, 3.0, 2.6)
_LARGE = (7.0, 6.4)  # large print begins at 18 points


def measures_of(printing: Printing, per_page: int) -> Measures:
    """Return the millimetres of one of *per_page* sheets on a page."""
    measures = _MEASURES[per_page]
    if printing.text == "small":
        return replace(measures, words=_SMALL, clues=_SMALL)
    if printing.text == "large":
        if per_page == 1:
            measures = replace(
                measures, margin=12.0, title=9.0, head=6.4, line=14.0, instruction=6.4
            )
        return replace(measures, words=_LARGE, clues=_LARGE)
    return measures
