import io
import zipfile

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.vocab.formats.bombs import MP3, PNG, zipped
from tests.vocab.formats.lists import lists, same_in
from vocab import formats
from vocab.formats import FormatError, Row
from vocab.formats.anki_fields import read_html, read_tags, to_html, to_tags
from vocab.formats.columns import join_list, split_list
from vocab.formats.delimited import neutralise, restore
from vocab.formats.headers import field_of
from vocab.formats.media import kind_of, size_of_image
from vocab.formats.protobuf import fields


@settings(max_examples=25, deadline=None)
@given(lists, st.sampled_from(list(formats.FORMATS)))
def test_every_format_is_told_by_its_content(rows, name):
    parsed = formats.parse(formats.write(rows, name, name="List"))
    assert parsed.settings["format"] == name
    assert [same_in(name, row) for row in parsed.rows] == [same_in(name, row) for row in rows]


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"\xd0\xcf\x11\xe0" + b"x" * 600, "old .xls file or is protected with a password"),
        (b"%PDF-1.7", "PDF"),
        (PNG, "picture"),
        (b"SQLite format 3\0", "Export the deck as .apkg"),
        (zipped({"content.xml": b"<office/>"}), "not a spreadsheet"),
        (zipped({"word/document.xml": b""}), "Word document"),
        (zipped({"x": b""}), "neither a spreadsheet nor an Anki package"),
        (b"\0\1\2\3" * 100, "not"),
        (MP3 * 50, "not|choose"),
    ],
)
def test_other_files_are_refused_with_a_way_out(data, reason):
    with pytest.raises(FormatError, match=reason):
        formats.parse(data)


def test_names_that_do_not_exist_are_refused():
    with pytest.raises(FormatError, match="no format “doc”"):
        formats.parse("a", format="doc")
    with pytest.raises(FormatError, match="no format “doc”"):
        formats.write([Row(term="a")], "doc")
    with pytest.raises(FormatError, match="is not a text format"):
        formats.parse("a", format="xlsx")


@given(st.lists(st.text(), max_size=4))
def test_a_list_within_a_cell_comes_back(texts):
    texts = [text.strip() for text in texts if text.strip()]
    assert split_list(join_list(texts)) == texts
    assert split_list(join_list(texts, commas=True), commas=True) == texts


@given(st.text(alphabet="'=+-@\t\rab"))
def test_a_neutralised_cell_comes_back_and_is_no_formula(text):
    safe = neutralise(text)
    assert not safe.startswith(("=", "+", "-", "@", "\t", "\r"))
    assert restore(safe) == text


@given(st.text(alphabet=st.characters(blacklist_categories=("Cs", "Cc"))).map(str.strip))
def test_html_says_what_the_text_said_and_holds_no_tag_but_a_line_break(text):
    html = to_html(text)
    field = read_html(html)
    assert (field.text, list(field.sounds), list(field.images)) == (text, [], [])
    assert "<" not in html.replace("<br>", "")


@given(st.lists(st.sampled_from(["a b", "50%", "%20", 'q"', "x::y", "č", "a\u3000b", "\u00a0x"])))
def test_ankis_tags_come_back_whatever_they_hold(tags):
    tags = list(dict.fromkeys(tag.strip() for tag in tags))
    assert read_tags(to_tags(tags)) == tags


@pytest.mark.parametrize(
    ("header", "field"),
    [
        ("Front", "term"),
        ("HEADWORD", "term"),
        ("part-of-speech", "part_of_speech"),
        ("Example  Translation", "example_translation"),
        ("Meaning", "translation"),
        ("translation 2", "translation"),
        ("Translation (pt-BR)", "translation:pt-BR"),
        ("definition_en", "translation:en"),
        ("translation:zh-Hant", "translation:zh-Hant"),
        ("Riječ", "term"),
        ("tłumaczenie", "translation"),
        ("Lesson", None),
        ("", None),
    ],
)
def test_headers_are_known_by_their_aliases_in_any_case(header, field):
    assert field_of(header) == field


def test_sounds_and_pictures_are_known_by_their_first_bytes():
    assert kind_of(PNG).mime == "image/png"
    assert size_of_image(PNG, kind_of(PNG)) == (1, 1)
    jpeg = b"\xff\xd8\xff\xe0\x00\x04ab\xff\xff\xc0\x00\x11\x08\x00\x10\x00\x20" + bytes(20)
    assert size_of_image(jpeg, kind_of(jpeg)) == (32, 16)
    gif = b"GIF89a\x03\x00\x04\x00"
    assert size_of_image(gif, kind_of(gif)) == (3, 4)
    webp = b"RIFF\0\0\0\0WEBPVP8X" + bytes(8) + b"\x09\0\0\x13\0\0"
    assert size_of_image(webp, kind_of(webp)) == (10, 20)
    lossless = b"RIFF\0\0\0\0WEBPVP8L" + bytes(5) + (9 | 19 << 14).to_bytes(4, "little")
    assert size_of_image(lossless, kind_of(lossless)) == (10, 20)
    lossy = b"RIFF\0\0\0\0WEBPVP8 " + bytes(10) + b"\x0a\0\x14\0"
    assert size_of_image(lossy, kind_of(lossy)) == (10, 20)
    assert size_of_image(PNG[:18], kind_of(PNG)) is None
    for data, suffix in {
        MP3: ".mp3",
        b"\xff\xfb\x90\x00": ".mp3",
        b"\xff\xf1\x50\x80": ".aac",
        b"OggS\0": ".ogg",
        b"RIFF\0\0\0\0WAVE": ".wav",
        b"\0\0\0\x20ftypM4A ": ".m4a",
        b"fLaC\0": ".flac",
    }.items():
        assert kind_of(data).suffix == suffix
    assert kind_of(b"<svg/>") is None


def test_the_zip_of_an_apkg_is_plain_and_complete():
    names = zipfile.ZipFile(
        io.BytesIO(formats.write([Row(term="a")], "apkg", media={"a.mp3": MP3}))
    ).namelist()
    assert names == ["collection.anki2", "media", "0"]


def test_protocol_buffers_are_read_field_by_field_and_cut_ones_refused():
    message = b"\x08\x96\x01" + b"\x12\x02hi" + b"\x1d\1\2\3\4" + b"\x21" + bytes(8)
    assert list(fields(message)) == [(1, 150), (2, b"hi"), (3, b"\1\2\3\4"), (4, bytes(8))]
    for damaged in (b"\x08", b"\x12\x05hi", b"\x0b", b"\x08" + b"\xff" * 11):
        with pytest.raises(ValueError):
            list(fields(damaged))


def test_every_format_has_what_a_page_asks_for():
    for name, format in formats.FORMATS.items():
        assert format.name == name
        assert format.suffix.startswith(".")
        assert "/" in format.mime
        assert format.label


@pytest.mark.parametrize("name", formats.FORMATS)
def test_a_file_on_disk_reads_like_its_bytes(name, tmp_path):
    file = tmp_path / "list"
    file.write_bytes(formats.write([Row(term="pas", translations={"": ["dog"]})], name))
    assert formats.parse(file) == formats.parse(file.read_bytes())


def test_a_word_too_long_for_a_cell_is_not_cut_but_refused():
    for name in formats.FORMATS:
        with pytest.raises(FormatError, match="40000 characters"):
            formats.write([Row(term="a", note="x" * 40_000)], name)
