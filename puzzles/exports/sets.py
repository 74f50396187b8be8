"""Print many worksheets in one PDF: a class's sheets, or versions of a test, with their keys."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from osmosmjerka.paper.lettering import MissingLetters
from osmosmjerka.paper.typefaces import EAST_ASIAN_PACKAGE
from puzzles.exports import pdf
from puzzles.exports.data import PuzzleData
from puzzles.exports.layout import pages_of
from vocab.message import Sentence, message


def write(
    puzzles: Sequence[PuzzleData], *, is_key: bool, title: str, language: str | None = None
) -> bytes:
    """Return the worksheets, or their keys, as one PDF, printed as the first of *puzzles*.

    They are in the order of *puzzles*; each begins on a page of its own, or in its own place if
    several share a page. Sheets that differ only in the student's name have one key. Raises
    ExportError if the fonts for print lack a letter.
    """
    pages = pages_of(_different(puzzles) if is_key else puzzles, is_key=is_key)
    return pdf.draw(pages, title=title, language=language, what_to_do=_what_to_do)


def _what_to_do(error: MissingLetters) -> Sentence:
    # There is no other format to choose, and the letters may be in a student's name.
    if error.lacks_east_asian:
        return message(
            "This site has no font to print these letters: {letters}. A site admin can add the "
            "font for Chinese, Japanese and Korean: it is in the package {package}.",
            letters=error.shown,
            package=EAST_ASIAN_PACKAGE,
        )
    return message(
        "The print fonts do not contain these letters: {letters}. They are in the words, the "
        "title, the instruction or a name. Write them differently, or download one worksheet "
        "without names as SVG and copy it.",
        letters=error.shown,
    )


def _different(puzzles: Sequence[PuzzleData]) -> list[PuzzleData]:
    """Return each puzzle once, with the names of its students, unless a version's letter tells."""
    same: dict[object, list[PuzzleData]] = {}
    for puzzle in puzzles:
        layout = (puzzle.title, puzzle.printing.version, puzzle.grid, puzzle.placements)
        same.setdefault(layout, []).append(puzzle)
    is_personal = len(same) > 1
    return [
        replace(sheets[0], printing=replace(sheets[0].printing, student=_names(sheets)))
        if is_personal and (len(sheets) == 1 or not sheets[0].printing.version)
        else replace(sheets[0], printing=replace(sheets[0].printing, student=""))
        for sheets in same.values()
    ]


def _names(sheets: Sequence[PuzzleData]) -> str:
    return ", ".join(sheet.printing.student for sheet in sheets if sheet.printing.student)
