"""Cards and matching stay open while the words of the day wait in a puzzle; they tell none."""

import re
import uuid

import pytest

from puzzles.assignments import services as assignments
from puzzles.play import services as play
from puzzles.practice import services as practice
from tests.puzzles.practice.test_matching import tiles
from tests.puzzles.practice.test_practice import made, remember
from vocab.models import Review, WordProgress

pytestmark = pytest.mark.django_db


@pytest.fixture
def words(make_puzzle, animals, student):
    """Four words are due and wait in a practice puzzle; six others were learnt and are not due."""
    assignments.close(assignment=make_puzzle(words=4).assignments.get())
    words = list(animals.entries.all())
    animals.entries.filter(pk__in=[one.pk for one in words[10:]]).delete()
    for entry in words[:4]:
        remember(student, entry, 60)
    for entry in words[4:10]:
        remember(student, entry, 30, 6, 1)
    picked = [one.pk for one in words[:4]]
    puzzle = made(practice.request_picked(student=student, kind="word-search", words=picked))
    play.open_session(puzzle=puzzle, student=student)
    return words[:10]


def text_of(reply):
    return " ".join(re.sub("<[^>]*>", " ", reply.text).split())


def test_all_pages_say_one_number(words, student, sign_in):
    client = sign_in(student)
    home = text_of(client.get("/"))
    assert "4 words wait in your puzzle" in home
    assert "to review" not in home
    assert "Continue" in home
    review = text_of(client.get("/review/"))
    assert "4 words wait in your puzzle" in review
    assert "Nothing to review" not in review


def test_cards_are_of_other_words_and_move_nothing(words, student, sign_in):
    client = sign_in(student)
    page = client.get("/words/cards/", follow=True)
    asked = page.context["entry"]
    assert asked in words[4:]
    assert "For fun" in page.text
    before = WordProgress.objects.get(student=student, entry=asked)
    sent = {"entry": asked.pk, "said": "not-yet", "attempt": uuid.uuid4()}
    client.post(page.request["PATH_INFO"] + "?" + page.request["QUERY_STRING"], sent)
    assert Review.objects.get(mode="card").is_free_practice
    after = WordProgress.objects.get(student=student, entry=asked)
    assert (after.due_on, after.level) == (before.due_on, before.level)


def test_matching_is_of_other_words_and_moves_nothing(words, student, sign_in):
    client = sign_in(student)
    page = client.get("/words/match/", follow=True)
    shown, meanings = tiles(page)
    assert set(shown) <= {one.term for one in words[4:]}
    assert len(shown) >= 2
    picked, term = page.context["picked"], next(iter(shown))
    meaning = next(one for one in words if one.term == term).translations.get().text
    sent = {"words": picked.named, "round": picked.round, "free": "1"}
    reply = client.post(
        "/words/match/", sent | {"word": shown[term][0], "meaning": meanings[meaning][0]}
    )
    assert reply.json()["is_right"]
    assert 'name="free"' in page.text
    assert Review.objects.get(mode="matched").is_free_practice


def test_a_round_of_words_to_review_counts(words, student, sign_in, animals):
    """The control."""
    late = words[4]
    Review.objects.filter(entry=late).delete()
    remember(student, late, 90)
    page = sign_in(student).get("/words/cards/")
    assert page.context["entry"] == late
    assert "For fun" not in page.text


def test_who_has_met_no_other_word_reads_where_the_words_are(words, student, sign_in, animals):
    animals.entries.filter(pk__in=[one.pk for one in words[4:]]).delete()
    for path in ("/words/cards/", "/words/match/"):
        said = text_of(sign_in(student).get(path, follow=True))
        assert "4 words wait in your puzzle" in said
