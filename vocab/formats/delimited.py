"""Delimited text: CSV and similar formats, and pasted text, including Quizlet's form."""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, islice

from vocab.formats.columns import (
    fields_of,
    looks_like_header,
    rows_of_table,
    table_of_rows,
    within_limits,
    without_titles,
)
from vocab.formats.encoding import decode
from vocab.formats.rows import FormatError, Parsed, Problem, Row, message

# The delimiters between cells that may be quoted.
QUOTED_DELIMITERS = ("\t", "|", ";", ",")
# Typed between a term and its translation, one pair per line, without quoting.
PAIR_DELIMITERS = (" - ", " – ", " — ", " = ", ": ")

_SAMPLE_LINES = 200
_SAMPLE_CHARACTERS = 50_000
_CONTROLS = re.compile("[\0-\x08\x0e-\x1f\x7f-\x84\x86-\x9f]")
_SEPARATOR_LINE = re.compile(r'"?sep=(.)"?[ \t]*(?:\r\n|\r|\n)', re.IGNORECASE)
# A spreadsheet takes a cell that begins like this for a formula; in Japan also with full-width
# signs.
_FORMULA = re.compile(r"'*[=+\-@\t\r\n＝＋－＠]")
_NEUTRALISED = re.compile(r"'+[=+\-@\t\r\n＝＋－＠]")


def neutralise(text: str) -> str:
    """Put an apostrophe before text that a spreadsheet would run as a formula; see `restore`."""
    return f"'{text}" if _FORMULA.match(text) else text


def restore(text: str) -> str:
    """Remove the apostrophe that `neutralise`, or a spreadsheet, put before a formula."""
    return text[1:] if _NEUTRALISED.match(text) else text


def parse(
    data: bytes | str,
    *,
    encoding: str | None = None,
    delimiter: str | None = None,
    row_separator: str | None = None,
    has_header: bool | None = None,
    columns: Mapping[str, str] | None = None,
) -> Parsed:
    """Read delimited text; what is not given is guessed and returned in `settings`.

    With a *delimiter* of one character, cells may be quoted (`"a, b"`), and there may be any number
    of columns. A longer one (` - `), or any delimiter with a *row_separator* other than the line
    ending, is Quizlet's form: pairs of term and translation without quoting, split at the first
    delimiter. Raises `FormatError` if nothing can be read.
    """
    if isinstance(data, str):
        text, encoding = data.removeprefix("\ufeff"), ""
    else:
        text, encoding = decode(data, encoding)
    _check(text, delimiter, row_separator)
    by_line = row_separator in (None, "\n", "\r\n", "\r")
    if row_separator is not None and not by_line and "\n" in row_separator:
        # Recognise empty lines also in a browser's text and in a file from Windows.
        row_separator = row_separator.replace("\r\n", "\n")
        text = text.replace("\r\n", "\n")
    first_line = 1
    if by_line and (match := _SEPARATOR_LINE.match(text[:12])):  # Excel's own hint
        delimiter = delimiter or match[1]
        text, first_line = text[match.end() :], 2
    if row_separator is None or by_line:
        pieces = list(io.StringIO(text, newline=""))
    else:
        pieces = text.split(row_separator)
    if delimiter is None:
        delimiter = guess_delimiter([p for p in pieces if p.strip()], row_separator or "\n")
    problems: list[Problem] = []
    if by_line and len(delimiter) == 1:
        records: Iterator[tuple[int, Sequence[str]]] = (
            (line, [restore(cell) if "'" in cell else cell for cell in cells])
            for line, cells in quoted_records(pieces, delimiter, first_line, problems)
        )
    else:
        gap = 0 if row_separator is None or by_line else row_separator.count("\n")
        records = _pairs(pieces, delimiter, first_line, gap)
    parsed = _parsed(within_limits(records), has_header, columns)
    parsed.problems[:0] = problems
    if encoding:
        parsed.settings["encoding"] = encoding
    parsed.settings["delimiter"] = delimiter
    parsed.settings["row_separator"] = "\n" if row_separator is None or by_line else row_separator
    return parsed


def _check(text: str, delimiter: str | None, row_separator: str | None) -> None:
    if delimiter == "" or row_separator == "":
        raise FormatError(message("Enter a separator."))
    if delimiter in ('"', "\n", "\r"):
        raise FormatError(message("Quotation marks and line breaks cannot be separators."))
    if not text or text.isspace():
        raise FormatError(message("There is no text to read."))
    start = text[:_SAMPLE_CHARACTERS]
    if len(_CONTROLS.findall(start)) * 20 > len(start):
        raise FormatError(message("This is not a text file."))


def _parsed(
    records: Iterator[tuple[int, Sequence[str]]],
    has_header: bool | None,
    columns: Mapping[str, str] | None,
) -> Parsed:
    """Tell a header from a first row, and read what follows."""
    begin = list(islice(records, _SAMPLE_LINES))
    begin, titles = without_titles(begin, has_header)
    first = begin[0][1]
    if has_header is None:
        has_header = looks_like_header(first) or not {*(columns or ())}.isdisjoint(first)
    names = list(first)
    if not has_header:
        # A line with more cells than most deserves a warning; a common width does not.
        widths = Counter(len(cells) for _, cells in begin)
        names = [""] * max(widths, key=lambda width: (widths[width], width))
    rest = chain(begin[1:] if has_header else begin, records)
    parsed = rows_of_table(names, rest, columns=columns)
    parsed.problems[:0] = titles
    parsed.settings["has_header"] = has_header
    return parsed


def quoted_records(
    lines: Sequence[str], delimiter: str, first_line: int, problems: list[Problem]
) -> Iterator[tuple[int, list[str]]]:
    """Yield (line, cells); a line with unmatched quotation marks is taken literally."""
    start = 0
    while start < len(lines):
        reader = csv.reader(
            map(lines.__getitem__, range(start, len(lines))),
            delimiter=delimiter,
            skipinitialspace=delimiter != " ",
            strict=True,
        )
        done = start
        try:
            for cells in reader:
                yield done + first_line, cells
                done = start + reader.line_num
            return
        except csv.Error:
            problems.append(
                Problem(
                    done + first_line,
                    message(
                        "The quotation marks in this line do not match. The line was kept as it is."
                    ),
                    "warning",
                )
            )
            yield done + first_line, lines[done].rstrip("\r\n").split(delimiter)
            start = done + 1


def _pairs(
    pieces: Sequence[str], delimiter: str, line: int, gap: int
) -> Iterator[tuple[int, list[str]]]:
    """Yield (line, [term, translation]); *gap* is the number of lines between two pieces."""
    for piece in pieces:
        # A piece may begin with the line ending that followed the separator.
        lead = len(piece) - len(piece.lstrip("\r\n"))
        term, found, translation = piece.partition(delimiter)
        yield (
            line + piece[:lead].count("\n"),
            [restore(text.strip()) for text in ((term, translation) if found else (term,))],
        )
        line += piece.count("\n") + gap


def guess_delimiter(rows: Sequence[str], row_separator: str = "\n") -> str:
    """Return the likeliest delimiter between the cells of *rows* (raw, none of them empty)."""
    sample: list[str] = []
    size = 0
    for row in rows[:_SAMPLE_LINES]:
        sample.append(row)
        size += len(row)
        if size > _SAMPLE_CHARACTERS:
            break
    quoted = [d for d in QUOTED_DELIMITERS if d not in row_separator]
    records = {d: _sample_records(sample, d) for d in quoted}
    headers = {d: found[0] for d, found in records.items() if found}
    named = [d for d, cells in headers.items() if len(cells) > 1 and looks_like_header(cells)]
    if named:
        return max(named, key=lambda d: len(fields_of(headers[d])))
    shares = {
        d: sum(len(cells) > 1 for cells in found) / len(found) for d, found in records.items()
    }
    shares |= {d: sum(d in row for row in sample) / len(sample) for d in PAIR_DELIMITERS}
    if shares.get("\t", 0) >= 0.5:
        return "\t"
    best = max(shares.values())
    if best < 0.5:
        return "\t"  # one column
    tied = [d for d, share in shares.items() if share == best]
    for dash in PAIR_DELIMITERS[:-1]:
        if dash in tied:
            return dash
    # "pas; dog, hound" and "pas, dog; hound": the delimiter of columns comes first.
    leaders = Counter(
        min((d for d in tied if d in row), key=row.index, default="") for row in sample
    )
    leaders.pop("", None)
    return leaders.most_common(1)[0][0]


def _sample_records(sample: Sequence[str], delimiter: str) -> list[list[str]]:
    try:
        return list(csv.reader(sample, delimiter=delimiter, skipinitialspace=True)) or [[]]
    except csv.Error:
        return [row.split(delimiter) for row in sample]


def write(rows: Sequence[Row], *, delimiter: str = ",") -> bytes:
    """Return *rows* as CSV in UTF-8 with a BOM, so that spreadsheets read every script.

    Text that a spreadsheet would run as a formula is neutralised; `parse` restores it.
    """
    header, table = table_of_rows(rows)
    stream = io.StringIO(newline="")
    writer = csv.writer(stream, delimiter=delimiter, lineterminator="\r\n")
    writer.writerow(map(neutralise, header))
    writer.writerows(map(neutralise, cells) for cells in table)
    return stream.getvalue().encode("utf-8-sig")
