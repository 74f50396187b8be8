"""A class's names, as teachers have them: pasted, CSV, OneRoster, Kolibri."""

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from osmosmjerka.accounts.classrooms.roster import parse_roster
from osmosmjerka.accounts.models import User
from tests.accounts.classrooms.helpers import add_names

ONEROSTER = """\
sourcedId,status,dateLastModified,enabledUser,orgSourcedIds,role,username,givenName,familyName,\
email
1,active,,true,o1,student,ana.h,Ana,Horvat,ana@example.org
2,active,,true,o1,teacher,t.t,Tea,Tomić,tea@example.org
3,tobedeleted,,true,o1,student,ivo.i,Ivo,Ivić,ivo@example.org
4,active,,true,o1,student,mia.k,Mia,Kos,mia@example.org
"""
KOLIBRI = """\
Database ID (UUID),Username (USERNAME),Password (PASSWORD),Full name (FULL_NAME),\
User type (USER_TYPE),Identifier (IDENTIFIER),Birth year (BIRTH_YEAR),Gender (GENDER),\
Enrolled in (ENROLLED_IN),Assigned to (ASSIGNED_TO)
,ana,secret,Ana Horvat,LEARNER,7,2014,FEMALE,6b,
,tea,secret,Tea Tomić,FACILITY_COACH,8,1980,FEMALE,,6b
"""


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Ana\nMia\n\nIvo\n", ["Ana", "Mia", "Ivo"]),
        ("  Ana   Horvat \r\nMia Kos", ["Ana H.", "Mia K."]),
        ("Horvat, Ana\nKos, Mia", ["Ana H.", "Mia K."]),
        ("Horvat;Ana\nKos;Mia", ["Ana H.", "Mia K."]),
        ("Ana\nana\nANA", ["Ana", "ana", "ANA"]),
        ("Filipović, Ema\tF\t5.b\nKos, Ivo\tM\t5.b", ["Ema F.", "Ivo K."]),
        ("Horvat, A.\nKos, M.", ["A. H.", "M. K."]),
        ('Student,ID,Final\n    Points Possible,,10\n"Horvat, Ana",7,9', ["Ana H."]),
        ("name,birth year\nAna Horvat,2014", ["Ana H."]),
        ("Ime;Prezime\nAna;Horvat", ["Ana H."]),
        ("\ufeffAna", ["Ana"]),
        ("Ana Horvat\rMia Kos\r", ["Ana H.", "Mia K."]),
        ("1. Ana Horvat\n2) Mia Kos\n10 Ivo", ["Ana H.", "Mia K.", "Ivo"]),
        ("1\tHorvat\tAna\n2\tKos\tMia", ["Ana H.", "Mia K."]),
        ("Horvat, Ana, 6b\nKos, Mia, 6. b", ["Ana H.", "Mia K."]),
        ("Ana Horvat;ana@example.org", ["Ana H."]),
        ("Ime i prezime\nAna Horvat", ["Ana H."]),
        ("李 小明", ["小明"]),
        ("", []),
    ],
)
def test_names_are_read_however_they_are_pasted(text, names):
    assert parse_roster(text).names == names


def test_oneroster_gives_its_students_and_tells_of_the_others():
    read = parse_roster(ONEROSTER)
    assert read.names == ["Ana H.", "Mia K."]
    assert [problem.number for problem in read.problems] == [3, 4]
    assert "email" in read.ignored_columns
    assert "username" in read.ignored_columns


def test_kolibris_columns_give_its_students():
    read = parse_roster(KOLIBRI)
    assert read.names == ["Ana H."]
    assert [problem.number for problem in read.problems] == [3]
    assert {"password", "birthyear", "gender"} <= set(read.ignored_columns)


def test_lines_without_a_name_and_names_too_long_are_named():
    read = parse_roster("Ana\n---\n" + "x" * 90)
    assert [problem.number for problem in read.problems] == [2, 3]


def test_a_file_that_is_no_list_of_names_is_told(sign_in, teacher, classroom):
    page = sign_in(teacher).post(
        f"/classes/{classroom.pk}/pupils/paste/", {"names": '"' + "x" * 200_000}
    )
    assert "not a list with one name per line" in page.content.decode()


def test_a_pasted_class_gets_accounts_that_tell_nothing(sign_in, teacher, classroom, school):
    names = "Ana Horvat\nLuka\nMia Kos"
    page = add_names(sign_in(teacher), classroom, {"names": names, "shorten": "on"}, {2: "other"})
    assert "3 students added" in page
    made = User.objects.filter(memberships__classroom=classroom, role="student").order_by("pk")
    assert [pupil.display_name for pupil in made] == ["Luka", "Ana H.", "Luka 2", "Mia K."]
    for pupil in made[1:]:
        assert not pupil.has_usable_password()
        assert pupil.email == ""
        parts = pupil.username.split("-")  # words at random, of which one may be "banana"
        assert pupil.display_name.split()[0].lower() not in parts
        assert pupil.school == school


def test_a_file_is_read_in_any_usual_encoding(sign_in, teacher, classroom):
    for encoding in ("utf-8-sig", "utf-16", "cp1250"):
        file = SimpleUploadedFile("users.csv", f"name\nŽeljka {encoding[-1]}".encode(encoding))
        assert "Željka" in add_names(sign_in(teacher), classroom, {"file": file})


@pytest.mark.parametrize("body", [{}, {"names": "---"}])
def test_a_paste_without_names_says_so_and_writes_nothing(sign_in, teacher, classroom, body):
    reply = sign_in(teacher).post(f"/classes/{classroom.pk}/pupils/paste/", body)
    assert reply.status_code == 200
    assert "field--invalid" in reply.content.decode() or "alert" in reply.content.decode()
    assert User.objects.filter(role="student").count() == 1
