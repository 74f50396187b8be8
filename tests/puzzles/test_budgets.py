"""Each page has a budget of queries, in a small school and in a large one.

A page over its budget asks a query a row, or the same rows twice. Raise a budget only if the page
shows more.
"""

import uuid

import pytest
from django.db import connection, transaction
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from puzzles.assignments import services as assignments
from puzzles.play import games
from tests.schools import make_school
from vocab.memory import selectors as memory

# The fixture of the module is costly: one process keeps it.
pytestmark = [pytest.mark.django_db, pytest.mark.xdist_group("budgets")]

# (who opens it, its address, how many queries it may ask)
PAGES = {
    "home": ("student", "/", 36),
    "review card": ("student", "/review/?mode=typed", 15),
    # One more if the other choices are taken from the end of the list and from its beginning.
    "review card with choices": ("student", "/review/?mode=chosen", 19),
    "own progress": ("student", "/progress/", 9),
    "my words as an album": ("student", "/words/", 22),
    "my words as a list": ("student", "/words/?sort=need", 22),
    "my words, searched and sorted": ("student", "/words/?q=a&level=1&sort=alphabet", 22),
    "flashcard": ("student", "/words/cards/", 15),
    "one of my words": ("student", "/words/{entry}/", 13),
    "home of a teacher": ("teacher", "/", 29),
    "class": ("teacher", "/classes/{classroom}/", 27),
    "people of a class": ("teacher", "/classes/{classroom}/people/", 13),
    "progress of a class": ("teacher", "/classes/{classroom}/progress/", 34),
    "lesson of a class": ("teacher", "/classes/{classroom}/lesson/", 12),
    "board of a lesson": ("teacher", "/classes/{classroom}/lesson/board/", 12),
    "progress of a student": ("teacher", "/classes/{classroom}/pupils/{student}/", 27),
    "a word of a class": ("teacher", "/classes/{classroom}/words/{entry}/", 10),
    "classes": ("teacher", "/classes/", 5),
    "new assignment": ("teacher", "/assign/?vocabulary_list={list}&classroom={classroom}", 23),
    "list": ("teacher", "/lists/{list}/", 18),
    "list for print": ("teacher", "/lists/{list}/print/", 9),
    "list on paper": ("teacher", "/lists/{list}/print/file/?what=flashcards", 9),
    "lists": ("teacher", "/lists/", 8),
    "worksheet": ("teacher", "/puzzles/{puzzle}/print/", 15),
    "preview of a worksheet": ("teacher", "/puzzles/{puzzle}/print/preview/?whole=1", 8),
    "results from paper": ("teacher", "/puzzles/{puzzle}/results/?classroom={classroom}", 14),
    "search of lists": ("teacher", "/lists/?q=a&tag=&sort=name", 10),
    "classes of a school": ("admin", "/school/", 5),
    "review card by API": ("student", "/api/review/?mode=typed", 15),
    "what a student has to do by API": ("student", "/api/todo/", 7),
    "own progress by API": ("student", "/api/progress/", 22),
    "progress of a class by API": ("teacher", "/api/classes/{classroom}/progress/", 24),
    "lesson of a class by API": ("teacher", "/api/classes/{classroom}/lesson/", 12),
    "own goal by API": ("student", "/api/goal/", 8),
    "goal of one's class by API": ("student", "/api/classes/{classroom}/goal/", 12),
    "goal of a class by API": ("teacher", "/api/classes/{classroom}/goal/", 12),
    "one's leaderboard by API": ("student", "/api/classes/{classroom}/ranking/", 12),
    "leaderboard of a class by API": ("teacher", "/api/classes/{classroom}/ranking/", 12),
    "assignments by API": ("teacher", "/api/assignments/", 12),
    "assignments of a class by API": ("teacher", "/api/classes/{classroom}/assignments/", 12),
    "puzzles by API": ("teacher", "/api/puzzles/", 3),
    "lists by API": ("teacher", "/api/lists/", 3),
}
# An answer to a card: judged, recorded, and the page that says what was wrong with it. One more
# than on SQLite, where no statement has to lock the student.
ANSWER = 21
# What a student reads of the puzzle of the day, by API.
DAILY = 8
# Another attempt at a puzzle, without the page that it leads to.
AGAIN = 11
# A flashcard or a board of words that a student picked.
ROUND = 12
# A preview of an adaptive assignment: what all students share, and what each one's plan takes.
PREVIEW, PREVIEW_OF_STUDENT = 18, 12
# Results from paper: what is read once, and what each student's reviews take.
PAPER, PAPER_OF_STUDENT = 22, 9
# By so much the sizes may differ: whether words have waited for long, or none is new, is asked once
# for all of them.
CONSTANT = 2


@pytest.fixture(scope="module")
def schools(django_db_setup, django_db_blocker):
    """A school of 10 words, 3 students and 2 assignments, and one of 1 000, 35 and 20."""
    with django_db_blocker.unblock(), transaction.atomic():
        small = make_school(words=10, students=3, assigned=1, classes=2)
        large = make_school(words=1000, students=35, assigned=19, classes=8)
        yield small, large
        transaction.set_rollback(True)


def client_of(person):
    client = Client()
    client.force_login(person)
    return client


def address(path, school):
    return path.format(
        classroom=school.classroom.pk,
        student=school.student.pk,
        list=school.words.pk,
        entry=school.words.entries.first().pk,
        puzzle=school.puzzle.code,
    )


def open_within(budget, client, path, answer=None, status=200):
    """Open a page, or send an answer to it; fail if that asks more queries than *budget*."""
    with CaptureQueriesContext(connection) as captured:
        reply = client.get(path) if answer is None else client.post(path, answer)
    assert reply.status_code == status
    asked = "\n".join(one["sql"][:300] for one in captured)
    assert len(captured) <= budget, f"{path} asked {len(captured)} queries:\n{asked}"
    return len(captured)


@pytest.mark.parametrize("page", PAGES)
def test_a_page_asks_as_many_queries_in_a_small_school_as_in_a_large_one(page, schools):
    who, path, budget = PAGES[page]
    small, large = (
        open_within(budget, client_of(getattr(school, who)), address(path, school))
        for school in schools
    )
    assert large <= small + CONSTANT


def test_the_puzzle_of_the_day_asks_as_many_queries_in_a_small_class_as_in_a_large_one(schools):
    asked = []
    for school in schools:
        classroom = school.classroom
        type(classroom).objects.filter(pk=classroom.pk).update(has_daily_puzzle=True)
        client = client_of(school.student)
        asked.append(open_within(DAILY, client, f"/api/classes/{classroom.pk}/daily/"))
    assert asked[0] == asked[1]


def test_a_card_of_the_review_is_answered_in_a_long_list_as_in_a_short_one(schools):
    for school in schools:
        client = client_of(school.student)
        question = client.get("/review/?mode=typed").context["question"]
        answer = {
            "entry": question.entry.pk, "mode": "typed", "attempt": uuid.uuid4(), "answer": "x",
        }  # fmt: skip
        open_within(ANSWER, client, "/review/", answer)


def test_rounds_of_picked_words_ask_as_much_in_a_long_list_as_in_a_short_one(schools):
    for school in schools:
        client = client_of(school.student)
        path = client.post("/words/practise/", {"how": "cards"}).url
        open_within(ROUND, client, path)
        word = client.get(path).context["entry"]
        said = {"entry": word.pk, "said": "knew", "attempt": uuid.uuid4()}
        open_within(ANSWER, client, path, said, status=302)
        path = client.post("/words/practise/", {"how": "match"}).url
        open_within(ROUND, client, path)
        page = client.get(path).context
        pair = {
            "words": page["picked"].named, "round": page["picked"].round,
            "word": page["board"].words[0].token, "meaning": page["board"].meanings[0].token,
        }  # fmt: skip
        open_within(ANSWER, client, "/words/match/", pair)


def test_another_attempt_asks_as_much_with_many_assignments_as_with_few(schools):
    asked = []
    for school in schools:
        games.open_session(puzzle=school.puzzle, student=school.student)
        school.puzzle.sessions.update(finished_at=timezone.now())
        school.puzzle.assignments.update(attempts=5)
        path = f"/play/{school.puzzle.code}/again/"
        asked.append(open_within(AGAIN, client_of(school.student), path, {}, status=302))
        assert school.puzzle.sessions.filter(student=school.student, number=2).exists()
    assert asked[0] == asked[1]


@pytest.mark.parametrize("size", ["small", "large"])
def test_a_preview_reads_words_and_school_once_for_all_students(size, schools):
    school = schools[size == "large"]
    assignment = school.puzzle.assignments.get()
    with CaptureQueriesContext(connection) as captured:
        previewed = assignments.preview(assignment)
    assert len(previewed) == len(school.students)
    asked = "\n".join(one["sql"][:300] for one in captured)
    assert len(captured) <= PREVIEW + PREVIEW_OF_STUDENT * len(previewed), asked


@pytest.mark.parametrize("size", ["small", "large"])
def test_results_from_paper_read_words_once_for_all_students(size, schools):
    school = schools[size == "large"]
    students = [one.pk for one in school.students]
    sent = {"classroom": school.classroom.pk, "student": students}
    sent |= {"words": f"{school.classroom.pk}:", "excuse": "on"}
    budget = PAPER + PAPER_OF_STUDENT * len(students)
    path = f"/puzzles/{school.puzzle.code}/results/"
    open_within(budget, client_of(school.teacher), path, sent, status=302)


def test_without_the_rule_a_query_a_row_is_noticed(schools, monkeypatch):
    """The control."""
    who, path, budget = PAGES["my words as a list"]
    monkeypatch.setattr(memory, "weakest_first", lambda rows: rows.order_by("pk"))
    client = client_of(getattr(schools[1], who))
    with pytest.raises(AssertionError, match="queries"):
        open_within(budget, client, path)
