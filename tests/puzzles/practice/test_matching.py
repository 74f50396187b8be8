"""Matching: the page tells no pair, the first try counts, and a reload changes nothing."""

import re
import uuid

import pytest

from puzzles.assignments import services as assignments
from puzzles.practice.matching import Game, boards_of
from puzzles.practice.picked import Picked
from tests.conftest import rows
from tests.puzzles.practice.test_practice import remember
from vocab.lists import services as list_services
from vocab.models import Review, WordProgress

pytestmark = pytest.mark.django_db


@pytest.fixture
def given(make_puzzle, animals, student):
    """The class's puzzle is over, and all words were learnt weeks ago."""
    assignments.close(assignment=make_puzzle(words=4).assignments.get())
    for entry in animals.entries.all():
        remember(student, entry, 30)
    return animals


@pytest.fixture
def client(given, student, sign_in):
    return sign_in(student)


def begin(client, entries):
    picked = Picked.of([one.pk for one in entries])
    return picked, f"/words/match/?{picked.query}"


def tiles(page):
    """Return the tokens of the words and of the meanings on a page, by what is written on them."""
    found = {}
    for column, token, inside in re.findall(
        r'data-(word|meaning)="(\w+)"(.*?)</button>', page.content.decode(), re.S
    ):
        text = " ".join(re.sub("<[^>]*>", " ", inside.split(">", 1)[1]).split())
        found.setdefault(column, {}).setdefault(text, []).append(token)
    return found["word"], found["meaning"]


def try_pair(client, picked, word, meaning):
    sent = {"words": picked.named, "round": picked.round, "word": word, "meaning": meaning}
    return client.post("/words/match/", sent)


def orders_of(client, entries):
    """Return the places of the meanings, in the order of their words, in each of some rounds."""
    meaning_of = {one.term: one.translations.get().text for one in entries}
    orders = set()
    for _round in range(12):
        words, meanings = tiles(client.get(begin(client, entries)[1]))
        orders.add(tuple(list(meanings).index(meaning_of[term]) for term in words))
    return orders


def test_the_page_tells_no_pair(given, client):
    entries = list(given.entries.all()[:6])
    page = client.get(begin(client, entries)[1])
    words, meanings = tiles(page)
    names = [token for some in (words, meanings) for (token,) in some.values()]
    assert len(set(names)) == 12
    board = page.content.decode().split("match-columns")[1].split("data-next")[0]
    assert not any(re.search(rf"\b{one.pk}\b", board) for one in entries)
    assert len(orders_of(client, entries)) > 6


def test_tiles_in_the_order_of_the_list_would_tell_the_pairs(given, client, monkeypatch):
    """The control."""
    monkeypatch.setattr(Game, "token", lambda game, column, entry: f"{column}{entry.pk:09}")
    assert orders_of(client, list(given.entries.all()[:6])) == {(0, 1, 2, 3, 4, 5)}


def test_the_first_try_counts_and_what_follows_a_wrong_one_moves_nothing(given, client, student):
    entries = list(given.entries.all()[:3])
    picked, path = begin(client, entries)
    words, meanings = tiles(client.get(path))
    (cro, swan, _hen) = entries
    first = try_pair(client, picked, words[cro.term][0], meanings["crocodile"][0]).json()
    assert first == {"is_right": True, "left": 2, "done": 1, "label": "1 of 3 done, 2 left"}
    for _twice in range(2):
        wrong = try_pair(client, picked, words[swan.term][0], meanings["hen"][0]).json()
        assert (wrong["is_right"], wrong["left"]) == (False, 2)
    told = {one.entry: one for one in Review.objects.filter(mode="matched")}
    assert {one.outcome for one in told.values()} == {"right", "wrong"}
    assert (told[swan].outcome, told[swan].wrong_tries, told[swan].session) == (
        "wrong", 1, picked.round,
    )  # fmt: skip
    missed = WordProgress.objects.get(entry=swan, student=student)
    late = try_pair(client, picked, words[swan.term][0], meanings["swan"][0]).json()
    assert (late["is_right"], late["left"], late["done"]) == (True, 1, 2)
    assert Review.objects.filter(mode="matched").count() == 2
    after = WordProgress.objects.get(entry=swan, student=student)
    assert (after.due_on, after.state) == (missed.due_on, missed.state)


def test_a_match_is_evidence_as_a_choice_is(given, client, student):
    entries = list(given.entries.all()[:2])
    picked, path = begin(client, entries)
    words, meanings = tiles(client.get(path))
    before = WordProgress.objects.get(entry=entries[0])
    try_pair(client, picked, words["krokodil"][0], meanings["crocodile"][0])
    after = WordProgress.objects.get(entry=entries[0])
    assert after.state["card"]["moves"] == before.state["card"]["moves"] + 1
    assert (after.recalled, after.level) == (before.recalled, before.level)
    assert Review.objects.get(mode="matched").skill == "meaning_to_form"


def test_a_game_goes_on_where_it_was(given, client):
    entries = list(given.entries.all()[:3])
    picked, path = begin(client, entries)
    words, meanings = tiles(client.get(path))
    try_pair(client, picked, words["labud"][0], meanings["hen" if "hen" in meanings else "pig"][0])
    for term, meaning in (("krokodil", "crocodile"), ("labud", "swan")):
        try_pair(client, picked, words[term][0], meanings[meaning][0])
    page = client.get(path)
    assert tiles(page) == (words, meanings)  # the same places and names
    assert "2 of 3 done, 1 left" in " ".join(page.content.decode().split())
    assert page.content.decode().count("disabled") == 4
    try_pair(client, picked, words["kokoš"][0], meanings["hen"][0])
    end = " ".join(client.get(path).content.decode().split())
    assert "Right the first time: 2 of 3 words." in end
    assert "Practise the 1 word you got wrong" in end


def test_two_words_with_the_same_meaning_are_both_right(given, client):
    list_services.write_rows(vocabulary_list=given, rows=rows({"maca": "cat"}))
    cats = list(given.entries.filter(term__in=["mačka", "maca", "slon"]))
    picked, path = begin(client, cats)
    words, meanings = tiles(client.get(path))
    first, second = meanings["cat"]
    for term, tile in (("mačka", second), ("maca", first)):
        assert try_pair(client, picked, words[term][0], tile).json()["is_right"]
    # The control: another meaning is wrong.
    reply = try_pair(client, picked, words["slon"][0], first).json()
    assert not reply["is_right"]


def test_words_that_share_some_meanings_or_are_written_alike_are_on_different_boards(
    given, teacher
):
    made = list_services.create_list(
        owner=teacher, title="Alike", language="hr", translation_languages=["en"],
        rows=rows({"a1": "x", "a2": "x", "b": "y", "c": "z", "d": "w"}),
    )  # fmt: skip
    both = made.entries.get(term="b")
    both.translations.create(language="en", text="x", position=2)
    boards = boards_of(made.entries.prefetch_related("translations"))
    terms = [{one.term for one in board} for board in boards]
    assert not any({"a1", "b"} <= board or {"a2", "b"} <= board for board in terms)
    assert any({"a1", "a2"} <= board for board in terms)


@pytest.mark.parametrize(("words", "boards"), [(12, [6, 6]), (7, [4, 3]), (2, [2]), (1, [])])
def test_boards_are_even_and_no_word_is_alone(words, boards, given):
    entries = given.entries.prefetch_related("translations")[:words]
    assert [len(board) for board in boards_of(entries)] == boards


def test_words_without_a_meaning_are_heard(given, client):
    entries = list(given.entries.all()[:3])
    entries[0].translations.all().delete()
    picked, path = begin(client, entries)
    page = client.get(path)
    assert f'data-sound="/review/sound/{entries[0].pk}/"' in page.content.decode()
    words, meanings = tiles(page)
    (heard,) = (some for text, some in meanings.items() if text.startswith("Sound"))
    assert try_pair(client, picked, words["krokodil"][0], heard[0]).json()["is_right"]
    assert Review.objects.get(mode="matched").skill == "sound_to_form"


def test_without_picked_words_those_of_today_are_matched_and_then_again(given, client):
    reply = client.get("/words/match/")
    assert reply.status_code == 302
    page = client.get(reply.url)
    assert len(page.context["board"].words) == 6
    picked = page.context["picked"]
    for _board in range(2):
        words, meanings = tiles(client.get(reply.url))
        for entry in given.entries.all():
            if entry.term in words:
                meaning = entry.translations.get().text
                try_pair(client, picked, words[entry.term][0], meanings[meaning][0])
    assert "Right the first time: 12 of 12 words." in client.get(reply.url).content.decode()
    assert client.get("/words/match/").status_code == 302  # for fun, moves nothing


def test_tiles_of_another_round_or_of_nobody_are_not_found(given, client, student, make_person):
    entries = list(given.entries.all()[:3])
    picked, path = begin(client, entries)
    words, meanings = tiles(client.get(path))
    other = Picked.of([one.pk for one in entries])
    for round_, word in ((other, words["krokodil"][0]), (picked, "x"), (picked, "")):
        assert try_pair(client, round_, word, meanings["crocodile"][0]).status_code == 404
    assert client.post("/words/match/").status_code == 404
    assert try_pair(client, Picked([], uuid.uuid4()), "x", "y").status_code == 404
    assert not Review.objects.filter(mode="matched").exists()


def test_the_end_of_the_review_leads_to_matching(given, client, student):
    for entry in given.entries.all():
        remember(student, entry, 0)
    end = client.get("/review/").content.decode()
    assert "You have done all of today’s words" in end
    assert 'href="/words/match/"' in end
    due = {one.entry_id: one.due_on for one in WordProgress.objects.all()}
    page = client.get("/words/match/", follow=True)
    words, meanings = tiles(page)
    first = next(one for one in given.entries.all() if one.term in words)
    meaning = first.translations.get().text
    try_pair(client, page.context["picked"], words[first.term][0], meanings[meaning][0])
    assert {one.entry_id: one.due_on for one in WordProgress.objects.all()} == due
