"""Delimited text: CSV and similar formats, and pasted text, including Quizlet's form."""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, islice

from vocab.formats import repairs
from vocab.formats.anki_fields import (
    cell_of,
    read_cell,
    rows_of_cells,
    split_cell,
    with_entities_whole,
)
from vocab.formats.book_pages import (
    with_phonetics_apart,
    with_words_whole,
    without_page_numbers,
)
from vocab.formats.cards import Cards, cards_of
from vocab.formats.columns import (
    IGNORE,
    UNNAMED,
    counts_rows,
    is_sheet_error,
    sheet_error,
    table_of_rows,
    within_limits,
    without_titles,
)
from vocab.formats.encoding import text_of
from vocab.formats.list_marks import without_marks
from vocab.formats.markdown import markdown_records
from vocab.formats.quotes import without_quotes
from vocab.formats.readings import place_of_readings
from vocab.formats.rows import (
    MAX_EMPTY_ROWS,
    MAX_ROWS,
    FormatError,
    Parsed,
    Problem,
    Row,
    Setting,
    message,
    messages,
    one_for_each,
)
from vocab.formats.separators import (
    GAP,
    SAMPLE_CHARACTERS,
    SAMPLE_LINES,
    LineByLine,
    guess_delimiter,
    names_columns,
    separator_of_words,
    separators_of_cards,
    shown,
    spaced_separator,
    with_tabs,
)
from vocab.message import filled

_CONTROLS = re.compile("[\0-\x08\x0e-\x1f\x7f-\x84\x86-\x9f]")
# Markup and data are no words; in a file they are read by other modules.
_NOTATIONS = (
    (
        re.compile(r"\s*<(?:!doctype|\?xml|html|head|body|meta|table|div|svg|p|span)\b", re.I),
        message("This is the source of a web page. Save it as a file and import the file."),
    ),
    (
        re.compile(r"\s*(?:\[\s*\{|\{\s*[\"}]|\[\s*\[)"),
        message("This is JSON. Save it as a file and import the file."),
    ),
    (
        re.compile(r"\{\\rtf"),
        message("This is a formatted document. Save it as plain text."),
    ),
)
# The columns of a word search's lists, in any order.
_CATEGORISED = (
    ["categories", "translation", "word"],
    ["categories", "phrase", "translation"],
)
_BREAK = re.compile(r"\\n")
_SEPARATOR_LINE = re.compile(r'"?sep=(.)"?[ \t]*(?:\r\n|\r|\n)', re.IGNORECASE)
# A spreadsheet takes a cell that begins like this for a formula; in Japan also with full-width
# signs.
_FORMULA = re.compile(r"'*[=+\-@\t\r\n＝＋－＠]")
_NEUTRALISED = re.compile(r"'+[=+\-@\t\r\n＝＋－＠]")


def neutralise(text: str) -> str:
    """Put an apostrophe before text that a spreadsheet would run as a formula; see `restore`."""
    return f"'{text}" if _FORMULA.match(text) or is_sheet_error(text.lstrip("'")) else text


def restore(text: str) -> str:
    """Remove the apostrophe that `neutralise`, or a spreadsheet, put before a formula."""
    is_neutralised = _NEUTRALISED.match(text) or (
        text.startswith("'") and is_sheet_error(text.lstrip("'"))
    )
    return text[1:] if is_neutralised else text


def _cell(text: str, line: int, problems: list[Problem]) -> str:
    if is_sheet_error(text):
        problems.append(Problem(line, sheet_error(text), "warning"))
        return ""
    return restore(text) if "'" in text else text


def parse(
    data: bytes | str,
    *,
    encoding: str | None = None,
    delimiter: str | None = None,
    row_separator: str | None = None,
    has_header: bool | None = None,
    mixed: bool = False,
    repair: str | None = None,
    columns: Mapping[str, str] | None = None,
    languages: Sequence[str] = (),
) -> Parsed:
    """Read delimited text; what is not given is guessed and returned in `settings`.

    With a *delimiter* of one character, cells may be quoted (`"a, b"`), and there may be any number
    of columns. A longer one (` - `), or any delimiter with a *row_separator* other than the line
    ending, is Quizlet's form: pairs of term and translation without quoting, split at the first
    delimiter. Raises `FormatError` if nothing can be read.

    If the delimiter is guessed, or *mixed*, lines without it are split by another separator that
    fits them, with a warning. A table in Markdown is read too. *repair* has names of `repairs`,
    separated by spaces; "" if there shall be none. *languages* are those of the list, its words'
    first.
    """
    text, settings, problems = text_of(data, encoding, languages)
    _check(text, delimiter, row_separator, is_file=isinstance(data, bytes))
    done = repairs.names_of(repair or "")
    if repair is not None:
        settings["repair"] = " ".join(done)
    changes_lines = repairs.change_lines(done) and row_separator in (None, "\n")
    may_be_cards = row_separator in (None, "\n") and not changes_lines and not names_columns(text)
    cards = cards_of(text) if may_be_cards else None
    if cards and delimiter in (None, cards.mark):
        parsed = _read_cards(cards, settings, columns, languages)
        parsed.problems[:0] = problems
        return parsed
    text = with_entities_whole(text)
    if delimiter is None and row_separator is None and not changes_lines:
        delimiter, row_separator, mixed = _guess_both(text, has_header, columns, problems)
    elif delimiter is None:
        mixed = True
    by_line = row_separator in (None, "\n", "\r\n", "\r")
    if row_separator is not None and not by_line and "\n" in row_separator:
        # Recognise empty lines also in a browser's text and in a file from Windows.
        row_separator = row_separator.replace("\r\n", "\n")
        text = text.replace("\r\n", "\n")
    first_line = 1
    if by_line and (match := _SEPARATOR_LINE.match(text[:12])):  # Excel's own hint
        delimiter, mixed = delimiter or match[1], mixed and delimiter is not None
        text, first_line = text[match.end() :], 2
    if row_separator is None or by_line:
        lines = list(io.StringIO(text, newline=""))
        is_refused = len(lines) > MAX_ROWS + MAX_EMPTY_ROWS  # below
        if (pieces := lines if is_refused else without_marks(lines)) is not lines:
            left_out = message("The numbers or marks before the words were left out.")
            problems.append(Problem(0, left_out, "warning"))
    else:
        pieces = text.split(row_separator)
    if by_line and delimiter in (None, "|") and (found := markdown_records(pieces)):
        table = _read_markdown(found[0], settings, has_header, columns, languages)
        table.problems[:0] = problems + found[1]
        return table
    told = delimiter
    if by_line and len(pieces) <= MAX_ROWS + MAX_EMPTY_ROWS:
        if isinstance(data, str):
            is_plain = delimiter in (None, "\t", GAP)
            pieces = with_phonetics_apart(pieces) if is_plain else pieces
            pieces = _without_traces_of_pages(pieces, first_line, languages, problems)
        if repair is None and delimiter is None:
            done = repairs.certain(pieces, languages)
        pieces, delimiter, told = _with_columns(pieces, delimiter, done, languages)
    if delimiter is None:
        filled = (piece for piece in pieces if piece.strip())
        delimiter = guess_delimiter(list(islice(filled, SAMPLE_LINES)), row_separator or "\n")
    told = told or delimiter
    if by_line and len(delimiter) == 1:
        records: Iterator[tuple[int, Sequence[str]]] = (
            (line, [_cell(cell, line, problems) for cell in cells])
            for line, cells in quoted_records(pieces, delimiter, first_line, problems)
        )
    else:
        gap = 0 if row_separator is None or by_line else row_separator.count("\n")
        records = _pairs(pieces, delimiter, first_line, gap)
        if row_separator and not row_separator.isspace():
            records = _joined(records, row_separator, problems)
    splitter = LineByLine(delimiter, pieces, first_line) if by_line and mixed else None
    if splitter:
        records = splitter.records(records, restore)
    records = within_limits(records)
    if repair is None and isinstance(data, str):
        sample = list(islice(records, SAMPLE_LINES))
        records = chain(sample, records)
        if "quotes" not in done and repairs.has_quoted_words([cells for _, cells in sample]):
            done = [*done, "quotes"]
    if "quotes" in done:
        records = ((line, list(map(without_quotes, cells))) for line, cells in records)
    parsed = _parsed(records, has_header, columns, languages, delimiter, swap="swap" in done)
    parsed.problems[:0] = problems
    parsed.settings |= settings | {
        "delimiter": told,
        "row_separator": "\n" if row_separator is None or by_line else row_separator,
    }
    if done:
        parsed.settings["repair"] = " ".join(done)
    parsed.separators = {told: len(parsed.rows)}
    if splitter:
        parsed.problems += splitter.problems
        others = splitter.counts
        parsed.separators = {told: len(parsed.rows) - others.total(), **others}
        if splitter.is_mixed:
            parsed.settings["mixed"] = True
    if not parsed.header_line:
        parsed.problems += repairs.offered(
            pieces if by_line else (), parsed.rows, done, languages, is_chosen=bool(columns)
        )
    parsed.problems = one_for_each(parsed.problems)
    return parsed


def _without_traces_of_pages(
    lines: Sequence[str], first_line: int, languages: Sequence[str], problems: list[Problem]
) -> Sequence[str]:
    """Return typed or copied *lines* without what a book's page has beside the words."""
    lines = with_words_whole(lines, languages)
    left, skipped = without_page_numbers(lines)
    text = message("Skipped, because it is a heading or a page number: “{text}”.")
    problems += [
        Problem(number + first_line, filled(text, text=lines[number].strip()[:60]), "warning")
        for number in skipped
    ]
    return left


def _with_columns(
    lines: Sequence[str], delimiter: str | None, done: Sequence[str], languages: Sequence[str]
) -> tuple[Sequence[str], str | None, str | None]:
    """Return *lines* with tabs where a repair or gaps part them, and the delimiter to read them by.

    The third value is the delimiter as people are told: `GAP`, though tabs replace the gaps.
    """
    if delimiter in (None, "\t"):
        changed = repairs.repaired(lines, done, languages)
        if changed != list(lines):
            return without_marks(changed), "\t", "\t"
    may_be_gaps = delimiter == GAP or (delimiter is None and not names_columns("".join(lines[:2])))
    if may_be_gaps and (tabbed := with_tabs(lines, surely=delimiter == GAP)):
        return tabbed, "\t", GAP
    return lines, delimiter, delimiter


def _read_cards(
    cards: Cards,
    settings: Mapping[str, Setting],
    columns: Mapping[str, str] | None,
    languages: Sequence[str],
) -> Parsed:
    parsed = rows_of_cells(
        cards.names, within_limits(cards.records), columns=columns, languages=languages
    )
    parsed.settings |= {**settings, "delimiter": cards.mark, "row_separator": "\n"}
    parsed.settings["has_header"] = False
    parsed.separators = {cards.mark: len(parsed.rows)}
    return parsed


def _guess_both(
    text: str,
    has_header: bool | None,
    columns: Mapping[str, str] | None,
    problems: list[Problem],
) -> tuple[str | None, str | None, bool]:
    """Return the delimiter and the row separator if they are sure, and whether lines may differ."""
    if cards := separators_of_cards(text):
        return *cards, False
    if has_header is None and not columns and (sign := separator_of_words(text)):
        count = sum(1 for word in text.split(sign) if word.strip())
        words = messages(
            "This line was read as {count} word without a translation, separated by “{sign}”.",
            "This line was read as {count} words without translations, separated by “{sign}”.",
            count,
            sign=sign,
        )
        problems.append(Problem(1, words, "warning"))
        return "\t", sign, False
    return None, None, True


def _read_markdown(
    records: Sequence[tuple[int, list[str]]],
    settings: Mapping[str, Setting],
    has_header: bool | None,
    columns: Mapping[str, str] | None,
    languages: Sequence[str],
) -> Parsed:
    # The first line of such a table is always its header.
    parsed = _parsed(
        within_limits(records), has_header is not False, columns, languages, delimiter="|"
    )
    parsed.settings |= {**settings, "delimiter": "|", "row_separator": "\n"}
    parsed.separators = {"|": len(parsed.rows)}
    return parsed


def _check(text: str, delimiter: str | None, row_separator: str | None, *, is_file: bool) -> None:
    if delimiter == "" or row_separator == "":
        raise FormatError(message("Enter a separator."))
    if delimiter in ('"', "\n", "\r"):
        raise FormatError(message("Quotation marks and line breaks cannot be separators."))
    if not text or text.isspace():
        raise FormatError(message("There is no text to read."))
    start = text[:SAMPLE_CHARACTERS]
    for notation, sentence in _NOTATIONS:
        if notation.match(start):
            no_list = message(
                "This file is not a list of words. Export the words as CSV or as a spreadsheet."
            )
            raise FormatError(no_list if is_file else sentence)
    if len(_CONTROLS.findall(start)) * 20 > len(start):
        raise FormatError(message("This is not a text file."))


def _parsed(
    records: Iterator[tuple[int, Sequence[str]]],
    has_header: bool | None,
    columns: Mapping[str, str] | None,
    languages: Sequence[str],
    delimiter: str,
    *,
    swap: bool = False,
) -> Parsed:
    """Tell a header from a first row, and read what follows; *swap* the words and translations."""
    records = ((line, list(map(split_cell, cells))) for line, cells in records)
    raw = list(islice(records, SAMPLE_LINES))
    if not raw:  # there are only separators
        raise FormatError(message("There is no text to read."))
    begin = [(line, [read_cell(cell).text for cell in cells]) for line, cells in raw]
    begin, titles, is_named = without_titles(begin, has_header, languages)
    line, first = begin[0]
    if has_header is None:
        has_header = is_named or not {*(columns or ())}.isdisjoint(first)
    names = list(first)
    if not has_header:
        # A line with more cells than most deserves a warning; a common width does not, nor does a
        # translation in a list that has few.
        widths = Counter(len(cells) for _, cells in begin)
        usual = max(widths, key=lambda width: (widths[width], width))
        names = [""] * max(usual, min(2, max(widths)))
    body = begin[1:] if has_header else begin
    rest: Iterator[tuple[int, Sequence[str]]] = chain(raw[len(raw) - len(body) :], records)
    guessed, problems = _unnamed_columns(names, body, delimiter)
    chosen = {**guessed, **(columns or {})}
    tags = _place_of_categories(names, chosen, delimiter)
    if tags is not None:
        rest = _with_tags_apart(rest, tags)
    is_stardict = delimiter == "\t" and not has_header and _has_coded_breaks(body)
    if is_stardict:
        rest = ((line, [_BREAK.sub("\n", cell) for cell in cells]) for line, cells in rest)
    if swap and not columns:
        fields = rows_of_cells(names, [], columns=chosen, languages=languages).columns
        chosen |= repairs.swapped(fields)
    parsed = rows_of_cells(
        names, rest, columns=chosen, languages=languages, lines_apart=is_stardict
    )
    parsed.problems[:0] = titles + problems
    if not has_header:
        parsed.problems += _doubts(parsed.rows)
    parsed.settings["has_header"] = has_header
    parsed.header_line = line if has_header else 0
    return parsed


def _unnamed_columns(
    names: Sequence[str], records: Sequence[tuple[int, Sequence[str]]], delimiter: str
) -> tuple[dict[str, str], list[Problem]]:
    """Return what columns without names are, from their contents, if not words and translations."""
    if names and not names[0] and counts_rows(records):
        return {f"{UNNAMED}1": IGNORE}, []
    if any(names) or len(names) < 3:
        return {}, []
    if (place := place_of_readings(records, len(names))) is not None:
        return {f"{UNNAMED}{place + 1}": "pronunciation"}, []
    if len(names) != 3 or delimiter != ";":
        return {}, []
    place = _repeated_place(records)
    if place is None:
        return {}, []
    text = message(
        "Column {number} contains the same few values again and again, so it was read as tags.",
        number=place + 1,
    )
    guessed = {f"{UNNAMED}{place + 1}": "tags"}
    if place == 0:
        guessed |= {f"{UNNAMED}2": "term", f"{UNNAMED}3": "translation"}
    return guessed, [Problem(0, text, "warning")]


def _repeated_place(records: Sequence[tuple[int, Sequence[str]]]) -> int | None:
    """Return the column, first or third, of few words that recur from line to line."""
    if len(records) < 3 or any(len(cells) != 3 for _, cells in records):
        return None
    for place in (0, 2):
        found = [cells[place].split() for _, cells in records]
        counts = Counter(word for words in found for word in words)
        recur = all(any(counts[word] > 1 for word in words) for words in found)
        if recur and len(counts) <= max(2, 0.7 * len(records)):
            return place
    return None


def _place_of_categories(
    names: Sequence[str], columns: Mapping[str, str], delimiter: str
) -> int | None:
    """Return the column whose tags are separated by spaces, as in `categories;word;translation`."""
    if delimiter != ";" or len(names) != 3:
        return None
    if sorted(name.strip().casefold() for name in names) in _CATEGORISED:
        place = next(n for n, name in enumerate(names) if name.strip().casefold() == "categories")
        return place if columns.get(names[place], "tags") == "tags" else None
    unnamed = [columns.get(f"{UNNAMED}{number}") for number in (1, 2, 3)]
    return unnamed.index("tags") if not any(names) and "tags" in unnamed else None


def _with_tags_apart(
    records: Iterable[tuple[int, Sequence[str]]], place: int
) -> Iterator[tuple[int, list[str]]]:
    for line, cells in records:
        yield (
            line,
            ["; ".join(cell.split()) if n == place else cell for n, cell in enumerate(cells)],
        )


def _has_coded_breaks(records: Sequence[tuple[int, Sequence[str]]]) -> bool:
    """Return whether a dictionary's lines have `\\n` for line breaks, as StarDict's source has."""
    return all(len(cells) == 2 for _, cells in records) and any(
        _BREAK.search(cells[1]) for _, cells in records
    )


def _doubts(rows: Sequence[Row]) -> list[Problem]:
    """Return warnings about words that may be more than a word."""
    problems = []
    usually_translated = 2 * sum(bool(row.translations) for row in rows) > len(rows)
    for row in rows:
        if separator := spaced_separator(row.term):
            text = message(
                "The word “{term}” contains “{separator}”. Check whether it should be split.",
                term=row.term[:60],
                separator=shown(separator),
            )
            problems.append(Problem(row.line, text, "warning"))
        elif usually_translated and not row.translations:
            text = message("“{term}” has no translation.", term=row.term[:60])
            problems.append(Problem(row.line, text, "warning"))
    return problems


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
        # “= cat”: without a word, nothing is left before the separator's space.
        if not found and delimiter[0] == " " and piece.lstrip().startswith(delimiter[1:]):
            term, found, translation = "", delimiter, piece.lstrip()[len(delimiter) - 1 :]
        yield (
            line + piece[:lead].count("\n"),
            [restore(text.strip()) for text in ((term, translation) if found else (term,))],
        )
        line += piece.count("\n") + gap


def _joined(
    records: Iterable[tuple[int, list[str]]], separator: str, problems: list[Problem]
) -> Iterator[tuple[int, list[str]]]:
    """Yield pairs; a piece without a translation is the rest of the one before it.

    Each card of Quizlet has a delimiter, and a definition may have what separates the cards.
    """
    waiting: tuple[int, list[str]] | None = None
    for line, cells in records:
        if waiting and len(waiting[1]) == 2 and len(cells) == 1 and cells[0]:
            waiting[1][1] += f"{separator} {cells[0]}"
            problems.append(
                Problem(
                    line,
                    message("“{text}” was added to the translation before it.", text=cells[0][:40]),
                    "warning",
                )
            )
            continue
        if waiting:
            yield waiting
        waiting = line, cells
    if waiting:
        yield waiting


def write(rows: Sequence[Row]) -> bytes:
    """Return *rows* as CSV in UTF-8 with a BOM, so that spreadsheets read every script.

    Text that a spreadsheet would run as a formula is neutralised; `parse` restores it.
    """
    header, table = table_of_rows(rows)
    stream = io.StringIO(newline="")
    writer = csv.writer(stream, lineterminator="\r\n")
    for cells in chain([header], table):
        writer.writerow([neutralise(cell_of(cell)) for cell in cells])
    return stream.getvalue().encode("utf-8-sig")
