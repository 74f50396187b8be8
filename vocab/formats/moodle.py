"""Moodle's glossary as XML, written: each word is a concept, its translations the definition.

The structure is that of Moodle's own export (mod/glossary/lib.php). Pictures and sounds are not in
it: Moodle holds them as attachments. `xml.py` reads it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from html import escape
from xml.etree import ElementTree as ET

from osmosmjerka.paper.xml import for_xml
from vocab.formats.anki_fields import read_html
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
_PARAGRAPH = re.compile(r"""<p(?:\s+lang=["']([\w-]{2,20})["'])?\s*>(?:<(em|small)>)?""", re.I)
_MARKS = {"em": "example", "small": "hint"}
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
    """Return the translations, the hint and the example of a word as HTML paragraphs."""
    parts = []
    for language, texts in row.translations.items():
        tag = f'<p lang="{escape(language)}">' if language else "<p>"
        parts += [f"{tag}{escape(text)}</p>" for text in texts]
    if row.hint:
        parts.append(f"<p><small>{escape(row.hint)}</small></p>")
    if row.example:
        parts.append(f"<p><em>{escape(row.example)}</em></p>")
    return "".join(parts)


def read_definition(html: str) -> Iterator[tuple[str, str]]:
    """Yield the field and the text of each paragraph that `definition` wrote, or a site."""
    for part in re.split(r"(?i)(?=<p\b)", html):
        text = read_html(part).text
        match = _PARAGRAPH.match(part)
        language, mark = (match[1], (match[2] or "").lower()) if match else (None, "")
        field = _MARKS.get(mark) or (f"translation:{language}" if language else "translation")
        lines = [text] if mark in _MARKS else text.split("\n")
        yield from ((field, line.strip()) for line in lines if line.strip())


def _put(parent: ET.Element, tag: str, text: str) -> None:
    ET.SubElement(parent, tag).text = for_xml(text)
