"""Glossaries and dictionaries as XML, read only: Moodle, KVTML, Pauker, TBX, TMX and LIFT.

Sources: Moodle's export (mod/glossary/lib.php), KDE's kvtml2.dtd, Pauker's lessons, ISO 30042
(TBX), TMX 1.4b, LIFT 0.13.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from defusedxml.common import DefusedXmlException
from defusedxml.ElementTree import fromstring

from vocab.formats import html, moodle
from vocab.formats.anki_fields import rows_of_entries
from vocab.formats.rows import FormatError, Parsed, message

_START = re.compile(
    r"\s*<(?:\?xml\b|(?:!DOCTYPE\s+)?(?:GLOSSARY|kvtml|Lesson|martif|tbx|tmx|lift)\b)", re.I
)
GZIP = b"\x1f\x8b"
_MOST_BYTES = 50_000_000
_LANGUAGE = "{http://www.w3.org/XML/1998/namespace}lang"

# A word's texts by column: `term`, `translation`, another field, or a language.
Cells = dict[str, list[str]]

# Of formats that differ in names only: an entry, a language in it, and a text of that.
_BY_LANGUAGE = {
    "martif": (("termentry",), ("langset",), ("term",)),
    "tbx": (("conceptentry", "termentry"), ("langsec", "langset"), ("term",)),
    "tmx": (("tu",), ("tuv",), ("seg",)),
}


def is_xml(start: str) -> bool:
    """Return whether a text begins like a glossary, or like any XML."""
    return _START.match(start) is not None


def parse(
    data: bytes | str,
    *,
    columns: Mapping[str, str] | None = None,
    languages: Sequence[str] = (),
) -> Parsed:
    """Read a glossary; a row's line is the number of its entry. Raises `FormatError`."""
    if isinstance(data, bytes) and data.startswith(GZIP):
        data = _unpacked(data)
    try:
        root = fromstring(data)
    except DefusedXmlException:
        raise FormatError(
            message("The file contains XML entities and was rejected for security reasons.")
        ) from None
    except (SyntaxError, ValueError, LookupError, RecursionError) as error:
        raise FormatError(message("This XML file is damaged."), reason=str(error)[:200]) from None
    name = _name(root)
    if name == "html":
        return html.parse(data, columns=columns, languages=languages)
    if name in _BY_LANGUAGE:
        entries = _by_language(root, *_BY_LANGUAGE[name])
    elif name in _READERS:
        entries = _READERS[name](root)
    else:
        raise FormatError(
            message(
                "This XML file (“{name}”) is not a glossary that can be imported. Export the words "
                "as CSV."
            ),
            name=name[:40],
        )
    table = list(entries)
    if not any(table):
        raise FormatError(message("There are no words in this file."))
    return rows_of_entries(table, columns=columns, languages=languages)


def _unpacked(data: bytes) -> bytes:
    unpacker = zlib.decompressobj(wbits=31)  # gzip's
    try:
        text = unpacker.decompress(data, _MOST_BYTES)
    except zlib.error as error:
        raise FormatError(
            message("The file is damaged and cannot be unpacked."), reason=str(error)
        ) from None
    if unpacker.unconsumed_tail:
        raise FormatError(
            message("The file would be larger than {most} MB when unpacked."),
            most=_MOST_BYTES // 1_000_000,
        )
    return text


def _name(element: Any) -> str:
    """Return an element's name without its namespace, in lower case."""
    return str(element.tag).rpartition("}")[2].lower()


def _all(element: Any, *names: str) -> Iterator[Any]:
    return (each for each in element.iter() if _name(each) in names)


def _texts(element: Any, *names: str) -> list[str]:
    found = (" ".join("".join(each.itertext()).split()) for each in _all(element, *names))
    return [text for text in dict.fromkeys(found) if text]


def _by_language(
    root: Any, entries: Sequence[str], languages: Sequence[str], texts: Sequence[str]
) -> Iterator[Cells]:
    for entry in _all(root, *entries):
        cells: Cells = {}
        for each in _all(entry, *languages):
            tag = each.get(_LANGUAGE) or each.get("lang") or "und"
            cells.setdefault(tag, []).extend(_texts(each, *texts))
        yield cells


def _moodle(root: Any) -> Iterator[Cells]:
    for entry in _all(root, "entry"):
        cells: Cells = {"term": _texts(entry, "concept")[:1]}
        for definition in list(_all(entry, "definition"))[:1]:
            for name, text in moodle.read_definition(definition.text or ""):
                cells.setdefault(name, []).append(text)
        for category in _all(entry, "category"):
            cells.setdefault("tags", []).extend(_texts(category, "name"))
        yield cells


def _kvtml(root: Any) -> Iterator[Cells]:
    tags = {}
    for each in _all(root, "identifier"):
        tags[each.get("id")] = next(iter(_texts(each, "locale") or _texts(each, "name")), "und")
    lessons: dict[str, list[str]] = {}
    for lesson in _all(root, "container"):
        title = next((each.text for each in lesson if _name(each) == "name" and each.text), "")
        for each in lesson:
            if _name(each) == "entry" and title:
                lessons.setdefault(each.get("id", ""), []).append(title.strip())
    for entry in (
        each for part in _all(root, "entries") for each in part if _name(each) == "entry"
    ):
        cells: Cells = {}
        for each in _all(entry, "translation"):
            cells[tags.get(each.get("id"), "und")] = _texts(each, "text")[:1]
        if entry.get("id") in lessons:
            cells["tags"] = lessons[entry.get("id")]
        yield cells
    for entry in _all(root, "e"):  # version 1
        cells = {}
        for each in entry:
            if _name(each) in ("o", "t"):
                cells.setdefault(each.get("l") or _name(each), []).extend(_texts(each, _name(each)))
        yield cells


def _pauker(root: Any) -> Iterator[Cells]:
    for card in _all(root, "card"):
        yield {
            name: ["".join(side.itertext()).strip()]
            for name, tag in (("term", "frontside"), ("translation", "reverseside"))
            for side in list(_all(card, tag))[:1]
        }


def _lift(root: Any) -> Iterator[Cells]:
    for entry in _all(root, "entry"):
        cells: Cells = {}
        for unit in list(_all(entry, "lexical-unit"))[:1]:
            cells["term"] = _texts(unit, "text")[:1]
        for gloss in _all(entry, "gloss"):
            cells.setdefault(f"translation:{gloss.get('lang', 'und')}", []).extend(
                _texts(gloss, "text")
            )
        yield cells


_READERS = {"glossary": _moodle, "kvtml": _kvtml, "lesson": _pauker, "lift": _lift}
