"""Convert between a list in the database and rows as in files."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from pathlib import Path, PurePosixPath
from typing import Any

from django.core.files.storage import default_storage
from django.db.models import QuerySet

from osmosmjerka.storage.media import media as stored_media
from vocab import formats, text_fields
from vocab.formats.rows import Row
from vocab.models import Entry, VocabularyList

FILES = ("image", "audio")
# Everything that an import can change in an entry, except its translations.
FIELDS = (
    "guid",
    "position",
    "term",
    "key",
    "answers",
    "tiles",
    "search",
    "tag_line",
    *text_fields.NAMES,
    *FILES,
    "tags",
    "extra",
    "original",
)


def row_of(entry: Entry) -> Row:
    """Return an entry as a row; for a picture or sound without a file, with its original name."""
    extra = dict(entry.extra)
    row = Row(id=entry.guid, term=entry.term, tags=list(entry.tags), extra=extra)
    for name in text_fields.NAMES:
        setattr(row, name, getattr(entry, name))
    for name in FILES:
        setattr(row, name, _file_name(entry, name) or extra.pop(name, ""))
    for translation in entry.translations.all():
        row.translations.setdefault(translation.language, []).append(translation.text)
    return row


def _file_name(entry: Entry, name: str) -> str:
    return PurePosixPath(getattr(entry, name).name or "").name


def put_row(entry: Entry, row: Row, media: Mapping[str, str]) -> None:
    """Write a row's texts to *entry*, without its translations and without saving it.

    *media* maps file names to names in the storage. Any other name that is not the entry's own is
    kept as text, because nobody may refer to another list's files.
    """
    for name in text_fields.NAMES:
        setattr(entry, name, getattr(row, name))
    entry.set_term(row.term)
    entry.tags = list(row.tags)
    entry.set_search(text for texts in row.translations.values() for text in texts)
    entry.extra = dict(row.extra)
    for name in FILES:
        wanted = getattr(row, name)
        if wanted in media:
            setattr(entry, name, media[wanted])
        elif not wanted or wanted != _file_name(entry, name):
            setattr(entry, name, "")
            if wanted:
                entry.extra[name] = wanted


def entries_of(vocabulary_list: VocabularyList) -> QuerySet[Entry]:
    """Return a list's entries in order, with their translations prefetched."""
    return vocabulary_list.entries.prefetch_related("translations").order_by("position", "pk")


def rows_of(entries: VocabularyList | QuerySet[Entry]) -> dict[int, Row]:
    """Return entries, or all of a list, as rows by primary key, in the list's order."""
    if isinstance(entries, VocabularyList):
        entries = entries_of(entries)
    return {entry.pk: row_of(entry) for entry in entries.iterator(chunk_size=2000)}


def media_of(vocabulary_list: VocabularyList) -> dict[str, str]:
    """Return the files of a list's entries: a mapping of names in rows to names in storage."""
    found = {}
    for names in vocabulary_list.entries.values_list(*FILES):
        found.update({PurePosixPath(name).name: name for name in names if name})
    return found


def export_list(vocabulary_list: VocabularyList, *, format: str) -> bytes:
    """Return a list as a file in *format* (a key of `vocab.formats.EXPORTS`).

    Importing the file into an empty list of the same languages gives the same list, if the format
    is one that is read. Raises FormatError.
    """
    default = (vocabulary_list.translation_languages or ["und"])[0]
    rows = list(rows_of(vocabulary_list).values())
    for line, row in enumerate(rows, start=1):
        row.line = line
        row.language = row.extra.pop("language", "")
        row.translations = {
            "" if language == default else language: texts
            for language, texts in row.translations.items()
        }
    media: dict[str, Path | bytes] = {}
    if formats.EXPORTS[format].holds_media:
        for name, stored in media_of(vocabulary_list).items():
            if default_storage.exists(stored):
                with default_storage.open(stored) as stream:
                    media[name] = stream.read()
    return formats.write(rows, format, name=vocabulary_list.title, media=media)


def checksum(vocabulary_list: VocabularyList) -> str:
    """Return a digest of a list's contents; equal before an import and after undoing it."""
    digest = hashlib.sha256(json.dumps(vocabulary_list.translation_languages).encode())
    for entry in entries_of(vocabulary_list).iterator(chunk_size=2000):
        record = {"pk": entry.pk, **snapshot(entry)}
        digest.update(json.dumps(record, sort_keys=True).encode())
    return digest.hexdigest()


def snapshot(entry: Entry) -> dict[str, Any]:
    """Return everything in an entry that an import can change, as JSON data."""
    state = {name: getattr(entry, name) for name in FIELDS}
    state |= {name: getattr(entry, name).name or "" for name in FILES}
    state["translations"] = [
        [translation.language, translation.text, translation.position]
        for translation in entry.translations.all()
    ]
    return state


def store(data: bytes, suffix: str) -> str:
    """Store a picture or sound under a name derived from its bytes; return the name.

    An existing file is written again: its new time protects it from the purge.
    """
    name = f"entries/{hashlib.sha256(data).hexdigest()[:24]}{suffix}"
    stored_media().put(name, data)
    return name


def keep_media(files: Mapping[str, Path]) -> dict[str, str]:
    """Store files; return a mapping of old to new names."""
    return {
        name: PurePosixPath(store(path.read_bytes(), path.suffix)).name
        for name, path in files.items()
    }


def named_anew(rows: Iterable[Row], names: Mapping[str, str]) -> list[Row]:
    """Return rows whose pictures and sounds have their names in storage."""
    result = []
    for row in rows:
        row.image = names.get(row.image, row.image)
        row.audio = names.get(row.audio, row.audio)
        row.extra = {key: names.get(text, text) for key, text in row.extra.items()}
        result.append(row)
    return result
