"""JSON: a list of objects, one for each word, as programs write tables."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from typing import Any

from vocab.formats.anki_fields import cell_of, read_cell, rows_of_cells
from vocab.formats.columns import (
    join_list,
    table_of_rows,
    within_limits,
    without_titles,
)
from vocab.formats.encoding import text_of
from vocab.formats.rows import MAX_ROWS, FormatError, Parsed, Row, message
from vocab.formats.sheets import Records, read_table

# The parts of a table that pandas writes apart.
_COLUMNS, _DATA = "columns", "data"


def is_json(start: str) -> bool:
    """Return whether a text begins like a list of objects or lists, or like an object."""
    text = "".join(start[:400].split())
    return text.startswith(("[{", "[[", '{"', "{}", "[]", '["'))


def parse(
    data: bytes | str,
    *,
    encoding: str | None = None,
    columns: Mapping[str, str] | None = None,
    languages: Sequence[str] = (),
) -> Parsed:
    """Read objects with the same names, or lists of which the first may have the names.

    A row's line is the number of its object. An object of words and their translations is read too,
    and so are all forms in which pandas writes a table. Raises `FormatError`.
    """
    text, settings, guessed = text_of(data, encoding, languages)
    content = _table_in(_loaded(text))
    if isinstance(content, Mapping):
        table: Records = [
            (line, [str(term), _cell(value)])
            for line, (term, value) in enumerate(content.items(), 1)
        ]
        parsed = rows_of_cells(["", ""], within_limits(table), columns=columns, languages=languages)
    elif content and isinstance(content[0], Mapping):
        parsed = _read_objects(content, columns, languages)
    else:
        table = [(line, list(map(_cell, cells))) for line, cells in enumerate(content, 1)]
        table = [(line, list(cells)) for line, cells in within_limits(table)]
        if not table:
            raise _no_words()
        table, titles, is_named = without_titles(table, None, languages)
        parsed = read_table(table, None, is_named, columns, languages)
        parsed.problems[:0] = titles
        del parsed.settings["has_header"]
    parsed.settings |= settings
    parsed.problems[:0] = guessed
    return parsed


def _loaded(text: str) -> Any:
    try:
        try:
            return json.loads(text, parse_int=str, parse_float=_plain_number)
        except ValueError:
            lines = [line for line in text.splitlines() if line.strip()]
            if len(lines) < 2 or not lines[0].lstrip().startswith("{"):
                raise
            # One object in each line.
            return [json.loads(line, parse_int=str, parse_float=_plain_number) for line in lines]
    except (ValueError, RecursionError) as error:
        raise FormatError(message("This JSON file is damaged."), reason=str(error)[:200]) from None


def _plain_number(text: str) -> str:
    return text.removesuffix(".0")


def _table_in(content: Any) -> list[Any] | Mapping[str, Any]:
    """Return the list of objects or lists in *content*, or an object of words."""
    if isinstance(content, Mapping):
        values = list(content.values())
        data = content.get(_DATA)
        if isinstance(content.get(_COLUMNS), list) and isinstance(data, list):
            return _checked([content[_COLUMNS], *data])
        lists = [value for value in values if isinstance(value, list) and value]
        if (
            lists
            and all(isinstance(one, Mapping | list) for one in lists[0])
            and (len(lists) == 1 or isinstance(data, list))
        ):
            return _checked(data if isinstance(data, list) else lists[0])
        if len(values) > 1 and all(isinstance(value, Mapping) for value in values):
            return _checked(
                _turned({name: list(value.values()) for name, value in content.items()})
            )
        if (
            len(values) > 1
            and len(lists) == len(values)
            and len({len(value) for value in lists}) == 1
            and len(lists[0]) > len(values)
        ):
            return _checked(_turned(content))
        if values and all(_is_text(value) for value in values):
            return content
        raise _no_words()
    return _checked(content)


def _turned(columns: Mapping[str, Sequence[Any]]) -> list[Any]:
    """Return columns as a list of objects."""
    longest = max(len(values) for values in columns.values())
    return [
        {name: values[place] for name, values in columns.items() if place < len(values)}
        for place in range(min(longest, MAX_ROWS + 1))
    ]


def _checked(content: Any) -> list[Any]:
    if isinstance(content, list) and content:
        if all(isinstance(one, Mapping) for one in content):
            return content
        if all(isinstance(one, list) and all(map(_is_text, one)) for one in content):
            return content
        if all(isinstance(one, str) for one in content):
            return [[one] for one in content]
    raise _no_words()


def _no_words() -> FormatError:
    return FormatError(
        message(
            "This JSON file is not a list of words. Expected: a list of objects, one for each word."
        )
    )


def _is_text(value: Any) -> bool:
    return (
        value is None
        or isinstance(value, str | bool | float)
        or (isinstance(value, list) and all(isinstance(one, str) for one in value))
    )


def _cell(value: Any) -> str:
    """Return a value as a cell of a table: a list of texts as several, other structures as JSON."""
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return ""
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return str(value).upper()
    if isinstance(value, list) and all(isinstance(one, str) for one in value):
        return join_list(value)
    return json.dumps(value, ensure_ascii=False)


def _read_objects(
    objects: Sequence[Any], columns: Mapping[str, str] | None, languages: Sequence[str]
) -> Parsed:
    names = dict.fromkeys(str(name) for one in objects[: MAX_ROWS + 1] for name in one)
    table = (
        (line, [_cell(one.get(name)) for name in names]) for line, one in enumerate(objects, 1)
    )
    return rows_of_cells(
        [read_cell(name).text for name in names],
        within_limits(table),
        columns=columns,
        languages=languages,
    )


def write(rows: Sequence[Row]) -> bytes:
    """Return *rows* as a list of objects without empty values."""
    header, table = table_of_rows(rows)
    objects = [
        {cell_of(name): cell_of(text) for name, text in zip(header, cells, strict=True) if text}
        for cells in table
    ]
    return json.dumps(objects, ensure_ascii=False, indent=1).encode() + b"\n"
