"""Tables of web pages: the first table with two columns is read; a page with one is written."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from html import escape

from osmosmjerka.i18n.code_pages import canonical
from vocab.formats.anki_fields import HTML_TAG, FieldText, read_html, without_comments
from vocab.formats.columns import table_of_rows, too_many_columns, within_limits, without_titles
from vocab.formats.encoding import text_of
from vocab.formats.rows import MAX_COLUMNS, MAX_ROWS, FormatError, Parsed, Row, message
from vocab.formats.sheets import Records, read_table

_START = re.compile(
    r"\s*<(?:!doctype\s+html|html|head|body|meta|title|link|style|table|thead|tbody|div|p|span|h\d"
    r"|!--|section|article|main|center|ul|ol)\b",
    re.IGNORECASE,
)
_SPAN = re.compile(r"""\b(col|row)span\s*=\s*["']?\s*(\d{1,4})""", re.IGNORECASE)
_CHARSET = re.compile(rb"""<meta[^<>]{0,200}?charset\s*=\s*["']?\s*([A-Za-z0-9_\-]{1,30})""", re.I)
_GAP = re.compile(r"[ \t\r\n\f]+")
_UNREAD = frozenset(("script", "style", "template", "select", "head"))


def is_html(start: str) -> bool:
    """Return whether a text begins like a web page or a part of one."""
    return _START.match(start) is not None


def parse(
    data: bytes | str,
    *,
    encoding: str | None = None,
    has_header: bool | None = None,
    columns: Mapping[str, str] | None = None,
    languages: Sequence[str] = (),
) -> Parsed:
    """Read the first table that has two columns; a row's line is its number in the table.

    Merged cells are repeated downwards. Raises `FormatError`, also for a page without such a table.
    """
    text, settings, guessed = text_of(data, encoding or _stated_encoding(data), languages)
    table, has_names = _first_table(text)
    records: Records = [(line, list(cells)) for line, cells in within_limits(table)]
    named = True if has_header is None and has_names else has_header
    records, titles, is_named = without_titles(records, named, languages)
    parsed = read_table(records, named, is_named, columns, languages, read=FieldText)
    parsed.problems[:0] = guessed + titles
    parsed.settings |= settings
    return parsed


def _stated_encoding(data: bytes | str) -> str | None:
    """Return the encoding that the page says it has, if it is one that is read."""
    if isinstance(data, str) or data.startswith((b"\xff\xfe", b"\xfe\xff", b"\xef\xbb\xbf")):
        return None
    match = _CHARSET.search(data[:4000])
    stated = canonical(match[1].decode()) if match else None
    if stated == "iso-8859-1":  # as in browsers
        return "cp1252"
    # Whether it is Unicode, its bytes say.
    return None if stated in ("utf-8", "utf-16") else stated


def _first_table(html: str) -> tuple[Records, bool]:
    """Return the rows of the first table with two columns, and whether the first is a header."""
    for table in _tables(without_comments(html)):
        if max((len(cells) for _, cells in table.records), default=0) > 1:
            return table.records, table.has_names
    raise FormatError(
        message(
            "This web page has no table with two columns. Copy the words from it and paste them."
        )
    )


class _Table:
    """A table that is being read: its rows, and the cells that reach into the next ones."""

    def __init__(self) -> None:
        self.records: Records = []
        self.has_names = False
        self._row: list[str] | None = None
        self._heads = self._cells = self._rows = 0
        self._reaching: dict[int, tuple[str, int]] = {}

    def open_row(self) -> None:
        self.close_row()
        self._row, self._heads, self._cells = [], 0, 0

    def add(self, text: str, is_head: bool, columns: int, rows: int) -> None:
        if self._row is None:
            self.open_row()
        assert self._row is not None  # noqa: S101 - it has just been opened
        self._fill()
        place = len(self._row)
        if place + columns > MAX_COLUMNS:
            line = self._rows + 1
            raise FormatError(too_many_columns(line, place + columns), line=line)
        self._row += [text, *[""] * (columns - 1)]
        self._cells += 1
        self._heads += is_head
        if rows > 1:
            self._reaching[place] = (text, rows - 1)

    def _fill(self) -> None:
        """Repeat the cells that reach into this row from above."""
        assert self._row is not None  # noqa: S101 - the callers have a row
        while (place := len(self._row)) in self._reaching:
            text, rows = self._reaching.pop(place)
            self._row.append(text)
            if rows > 1:
                self._reaching[place] = (text, rows - 1)

    def close_row(self) -> None:
        if self._row is None:
            return
        self._fill()
        self._rows += 1
        if any(self._row):
            if not self.records:
                self.has_names = self._cells == self._heads
            if len(self.records) <= MAX_ROWS:
                self.records.append((self._rows, self._row))
        self._row = None


def _tables(html: str) -> Iterator[_Table]:
    """Yield the tables of a page as they end, those within another one first."""
    stack: list[_Table] = []
    cell: tuple[int, bool, int, int] | None = None
    unread = 0

    def close_cell(end: int) -> None:
        nonlocal cell
        if cell and stack:
            start, is_head, columns, rows = cell
            stack[-1].add(_text(html[start:end]), is_head, columns, rows)
        cell = None

    for match in HTML_TAG.finditer(html):
        tag, is_end = match["name"].lower(), bool(match["end"])
        if tag in _UNREAD:
            unread = max(0, unread - 1) if is_end else unread + 1
        if tag not in ("table", "tr", "td", "th") or (unread and not stack):
            continue
        if tag == "table" and not is_end:
            cell = None  # a cell with a table in it is layout
            stack.append(_Table())
            continue
        if not stack:
            continue
        close_cell(match.start())
        if tag == "table":
            table = stack.pop()
            table.close_row()
            yield table
        elif tag == "tr":
            stack[-1].close_row() if is_end else stack[-1].open_row()
        elif not is_end:
            spans = {kind.lower(): int(count) for kind, count in _SPAN.findall(match["rest"])}
            cell = match.end(), tag == "th", max(1, spans.get("col", 1)), spans.get("row", 1)
    while stack:
        close_cell(len(html))
        table = stack.pop()
        table.close_row()
        yield table


def _text(html: str) -> str:
    return read_html(_GAP.sub(" ", html)).text


def write(rows: Sequence[Row]) -> bytes:
    """Return *rows* as a web page with one table, which word processors open too."""
    header, table = table_of_rows(rows)
    head = "".join(f"<th>{_cell(name)}</th>" for name in header)
    body = "\n".join(
        f"<tr>{''.join(f'<td>{_cell(text)}</td>' for text in cells)}</tr>" for cells in table
    )
    return (
        '<!DOCTYPE html>\n<html><head><meta charset="utf-8"></head><body><table>\n'
        f"<thead><tr>{head}</tr></thead>\n<tbody>\n{body}\n</tbody></table></body></html>\n"
    ).encode()


_KEPT = re.compile(r"[\[\]\t\r]|(?<= ) ")


def _cell(text: str) -> str:
    """Return a text such that `read_html` reads it unchanged, with its lines and spaces."""
    html = _KEPT.sub(lambda match: f"&#{ord(match[0])};", escape(text, quote=False))
    return html.replace("\n", "<br>")
