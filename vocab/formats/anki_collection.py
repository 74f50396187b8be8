"""Anki's collection, an SQLite database: read notes from an untrusted one, write a new one.

Two schemas are read: 11 stores note types and decks as JSON in one row, 18 in tables with protobuf
settings. Schema 11 is written, because every version of Anki opens it.
"""

from __future__ import annotations

import hashlib
import json
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from vocab.formats.columns import too_many_rows
from vocab.formats.protobuf import fields
from vocab.formats.rows import MAX_ROWS, FormatError, message

SEPARATOR = "\x1f"
_HERE = Path(__file__).parent
_MAX_VALUE = 20_000_000
# Steps of SQLite's virtual machine between two checks, and the number of checks: one or two seconds
# of work.
_STEPS, _LOOKS = 100_000, 300


@dataclass(frozen=True, slots=True)
class NoteType:
    """A note type: the names of its fields in order, and whether it is a cloze type."""

    name: str
    fields: tuple[str, ...]
    is_cloze: bool = False


class Note(NamedTuple):
    """A note as stored: HTML fields, tags separated by spaces, and the `deck` of its first card."""

    id: int
    guid: str
    note_type: int
    tags: str
    fields: list[str]
    deck: str


@dataclass(slots=True)
class Collection:
    """The vocabulary of a collection; `reviews` is the number of lines in its review history."""

    note_types: dict[int, NoteType]
    notes: list[Note] = field(default_factory=list)
    reviews: int = 0


def read(data: bytes) -> Collection:
    """Read a collection from the bytes of its database. Raises `FormatError`."""
    if not data.startswith(b"SQLite format 3\0"):
        raise FormatError(message("The deck’s database is damaged (it is not SQLite)."))
    try:
        with closing(_open(data)) as database:
            return _read(database)
    except (
        sqlite3.Error,
        ValueError,
        TypeError,
        KeyError,
        AttributeError,
        RecursionError,
    ) as error:
        if isinstance(error, FormatError):
            raise
        raise FormatError(
            message("The deck’s database is damaged."),
            reason=f"{type(error).__name__}: {error}"[:200],
        ) from None


def _open(data: bytes) -> sqlite3.Connection:
    """Open a database in memory such that only tables are read, whatever its schema says."""
    database = sqlite3.connect(":memory:")
    # A database in write-ahead mode expects files next to it; bytes 18 and 19 store the mode.
    database.deserialize(data[:18] + b"\1\1" + data[20:])
    database.text_factory = lambda text: text.decode("utf-8", "replace")
    database.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, _MAX_VALUE)
    database.create_collation("unicase", _compare)
    looks = iter(range(_LOOKS))
    database.set_progress_handler(lambda: next(looks, None) is None, _STEPS)
    database.execute("PRAGMA trusted_schema = OFF")
    database.execute("PRAGMA query_only = ON")
    database.execute("PRAGMA cell_size_check = ON")
    check_schema(database)
    return database


def check_schema(database: sqlite3.Connection) -> None:
    """Raise `FormatError` for what decks never have but attackers may use, such as views."""
    for kind, name, sql in database.execute("SELECT type, name, sql FROM sqlite_master"):
        text = str(sql or "").upper()
        if kind not in ("table", "index") or "VIRTUAL" in text or "GENERATED" in text:
            raise FormatError(
                message(
                    "The deck’s database contains a {kind} “{name}”, which Anki decks do not have."
                ),
                kind=str(kind)[:20],
                name=str(name)[:80],
            )


def _compare(one: str, other: str) -> int:
    a, b = one.casefold(), other.casefold()
    return (a > b) - (a < b)


def _read(database: sqlite3.Connection) -> Collection:
    tables = {name for (name,) in database.execute("SELECT name FROM sqlite_master")}
    if not {"notes", "cards", "col"} <= tables:
        raise FormatError(message("The deck’s database has no notes."))
    note_types, decks = _newer(database) if "notetypes" in tables else _older(database)
    collection = Collection(note_types)
    deck_of = dict(database.execute("SELECT nid, min(did) FROM cards GROUP BY nid"))
    for note_id, guid, kind, tags, texts in database.execute(
        "SELECT id, guid, mid, tags, flds FROM notes ORDER BY id"
    ):
        deck = decks.get(deck_of.get(note_id, 0), "")
        collection.notes.append(
            Note(note_id, str(guid), kind, str(tags), str(texts).split(SEPARATOR), deck)
        )
        if len(collection.notes) > MAX_ROWS:
            raise FormatError(too_many_rows())
    if "revlog" in tables:
        (collection.reviews,) = database.execute("SELECT count(*) FROM revlog").fetchone()
    return collection


def _older(database: sqlite3.Connection) -> tuple[dict[int, NoteType], dict[int, str]]:
    models, decks = database.execute("SELECT models, decks FROM col").fetchone()
    note_types = {
        int(key): NoteType(
            str(model["name"]),
            tuple(str(f["name"]) for f in sorted(model["flds"], key=lambda f: int(f["ord"]))),
            model.get("type") == 1,
        )
        for key, model in json.loads(models).items()
    }
    return note_types, {int(k): str(deck["name"]) for k, deck in json.loads(decks).items()}


def _newer(database: sqlite3.Connection) -> tuple[dict[int, NoteType], dict[int, str]]:
    names: dict[int, list[str]] = {}
    for kind, name in database.execute("SELECT ntid, name FROM fields ORDER BY ntid, ord"):
        names.setdefault(kind, []).append(str(name))
    note_types = {
        kind: NoteType(str(name), tuple(names.get(kind, ())), dict(fields(config)).get(1) == 1)
        for kind, name, config in database.execute("SELECT id, name, config FROM notetypes")
    }
    decks = {
        key: str(name).replace(SEPARATOR, "::")
        for key, name in database.execute("SELECT id, name FROM decks")
    }
    return note_types, decks


def stable_id(*parts: str) -> int:
    """Return a number usable as an Anki id, always the same for the same parts."""
    digest = hashlib.sha256("\0".join(parts).encode()).digest()
    return int.from_bytes(digest[:5], "big") + (1 << 40)


class NewNote(NamedTuple):
    """A note to write: fields are HTML, tags are separated by spaces."""

    guid: str
    tags: str
    fields: list[str]


def write(
    notes: Sequence[NewNote], note_type: NoteType, *, front: str, back: str, deck: str, at: int
) -> bytes:
    """Return a database of schema 11 with one deck, one note type and a card for each note.

    *front* and *back* are the card's templates; *at* is the time in seconds since 1970.
    """
    kind = stable_id("note type", *note_type.fields)
    deck_id = stable_id("deck", deck)
    models = {str(kind): _model(kind, note_type, front, back, deck_id, at)}
    decks = {"1": _deck(1, "Default", at), str(deck_id): _deck(deck_id, deck, at)}
    with closing(sqlite3.connect(":memory:")) as database:
        database.executescript(_HERE.joinpath("anki_schema.sql").read_text())
        database.execute(
            "INSERT INTO col VALUES (1, ?, ?, ?, 11, 0, 0, 0, ?, ?, ?, ?, '{}')",
            (
                at,
                at * 1000,
                at * 1000,
                json.dumps({"nextPos": len(notes) + 1, "curDeck": deck_id, "curModel": str(kind)}),
                json.dumps(models),
                json.dumps(decks),
                json.dumps({"1": _defaults()["deck_settings"] | {"mod": at}}),
            ),
        )
        database.executemany(
            "INSERT INTO notes VALUES (?, ?, ?, ?, -1, ?, ?, ?, ?, 0, '')",
            _note_lines(notes, kind, at),
        )
        database.executemany(
            "INSERT INTO cards VALUES (?, ?, ?, 0, ?, -1, 0, 0, ?, 0, 0, 0, 0, 0, 0, 0, 0, '')",
            ((at * 1000 + n, at * 1000 + n, deck_id, at, n + 1) for n in range(len(notes))),
        )
        database.commit()
        return database.serialize()


def _note_lines(notes: Sequence[NewNote], kind: int, at: int) -> Iterator[tuple[Any, ...]]:
    for number, note in enumerate(notes):
        first = note.fields[0]
        # Anki uses this checksum to find duplicates of a note's first field.
        checksum = int(hashlib.sha1(first.encode(), usedforsecurity=False).hexdigest()[:8], 16)
        yield (
            at * 1000 + number,
            note.guid,
            kind,
            at,
            f" {note.tags} " if note.tags else "",
            SEPARATOR.join(note.fields),
            first,
            checksum,
        )


def _model(
    kind: int, note_type: NoteType, front: str, back: str, deck: int, at: int
) -> dict[str, Any]:
    usual = _defaults()
    (card,) = usual["note_type"]["tmpls"]
    return {
        **usual["note_type"],
        "id": kind,
        "name": note_type.name,
        "mod": at,
        "did": deck,
        "flds": [
            usual["field"] | {"name": name, "ord": place}
            for place, name in enumerate(note_type.fields)
        ],
        "tmpls": [card | {"qfmt": front, "afmt": back}],
    }


def _deck(key: int, name: str, at: int) -> dict[str, Any]:
    return {**_defaults()["deck"], "id": key, "name": name, "mod": at}


@cache
def _defaults() -> dict[str, Any]:
    """Return what Anki stores of a new field, note type and deck, and of a deck's settings."""
    defaults: dict[str, Any] = json.loads(_HERE.joinpath("anki_defaults.json").read_bytes())
    return defaults
