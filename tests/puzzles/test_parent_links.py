"""Links for parents: what they tell of one student, that they log nobody in, and that they end."""

import re
from datetime import timedelta

import pytest
import time_machine
from django.conf import settings as django_settings
from django.core.cache import cache
from django.test import Client
from django.utils import timezone

from osmosmjerka.accounts.models import AuditEntry, Membership
from osmosmjerka.accounts.privacy import services as privacy
from puzzles.assignments import services as assignments
from puzzles.models import ParentLink
from puzzles.parents import services
from puzzles.play import games
from tests.puzzles.practice.test_practice import remember

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def allowed(school):
    cache.clear()
    school.allows_parent_links = True
    school.save()


@pytest.fixture
def made(classroom, student, teacher):
    student.display_name = "Luka Horvat"
    student.save()
    [(link, token)] = services.issue(students=[student], classroom=classroom, actor=teacher)
    link.token = token
    return link


def page_of(token, **headers):
    return Client(headers=headers).get(f"/p/{token}/")


def text_of(token, **headers):
    """Return what is on the page of a link, without the menu."""
    return page_of(token, **headers).content.decode().partition("<main")[2]


def test_parents_see_the_week_what_is_due_and_hard_words(made, student, make_puzzle, animals):
    puzzle = make_puzzle()
    given = puzzle.assignments.get()
    assignments.close(assignment=given)
    hard, *_others = animals.entries.all()
    for days in (3, 2, 1):
        remember(student, hard, days, outcome="wrong")
    page = text_of(made.token)
    assert "<h1><bdi>Luka</bdi></h1>" in page
    assert "Practised on 3 days." in page
    assert "3 words answered." in page
    assert "Nothing is due at the moment." in page
    assert hard.term in page
    open_again = make_puzzle(seed=2)
    open_again.title = "For Friday"
    open_again.save()
    assert "For Friday" in text_of(made.token)


def test_a_word_that_a_puzzle_asks_is_not_told(made, student, make_puzzle, animals):
    """The control: before it is asked, it is."""
    entries = list(animals.entries.all())
    for entry in entries[:3]:
        for days in (3, 2, 1):
            remember(student, entry, days, outcome="wrong")
    assert all(entry.term in text_of(made.token) for entry in entries[:3])
    puzzle = make_puzzle("crossword", words=len(entries))
    games.open_session(puzzle=puzzle, student=student)
    asked = set(puzzle.placements.values_list("term", flat=True))
    page = text_of(made.token)
    assert [term for term in asked if term in page] == []


def test_nobody_else_is_named_and_nobody_is_logged_in(made, mia, teacher, student, school):
    page = page_of(made.token)
    text = page.content.decode()
    for name in (str(mia), mia.username, str(teacher), student.username, "Horvat", "@"):
        assert name not in re.sub(r"@(layer|media)", "", text), name
    assert django_settings.SESSION_COOKIE_NAME not in page.cookies
    assert page["X-Robots-Tag"] == "noindex, nofollow"
    assert page["Cache-Control"] == "no-store, private"
    client = Client()
    client.get(f"/p/{made.token}/")
    assert client.get("/progress/").status_code == 302
    assert client.post("/card/", {"token": made.token}).wsgi_request.user.is_anonymous


@pytest.mark.parametrize("language", [code for code, _name in django_settings.LANGUAGES])
def test_the_page_is_in_the_language_that_is_chosen(language, made):
    client = Client()
    client.post("/language/", {"language": language, "next": f"/p/{made.token}/"})
    assert f'<html lang="{language}"' in client.get(f"/p/{made.token}/").content.decode()


def leave(link):
    Membership.objects.filter(user=link.student, classroom=link.classroom).delete()


def archive(link):
    link.classroom.archived_at = timezone.now()
    link.classroom.save()


def forbid(link):
    link.classroom.school.allows_parent_links = False
    link.classroom.school.save()


ENDS = {
    "ended": lambda link, by: services.end(links=ParentLink.objects.all(), actor=by),
    "left the class": lambda link, by: leave(link),
    "class archived": lambda link, by: archive(link),
    "school forbids": lambda link, by: forbid(link),
    "student deleted": lambda link, by: privacy.delete_student(person=link.student, actor=by),
    "printed again": lambda link, by: services.issue(
        students=[link.student], classroom=link.classroom, actor=by
    ),
}


@pytest.mark.parametrize("how", ENDS)
def test_a_link_ends(how, made, teacher):
    assert page_of(made.token).status_code == 200  # control
    ENDS[how](made, teacher)
    page = page_of(made.token)
    assert (page.status_code, "This link has ended" in page.content.decode()) == (404, True)
    assert "Luka" not in page.content.decode()


def test_a_link_ends_with_the_school_year(made):
    with time_machine.travel(made.until - timedelta(minutes=1), tick=False):
        assert page_of(made.token).status_code == 200
    with time_machine.travel(made.until, tick=False):
        assert page_of(made.token).status_code == 404


def test_an_opening_is_recorded_without_saying_by_whom(made, student):
    for _each in range(3):
        page_of(made.token)
    made.refresh_from_db()
    assert made.last_opened_at is not None
    [entry] = AuditEntry.objects.filter(action="opened parent link")  # once an hour
    assert (entry.actor_id, entry.subject_id) == (None, student.pk)
    assert set(entry.detail) == {"link"}


def test_a_teacher_prints_links_for_the_class_and_ends_one(
    classroom, student, mia, teacher, sign_in
):
    client, base = sign_in(teacher), f"/classes/{classroom.pk}/parents/"
    assert "Print 2 links" in client.get(base).content.decode()
    printed = client.post(f"{base}print/", {"which": "missing"}).content.decode()
    tokens = set(re.findall(r"/p/([\w-]+)/", printed))
    assert len(tokens) == 2
    assert all(page_of(token).status_code == 200 for token in tokens)
    listed = client.get(base).content.decode()
    assert not any(token in listed for token in tokens)
    assert "works until" in sign_in(student).get("/me/data/").content.decode()
    client.post(f"{base}end/", {"which": "chosen", "student": [student.pk]})
    assert sorted(page_of(token).status_code for token in tokens) == [200, 404]
    assert "works until" not in sign_in(student).get("/me/data/").content.decode()
    pdf = client.post(f"{base}print/", {"which": "missing", "format": "pdf"})
    assert pdf.content.startswith(b"%PDF")


def test_a_school_that_did_not_allow_it_has_no_links(classroom, teacher, school, sign_in):
    school.allows_parent_links = False
    school.save()
    client = sign_in(teacher)
    page = client.get(f"/classes/{classroom.pk}/people/").content.decode()
    assert "Links for parents" not in page
    client.post(f"/classes/{classroom.pk}/parents/print/", {"which": "missing"})
    assert not ParentLink.objects.exists()


def test_a_merged_account_does_not_show_parents_another_child(made, mia, student, teacher):
    """A merge by mistake must not; the link works again once it is undone."""
    privacy.merge_students(kept=mia, gone=student, actor=teacher)
    assert page_of(made.token).status_code == 404
    assert ParentLink.objects.get().student == student


def test_the_page_asks_few_queries(
    made, student, make_puzzle, animals, django_assert_max_num_queries
):
    for seed in (1, 2, 3):
        make_puzzle(seed=seed)
    for entry in animals.entries.all():
        remember(student, entry, 3, 2, 1, outcome="wrong")
    page_of(made.token)  # it is logged once an hour
    with django_assert_max_num_queries(16):
        page_of(made.token)


def test_who_guesses_has_to_wait(made):
    statuses = [page_of(f"{'x' * 20}{number}").status_code for number in range(32)]
    assert (statuses[0], statuses[-1]) == (404, 429)
