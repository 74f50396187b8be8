"""A puzzle as a file to download, and the options of its worksheet: for pages and API alike.

How a teacher last printed is a habit, not a setting of the account: it is kept in their session,
ends with it, and needs no table.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils.translation import gettext as _
from rest_framework.request import Request

from osmosmjerka.accounts.models import User
from osmosmjerka.web.views import SignedInRequest, download
from puzzles.exports import FORMATS, Format, Printing
from puzzles.exports.tables import name_of
from puzzles.kinds import KINDS, Kind
from puzzles.making.downloads import write_puzzle
from puzzles.models import Puzzle, WorksheetSet
from puzzles.worksheets import services
from puzzles.worksheets.forms import PrintingForm, as_sent

# What ?key= asks for: the student's sheet alone, the solution after it, or the solution alone.
Key = Literal["", "1", "only"]
WITH_KEY: Key = "1"
ONLY_KEY: Key = "only"
PDF = "application/pdf"
SET_FILES = ("worksheets", "solutions")
_KEY = "worksheet"


def formats_of(kind: Kind) -> list[Format]:
    """Return the formats in which a puzzle of this kind can be downloaded."""
    return [one for one in FORMATS.values() if not (one.is_numbered and kind.shows_letters)]


def ready_puzzle(request: HttpRequest | Request, code: str) -> Puzzle:
    """Return a ready puzzle whose words the person may print. Raises Http404."""
    return get_object_or_404(services.ready_puzzles(request.user), code=code)


def printing_form(
    request: HttpRequest | Request, person: User, puzzle: Puzzle, data: Mapping[str, Any]
) -> PrintingForm:
    """Return the form of a worksheet of this puzzle for this person.

    The address at which the puzzle is played is offered only if it can be.
    """
    address = request.build_absolute_uri(reverse("play", args=[puzzle.code]))
    return PrintingForm(
        data,
        kind=KINDS[puzzle.kind],
        address=address if services.can_be_played(puzzle) else "",
        school=person.school.name if person.school else "",
    )


def puzzle_file(puzzle: Puzzle, format_name: str, *, key: Key, printing: Printing) -> HttpResponse:
    """Return a ready puzzle as a file in *format_name* (a key of FORMATS).

    With *key* "only" it is the solution alone. With "1" the solution follows the sheet, except in
    formats of one page (SVG, PNG), which then have the solution alone. Raises ExportError if the
    format cannot contain the puzzle.
    """
    file_format = FORMATS[format_name]
    content = write_puzzle(
        puzzle, format_name, key=bool(key), is_key_only=key == ONLY_KEY, printing=printing
    )
    parts = [puzzle.title, str(KINDS[puzzle.kind].name)]
    if key:
        # The worksheet and its solution must not be mistaken for each other at the copier.
        parts.append(_("Solution"))
    elif not file_format.has_answers:
        parts.append(_("Worksheet"))
    return _file(content, file_format.mime_type, parts, file_format.extension)


def set_file(made: WorksheetSet, which: str) -> HttpResponse:
    """Return a file of a ready set (*which* is a name in SET_FILES) as PDF."""
    field, shown = {
        "worksheets": ("pdf", _("Worksheets")),
        "solutions": ("key_pdf", _("Solutions")),
    }[which]
    parts = [made.puzzle.title, str(KINDS[made.puzzle.kind].name)]
    if made.classroom:
        parts.append(made.classroom.name)
    return _file(bytes(getattr(made, field)), PDF, [*parts, shown], ".pdf")


def _file(content: bytes, mime_type: str, parts: list[str], extension: str) -> HttpResponse:
    return download(content, mime_type, f"{' – '.join(map(name_of, parts))}{extension}")


def remember(request: SignedInRequest, form: PrintingForm) -> None:
    """Keep the options of a form for the next worksheet."""
    # What this type of puzzle does not offer stays as it was.
    request.session[_KEY] = remembered(request) | form.to_remember()


def remembered(request: SignedInRequest) -> dict[str, Any]:
    """Return the options of the last worksheet as the data of a whole form; none at first."""
    kept = request.session.get(_KEY)
    return {**kept, "whole": "1"} if isinstance(kept, dict) else {}


def query_of(request: SignedInRequest, kind: Kind) -> list[tuple[str, str]]:
    """Return the fields of a form that prints a puzzle of this kind as the person last did."""
    return as_sent(remembered(request) | {"instruction": str(kind.instruction)})
