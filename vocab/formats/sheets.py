"""What workbooks have in common: one of several sheets is read as a table."""

from __future__ import annotations

import zipfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager

from defusedxml.common import DefusedXmlException

from vocab.formats.anki_fields import FieldText, read_cell, rows_of_cells
from vocab.formats.archive import open_zip
from vocab.formats.columns import IGNORE, UNNAMED, counts_rows, without_titles
from vocab.formats.rows import FormatError, Parsed, Problem, message

MAX_UNPACKED = 150_000_000

Records = list[tuple[int, list[str]]]


@contextmanager
def opened(data: bytes, member: str) -> Iterator[zipfile.ZipFile]:
    """Open a workbook that has a *member*; whatever is raised meanwhile becomes `FormatError`."""
    archive = open_zip(data, unpacked=MAX_UNPACKED)
    if member not in archive.namelist():
        raise FormatError(message("This is not a spreadsheet. Save it as .xlsx."))
    try:
        yield archive
    except (FormatError, MemoryError):
        raise
    except Exception as error:
        if isinstance(error.__cause__ or error, DefusedXmlException):
            raise FormatError(
                message(
                    "The spreadsheet contains XML entities and was rejected for security reasons."
                )
            ) from None
        # Damaged members, damaged XML and what is odd in it raise many types of errors.
        raise FormatError(
            message("The spreadsheet is damaged."),
            reason=f"{type(error).__name__}: {error}"[:200],
        ) from None


def check_sheet(sheet: str | None, names: Sequence[str]) -> None:
    """Raise `FormatError` if somebody asks for a *sheet* that is not among *names*."""
    if sheet is not None and sheet not in names:
        raise FormatError(
            message("There is no sheet “{sheet}”. Available sheets: {names}."),
            sheet=sheet,
            names=", ".join(names)[:500],
        )


def with_reaching(
    texts: list[str], line: int, reaching: Mapping[int, tuple[str, int]]
) -> list[str]:
    """Return the texts of a row with those of merged cells that reach into it from above.

    *reaching* are the text and the last line of such cells, by the number of their column.
    """
    for column, (text, last) in reaching.items():
        if line <= last:
            texts += [""] * (column - len(texts))
            texts[column - 1] = texts[column - 1] or text
    return texts


def table_of_sheets(
    used: Mapping[str, Records],
    pictures: int,
    problems: Sequence[Problem],
    *,
    has_header: bool | None,
    columns: Mapping[str, str] | None,
    languages: Sequence[str],
) -> Parsed:
    """Read the first of the *used* sheets; the others and *pictures* are reported.

    *used* are the sheets that are not empty; of the others the first row is enough. *problems* are
    those found in the cells.
    """
    if not used:
        raise FormatError(message("The spreadsheet is empty."))
    chosen, *others = used
    problems = list(problems)
    table, titles, is_named = without_titles(used[chosen], has_header, languages)
    problems += titles
    if others:
        text = message(
            "Only the sheet “{sheet}” was imported. Other sheets: {names}.",
            sheet=chosen,
            names=", ".join(others)[:500],
        )
        problems.append(Problem(0, text, "warning"))
    if pictures:
        text = message(
            "Pictures in a spreadsheet are not imported; this one has {count}.", count=pictures
        )
        problems.append(Problem(0, text, "warning"))
    parsed = read_table(table, has_header, is_named, columns, languages)
    parsed.problems[:0] = problems
    parsed.settings = {"sheet": chosen, **parsed.settings}
    return parsed


def read_table(
    table: Records,
    has_header: bool | None,
    is_named: bool,
    columns: Mapping[str, str] | None,
    languages: Sequence[str],
    *,
    read: Callable[[str], FieldText] = read_cell,
) -> Parsed:
    """Read records without titles; *is_named* says whether the first one is known as a header.

    *read* returns what a cell says.
    """
    line, header = table[0]
    if has_header is None:
        has_header = is_named or not {*(columns or ())}.isdisjoint(header)
    body = table[1:] if has_header else table
    width = max(len(cells) for _, cells in table)
    names = [*header, *[""] * (width - len(header))] if has_header else [""] * width
    chosen = dict(columns or {})
    if not names[0] and counts_rows(body):
        chosen.setdefault(f"{UNNAMED}1", IGNORE)
    names = [read(name).text for name in names]
    parsed = rows_of_cells(names, body, columns=chosen, languages=languages, read=read)
    parsed.settings["has_header"] = has_header
    parsed.header_line = line if has_header else 0
    return parsed
