"""Check packages and texts against Anki's own library, in both directions.

    python benchmarks/apkg_with_anki.py [--anki PYTHON] [--notes 2000]

PYTHON is an interpreter that has the `anki` package; without it, a temporary environment is created
with pip. Anki is never a dependency of the product. Exits with status 1 if anything was lost.
"""

from __future__ import annotations

import argparse
import json
import random
import subprocess
import sys
import tempfile
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from vocab import formats  # noqa: E402
from vocab.formats.anki_fields import field_html, read_html  # noqa: E402
from vocab.formats.rows import Row  # noqa: E402
from vocab.formats.sandbox import parse_untrusted  # noqa: E402

PIECES = [
    *("pas", "mačka", "čovjek", "dž", "Straße", "σκύλος", "собака", "שלום", "مرحبا", "ไทย"),
    *("日本語", "हिन्दी", "=1+1", "<b>", "&amp;", '"', "'", ";", " / ", "\\", "\n", "[x]"),
    *("#", "{{c}}", "\t"),
]  # fmt: skip
PNG = bytes.fromhex(
    "89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c489"
    "0000000d49444154789c6360000002000001e221bc330000000049454e44ae426082"
)
MP3 = b"ID3\x04\x00\x00\x00\x00\x00\x00" + b"\xff\xfb\x90\x00" * 20

# Runs in Anki's interpreter: imports our files and reports what it reads, then writes decks for us.
INSIDE = """
import json, sys
from pathlib import Path
from anki.collection import (
    Collection, ExportAnkiPackageOptions, ImportAnkiPackageOptions, ImportAnkiPackageRequest,
    ImportCsvRequest,
)

folder = Path(sys.argv[1])
said = {}

def opened(name):
    return Collection(str(folder / f"{name}.anki2"))

col = opened("apkg")
log = col.import_anki_package(
    ImportAnkiPackageRequest(
        package_path=str(folder / "ours.apkg"), options=ImportAnkiPackageOptions()
    )
)
notes = [col.get_note(i) for i in col.find_notes("")]
said["apkg"] = {
    "new": len(log.log.new),
    "notes": [[n.guid, dict(n.items()), n.tags] for n in notes],
    "cards": col.card_count(),
    "questions": [n.cards()[0].question() for n in notes[:50]],
    "media": sorted(p.name for p in Path(col.media.dir()).iterdir()),
    "missing": list(col.media.check().missing),
    "integrity": col.fix_integrity()[1],
}
col.close()

col = opened("text")
path = str(folder / "ours.txt")
metadata = col.get_csv_metadata(path, None)
log = col.import_csv(ImportCsvRequest(path=path, metadata=metadata))
notes = [col.get_note(i) for i in col.find_notes("")]
said["text"] = {
    "new": len(log.log.new),
    "notes": [[n.guid, dict(n.items()), n.tags] for n in notes],
}
col.close()

col = opened("theirs")
basic = col.models.by_name("Basic")
cloze = col.models.by_name("Cloze")
deck = col.decks.id("School::Year 1")
(folder / "pas.mp3").write_bytes(bytes.fromhex(sys.argv[2]))
(folder / "dog 1.png").write_bytes(bytes.fromhex(sys.argv[3]))
sound = col.media.add_file(str(folder / "pas.mp3"))
picture = col.media.add_file(str(folder / "dog 1.png"))
for number in range(500):
    note = col.new_note(basic)
    note["Front"] = f"<b>riječ</b> {number} [sound:{sound}]"
    note["Back"] = f"word {number}; term&nbsp;{number}<br><img src=\\"{picture}\\">"
    note.tags = ["lesson::1", f"n{number % 7}"]
    col.add_note(note, deck)
note = col.new_note(cloze)
note["Text"] = "{{c1::Zagreb}} is the capital"
col.add_note(note, deck)
for name, legacy in (("legacy", True), ("newer", False)):
    col.export_anki_package(
        out_path=str(folder / f"{name}.apkg"),
        options=ExportAnkiPackageOptions(
            with_scheduling=False, with_deck_configs=False, with_media=True, legacy=legacy
        ),
        limit=None,
    )
col.export_note_csv(
    out_path=str(folder / "theirs.txt"), limit=None, with_html=True, with_tags=True,
    with_deck=True, with_notetype=True, with_guid=True,
)
said["theirs"] = [[n.guid, n.fields, n.tags] for n in map(col.get_note, col.find_notes(""))]
col.close()
print(json.dumps(said))
"""


def some_rows(count: int) -> list[Row]:
    """Return unusual rows, the same in each run."""
    rng = random.Random(7)

    def text(most: int) -> str:
        return " ".join(rng.choices(PIECES, k=rng.randint(1, most))).strip() or "x"

    return [
        Row(
            id=f"list-{number}",
            term=f"{text(2)} {number}",
            translations={"": [text(3) for _ in range(rng.randint(1, 3))], "de": [text(1)]},
            example=text(4),
            # No brackets: Anki removes them from file names and from references to files.
            audio=f"word {number} & 100%.mp3" if number % 10 == 0 else "",
            image=f"slika č{number}.png" if number % 10 == 5 else "",
            tags=[f"lekcija {number % 3}", "čžš"],
            extra={"Lesson: one": text(1)},
        )
        for number in range(count)
    ]


class Check:
    """Count the checks that fail, and print each result."""

    def __init__(self) -> None:
        self.failed = 0

    def __call__(self, what: str, got: object, expected: object) -> None:
        good = got == expected
        self.failed += not good
        print(f"{'ok  ' if good else 'LOST'} {what}")
        if not good:
            print(f"     got      {str(got)[:300]}\n     expected {str(expected)[:300]}")


def texts(fields: dict[str, str]) -> dict[str, str]:
    """Return an Anki note's fields as Anki's users read them; media by their names."""
    result = {}
    for name, html in fields.items():
        field = read_html(html)
        result[name] = "".join([field.text, *field.sounds, *field.images])
    return result


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--anki", type=Path, help="an interpreter that has the anki package")
    parser.add_argument("--notes", type=int, default=2000)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        python = arguments.anki
        if python is None:
            venv.create(folder / "venv", with_pip=True)
            python = folder / "venv" / "bin" / "python"
            subprocess.run([python, "-m", "pip", "-q", "install", "anki"], check=True)
        sys.exit(1 if compare(folder, python, arguments.notes) else 0)


def compare(folder: Path, python: Path, count: int) -> int:
    check = Check()
    rows = some_rows(count)
    media = {row.audio: MP3 for row in rows if row.audio}
    media |= {row.image: PNG for row in rows if row.image}
    (folder / "ours.apkg").write_bytes(formats.write(rows, "apkg", name="Ours::One", media=media))
    (folder / "ours.txt").write_bytes(formats.write(rows, "anki_text", name="Ours"))
    (folder / "inside.py").write_text(INSIDE)
    done = subprocess.run(
        [python, folder / "inside.py", folder, MP3.hex(), PNG.hex()],
        stdout=subprocess.PIPE,
        check=True,
        text=True,
    )
    said = json.loads(done.stdout.splitlines()[-1])

    seen = said["apkg"]
    check("apkg: every note is new to Anki", seen["new"], count)
    check("apkg: a card for each note", seen["cards"], count)
    check("apkg: every media file", seen["media"], sorted(media))
    check("apkg: Anki misses no media", seen["missing"], [])
    check("apkg: Anki's check of its database", seen["integrity"], True)
    by_guid = {guid: (texts(fields), tags) for guid, fields, tags in seen["notes"]}
    check("apkg: guids are the ids", sorted(by_guid), sorted(row.id for row in rows))
    for field, title in {"term": "Term", "example": "Example", "audio": "Audio"}.items():
        got = [by_guid[row.id][0][title] for row in rows]
        check(f"apkg: {title} of every note", got, [getattr(row, field) for row in rows])
    check("apkg: tags", sorted(by_guid[rows[0].id][1]), ["lekcija\u00a00", "čžš"])
    check("apkg: cards show the term", all(seen["questions"]), True)

    seen = said["text"]
    check("text: every note is new to Anki", seen["new"], count)
    by_guid = {guid: (texts(fields), tags) for guid, fields, tags in seen["notes"]}
    check("text: guids are the ids", sorted(by_guid), sorted(row.id for row in rows))
    check("text: fronts", [by_guid[r.id][0]["Front"] for r in rows], [r.term for r in rows])
    check("text: no back is empty", all(by_guid[r.id][0]["Back"] for r in rows), True)
    check("text: html", field_html("term", "<b>"), "&lt;b&gt;")

    guids = {guid for guid, _, _ in said["theirs"]}
    check("theirs: notes in Anki", len(said["theirs"]), 501)
    for name in ("legacy", "newer"):
        target = folder / name
        target.mkdir()
        parsed = parse_untrusted(folder / f"{name}.apkg", media_folder=target)
        rows_read = [row for row in parsed.rows if "riječ" in row.term]
        check(f"{name}: all notes", len(parsed.rows), 501)
        check(f"{name}: a gap is a word", parsed.rows[-1].term, "Zagreb")
        check(f"{name}: ids", {r.id.removesuffix("-1") for r in parsed.rows}, guids)
        check(f"{name}: terms", {r.term for r in rows_read}, {f"riječ {n}" for n in range(500)})
        check(
            f"{name}: translations",
            {tuple(r.translations[""]) for r in rows_read},
            {(f"word {n}", f"term {n}") for n in range(500)},
        )
        check(f"{name}: audio", {r.audio for r in rows_read}, {"pas.mp3"})
        check(f"{name}: images", {r.image for r in rows_read}, {"dog 1.png"})
        check(f"{name}: tags", {r.tags[0] for r in rows_read}, {"lesson::1"})
        check(
            f"{name}: media",
            {file: path.read_bytes() for file, path in parsed.media.items()},
            {"pas.mp3": MP3, "dog 1.png": PNG},
        )
        check(f"{name}: deck", parsed.about.get("deck"), "School::Year 1")
        errors = [problem.sentence for problem in parsed.problems if problem.severity == "error"]
        check(f"{name}: errors", errors, [])
    parsed = parse_untrusted(folder / "theirs.txt")
    check("their text: all notes", len(parsed.rows), 501)
    check("their text: ids", {r.id.removesuffix("-1") for r in parsed.rows}, guids)
    check("their text: audio", sum(r.audio == "pas.mp3" for r in parsed.rows), 500)
    print(f"{check.failed} lost")
    return check.failed


if __name__ == "__main__":
    main()
