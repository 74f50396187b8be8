"""The quick review asks due words in three ways and tells a near miss from a wrong answer."""

import re
import uuid
from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from puzzles.assignments import services as assignments
from puzzles.models import Assignment
from tests.conftest import ANIMALS, rows
from tests.puzzles.practice.test_practice import remember
from vocab.lists import services as list_services
from vocab.models import Review, WordProgress

pytestmark = pytest.mark.django_db


@pytest.fixture
def due(make_puzzle, animals, student):
    """A word that is due; the others are still to be found in a puzzle of the class."""
    make_puzzle()
    entry = animals.entries.get(term="mačka")
    remember(student, entry, 20)
    return entry


@pytest.fixture
def given(make_puzzle, student):
    """The list of the animals is the student's; its puzzle is over, and no word was ever asked."""
    puzzle = make_puzzle(words=4)
    assignments.close(assignment=puzzle.assignments.get())
    return puzzle


def answer(client, entry, text, mode="typed", attempt=None, query="", **more):
    sent = {"entry": entry.pk, "mode": mode, "attempt": attempt or uuid.uuid4(), "answer": text}
    return client.post(f"/review/{query}", sent | more)


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
        ("warn", "", "wrong", "The word is:"),
    ],
)
@pytest.mark.parametrize(
    ("mode", "skill"), [("typed", "meaning_to_form"), ("heard", "sound_to_form")]
)
def test_the_lists_rule_for_accents_holds_wherever_one_types(
    mode, skill, accents, typed, outcome, said, due, student, sign_in
):
    list_services.update_list(vocabulary_list=due.vocabulary_list, accents=accents)
    assert said in answer(sign_in(student), due, typed, mode).content.decode()
    last = Review.objects.last()
    assert (last.outcome, last.mode, last.skill) == (outcome, mode, skill)
    assert last.is_slip is (accents != "ignore" and typed in ("macka", "mačkka"))
    assert last.given == ("" if outcome == "right" else typed)


def test_a_near_miss_is_shown_letter_by_letter(due, student, sign_in):
    text = answer(sign_in(student), due, "mačkka").content.decode()
    assert 'class="diff-extra">k<' in text
    assert "There is one k too many." in text


def end_puzzles(student):
    for assignment in Assignment.objects.all():
        assignments.close(assignment=assignment)


def test_what_is_still_to_be_found_in_a_puzzle_of_the_class_is_not_told(due, student, sign_in):
    client = sign_in(student)
    page = client.get("/review/?mode=chosen")
    assert page.context["today"].of == 1  # the due word alone, met before
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
    more = rows({"maca": "cat", "pas": "dog", "vuk": "wolf"})
    list_services.write_rows(vocabulary_list=words, rows=more)
    for term in [term for term in ANIMALS if term != "mačka"]:
        words.entries.get(term=term).delete()
    question = sign_in(student).get("/review/?mode=chosen").context["question"]
    assert sorted(question.choices) == ["mačka", "pas", "vuk"]


def test_words_of_another_list_of_the_same_languages_are_choices_where_too_few_are_left(
    due, make_puzzle, teacher, student, sign_in
):
    """All other animals are still to be found in a puzzle of the class."""
    client = sign_in(student)
    assert client.get("/review/?mode=chosen").context["question"].mode == "typed"
    german = {"Brot": "bread", "Käse": "cheese", "Milch": "milk", "Suppe": "soup"}
    food = {"kruh": "bread", "sir": "cheese", "mlijeko": "milk", "maca": "cat"}
    for language, words in (("de", german), ("hr", food)):
        other = list_services.create_list(
            owner=teacher, title="Food", language=language, translation_languages=["en"],
            rows=rows(words),
        )  # fmt: skip
        puzzle = make_puzzle(vocabulary_list=other, words=3)
        assignments.close(assignment=puzzle.assignments.get())
    question = client.get("/review/?mode=chosen").context["question"]
    assert (question.entry, question.mode) == (due, "chosen")
    assert sorted(question.choices) == ["kruh", "mačka", "mlijeko", "sir"]


def test_with_only_one_other_word_to_choose_the_word_is_typed(due, student, sign_in):
    end_puzzles(student)
    others = due.vocabulary_list.entries.exclude(pk=due.pk)
    for entry in others[2:]:
        entry.delete()
    client = sign_in(student)
    question = client.get("/review/?mode=chosen").context["question"]
    assert (question.mode, len(question.choices)) == ("chosen", 3)
    others.first().delete()
    question = client.get("/review/?mode=chosen").context["question"]
    assert (question.mode, question.choices) == ("typed", [])


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


def test_the_sound_is_that_of_the_list(make_puzzle, student, teacher, sign_in):
    japanese = list_services.create_list(
        owner=teacher, title="動物", language="ja", translation_languages=["en"],
        rows=rows({"犬（いぬ）": "dog", "ねこ": "cat", "うま": "horse", "さる": "monkey"}),
    )  # fmt: skip
    make_puzzle(vocabulary_list=japanese, words=3)
    end_puzzles(student)
    dog = japanese.entries.get(term__startswith="犬")
    of_list = sign_in(teacher).get(f"/entries/{dog.pk}/sound/normal/").content
    assert of_list
    assert sign_in(student).get(f"/review/sound/{dog.pk}/").content == of_list


def test_an_answer_sent_twice_counts_once(due, student, sign_in):
    attempt = uuid.uuid4()
    for _time in range(2):
        answer(sign_in(student), due, "mačka", attempt=attempt)
    assert Review.objects.filter(source__startswith="review:").count() == 1
    assert WordProgress.objects.get(entry=due, student=student).state["tries"] == 1


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
    page = sign_in(other).get("/review/").content.decode()
    assert "Nothing to review" in page
    assert "when your teacher assigns a puzzle" in page


@pytest.fixture
def known(due, animals, student):
    """All animals are due and can be asked; the puzzle of the class is over."""
    end_puzzles(student)
    for entry in animals.entries.exclude(pk=due.pk):
        remember(student, entry, 20)
    return list(animals.entries.all())


def test_a_right_answer_is_followed_by_the_next_word_and_a_wrong_one_stands_alone(
    known, student, sign_in
):
    client = sign_in(student)
    first = client.get("/review/")
    assert "0 of 12 done, 12 left" in first.content.decode()
    asked = first.context["question"].entry
    right = answer(client, asked, asked.term)
    page = right.content.decode()
    assert "Correct." in page
    assert asked.term in page
    assert "1 of 12 done, 11 left" in page
    assert right.context["question"].entry != asked
    asked = right.context["question"].entry
    wrong = answer(client, asked, "krava", query="?mode=typed")
    page = wrong.content.decode()
    assert "Not quite" in page
    assert asked.term in page
    assert "Your answer</label>" not in page
    assert 'href="/review/?mode=typed"' in page  # Continue
    assert "1 of 12 done, 11 left" in page


def test_who_does_not_know_says_so_and_is_told(known, student, sign_in):
    client = sign_in(student)
    entry = known[0]
    page = answer(client, entry, "kroko", give_up="1").content.decode()
    assert "The word is:" in page
    assert entry.term in page
    last = Review.objects.last()
    assert (last.outcome, last.given, last.wrong_tries) == ("wrong", "", 0)
    assert WordProgress.objects.get(entry=entry).missed_on is not None


def test_another_word_of_the_list_is_no_slip(due, student, sign_in):
    words = due.vocabulary_list
    list_services.write_rows(vocabulary_list=words, rows=rows({"mačke": "cats"}))
    client = sign_in(student)
    answer(client, due, "mačke")
    assert not Review.objects.last().is_slip
    answer(client, due, "mačku")  # the control
    assert Review.objects.last().is_slip


def test_a_wrong_choice_is_no_slip(known, student, sign_in):
    answer(sign_in(student), known[0], known[0].term[:-1], "chosen")
    assert not Review.objects.last().is_slip


def test_the_way_of_asking_follows_what_is_known(known, due, animals, student, sign_in):
    client = sign_in(student)
    words = {"new": known[0], "found": known[1], "heard": known[2]}
    WordProgress.objects.filter(student=student).delete()
    remember(student, words["new"], 9, outcome="wrong")
    remember(student, words["found"], 9, mode="word-search")
    remember(student, words["heard"], 9, mode="heard", skill="sound_to_form")
    modes = {}
    for _word in range(animals.entries.count()):
        question = client.get("/review/").context["question"]
        modes[question.entry.pk] = question.mode
        answer(client, question.entry, question.entry.term, question.mode)
    assert [modes[words[name].pk] for name in words] == ["chosen", "heard", "typed"]
    assert client.get("/review/").context.get("question") is None


def test_letters_that_a_keyboard_lacks_are_offered_and_give_nothing_away(known, student, sign_in):
    question = sign_in(student).get("/review/?mode=typed").context["question"]
    assert question.letters == ["č", "ć", "đ", "š", "ž"]


@pytest.mark.parametrize(
    ("prepare", "said"),
    [
        ("assigned", "are waiting in your puzzles"),
        ("done", "You have done all of today’s words"),
        ("closed", "No words to practise today. Words return just before"),
    ],
)
def test_with_nothing_to_review_the_page_says_why(
    prepare, said, make_puzzle, animals, student, classroom, sign_in
):
    puzzle = make_puzzle(words=12)
    if prepare == "done":
        end_puzzles(student)
        for entry in animals.entries.all():
            remember(student, entry, 0)  # now
    elif prepare == "closed":
        animals.entries.all().delete()
        puzzle.assignments.update(closes_at=timezone.now())
    page = sign_in(student).get("/review/").content.decode()
    assert said in page


def test_the_end_tells_what_was_gained_and_how_to_go_on(known, student, sign_in):
    client = sign_in(student)
    missed = known[0]
    answer(client, missed, "")
    for entry in known[1:]:
        answer(client, entry, entry.term)
    answer(client, missed, missed.term)
    end = client.get("/review/")
    page = " ".join(end.content.decode().split())
    assert "Right the first time: 11 of 12 words." in page
    assert "11 words went up a level" in page
    assert "known for weeks" in page
    risen = {row.entry.term for row in end.context["gained"].risen}
    assert risen == {entry.term for entry in known[1:]}
    # All words of the list were asked today: a button for more would lead nowhere.
    assert "Practise more words" not in page
    assert "Practise more words" not in client.get("/").content.decode()


def test_tomorrow_has_as_many_words_as_the_end_of_today_says(
    student, given, teacher, sign_in, monkeypatch
):
    words = {f"riječ{number:02}": f"word {number}" for number in range(60)}
    list_services.write_rows(vocabulary_list=given.vocabulary_list, rows=rows(words))
    for number, entry in enumerate(given.vocabulary_list.entries.all()[:20]):
        remember(student, entry, 1 + number % 5)
    promised = None
    for later in range(3):
        now = timezone.now() + timedelta(days=later)
        with monkeypatch.context() as patch:
            patch.setattr(timezone, "now", lambda now=now: now)
            client = sign_in(student)
            told = client.get("/").context["today"].total
            assert promised in {None, told}
            while question := client.get("/review/").context.get("question"):
                answer(client, question.entry, question.entry.term, question.mode)
            page = " ".join(client.get("/review/").content.decode().split())
            promised = int(re.search(r"Tomorrow: (\d+) words?\.", page)[1])
            assert "Practise more words" in page


def test_who_goes_on_is_asked_more_words_and_is_told_how_many(student, given, teacher, sign_in):
    words = {f"riječ{number:02}": f"word {number}" for number in range(60)}
    list_services.write_rows(vocabulary_list=given.vocabulary_list, rows=rows(words))
    for entry in given.vocabulary_list.entries.all():
        remember(student, entry, 1)
    client = sign_in(student)
    done = client.get("/review/").context["today"].of
    left = []
    for _word in range(done + 3):
        page = client.get(f"/review/?more={done + 3}")
        question, today = page.context["question"], page.context["today"]
        left.append(today.to_review)
        answer(client, question.entry, question.entry.term, question.mode)
    assert left == list(range(done + 3, 0, -1))
    assert (
        "You have done all of today’s words"
        in client.get(f"/review/?more={done + 3}").content.decode()
    )


def test_one_list_is_asked_if_it_is_chosen(known, student, make_puzzle, teacher, sign_in):
    german = list_services.create_list(
        owner=teacher, title="Essen", language="de", translation_languages=["en"],
        rows=rows({"Brot": "bread", "Käse": "cheese", "Milch": "milk", "Suppe": "soup"}),
    )  # fmt: skip
    make_puzzle(vocabulary_list=german, words=4)
    end_puzzles(student)
    client = sign_in(student)
    page = client.get("/review/")
    assert "Words of all your lists" in page.content.decode()
    assert page.context["today"].of == 16
    asked = set()
    for _word in range(4):
        question = client.get(f"/review/?list={german.pk}").context["question"]
        asked.add(question.entry.term)
        answer(client, question.entry, question.entry.term, question.mode)
    assert asked == {"Brot", "Käse", "Milch", "Suppe"}
    assert (
        "You have done all of today’s words"
        in client.get(f"/review/?list={german.pk}").content.decode()
    )
    assert client.get("/review/").context["today"].to_review == 12


def test_a_question_costs_the_same_in_a_short_and_in_a_long_list(
    given, student, teacher, make_puzzle, sign_in
):
    words, client, costs = given.vocabulary_list, sign_in(student), []
    for more in (0, 1000):
        if more:
            many = {f"riječ{number}": f"meaning {number}" for number in range(more)}
            list_services.write_rows(vocabulary_list=words, rows=rows(many))
        client.get("/review/?mode=chosen")
        with CaptureQueriesContext(connection) as queries:
            page = client.get("/review/?mode=chosen")
        assert len(page.context["question"].choices) == 4
        costs.append(len(queries))
    assert costs[1] <= costs[0] <= 28
