"""The album: a place for each word of a list, filled once it is met; complete lists."""

from __future__ import annotations

import re

import pytest

from osmosmjerka.accounts import people
from osmosmjerka.accounts.models import Classroom, Membership, User
from osmosmjerka.accounts.privacy import services as privacy
from puzzles.album.looks import EMPTY, Place, row_of
from puzzles.album.selectors import MOST_IN_A_STRIP, strip_of
from puzzles.assignments import services as assignments
from puzzles.models import CompleteList
from puzzles.play import services as play
from tests.conftest import rows
from tests.puzzles.practice.test_practice import find_all, remember
from vocab.lists import services as list_services
from vocab.memory.card import Level
from vocab.models import VocabularyList

pytestmark = [pytest.mark.django_db, pytest.mark.database]


@pytest.fixture
def given(make_puzzle):
    """The list is the student's, and nothing of it waits."""
    assignments.close(assignment=make_puzzle(words=3).assignments.get())


def page_of(client, address="/words/"):
    return client.get(address).content.decode()


def filled(page):
    """Return what a reader of the screen hears of the places of an album, word and level."""
    found = re.findall(r'<a class="word-capsule.*?</a>', page, re.S)
    return [" ".join(re.sub(r"<[^>]*>", " ", one).split()) for one in found]


def empty(page):
    return re.findall(r'<li class="album-empty.*?</li>', page, re.S)


def test_each_word_has_a_place_in_the_order_of_its_list(given, animals, student, sign_in):
    terms = list(animals.entries.values_list("term", flat=True))
    for entry in (animals.entries.all()[1], animals.entries.all()[4]):
        remember(student, entry, 1)
    page = page_of(sign_in(student))
    assert filled(page) == [f"{terms[1]} learning", f"{terms[4]} learning"]
    assert len(empty(page)) == 10
    assert "2 of 12 words" in " ".join(page.split())
    places = re.findall(r"album-empty|word-capsule", page)
    assert [number for number, one in enumerate(places) if one == "word-capsule"] == [1, 4]


def test_a_word_to_find_cannot_be_told_from_one_that_was_never_asked(
    given, make_puzzle, animals, student, sign_in
):
    for entry in animals.entries.all()[:6]:
        remember(student, entry, 20)
    puzzle = make_puzzle(words=4)
    play.open_session(puzzle=puzzle, student=student)
    hidden = set(puzzle.placements.values_list("entry__term", flat=True))
    shown = set(animals.entries.values_list("term", flat=True)[:6]) - hidden
    page = page_of(sign_in(student))
    assert {one.split()[0] for one in filled(page)} == shown
    places = empty(page)
    assert len(places) == 12 - len(shown)
    assert len(set(places)) == 1
    assert f"{len(shown)} of 12 words" in " ".join(page.split())


def test_a_level_is_drawn_and_named_and_what_was_reached_stays(given, animals, student, sign_in):
    new, days, weeks, months, fallen = animals.entries.all()[:5]
    remember(student, new, 1)
    remember(student, days, 10, 6)
    remember(student, weeks, 40, 20)
    remember(student, months, 90, 50)
    remember(student, fallen, 40, 20)
    remember(student, fallen, 1, outcome="wrong")
    page = page_of(sign_in(student))
    drawn = re.findall(r"word-capsule (drawn-\w+) pattern-\d tone-\d list-colour-\d+", page)
    assert drawn == ["drawn-met", "drawn-days", "drawn-weeks", "drawn-months", "drawn-weeks"]
    assert [one.split(maxsplit=1)[1] for one in filled(page)] == [
        "learning", "known for days", "known for weeks", "known for months",
        "known for weeks, now slipping",
    ]  # fmt: skip


def test_a_word_looks_the_same_everywhere_and_its_neighbours_do_not():
    looks = [Place(key=key, best=Level.WEEKS).look for key in range(1, 25)]
    assert len(set(looks)) == 24
    assert looks[0] == Place(key=1, level=Level.SLIPPING, best=Level.WEEKS).look


def test_one_album_is_open_and_lists_of_classes_that_ended_stay(
    given, animals, classroom, teacher, make_puzzle, student, sign_in
):
    other = list_services.create_list(
        owner=teacher, title="Tiere", language="de", translation_languages=["hr"],
        rows=rows({"Kuh": "krava", "Ochse": "vol"}),
    )  # fmt: skip
    assignments.close(assignment=make_puzzle(vocabulary_list=other, words=2).assignments.get())
    remember(student, animals.entries.first(), 9)
    remember(student, other.entries.get(term="Kuh"), 2)
    Classroom.objects.filter(pk=classroom.pk).update(archived_at="2020-01-01T00:00Z")
    client = sign_in(student)
    page = page_of(client)
    assert filled(page) == ["Kuh learning"]  # the list practised last
    assert f"?album={animals.pk}" in page
    page = page_of(client, f"/words/?album={animals.pk}")
    assert filled(page) == [f"{animals.entries.first().term} learning"]
    assert f"?album={other.pk}" in page


def test_a_list_that_was_never_practised_is_there_to_be_filled(given, student, sign_in):
    page = page_of(sign_in(student))
    assert (filled(page), len(empty(page))) == ([], 12)
    assert "0 of 12 words" in " ".join(page.split())


def test_the_strip_of_a_long_list_is_the_part_with_the_words_of_the_game():
    words = VocabularyList(pk=1)
    places = [Place(key=number + 1) if number % 2 else EMPTY for number in range(150)]
    strip = strip_of(words, places, around=[places[1].key, places[73].key, places[75].key])
    assert (len(strip.places), strip.filled, strip.of) == (MOST_IN_A_STRIP, 75, 150)
    assert places[75] in strip.places
    assert places[1] not in strip.places


def test_a_found_word_stands_among_letters_if_it_fits():
    row = row_of(Place(key=3, term="džep", language="hr"))
    assert (row.letters, len(row.others)) == (("DŽ", "E", "P"), 7)
    assert row_of(Place(key=3, term="Donaudampfschiff", language="de")) is None
    # Whatever comes behind it, the row is ten narrow letters wide.
    rows = [row_of(Place(key=key, term="guska", language="hr")) for key in range(40)]
    assert {len(letter) for row in rows for letter in row.others} == {1}


def test_a_list_is_told_to_be_complete_once(given, make_puzzle, animals, student, sign_in):
    for entry in animals.entries.all():
        remember(student, entry, 20, 10)
    client = sign_in(student)
    games = [make_puzzle(words=6, seed=seed) for seed in (1, 2)]
    for game in games:
        find_all(game, student)
    pages = [page_of(client, f"/play/{games[number].code}/summary/") for number in (0, 0, 1)]
    told = f"You know all 12 words of <bdi>{animals.title}</bdi>."
    assert [told in page for page in pages] == [True, False, False]
    assert [page.count('class="album-strip') for page in pages] == [1, 1, 1]
    assert "all known" in page_of(client)
    # Words that fall take nothing away.
    remember(student, animals.entries.first(), 0, outcome="wrong")
    assert "all known" in page_of(client)
    assert CompleteList.objects.get().level == Level.DAYS


def test_a_list_with_a_word_that_is_not_known_is_not_complete(
    given, make_puzzle, animals, student, sign_in
):
    for entry in animals.entries.all()[1:]:
        remember(student, entry, 20, 10)
    game = make_puzzle(words=6)
    find_all(game, student)
    assert "You know all" not in page_of(sign_in(student), f"/play/{game.code}/summary/")


def test_a_list_with_a_word_that_slips_is_not_told_to_be_complete(
    given, make_puzzle, animals, student, sign_in
):
    for entry in animals.entries.all():
        remember(student, entry, 20, 10)
    remember(student, animals.entries.first(), 0, outcome="wrong")
    game = make_puzzle("finder", words=6)
    find_all(game, student)
    assert "You know all" not in page_of(sign_in(student), f"/play/{game.code}/summary/")


def test_the_end_of_a_review_tells_it_too(given, animals, student, sign_in):
    for entry in animals.entries.all():
        remember(student, entry, 20, 0)
    page = page_of(sign_in(student), "/review/")
    assert "You have done all of today’s words" in page
    assert "You know all 12 words of" in page


def test_merged_accounts_are_complete_together_and_apart_again_when_undone(
    given, animals, student, teacher, make_person, classroom
):
    twin = make_person(User.Role.STUDENT, student.school, "twin")
    people.join_classroom(classroom=classroom, person=twin, role=Membership.Role.STUDENT)
    for who, levels in ((student, [Level.DAYS]), (twin, [Level.DAYS, Level.MONTHS])):
        for level in levels:
            CompleteList.objects.create(student=who, vocabulary_list=animals, level=level)
    privacy.merge_students(kept=student, gone=twin, actor=teacher)
    assert levels_of(student) == [Level.DAYS, Level.MONTHS]
    privacy.split_students(gone=twin)
    assert levels_of(student) == [Level.DAYS]
    assert levels_of(twin) == [Level.DAYS, Level.MONTHS]


def levels_of(student):
    rows = CompleteList.objects.filter(student=student).order_by("level")
    return list(rows.values_list("level", flat=True))
