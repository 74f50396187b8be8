"""Files that are small and mean harm, each with the reason for which it must be refused."""

from __future__ import annotations

import io
import sqlite3
import stat
import struct
import zipfile

import zstandard

from tests.understated import understated
from vocab.formats import apkg, xlsx
from vocab.formats.rows import Row

PNG = bytes.fromhex(
    "89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c489"
    "0000000d49444154789c6360000002000001e221bc330000000049454e44ae426082"
)
MP3 = b"ID3\x04\x00\x00\x00\x00\x00\x00" + b"\xff\xfb\x90\x00" * 20


def repacked(data: bytes, members: dict[str, bytes] | None = None, change: str = "") -> bytes:
    """The zip with its collection changed by SQL and members replaced."""
    archive = zipfile.ZipFile(io.BytesIO(data))
    contents = {name: archive.read(name) for name in archive.namelist()}
    contents |= members or {}
    if change:
        database = sqlite3.connect(":memory:")
        database.deserialize(contents["collection.anki2"])
        database.executescript(change)
        contents["collection.anki2"] = database.serialize()
    return zipped(contents)


def zipped(contents: dict[str, bytes]) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as target:
        for name, content in contents.items():
            target.writestr(name, content)
    return stream.getvalue()


def _sheet(xml: bytes) -> bytes:
    return repacked(xlsx.write([Row(term="a")]), {"xl/worksheets/sheet1.xml": xml})


_SHEET = b'<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>'


def zip_bomb() -> bytes:
    return _sheet(_SHEET + b" " * 40_000_000 + b"</sheetData></worksheet>")


def bzip2_bomb() -> bytes:
    return understated("collection.anki21", way=zipfile.ZIP_BZIP2)


def _packed_zeros() -> bytes:
    packer = zstandard.ZstdCompressor().compressobj()
    return b"".join([*(packer.compress(bytes(10_000_000)) for _ in range(60)), packer.flush()])


def zstd_bomb() -> bytes:
    return zipped({"collection.anki21b": _packed_zeros(), "media": b"", "meta": b"\x08\x03"})


def zstd_bomb_in_media() -> bytes:
    rows = [Row(term="a", audio="a.mp3")]
    database = zipfile.ZipFile(io.BytesIO(apkg.write(rows))).read("collection.anki2")
    name = b"\x0a\x05a.mp3\x10\x05"
    entries = b"\x0a" + bytes([len(name)]) + name
    return zipped(
        {
            "collection.anki21b": zstandard.compress(database),
            "media": zstandard.compress(entries),
            "meta": b"\x08\x03",
            "0": _packed_zeros(),
        }
    )


_ENTITIES = b'<!DOCTYPE x [<!ENTITY a "ha">%s]>' % b"".join(
    b'<!ENTITY %c "%s">' % (98 + n, b"&%c;" % (97 + n) * 10) for n in range(9)
)


def entity_bomb() -> bytes:
    return _sheet(_ENTITIES + _SHEET + b"<row><c><v>&j;</v></c></row>")


def external_entity() -> bytes:
    return _sheet(
        b'<!DOCTYPE x [<!ENTITY f SYSTEM "file:///etc/passwd">]>' + _SHEET
        + b'<row><c t="str"><v>&f;</v></c></row></sheetData></worksheet>'
    )  # fmt: skip


def many_members() -> bytes:
    # Only the marks of a million entries: to build real ones takes longer than to refuse them.
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_STORED) as archive:
        archive.writestr("a", b"PK\x01\x02" * 1_000_000)
    return stream.getvalue()


def traversal() -> bytes:
    return repacked(apkg.write([Row(term="a")]), {"../../outside.txt": b"x"})


def absolute() -> bytes:
    return repacked(apkg.write([Row(term="a")]), {"/etc/cron.d/x": b"x"})


def symlink() -> bytes:
    stream = io.BytesIO(apkg.write([Row(term="a", audio="a.mp3")]))
    with zipfile.ZipFile(stream, "a") as archive:
        link = zipfile.ZipInfo("0")
        link.external_attr = (stat.S_IFLNK | 0o777) << 16
        archive.writestr(link, "/etc/passwd")
    return stream.getvalue()


def cyclic_views() -> bytes:
    return repacked(
        apkg.write([Row(term="a")]),
        change="DROP TABLE notes; CREATE VIEW notes AS SELECT * FROM other;"
        "CREATE VIEW other AS SELECT * FROM notes",
    )


def endless_view() -> bytes:
    return repacked(
        apkg.write([Row(term="a")]),
        change="DROP TABLE notes; CREATE VIEW notes AS WITH RECURSIVE n(x) AS"
        " (SELECT 1 UNION ALL SELECT x + 1 FROM n)"
        " SELECT x AS id, x AS guid, 1 AS mid, '' AS tags, 'a' AS flds FROM n",
    )


def million_empty_lines() -> bytes:
    return b"term,translation\na,b\n" + b",\n" * 1_000_000


def million_empty_rows() -> bytes:
    return _sheet(
        _SHEET
        + b'<row r="1"/><row r="1048576"><c t="str"><v>a</v></c></row></sheetData></worksheet>'
    )


def million_row_tags() -> bytes:
    return _sheet(_SHEET + b"<row/>" * 1_000_000 + b"</sheetData></worksheet>")


def wide_rows() -> bytes:
    row = b'<row><c r="XFD%d"/></row>'
    rows = b"".join(row % n for n in range(1, 9_000))
    return _sheet(_SHEET + rows + b"</sheetData></worksheet>")


def _document(rows: bytes, start: bytes = b"") -> bytes:
    name = b"urn:oasis:names:tc:opendocument:xmlns:"
    return zipped(
        {
            "content.xml": start + b'<o:document-content xmlns:o="%soffice:1.0"'
            b' xmlns:table="%stable:1.0" xmlns:text="%stext:1.0"><o:body><o:spreadsheet>'
            b'<table:table table:name="S">' % (name, name, name) + rows
            + b"</table:table></o:spreadsheet></o:body></o:document-content>"
        }
    )  # fmt: skip


_ODS_ROW = b"<table:table-row><table:table-cell><text:p>a</text:p></table:table-cell>"


def document_zip_bomb() -> bytes:
    return _document(b" " * 40_000_000)


def document_entity_bomb() -> bytes:
    return _document(b"<text:p>&j;</text:p>", _ENTITIES)


def document_repeated_rows() -> bytes:
    row = _ODS_ROW.replace(b"table-row>", b'table-row table:number-rows-repeated="900000">', 1)
    return _document(row + b"</table:table-row>")


def document_gap_of_rows() -> bytes:
    gap = b'<table:table-row table:number-rows-repeated="900000"/>'
    return _document(gap + _ODS_ROW + b"</table:table-row>")


def document_many_empty_rows() -> bytes:
    return _document(b"<table:table-row/>" * 200_000)


def document_wide_row() -> bytes:
    cell = b'<table:table-cell table:number-columns-repeated="16000"><text:p>a</text:p>'
    return _document(b"<table:table-row>" + cell + b"</table:table-cell></table:table-row>")


def document_deep() -> bytes:
    return _document(b"<text:p>" * 100_000 + b"</text:p>" * 100_000)


def page_of_open_tables() -> bytes:
    return b"<table><tr><td " * 200_000


def page_wide_cell() -> bytes:
    return b"<table><tr><td colspan=9000>a<td>b</table>"


def deep_json() -> bytes:
    return b"[{" + b'"a":[' * 100_000


def pixel_bomb() -> bytes:
    picture = PNG[:16] + struct.pack(">II", 60_000, 60_000) + PNG[24:]
    return apkg.write([Row(term="a", image="a.png")], media={"a.png": picture})


def markup_bomb() -> bytes:
    """Half a million opened sounds, tags and comments, none of them closed."""
    return repacked(
        apkg.write([Row(term="a")]),
        change="UPDATE notes SET flds = replace(hex(zeroblob(500000)), '00', '[sound:<a b=\"<!--')",
    )


# Each bomb with words of the message that refuses it.
BOMBS = {
    zip_bomb: "zip bomb",
    bzip2_bomb: "packed in an unusual way",
    zstd_bomb: "larger than",
    zstd_bomb_in_media: "larger than",
    entity_bomb: "contains XML entities",
    external_entity: "contains XML entities",
    many_members: "more than 30000 files",
    traversal: "points to a place outside",
    absolute: "points to a place outside",
    symlink: "is a link",
    cyclic_views: "contains a view",
    endless_view: "contains a view",
    million_empty_lines: "empty rows",
    million_empty_rows: "empty rows",
    million_row_tags: "empty rows|took longer",
    wide_rows: "empty|took longer",
    document_zip_bomb: "zip bomb",
    document_entity_bomb: "contains XML entities",
    document_repeated_rows: "more than 50000 rows",
    document_gap_of_rows: "empty rows",
    document_many_empty_rows: "empty row",
    document_wide_row: "16000 columns",
    document_deep: "spreadsheet is damaged",
    page_of_open_tables: "no table with two columns",
    page_wide_cell: "9001 columns|9000 columns",
    deep_json: "JSON file is damaged",
    markup_bomb: "",
    pixel_bomb: "60000 × 60000 pixels",
}
