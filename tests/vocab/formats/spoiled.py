"""Files of each format, corrupted at random, the same for the same seed."""

import io
import random
import sqlite3
import zipfile
from collections.abc import Iterator

import zstandard

from tests.vocab.formats.bombs import zipped
from vocab import formats
from vocab.formats import Row

NASTY = (
    *(b"\0", b'"', b"\xff\xfe", b"\xef\xbb\xbf", b"\r", b"<", b"&#", b"[sound:"),
    *(b"\xff" * 8, b"9" * 40, b"-1", b"\x1f", b"PK\x05\x06", b"<!--", b"#columns:", b"{", b"%"),
    *(b"\\", b"\x28\xb5\x2f\xfd"),
)  # fmt: skip


def samples() -> dict[str, bytes]:
    """Return one valid file of each format."""
    rows = [
        Row(
            id=f"id{n}",
            term=f"riječ {n} =1",
            translations={"": [f"word {n}", "x; y"], "de": ["Wort"]},
            example="Line one\nline “two”",
            audio=f"{n}.mp3" if n % 5 == 0 else "",
            tags=["a b", "c"],
            extra={"Lesson": str(n)},
        )
        for n in range(40)
    ]
    media = {row.audio: b"ID3\4" + bytes(60) for row in rows if row.audio}
    good = {name: formats.write(rows, name, media=media) for name in formats.FORMATS}
    text = good["delimited"].decode("utf-8-sig")
    older = zipfile.ZipFile(io.BytesIO(good["apkg"]))
    newer = zipped(
        {
            "meta": b"\x08\x03",
            "collection.anki21b": zstandard.compress(older.read("collection.anki2")),
            "media": zstandard.compress(b"\x0a\x09\x0a\x050.mp3\x10\x40"),
            "0": zstandard.compress(bytes(64)),
        }
    )
    return good | {
        "utf-16": text.encode("utf-16"),
        "cp1250": text.replace("“", "").replace("”", "").encode("cp1250"),
        "quizlet": "\n".join(f"{row.term}\t{row.hint}" for row in rows).encode(),
        "newer apkg": newer,
    }


def spoiled(data: bytes, rng: random.Random) -> bytes:
    """Return *data* with some bytes flipped, cut, doubled, moved or replaced by something nasty."""
    for _ in range(rng.choice((1, 1, 2, 4, 16))):
        if not data:
            break
        place = rng.randrange(len(data))
        size = rng.choice((1, 2, 8, 64, 512))
        kind = rng.randrange(6)
        if kind == 0:
            data = data[:place] + bytes([rng.randrange(256)]) + data[place + 1 :]
        elif kind == 1:
            data = data[:place] + data[place + size :]
        elif kind == 2:
            data = data[:place] + data[place : place + size] * 2 + data[place + size :]
        elif kind == 3:
            data = data[:place] + rng.choice(NASTY) + data[place:]
        elif kind == 4:
            data = data[:place] + rng.choice(NASTY) * 50 + data[place + size :]
        elif rng.random() < 0.2:
            data = data[:place]
    return data


def spoiled_inside(data: bytes, rng: random.Random) -> bytes:
    """Return a zip whose members are corrupted before they are packed, so that they are read."""
    archive = zipfile.ZipFile(io.BytesIO(data))
    contents = {name: archive.read(name) for name in archive.namelist()}
    name = rng.choice(list(contents))
    content = contents[name]
    if content.startswith(b"\x28\xb5\x2f\xfd") and rng.random() < 0.8:
        inner = zstandard.ZstdDecompressor().decompress(content)
        contents[name] = zstandard.compress(spoiled(inner, rng))
    elif content.startswith(b"SQLite") and rng.random() < 0.4:
        contents[name] = altered(content, rng)
    else:
        contents[name] = spoiled(content, rng)
    if rng.random() < 0.1:
        del contents[rng.choice(list(contents))]
    return zipped(contents)


def altered(database: bytes, rng: random.Random) -> bytes:
    """Return a collection that is valid SQLite but contains nonsense."""
    connection = sqlite3.connect(":memory:")
    connection.deserialize(database)
    table = rng.choice(("notes", "cards", "col"))
    columns = [name for _, name, *_ in connection.execute(f"PRAGMA table_info({table})")]
    column = rng.choice(columns[1:])
    value = rng.choice(
        (0, -1, 2**62, 1.5, "", "{}", "[]", "null", '{"1": []}', b"\xff\xfe", "\x1f" * 9)
    )
    connection.execute(f"UPDATE {table} SET {column} = ?", (value,))  # noqa: S608 - our own names
    connection.commit()
    return connection.serialize()


def malformed(count: int, seed: int) -> Iterator[tuple[str, bytes]]:
    """Yield *count* corrupted files, the same for the same seed."""
    rng = random.Random(seed)
    good = samples()
    names = list(good)
    for number in range(count):
        name = names[number % len(names)]
        data = good[name]
        inside = data.startswith(b"PK") and rng.random() < 0.7
        yield name, spoiled_inside(data, rng) if inside else spoiled(data, rng)
