"""Convert a table's cells to rows and back: columns, lists in cells, clean texts."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from typing import Any, NamedTuple

from osmosmjerka.paper.xml import NOT_IN_XML, for_xml
from vocab import text_fields
from vocab.formats import quiz
from vocab.formats.headers import field_of, is_counted, looks_like_header, spoken_in
from vocab.formats.readings import is_reading, without_furigana, without_phonetics
from vocab.formats.rows import (
    MAX_CELL,
    MAX_COLUMNS,
    MAX_EMPTY_ROWS,
    MAX_ROWS,
    TEXT_FIELDS,
    FormatError,
    Parsed,
    Problem,
    Row,
    message,
    messages,
)
from vocab.message import Sentence, filled
from vocab.text.languages import primary

# In export order.
FIELDS = ("id", "term", "translation", *text_fields.NAMES, "image", "audio", "tags", "language")
EXTRA = "extra"
IGNORE = "ignore"

# If there are more lines above a table than this, they are no titles.
_MOST_TITLES = 10
# Records that show how wide a table is.
_SAMPLE = 30
_SEPARATOR = re.compile(r"\\([\\;|/])|([;|]|(?<=\s)/(?=\s))", re.DOTALL)
_TAG_SEPARATOR = re.compile(r"\\([\\;|/,])|([;|,]|(?<=\s)/(?=\s))", re.DOTALL)
_TO_ESCAPE = re.compile(r"[\\;|]|(?<!\S)/(?!\S)")
_TAG_TO_ESCAPE = re.compile(r"[\\;|,]|(?<!\S)/(?!\S)")


_LINE_END = re.compile(r"[ \t]*[\r\n]\s*")
_SHEET_ERROR = re.compile(
    r"#(?:N/A|N/D|NV|REF|VALUE|NAME|DIV/0|NUM|NULL|BEZUG|WERT|ZAHL|VALEUR|NOM|NOMBRE|ADR|ARG"
    r"|NAZWA|LICZBA)[!?]?|Err:5\d\d"
)


def is_sheet_error(text: str) -> bool:
    """Return whether a cell has what a spreadsheet shows where a formula has no result."""
    return _SHEET_ERROR.fullmatch(text) is not None


def sheet_error(text: str) -> Sentence:
    """Return that a cell with the error *text* is read as empty."""
    return message("“{text}” is a spreadsheet error. The cell was skipped.", text=text)


def tidy(text: str) -> str:
    """Return *text* without control characters and surrounding white space."""
    return for_xml(text).strip()


def without_titles(
    records: Sequence[tuple[int, list[str]] | tuple[int, Sequence[str]]],
    has_header: bool | None,
    languages: Sequence[str] = (),
) -> tuple[list[Any], list[Problem], bool]:
    """Return the records from the header on, problems for the titles above, and if one was found.

    A few lines, each with fewer filled cells than the header, may precede it, such as a title. If
    no line that names columns follows them, or *has_header* is False, these lines are words. If it
    is True, somebody has seen a header: without known names it is the first line that is as wide as
    the table.
    """
    if has_header is False:
        return list(records), [], False
    place = _place_of_header(records, languages)
    is_found = place is not None
    if place is None:
        place = _first_wide_place(records) if has_header else 0
    text = message("The text above the column names was skipped: “{text}”.")
    problems = [
        Problem(line, filled(text, text=" ".join(" ".join(above).split())[:80]), "warning")
        for line, above in records[:place]
    ]
    return list(records[place:]), problems, is_found or bool(has_header)


def _place_of_header(
    records: Sequence[tuple[int, Sequence[str]]], languages: Sequence[str]
) -> int | None:
    """Return the index of the line that names columns, if there are only titles above it."""
    widest = 0
    for number, (_, cells) in enumerate(records[: _MOST_TITLES + 1]):
        filled_cells = _filled(cells)
        if (filled_cells > widest and (number == 0 or filled_cells > 1)) and looks_like_header(
            cells, languages
        ):
            return number
        widest = max(widest, filled_cells)
        if widest > 2:
            return None
    return None


def _first_wide_place(records: Sequence[tuple[int, Sequence[str]]]) -> int:
    """Return the index of the first line that has as many filled cells as most lines."""
    widths = Counter(_filled(cells) for _, cells in records[:_SAMPLE])
    usual = max(widths, key=lambda width: (widths[width], width))
    first = (n for n, (_, cells) in enumerate(records[:_MOST_TITLES]) if _filled(cells) >= usual)
    return next(first, 0)


def _filled(cells: Sequence[str]) -> int:
    return sum(not cell.isspace() for cell in cells if cell)


def counts_rows(records: Sequence[tuple[int, Sequence[str]]]) -> bool:
    """Return whether the first cells of *records* are 1, 2, 3 … or 0, 1, 2 …"""
    if len(records) < 2 or any(len(cells) < 2 for _, cells in records):
        return False
    first = records[0][1][0].strip().rstrip(".")
    if first not in ("0", "1"):
        return False
    return all(
        cells[0].strip().rstrip(".") == str(number)
        for number, (_, cells) in enumerate(records, int(first))
    )


def split_list(cell: str, *, commas: bool = False) -> list[str]:
    r"""Split a cell at `;`, `|`, ` / ` and, if *commas*, at commas; `\;` is a literal semicolon."""
    if not any(mark in cell for mark in (";|/,\\" if commas else ";|/\\")):
        return [cell] if cell else []
    parts, part, end = [], "", 0
    for match in (_TAG_SEPARATOR if commas else _SEPARATOR).finditer(cell):
        part += cell[end : match.start()]
        end = match.end()
        if match[1]:
            part += match[1]
        else:
            parts.append(part)
            part = ""
    parts.append(part + cell[end:])
    return [text for part in parts if (text := part.strip())]


def join_list(texts: Iterable[str], *, commas: bool = False) -> str:
    """Join texts into one cell such that `split_list` returns them."""
    escape = _TAG_TO_ESCAPE if commas else _TO_ESCAPE
    return "; ".join(escape.sub(r"\\\g<0>", text) for text in texts)


# What a column without a name is called, before its number.
UNNAMED = "column "


class _Column(NamedTuple):
    place: int
    field: str
    key: str
    """The language of a translation, or the name of an extra text."""


def unique_names(names: Sequence[str]) -> list[str]:
    """Make the columns' names unique: an empty one is `column 3`, a second `note` is `note (2)`."""
    result: dict[str, None] = {}
    for number, name in enumerate(names, 1):
        unique = base = name or f"{UNNAMED}{number}"
        count = 1
        while unique in result:
            count += 1
            unique = f"{base} ({count})"
        result[unique] = None
    return list(result)


def _plan(
    headers: Sequence[str],
    names: Sequence[str],
    columns: Mapping[str, str],
    languages: Sequence[str],
) -> list[_Column]:
    """Assign each column to a field: as chosen, else by its name, else by its position."""
    for header, field in columns.items():
        if field.partition(":")[0] not in (*FIELDS, EXTRA, IGNORE):
            raise FormatError(
                message(
                    "The column “{header}” cannot be used as “{field}”: there is no such field."
                ),
                header=header,
                field=field,
            )
    fields = [
        columns.get(header) or field_of(name) for header, name in zip(headers, names, strict=True)
    ]
    open_places = {
        place for place, header in enumerate(headers) if header not in columns and names[place]
    }
    _settle_languages(fields, {place: names[place] for place in open_places}, languages)
    if "term" not in fields:
        for wanted in ("term", "translation"):
            # There may already be a translation for one language.
            if not any(field and field.partition(":")[0] == wanted for field in fields):
                free = [
                    i for i, f in enumerate(fields) if f is None and not is_counted(names[i])
                ] or [i for i, f in enumerate(fields) if f is None]
                if free:
                    fields[free[0]] = wanted
    elif len(fields) == 2 and None in fields and not is_counted(names[fields.index(None)]):
        # Beside the words there is only one column, whatever its name.
        fields[fields.index(None)] = "translation"
    if "term" not in fields:
        raise FormatError(message("No column contains the words. Choose the right one."))
    if _is_lingq({names[place].strip().casefold() for place in open_places}):
        for place in open_places:
            fields[place] = _LINGQ.get(names[place].strip().casefold(), fields[place])
    plan, taken = [], set()
    extras: set[str] = set()
    for index, (header, given) in enumerate(zip(headers, fields, strict=True)):
        field, _, key = (given or EXTRA).partition(":")
        if field not in ("translation", "tags", EXTRA, IGNORE):
            if field in taken:
                field = EXTRA
            taken.add(field)
        if field == EXTRA:
            key = header.removeprefix("extra:").strip()
            key = header if not key or key in extras else key
            extras.add(key)
        plan.append(_Column(index, field, key))
    return plan


# LingQ calls the translation a hint, and the sentence of a word its phrase.
_LINGQ = {"term": "term", "phrase": "example", "hint": "translation"}


def _is_lingq(names: Set[str]) -> bool:
    return _LINGQ.keys() <= names and not any("translation" in name for name in names)


def _settle_languages(
    fields: list[str | None], names: Mapping[int, str], languages: Sequence[str]
) -> None:
    """Make of the columns that *names* of languages head the words and translations.

    The words are in the column of the list's language, else in the first one.
    """
    codes = "term" not in fields
    of_list = {primary(tag) for tag in languages}
    spoken = {
        place: language
        for place, name in sorted(names.items())
        # Beside a column of words, “no” or “it” may be anything; a code of the list is a language.
        if (language := spoken_in(name, codes=codes or name.strip().casefold() in of_list))
        and fields[place] in _open_to(language)
    }
    if not spoken:
        return
    own = primary(languages[0]) if languages else ""
    terms = [place for place, field in enumerate(fields) if field == "term"]
    if not terms or all(place in spoken for place in terms):
        candidates = terms if len(terms) == 1 else list(spoken)
        term = next((place for place in candidates if spoken[place] == own), candidates[0])
        fields[term] = "term"
        del spoken[term]
    for place, language in spoken.items():
        known = next((tag for tag in languages[1:] if primary(tag) == language), language)
        fields[place] = f"translation:{known}"


def _open_to(language: str) -> tuple[str | None, ...]:
    return (None, "term", "translation", f"translation:{language}")


def rows_of_table(
    names: Sequence[str],
    records: Iterable[tuple[int, Sequence[str]]],
    *,
    columns: Mapping[str, str] | None = None,
    languages: Sequence[str] = (),
    lines_apart: bool = False,
) -> Parsed:
    """Turn records of (line, cells) into rows, with a problem for each line that has one.

    *names* are the columns' headers; an empty one counts as `column 3`. *columns* maps headers to
    fields and overrides the guess; *languages* are those of the list, its words' first. With
    *lines_apart*, each line of a cell is a translation of its own. Raises `FormatError` for a table
    that is too long or too wide.
    """
    problems: list[Problem] = []
    if quiz.is_quiz(names):
        names, records = quiz.right_answers(names, records)
        problems.append(
            Problem(
                0,
                message("This is a quiz: only its right answers were read as translations."),
                "warning",
            )
        )
    _check_width(len(names), 1)
    if any(len(name) > MAX_CELL for name in names):
        raise FormatError(
            messages(
                "A column name is longer than {count} character.",
                "A column name is longer than {count} characters.",
                MAX_CELL,
            )
        )
    headers = unique_names([tidy(name) for name in names])
    chosen = columns or {}
    plan = _plan(headers, names, chosen, languages)
    parsed = Parsed(
        columns={
            header: f"translation:{column.key}"
            if column.field == "translation" and column.key
            else column.field
            for header, column in zip(headers, plan, strict=True)
        },
        problems=problems,
    )
    parsed.problems += unknown_columns(chosen, parsed)
    for line, cells in within_limits(records):
        row = _row(line, cells, plan, parsed.problems, lines_apart)
        if row is not None:
            parsed.rows.append(row)
    return parsed


def unknown_columns(columns: Iterable[str], parsed: Parsed) -> list[Problem]:
    """Return a warning for each of *columns* that is not in the table."""
    return [
        Problem(0, message("There is no column “{header}”.", header=header), "warning")
        for header in columns
        if header not in parsed.columns
    ]


def within_limits(
    records: Iterable[tuple[int, Sequence[str]]],
) -> Iterator[tuple[int, Sequence[str]]]:
    """Yield the records that are not empty.

    Raises `FormatError` for too many, including empty ones, and for one with too many columns.
    """
    empty = used = 0
    for line, cells in records:
        # Before anything looks at each cell.
        _check_width(len(cells), line)
        if any(cells) and not "".join(cells).isspace():
            used += 1
            if used > MAX_ROWS:
                raise FormatError(too_many_rows(), line=line)
            yield line, cells
        else:
            empty += 1
            check_empty(empty, line)


def check_empty(count: int, line: int) -> None:
    """Raise `FormatError` if *count* is more empty rows than a list has by accident."""
    if count > MAX_EMPTY_ROWS:
        raise FormatError(
            messages(
                "There is more than {count} empty row. Delete it and try again.",
                "There are more than {count} empty rows. Delete them and try again.",
                MAX_EMPTY_ROWS,
            ),
            line=line,
        )


def too_many_rows() -> Sentence:
    """Return that a list has more than `MAX_ROWS`."""
    return messages(
        "There is more than {count} row. Split the list into several files.",
        "There are more than {count} rows. Split the list into several files.",
        MAX_ROWS,
    )


def too_many_columns(line: int, count: int) -> Sentence:
    """Return that *line* has more columns than a list may have."""
    return messages(
        "Line {line} has {count} column; at most {most} are allowed.",
        "Line {line} has {count} columns; at most {most} are allowed.",
        count,
        line=line,
        most=MAX_COLUMNS,
    )


def _check_width(count: int, line: int) -> None:
    if count > MAX_COLUMNS:
        raise FormatError(too_many_columns(line, count), line=line)


def _row(
    line: int,
    cells: Sequence[str],
    plan: Sequence[_Column],
    problems: list[Problem],
    lines_apart: bool,
) -> Row | None:
    """Build one row, or return None and add a problem if the line cannot be one."""
    together = "".join(cells)
    if NOT_IN_XML.search(together):
        problems.append(
            Problem(line, message("Invisible control characters were removed."), "warning")
        )
        cells = [for_xml(cell) for cell in cells]
    if len(together) > MAX_CELL and (longest := max(map(len, cells))) > MAX_CELL:
        problems.append(
            Problem(
                line,
                messages(
                    "A cell has {count} character; at most {most} are allowed.",
                    "A cell has {count} characters; at most {most} are allowed.",
                    longest,
                    most=MAX_CELL,
                ),
            )
        )
        return None
    row = Row(term="", line=line)
    for place, field, key in plan:
        if place >= len(cells):
            break
        if not (text := cells[place].strip()):
            continue
        if field == "translation":
            if texts := _translations(text, lines_apart):
                row.translations.setdefault(key, []).extend(texts)
        elif field == "tags":
            row.tags.extend(tag for tag in split_list(text, commas=True) if tag not in row.tags)
        elif field == EXTRA:
            row.extra[key] = text
        elif field != IGNORE:
            setattr(row, field, text)
    for index in range(len(plan), len(cells)):
        if text := cells[index].strip():
            row.extra[f"{UNNAMED}{index + 1}"] = text
            problems.append(
                Problem(
                    line,
                    message(
                        "There are more cells than columns. “{text}” is saved as “{name}”.",
                        text=text[:40],
                        name=f"{UNNAMED}{index + 1}",
                    ),
                    "warning",
                )
            )
    if not row.term:
        problems.append(Problem(line, message("There is no word in this line.")))
        return None
    _set_word(row, problems)
    return row


def _set_word(row: Row, problems: list[Problem]) -> None:
    """Keep what is no part of the word: how it is read, and what is in further lines."""
    word, *others = _LINE_END.split(row.term)
    row.term, reading = without_furigana(word)
    if not reading and not row.pronunciation:
        row.term, reading = without_phonetics(row.term)
    below = "\n".join(others)
    if below and not reading and is_reading(below, word):
        reading, below = below, ""
    if reading and not row.pronunciation:
        row.pronunciation = reading
    if below:
        row.note = f"{row.note}\n{below}" if row.note else below
        text = message(
            "This word has several lines. The first is the word; the others were saved as its note."
        )
        problems.append(Problem(row.line, text, "warning"))


def _translations(cell: str, lines_apart: bool) -> list[str]:
    if lines_apart and "\n" in cell:
        return [text for line in cell.split("\n") for text in split_list(line.strip())]
    return split_list(cell)


def check_cells(cells: Iterable[str], term: str) -> None:
    """Raise `FormatError` for a text too long for a spreadsheet's cell: none is cut silently."""
    longest = max(map(len, cells))
    if longest > MAX_CELL:
        raise FormatError(
            messages(
                "A field of “{term}” has {count} character; at most {most} are allowed.",
                "A field of “{term}” has {count} characters; at most {most} are allowed.",
                longest,
                term=term[:40],
                most=MAX_CELL,
            )
        )


def table_of_rows(rows: Sequence[Row]) -> tuple[list[str], Iterator[list[str]]]:
    """Return the header and the cells of each row; `rows_of_table` reads the same rows back.

    Columns that no row uses are omitted, except the term and its translation.
    """
    texts = [name for name in TEXT_FIELDS if any(getattr(row, name) for row in rows)]
    languages = dict.fromkeys(tag for row in rows for tag in row.translations)
    extras = dict.fromkeys(name for row in rows for name in row.extra)
    header: list[str] = []
    getters: list[tuple[str, str]] = []

    def add(name: str, kind: str, key: str) -> None:
        header.append(name)
        getters.append((kind, key))

    for field in FIELDS:
        if field == "translation":
            if "" in languages or not languages:
                add("translation", "translation", "")
            for language in languages:
                if language:
                    add(f"translation:{language}", "translation", language)
        elif field == "tags":
            if any(row.tags for row in rows):
                add("tags", "tags", "")
        elif field == "term" or field in texts:
            add(field, "text", field)
    for name in extras:
        is_plain = field_of(name) is None and not name.startswith("extra:")
        add(name if is_plain else f"extra:{name}", EXTRA, name)

    def cells(row: Row) -> list[str]:
        result = []
        for kind, key in getters:
            if kind == "text":
                result.append(getattr(row, key))
            elif kind == "translation":
                result.append(join_list(row.translations.get(key, ())))
            elif kind == "tags":
                result.append(join_list(row.tags, commas=True))
            else:
                result.append(row.extra.get(key, ""))
        check_cells(result, row.term)
        return result

    return header, map(cells, rows)
