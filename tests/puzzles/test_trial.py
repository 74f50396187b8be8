"""The first page: a stranger plays, nothing is stored, and no answer is told beforehand."""

import json
import re
import uuid

import pytest
from django.conf import settings
from django.test import Client

from osmosmjerka.accounts.models import BrowserSession
from puzzles.models import Move, PlaySession, Puzzle
from puzzles.trial import services as trials
from vocab.models import VocabularyList

pytestmark = pytest.mark.django_db
WORDS = {placed["word"]: placed["cells"] for placed in trials._stored()["placements"]}


def trace(client, cells, address="/api/trial/attempts/"):
    sent = {"attempt": str(uuid.uuid4()), "cells": cells}
    return client.post(address, sent, content_type="application/json")


def test_a_stranger_finds_all_words_and_nothing_is_stored():
    client = Client()
    assert client.get("/").status_code == 200
    begun = client.get("/api/trial/").json()
    assert (begun["session"]["state"], begun["found"]) == ("playing", 0)
    for count, (word, cells) in enumerate(WORDS.items(), start=1):
        answer = trace(client, cells[::-1] if count % 2 else cells).json()
        assert (answer["outcome"], answer["item"]["term"]) == ("found", word)
        assert answer["found"] == count
        assert trace(client, cells).status_code == (409 if answer["finished"] else 200)
    assert answer["finished"]
    assert [each["term"] for each in answer["summary"]["learned"]] == list(WORDS)
    for model in (Puzzle, PlaySession, Move, VocabularyList, BrowserSession):
        assert not model.objects.exists()


@pytest.mark.parametrize("language", [code for code, _name in settings.LANGUAGES])
def test_no_answer_is_told_before_it_is_found(language):
    """Neither by the page nor by its data; the control: once all are shown, they are told."""
    client = Client(headers={"Accept-Language": language})
    told = client.get("/").content.decode() + client.get("/api/trial/").content.decode()
    assert [word for word in WORDS if re.search(rf"\b{word}\b", told)] == []
    assert json.dumps(next(iter(WORDS.values()))) not in told
    shown = client.post("/api/trial/finish/").json()
    assert {item["term"] for item in shown["items"]} == set(WORDS)
    clues = [item["clue"]["text"] for item in shown["items"]]
    assert len(set(clues)) == len(WORDS)
    assert shown["puzzle"]["translation_language"] == language


def test_a_wrong_line_is_wrong_and_a_crooked_one_is_refused():
    client = Client()
    assert trace(client, [[0, 0], [0, 1]]).json()["outcome"] == "wrong"
    assert trace(client, [[0, 0], [5, 1]]).status_code == 400
    assert trace(client, None).status_code == 400


def test_a_hint_shows_where_a_word_begins_or_all_of_it():
    client = Client()
    first, *_others = WORDS.items()

    def hint(kind, item="0"):
        sent = {"item": item, "kind": kind}
        return client.post("/api/trial/hint/", sent, content_type="application/json")

    assert hint("first_cell").json()["cells"] == first[1][:1]
    assert hint("first_cell").json()["item"]["term"] is None
    shown = hint("word").json()
    assert (shown["item"]["term"], shown["item"]["revealed"], shown["found"]) == (first[0], True, 0)
    assert hint("word", item="99").status_code == 400


def test_the_game_goes_on_until_the_page_is_opened_again():
    client = Client()
    trace(client, WORDS["leche"])
    assert client.get("/api/trial/").json()["found"] == 1
    client.get("/")
    assert client.get("/api/trial/").json()["found"] == 0


def test_a_forged_state_is_a_new_game():
    client = Client()
    trace(client, WORDS["leche"])
    client.cookies["guest-trial"] = client.cookies["guest-trial"].value.replace(":", "x:", 1)
    assert client.get("/api/trial/").json()["found"] == 0


def test_who_is_logged_in_gets_their_own_home_page(client, teacher, student):
    for person in (teacher, student):
        client.force_login(person)
        assert f"Hello, {person}" in client.get("/").content.decode()
