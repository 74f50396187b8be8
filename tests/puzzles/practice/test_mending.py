"""After a miss, the student types the word once; a typo can be taken back, and is still seen."""

from __future__ import annotations

import uuid
from datetime import timedelta

import pytest
import time_machine
from django.utils import timezone

from puzzles.assignments import services as assignments
from puzzles.practice import plan
from tests.puzzles.practice.test_practice import remember
from vocab.memory import reviews
from vocab.memory.rules import today
from vocab.models import Review, WordProgress

pytestmark = pytest.mark.django_db


@pytest.fixture
def word(make_puzzle, animals, student):
    """A word that the student recalled twice, the last time 20 days ago."""
    assignments.close(assignment=make_puzzle(words=4).assignments.get())
    entry = animals.entries.get(term="mačka")
    for days in (40, 20):
        remember(student, entry, days)
    return entry


@pytest.fixture
def missed(word, student, sign_in):
    """A client, the attempt at which it answered wrong, and the page that said so."""
    client, attempt = sign_in(student), uuid.uuid4()
    sent = {"entry": word.pk, "mode": "typed", "attempt": attempt, "answer": "pas"}
    return client, attempt, client.post("/review/?mode=typed", sent)


def test_the_word_is_typed_once_and_that_counts_for_nothing(word, missed):
    client, attempt, page = missed
    assert "Type the word once" in page.content.decode()
    before = WordProgress.objects.values().get(entry=word)
    again = client.post("/review/?mode=typed", {"attempt": attempt, "retyped": "mačkka"})
    assert "Not the same yet" in again.content.decode()
    assert "0 of 12 done, 12 left" in again.content.decode()
    done = client.post("/review/?mode=typed", {"attempt": attempt, "retyped": "mačka"})
    assert (done.status_code, done["Location"]) == (302, "/review/?mode=typed")
    assert Review.objects.filter(entry=word).count() == 3
    assert WordProgress.objects.values().get(entry=word) == before


def test_no_word_is_told_to_who_has_not_missed_it(word, student, sign_in):
    sent = {"attempt": uuid.uuid4(), "entry": word.pk, "retyped": "pas"}
    reply = sign_in(student).post("/review/", sent)
    assert reply.status_code == 404
    assert "mačka" not in reply.content.decode()


def test_a_typo_is_taken_back_and_the_word_comes_again(word, student, missed, teacher, sign_in):
    client, attempt, _page = missed
    assert WordProgress.objects.get(entry=word).level == WordProgress.Level.SLIPPING
    reply = client.post("/review/", {"attempt": attempt, "typo": "1"}, follow=True)
    assert "Undone" in reply.content.decode()
    row = WordProgress.objects.get(entry=word)
    assert (row.level, row.wrong, row.missed_on) == (WordProgress.Level.WEEKS, 0, None)
    assert word.pk in reply.context["today"].review
    # It is still in the history, for the student and the teacher.
    assert "a typo, undone" in client.get(f"/words/{word.pk}/").content.decode()
    assert Review.objects.get(is_taken_back=True).given == "pas"
    assert reviews.replay(student=student) == 0


def test_a_program_takes_back_the_last_answer_once(word, student, missed):
    client, attempt, _page = missed
    replies = [
        client.post("/api/review/undo/", {"attempt": sent}, content_type="application/json")
        for sent in (uuid.uuid4(), attempt, attempt)
    ]
    assert [reply.status_code for reply in replies] == [400, 204, 400]
    assert "Only your last answer" in replies[0].content.decode()
    assert WordProgress.objects.get(entry=word).wrong == 0


def test_a_word_that_was_told_just_now_is_asked_after_the_others(word, student, sign_in):
    client, attempt = sign_in(student), uuid.uuid4()
    asked = client.get("/review/?mode=typed").context["question"].entry
    sent = {"entry": asked.pk, "mode": "typed", "attempt": attempt, "answer": "krava"}
    client.post("/review/?mode=typed", sent)
    reply = client.post("/review/?mode=typed", {"attempt": attempt, "typo": "1"}, follow=True)
    assert reply.context["question"].entry != asked
    assert asked.pk in reply.context["today"].review


def test_letters_that_a_keyboard_lacks_are_offered_for_typing_the_word_once(missed):
    _client, _attempt, page = missed
    assert "data-letter-keys" in page.content.decode()


def test_after_a_typo_the_word_was_told_so_that_it_proves_nothing_that_day(word, student, missed):
    client, attempt, _page = missed
    client.post("/review/", {"attempt": attempt, "typo": "1"})
    before = WordProgress.objects.get(entry=word)
    sent = {"entry": word.pk, "mode": "typed", "attempt": uuid.uuid4(), "answer": "mačka"}
    client.post("/review/", sent)
    after = WordProgress.objects.get(entry=word)
    assert (after.right, after.delayed) == (before.right + 1, before.delayed)
    assert after.state["card"]["bridged"] == before.state["card"]["bridged"] == 20
    assert reviews.replay(student=student) == 0


@pytest.mark.parametrize("late", ["minutes", "another answer", "another student"])
def test_only_the_last_answer_is_taken_back_and_only_at_once(
    late, word, animals, student, missed, make_person, school, sign_in
):
    client, attempt, _page = missed
    at = timezone.now()
    if late == "minutes":
        at += reviews.TYPO_WITHIN + timedelta(seconds=1)
    elif late == "another answer":
        remember(student, animals.entries.get(term="slon"), 0)
    else:
        client = sign_in(make_person("student", school))
    with time_machine.travel(at):
        client.post("/review/", {"attempt": attempt, "typo": "1"})
    assert not Review.objects.filter(is_taken_back=True).exists()


def test_what_is_asked_can_be_only_typed_or_only_chosen(word, student, sign_in):
    client = sign_in(student)
    for mode in ("typed", "chosen"):
        page = client.get(f"/review/?mode={mode}")
        assert page.context["question"].mode == mode
        assert f'href="?mode={mode}" aria-current="true"' in " ".join(page.content.decode().split())


def test_a_word_missed_on_an_earlier_day_is_asked_in_an_easier_way(word, student):
    def stage():
        row = WordProgress.objects.filter(student=student, entry=word).values(*plan.STAGE).get()
        return plan.stage_of(row, today(student))

    assert stage() == plan.Stage.HEAR
    remember(student, word, 15, mode="heard", skill="sound_to_form")
    assert stage() == plan.Stage.PRODUCE
    remember(student, word, 9, outcome="wrong")
    assert stage() == plan.Stage.RECOGNISE
    remember(student, word, 8, mode="chosen")
    assert stage() == plan.Stage.PRODUCE
    remember(student, word, 0, outcome="wrong")
    assert stage() == plan.Stage.PRODUCE, "in the same round it is asked as before"
