"""A teacher's home page answers Monday: whom to help in all classes, with what, and what is new."""

import re
from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from osmosmjerka.accounts import people
from osmosmjerka.accounts.models import Membership, User
from puzzles.dashboards import today_views
from puzzles.models import Assignment
from tests.puzzles.dashboards.test_monday import DAY, give, given, new_list, new_students
from tests.puzzles.practice.test_practice import find_all
from vocab.memory import reviews

pytestmark = [pytest.mark.django_db, pytest.mark.database]


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


def said(lines):
    """The lines as they are read, without the tags that isolate names."""
    return [re.sub(r"<[^>]+>", "", str(getattr(line, "text", line))) for line in lines]


def rows_of(page):
    return [
        (str(row.helped.student), str(row.helped.classroom), *said([row.reasons]), row.act.label)
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
    assert f"<h1>{timezone.now():%A, %-d %B}</h1>" in page.text
    assert rows_of(page) == [
        ("Student 07", "7a", "never logged in", "Print a login card"),
        ("Student 07", "6b", "nothing for 10 days", "Assign these 3 words"),
    ]
    assert "2 students need help" in page.text
    assert "<b>nothing for 10 days</b>" in page.text, "what the act is for"
    # Four answers a head are too few to praise anybody.
    assert said(page.context["outlooks"]) == [
        "For 14 students there are still too few answers to compare."
    ]
    # The act opens the form with the words and the student selected.
    form = sign_in(teacher).get(page.context["rows"][1].act.url)
    assert form.status_code == 200
    for name, keys in (("entries", [word.pk for word in words[:3]]), ("student", [six[7].pk])):
        ticked = re.findall(rf'name="{name}"\s+value="(\d+)"[^>]*checked', form.text)
        assert sorted(map(int, ticked)) == sorted(keys)
    # The card is a file to print, and is the student's new way in; the page asks before.
    assert 'data-confirm="A new card immediately disables every other way to log in' in page.text
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
    practise(others[2:], list(puzzle.vocabulary_list.entries.all()[:1]), days=2)
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
    told = {str(row.classroom): said(row.texts) for row in page.context["news"]}
    assert told == {
        "6b": ["15 answers by Student 00, Student 01, Student 02, and 2 more"],
        "7a": ["Nobody practised."],
    }
    # On the same day it stays; the next day begins anew.
    assert client.get("/").context["since"] == page.context["since"]
    time_machine.move_to(friday + 4 * DAY)
    told = sign_in(teacher).get("/").context["news"]
    assert [said(row.texts) for row in told] == [["Nobody practised."]] * 2


def test_who_finished_what_is_told_once_with_the_type_of_the_puzzle(
    make_puzzle, classroom, school, student, teacher, sign_in
):
    other = new_students(classroom, school, 1)[0]
    User.objects.filter(pk=student.pk).update(display_name="Luka M.")
    puzzles = [make_puzzle(), make_puzzle()]
    for one in puzzles:
        find_all(one, student)
    find_all(puzzles[1], other)
    puzzles[1].title = puzzles[0].title
    puzzles[1].save()
    [news] = sign_in(teacher).get("/").context["news"]
    assert said(news.texts)[1:] == [
        f"“{puzzles[0].title}” (Word search) finished by Luka M. and Student 00"
    ]
    assert "<bdi>Luka M.</bdi>" in news.texts[1]


def test_who_never_practised_is_to_be_talked_to_and_not_given_a_new_date(
    make_puzzle, classroom, school, student, teacher, sign_in
):
    puzzle = make_puzzle()
    others = new_students(classroom, school, 3)
    for one in [student, *others[:2]]:
        find_all(puzzle, one)
    Assignment.objects.update(due_at=timezone.now() - timedelta(minutes=1))
    [row] = sign_in(teacher).get("/").context["rows"]
    assert "has not practised yet" in row.reasons
    assert row.act.label == "See progress"


def test_today_and_progress_say_the_same_of_who_needs_no_help(
    make_puzzle, classroom, school, student, teacher, sign_in
):
    puzzle = make_puzzle()
    students = [student, *new_students(classroom, school, 3)]
    User.objects.filter(pk=students[3].pk).update(last_login=None)
    Membership.objects.filter(user=students[3]).update(joined_at=timezone.now())
    for one in students[:2]:
        find_all(puzzle, one)
    client = sign_in(teacher)
    Assignment.objects.update(due_at=timezone.now() - timedelta(minutes=1))
    practise(students[2:3], list(puzzle.vocabulary_list.entries.all()[:1]))
    progress, class_page = (f"/classes/{classroom.pk}/{page}" for page in ("progress/", ""))
    for path in ("/", progress, class_page):
        page = client.get(path)
        assert "No student is behind the others" in page.text, path
        assert "Nobody needs help" not in page.text, path
        assert said(page.context["outlooks"]) == [
            "Not finished by the due date: Student 01",
            "Not practised yet: Student 02",
            "For 2 students there are still too few answers to compare.",
        ], path
        assert "on their way" not in page.text
        assert "<b>2</b> overdue" in page.text, "of the assignment, and no word of help"
        assert "need help" not in page.text


def test_assignments_overdue_and_next_due_come_first_and_all_can_be_seen(
    two_classes, teacher, sign_in
):
    [(first, six), _second], words = two_classes
    Assignment.objects.filter(classroom=first).delete()
    practise(six, words[:1])
    now = timezone.now()
    for days in (None, 5, -2, 1, 30, None):
        given_on = give(first, words[0].vocabulary_list, teacher)
        Assignment.objects.filter(pk=given_on.pk).update(due_at=days and now + days * DAY)
    few = give(first, words[0].vocabulary_list, teacher, due_at=now + 2 * DAY)
    few.chosen_students.set(six[:1])
    client = sign_in(teacher)
    page = client.get(f"/?class={first.pk}")
    due = [line.assignment.due_at for line in page.context["lines"]]
    assert [(at - now).days for at in due] == [-2, 1, 2, 5, 30]
    assert "Show all 7 assignments" in page.text
    text = " ".join(re.sub(r"<[^>]+>", " ", page.text).split())
    assert "· Student 00" in text, "for whom, where it is not for all"
    page = client.get(f"/classes/{first.pk}/")
    assert "the whole class" in page.text
    assert "2 more assignments" in page.text
    assert page.text.count("/assignments/") == 7
    assert "Username" not in page.text, "people are on their own page"


def test_anstrangers_class_is_not_shown(two_classes, stranger, sign_in):
    assert "rows" not in sign_in(stranger).get("/").context


def test_a_class_is_chosen_by_its_tab(two_classes, teacher, sign_in):
    [(_first, _six), (second, _seven)], _words = two_classes
    page = sign_in(teacher).get(f"/?class={second.pk}")
    assert page.context["chosen"].classroom == second
    assert f"8 students of <bdi>{second}</bdi>" in page.text
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
    [(first, six), _second], words = two_classes
    for path in ("/", f"/classes/{first.pk}/", f"/classes/{first.pk}/progress/"):
        page = sign_in(teacher).get(path).text
        assert "Nobody has practised yet." in page, path
        assert "behind the others" not in page and "Nobody needs help" not in page, path
    practise(six, words[:3])
    page = sign_in(teacher).get("/")
    assert said(page.context["outlooks"]) == [
        "Nobody has practised yet in 7a",
        "For 8 students there are still too few answers to compare.",
    ]


def test_the_days_on_which_a_student_played_are_told_in_dots_and_in_words(
    two_classes, teacher, sign_in, time_machine
):
    time_machine.move_to("2026-11-25T12:00:00+01:00")  # a Wednesday
    [(first, six), _second], words = two_classes
    practise(six[:1], words[:1], days=1)  # on Monday
    practise(six[:1], words[:1], days=6)  # the Wednesday before, which is eight days ago
    page = sign_in(teacher).get(f"/?class={first.pk}").text
    row = page[page.index("Student 00</bdi>") :].partition("</tr>")[0]
    dots = re.findall(r"<circle (class=\"seven-on\")? *cx", row)
    assert [bool(dot) for dot in dots] == [False] * 4 + [True] + [False] * 2
    assert "1 of 7 (Monday)" in " ".join(re.sub(r"<[^>]+>", "", row).split())


def test_a_class_that_plays_regularly_is_offered_a_puzzle_of_the_day_until_someone_says_no(
    two_classes, teacher, sign_in
):
    [(first, six), (second, _seven)], words = two_classes
    offer = "plays regularly"
    client = sign_in(teacher)
    for days in (0, 2):
        practise(six[:1], words[:1], days=days)
    assert offer not in client.get(f"/?class={first.pk}").text
    practise(six[1:2], words[:1], days=4)
    assert offer in client.get(f"/?class={first.pk}").text
    assert offer not in client.get(f"/?class={second.pk}").text
    url = reverse("daily-switch", args=[first.pk])
    reply = client.post(url, {"on": "", "from": "today"})
    assert reply.url == f"/?class={first.pk}"
    first.refresh_from_db()
    assert first.has_daily_puzzle
    assert offer not in client.get(reply.url).text
    client.post(url, {"off": ""})
    assert offer not in client.get(reply.url).text, "whoever switched it off is not asked again"
