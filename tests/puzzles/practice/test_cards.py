"""Flashcards: the word comes when it is asked for, and what a student says of it proves nothing."""

import re
import uuid
from datetime import timedelta

import pytest
from django.utils import timezone

from osmosmjerka.accounts.models import Classroom
from puzzles.assignments import services as assignments
from puzzles.dashboards.recall import DELAYED_TEST
from puzzles.practice.picked import Picked
from tests.conftest import rows
from tests.puzzles.practice.test_practice import remember
from vocab.lists import services as list_services
from vocab.memory import reviews
from vocab.models import Review, StudyDay, WordProgress

pytestmark = pytest.mark.django_db

SAYS = {"knew": "right", "almost": "hinted", "not-yet": "wrong"}


@pytest.fixture
def known(make_puzzle, animals, student):
    """The class's puzzle is over; three words were learnt weeks ago, "mačka" is due first."""
    assignments.close(assignment=make_puzzle(words=4).assignments.get())
    animals.entries.exclude(term__in=["mačka", "slon", "labud"]).delete()
    words = {one.term: one for one in animals.entries.all()}
    remember(student, words["mačka"], 60)
    remember(student, words["slon"], 30)
    remember(student, words["labud"], 20)
    return words


def say(client, entry, said, query="", attempt=None):
    sent = {"entry": entry.pk, "said": said, "attempt": attempt or uuid.uuid4()}
    return client.post(f"/words/cards/{query}", sent)


def asked(client, query=""):
    """Return the word of the card that is shown now; None at the end."""
    page = client.get(f"/words/cards/{query}")
    return page.context["entry"].term if "Show the word" in page.content.decode() else None


def as_if(student, entry, review, mode):
    """Return what would be remembered of a word if a review had been of this mode."""
    Review.objects.filter(pk=review.pk).update(mode=mode)
    reviews.replay(student=student)
    return WordProgress.objects.filter(student=student, entry=entry).values().get()


def test_the_word_is_told_when_it_is_asked_for(known, student, sign_in):
    client = sign_in(student)
    front = client.get("/words/cards/").content.decode()
    assert "cat" in front
    assert "mačka" not in front
    assert "/review/sound/" not in front  # by ear it would be told as well
    assert "I knew it" not in front
    assert not Review.objects.filter(mode="card").exists()
    link = re.search(r"href=\"(\?show=\d+)\"", front)[1]
    back = client.get(f"/words/cards/{link}").content.decode()
    assert "mačka" in back
    assert "I knew it" in back
    assert "/review/sound/" in back


@pytest.mark.parametrize(("said", "outcome"), SAYS.items())
def test_what_is_said_moves_the_schedule_as_a_choice_and_is_no_recall(
    said, outcome, known, student, sign_in
):
    cat = known["mačka"]
    before = WordProgress.objects.get(student=student, entry=cat)
    reply = say(sign_in(student), cat, said)
    assert (reply.status_code, reply.url) == (302, "/words/cards/?")
    after = WordProgress.objects.get(student=student, entry=cat)
    last = Review.objects.get(mode="card")
    assert last.outcome == outcome
    assert after.state["card"]["moves"] == before.state["card"]["moves"] + 1
    assert (after.delayed, after.recalled) == (before.delayed, before.recalled)
    assert after.level <= before.level
    assert after.state["ways"] == before.state["ways"]
    assert not Review.objects.filter(DELAYED_TEST, mode="card").exists()
    # The same schedule as after a choice of four with this result.
    assert as_if(student, cat, last, "chosen") == as_if(student, cat, last, "card")
    # The control: typed, it would be a test.
    assert as_if(student, cat, last, "typed") != as_if(student, cat, last, "card")


def test_a_card_that_is_sent_twice_counts_once_and_a_day_moves_once(known, student, sign_in):
    client, attempt, cat = sign_in(student), uuid.uuid4(), known["mačka"]
    for _again in range(2):
        say(client, cat, "not-yet", attempt=attempt)
    assert Review.objects.filter(mode="card").count() == 1
    moved = WordProgress.objects.get(entry=cat).due_on
    say(client, cat, "knew")
    progress = WordProgress.objects.get(entry=cat)
    assert progress.due_on == moved
    assert progress.state["tries"] == 2


@pytest.mark.parametrize("is_picked", [False, True])
def test_a_missed_word_returns_at_the_end_of_the_round(is_picked, known, student, sign_in):
    client = sign_in(student)
    words = [known[term].pk for term in ("mačka", "slon", "labud")]
    query = f"?{Picked.of(words).query}" if is_picked else ""
    say(client, known["mačka"], "not-yet", query)
    assert asked(client, query) == "slon"
    say(client, known["slon"], "almost", query)
    say(client, known["labud"], "knew", query)
    assert asked(client, query) == "mačka"
    say(client, known["mačka"], "knew", query)
    assert asked(client, query) is None
    end = " ".join(client.get(f"/words/cards/{query}").content.decode().split())
    if is_picked:
        assert "You knew 1 of 3 words at once." in end
        assert "Practise the 1 word you got wrong" in end
    else:
        assert "You have done all of today’s words" in end


def test_a_word_that_is_never_known_does_not_return_for_ever(known, student, sign_in):
    client = sign_in(student)
    query = f"?{Picked.of([known['mačka'].pk]).query}"
    for _time in range(3):
        assert asked(client, query) == "mačka"
        say(client, known["mačka"], "not-yet", query)
    assert asked(client, query) is None


def test_a_word_that_has_only_a_sound_is_heard(known, student, sign_in):
    known["mačka"].translations.all().delete()
    front = sign_in(student).get("/words/cards/").content.decode()
    assert "mačka" not in front
    assert f"/review/sound/{known['mačka'].pk}/" in front
    say(sign_in(student), known["mačka"], "knew")
    assert Review.objects.get(mode="card").skill == "sound_to_form"
    # Nobody but the student knows whether they understood it.
    assert "sound_to_form" not in WordProgress.objects.get(entry=known["mačka"]).state["ways"]


def test_a_round_that_was_picked_has_no_words_of_others(
    known, student, teacher, make_person, school, sign_in
):
    theirs = list_services.create_list(
        owner=teacher, title="Zoo", language="hr", translation_languages=["en"],
        rows=rows({"lav": "lion"}),
    ).entries.get()  # fmt: skip
    client = sign_in(student)
    query = f"?{Picked.of([theirs.pk, known['slon'].pk]).query}"
    page = client.get(f"/words/cards/{query}&show={theirs.pk}")
    assert page.context["entry"] == known["slon"]
    assert "lav" not in page.content.decode().split("<main")[1]
    assert say(client, theirs, "knew", query).status_code == 404
    other = sign_in(make_person("student", school))
    assert say(other, known["slon"], "knew").status_code == 404
    # What one student said is nothing to another who opens the same address.
    say(client, known["slon"], "knew", query)
    assert asked(client, query) is None


def test_a_class_that_has_ended_asks_nothing(known, student, classroom, sign_in):
    query = f"?{Picked.of([known['slon'].pk]).query}"
    assert asked(sign_in(student), query) == "slon"
    Classroom.objects.filter(pk=classroom.pk).update(archived_at=timezone.now())
    for path in (f"/words/cards/{query}", f"/words/match/{query}"):
        page = sign_in(student).get(path)
        assert page.status_code == 200
        assert "elephant" not in page.content.decode()
    assert say(sign_in(student), known["slon"], "knew", query).status_code == 404


@pytest.mark.parametrize("path", ["/words/cards/", "/words/match/"])
@pytest.mark.parametrize(
    "query",
    ["?words=x&round=1", "?words=1", f"?words={'9' * 30}&round={uuid.UUID(int=1)}", "?words="],
)
def test_an_address_that_makes_no_sense_is_not_found(path, query, known, student, sign_in):
    assert sign_in(student).get(path + query).status_code == 404


def test_teachers_have_no_cards(known, teacher, sign_in):
    client = sign_in(teacher)
    assert client.get("/words/cards/").status_code == 404
    assert client.get("/words/match/").status_code == 404
    assert say(client, known["slon"], "knew").status_code == 404


def test_for_a_teacher_who_views_the_pages_nothing_counts(
    known, student, teacher, classroom, sign_in
):
    client = sign_in(teacher)
    client.post(f"/pupils/{student.pk}/view/")
    page = client.get(f"/words/cards/?show={known['mačka'].pk}")
    assert "mačka" in page.content.decode()
    assert say(client, known["mačka"], "knew").status_code == 403
    page = client.get("/words/match/", follow=True)
    assert "elephant" in page.content.decode()
    assert not Review.objects.filter(mode__in=["card", "matched"]).exists()


def test_what_is_said_is_practice_but_no_right_answer_of_a_leaderboard(known, student, sign_in):
    say(sign_in(student), known["mačka"], "knew")
    day = StudyDay.objects.filter(student=student).latest("day")
    assert (day.reviews, day.right) == (1, 0)
    client = sign_in(student)
    client.post("/review/", {  # the control
        "entry": known["slon"].pk, "mode": "typed", "attempt": uuid.uuid4(), "answer": "slon",
    })  # fmt: skip
    day.refresh_from_db()
    assert (day.reviews, day.right) == (2, 1)
    assert reviews.replay(student=student) == 0


def test_what_was_said_is_in_the_history_of_the_word(known, student, sign_in):
    client = sign_in(student)
    say(client, known["mačka"], "almost")
    page = client.get(f"/words/{known['mačka'].pk}/").content.decode()
    assert "Flashcard" in page
    assert "Correct with help" in page


def test_a_card_of_tomorrow_is_another_move(known, student, sign_in):
    """The control of “a day moves once”."""
    cat = known["mačka"]
    for days in (2, 1):
        reviews.review(
            student=student, entry=cat, mode="card", skill="meaning_to_form", outcome="right",
            at=timezone.now() - timedelta(days=days), source=f"card:{days}",
        )  # fmt: skip
    assert WordProgress.objects.get(entry=cat).state["card"]["moves"] == 3
