"""Anki packages (.apkg): a zip of a collection and its media, in the old and new form."""

from __future__ import annotations

import hashlib
import json
import re
import zipfile
from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from io import BytesIO
from pathlib import Path, PurePath
from typing import NamedTuple
from unicodedata import normalize
from urllib.parse import quote, unquote

from vocab.formats import anki_collection
from vocab.formats.anki_collection import Collection, NewNote, NoteType
from vocab.formats.anki_fields import (
    OCCLUSION,
    FieldText,
    Gap,
    add_notes,
    field_html,
    gaps_of,
    read_html,
    read_tags,
    refuse_occluded,
    tags_of_decks,
    to_html,
    to_tags,
)
from vocab.formats.archive import MAX_UNPACKED, open_zip, read_member, unzstd
from vocab.formats.columns import (
    EXTRA,
    FIELDS,
    IGNORE,
    join_list,
    table_of_rows,
    unique_names,
    unknown_columns,
)
from vocab.formats.headers import field_of
from vocab.formats.media import MAX_BYTES, check_image, kind_of
from vocab.formats.protobuf import fields
from vocab.formats.rows import FormatError, Parsed, Problem, Row, message, messages

# Newest first: a newer package has an older database that only says "please update".
_DATABASES = ("collection.anki21b", "collection.anki21", "collection.anki2")
MAX_DATABASE = 150_000_000
_MAX_MAP = 10_000_000
# What Anki stores beside a note's fields, as columns.
_BESIDE = {"Anki guid": "id", "Anki tags": "tags", "Anki deck": "tags"}
# What a note with gaps has besides.
_GAPS = {"Anki gap": "term", "Anki sentence": "example", "Anki hint": "hint"}
_LANGUAGE_TAG = re.compile(r"[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*")
_OWN_TYPE = "Osmosmjerka"
_CLOZE_START = "{{c"
# Anki does not allow these in a field's name.
_NOT_IN_NAME = re.compile(r'[:{}"%\x1f\r\n\t]|\A[#^/]')


def parse(
    source: bytes | Path,
    *,
    media_folder: Path | None = None,
    columns: Mapping[str, str] | None = None,
    languages: Sequence[str] = (),
) -> Parsed:
    """Read a package; a row's line is the number of its note.

    *columns* maps a note type's fields, named `Basic: Front` if the package has several note types
    and `Front` if it has one; a note type whose fields are all `ignore` is left out. Sounds and
    pictures that notes use are written to *media_folder* under generated names, or only checked
    without one. Raises `FormatError`.
    """
    archive = open_zip(source)
    members = set(archive.namelist())
    name = next((name for name in _DATABASES if name in members), None)
    if name is None:
        raise FormatError(message("This is not an Anki package; it contains no collection."))
    is_newer = name.endswith("b")
    raw = read_member(archive, name, MAX_DATABASE)
    collection = anki_collection.read(unzstd(raw, name, MAX_DATABASE) if is_newer else raw)
    if not collection.notes:
        raise FormatError(message("There are no notes in this package."))
    parsed, used = _rows(collection, columns or {}, languages)
    if collection.reviews:
        text = messages(
            "The learning history ({count} review) is not imported.",
            "The learning history ({count} reviews) is not imported.",
            collection.reviews,
        )
        parsed.problems.insert(0, Problem(0, text, "warning"))
    _take_media(archive, is_newer, used, media_folder, parsed)
    return parsed


def _rows(
    collection: Collection, columns: Mapping[str, str], languages: Sequence[str]
) -> tuple[Parsed, dict[str, int]]:
    """Read the notes of each type as a table; also return the media used and their first line."""
    result = Parsed()
    used: dict[str, int] = {}
    tables: dict[int, list[tuple[int, list[FieldText]]]] = {}
    decks = Counter(note.deck for note in collection.notes)
    tops = {deck.partition("::")[0] for deck in decks}
    if len(decks) == 1 or len(tops) == 1:
        result.about["deck"] = next(iter(decks if len(decks) == 1 else tops))
    tags = tags_of_decks(decks)
    occluded: list[int] = []
    for line, note in enumerate(collection.notes, 1):
        if note.note_type not in collection.note_types:
            text = message("The note has a type that the package does not describe.")
            result.problems.append(Problem(line, text))
            continue
        kind = collection.note_types[note.note_type]
        if kind.is_cloze and any(map(OCCLUSION.search, note.fields)):
            occluded.append(line)
            continue
        texts = [read_html(field) for field in note.fields]
        for field in texts:
            for file in (*field.sounds, *field.images):
                used.setdefault(file, line)
        texts = texts[: len(kind.fields)] + [FieldText("")] * (len(kind.fields) - len(texts))
        is_own = kind.name == _OWN_TYPE and len(decks) == 1
        beside = [
            join_list(read_tags(note.tags), commas=True),
            "" if is_own else join_list([tags[note.deck]], commas=True),
        ]
        records = tables.setdefault(note.note_type, [])
        if kind.is_cloze:
            gaps = [gap for field in note.fields for gap in gaps_of(field)]
            for number, gap in enumerate(gaps or [Gap("", "", "")], 1):
                # Never the note's own guid: brought back to Anki, the word would replace its text.
                guid = f"{note.guid}-{number}"
                records.append((line, [*texts, *map(FieldText, (guid, *beside, *gap))]))
        else:
            records.append((line, [*texts, *map(FieldText, (note.guid, *beside))]))
    refuse_occluded(occluded, len(collection.notes), result.problems)
    for key, records in tables.items():
        kind = collection.note_types[key]
        prefix = f"{kind.name}: " if len(tables) > 1 else ""
        _read_type(kind, records, prefix, columns, languages, result)
    result.rows.sort(key=lambda row: row.line)
    result.problems.sort(key=lambda problem: problem.line)
    result.problems[:0] = unknown_columns(columns, result)
    return result, used


def _read_type(
    kind: NoteType,
    records: Sequence[tuple[int, list[FieldText]]],
    prefix: str,
    columns: Mapping[str, str],
    languages: Sequence[str],
    result: Parsed,
) -> None:
    """Add the notes of one type to *result*."""
    added = _BESIDE | _GAPS if kind.is_cloze else _BESIDE
    names = unique_names([*map(_plain_name, kind.fields), *added])
    own, beside = names[: len(kind.fields)], names[len(kind.fields) :]
    chosen = dict(zip(beside, added.values(), strict=True))
    if kind.is_cloze:
        text = message(
            "Notes of type “{name}” have gaps: each gap is a word, and its sentence the example.",
            name=kind.name,
        )
        result.problems.append(Problem(records[0][0], text, "warning"))
        # Their texts are those of the sentences; other fields are never words of their own.
        chosen |= dict.fromkeys(own, EXTRA)
        taken = _GAPS.values()
        chosen |= {name: field for name in own if (field := field_of(name)) and field not in taken}
        chosen |= {own[place]: IGNORE for place in _places_with_gaps(kind, records)}
    chosen |= {name: columns[prefix + name] for name in names if prefix + name in columns}
    if all(chosen.get(name) == IGNORE for name in own):
        result.columns |= {prefix + name: IGNORE for name in names}
        return
    if any((chosen.get(name) or field_of(name)) == "id" for name in own):
        # Our own packages store the id in a field: a note always has a guid, but a row need not.
        chosen[beside[0]] = IGNORE
    add_notes(names, records, chosen, prefix, languages, result)


def _places_with_gaps(kind: NoteType, records: Sequence[tuple[int, list[FieldText]]]) -> set[int]:
    """Return the fields that contain gaps, which is usually the first one only."""
    return {
        place
        for _, texts in records
        for place in range(len(kind.fields))
        if _CLOZE_START in texts[place].text
    }


class _Entry(NamedTuple):
    member: str
    size: int | None


def _media_map(archive: zipfile.ZipFile, is_newer: bool) -> dict[str, _Entry]:
    """Return the archive member of each media file, by name."""
    if "media" not in archive.namelist():
        return {}
    raw = read_member(archive, "media", _MAX_MAP)
    try:
        if is_newer:
            result = {}
            entries = (v for n, v in fields(unzstd(raw, "media", _MAX_MAP)) if n == 1)
            for number, entry in enumerate(entries):
                if not isinstance(entry, bytes):
                    raise ValueError("an entry is a number")
                values = dict(fields(entry))
                name, size = values.get(1, b""), values.get(2, 0)
                if not isinstance(name, bytes) or not isinstance(size, int):
                    raise ValueError("an entry has no name")
                result[normalize("NFC", name.decode())] = _Entry(str(number), size)
            return result
        return {
            normalize("NFC", str(name)): _Entry(str(member), None)
            for member, name in json.loads(raw or b"{}").items()
        }
    except (ValueError, AttributeError, RecursionError) as error:
        if isinstance(error, FormatError):
            raise
        raise FormatError(
            message("The media list of the package is damaged."), reason=str(error)[:200]
        ) from None


def _take_media(
    archive: zipfile.ZipFile,
    is_newer: bool,
    used: Mapping[str, int],
    folder: Path | None,
    parsed: Parsed,
) -> None:
    """Write the media that notes use to *folder*; report missing, invalid and unused ones."""
    entries = _media_map(archive, is_newer)
    left = MAX_UNPACKED
    for number, (name, line) in enumerate(used.items()):
        entry = entries.pop(normalize("NFC", name), None)
        if entry is None:
            if "://" not in name:
                text = message("The file “{name}” is not in the package.", name=name[:80])
                parsed.problems.append(Problem(line, text, "warning"))
            continue
        data = _media_bytes(archive, name, entry, is_newer, left)
        left -= len(data or b"")
        kind = kind_of(data) if data else None
        if data is None or kind is None:
            text = message(
                "The file “{name}” was skipped: it is too large, or is neither a sound nor a "
                "picture.",
                name=name[:80],
            )
            parsed.problems.append(Problem(line, text, "warning"))
        elif kind.what == "image" and not check_image(data, kind, name):
            text = message("The picture “{name}” is damaged and was skipped.", name=name[:80])
            parsed.problems.append(Problem(line, text, "warning"))
        elif folder is not None:
            path = folder / f"{number}{kind.suffix}"
            path.write_bytes(data)
            parsed.media[name] = path
    if entries:
        text = messages(
            "{count} media file that no note uses was skipped.",
            "{count} media files that no note uses were skipped.",
            len(entries),
        )
        parsed.problems.append(Problem(0, text, "warning"))


def _media_bytes(
    archive: zipfile.ZipFile, name: str, entry: _Entry, is_newer: bool, left: int
) -> bytes | None:
    """Return a file's bytes, None if its stated size is too large; `FormatError` if it lies."""
    most = min(MAX_BYTES, left)
    if entry.member not in archive.namelist():
        raise FormatError(message("“{name}” is missing from the file."), name=name[:80])
    if (entry.size or 0) > most or archive.getinfo(entry.member).file_size > most:
        return None
    data = read_member(archive, entry.member, most)
    return unzstd(data, name, most) if is_newer else data


def _plain_name(name: str) -> str:
    """Return a field's name as it was before `_anki_name`."""
    ours = unquote(name, errors="replace")
    return ours if _anki_name(ours) == name else name


def _anki_name(name: str) -> str:
    return _NOT_IN_NAME.sub(lambda match: quote(match[0], safe=""), name)


def write(
    rows: Sequence[Row],
    *,
    name: str = "",
    media: Mapping[str, Path | bytes] | None = None,
    at: datetime | None = None,
) -> bytes:
    """Return *rows* as a package in the old form, which every Anki opens, as the deck *name*.

    *media* are the files that rows name as their audio or image; *at* is the timestamp to write
    (default: now).
    """
    header, table = table_of_rows(rows)
    # Anki sorts by the first field and uses it to find duplicates; tags are stored beside the
    # fields. Fields that no word has are written too: with others it would be another note type,
    # and Anki would not update the notes of a package that was imported before.
    order = dict.fromkeys(("term", *(name for name in FIELDS if name not in ("tags", "id"))))
    order |= dict.fromkeys(name for name in header if name not in ("tags", "id"))
    places = {field: place for place, field in enumerate(header)}
    names = [*(_anki_name(_title(field)) for field in order), "ID"]
    guids: set[str] = set()
    notes = [
        NewNote(
            _new_guid(row, guids),
            to_tags(row.tags),
            [
                *(
                    field_html(field, cells[places[field]]) if field in places else ""
                    for field in order
                ),
                to_html(row.id),
            ],
        )
        for row, cells in zip(rows, table, strict=True)
    ]
    front, back = _templates(names)
    deck = " ".join(name.split()) or "Osmosmjerka"
    database = anki_collection.write(
        notes,
        NoteType(_OWN_TYPE, tuple(names)),
        front=front,
        back=back,
        deck=deck,
        at=int((at or datetime.now(UTC)).timestamp()),
    )
    stream = BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("collection.anki2", database)
        files = media or {}
        archive.writestr(
            "media", json.dumps({str(n): _file_name(file) for n, file in enumerate(files)})
        )
        for number, content in enumerate(files.values()):
            data = content if isinstance(content, bytes) else content.read_bytes()
            # Sounds and pictures are compressed already.
            archive.writestr(str(number), data, zipfile.ZIP_STORED)
    return stream.getvalue()


def _title(field: str) -> str:
    """Return a column's name as Anki's users see it; `field_of` reverses it."""
    before, _, language = field.partition(":")
    if before == "translation" and _LANGUAGE_TAG.fullmatch(language):
        return f"Translation ({language})"
    return field.replace("_", " ").capitalize() if field in FIELDS else field


def _new_guid(row: Row, used: set[str]) -> str:
    """Return the row's id, or a text that depends only on the row; never the same twice."""
    guid = row.id or _digest(row.term, json.dumps(row.translations, sort_keys=True))
    while guid in used:
        guid = _digest(guid)
    used.add(guid)
    return guid


def _digest(*parts: str) -> str:
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:20]


def _templates(names: Sequence[str]) -> tuple[str, str]:
    """Return the two sides of a card: the term, then the rest of the note."""
    term, *rest = names
    front = f"{{{{{term}}}}}"
    shown = (name for name in rest if name not in ("ID", "Language"))
    lines = (f"{{{{#{name}}}}}<div>{{{{{name}}}}}</div>{{{{/{name}}}}}" for name in shown)
    return front, "\n".join(("{{FrontSide}}<hr id=answer>", *lines))


def _file_name(name: str) -> str:
    """Return a media file's name in Anki's form; `FormatError` if it would leave the folder."""
    if not name or PurePath(name).name != name or "\\" in name or name in (".", ".."):
        raise FormatError(message("“{name}” is not a valid file name."), name=name[:80])
    return normalize("NFC", name)
