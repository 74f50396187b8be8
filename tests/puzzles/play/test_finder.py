"""The finder in play: sounds that tell nothing, words that sound alike, lists that are short."""

import io
import json
import re
import uuid

import numpy as np
import pytest
import soundfile

from osmosmjerka.jobs import ledger
from osmosmjerka.jobs.models import Job
from puzzles.making import services as making
from puzzles.models import Puzzle
from tests.conftest import rows
from vocab.lists.services import create_list
from vocab.models import Pronunciation, Review
from vocab.sentences import said
from vocab.sounds import playback, recordings, voices
from vocab.sounds import services as sounds

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def empty_cache(settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path


@pytest.fixture
def make_list(teacher):
    def make_list(words, language="en"):
        return create_list(
            owner=teacher,
            title="Words",
            language=language,
            translation_languages=["hr"],
            rows=rows({word: f"meaning {number}" for number, word in enumerate(words)}),
        )

    return make_list


def state_of(client, puzzle):
    return client.get(f"/api/play/{puzzle.code}/").json()


def attempt(client, puzzle, chosen, traced):
    body = {"attempt": str(uuid.uuid4()), "item": chosen.slot, "cells": traced.cells}
    path = f"/api/play/{puzzle.code}/attempts/"
    return client.post(path, json.dumps(body), content_type="application/json").json()


# ---- the audio address ----


def test_sounds_of_a_puzzle_differ_in_nothing_but_their_samples(make_puzzle, sign_in, student):
    puzzle = make_puzzle("finder")
    client = sign_in(student)
    items = state_of(client, puzzle)["items"]
    replies = [client.get(item["clue"]["sound"]) for item in items]
    assert {reply.status_code for reply in replies} == {200}
    assert len({reply.content for reply in replies}) == len(items)
    # Neither size nor header tells one word from another, however long it is.
    assert len({len(reply.content) for reply in replies}) == 1
    telling = [
        {name: value for name, value in reply.headers.items() if name != "X-Request-ID"}
        for reply in replies
    ]
    assert all(headers == telling[0] for headers in telling)
    for item in items:
        assert re.fullmatch(
            rf"/api/play/{puzzle.code}/sound/[0-9a-f]{{16}}/\?v=\d+", item["clue"]["sound"]
        )


def test_sounds_made_on_the_way_differ_in_no_size_either(make_puzzle, sign_in, student):
    puzzle = make_puzzle("finder")
    Pronunciation.objects.all().delete()  # as before the job of the list's sounds has run
    client = sign_in(student)
    items = state_of(client, puzzle)["items"]
    replies = [client.get(item["clue"]["sound"]) for item in items]
    assert {reply.status_code for reply in replies} == {200}
    assert len({len(reply.content) for reply in replies}) == 1


def test_unpadded_sounds_would_tell_long_words_from_short_ones(make_puzzle):
    """Control: what eSpeak made has a size of its own for each length."""
    make_puzzle("finder")
    sizes = {len(voices.espeak().speak(word, "hr").mp3) for word in ("slon", "krokodil")}
    assert len(sizes) == 2


@pytest.fixture
def with_a_long_sound(make_puzzle):
    """A finder of which one word has a sound that fills several blocks of the cache."""
    puzzle = make_puzzle("finder")
    for job in Job.objects.filter(kind=sounds.RENDER):
        ledger.run_job(str(job.pk))
    placement = puzzle.placements.first()
    wave = 0.3 * np.sin(np.arange(10 * 24_000) / 10)
    file = io.BytesIO()
    soundfile.write(file, wave, 24_000, format="WAV")
    recordings.keep_recording(
        entry=placement.entry, data=file.getvalue(), speed="normal", is_recorded=True
    )
    return puzzle, placement


def test_a_long_sound_is_not_told_by_its_size(with_a_long_sound, sign_in, student):
    puzzle, _placement = with_a_long_sound
    client = sign_in(student)
    items = state_of(client, puzzle)["items"]
    assert len(items) == 10
    addresses = [item["clue"][name] for item in items for name in ("sound", "slow_sound")]
    replies = [client.get(address) for address in addresses]
    assert len({len(reply.content) for reply in replies}) == 1
    ranges = [client.get(a, headers={"Range": "bytes=0-1"})["Content-Range"] for a in addresses]
    assert len(set(ranges)) == 1
    spoken = [soundfile.read(io.BytesIO(reply.content)) for reply in replies]
    seconds = [len(samples) / rate for samples, rate in spoken]
    assert min(seconds) < 2 < 9 < max(seconds)


def test_padding_each_sound_by_itself_tells_the_long_one(with_a_long_sound):
    """Control: the files in the cache, each filled up to its own multiple of a block."""
    puzzle, long = with_a_long_sound
    sizes = {
        placement.slot: playback.sound_of(
            placement.term, puzzle.vocabulary_list, entry_id=placement.entry_id
        ).size()
        for placement in puzzle.placements.all()
    }
    assert max(sizes, key=sizes.get) == long.slot
    assert len(set(sizes.values())) > 1


def test_a_word_that_is_only_heard_tells_no_length(make_puzzle, sign_in, student):
    puzzle = make_puzzle("finder")
    client = sign_in(student)
    assert all(item["length"] == [] for item in state_of(client, puzzle)["items"])
    chosen = puzzle.placements.order_by("pk")[0]
    attempt(client, puzzle, chosen, chosen)
    told = {item["id"]: item["length"] for item in state_of(client, puzzle)["items"]}
    # Control: once it is found, it does.
    assert told.pop(chosen.slot) == [len(chosen.tiles)]
    assert all(length == [] for length in told.values())


def test_the_same_word_has_another_address_in_each_puzzle(make_puzzle):
    slots = [
        set(make_puzzle("finder", seed=3).placements.values_list("slot", flat=True)) for _ in "ab"
    ]
    assert not slots[0] & slots[1]


def test_addresses_are_in_no_order_of_the_words(make_puzzle):
    found, listed = [], []
    for _each in range(5):  # by chance, a few words are sometimes in order
        placements = list(make_puzzle("finder").placements.select_related("entry"))
        found.append([one.term for one in sorted(placements, key=lambda p: p.slot)])
        listed.append([one.term for one in sorted(placements, key=lambda p: p.entry.position)])
    assert found != [sorted(terms) for terms in found]
    assert found != listed
    assert found != [sorted(terms, key=len) for terms in found]


def test_a_sound_is_kept_long_and_given_in_pieces(make_puzzle, sign_in, student):
    puzzle = make_puzzle("finder")
    client = sign_in(student)
    address = state_of(client, puzzle)["items"][0]["clue"]["sound"]
    whole = client.get(address)
    assert whole["Content-Type"] == "audio/mpeg"
    assert "max-age=31536000" in whole["Cache-Control"]
    assert "immutable" in whole["Cache-Control"]
    assert "private" in whole["Cache-Control"]
    size = len(whole.content)
    for asked, first, last in [
        ("bytes=0-1", 0, 1),
        ("bytes=100-", 100, size - 1),
        ("bytes=-50", size - 50, size - 1),
        (f"bytes=10-{size * 2}", 10, size - 1),
    ]:
        piece = client.get(address, headers={"Range": asked})
        assert piece.status_code == 206
        assert piece["Content-Range"] == f"bytes {first}-{last}/{size}"
        assert piece.content == whole.content[first : last + 1]
        assert "immutable" in piece["Cache-Control"]
    assert client.get(address, headers={"Range": f"bytes={size}-"}).status_code == 416
    assert client.get(address, headers={"Range": "bytes=nonsense"}).content == whole.content


def test_a_sound_is_nobodys_who_may_not_play(make_puzzle, sign_in, student, stranger, client):
    puzzle = make_puzzle("finder")
    address = state_of(sign_in(student), puzzle)["items"][0]["clue"]["sound"]
    assert sign_in(stranger).get(address).status_code == 404
    assert client.get(address).status_code in (401, 403)


def test_a_student_may_hear_it_slowly(make_puzzle, sign_in, student):
    puzzle = make_puzzle("finder")
    client = sign_in(student)
    clue = state_of(client, puzzle)["items"][0]["clue"]
    normal, rate = soundfile.read(io.BytesIO(client.get(clue["sound"]).content))
    slow, _rate = soundfile.read(io.BytesIO(client.get(clue["slow_sound"]).content))
    assert len(slow) > 1.2 * len(normal)
    assert 0.2 < len(normal) / rate < 3


def test_a_changed_sound_has_a_new_address(make_puzzle, animals, sign_in, student):
    puzzle = make_puzzle("finder")
    client = sign_in(student)
    before = state_of(client, puzzle)["items"][0]["clue"]["sound"]
    animals.sounds_version += 1
    animals.save()
    assert state_of(client, puzzle)["items"][0]["clue"]["sound"] != before


def test_a_word_without_sound_is_shown_and_counts_as_read(make_puzzle, make_list, sign_in, student):
    silent = make_list(["qagh", "wep", "Suv", "mon"], language="tlh")
    puzzle = make_puzzle("finder", vocabulary_list=silent, words=2)
    assert puzzle.state == "ready", puzzle.reason
    client = sign_in(student)
    for item in state_of(client, puzzle)["items"]:
        assert item["clue"]["sound"] is item["clue"]["slow_sound"] is None
        assert item["clue"]["text"]
        assert "No sound" in item["clue"]["note"]
    placement = puzzle.placements.first()
    attempt(client, puzzle, placement, placement)
    assert Review.objects.get().skill == "form"


def test_a_recording_gives_a_voiceless_language_a_sound(make_puzzle, make_list, sign_in, student):
    silent = make_list(["qagh", "wep", "Suv", "mon"], language="tlh")
    puzzle = make_puzzle("finder", vocabulary_list=silent, words=2)
    placement = puzzle.placements.first()

    said = voices.espeak().speak("qagh", "en").mp3
    recordings.keep_recording(entry=placement.entry, data=said, speed="normal", is_recorded=False)
    items = {item["id"]: item for item in state_of(sign_in(student), puzzle)["items"]}
    clue = items[placement.slot]["clue"]
    assert clue["text"] is None
    for address in (clue["sound"], clue["slow_sound"]):
        assert sign_in(student).get(address).status_code == 200
    assert Pronunciation.objects.get(entry=placement.entry).origin == "uploaded"


# ---- words that sound alike ----


@pytest.fixture
def twins(make_puzzle, make_list):
    puzzle = make_puzzle("finder", vocabulary_list=make_list(["flour", "flower", "bank"]), words=3)
    assert puzzle.state == "ready", puzzle.reason
    return puzzle, {placement.term: placement for placement in puzzle.placements.all()}


def test_a_word_that_sounds_like_the_chosen_one_is_found(twins, sign_in, student):
    puzzle, words = twins
    client = sign_in(student)
    answer = attempt(client, puzzle, words["flour"], words["flower"])
    assert answer["outcome"] == "found"
    assert answer["item"]["term"] == "flower"
    assert "sounds the same" in answer["message"]
    again = attempt(client, puzzle, words["flour"], words["flower"])
    assert again["outcome"] == "already"
    assert attempt(client, puzzle, words["flour"], words["flour"])["item"]["term"] == "flour"
    assert [item["found"] for item in state_of(client, puzzle)["items"]].count(True) == 2


# ---- lists that are short ----


@pytest.fixture
def short(make_puzzle, make_list):
    return make_puzzle("finder", vocabulary_list=make_list(["cat", "dog", "at", "hen"]))


def work():
    for job in Job.objects.filter(kind=making.GENERATE, state=Job.State.QUEUED):
        ledger.run_job(str(job.pk))


def test_a_short_list_names_the_rule_and_offers_fewer_words(short, sign_in, teacher):
    assert (short.state, short.offer) == (Puzzle.State.FAILED, 3)
    assert "fewer than 3 letters: “at”" in said(short.reason)
    page = sign_in(teacher).get(f"/puzzles/{short.code}/").content.decode()
    assert "fewer than 3 letters" in page
    assert "Play with 3 words" in page


def test_one_click_plays_with_fewer(short, sign_in, teacher, student):
    client = sign_in(teacher)
    assert client.post(f"/puzzles/{short.code}/fewer/").url == f"/puzzles/{short.code}/"
    client.post(f"/puzzles/{short.code}/fewer/")
    assert Job.objects.filter(kind=making.GENERATE).count() == 2
    work()
    short.refresh_from_db()
    assert (short.state, short.placements.count(), short.reason) == ("ready", 3, "")
    assert len(state_of(sign_in(student), short)["items"]) == 3


def test_a_students_own_next_grid_offers_it_too(short, sign_in, student):
    making.accept_fewer(puzzle=short)
    work()
    own = making.request_another(puzzle=short, person=student, changes={})
    own.settings["words"] = 10
    own.save()
    Job.objects.filter(kind=making.GENERATE).delete()
    making.enqueue(own)
    work()
    client = sign_in(student)
    assert "Play with 3 words" in client.get(f"/play/{own.code}/").content.decode()
    assert client.post(f"/puzzles/{own.code}/fewer/").url == f"/play/{own.code}/"
    work()
    assert state_of(client, own)["total"] == 3


def test_nobody_else_agrees(short, sign_in, student, stranger):
    for person in (student, stranger):
        assert sign_in(person).post(f"/puzzles/{short.code}/fewer/").status_code == 404
    short.refresh_from_db()
    assert short.state == Puzzle.State.FAILED


def test_the_api_agrees_too(short, sign_in, teacher):
    client = sign_in(teacher)
    assert client.get(f"/api/puzzles/{short.code}/").json()["offer"] == 3
    reply = client.post(f"/api/puzzles/{short.code}/fewer/")
    assert (reply.status_code, reply.json()["state"]) == (202, "queued")
    assert sign_in(teacher).get(f"/api/puzzles/{short.code}/").json()["offer"] is None


def test_without_an_offer_there_is_nothing_to_agree_to(make_puzzle, make_list, sign_in, teacher):
    hopeless = make_puzzle("finder", vocabulary_list=make_list(["at", "on"]))
    assert (hopeless.state, hopeless.offer) == (Puzzle.State.FAILED, None)
    client = sign_in(teacher)
    assert client.post(f"/api/puzzles/{hopeless.code}/fewer/").status_code == 400
    assert "Play with" not in client.get(f"/puzzles/{hopeless.code}/").content.decode()


def test_a_wrong_mark_says_why(make_puzzle, sign_in, student):
    """Also when the same mark is sent again, because its answer was lost."""
    puzzle, client = make_puzzle("finder", words=3, forwards_only=True), sign_in(student)
    first, second, *_others = puzzle.placements.all()

    def told(cells):
        body = {"attempt": str(uuid.uuid4()), "item": first.slot, "cells": cells}
        path = f"/api/play/{puzzle.code}/attempts/"
        told, again = (
            client.post(path, json.dumps(body), content_type="application/json").json()["message"]
            for _time in range(2)
        )
        assert told == again
        return told

    assert "another word of this puzzle" in told(second.cells)
    assert "backwards" in told(first.cells[::-1])
    assert told(first.cells[:-1]) == "That is not the word. Try again."
    assert told(first.cells) == f"Found: {first.term}."
