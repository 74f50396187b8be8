"""Export a puzzle as A4 pages in PDF with embedded fonts; the key is on a separate page."""

from __future__ import annotations

import io
import logging
from collections.abc import Sequence
from datetime import UTC, datetime

from fpdf import FPDF

from puzzles.exports import layout, lettering
from puzzles.exports.data import PuzzleData
from puzzles.exports.shapes import Box, Capsule, Line, Page, Picture, Shape, Text

# fontTools logs every table of every font that it subsets.
logging.getLogger("fontTools").setLevel(logging.WARNING)

_POINTS_A_MILLIMETRE = 72 / 25.4
# A fixed date: the same puzzle always gives the same file.
_DATE = datetime(2000, 1, 1, tzinfo=UTC)


def write(puzzle: PuzzleData, *, key: bool = False) -> bytes:
    """Return the puzzle as a PDF file; with *key*, followed by its answers.

    Raises MissingLetters if the fonts for print lack a letter.
    """
    pages = layout.pages(puzzle, is_key=False)
    if key:
        pages += layout.pages(puzzle, is_key=True)
    return draw(puzzle, pages)


def draw(puzzle: PuzzleData, pages: Sequence[Page]) -> bytes:
    """Return *pages* as a PDF file."""
    lettering.require(text for page in pages for text in layout.texts(page))
    pdf = FPDF(unit="mm")
    pdf.set_auto_page_break(False)
    pdf.set_margin(0)
    pdf.c_margin = 0
    pdf.set_creation_date(_DATE)
    pdf.set_title(puzzle.title)
    pdf.set_creator("Osmosmjerka")
    if puzzle.language:
        pdf.set_lang(puzzle.language)
    for font in _fonts_of(pages):
        pdf.add_font(font.name, fname=font.path)
    for page in pages:
        pdf.add_page(format=(page.width, page.height))
        for shape in page.shapes:
            _draw(pdf, shape)
    return bytes(pdf.output())


def _fonts_of(pages: Sequence[Page]) -> list[lettering.Font]:
    used = {
        run.font
        for page in pages
        for shape in page.shapes
        if isinstance(shape, Text)
        for run in lettering.runs(shape.text, shape.direction)
    }
    return [font for font in lettering.fonts() if font in used]


def _draw(pdf: FPDF, shape: Shape) -> None:
    match shape:
        case Text():
            _draw_text(pdf, shape)
        case Line():
            _pen(pdf, shape)
            pdf.line(shape.x1, shape.y1, shape.x2, shape.y2)
        case Box():
            _pen(pdf, shape)
            pdf.rect(shape.x, shape.y, shape.width, shape.height)
        case Picture():
            box = (shape.x, shape.y, shape.width, shape.height)
            pdf.image(io.BytesIO(shape.data), *box, keep_aspect_ratio=True)
        case Capsule():
            _pen(pdf, shape)
            pdf.polygon(shape.outline(), style="D")


def _pen(pdf: FPDF, shape: Line | Box | Capsule) -> None:
    pdf.set_line_width(shape.stroke)
    pdf.set_draw_color(shape.colour)


def _draw_text(pdf: FPDF, text: Text) -> None:
    """Draw the runs in reading order."""
    pdf.set_text_color(text.colour)
    left = text.left(lettering.width(text.text) * text.size)
    runs = lettering.runs(text.text, text.direction)
    # The glyphs of Hindi or Thai do not correspond to letters one by one, so give the text for
    # searching. PDF readers reorder right-to-left text on their own.
    is_shaped = all(run.direction == "ltr" for run in runs) and any(
        run.font not in (None, lettering.fonts()[0]) for run in runs
    )
    if is_shaped:
        pdf._out(f"/Span <</ActualText <FEFF{text.text.encode('utf-16-be').hex()}>>> BDC")
    for run in runs:
        if run.font is None:
            continue  # white space that no font has
        pdf.set_font(run.font.name, size=text.size * _POINTS_A_MILLIMETRE)
        pdf.set_text_shaping(True, direction=run.direction)
        # fpdf2 places the baseline 0.3 em below the middle of a cell.
        pdf.set_xy(left + run.x * text.size, text.y - 0.8 * text.size)
        pdf.cell(w=run.width * text.size, h=text.size, text=run.text)
    if is_shaped:
        pdf._out("EMC")
