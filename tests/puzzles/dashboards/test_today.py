"""A teacher's home page answers Monday: whom to help in all classes, with what, and what is new."""

import re
from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from osmosmjerka.accounts import people
from puzzles.dashboards import today_views
from puzzles.models import Assignment
from tests.puzzles.dashboards.test_monday import DAY, give, given, new_list, new_students
from tests.puzzles.practice.test_practice import find_all
from vocab.memory import reviews

pytestmark = pytest.mark.django_db


@pytest.fixture
def two_classes(teacher, school):
    """Classes 6b and 7a of eight students each who practise one list."""
    words = new_list(teacher, 12)
    found = []
    for name in ("6b", "7a"):
        classroom = people.create_classroom(name=name, owner=teacher)
        give(classroom, words, teacher)
        found.append((classroom, new_students(classroom, school, 8)))
    return found, list(words.entries.order_by("position"))


def practise(students, words, days=0, outcome="right"):
    for student in students:
        source = f"{student.pk}-{days}-{outcome}"
        answers = [given(word, f"{source}-{word.pk}", outcome, days=days) for word in words]
        reviews.record(student=student, answers=answers)


def rows_of(page):
    return [
        (str(row.helped.student), str(row.helped.classroom), row.reasons, row.act.label)
        for row in page.context["rows"]
    ]


def test_students_of_all_classes_are_named_with_their_words_and_what_to_do(
    two_classes, teacher, sign_in, time_machine
):
    time_machine.move_to(timezone.now().replace(hour=12))
    [(_first, six), (_second, seven)], words = two_classes
    practise([*six[:7], *seven[:7]], words[:4])
    practise(six[7:], words[:3], days=9, outcome="wrong")
    seven[7].last_login = None
    seven[7].save()
    page = sign_in(teacher).get("/")
    assert rows_of(page) == [
        ("Student 07", "7a", "never logged in", "Print a login card"),
        ("Student 07", "6b", "nothing for 10 days", "Assign these 3 words"),
    ]
    assert page.context["fine"] == 14
    assert "2 students need help" in page.text
    # The act opens the form with the words and the student selected.
    form = sign_in(teacher).get(page.context["rows"][1].act.url)
    assert form.status_code == 200
    for name, keys in (("entries", [word.pk for word in words[:3]]), ("student", [six[7].pk])):
        ticked = re.findall(rf'name="{name}"\s+value="(\d+)"[^>]*checked', form.text)
        assert sorted(map(int, ticked)) == sorted(keys)
    # The card is a file to print, and is the student's new way in.
    act = page.context["rows"][0].act
    card = sign_in(teacher).post(act.url, {"student": act.student, "format": "pdf"})
    assert card["Content-Type"] == "application/pdf"
    seven[7].refresh_from_db()
    assert seven[7].card


def test_who_owes_an_assignment_gets_its_due_date_moved(
    make_puzzle, classroom, school, student, teacher, sign_in
):
    puzzle = make_puzzle()
    others = new_students(classroom, school, 3)
    for one in [student, *others[:2]]:
        find_all(puzzle, one)
    Assignment.objects.update(due_at=timezone.now() - timedelta(minutes=1))
    [row] = sign_in(teacher).get("/").context["rows"]
    assert (row.helped.student, row.act.label) == (others[2], "Move the due date")
    assignment = puzzle.assignments.get()
    assert row.act.url == reverse("assignment-edit", args=[classroom.pk, assignment.pk])
    assert sign_in(teacher).get(row.act.url).status_code == 200


def test_what_is_new_began_on_the_day_of_the_last_visit(
    two_classes, teacher, sign_in, time_machine
):
    [(_first, six), (_second, _seven)], words = two_classes
    friday = timezone.now().replace(hour=12)
    time_machine.move_to(friday)
    client = sign_in(teacher)
    assert client.get("/").context["since"] == timezone.localdate() - 7 * DAY
    practise(six[:5], words[:3], days=-1)
    time_machine.move_to(friday + 3 * DAY)
    client = sign_in(teacher)
    page = client.get("/")
    assert page.context["since"] == timezone.localdate() - 3 * DAY
    told = {str(row.classroom): row.texts for row in page.context["news"]}
    assert told == {
        "6b": ["Student 00, Student 01, Student 02 and 2 more practised 15 words."],
        "7a": ["Nobody practised."],
    }
    # On the same day it stays; the next day begins anew.
    assert client.get("/").context["since"] == page.context["since"]
    time_machine.move_to(friday + 4 * DAY)
    told = sign_in(teacher).get("/").context["news"]
    assert [row.texts for row in told] == [["Nobody practised."]] * 2


def test_who_finished_an_assignment_is_named(make_puzzle, classroom, student, teacher, sign_in):
    puzzle = make_puzzle()
    find_all(puzzle, student)
    [news] = sign_in(teacher).get("/").context["news"]
    assert news.texts[1] == f"“{puzzle.title}” was finished by {student}."


def test_anstrangers_class_is_not_shown(two_classes, stranger, sign_in):
    assert "rows" not in sign_in(stranger).get("/").context


def test_a_class_is_chosen_by_its_tab(two_classes, teacher, sign_in):
    [(_first, _six), (second, _seven)], _words = two_classes
    page = sign_in(teacher).get(f"/?class={second.pk}")
    assert page.context["chosen"].classroom == second
    assert f"8 students of {second}" in page.text
    assert sign_in(teacher).get("/?class=x").status_code == 200


def test_more_classes_ask_no_more_queries(two_classes, teacher, school, sign_in):
    [(_first, six), (_second, seven)], words = two_classes
    practise([*six[:6], *seven[:6]], words, days=3, outcome="wrong")

    def queries():
        client = sign_in(teacher)
        with CaptureQueriesContext(connection) as captured:
            assert client.get("/").status_code == 200
        return len(captured)

    queries()  # the day of the visit is stored once
    few = queries()
    for number in range(4):
        more = people.create_classroom(name=f"8{number}", owner=teacher)
        give(more, words[0].vocabulary_list, teacher)
        students = new_students(more, school, 5)
        practise(students[:4], words, days=3, outcome="wrong")
    assert queries() == few


def test_classes_that_are_not_shown_are_told(two_classes, teacher, sign_in, monkeypatch):
    told = "You have more classes than this page shows"
    assert told not in sign_in(teacher).get("/").text
    monkeypatch.setattr(today_views, "MOST_CLASSES", 1)
    page = sign_in(teacher).get("/")
    assert told in page.text
    assert len(page.context["filled"]) == 1


def test_of_a_class_that_has_not_begun_nothing_is_known(two_classes, teacher, sign_in):
    page = sign_in(teacher).get("/").text
    assert "Nobody has practised yet." in page
    assert "All students practise" not in page
    [(_first, six), _second], words = two_classes
    practise(six, words[:3])
    page = sign_in(teacher).get("/").text
    assert "All students practise" in page
