"""Links for parents on paper: a sheet of its own, so that no login card is given away with it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from django.utils.formats import date_format
from django.utils.timezone import localtime
from django.utils.translation import get_language, get_language_bidi
from django.utils.translation import gettext as _

from osmosmjerka.accounts.models import Classroom
from osmosmjerka.paper import cards as paper_cards
from osmosmjerka.paper import pdf
from osmosmjerka.paper.cards import PADDING, Card
from osmosmjerka.paper.shapes import FAINT, Direction
from puzzles.models import ParentLink

# In millimetres, as on login cards.
_NAME, _SMALL, _CODE = 5.6, 3.2, 30.0
_BESIDE = 39.0


def write(
    links: Sequence[tuple[ParentLink, str]], *, classroom: Classroom, paper: str = "a4"
) -> bytes:
    """Return links with their addresses as a PDF, eight a page, to cut along dashed lines.

    *paper* is a key of osmosmjerka.paper.sheet.PAPERS. Raises MissingLetters if a name has letters
    that the fonts for print lack.
    """
    faces = [partial(_draw, of=one, address=address, classroom=classroom) for one, address in links]
    direction: Direction = "rtl" if get_language_bidi() else "ltr"
    drawn = paper_cards.pages(faces, across=2, down=4, paper=paper, direction=direction)
    title = _("Links for parents: %(class)s") % {"class": classroom}
    return pdf.draw(drawn, title=title, language=get_language())


def _draw(card: Card, *, of: ParentLink, address: str, classroom: Classroom) -> None:
    until = date_format(localtime(of.until, classroom.school.zone), "SHORT_DATE_FORMAT")
    card.write(PADDING, 9, of.student.display_name, _NAME)
    card.write(PADDING, 15, classroom.name, _SMALL, colour=FAINT)
    card.code(PADDING, 19, _CODE, address)
    card.write(_BESIDE, 24, _("For parents"), _NAME)
    card.write(_BESIDE, 31, _("Scan the code to see the progress."), _SMALL)
    card.write(_BESIDE, 37, _("Valid until %(day)s") % {"day": until}, _SMALL, colour=FAINT)
    card.write(PADDING, 54, classroom.school.name, _SMALL, colour=FAINT)
    card.write(PADDING, 60, address.partition("://")[2], _SMALL)
