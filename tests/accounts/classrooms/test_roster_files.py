"""Files that teachers have: spreadsheets and OneRoster are read, what is no table is refused."""

import io
import zipfile

import openpyxl
import pytest
from django.core.exceptions import ValidationError
from django.core.files.uploadedfile import SimpleUploadedFile

from osmosmjerka.accounts.classrooms import roster, school_file, tables
from osmosmjerka.accounts.classrooms.roster import MAX_LINES, parse_file, parse_roster
from osmosmjerka.accounts.models import RosterImport, User
from osmosmjerka.i18n.code_pages import Decoded
from tests.accounts.classrooms.helpers import confirm, open_preview, outcomes
from tests.understated import most_memory, understated

USERS = """\
sourcedId,status,role,givenName,familyName
u1,active,student,Ana,Horvat
u2,active,student,Mia,Kos
u3,active,teacher,Tea,Tomić
u4,active,student,Ivo,Ivić
"""
CLASSES = "sourcedId,status,title\nc1,active,6b\nc2,active,6c\n"
ENROLLMENTS = """\
sourcedId,status,classSourcedId,userSourcedId,role
e1,active,c1,u1,student
e2,active,c1,u3,teacher
e3,active,c2,u2,student
e4,active,c2,u1,student
e5,tobedeleted,c1,u4,student
"""


def zipped(files):
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return made.getvalue()


def oneroster(**changed):
    files = {"users": USERS, "classes": CLASSES, "enrollments": ENROLLMENTS} | changed
    return zipped({f"{name}.csv": text for name, text in files.items() if text})


def xlsx(*rows, first_empty=False):
    book = openpyxl.Workbook()
    sheet = book.active
    if first_empty:
        sheet = book.create_sheet("Names")
    for row in rows:
        sheet.append(row)
    made = io.BytesIO()
    book.save(made)
    return made.getvalue()


def upload(client, classroom, data, name="file"):
    return open_preview(
        client, classroom, {"file": SimpleUploadedFile(name, data), "shorten": "on"}
    )


@pytest.fixture
def own(sign_in, teacher):
    return sign_in(teacher)


def test_a_spreadsheet_is_read(own, classroom):
    data = xlsx(("Student ID", "Ime", "Prezime", "e-mail"), (7, "Ana", "Horvat", "a@example.org"))
    reply = upload(own, classroom, data, "razred.xlsx")
    assert outcomes(reply) == [(2, "new", "Ana H.")]
    confirm(own, reply)
    assert list(User.objects.get(display_name="Ana H.").external_ids.values_list("value")) == [
        ("7",)
    ]
    assert parse_file(xlsx(("Mia Kos",), first_empty=True)).names == ["Mia K."]


def test_oneroster_asks_which_class(own, classroom):
    classroom.name = "Chess"
    classroom.save()
    reply = upload(own, classroom, oneroster(), "oneroster.zip")
    page = reply.content.decode()
    assert "Class in the file" in page
    assert "Add to class" not in page
    place = reply.request["PATH_INFO"]
    reply = own.post(f"{place}class/", {"class": "c2"}, follow=True)
    assert outcomes(reply) == [(2, "new", "Ana H."), (3, "new", "Mia K.")]
    assert own.post(f"{place}class/", {"class": "c9"}, follow=True).context["roster"].file_class
    confirm(own, reply)
    assert classroom.members.filter(role="student").count() == 3


def test_oneroster_with_a_class_of_this_name_needs_no_question(own, classroom):
    reply = upload(own, classroom, oneroster())
    assert outcomes(reply) == [(2, "new", "Ana H.")]  # 6b, without the enrolment that ended
    assert reply.context["preview"].missing == ["Luka"]


def test_oneroster_without_enrolments_gives_all_students():
    read = parse_file(oneroster(enrollments="", classes=""))
    assert read.names == ["Ana H.", "Mia K.", "Ivo I."]
    assert [line.number for line in read.problems] == [4]
    roles = "sourcedId,userSourcedId,role\nr1,u1,student\nr2,u2,teacher\n"
    users = "sourcedId,status,givenName,familyName\nu1,active,Ana,Horvat\nu2,active,Tea,Tomić\n"
    assert parse_file(oneroster(users=users, roles=roles, enrollments="")).names == ["Ana H."]


PNG = b"\x89PNG\r\n\x1a\n" + bytes(range(256))
ODS = zipped({"mimetype": "application/vnd.oasis.opendocument.spreadsheet", "content.xml": "<a/>"})
DOCX = zipped({"word/document.xml": "<w:document/>", "[Content_Types].xml": "<Types/>"})


@pytest.mark.parametrize(
    "data",
    [
        ODS,
        DOCX,
        zipped({"photo.png": PNG}),
        zipped({}),
        b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"Ana Horvat\n" * 20,  # XLS, DOC
        b"%PDF-1.4\nAna Horvat\n",
        b"{\\rtf1 Ana Horvat}",
        PNG,
        b"\xff\xd8\xff\xe0\x10JFIF",
        b"GIF89a,\x01,\x00",
        b"<table><tr><td>Ana</table>",
        b'[{"name": "Ana"}]',
        b"Ana\x00Mia\n",
        b"Ana\x1b[31mMia",
        b"PK\x03\x04" + b"damaged" * 20,
        oneroster()[:200],
    ],
)
def test_what_is_no_table_is_refused_with_a_sentence(data):
    with pytest.raises(ValidationError, match=r"is not a list of names|is damaged"):
        parse_file(data)


def test_a_refused_file_is_told_on_the_page_and_adds_nothing(own, classroom):
    assert "This file is not a list of names" in upload(own, classroom, ODS).content.decode()
    assert not RosterImport.objects.exists()
    assert User.objects.filter(role="student").count() == 1


def test_without_the_look_at_the_text_a_picture_becomes_names(monkeypatch):
    """The control."""
    with pytest.raises(ValidationError):
        parse_file(PNG.replace(b"\x00", b""))

    def as_text(data):
        return Decoded(data.decode("cp1250", "replace"), "cp1250")

    monkeypatch.setattr(tables, "check_text", lambda _text: None)
    monkeypatch.setattr(tables, "_decoded", lambda data, _encoding: as_text(data))
    assert parse_file(PNG.replace(b"\x00", b"")).names


def test_bombs_are_refused_before_they_are_unpacked(monkeypatch):
    bomb = zipped({"users.csv": "name\n" + "Ana\n" * 2_000_000})
    sheet = zipped({"xl/workbook.xml": "<workbook/>", "xl/sheet.xml": " " * 6_000_000})
    many = zipped({f"{number}.csv": "" for number in range(300)})
    for data in (bomb, sheet, many):
        assert len(data) < 100_000
        with pytest.raises(ValidationError, match="too large when unpacked"):
            parse_file(data)
    monkeypatch.setattr(tables, "MAX_UNPACKED", 10**9)  # the control
    read = tables.read_file(zipped({"users.csv": "name\n" + "Ana\n" * 10_000}))
    assert len(read.tables["users"]) == 10_000


@pytest.mark.parametrize("way", [zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2])
@pytest.mark.parametrize(
    ("read", "name", "files"),
    [
        (parse_file, "users.csv", {}),
        (parse_file, "xl/sharedStrings.xml", {"xl/workbook.xml": "<workbook/>"}),
        (school_file.read, "users.csv", {}),
    ],
)
def test_a_member_that_is_larger_than_the_file_says_is_not_unpacked(read, name, files, way):
    data = understated(name, files, way)
    held, refused = most_memory(read, data)
    assert held < 5_000_000
    assert "damaged" in refused or "not a OneRoster file" in refused


@pytest.mark.timeout(60)  # a second; what looks at each empty cell takes hours
def test_a_spreadsheet_whose_only_row_is_the_millionth_is_read_quickly():
    book = openpyxl.Workbook()
    book.active.cell(1_000_000, 16_000, "Ana")
    made = io.BytesIO()
    book.save(made)
    assert parse_file(made.getvalue()).names == []


@pytest.mark.timeout(60)  # a second; what takes the square of the lines takes hours
@pytest.mark.parametrize(
    "text",
    ["---\n" * 480_000, "x" * 1_900_000, "-," * 950_000, "\n" * 1_900_000, '"' * 1_900_000],
)
def test_half_a_million_bad_lines_are_answered_at_once(own, classroom, text):
    reply = upload(own, classroom, text.encode())
    assert "alert" in reply.content.decode()
    pasted = open_preview(own, classroom, {"names": text})
    assert "errorlist" in pasted.content.decode()
    assert User.objects.filter(role="student").count() == 1


def test_lines_with_problems_count_towards_the_limit(monkeypatch):
    read = parse_roster("---\n" * (MAX_LINES + 5))
    assert len(read.lines) == MAX_LINES + 1
    assert "more than" in read.lines[-1].problem
    monkeypatch.setattr(roster, "MAX_LINES", 10**9)  # the control
    assert len(parse_roster("---\n" * 1_000).lines) == 1_000
