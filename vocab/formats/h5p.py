"""H5P dialog cards: written only. A package with its content, without H5P's own libraries.

A site that has the content type “Dialog Cards” (H5P.Dialogcards 1.9) can open it; a package with
libraries would be about a thousand times as large, and old after a month.
"""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Sequence
from html import escape
from typing import Any

from vocab.formats.moodle import definition
from vocab.formats.rows import Row

# Its machine names and versions; sites take later minor versions too.
_LIBRARIES = (
    ("H5P.Dialogcards", 1, 9),
    ("H5P.JoubelUI", 1, 3),
    ("H5P.Transition", 1, 0),
    ("FontAwesome", 4, 5),
)
_LONGEST_TITLE = 255


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


def _add(archive: zipfile.ZipFile, name: str, document: dict[str, Any]) -> None:
    member = zipfile.ZipInfo(name)  # with a date that is always the same
    member.compress_type = zipfile.ZIP_DEFLATED
    archive.writestr(member, json.dumps(document, ensure_ascii=False))
