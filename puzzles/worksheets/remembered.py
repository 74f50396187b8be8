"""How a teacher last printed: in their session, so that it follows nobody else.

It is a habit, not a setting of the account: it ends with the session and needs no table.
"""

from __future__ import annotations

from typing import Any

from osmosmjerka.web.views import SignedInRequest
from puzzles.kinds import Kind
from puzzles.worksheets.forms import PrintingForm
from puzzles.worksheets.wording import instruction_for

_KEY = "worksheet"


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
    fields = remembered(request) | {"instruction": instruction_for(kind)}
    return [
        (name, "on" if value is True else str(value))
        for name, value in fields.items()
        if value is not False
    ]
