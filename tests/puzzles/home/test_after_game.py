"""What a student sees at the end of a game: what it brought, and what comes next."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from osmosmjerka.accounts.codes import name_on_device
from puzzles.assignments import services as assignments
from puzzles.models import Move, PlaySession, Puzzle
from puzzles.play import services as play
from puzzles.play.games import Game
from puzzles.practice import services as practice
from tests.puzzles.practice.test_practice import find_all, made, remember
from vocab.models import Review

pytestmark = [pytest.mark.django_db, pytest.mark.database]


def text_of(reply):
    """Return what a page says, in one line."""
    return " ".join(re.sub(r"<[^>]*>", " ", reply.content.decode()).split())


def summary_of(client, puzzle):
    reply = client.get(f"/play/{puzzle.code}/summary/")
    assert reply.status_code == 200
    return text_of(reply)


@pytest.fixture
def solved(make_puzzle, student):
    """A word search that the student has solved."""
    puzzle = make_puzzle(words=8)
    find_all(puzzle, student)
    return puzzle


def test_the_words_of_todays_plan_are_counted_and_what_is_next_is_offered(
    animals, solved, student, sign_in
):
    played = solved.placements.values("entry")
    for entry in animals.entries.exclude(pk__in=played):
        remember(student, entry, 20)
    said = summary_of(sign_in(student), solved)
    assert "All 8 words found" in said
    assert "8 of 12 8 words of today’s plan are done" in said
    assert "−" not in said
    assert "All found without a hint" in said
    assert "4 words are left." in said
    assert "Next: today’s words Listen and find" in said
    assert said.count("Listen and find") == 1  # not again among the same words


def test_a_word_that_was_shown_is_left_and_not_done(make_puzzle, student, sign_in):
    puzzle = make_puzzle(words=8)
    session = play.open_session(puzzle=puzzle, student=student)
    shown = puzzle.placements.first()
    remember(student, shown.entry, 20)
    play.take_hint(session=session, slot=shown.slot, kind="word")
    find_all(puzzle, student)
    said = summary_of(sign_in(student), puzzle)
    assert "7 of 12 7 words of today’s plan are done 5 words are left." in said


def test_words_that_were_recalled_without_help_have_grown(animals, make_puzzle, student, sign_in):
    puzzle = make_puzzle("crossword", words=6)
    for placement in puzzle.placements.all():
        remember(student, placement.entry, 8)
    find_all(puzzle, student)
    reply = sign_in(student).get(f"/play/{puzzle.code}/summary/")
    said = text_of(reply)
    grown = Review.objects.filter(student=student, session__isnull=False).count()
    assert f"{grown} words went up a level" in said
    assert f"You know {grown} of the 12 words of this list." in said
    assert reply.content.decode().count("up a level</span>") == grown


def test_a_new_word_that_was_only_met_is_no_gain(solved, student, sign_in):
    """The control: a word search proves no recall."""
    assert "up a level" not in summary_of(sign_in(student), solved)


def test_an_assignment_that_waits_is_the_next_thing(make_puzzle, solved, student, sign_in):
    other = make_puzzle("crossword", words=12)
    other.title = "Friday’s crossword"
    other.save(update_fields=["title"])
    play.open_session(puzzle=other, student=student)
    assert "Next: Friday’s crossword" in summary_of(sign_in(student), solved)


def test_the_type_that_comes_next_is_offered_once(make_puzzle, solved, student, sign_in):
    make_puzzle("finder", words=8)
    said = summary_of(sign_in(student), solved)
    assert "Next: Životinje Listen and find" in said
    again = said[said.index("The same words again:") :]
    assert "Crossword" in again
    assert "Listen and find" not in again


def test_the_same_words_are_played_in_another_kind(solved, student, sign_in):
    client = sign_in(student)
    assert "Crossword" in summary_of(client, solved)
    reply = client.post(f"/play/{solved.code}/as/crossword/")
    again = Puzzle.objects.get(code=reply.url.split("/")[2])
    assert again.kind == "crossword"
    words = set(solved.placements.values_list("entry", flat=True))
    assert set(made(again).placements.values_list("entry", flat=True)) <= words
    assert again.placements.count() >= 6


def test_a_second_press_gives_the_same_puzzle(solved, student, sign_in):
    client = sign_in(student)
    urls = {client.post(f"/play/{solved.code}/as/word-search/").url for _press in range(2)}
    assert len(urls) == 1


@pytest.mark.parametrize("kind", ["word-search", "crossword"])
def test_words_are_not_told_by_another_puzzle_before_the_first_is_finished(
    kind, make_puzzle, student, sign_in
):
    puzzle = make_puzzle(words=8)
    play.open_session(puzzle=puzzle, student=student)
    client = sign_in(student)
    assert client.get(f"/play/{puzzle.code}/summary/").status_code == 404
    reply = client.post(f"/play/{puzzle.code}/as/{kind}/", follow=True)
    assert "Finish the puzzle first." in text_of(reply)
    assert Puzzle.objects.count() == 1


def test_words_that_another_assignment_asks_for_are_not_offered_again(
    make_puzzle, student, sign_in
):
    puzzle, other = make_puzzle(words=12), make_puzzle("crossword", words=12)
    play.finish_session(session=play.open_session(puzzle=puzzle, student=student))
    client = sign_in(student)
    assert "The same words again" not in summary_of(client, puzzle)
    reply = client.post(f"/play/{puzzle.code}/as/word-search/", follow=True)
    assert "cannot be used" in text_of(reply)
    assignments.close(assignment=other.assignments.get())
    assert "The same words again" in summary_of(client, puzzle)


def test_help_takes_the_star_and_nothing_else(make_puzzle, student, sign_in):
    puzzle = make_puzzle(words=4)
    session = play.open_session(puzzle=puzzle, student=student)
    play.take_hint(session=session, slot=puzzle.placements.first().slot, kind="first_cell")
    find_all(puzzle, student)
    said = summary_of(sign_in(student), puzzle)
    assert "All 4 words found" in said
    assert "1 with a hint" in said
    assert "without a hint" not in said
    assert not PlaySession.objects.get(pk=session.pk).is_unaided


def test_a_personal_best_is_said_only_of_a_faster_game_without_help(make_puzzle, student, sign_in):
    client = sign_in(student)
    for number, (spent, is_best) in enumerate([(80, False), (40, True), (60, False)]):
        puzzle = make_puzzle(words=8)
        session = find_all(puzzle, student)
        ended = timezone.now() + timedelta(seconds=number)
        PlaySession.objects.filter(pk=session.pk).update(
            started_at=ended - timedelta(seconds=spent), finished_at=ended, seconds=spent
        )
        Move.objects.filter(session=session.pk).update(at=ended)
        said = summary_of(client, puzzle)
        assert ("Your fastest puzzle of this type" in said) == is_best, spent


def test_a_page_of_another_student_gets_no_summary(solved, student, sign_in):
    """On a shared tablet somebody else may have logged in since the page was opened."""
    client = sign_in(student)
    address = f"/play/{solved.code}/summary/"
    theirs = {"X-Player": name_on_device(student.pk + 1)}
    assert client.get(address, headers=theirs).status_code == 403
    mine = {"X-Player": name_on_device(student.pk)}
    assert client.get(address, headers=mine).status_code == 200


def test_a_teacher_sees_the_words_and_goes_back_to_the_puzzle(make_puzzle, teacher, sign_in):
    puzzle = make_puzzle(words=4)
    play.finish_session(session=play.open_session(puzzle=puzzle, student=teacher))
    reply = sign_in(teacher).get(f"/play/{puzzle.code}/summary/")
    assert "0 of 4 words found" in text_of(reply)
    assert f'href="/puzzles/{puzzle.code}/"' in reply.content.decode()


@pytest.mark.parametrize("words", [4, 12])
def test_a_summary_asks_as_many_queries_for_few_words_as_for_many(
    words, make_puzzle, student, sign_in
):
    puzzle = make_puzzle(words=words)
    find_all(puzzle, student)
    client = sign_in(student)
    client.get(f"/play/{puzzle.code}/summary/")
    with CaptureQueriesContext(connection) as captured:
        client.get(f"/play/{puzzle.code}/summary/")
    assert len(captured) <= 45, "\n".join(one["sql"][:200] for one in captured)


def test_only_what_a_game_did_of_the_plan_is_counted(make_puzzle, student, sign_in):
    first, again = make_puzzle(words=8), make_puzzle(words=8)
    find_all(first, student)
    find_all(again, student)
    client = sign_in(student)
    assert "8 words of today’s plan are done" in summary_of(client, first)
    same = set(first.placements.values_list("entry", flat=True))
    new = set(again.placements.values_list("entry", flat=True)) - same
    said = summary_of(client, again)
    assert f"{len(new)} word" in said if new else "of today’s plan" not in said


def test_a_badge_is_told_by_the_game_that_earned_it_alone(make_puzzle, student, sign_in):
    first, second = make_puzzle(words=8), make_puzzle("crossword", words=6)
    find_all(first, student)
    find_all(second, student)
    client = sign_in(student)
    said = summary_of(client, first)
    assert "New badge: 1 day of practice" in said
    assert "New badge: 1 puzzle without a hint" in said
    assert "1 day of practice" not in summary_of(client, second)


def test_a_game_of_another_day_has_no_figures_of_today(make_puzzle, student, sign_in):
    puzzle = make_puzzle(words=8)
    session = find_all(puzzle, student)
    client = sign_in(student)
    assert "of today’s plan" in summary_of(client, puzzle)  # the control
    ended = timezone.now() - timedelta(days=2)
    PlaySession.objects.filter(pk=session.pk).update(finished_at=ended)
    said = summary_of(client, puzzle)
    assert "of today’s plan" not in said
    assert "New badge" not in said


@pytest.mark.parametrize("is_kept_back", [True, False])
def test_the_end_of_practice_tells_no_word_of_an_assignment_that_opened_meanwhile(
    is_kept_back, animals, make_puzzle, student, sign_in, monkeypatch
):
    """Without the rule it does: the control."""
    assignments.close(assignment=make_puzzle(words=4).assignments.get())
    practice_puzzle = made(practice.request_practice(student=student, kind="word-search"))
    play.open_session(puzzle=practice_puzzle, student=student)
    given = make_puzzle(words=12)
    play.open_session(puzzle=given, student=student)
    if not is_kept_back:
        monkeypatch.setattr(Game, "kept_back", frozenset())
    client = sign_in(student)
    state = client.post(
        f"/api/play/{practice_puzzle.code}/finish/", content_type="application/json"
    )
    page = client.get(f"/play/{practice_puzzle.code}/summary/").content.decode()
    told = [one for one in state.json()["items"] if one["term"]]
    words = practice_puzzle.placements.values_list("term", flat=True)
    shown = [word for word in words if f">{word}<" in page]
    assert (not told and not shown) == is_kept_back
    assert (not state.json()["summary"]["practise"]) == is_kept_back
