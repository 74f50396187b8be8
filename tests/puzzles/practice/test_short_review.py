"""The quick review asks due words in three ways and tells a near miss from a wrong answer."""

import uuid
from datetime import timedelta

import pytest
from django.utils import timezone

from puzzles.models import Puzzle
from puzzles.play import services as play
from tests.conftest import ANIMALS, rows
from vocab.lists import services as list_services
from vocab.memory import reviews
from vocab.models import Review

pytestmark = pytest.mark.django_db


@pytest.fixture
def due(make_puzzle, animals, student):
    make_puzzle()
    entry = animals.entries.get(term="mačka")
    for days in (20, 19.99):
        reviews.review(
            student=student, entry=entry, skill="spelling", outcome="right",
            at=timezone.now() - timedelta(days=days), source=f"{days}",
        )  # fmt: skip
    return entry


def answer(client, entry, text, mode="typed", attempt=None):
    return client.post(
        "/review/",
        {"entry": entry.pk, "mode": mode, "attempt": attempt or uuid.uuid4(), "answer": text},
    )


def test_the_due_word_is_asked_by_its_meaning_and_not_given_away(due, student, sign_in):
    text = sign_in(student).get("/review/?mode=typed").content.decode()
    assert "cat" in text
    assert "mačka" not in text


@pytest.mark.parametrize(
    ("accents", "typed", "outcome", "said"),
    [
        ("strict", "mačka", "right", "Correct."),
        ("strict", "macka", "wrong", "Only the accents"),
        ("warn", "macka", "right", "Check the accents"),
        ("ignore", "Macka", "right", "Correct."),
        ("warn", "mačkka", "wrong", "Almost"),
        ("warn", "pas", "wrong", "Not quite"),
        ("warn", "", "wrong", "Not quite"),
    ],
)
@pytest.mark.parametrize(("mode", "skill"), [("typed", "spelling"), ("heard", "sound_to_form")])
def test_the_lists_rule_for_accents_holds_wherever_one_types(
    mode, skill, accents, typed, outcome, said, due, student, sign_in
):
    list_services.update_list(vocabulary_list=due.vocabulary_list, accents=accents)
    assert said in answer(sign_in(student), due, typed, mode).content.decode()
    last = Review.objects.last()
    assert (last.outcome, last.skill) == (outcome, skill)
    assert last.given == ("" if outcome == "right" else typed)


def test_a_near_miss_is_shown_letter_by_letter(due, student, sign_in):
    text = answer(sign_in(student), due, "mačkka").content.decode()
    assert 'class="diff-extra">k<' in text
    assert "There is one k too many." in text


def end_puzzles(student):
    for puzzle in Puzzle.objects.all():
        play.finish_session(session=play.open_session(puzzle=puzzle, student=student))


def test_what_is_still_to_be_found_in_a_puzzle_of_the_class_is_not_told(due, student, sign_in):
    client = sign_in(student)
    page = client.get("/review/?mode=chosen")
    assert page.context["question"].left == 1  # the due word alone, met before
    for term in ANIMALS:
        assert term not in page.content.decode()
    end_puzzles(student)
    told = client.get("/review/?mode=chosen").content.decode()  # the control
    assert sum(term in told for term in ANIMALS) == 4


def test_nobody_is_told_a_word_of_a_puzzle_by_asking_for_it(due, animals, student, sign_in):
    """Whoever sends another word's number than the one that was asked reads and hears nothing."""
    client = sign_in(student)
    hidden = animals.entries.get(term="labud")
    reply = answer(client, hidden, "")
    assert reply.status_code == 404
    assert "labud" not in reply.content.decode()
    assert client.get(f"/review/sound/{hidden.pk}/").status_code == 404
    assert not Review.objects.filter(entry=hidden).exists()
    end_puzzles(student)
    assert "labud" in answer(client, hidden, "").content.decode()  # the control


def test_of_words_that_mean_or_are_the_same_one_is_offered(due, student, sign_in):
    end_puzzles(student)
    words = due.vocabulary_list
    more = rows({"maca": "cat", "pas": "dog"})
    list_services.write_rows(vocabulary_list=words, rows=more)
    for term in [term for term in ANIMALS if term != "mačka"]:
        words.entries.get(term=term).delete()
    question = sign_in(student).get("/review/?mode=chosen").context["question"]
    assert sorted(question.choices) == ["mačka", "pas"]


def test_an_answer_with_a_character_that_no_database_keeps_is_judged(due, student, sign_in):
    assert "Almost" in answer(sign_in(student), due, "mač\0kka").content.decode()
    assert Review.objects.last().given == "mačkka"


def test_a_choice_is_among_four_and_a_sound_can_be_heard(due, student, sign_in):
    end_puzzles(student)
    client = sign_in(student)
    question = client.get("/review/?mode=chosen").context["question"]
    assert len(question.choices) == 4
    assert "mačka" in question.choices
    heard = client.get("/review/?mode=heard")
    assert f"/review/sound/{due.pk}/" in heard.content.decode()
    assert client.get(f"/review/sound/{due.pk}/")["Content-Type"] == "audio/mpeg"
    answer(client, due, "mačka", "heard")
    assert Review.objects.last().skill == "sound_to_form"


def test_an_answer_sent_twice_counts_once(due, student, sign_in):
    attempt = uuid.uuid4()
    for _time in range(2):
        answer(sign_in(student), due, "mačka", attempt=attempt)
    assert Review.objects.filter(source__startswith="review:").count() == 1


def test_another_script_is_typed_as_well(make_puzzle, student, teacher, sign_in):
    arabic = list_services.create_list(
        owner=teacher, title="مدرسة", language="ar", translation_languages=["en"],
        rows=rows({"كتاب": "book", "قلم": "pen", "باب": "door", "درس": "lesson"}),
    )  # fmt: skip
    make_puzzle(vocabulary_list=arabic, words=4)
    end_puzzles(student)
    assert "Correct." in answer(sign_in(student), arabic.entries.first(), "كتاب").content.decode()


def test_strangers_and_broken_answers_find_nothing(
    due, student, teacher, make_person, school, sign_in
):
    other = make_person("student", school)
    assert answer(sign_in(other), due, "mačka").status_code == 404
    assert sign_in(other).get(f"/review/sound/{due.pk}/").status_code == 404
    assert sign_in(teacher).get("/review/").status_code == 404
    assert answer(sign_in(student), due, "x", mode="telepathy").status_code == 404
    assert sign_in(student).post("/review/", {"entry": "x"}).status_code == 404
    assert "Nothing to review" in sign_in(other).get("/review/").content.decode()
