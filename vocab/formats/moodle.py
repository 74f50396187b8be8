"""Moodle's glossary as XML: written only. Each word is a concept, its translations the definition.

The structure is that of Moodle's own export (mod/glossary/lib.php). Pictures and sounds are not in
it: Moodle holds them as attachments.
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from xml.etree import ElementTree as ET

from osmosmjerka.paper.xml import for_xml
from vocab.formats.rows import Row

_HTML = "1"  # Moodle's number of a text format
_LONGEST = 255
_INFO = {
    "INTRO": "",
    "INTROFORMAT": _HTML,
    "ALLOWDUPLICATEDENTRIES": "0",
    "DISPLAYFORMAT": "dictionary",
    "SHOWSPECIAL": "1",
    "SHOWALPHABET": "1",
    "SHOWALL": "1",
    "ALLOWCOMMENTS": "0",
    "USEDYNALINK": "0",
    "DEFAULTAPPROVAL": "1",
    "GLOBALGLOSSARY": "0",
    "ENTBYPAGE": "10",
}
_ENTRY = {"USEDYNALINK": "0", "CASESENSITIVE": "0", "FULLMATCH": "1", "TEACHERENTRY": "1"}


def write(rows: Sequence[Row], *, name: str = "") -> bytes:
    """Return *rows* as a glossary; *name* is the list's."""
    root = ET.Element("GLOSSARY")
    info = ET.SubElement(root, "INFO")
    _put(info, "NAME", name[:_LONGEST])
    for tag, value in _INFO.items():
        _put(info, tag, value)
    entries = ET.SubElement(info, "ENTRIES")
    for row in rows:
        entry = ET.SubElement(entries, "ENTRY")
        _put(entry, "CONCEPT", row.term[:_LONGEST])
        _put(entry, "DEFINITION", definition(row))
        _put(entry, "FORMAT", _HTML)
        for tag, value in _ENTRY.items():
            _put(entry, tag, value)
        if row.tags:
            categories = ET.SubElement(entry, "CATEGORIES")
            for each in row.tags:
                category = ET.SubElement(categories, "CATEGORY")
                _put(category, "NAME", each)
                _put(category, "USEDYNALINK", "0")
    ET.indent(root, "  ")
    written: bytes = ET.tostring(root, encoding="utf-8", xml_declaration=True)
    return written + b"\n"


def definition(row: Row) -> str:
    """Return the translations, the definition and the example of a word as HTML paragraphs."""
    texts = [*(text for each in row.translations.values() for text in each), row.hint]
    parts = [f"<p>{escape(text)}</p>" for text in texts if text]
    if row.example:
        parts.append(f"<p><em>{escape(row.example)}</em></p>")
    return "".join(parts)


def _put(parent: ET.Element, tag: str, text: str) -> None:
    ET.SubElement(parent, tag).text = for_xml(text)
