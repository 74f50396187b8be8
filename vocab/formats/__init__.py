"""File formats of vocabulary, one module each: read rows and problems, write rows. Pure.

Pages, the API and commands use the registry and know no format by name. Files from users go through
`sandbox.parse_untrusted` instead of `parse`.
"""

from __future__ import annotations

import zipfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

from vocab.formats.rows import FormatError, Parsed, Problem, Row, message

__all__ = [
    "EXPORTS",
    "FORMATS",
    "IMPORTS",
    "OPTIONS",
    "Format",
    "FormatError",
    "Parsed",
    "Problem",
    "Row",
    "detect",
    "parse",
    "refuse_page",
    "write",
]


@dataclass(frozen=True, slots=True)
class Format:
    """One format: its `label` for people, its suffixes, and the options for reading it."""

    name: str
    label: str
    suffixes: tuple[str, ...]
    mime: str
    options: tuple[str, ...]
    holds_media: bool = False

    @property
    def suffix(self) -> str:
        """Return the suffix for files in this format, with its dot."""
        return self.suffixes[0]


def _by_name(*formats: Format) -> dict[str, Format]:
    return {format.name: format for format in formats}


FORMATS: Mapping[str, Format] = _by_name(
    Format(
        "delimited",
        message("CSV (text table)"),
        (".csv", ".tsv", ".tab", ".txt"),
        "text/csv; charset=utf-8",
        ("encoding", "delimiter", "row_separator", "has_header", "mixed", "repair"),
    ),
    Format(
        "xlsx",
        message("Spreadsheet (Excel, LibreOffice)"),
        (".xlsx", ".xlsm"),
        "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
        ("sheet", "has_header"),
    ),
    Format(
        "ods",
        message("OpenDocument spreadsheet (LibreOffice)"),
        (".ods",),
        "application/vnd.oasis.opendocument.spreadsheet",
        ("sheet", "has_header"),
    ),
    Format(
        "html",
        message("Web page (HTML table)"),
        (".html", ".htm"),
        "text/html; charset=utf-8",
        ("encoding", "has_header"),
    ),
    Format(
        "json",
        message("JSON (for programs)"),
        (".json", ".jsonl"),
        "application/json",
        ("encoding",),
    ),
    Format(
        "anki_text",
        message("Anki notes (text)"),
        (".txt",),
        "text/plain; charset=utf-8",
        ("encoding", "delimiter", "html"),
    ),
    Format(
        "apkg",
        message("Anki package (with sound and pictures)"),
        (".apkg", ".colpkg"),
        "application/octet-stream",
        (),
        holds_media=True,
    ),
)

EXPORTS: Mapping[str, Format] = {
    **FORMATS,
    **_by_name(
        Format("moodle", message("Moodle glossary"), (".xml",), "application/xml", ()),
        Format("h5p", message("H5P dialog cards"), (".h5p",), "application/zip", ()),
    ),
}
"""The formats in which a list can be written; “moodle” and “h5p” do not hold all of it."""

IMPORTS: Mapping[str, Format] = {
    **FORMATS,
    **_by_name(
        Format(
            "xml",
            message("Glossary (XML: Moodle, KVTML, Pauker, TBX, TMX, LIFT)"),
            (".xml", ".kvtml", ".gz", ".tbx", ".tmx", ".lift"),
            "application/xml",
            (),
        ),
        EXPORTS["h5p"],
    ),
}
"""The formats that are read: not each of these holds all that a list has."""

OPTIONS = frozenset(option for format in IMPORTS.values() for option in format.options)

# The formats that are ZIP files.
_PACKED = ("xlsx", "ods", "apkg", "h5p")
# How much of a file shows its format, and how much its first bytes do.
_HEAD, _MARK = 1000, 20

# Other files that people try, recognised by their first bytes or by a member of the zip.
_ELSEWHERE = (
    (
        b"\xd0\xcf\x11\xe0",
        message("This is an old .xls file or is protected with a password. Save it as .xlsx."),
    ),
    (b"%PDF", message("This is a PDF. Copy the words from it and paste them.")),
    (b"SQLite format 3", message("This is only a database. Export the deck as .apkg.")),
    *(
        (mark, message("This is a picture, not a list of words."))
        for mark in (b"\x89PNG", b"\xff\xd8\xff", b"GIF8", b"<svg", b"II*\0", b"MM\0*")
    ),
    (b"{\\rtf", message("This is a formatted document. Save it as plain text.")),
)


def detect(source: bytes | str | Path) -> str:
    """Return the name of the format from the file's content, whatever its name.

    Raises `FormatError`, with advice, for any other file.
    """
    if isinstance(source, str):
        start = source[:_HEAD]
        head = start[:_MARK].encode(errors="replace")
    else:
        head = source[:_HEAD] if isinstance(source, bytes) else _head(source)
        if head.startswith(b"PK\x03\x04"):
            return _detect_zip(source)
        if head.startswith(b"\x1f\x8b"):
            return "xml"
        is_wide = head.startswith((b"\xff\xfe", b"\xfe\xff"))
        start = head.decode("utf-16" if is_wide else "utf-8", "replace")
    for mark, template in _ELSEWHERE:
        if head.startswith(mark):
            raise FormatError(template)
    start = start.removeprefix("\ufeff")
    # Each says by a text's start whether it is theirs; without a doubt in this order.
    for name, looks_so in (
        ("anki_text", "is_anki_text"),
        ("xml", "is_xml"),
        ("html", "is_html"),
        ("json", "is_json"),
    ):
        if getattr(import_module(f"vocab.formats.{name}"), looks_so)(start):
            return name
    return "delimited"


def refuse_page(name: str, source: bytes | Path) -> None:
    """Raise `FormatError` if a file is a web page, though its *name* is that of a package.

    Sites show a page about a file, and browsers save that under the file's name.
    """
    start = (_head(source) if isinstance(source, Path) else source[:_HEAD]).decode(errors="replace")
    suffixes = {suffix for packed in _PACKED for suffix in IMPORTS[packed].suffixes}
    is_html = import_module("vocab.formats.html").is_html
    if Path(name).suffix.lower() in suffixes and is_html(start):
        raise FormatError(
            message(
                "“{name}” is a web page, not the file itself. Open the page, download the file "
                "there, and import that."
            ),
            name=name[-80:],
        )


def _head(path: Path) -> bytes:
    with path.open("rb") as stream:
        return stream.read(_HEAD)


def _detect_zip(source: bytes | Path) -> str:
    archive = import_module("vocab.formats.archive")
    opened: zipfile.ZipFile = archive.open_zip(source)
    names = set(opened.namelist())
    if any(name.startswith("collection.anki2") for name in names):
        return "apkg"
    if "xl/workbook.xml" in names:
        return "xlsx"
    if "content.xml" in names:
        return "ods"
    if "h5p.json" in names:
        return "h5p"
    if "word/document.xml" in names:
        raise FormatError(
            message("This is a Word document. Copy its table and paste it, or save it as .csv.")
        )
    raise FormatError(message("This ZIP file is neither a spreadsheet nor an Anki package."))


def parse(
    source: bytes | str | Path,
    *,
    format: str | None = None,
    columns: Mapping[str, str] | None = None,
    languages: Sequence[str] = (),
    media_folder: Path | None = None,
    **options: Any,
) -> Parsed:
    """Read a file's bytes, a text, or a file, in *format* or else in the format it looks like.

    *columns* maps headers to fields; *languages* are those of the list, its words' first, which
    tell columns headed by names of languages apart; *options* are those of the format
    (`Format.options`); media are written to *media_folder*. `settings["format"]` of the result
    names the format. Raises `FormatError`.
    """
    name = format or detect(source)
    if name not in IMPORTS:
        raise FormatError(message("There is no format “{name}”."), name=name)
    for option in options:
        if option not in IMPORTS[name].options:
            raise FormatError(
                message("The format {name} has no setting “{option}”."), name=name, option=option
            )
    arguments = dict(options, columns=columns, languages=languages)
    if IMPORTS[name].holds_media:
        arguments["media_folder"] = media_folder
    elif isinstance(source, Path):
        source = source.read_bytes()
    if isinstance(source, str) and name in _PACKED:
        raise FormatError(message("The format {name} is not a text format."), name=name)
    parsed: Parsed = import_module(f"vocab.formats.{name}").parse(source, **arguments)
    parsed.problems.sort(key=lambda problem: problem.line)
    parsed.settings = {"format": name, **parsed.settings}
    return parsed


def write(
    rows: Sequence[Row],
    format: str,
    *,
    name: str = "",
    media: Mapping[str, Path | bytes] | None = None,
) -> bytes:
    """Return *rows* as a file in *format*; *name* is the list's, *media* are the rows' files."""
    if format not in EXPORTS:
        raise FormatError(message("There is no format “{name}”."), name=format)
    module = import_module(f"vocab.formats.{format}")
    if format == "apkg":
        data: bytes = module.write(rows, name=name, media=media)
    elif format in ("anki_text", "moodle", "h5p"):
        data = module.write(rows, name=name)
    else:
        data = module.write(rows)
    return data
