"""Corrupt files at random and read them: each must be read or refused with a reason, quickly.

    python benchmarks/malformed_files.py [--files 10000] [--seed 1] [--sandboxed 200]

Most are read in this process, which measures time and memory; the last ones, and the slowest, go
through the sandbox as in the product. Exits with status 1 for any other exception, or any file that
takes more than 2 seconds or 256 MB.
"""

from __future__ import annotations

import argparse
import heapq
import io
import random
import sqlite3
import sys
import time
import zipfile
from collections import Counter, deque
from collections.abc import Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import zstandard

from vocab import formats
from vocab.formats import FormatError, Row
from vocab.formats.sandbox import parse_untrusted

MOST_SECONDS = 2.0
MOST_MEGABYTES = 256
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


def zipped(contents: dict[str, bytes]) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in contents.items():
            archive.writestr(name, content)
    return stream.getvalue()


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


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--files", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--sandboxed", type=int, default=200)
    arguments = parser.parse_args()
    outcomes: Counter[str] = Counter()
    times: list[tuple[float, bytes]] = []
    bad = 0
    last: deque[bytes] = deque(maxlen=arguments.sandboxed)
    for name, data in malformed(arguments.files, arguments.seed):
        start = time.process_time()
        try:
            parsed = formats.parse(data)
            outcome = "read with problems" if parsed.problems else "read"
        except FormatError as error:
            outcome = "refused"
            bad += not str(error).strip()
        except Exception as error:
            outcome = f"BROKEN {name}: {type(error).__name__}: {error}"
            bad += 1
        times = heapq.nlargest(20, [*times, (time.process_time() - start, data)])
        last.append(data)
        outcomes[outcome] += 1
    slowest = times[0][0]
    limited = [*(data for _, data in times), *last]
    stopped = 0
    for data in limited:
        try:
            parse_untrusted(data, seconds=MOST_SECONDS * 5, megabytes=MOST_MEGABYTES)
        except FormatError as error:
            stopped += "stopped" in str(error) or "ended with code" in str(error)
    for outcome, count in outcomes.most_common():
        print(f"{count:7} {outcome}")
    print(f"slowest {slowest:.2f} s of processor time")
    print(f"{len(limited)} through the sandbox, {stopped} stopped by its limits")
    if sys.platform != "win32":
        import resource

        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        print(f"peak memory of all {peak:.0f} MB")
        bad += peak > MOST_MEGABYTES
    sys.exit(1 if bad or stopped or slowest > MOST_SECONDS else 0)


if __name__ == "__main__":
    main()
