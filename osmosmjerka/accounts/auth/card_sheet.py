"""Login cards on paper: a PDF with eight cards per page, to cut along dashed lines."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, partial
from pathlib import Path

import segno
from django.contrib.staticfiles import finders
from django.utils.translation import get_language, get_language_bidi
from django.utils.translation import gettext as _

from osmosmjerka.accounts.auth.cards import PaperCard
from osmosmjerka.accounts.models import Classroom
from osmosmjerka.paper import cards as paper_cards
from osmosmjerka.paper import pdf
from osmosmjerka.paper.cards import PADDING, Card
from osmosmjerka.paper.shapes import FAINT, Direction

# In millimetres: the letters of a name, of a word and of what explains them.
_NAME, _WORD, _SMALL = 5.6, 4.6, 3.2
_CODE, _PICTURE = 30.0, 10.0
# Where it begins what is beside the code.
_BESIDE = 39.0


def qr_svg(address: str) -> str:
    """Return a QR code as an inline SVG for the browser to print."""
    return str(segno.make(address, error="m").svg_inline(scale=3, border=2, omitsize=True))


def write(
    cards: Sequence[PaperCard],
    *,
    classroom: Classroom,
    card_address: str,
    class_address: str,
    paper: str = "a4",
) -> bytes:
    """Return the cards as a PDF. The QR code is *card_address*, a fragment sign and the token.

    *paper* is a key of osmosmjerka.paper.sheet.PAPERS. Raises MissingLetters if a name has letters
    that the fonts for print lack.
    """
    shown_address = class_address.partition("://")[2]
    faces = [
        partial(
            _draw, of=card, classroom=classroom, address=f"{card_address}#{card.token}",
            class_address=shown_address,
        )
        for card in cards
    ]  # fmt: skip
    direction: Direction = "rtl" if get_language_bidi() else "ltr"
    drawn = paper_cards.pages(faces, across=2, down=4, paper=paper, direction=direction)
    title = _("Login cards for %(class)s") % {"class": classroom}
    return pdf.draw(drawn, title=title, language=get_language())


def _draw(
    card: Card, *, of: PaperCard, classroom: Classroom, address: str, class_address: str
) -> None:
    card.write(PADDING, 9, of.student.display_name, _NAME)
    card.write(PADDING, 15, classroom.name, _SMALL, colour=FAINT)
    card.code(PADDING, 19, _CODE, address)
    card.write(_BESIDE, 22, _("Your words"), _SMALL, colour=FAINT)
    words = of.words.split()
    for row, pair in enumerate((words[:2], words[2:])):
        card.write(_BESIDE, 28 + 7 * row, " ".join(pair), _WORD)
    if classroom.uses_pictures:
        card.write(_BESIDE, 42, _("Your pictures"), _SMALL, colour=FAINT)
        for index, name in enumerate(of.pictures):
            card.picture(_BESIDE + 12 * index, 44, _PICTURE, _PICTURE, _picture(name))
    card.write(PADDING, 54, classroom.school.name, _SMALL, colour=FAINT)
    card.write(PADDING, 60, class_address, _SMALL)


@cache
def _picture(name: str) -> bytes:
    """Return one of the pictures as PNG, which was drawn from its SVG with 300 dots an inch."""
    return Path(str(finders.find(f"osmosmjerka/pictures/{name}.png"))).read_bytes()
