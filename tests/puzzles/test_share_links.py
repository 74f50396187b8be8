"""Links to lists and puzzles: what they show, to whom, and that they end."""

import json
import re
import uuid
from datetime import timedelta

import pytest
import time_machine
from django.core.cache import cache
from django.test import Client
from django.utils import timezone

from osmosmjerka.accounts.models import AuditEntry, User
from puzzles.models import Move, PlaySession, ShareLink
from puzzles.sharing import services
from tests.conftest import ANIMALS, rows
from tests.layers import daily
from vocab.lists import services as vocabulary
from vocab.models import Review, VocabularyList

pytestmark = pytest.mark.django_db
KINDS = ["word-search", "finder", "crossword"]
ENDED = "This link has ended"


@pytest.fixture(autouse=True)
def public(settings):
    settings.SHARE_LINKS = "public"
    cache.clear()


@pytest.fixture
def list_link(animals, teacher):
    return services.create(actor=teacher, vocabulary_list=animals)


@pytest.fixture
def puzzle_link(make_puzzle, teacher):
    def make(kind="word-search", **settings):
        return services.create(actor=teacher, puzzle=make_puzzle(kind, **settings))

    return make


def post(client, address, **sent):
    return client.post(address, sent, content_type="application/json")


def try_word(client, token, word, is_crossword):
    answer = {"tiles": word.tiles} if is_crossword else {"cells": word.cells}
    sent = {"attempt": str(uuid.uuid4()), "item": word.slot, **answer}
    return post(client, f"/api/shared/{token}/attempts/", **sent)


def told(client, token):
    """Return all that a guest's device can get of a puzzle, on all its channels."""
    state = client.get(f"/api/shared/{token}/").json()
    answers = [client.get(f"/s/{token}/"), client.get(f"/s/{token}/summary/")]
    for item in state["items"]:
        for what in ("sound", "picture"):
            answers.append(client.get(f"/api/shared/{token}/{what}/{item['id']}/"))
    headers = [str(dict(one.headers)) + str(one.cookies) for one in answers]
    texts = [one.content.decode() for one in answers if "text/html" in one.headers["Content-Type"]]
    return json.dumps(state, ensure_ascii=False) + "".join(headers + texts)


def answers_in(text, words):
    return [w.term for w in words if re.search(rf"\b{w.term}\b", text, re.IGNORECASE)]


@pytest.mark.parametrize("kind", daily("crossword", of=KINDS))
def test_a_guest_plays_a_puzzle_to_its_end_and_nothing_is_kept(kind, puzzle_link):
    """No answer is told before it is found; the control: at the end they are."""
    link, token = puzzle_link(kind)
    client, words = Client(), list(link.puzzle.placements.all())
    before = told(client, token)
    assert answers_in(before, words) == []
    assert link.puzzle.code not in before
    for count, word in enumerate(words, start=1):
        wrong = {"cells": [[0, 0], [0, 1]]} if kind != "crossword" else None
        if wrong and count == 1:
            sent = {"attempt": str(uuid.uuid4()), "item": word.slot, **wrong}
            assert post(client, f"/api/shared/{token}/attempts/", **sent).status_code == 200
        answer = try_word(client, token, word, kind == "crossword").json()
        assert (answer["outcome"], answer["found"]) == ("found", count)
        assert answers_in(told(client, token), words[count:]) == []
    assert answer["finished"]
    assert {one["term"] for one in answer["summary"]["learned"]} == {w.term for w in words}
    assert "Play again" in client.get(f"/s/{token}/summary/").content.decode()
    for model in (PlaySession, Move, Review):
        assert not model.objects.exists()
    assert client.get(f"/s/{token}/?again", follow=True).status_code == 200
    assert client.get(f"/api/shared/{token}/").json()["found"] == 0


def test_hints_show_no_more_than_they_say(puzzle_link):
    link, token = puzzle_link("crossword")
    client, word = Client(), link.puzzle.placements.first()

    def hint(kind, **more):
        return post(client, f"/api/shared/{token}/hint/", item=word.slot, kind=kind, **more)

    assert hint("letter", cell=word.cells[1]).json()["tiles"] == [word.tiles[1]]
    assert hint("first_cell").json()["item"]["term"] is None
    assert hint("text").status_code == 400  # its clue is no sound
    shown = hint("word").json()
    assert (shown["item"]["term"], shown["item"]["revealed"], shown["found"]) == (
        word.term, True, 0,
    )  # fmt: skip


def test_a_heard_word_is_read_only_on_request_and_its_sound_does_not_name_it(puzzle_link):
    link, token = puzzle_link("finder")
    client, word = Client(), link.puzzle.placements.first()
    item = next(
        one for one in client.get(f"/api/shared/{token}/").json()["items"] if one["id"] == word.slot
    )
    assert item["clue"]["text"] is None
    assert item["clue"]["sound"].startswith(f"/api/shared/{token}/sound/{word.slot}/")
    sizes = set()
    for each in link.puzzle.placements.all():
        sound = client.get(f"/api/shared/{token}/sound/{each.slot}/")
        assert (sound.status_code, sound["Content-Type"]) == (200, "audio/mpeg")
        sizes.add(len(sound.content))
    assert len(sizes) == 1  # a long word is not told by its size
    read = post(client, f"/api/shared/{token}/hint/", item=word.slot, kind="text").json()
    assert read["item"]["clue"]["text"] == word.played


def test_the_game_of_a_large_puzzle_fits_a_cookie(teacher, make_puzzle, classroom):
    words = {f"{a}{b}rom{b}{a}": f"word {a}{b}" for a in "aeiou" for b in "klmnprstvzbdfgh"}
    large = vocabulary.create_list(
        owner=teacher, title="x", language="hr", translation_languages=["en"]
    )
    vocabulary.write_rows(vocabulary_list=large, rows=rows(words))
    puzzle = make_puzzle("crossword", vocabulary_list=large, words=75)
    token = services.create(actor=teacher, puzzle=puzzle)[1]
    client = Client()
    for word in puzzle.placements.all():
        post(client, f"/api/shared/{token}/hint/", item=word.slot, kind="first_cell")
        try_word(client, token, word, is_crossword=True)
    assert puzzle.placements.count() > 50
    assert client.get(f"/api/shared/{token}/").json()["session"]["state"] == "finished"
    assert all(len(one.OutputString()) < 4000 for one in client.cookies.values())


def test_a_list_is_shown_with_its_words_and_names_nobody(list_link, animals, teacher, school):
    _link, token = list_link
    page = Client().get(f"/s/{token}/")
    text = page.content.decode()
    assert all(term in text and meaning in text for term, meaning in ANIMALS.items())
    for name in (teacher.display_name, teacher.username, school.name):
        assert name not in text
    assert page["X-Robots-Tag"] == "noindex, nofollow"
    assert page["Referrer-Policy"] == "same-origin"
    assert "no-store" in page["Cache-Control"]
    entry = animals.entries.first()
    assert Client().get(f"/s/{token}/words/{entry.pk}/sound/").status_code == 200


def test_words_of_another_list_are_not_heard(list_link, teacher):
    other = vocabulary.copy_sample(owner=teacher, language="es", translation_language="en")
    address = f"/s/{list_link[1]}/words/{other.entries.first().pk}/sound/"
    assert Client().get(address).status_code == 404


def test_only_a_link_that_allows_it_is_copied_and_downloaded(
    list_link, animals, teacher, stranger, sign_in
):
    for may_copy, token in (
        (False, list_link[1]),
        (True, services.create(actor=teacher, vocabulary_list=animals, may_copy=True)[1]),
    ):
        file = Client().get(f"/s/{token}/file/")
        assert (file.status_code == 200) is may_copy
        sign_in(stranger).post(f"/s/{token}/copy/")
        copies = VocabularyList.objects.filter(owner=stranger)
        assert copies.exists() is may_copy
        assert Client().post(f"/s/{token}/copy/").url.startswith("/login/")
    assert "krokodil" in file.content.decode()
    assert copies.get().entries.count() == len(ANIMALS)


def as_told(page):
    """Return a page without what differs each time: its address, and the token of its forms."""
    return re.sub(r"/s/[^\"]*|[A-Za-z0-9]{64}", "", page.content.decode())


def deactivate(link):
    link.made_by.is_active = False
    link.made_by.save()


ENDS = {
    "revoked": lambda link: services.end(link=link, actor=link.made_by),
    "over": lambda link: ShareLink.objects.update(until=timezone.now()),
    "in the bin": lambda link: vocabulary.delete_list(
        vocabulary_list=link.vocabulary_list or link.puzzle.vocabulary_list, actor=link.made_by
    ),
    "owner deactivated": deactivate,
}


@pytest.mark.parametrize("how", ENDS)
@pytest.mark.parametrize("what", ["list", "puzzle"])
def test_a_link_that_ended_shows_nothing_as_one_that_never_was(what, how, list_link, puzzle_link):
    link, token = list_link if what == "list" else puzzle_link()
    paths = ["", "summary/", "file/"]
    assert Client().get(f"/s/{token}/").status_code == 200  # control
    ENDS[how](link)
    never = as_told(Client().get(f"/s/{'x' * 27}/"))
    for path in paths:
        page = Client().get(f"/s/{token}/{path}")
        assert page.status_code == 404
        assert ENDED in page.content.decode()
        assert as_told(page) == never
    assert Client().get(f"/api/shared/{token}/").status_code == 404


WHO = ["anonymous", "student", "teacher", "stranger"]
MATRIX = {
    "off": set(),
    "colleagues": {"teacher", "stranger"},
    "public": set(WHO),
}


@pytest.mark.parametrize("site", MATRIX)
def test_the_site_decides_who_may_open_links(
    site, settings, list_link, puzzle_link, teacher, stranger, student, sign_in
):
    _link, puzzle_token = puzzle_link()
    settings.SHARE_LINKS = site
    people = {"anonymous": None, "student": student, "teacher": teacher, "stranger": stranger}
    for who, person in people.items():
        client = sign_in(person) if person else Client()
        may = who in MATRIX[site]
        for address in (f"/s/{list_link[1]}/", f"/s/{puzzle_token}/"):
            page = client.get(address)
            assert (page.status_code == 200) is may, (who, address)
            if site == "colleagues" and person is None:
                assert page.url == f"/login/?next={address}"
        status = client.get(f"/api/shared/{puzzle_token}/").status_code
        assert status == (200 if may else 404), who


def test_a_student_reads_that_links_are_for_teachers_whether_they_work_or_not(
    settings, list_link, student, sign_in
):
    settings.SHARE_LINKS = "colleagues"
    client = sign_in(student)
    pages = [client.get(f"/s/{token}/") for token in (list_link[1], "x" * 20)]
    for page in pages:
        assert "This link is for teachers" in page.content.decode()
    assert as_told(pages[0]) == as_told(pages[1])
    settings.SHARE_LINKS = "off"
    assert ENDED in client.get(f"/s/{list_link[1]}/").content.decode()


def test_who_guesses_has_to_wait_but_not_who_opens_what_ended(list_link, teacher):
    link, token = list_link
    services.end(link=link, actor=teacher)
    client = Client()
    for _each in range(40):
        assert client.get(f"/s/{token}/").status_code == 404
    statuses = [client.get(f"/s/{'x' * 20}{number}/").status_code for number in range(32)]
    assert (statuses[0], statuses[-1]) == (404, 429)


def test_a_teacher_creates_a_link_sees_it_once_and_ends_it(animals, teacher, sign_in):
    client = sign_in(teacher)
    made = client.post(f"/lists/{animals.pk}/links/", {"lasts": "week"}).content.decode()
    address = re.search(r'value="(http[^"]*/s/[^"]*)"', made)[1]
    assert Client().get(address.removeprefix("http://testserver")).status_code == 200
    token = address.rstrip("/").rpartition("/")[2]
    link = ShareLink.objects.get()
    assert token not in client.get("/links/").content.decode()
    assert token not in str(ShareLink.objects.values())
    assert timedelta(days=6) < link.until - timezone.now() <= timedelta(days=7)
    client.post(f"/links/{link.pk}/end/")
    assert "Životinje" not in client.get("/links/").content.decode().partition("<h1>")[2]
    assert Client().get(f"/s/{token}/").status_code == 404
    logged = AuditEntry.objects.filter(actor_id=teacher.pk, action__endswith="share link")
    assert {one.action for one in logged} == {"created share link", "ended share link"}


@pytest.mark.parametrize(
    ("today", "ends"), [("2026-11-28", "2027-08-31"), ("2027-08-10", "2028-08-31")]
)
def test_a_link_for_the_school_year_ends_with_its_last_day(today, ends, animals, teacher):
    with time_machine.travel(f"{today}T12:00:00Z", tick=False):
        link, token = services.create(actor=teacher, vocabulary_list=animals, lasts="year")
    with time_machine.travel(f"{ends}T21:00:00Z", tick=False):
        assert Client().get(f"/s/{token}/").status_code == 200
    with time_machine.travel(link.until, tick=False):
        assert Client().get(f"/s/{token}/").status_code == 404


def test_links_cannot_be_created_where_the_site_has_none(settings, animals, teacher, sign_in):
    settings.SHARE_LINKS = "off"
    page = sign_in(teacher).post(f"/lists/{animals.pk}/links/", {"lasts": "week"})
    assert "turned off" in page.content.decode()
    assert not ShareLink.objects.exists()
    assert User.objects.filter(pk=teacher.pk, share_links=None).exists()


def test_a_link_is_forgotten_a_month_after_it_ended(list_link, animals, teacher):
    services.end(link=list_link[0], actor=teacher)
    assert services.forget_old() == 0
    with time_machine.travel(timezone.now() + timedelta(days=31), tick=False):
        working, _token = services.create(actor=teacher, vocabulary_list=animals)
        assert services.forget_old() == 1
    assert ShareLink.objects.get() == working


def test_a_program_creates_a_link_and_ends_it(animals, puzzle_link, teacher, sign_in):
    client = sign_in(teacher)
    assert post(client, "/api/links/").status_code == 400
    puzzle = puzzle_link()[0].puzzle
    assert post(client, "/api/links/", list=animals.pk, puzzle=puzzle.code).status_code == 400
    made = post(client, "/api/links/", list=animals.pk, lasts="day").json()
    path = made["url"].removeprefix("http://testserver")
    assert Client().get(path).status_code == 200
    assert [one["list"] for one in client.get("/api/links/").json()] == [animals.pk, None]
    assert client.delete(f"/api/links/{made['id']}/").status_code == 204
    assert Client().get(path).status_code == 404
