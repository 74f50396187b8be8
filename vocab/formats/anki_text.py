"""Anki's text export: delimited text under lines such as `#separator:tab` and `#html:true`.

Anki's manual describes the format under "Text Files".
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable, Collection, Mapping, Sequence

from vocab.formats.anki_fields import (
    LOOKS_LIKE_HTML,
    OCCLUSION,
    FieldText,
    add_notes,
    field_html,
    gaps_of,
    read_html,
    read_plain,
    read_tags,
    refuse_occluded,
    tags_of_decks,
    to_html,
    to_tags,
)
from vocab.formats.columns import (
    EXTRA,
    IGNORE,
    join_list,
    table_of_rows,
    unique_names,
    unknown_columns,
    within_limits,
)
from vocab.formats.delimited import quoted_records
from vocab.formats.encoding import text_of
from vocab.formats.rows import FormatError, Parsed, Problem, Row, message
from vocab.formats.separators import guess_delimiter

_HEADER = re.compile(
    r"#(separator|html|tags|columns|osmosmjerka columns|deck|notetype|if matches"
    r"|(?:tags|deck|notetype|guid) column):[ ]?(.*)",
    re.IGNORECASE,
)
_SEPARATORS = {
    "tab": "\t",
    "comma": ",",
    "semicolon": ";",
    "space": " ",
    "pipe": "|",
    "colon": ":",
}
_GIVEN_NAMES = ("osmosmjerka columns", "columns")
_NAME_GAP = re.compile(r"[\t\n\r]|&(?=#)")
_NAME_ENTITY = re.compile(r"&#(9|10|13|38);")


def is_anki_text(start: str) -> bool:
    """Return whether the first line is that of Anki's export."""
    return _HEADER.match(start.removeprefix("\ufeff")) is not None


def parse(
    data: bytes | str,
    *,
    encoding: str | None = None,
    delimiter: str | None = None,
    html: bool | None = None,
    columns: Mapping[str, str] | None = None,
    languages: Sequence[str] = (),
) -> Parsed:
    """Read Anki's text export; `about` has its deck and note type if it names one for all.

    Without `#columns` the columns are `column 1` and so on, except those for tags, deck, note type
    and guid, which have these names. If the notes are then of several types, each type has columns
    of its own, such as `Basic: column 5`, because the same column of another is something else.
    Raises `FormatError`.
    """
    text, settings, problems = text_of(data, encoding, languages)
    lines = list(io.StringIO(text, newline=""))
    head: dict[str, str] = {}
    start = 0
    while start < len(lines) and lines[start].startswith("#"):
        if match := _HEADER.match(lines[start].rstrip("\r\n")):
            head[match[1].lower()] = match[2]
        start += 1
    body = lines[start:]
    if not any(line.strip() for line in body):
        raise FormatError(message("There are no notes in this file."))
    if delimiter is None:
        delimiter = _separator(head.get("separator", ""), body)
    # A line that begins with # is a comment.
    records = [
        (line, cells)
        for line, cells in within_limits(quoted_records(body, delimiter, start + 1, problems))
        if not lines[line - 1].startswith("#")
    ]
    if html is None:
        html = _is_html(head.get("html", ""), records)
    width = max((len(cells) for _, cells in records), default=0)
    names = _names(head, delimiter, width)
    raw: dict[str, Callable[[str], FieldText]]
    raw = {"tags column": read_cell_of_tags, "guid column": FieldText}
    special = {place: raw[key] for key in raw if (place := _place(head, key)) is not None}
    read = read_html if html else read_plain
    decks = _place(head, "deck column")
    if decks is not None:
        tags = tags_of_decks({cells[decks] for _, cells in records if decks < len(cells)})
        special[decks] = lambda cell: FieldText(join_list([tags[cell]], commas=True))
    # The note type says nothing about the words, but is kept.
    chosen = {name: EXTRA for name in ("notetype",) if name in names}
    if decks is not None and decks < len(names) and names[decks] == "deck":
        chosen["deck"] = "tags"
    kinds = _place(head, "notetype column")
    if kinds is not None:
        special.setdefault(kinds, FieldText)
    groups = {"": records} if any(map(head.get, _GIVEN_NAMES)) else _by_type(records, kinds)
    guid, parsed = _place(head, "guid column"), Parsed(problems=problems)
    wanted = columns or {}
    for kind, own in groups.items():
        prefix = f"{kind}: " if kind and len(groups) > 1 else ""
        own, gap_columns = _with_gaps(own, width, special.keys(), guid, read, problems)
        headers = unique_names([*names, *gap_columns])
        fields = [
            (line, [special.get(place, read)(cell) for place, cell in enumerate(cells)])
            for line, cells in own
        ]
        if prefix:
            headers, fields = _without_padding(headers, fields, special.keys())
        asked = {h: wanted[prefix + h] for h in headers if prefix + h in wanted}
        known = {h: f for h, f in (chosen | gap_columns | asked).items() if h in headers}
        if prefix and all(known.get(header) == IGNORE for header in headers):
            parsed.columns |= {prefix + header: IGNORE for header in headers}
        else:
            add_notes(headers, fields, known, prefix, languages, parsed)
    parsed.rows.sort(key=lambda row: row.line)
    parsed.problems += unknown_columns(wanted, parsed)
    for tag in read_tags(head.get("tags", "")):
        for row in parsed.rows:
            if tag not in row.tags:
                row.tags.append(tag)
    parsed.settings = {"delimiter": delimiter, "html": html, **settings}
    parsed.about = {key: head[key] for key in ("deck", "notetype") if head.get(key)}
    return parsed


def _by_type(
    records: Sequence[tuple[int, Sequence[str]]], place: int | None
) -> dict[str, Sequence[tuple[int, Sequence[str]]]]:
    """Return the records of each note type, which is in the column at *place*."""
    groups: dict[str, list[tuple[int, Sequence[str]]]] = {}
    for line, cells in records:
        kind = cells[place].strip() if place is not None and place < len(cells) else ""
        groups.setdefault(kind, []).append((line, cells))
    return {**groups}


def _without_padding(
    headers: Sequence[str],
    records: Sequence[tuple[int, Sequence[FieldText]]],
    special: Collection[int],
) -> tuple[list[str], list[tuple[int, list[FieldText]]]]:
    """Leave out the columns that are empty because only notes of other types have such fields."""
    used = {place for _, cells in records for place, cell in enumerate(cells) if any(cell)}
    kept = [place for place in range(len(headers)) if place in used or place in special]
    return [headers[place] for place in kept], [
        (line, [cells[place] if place < len(cells) else FieldText("") for place in kept])
        for line, cells in records
    ]


def _with_gaps(
    records: Sequence[tuple[int, Sequence[str]]],
    width: int,
    special: Collection[int],
    guid: int | None,
    read: Callable[[str], FieldText],
    problems: list[Problem],
) -> tuple[list[tuple[int, Sequence[str]]], dict[str, str]]:
    """Return the records with one for each gap, and the columns that gaps need, with their fields.

    The word of a gap replaces the text with the gaps. Other texts of such a note are no
    translations, and become its note.
    """
    result: list[tuple[int, Sequence[str]]] = []
    first_gap = 0
    occluded: list[int] = []
    for line, cells in records:
        place = next(
            (n for n, cell in enumerate(cells) if n not in special and "{{c" in cell), None
        )
        gaps = gaps_of(cells[place], read) if place is not None else []
        if not gaps or place is None:
            result.append((line, cells))
        elif any(map(OCCLUSION.search, cells)):
            occluded.append(line)
        else:
            first_gap = first_gap or line
            others = [n for n in range(len(cells)) if n not in special and n != place]
            note = "; ".join(text for n in others if (text := read(cells[n]).text))
            for number, gap in enumerate(gaps, 1):
                texts = ["" if n in others else cell for n, cell in enumerate(cells)]
                texts[place] = to_html(gap.term) if read is read_html else gap.term
                if guid is not None and guid < len(texts):
                    # Never its own: brought back to Anki, the word would replace the note's text.
                    texts[guid] = f"{texts[guid]}-{number}"
                own = (gap.sentence, gap.hint, note)
                shown = map(to_html, own) if read is read_html else own
                result.append((line, [*texts, *[""] * (width - len(texts)), *shown]))
    refuse_occluded(occluded, len(records), problems)
    if not first_gap:
        return result, {}
    problems.append(
        Problem(
            first_gap,
            message("Notes with gaps: each gap is a word, and its sentence the example."),
            "warning",
        )
    )
    return result, {"Anki sentence": "example", "Anki hint": "hint", "Anki note": "note"}


def read_cell_of_tags(cell: str) -> FieldText:
    """Convert Anki's tags to a table's cell of tags."""
    return FieldText(join_list(read_tags(cell), commas=True))


def _separator(name: str, body: Sequence[str]) -> str:
    if name.strip():
        name = name.strip().lower()
        return _SEPARATORS.get(name, name[0])
    if name:
        return name[0]
    guess = guess_delimiter([line for line in body if line.strip() and line[0] != "#"] or body)
    return guess if len(guess) == 1 else "\t"


def _is_html(value: str, records: Sequence[tuple[int, Sequence[str]]]) -> bool:
    if value.strip().lower() in ("true", "false"):
        return value.strip().lower() == "true"
    return any(LOOKS_LIKE_HTML.search(cell) for _, cells in records[:200] for cell in cells)


def _place(head: Mapping[str, str], key: str) -> int | None:
    """Return the zero-based index of a column to which the header refers by number."""
    value = head.get(key, "").strip()
    return int(value) - 1 if value.isascii() and value.isdigit() and int(value[:4]) > 0 else None


def _names(head: Mapping[str, str], delimiter: str, width: int) -> list[str]:
    given = head.get("osmosmjerka columns") or head.get("columns", "")
    names = next(csv.reader([given], delimiter=delimiter), []) if given else []
    names = [_NAME_ENTITY.sub(lambda match: chr(int(match[1])), name) for name in names]
    names += [""] * (width - len(names))
    for key in ("tags", "deck", "notetype", "guid"):
        place = _place(head, f"{key} column")
        if place is not None and place < len(names) and not names[place]:
            names[place] = key
    return names


def write(rows: Sequence[Row], *, name: str = "") -> bytes:
    """Return *rows* as Anki imports them, with HTML fields, tags and ids; *name* is the deck."""
    header, table = table_of_rows(rows)
    if "tags" not in header:
        # Anki takes the first column behind the fields for the tags, unless another is named.
        header, table = [*header, "tags"], ([*cells, ""] for cells in table)
    # A line must not begin with an id: if the id began with #, the line would be a comment.
    order = sorted(range(len(header)), key=lambda place: header[place] == "id")
    places = {header[place]: number for number, place in enumerate(order, 1)}
    stream = io.StringIO(newline="")
    writer = csv.writer(stream, delimiter="\t", lineterminator="\r\n")
    stream.write("#separator:tab\r\n#html:true\r\n")
    if name:
        stream.write(f"#deck:{' '.join(name.split())}\r\n")
    # Not `#columns`: where Anki does not know their names, it leaves the fields of a note empty.
    # Without it the first column is the front of a card and the second its back.
    stream.write("#osmosmjerka columns:")
    writer.writerow([_escaped(header[place]) for place in order])
    stream.write(f"#tags column:{places['tags']}\r\n")
    if "id" in places:
        stream.write(f"#guid column:{places['id']}\r\n")
    for row, cells in zip(rows, table, strict=True):
        writer.writerow([_cell(header[place], cells[place], row) for place in order])
    return stream.getvalue().encode()


def _escaped(name: str) -> str:
    return _NAME_GAP.sub(lambda match: f"&#{ord(match[0])};", name)


def _cell(field: str, text: str, row: Row) -> str:
    if field == "id":
        return text
    if field == "tags":
        return to_tags(row.tags)
    return field_html(field, text)
