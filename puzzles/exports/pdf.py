"""Export a puzzle as pages in PDF with embedded fonts; the key is on a separate page."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from osmosmjerka.paper import lettering, pdf
from osmosmjerka.paper.shapes import Page
from osmosmjerka.paper.typefaces import EAST_ASIAN_PACKAGE
from puzzles.exports import layout
from puzzles.exports.data import ExportError, PuzzleData
from vocab.message import Sentence, message


def write(puzzle: PuzzleData, *, key: bool = False) -> bytes:
    """Return the puzzle as a PDF file; with *key*, followed by its answers.

    Raises ExportError if the fonts for print lack a letter.
    """
    pages = layout.pages(puzzle, is_key=False)
    if key:
        pages += layout.pages(puzzle, is_key=True)
    return draw(pages, title=puzzle.title, language=puzzle.language)


def write_solution(puzzle: PuzzleData) -> bytes:
    """Return the answers alone as a PDF file. Raises ExportError as `write` does."""
    pages = layout.pages(puzzle, is_key=True)
    return draw(pages, title=puzzle.title, language=puzzle.language)


def _use_another_format(error: lettering.MissingLetters) -> Sentence:
    if error.lacks_east_asian:
        return message(
            "This site has no font to print these letters: {letters}. Choose SVG, which uses the "
            "fonts of the person who opens it, or a text format. A site admin can add the font "
            "for Chinese, Japanese and Korean: it is in the package {package}.",
            letters=error.shown,
            package=EAST_ASIAN_PACKAGE,
        )
    return message(
        "The print fonts do not contain these letters: {letters}. Choose SVG, which uses the fonts "
        "of the person who opens it, or a text format.",
        letters=error.shown,
    )


def draw(
    pages: Sequence[Page],
    *,
    title: str,
    language: str | None,
    what_to_do: Callable[[lettering.MissingLetters], Sentence] = _use_another_format,
) -> bytes:
    """Return *pages* as a PDF file.

    If the fonts for print lack letters, raises ExportError with the sentence of *what_to_do*.
    """
    try:
        return pdf.draw(pages, title=title, language=language)
    except lettering.MissingLetters as error:
        raise ExportError(what_to_do(error)) from error
