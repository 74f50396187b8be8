"""What a teacher sees of a class, in a number of queries that does not grow, and acts on."""

import csv
import io
import re
from datetime import timedelta
from urllib.parse import unquote

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from openpyxl import load_workbook

from osmosmjerka.accounts import people
from osmosmjerka.accounts.models import Membership, User
from puzzles.access import puzzles
from puzzles.assignments import services as assignments
from puzzles.assignments import status
from puzzles.assignments.status import Status
from puzzles.models import Assignment
from puzzles.play import services as play
from tests.puzzles.practice.test_practice import find_all, made
from vocab.memory import reviews

pytestmark = pytest.mark.django_db


@pytest.fixture
def pupils(classroom, make_person, school, student):
    others = [make_person(User.Role.STUDENT, school) for _number in range(3)]
    for other in others:
        people.join_classroom(classroom=classroom, person=other, role=Membership.Role.STUDENT)
    return [student, *others]


def review(pupil, entry, outcome, days=1, **extra):
    reviews.review(
        student=pupil, entry=entry, mode="typed", skill="meaning_to_form", outcome=outcome,
        at=timezone.now() - timedelta(days=days), source=f"{pupil.pk}:{entry.pk}:{days}:{outcome}",
        **extra,
    )  # fmt: skip


@pytest.fixture
def played(make_puzzle, pupils, animals):
    """Everybody knows the first word; the second is hard, and answered in two wrong ways."""
    make_puzzle()
    easy, hard, *_rest = animals.entries.all()
    for pupil in pupils:
        for days in (20, 19, 15, 8):
            review(pupil, easy, "right", days)
        review(pupil, hard, "wrong", 3, given="labut")
    review(pupils[0], hard, "wrong", 2, given="=lobud")
    return easy, hard


def test_the_hardest_word_comes_first_with_its_wrong_answers(played, classroom, teacher, sign_in):
    page = sign_in(teacher).get(f"/classes/{classroom.pk}/progress/")
    [(line, answers), *others] = page.context["hardest"]
    assert line.entry == played[1]
    assert answers == ["labut", "=lobud"]
    assert others == []
    text = page.content.decode()
    assert "labut" in text
    assert 'class="heat-3"' in text  # recalled after a week


@pytest.mark.parametrize(
    ("language", "shown"),
    [("en", "100%"), ("hr", "100\xa0%"), ("pl", "100%"), ("de", "100\xa0%"), ("ar", "100%")],
)
def test_per_cent_are_written_as_in_the_readers_language(
    language, shown, played, classroom, teacher, sign_in
):
    teacher.language = language
    teacher.save()
    page = sign_in(teacher).get(f"/classes/{classroom.pk}/progress/").text
    written = set(re.findall(r"<td[^>]*>\s*(100[^<]*?)\s*<", page))
    assert written == {shown}


def test_every_figure_of_the_map_can_be_read(played, classroom, pupils, teacher, sign_in):
    text = sign_in(teacher).get(f"/classes/{classroom.pk}/progress/").content.decode()
    assert text.count('data-n="4/4/') == len(pupils)
    assert text.count('data-n="0/1/') == len(pupils) - 1
    assert "Show as a table" in text  # of the chart of retention


@pytest.mark.parametrize(
    ("query", "first"),
    [("words=list", "krokodil"), ("words=alphabet", "gavran"), ("words=hardest", "labud")],
)
def test_the_map_is_sorted_as_asked(query, first, played, classroom, teacher, sign_in):
    page = sign_in(teacher).get(f"/classes/{classroom.pk}/progress/?{query}&pupils=weakest")
    assert page.context["page"][0].entry.term == first


def test_the_figures_can_be_taken_along_as_files(played, classroom, teacher, sign_in):
    client = sign_in(teacher)
    reply = client.get(f"/classes/{classroom.pk}/progress.csv")
    lines = list(csv.reader(io.StringIO(reply.content.decode("utf-8-sig"))))
    assert lines[1][:4] == ["krokodil", "16", "16", "0"]
    assert lines[1][5] == "known for days, 4 of 4 right"
    book = load_workbook(
        io.BytesIO(client.get(f"/classes/{classroom.pk}/progress.xlsx").content), read_only=True
    )
    rows = list(book.active.iter_rows(values_only=True))
    assert rows[2][:6] == ("labud", 5, 0, 0, 5, "learning, 0 of 2 right")
    assert client.get(f"/classes/{classroom.pk}/progress.exe").status_code == 404


@pytest.mark.parametrize(
    ("name", "file", "sheet"),
    [
        ("5.č", "5.č", "5.č"),
        ("6b/2 [new]: a\n“mixed” one", "6b 2 new a “mixed” one", "6b 2 new a “mixed” one"),
        ("č" * 60, "č" * 60, "č" * 31),
        ("???", "Osmosmjerka", "Osmosmjerka"),
    ],
)
def test_a_file_and_its_sheet_are_named_after_the_class(
    name, file, sheet, classroom, teacher, sign_in
):
    classroom.name = name
    classroom.save()
    reply = sign_in(teacher).get(f"/classes/{classroom.pk}/progress.xlsx")
    assert file in unquote(reply["Content-Disposition"])
    assert load_workbook(io.BytesIO(reply.content)).sheetnames == [sheet]


def test_every_page_of_a_class_can_be_taken_along(played, classroom, pupils, teacher, sign_in):
    client = sign_in(teacher)
    pupil, hard = pupils[0], played[1]
    pupil.display_name = "=Lu\x0bka"  # a formula, and what no workbook holds
    pupil.save()
    base = f"/classes/{classroom.pk}"
    for path, line in [
        (f"{base}/pupils/{pupil.pk}/", ["labud", "learning", 0, 2]),
        (f"{base}/words/{hard.pk}/", ["'=Luka", "learning", 0, 2]),
        (f"{base}/assignments/{Assignment.objects.first().pk}/", ["'=Luka", "not started", 0]),
    ]:
        text = client.get(f"{path}?format=csv").content.decode("utf-8-sig")
        lines = [row[: len(line)] for row in csv.reader(io.StringIO(text))]
        assert [*map(str, line)] in lines
        book = load_workbook(io.BytesIO(client.get(f"{path}?format=xlsx").content))
        assert line in [[*row][: len(line)] for row in book.active.iter_rows(values_only=True)]
        assert "?format=xlsx" in client.get(path).content.decode()


def pages_of(classroom, pupil, entry):
    base = f"/classes/{classroom.pk}"
    return [
        f"{base}/progress/",
        f"{base}/pupils/{pupil.pk}/",
        f"{base}/pupils/{pupil.pk}/words/{entry.pk}/",
        f"{base}/words/{entry.pk}/",
        f"{base}/assignments/{Assignment.objects.first().pk}/",
    ]


def test_a_stranger_a_student_and_a_viewer(played, classroom, pupils, stranger, teacher, sign_in,
                                            make_person, school):  # fmt: skip
    viewer = make_person(User.Role.TEACHER, school)
    people.join_classroom(classroom=classroom, person=viewer, role=Membership.Role.VIEWER)
    for path in [
        *pages_of(classroom, pupils[0], played[0]),
        f"/classes/{classroom.pk}/progress.csv",
    ]:
        assert sign_in(teacher).get(path).status_code == 200
        assert sign_in(viewer).get(path).status_code == 200
        assert sign_in(stranger).get(path).status_code == 404
        assert sign_in(pupils[0]).get(path).status_code == 404
    for person, may_assign in ((teacher, True), (viewer, False)):
        page = sign_in(person).get(f"/classes/{classroom.pk}/progress/").text
        assert ("Assign these words" in page) is may_assign
    reply = sign_in(viewer).post(f"/classes/{classroom.pk}/give/", {"entry": played[0].pk})
    assert reply.status_code == 404


def test_a_student_of_another_class_is_not_there(
    played, classroom, teacher, make_person, school, sign_in
):
    other = make_person(User.Role.STUDENT, school)
    assert sign_in(teacher).get(f"/classes/{classroom.pk}/pupils/{other.pk}/").status_code == 404


def queries(client, path):
    with CaptureQueriesContext(
        connection,
    ) as captured:
        assert client.get(path).status_code == 200
    return len(captured)


def test_more_students_and_words_ask_no_more_queries(
    played, classroom, pupils, animals, teacher, sign_in, make_person, school, make_puzzle
):
    find_all(make_puzzle(seed=3), pupils[0])
    client = sign_in(teacher)
    paths = pages_of(classroom, pupils[0], played[0])
    before = [queries(client, path) for path in paths]
    for _number in range(5):
        pupil = make_person(User.Role.STUDENT, school)
        people.join_classroom(classroom=classroom, person=pupil, role=Membership.Role.STUDENT)
        for entry in animals.entries.all()[:6]:
            review(pupil, entry, "right")
            review(pupil, entry, "wrong", 2, given="x")
    find_all(make_puzzle(seed=2), pupils[1])
    assert [queries(client, path) for path in paths] == before


def test_from_a_weak_word_to_an_assignment(played, classroom, pupils, teacher, sign_in):
    """The word's link in the map is one click, the button on its page the second."""
    client = sign_in(teacher)
    text = client.get(f"/classes/{classroom.pk}/progress/").content.decode()
    link = f"/classes/{classroom.pk}/words/{played[1].pk}/"
    assert f'href="{link}"' in text
    page = client.get(link)
    assert set(page.context["weak"]) == set(pupils)
    reply = client.post(
        f"/classes/{classroom.pk}/give/",
        {"entry": played[1].pk, "student": [pupils[0].pk, pupils[1].pk], "kind": "crossword"},
    )
    assert reply.status_code == 302
    given = Assignment.objects.first()
    assert set(given.chosen_students.all()) == set(pupils[:2])
    puzzle = made(given.puzzle)
    assert played[1].pk in set(puzzle.placements.values_list("entry", flat=True))
    assert puzzles(pupils[0], "play").filter(pk=puzzle.pk).exists()
    assert not puzzles(pupils[2], "play").filter(pk=puzzle.pk).exists()
    assert puzzle.title in sign_in(pupils[0]).get("/").content.decode()
    assert puzzle.title not in sign_in(pupils[2]).get("/").content.decode()


def test_words_of_a_foreign_list_cannot_be_given(played, classroom, teacher, sign_in, stranger):
    from tests.conftest import rows
    from vocab.lists.services import create_list

    foreign = create_list(owner=stranger, title="x", language="hr", translation_languages=["en"],
                          rows=rows({"riba": "fish"}))  # fmt: skip
    sign_in(teacher).post(f"/classes/{classroom.pk}/give/", {"entry": foreign.entries.get().pk})
    assert Assignment.objects.count() == 1


def test_a_second_click_gives_nothing_twice(played, classroom, pupils, teacher, sign_in):
    client, path = sign_in(teacher), f"/classes/{classroom.pk}/give/"
    before = Assignment.objects.count()
    body = {"entry": played[1].pk, "student": pupils[0].pk, "kind": "finder"}
    for _click in range(2):
        client.post(path, body)
    assert Assignment.objects.count() == before + 1
    client.post(path, body | {"student": pupils[1].pk})  # the control: to somebody else
    client.post(path, body | {"kind": "crossword"})
    assert Assignment.objects.count() == before + 3


def test_the_status_of_a_student_follows_the_rule(make_puzzle, pupils, classroom):
    assignment = make_puzzle().assignments.get()
    done, helped, begun, absent = pupils
    find_all(assignment.puzzle, done)
    play.finish_session(session=play.open_session(puzzle=assignment.puzzle, student=helped))
    play.open_session(puzzle=assignment.puzzle, student=begun)
    at = timezone.now()

    def stands():
        [line] = status.assignment_lines([Assignment.objects.get(pk=assignment.pk)], pupils, at)
        return line, [line.statuses[pupil] for pupil in pupils]

    line, how = stands()
    assert how == [Status.DONE, Status.NEEDS_HELP, Status.IN_PROGRESS, Status.NOT_STARTED]
    assert [(part.name, part.width) for part in line.bar] == [
        ("done", 25), ("started", 25), ("help", 25),
    ]  # fmt: skip
    assignments.change(assignment=assignment, due_at=at - timedelta(days=1), excused=[absent])
    assert stands()[1] == [
        Status.LATE, Status.NEEDS_HELP, Status.NEEDS_HELP, Status.EXCUSED,
    ]  # fmt: skip
