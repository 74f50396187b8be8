"""Parse what a teacher pasted into a page. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from vocab.formats import delimited
from vocab.formats.columns import FIELDS
from vocab.formats.rows import FormatError, Parsed, message

MOST_LINES = 5_000
CHARACTERS_A_LINE = 100  # on average
# Fields that one column has; several columns may be translations, tags or extra texts.
_ONCE = frozenset(FIELDS) - {"translation", "tags"}


def parse_pasted(
    text: str,
    *,
    delimiter: str | None = None,
    has_header: bool | None = None,
    repair: str | None = None,
    columns: Mapping[int, str] | None = None,
    languages: Sequence[str] = (),
) -> Parsed:
    """Return the rows of pasted lines and their problems; what is not given is guessed.

    *columns* are the fields of some columns by their place; the others keep the field that was
    guessed, but one that loses it gets that of the other column. *repair* has the names of repairs
    (`vocab.formats.repairs`); *languages* are those of the list, its words' first. Raises
    FormatError if nothing can be read at all, or if it is too long to wait for.
    """
    refuse_too_long(text, lines=MOST_LINES)
    parsed = delimited.parse(
        text, delimiter=delimiter, has_header=has_header, repair=repair, languages=languages
    )
    fields = list(parsed.columns.values())
    for place, field in (columns or {}).items():
        if place < len(fields):
            if field in fields and field in _ONCE:  # the two columns change places
                fields[fields.index(field)] = fields[place]
            fields[place] = field
    if fields == list(parsed.columns.values()):
        return parsed
    return delimited.parse(
        text,
        delimiter=delimiter,
        has_header=bool(parsed.settings["has_header"]),
        repair=repair,
        columns=dict(zip(parsed.columns, fields, strict=True)),
        languages=languages,
    )


def refuse_too_long(text: str, *, lines: int) -> None:
    """Raise FormatError if a pasted text has more than these *lines*, or a hundred times as much.

    A request waits until it is read; a file's words are saved by a worker.
    """
    count = max(text.count("\n"), text.count("\r")) + 1
    if count > lines or len(text) > lines * CHARACTERS_A_LINE:
        raise FormatError(
            message(
                "This text is too long to paste. Save it as a file, for example as CSV, and import "
                "that."
            )
        )
