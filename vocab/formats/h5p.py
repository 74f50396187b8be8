"""H5P cards: dialog cards are written and read, flashcards read; without H5P's own libraries.

A site that has the content type “Dialog Cards” (H5P.Dialogcards 1.9) can open it; a package with
libraries would be about a thousand times as large, and old after a month.
"""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

from vocab.formats.anki_fields import read_html, rows_of_entries
from vocab.formats.archive import open_zip, read_member
from vocab.formats.moodle import definition, read_definition
from vocab.formats.rows import FormatError, Parsed, Row, message

# Its machine names and versions; sites take later minor versions too.
_LIBRARIES = (
    ("H5P.Dialogcards", 1, 9),
    ("H5P.JoubelUI", 1, 3),
    ("H5P.Transition", 1, 0),
    ("FontAwesome", 4, 5),
)
_LONGEST_TITLE = 255
_MOST_BYTES = 50_000_000


def write(rows: Sequence[Row], *, name: str = "") -> bytes:
    """Return *rows* as a package of cards, words in front; *name* is the list's.

    The same rows give the same bytes.
    """
    package = {
        "title": name[:_LONGEST_TITLE],
        "language": "und",
        "mainLibrary": _LIBRARIES[0][0],
        "embedTypes": ["iframe"],
        "license": "U",  # not stated
        "preloadedDependencies": [
            {"machineName": machine, "majorVersion": major, "minorVersion": minor}
            for machine, major, minor in _LIBRARIES
        ],
    }
    content = {
        "mode": "normal",
        "title": f"<p>{escape(name)}</p>",
        "description": "",
        "dialogs": [
            {"text": f"<p>{escape(row.term)}</p>", "answer": definition(row), "tips": {}}
            for row in rows
        ],
        "behaviour": {"enableRetry": True, "randomCards": False, "scaleTextNotCard": False},
    }
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        _add(archive, "h5p.json", package)
        _add(archive, "content/content.json", content)
    return packed.getvalue()


def parse(
    data: bytes,
    *,
    columns: Mapping[str, str] | None = None,
    languages: Sequence[str] = (),
) -> Parsed:
    """Read the cards of a package; a row's line is the number of its card. Raises `FormatError`."""
    archive = open_zip(data)
    try:
        content = json.loads(read_member(archive, "content/content.json", _MOST_BYTES))
        cards = [_card(card) for card in content.get("dialogs") or content.get("cards")]
    except FormatError:
        raise
    except (ValueError, TypeError, AttributeError, RecursionError):
        raise FormatError(
            message("This H5P content has no cards. Only dialog cards and flashcards are imported.")
        ) from None
    return rows_of_entries(cards, columns=columns, languages=languages)


def _card(card: Mapping[str, Any]) -> dict[str, list[str]]:
    cells: dict[str, list[str]] = {
        "term": [read_html(str(card["text"])).text] if card.get("text") else []
    }
    for name, text in read_definition(str(card.get("answer") or "")):
        cells.setdefault(name, []).append(text)
    return cells


def _add(archive: zipfile.ZipFile, name: str, document: dict[str, Any]) -> None:
    member = zipfile.ZipInfo(name)  # with a date that is always the same
    member.compress_type = zipfile.ZIP_DEFLATED
    archive.writestr(member, json.dumps(document, ensure_ascii=False))
