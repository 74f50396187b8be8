import io
import json
import sqlite3
import zipfile
from datetime import UTC, datetime

import pytest
import zstandard
from hypothesis import given

from tests.vocab.formats.bombs import MP3, PNG, repacked, zipped
from tests.vocab.formats.lists import ROUND_TRIPS, lists, same, same_in_anki
from vocab.formats import apkg
from vocab.formats.rows import FormatError, Row


@ROUND_TRIPS
@given(lists)
def test_a_list_comes_back_from_a_package_as_it_was(rows):
    parsed = apkg.parse(apkg.write(rows, name="Deck"))
    assert [same_in_anki(row) for row in parsed.rows] == [same_in_anki(row) for row in rows]
    assert [p for p in parsed.problems if "is not in the package" not in p.sentence] == []
    assert parsed.about == {"deck": "Deck"}


def test_sounds_and_pictures_come_back_byte_for_byte(tmp_path):
    rows = [Row(term="pas", audio="pas [1] & 100%.mp3", image="čuvar 50%25.png", line=1)]
    media = {rows[0].audio: MP3, rows[0].image: PNG}
    parsed = apkg.parse(apkg.write(rows, media=media), media_folder=tmp_path)
    assert [same(row) for row in parsed.rows] == [same(row) for row in rows]
    assert parsed.problems == []
    assert {name: path.read_bytes() for name, path in parsed.media.items()} == media
    assert sorted(path.suffix for path in tmp_path.iterdir()) == [".mp3", ".png"]


def test_the_same_list_at_the_same_time_gives_the_same_notes():
    rows = [Row(term="pas"), Row(term="pas"), Row(term="x", id="7"), Row(term="y", id="7")]
    at = datetime(2025, 1, 1, tzinfo=UTC)

    def guids():
        data = zipfile.ZipFile(io.BytesIO(apkg.write(rows, at=at))).read("collection.anki2")
        database = sqlite3.connect(":memory:")
        database.deserialize(data)
        return [guid for (guid,) in database.execute("SELECT guid FROM notes")]

    assert guids() == guids()
    assert len(set(guids())) == 4


def newer(data):
    """The same package in the newer form: zstd, schema 18, a protobuf map of media."""
    archive = zipfile.ZipFile(io.BytesIO(data))
    database = sqlite3.connect(":memory:")
    database.deserialize(archive.read("collection.anki2"))
    models, decks = database.execute("SELECT models, decks FROM col").fetchone()
    database.executescript(
        "CREATE TABLE notetypes (id integer PRIMARY KEY, name text, config blob);"
        "CREATE TABLE fields (ntid integer, ord integer, name text, config blob,"
        " PRIMARY KEY (ntid, ord)) WITHOUT ROWID;"
        "CREATE TABLE decks (id integer PRIMARY KEY, name text);"
        "UPDATE col SET models = '', decks = ''"
    )
    for key, model in json.loads(models).items():
        database.execute("INSERT INTO notetypes VALUES (?, ?, x'')", (key, model["name"]))
        for f in model["flds"]:
            database.execute("INSERT INTO fields VALUES (?, ?, ?, x'')", (key, f["ord"], f["name"]))
    for key, deck in json.loads(decks).items():
        name = deck["name"].replace("::", "\x1f")
        database.execute("INSERT INTO decks VALUES (?, ?)", (key, name))
    database.commit()
    pack = zstandard.compress
    entries = b""
    members = {"meta": b"\x08\x03"}
    for number, name in json.loads(archive.read("media")).items():
        content = archive.read(number)
        inner = (
            b"\x0a" + bytes([len(name.encode())]) + name.encode() + b"\x10" + bytes([len(content)])
        )
        entries += b"\x0a" + bytes([len(inner)]) + inner
        members[number] = pack(content)
    members |= {"collection.anki21b": pack(database.serialize()), "media": pack(entries)}
    return repacked(data, members)


def test_the_newer_form_reads_like_the_older_one(tmp_path):
    rows = [Row(term="pas", audio="pas.mp3", translations={"": ["dog"]}, tags=["a b"], line=1)]
    data = apkg.write(rows, name="School::Year 1", media={"pas.mp3": MP3})
    older, newest = (apkg.parse(d, media_folder=tmp_path) for d in (data, newer(data)))
    assert newest == older
    assert newest.rows == rows
    assert newest.media["pas.mp3"].read_bytes() == MP3
    assert newest.about == {"deck": "School::Year 1"}


def test_note_types_are_mapped_to_fields_by_the_caller():
    data = apkg.write([Row(term="pas", translations={"": ["dog"]}, hint="barks", line=1)])
    assert {"Term", "Translation", "Hint"} <= apkg.parse(data).columns.keys()
    (row,) = apkg.parse(
        data, columns={"Term": "translation:hr", "Translation": "term", "Hint": "ignore"}
    ).rows
    assert (row.term, row.translations, row.hint) == ("dog", {"hr": ["pas"]}, "")


def test_media_that_is_missing_or_no_sound_or_picture_is_pointed_out(tmp_path):
    rows = [Row(term="a", audio="gone.mp3"), Row(term="b", image="evil.svg")]
    data = apkg.write(rows, media={"evil.svg": b"<svg onload='x'/>", "spare.mp3": MP3})
    parsed = apkg.parse(data, media_folder=tmp_path)
    assert [(p.line, p.sentence) for p in parsed.problems] == [
        (1, "The file “gone.mp3” is not in the package."),
        (
            2,
            "The file “evil.svg” was skipped: "
            "it is too large, or is neither a sound nor a picture.",
        ),
        (0, "1 media file that no note uses was skipped."),
    ]
    assert list(tmp_path.iterdir()) == []


def test_a_file_name_that_leaves_the_folder_is_not_written():
    with pytest.raises(FormatError, match="not a valid file name"):
        apkg.write([Row(term="a")], media={"../../x.mp3": MP3})


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ("DROP TABLE notes; CREATE VIEW notes AS SELECT * FROM cards", "contains a view"),
        ("CREATE TRIGGER t AFTER INSERT ON notes BEGIN SELECT 1; END", "contains a trigger"),
        ("DELETE FROM notes", "no notes"),
        ("DROP TABLE notes", "no notes"),
        ("UPDATE col SET models = '{'", "database is damaged"),
        ("UPDATE col SET models = '{}'", None),
    ],
)
def test_a_database_that_no_deck_has_is_refused_with_the_reason(change, reason):
    data = repacked(apkg.write([Row(term="pas")]), change=change)
    if reason:
        with pytest.raises(FormatError, match=reason):
            apkg.parse(data)
    else:
        assert "does not describe" in apkg.parse(data).problems[0].sentence


def test_a_package_has_the_same_note_type_whichever_fields_its_words_use():
    """Otherwise Anki updates no note of a package that was imported before."""

    def note_type(rows):
        data = zipfile.ZipFile(io.BytesIO(apkg.write(rows))).read("collection.anki2")
        database = sqlite3.connect(":memory:")
        database.deserialize(data)
        return list(json.loads(database.execute("SELECT models FROM col").fetchone()[0]))

    plain = Row(term="pas", translations={"": ["dog"]})
    full = Row(term="pas", translations={"": ["dog"]}, hint="barks", example="Pas laje.")
    assert note_type([plain]) == note_type([full])
    assert note_type([plain]) != note_type([Row(term="pas", extra={"Lesson": "1"})])


def with_a_second_note_type(data):
    """The package with the note type doubled as a cloze, and one note moved to it and to a deck."""
    archive = zipfile.ZipFile(io.BytesIO(data))
    database = sqlite3.connect(":memory:")
    database.deserialize(archive.read("collection.anki2"))
    models, decks = (
        json.loads(x) for x in database.execute("SELECT models, decks FROM col").fetchone()
    )
    (model,) = models.values()
    models["5"] = model | {"id": 5, "name": "Gaps", "type": 1}
    decks["6"] = {"id": 6, "name": "Other"}
    database.execute(
        "UPDATE col SET models = ?, decks = ?", (json.dumps(models), json.dumps(decks))
    )
    database.execute("UPDATE notes SET mid = 5 WHERE id = (SELECT max(id) FROM notes)")
    database.execute("UPDATE cards SET did = 6 WHERE nid = (SELECT max(id) FROM notes)")
    # A list never writes gaps: this is as if somebody had typed them in Anki.
    database.execute("UPDATE notes SET flds = replace(flds, '&#123;{c', '{{c') WHERE mid = 5")
    database.execute("INSERT INTO revlog VALUES (1, 1, 0, 0, 0, 0, 0, 0, 0)")
    database.commit()
    return repacked(data, {"collection.anki2": database.serialize()})


def test_several_note_types_are_mapped_each_on_its_own():
    rows = [Row(term="pas", note="n"), Row(term="{{c1::Zagreb}} je grad", note="m")]
    data = with_a_second_note_type(apkg.write(rows, name="D"))
    parsed = apkg.parse(data)
    assert {"Osmosmjerka: Term", "Gaps: Note"} <= parsed.columns.keys()
    assert [(row.term, row.example, row.note, row.tags) for row in parsed.rows] == [
        ("pas", "", "n", ["D"]),
        ("Zagreb", "Zagreb je grad", "m", ["Other"]),
    ]
    assert [(p.line, p.sentence) for p in parsed.problems] == [
        (0, "The learning history (1 review) is not imported."),
        (2, "Notes of type “Gaps” have gaps: each gap is a word, and its sentence the example."),
    ]
    names = [
        name[6:] for name in parsed.columns if name.startswith("Gaps: ") and "Anki" not in name
    ]
    left_out = apkg.parse(data, columns={f"Gaps: {name}": "ignore" for name in names})
    assert [row.term for row in left_out.rows] == ["pas"]
    mistaken = apkg.parse(data, columns={"Gaps: Colour": "ignore"})
    assert "There is no column “Gaps: Colour”." in [p.sentence for p in mistaken.problems]


@pytest.mark.parametrize(
    ("members", "reason"),
    [
        ({"collection.anki2": b"not a database"}, "not SQLite"),
        ({"media": b"{"}, "media list of the package is damaged"),
        ({"media": b"[1]"}, "media list of the package is damaged"),
        ({"media": b'{"9": "a.png"}'}, "“a.png” is missing"),
        ({"collection.anki21b": b"junk"}, "“collection.anki21b” in this file is damaged"),
    ],
)
def test_a_damaged_package_is_refused_with_the_part_that_is(members, reason):
    data = apkg.write([Row(term="a", image="a.png")], media={"a.png": PNG})
    with pytest.raises(FormatError, match=reason):
        apkg.parse(repacked(data, members))


def test_a_damaged_or_too_large_file_is_left_out_by_name(monkeypatch, tmp_path):
    rows = [Row(term="a", image="a.png"), Row(term="b", audio="b.mp3")]
    data = apkg.write(rows, media={"a.png": PNG[:20], "b.mp3": MP3})
    monkeypatch.setattr(apkg, "MAX_BYTES", len(MP3) - 1)
    for package in (data, newer(data)):
        parsed = apkg.parse(package, media_folder=tmp_path)
        assert [p.sentence for p in parsed.problems] == [
            "The picture “a.png” is damaged and was skipped.",
            "The file “b.mp3” was skipped: it is too large, or is neither a sound nor a picture.",
        ]


def test_a_zip_with_a_password_or_a_broken_member_is_refused():
    data = bytearray(apkg.write([Row(term="a")]))
    locked = data.replace(b"PK\x01\x02\x14\x03\x14\x00\x00", b"PK\x01\x02\x14\x03\x14\x00\x01")
    with pytest.raises(FormatError, match="password"):
        apkg.parse(bytes(locked))
    broken = data[:60] + b"\0\0\0\0\0\0" + data[66:]
    with pytest.raises(FormatError, match=r"“collection\.anki2” in this file is damaged"):
        apkg.parse(bytes(broken))
    with pytest.raises(FormatError, match="not an Anki package"):
        apkg.parse(zipped({"x": b""}))
