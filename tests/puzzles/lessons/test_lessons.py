"""In a lesson, teachers see who plays, who is stuck and who is not there; a board names nobody."""

import uuid
from datetime import timedelta

import jsonschema
import pytest
from django.utils import timezone

from osmosmjerka.accounts import people
from osmosmjerka.accounts.models import Membership, User
from puzzles.goals import services as goals
from puzzles.kinds.base import SentMove, cells_of
from puzzles.models import PlaySession
from puzzles.play import services as play
from tests.puzzles.making.test_api import Api, held_to, read_schema
from tests.puzzles.practice.test_practice import find_all
from vocab.memory import reviews

pytestmark = pytest.mark.django_db
TICK = {"HX-Request": "true"}


@pytest.fixture
def ivo(make_person, school, classroom):
    ivo = make_person(User.Role.STUDENT, school, "ivo")
    people.join_classroom(classroom=classroom, person=ivo, role=Membership.Role.STUDENT)
    return ivo


def send(session, word, cells=None):
    """Send an answer to a game of listen and find: the right one, or other squares."""
    move = SentMove(slot=word.slot, cells=cells or cells_of(word))
    return play.record_move(session=session, move_id=uuid.uuid4(), move=move)


def miss(session, word, times):
    other = session.puzzle.placements.exclude(pk=word.pk).last()
    for _time in range(times):
        assert send(session, word, cells_of(other)).outcome == "wrong"


@pytest.fixture
def played(make_puzzle, student, mia, ivo):
    """Luka has found two words, Mia is stuck with one, Ivo is not there."""
    puzzle = make_puzzle("finder", words=4)
    first, second, *_others = puzzle.placements.all()
    session = play.open_session(puzzle=puzzle, student=student)
    send(session, first)
    send(session, second)
    miss(play.open_session(puzzle=puzzle, student=mia), first, 5)
    return puzzle


def shown(client, classroom, **query):
    """Return {state: {name: (why, done)}} as the page shows it."""
    page = client.get(f"/classes/{classroom.pk}/lesson/", query)
    return {
        str(state): {line.name: (why, done) for line, why, done, _news in rows}
        for state, _name, rows in page.context["groups"]
    }


def test_a_lesson_names_first_who_is_stuck(played, classroom, teacher, sign_in):
    client = sign_in(teacher)
    groups = shown(client, classroom)
    assert list(groups.items()) == [
        ("stuck", {"Mia": ("5 wrong answers in a row", "0 of 4 words found.")}),
        ("playing", {"Luka": ("", "2 of 4 words found.")}),
        ("absent", {"Ivo": ("", "")}),
    ]
    text = client.get(f"/classes/{classroom.pk}/lesson/").content.decode()
    word = played.placements.first().term
    assert f'Looking for <bdi lang="hr">{word}</bdi>' in text
    assert f"/classes/{classroom.pk}/assignments/{played.assignments.get().pk}/" in text


def test_names_of_one_state_are_sorted_as_people_do(
    played, classroom, make_person, school, teacher, sign_in
):
    for name in ("željka", "čedo", "darko"):
        person = make_person(User.Role.STUDENT, school, name)
        people.join_classroom(classroom=classroom, person=person, role=Membership.Role.STUDENT)
    absent = shown(sign_in(teacher), classroom)["absent"]
    assert list(absent) == ["Čedo", "Darko", "Ivo", "Željka"]


def test_time_makes_who_plays_stuck_and_then_paused(
    played, student, classroom, teacher, sign_in, time_machine
):
    client, begun = sign_in(teacher), timezone.now()
    session = PlaySession.objects.get(student=student)
    word = played.placements.last()
    time_machine.move_to(begun + timedelta(minutes=2, seconds=30), tick=False)
    miss(session, word, 1)
    time_machine.move_to(begun + timedelta(minutes=4, seconds=30), tick=False)
    why, _done = shown(client, classroom)["stuck"]["Luka"]
    assert why == "No word found in 4 minutes of play"
    time_machine.move_to(begun + timedelta(minutes=8), tick=False)
    assert shown(client, classroom)["paused"]["Luka"][0] == "No answer for 5 minutes"
    send(session, word)
    assert "Luka" in shown(client, classroom)["playing"]


@pytest.fixture
def morning(time_machine):
    """Set the clock to ten o'clock: a lesson across midnight could not say when it began."""
    time_machine.move_to(timezone.localtime().replace(hour=10))


def test_a_lesson_is_as_long_as_its_teacher_says(
    morning, played, classroom, teacher, sign_in, time_machine
):
    at = timezone.localtime()
    client = sign_in(teacher)
    time_machine.move_to(at + timedelta(minutes=50))
    assert set(shown(client, classroom)) == {"absent"}
    assert "Mia" not in shown(client, classroom, since=at.strftime("%H:%M"))["absent"]
    page = client.get(f"/classes/{classroom.pk}/lesson/", {"since": "now"})
    assert page["Location"].endswith(f"since={timezone.localtime():%H%%3A%M}")


def test_who_has_finished_and_who_reviews_is_told(
    played, classroom, animals, mia, ivo, teacher, sign_in
):
    play.finish_session(session=PlaySession.objects.get(student=mia))
    for number, entry in enumerate(animals.entries.all()[:3]):
        reviews.review(
            student=ivo, entry=entry, mode="typed", skill="meaning_to_form",
            outcome="right" if number else "wrong", at=timezone.now(), source=f"r{number}",
        )  # fmt: skip
    groups = shown(sign_in(teacher), classroom)
    assert groups["finished"] == {"Mia": ("", "0 of 4 words found. Help with 4 words.")}
    assert groups["playing"]["Ivo"] == ("", "2 of 3 answers correct")


def test_what_a_student_plays_for_another_class_is_not_told(
    played, ivo, make_person, school, sign_in, teacher, classroom
):
    other = make_person(User.Role.TEACHER, school, "marko")
    theirs = people.create_classroom(name="7a", owner=other)
    people.join_classroom(classroom=theirs, person=ivo, role=Membership.Role.STUDENT)
    play.open_session(puzzle=played, student=ivo)
    assert shown(sign_in(other), theirs) == {"absent": {"Ivo": ("", "")}}
    assert "Ivo" in shown(sign_in(teacher), classroom)["playing"]  # the control


@pytest.mark.parametrize("page", ["lesson/", "lesson/board/"])
def test_a_page_that_has_nothing_new_is_not_sent_again(
    page, played, student, classroom, teacher, sign_in
):
    client = sign_in(teacher)
    poll = client.get(f"/classes/{classroom.pk}/{page}").context["poll"]
    same = client.get(poll, headers=TICK)
    assert (same.status_code, same.content) == (204, b"")
    send(PlaySession.objects.get(student=student), played.placements.last())
    changed = client.get(poll, headers=TICK)
    assert changed.status_code == 200
    assert "<html" not in changed.content.decode()
    assert client.get(changed.context["poll"], headers=TICK).status_code == 204
    assert client.get(poll, headers=TICK, query_params={"version": "x"}).status_code == 200


def test_a_lesson_leads_to_a_class_game_unless_the_class_is_archived(classroom, teacher, sign_in):
    client = sign_in(teacher)
    lesson = f"/classes/{classroom.pk}/lesson/"
    assert f'href="/classes/{classroom.pk}/games/new/"' in client.get(lesson).text
    classroom.archived_at = timezone.now()
    classroom.save()
    assert "/games/new/" not in client.get(lesson).text


def test_the_board_has_no_names_and_no_words(played, classroom, teacher, mia, sign_in):
    goals.set_goal(classroom=classroom, person=teacher, words=50, ends_on=timezone.localdate())
    client = sign_in(teacher)
    board, lesson = (
        client.get(f"/classes/{classroom.pk}/lesson/{page}").content.decode()
        for page in ("board/", "")
    )
    secrets = ["Luka", "Mia", "Ivo", "Ana", played.title]
    secrets += [placement.term for placement in played.placements.all()]
    assert [secret for secret in secrets if secret in board] == []
    assert {"Luka", "Mia", "Ivo", played.title, played.placements.first().term} <= {
        secret for secret in secrets if secret in lesson
    }  # the control
    assert "<b>0</b> of 50 words learned together" in " ".join(board.split())
    assert "<b>2</b> correct answers together in this lesson" in " ".join(board.split())
    assert "<b>2</b> of 3 are playing now" in " ".join(board.split())
    assert f"/c/{classroom.join_code}/" in board


def test_the_board_shows_the_class_code_until_all_are_there(
    played, ivo, classroom, teacher, sign_in
):
    client = sign_in(teacher)
    assert classroom.join_code in client.get(f"/classes/{classroom.pk}/lesson/board/").text
    sign_in(ivo)
    assert classroom.join_code not in client.get(f"/classes/{classroom.pk}/lesson/board/").text
    assert set(shown(client, classroom)) == {"stuck", "playing", "logged in"}


def test_a_lesson_can_be_had_by_api_as_the_schema_describes_it(played, classroom, teacher, mia):
    schema, api = read_schema(), Api("ana")
    told = api("get", f"classes/{classroom.pk}/lesson/").json()
    path = "/api/classes/{id}/lesson/"
    held_to(schema, path, "get", told)
    first = told["students"][0]
    assert (first["id"], first["state"], first["reason"]) == (mia.pk, "stuck", "wrong answers")
    assert (first["count"], first["word"]) == (5, played.placements.first().term)
    assert [one["state"] for one in told["students"]] == ["stuck", "playing", "absent"]
    assert told["right"] == 2
    with pytest.raises(jsonschema.ValidationError):  # the control
        told["students"][0]["email"] = "x"
        held_to(schema, path, "get", told)
    later = (timezone.now() + timedelta(hours=1)).isoformat()
    from_now = api("get", f"classes/{classroom.pk}/lesson/?since={later.replace('+', '%2B')}")
    assert {one["state"] for one in from_now.json()["students"]} == {"absent"}
    assert api("get", f"classes/{classroom.pk}/lesson/?since=soon").status_code == 400


def test_a_whole_puzzle_found_is_finished(make_puzzle, classroom, student, teacher, sign_in):
    find_all(make_puzzle(words=4), student)
    assert shown(sign_in(teacher), classroom)["finished"]["Luka"] == ("", "4 of 4 words found.")
