"""Login cards on paper: a PDF with eight cards per page, to cut along dashed lines."""

from __future__ import annotations

import io
import logging
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import segno
from django.conf import settings
from django.contrib.staticfiles import finders
from django.utils.translation import get_language_bidi
from django.utils.translation import gettext as _
from fpdf import FPDF
from fpdf.fonts import TTFFont

from osmosmjerka.accounts.auth.cards import PaperCard
from osmosmjerka.accounts.models import Classroom

# It logs every table of every font that it subsets.
logging.getLogger("fontTools").setLevel(logging.WARNING)

_MARGIN, _ACROSS, _DOWN = 10.0, 2, 4  # millimetres, cards
_WIDTH, _HEIGHT = (210 - 2 * _MARGIN) / _ACROSS, (297 - 2 * _MARGIN) / _DOWN


class LettersMissing(ValueError):
    """The fonts for print lack a letter of a name."""


def qr_svg(address: str) -> str:
    """Return a QR code as an inline SVG for the browser to print."""
    return str(segno.make(address, error="m").svg_inline(scale=3, border=2, omitsize=True))


def write(
    cards: Sequence[PaperCard], *, classroom: Classroom, card_address: str, class_address: str
) -> bytes:
    """Return the cards as a PDF. The QR code is *card_address*, a fragment sign and the token.

    Raises LettersMissing if a name has letters that the fonts for print lack.
    """
    pdf = FPDF(unit="mm", format="A4")
    pdf.set_auto_page_break(False)
    pdf.set_margin(0)
    pdf.c_margin = 0
    pdf.set_title(_("Login cards of %(class)s") % {"class": classroom})
    pdf.set_creator("Osmosmjerka")
    shown_address = class_address.partition("://")[2]
    _add_fonts(pdf, "".join(card.student.display_name for card in cards) + classroom.name)
    for number, card in enumerate(cards):
        place = number % (_ACROSS * _DOWN)
        if place == 0:
            pdf.add_page()
        left = _MARGIN + place % _ACROSS * _WIDTH
        top = _MARGIN + place // _ACROSS * _HEIGHT
        _draw(pdf, card, left, top, classroom, f"{card_address}#{card.token}", shown_address)
    return bytes(pdf.output())


def _draw(
    pdf: FPDF,
    card: PaperCard,
    left: float,
    top: float,
    classroom: Classroom,
    address: str,
    class_address: str,
) -> None:
    pdf.set_draw_color(150)
    pdf.set_dash_pattern(dash=2, gap=2)
    pdf.rect(left, top, _WIDTH, _HEIGHT)
    pdf.set_dash_pattern()
    is_rtl = get_language_bidi()

    def line(start: float, down: float, size: float, text: str, grey: int = 0) -> None:
        """Write one line from *start* to the card's edge, in smaller type if it does not fit."""
        width = _WIDTH - start - 5
        pdf.set_font("NotoSans-Regular", size=size)
        pdf.set_text_color(grey)
        pdf.set_text_shaping(True)
        needed = pdf.get_string_width(text)
        if needed > width:
            pdf.set_font_size(size * width / needed)
        pdf.set_xy(left + (5 if is_rtl else start), top + down)
        pdf.cell(w=width, h=6, text=text, align="R" if is_rtl else "L")

    def place(picture: Any, start: float, down: float, side: float) -> None:
        """Draw a square picture; like words, the pictures follow the reading direction."""
        x = _WIDTH - start - side if is_rtl else start
        pdf.image(picture, x=left + x, y=top + down, w=side, h=side)

    line(5, 4, 16, card.student.display_name)
    line(5, 12, 9, classroom.name, grey=90)
    code = io.BytesIO()
    segno.make(address, error="m").save(code, kind="png", scale=8, border=2)
    place(code, 4, 18, 32)
    line(39, 19, 9, _("Your words"), grey=90)
    words = card.words.split()
    for row, pair in enumerate((words[:2], words[2:])):
        line(39, 24 + 7 * row, 13, " ".join(pair))
    if classroom.uses_pictures:
        line(39, 39, 9, _("Your pictures"), grey=90)
        for index, name in enumerate(card.pictures):
            place(str(finders.find(f"osmosmjerka/pictures/{name}.svg")), 39 + index * 12, 44, 10)
    line(5, 56, 9, class_address)


def _add_fonts(pdf: FPDF, text: str) -> None:
    """Load the Latin font, and more fonts as long as *text* has letters that are missing."""
    paths = sorted(Path(settings.PRINT_FONTS).glob("*.ttf"), key=lambda path: len(path.stem))
    missing = {letter for letter in text if not letter.isspace()}
    latin = next(path for path in paths if path.stem == "NotoSans-Regular")
    others = []
    for path in [latin, *(path for path in paths if path != latin)]:
        if path != latin and not missing:
            break
        pdf.add_font(path.stem, fname=path)
        font = pdf.fonts[path.stem.lower()]
        assert isinstance(font, TTFFont)  # noqa: S101  (for the type checker)
        has = {letter for letter in missing if ord(letter) in font.cmap}
        missing -= has
        if path != latin and has:
            others.append(path.stem)
    if missing:
        raise LettersMissing(
            _(
                "The print fonts have no shapes for these letters: %(letters)s. Print the web "
                "page instead."
            )
            % {"letters": " ".join(sorted(missing))}
        )
    if others:
        pdf.set_fallback_fonts(others, exact_match=False)
