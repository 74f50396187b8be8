"""A student's own words: found, sorted, heard, and practised."""

import re
from datetime import timedelta

import pytest
from django.utils import timezone

from osmosmjerka.accounts.models import Classroom
from puzzles.assignments import services as assignments
from puzzles.kinds import KINDS
from puzzles.models import Puzzle
from puzzles.play import services as play
from tests.conftest import rows
from tests.puzzles.practice.test_practice import remember
from vocab.lists import services as list_services
from vocab.memory.rules import today
from vocab.models import WordProgress

pytestmark = [pytest.mark.django_db, pytest.mark.database]


@pytest.fixture
def german(teacher):
    return list_services.create_list(
        owner=teacher, title="Tiere", language="de", translation_languages=["hr"],
        rows=rows({"Kuh": "krava", "Ochse": "vol", "Maus": "miš"}),
    )  # fmt: skip


@pytest.fixture
def met(make_puzzle, animals, german, student):
    """Both lists are the student's; all words were asked, the last of each list first."""
    for words in (animals, german):
        puzzle = make_puzzle(vocabulary_list=words, words=3)
        assignments.close(assignment=puzzle.assignments.get())
        for entry in reversed(words.entries.all()):
            remember(student, entry, 20)
    return animals, german


def shown(client, **asked):
    """Return the words of a page that lists them; without an order it would be the album."""
    asked = {"sort": "need"} | asked
    return [word.entry.term for word in client.get("/words/", asked).context["words"]]


def test_a_word_is_found_by_its_letters_or_meaning_with_or_without_accents(met, student, sign_in):
    client = sign_in(student)
    for text in ("mačka", "MACKA", "acka", "cat"):
        assert shown(client, q=text) == ["mačka"], text
    assert shown(client, q="mis") == ["Maus"]
    page = client.get("/words/?q=nothing").content.decode()
    assert "No words match your search." in page
    assert "mačka" not in page


def test_words_are_filtered_by_list_and_level_and_sorted(met, animals, german, student, sign_in):
    client = sign_in(student)
    remember(student, animals.entries.get(term="slon"), 5)
    assert sorted(shown(client, list=german.pk)) == ["Kuh", "Maus", "Ochse"]
    assert shown(client, list=german.pk, sort="alphabet") == ["Kuh", "Maus", "Ochse"]
    by_letter = shown(client, list=animals.pk, sort="alphabet")
    assert by_letter.index("mačka") < by_letter.index("medvjed")
    assert by_letter.index("pčela") < by_letter.index("slon")
    assert shown(client, list=german.pk, sort="newest") == ["Kuh", "Ochse", "Maus"]
    assert shown(client, level=4) == ["slon"]
    assert shown(client, level=4, list=german.pk) == []
    assert len(shown(client, level="x", list="99999999999999999999")) == 15


def test_a_page_has_a_hundred_words_and_keeps_what_was_asked(
    teacher, student, make_puzzle, sign_in
):
    terms = {f"riječ{chr(97 + n // 26)}{chr(97 + n % 26)}": "word" for n in range(130)}
    many = list_services.create_list(
        owner=teacher, title="Many", language="hr", translation_languages=["en"], rows=rows(terms)
    )
    assignments.close(assignment=make_puzzle(vocabulary_list=many, words=3).assignments.get())
    for entry in many.entries.all():
        remember(student, entry, 20)
    client = sign_in(student)
    first = client.get("/words/?q=rijec&sort=alphabet")
    assert len(first.context["words"]) == 100
    link = re.search(r'rel="next"\s+href="([^"]+)"', first.content.decode())[1]
    rest = client.get(f"/words/{link.replace('&amp;', '&')}")
    assert len(rest.context["words"]) == 30
    assert rest.context["asked"].search == "rijec"


def test_a_card_tells_the_word_its_meaning_its_sound_and_when_it_comes_next(
    met, animals, student, sign_in
):
    remember(student, animals.entries.get(term="slon"), 0)
    page = sign_in(student).get("/words/?q=slon").content.decode()
    assert "elephant" in page
    assert "/review/sound/" in page
    assert re.search(r"Comes back in\s+\d+\s+days", page)
    assert "Comes back today" in sign_in(student).get("/words/?q=cat").content.decode()


def test_a_word_that_gives_way_to_new_ones_does_not_say_that_it_comes_today(
    met, make_puzzle, teacher, student, sign_in
):
    of_cat = WordProgress.objects.filter(student=student, entry__term="mačka")
    of_cat.update(due_on=today(student), urgent_on=today(student) + timedelta(days=3))
    # The control: without new words it is on today's plan.
    assert "Comes back today" in sign_in(student).get("/words/?q=cat").content.decode()
    many = list_services.create_list(
        owner=teacher, title="Many", language="hr", translation_languages=["en"],
        rows=rows({f"riječ{number}": f"meaning {number}" for number in range(30)}),
    )  # fmt: skip
    assignments.close(assignment=make_puzzle(vocabulary_list=many, words=3).assignments.get())
    page = sign_in(student).get("/words/?q=cat").content.decode()
    assert re.search(r"Comes back in\s+3\s+days", page)


def test_words_of_a_class_that_has_ended_stay_but_wait_for_nobody(met, classroom, student, sign_in):
    Classroom.objects.filter(pk=classroom.pk).update(archived_at=timezone.now())
    page = sign_in(student).get("/words/?q=cat").content.decode()
    assert "mačka" in page
    assert "Comes back" not in page
    assert "/review/sound/" not in page
    assert "Practise 1 word" not in page
    assert sign_in(student).post("/words/practise/", {"how": "cards"}).url == "/words/?"


def practised(client, how, **asked):
    return client.post("/words/practise/", {"how": how} | asked)


@pytest.mark.parametrize("how", ["cards", "match"])
def test_these_words_are_practised_the_weakest_first_at_most_twelve(
    how, met, animals, student, sign_in
):
    client = sign_in(student)
    weakest = animals.entries.get(term="slon")
    remember(student, weakest, 1, outcome="wrong")
    assert "Practise 12 of these 15 words" in " ".join(
        client.get("/words/?sort=need").content.decode().split()
    )
    page = client.get(practised(client, how).url)
    assert page.status_code == 200
    words = page.context["picked"].words
    assert (len(words), words[0]) == (12, weakest.pk)
    one = client.get(practised(client, how, q="cat").url)
    assert one.context["picked"].words == [animals.entries.get(term="mačka").pk]


def test_under_the_album_the_words_of_its_list_are_practised(met, german, student, sign_in):
    client = sign_in(student)
    page = client.get(f"/words/?album={german.pk}").content.decode()
    assert "Practise these 3 words" in " ".join(page.split())
    form = page.split('action="/words/practise/"')[1]
    asked = dict(re.findall(r'name="(q|list|level)" value="(.*?)"', form))
    picked = client.get(practised(client, "cards", **asked).url).context["picked"]
    assert set(picked.words) == set(german.entries.values_list("pk", flat=True))


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_a_puzzle_is_made_of_these_words_of_one_list(kind, met, animals, german, student, sign_in):
    client = sign_in(student)
    reply = practised(client, kind, list=animals.pk)
    puzzle = Puzzle.objects.get(created_by=student)
    assert puzzle.code in reply.url
    assert (puzzle.kind, puzzle.vocabulary_list, len(puzzle.entries)) == (kind, animals, 12)
    assert not puzzle.is_free_practice
    assert practised(client, kind, list=animals.pk).url == reply.url  # a second click


def test_too_few_words_for_a_puzzle_are_told_and_the_search_stays(met, student, sign_in):
    client = sign_in(student)
    kind = max(KINDS, key=lambda slug: KINDS[slug].fewest_words)
    assert KINDS[kind].fewest_words > 1
    reply = client.post("/words/practise/", {"how": kind, "q": "cat"}, follow=True)
    assert "too few words" in reply.content.decode()
    assert reply.context["asked"].search == "cat"
    assert not Puzzle.objects.filter(created_by=student).exists()


def test_words_to_find_in_a_puzzle_are_practised_in_no_way(
    make_puzzle, met, animals, student, sign_in
):
    puzzle = make_puzzle(words=4)
    client = sign_in(student)
    play.open_session(puzzle=puzzle, student=student)
    hidden = set(puzzle.placements.values_list("entry", flat=True))
    for how in ("cards", "match"):
        picked = client.get(practised(client, how, list=animals.pk).url).context["picked"]
        assert len(picked.words) == 8
        assert not hidden & set(picked.words)
    practised(client, "word-search", list=animals.pk)
    assert not hidden & set(Puzzle.objects.get(created_by=student).entries)


def test_another_students_words_are_nobodys(met, make_person, school, teacher, sign_in):
    other = make_person("student", school)
    assert shown(sign_in(other)) == []
    assert practised(sign_in(other), "cards").url == "/words/?"
    assert sign_in(teacher).post("/words/practise/", {"how": "cards"}).status_code == 404


def test_words_known_only_from_a_glance_are_not_listed(met, animals, student, sign_in):
    list_services.write_rows(vocabulary_list=animals, rows=rows({"vuk": "wolf"}))
    wolf = animals.entries.get(term="vuk")
    remember(student, wolf, 1, skill="form")
    assert "vuk" not in shown(sign_in(student))
    remember(student, wolf, 0.5)
    assert "vuk" in shown(sign_in(student), q="wolf")
