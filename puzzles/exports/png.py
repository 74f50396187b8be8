"""Export a puzzle as one PNG picture, made of the PDF so that every script is shaped alike."""

from __future__ import annotations

import io
from threading import Lock

import pypdfium2

from puzzles.exports import pdf
from puzzles.exports.data import PuzzleData
from puzzles.exports.layout import pages

_DOTS_AN_INCH = 200
_pdfium = Lock()  # PDFium must not be called by two threads at once


def write(puzzle: PuzzleData, *, key: bool = False) -> bytes:
    """Return the puzzle, or with *key* its answers, as a PNG picture of at least A4 at 200 dpi.

    Raises ExportError if the fonts for print lack a letter.
    """
    drawn = pages(puzzle, is_key=key, is_endless=True)
    data = pdf.draw(drawn, title=puzzle.title, language=puzzle.language)
    with _pdfium, pypdfium2.PdfDocument(data) as document:
        picture = document[0].render(scale=_DOTS_AN_INCH / 72).to_pil()
    stream = io.BytesIO()
    picture.save(stream, "PNG", dpi=(_DOTS_AN_INCH, _DOTS_AN_INCH))
    return stream.getvalue()


def write_solution(puzzle: PuzzleData) -> bytes:
    """Return the answers alone as a picture. Raises ExportError as `write` does."""
    return write(puzzle, key=True)
