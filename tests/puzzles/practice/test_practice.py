"""Practice is made of what a student is about to forget, in any kind of puzzle."""

from datetime import timedelta

import pytest
from django.core.exceptions import ValidationError
from django.utils import timezone

from osmosmjerka.jobs import ledger
from puzzles.assignments import services as assignments
from puzzles.kinds import KINDS
from puzzles.kinds.base import SentMove, cells_of
from puzzles.making import services as making
from puzzles.models import Assignment, Puzzle
from puzzles.play import services as play
from puzzles.practice import plan
from puzzles.practice import services as practice
from tests.conftest import rows
from tests.puzzles.practice.plans import day_plan, more_words
from vocab.entries import bulk
from vocab.lists import services as list_services
from vocab.memory import reviews
from vocab.memory import selectors as memory
from vocab.memory.rules import today
from vocab.models import Pronunciation, Review, WordProgress
from vocab.sounds import voices

pytestmark = [pytest.mark.django_db, pytest.mark.database]


def remember(
    student, entry, *days_ago, outcome="right", mode="typed", skill="meaning_to_form", **facts
):
    for days in days_ago:
        reviews.review(
            student=student, entry=entry, mode=mode, skill=skill, outcome=outcome,
            at=timezone.now() - timedelta(days=days),
            source=f"{student.pk}:{entry.pk}:{days}:{outcome}:{skill}", **facts,
        )  # fmt: skip


@pytest.fixture
def given(make_puzzle):
    """The class was given something of the list, so that it is the student's list; it is over."""
    puzzle = make_puzzle()
    assignments.close(assignment=puzzle.assignments.get())
    return puzzle


@pytest.fixture
def words(animals, given, student):
    """A word overdue, one longer, one forgotten, one known; the others are new."""
    late, later, forgotten, known, seen, *_new = animals.entries.all()
    remember(student, late, 20)
    remember(student, later, 60)
    remember(student, forgotten, 40, 38, 30, 20)
    remember(student, forgotten, 9, outcome="wrong")
    remember(student, known, 60, 58, 50, 30, 1)
    remember(student, seen, 1, skill="form")
    return late, later, forgotten, known, seen


def test_overdue_words_come_first_then_new_ones_and_known_ones_only_for_those_who_go_on(
    words, student
):
    late, later, forgotten, known, seen = words
    left = day_plan(student, timezone.now()).left
    assert left[:3] == [later.pk, late.pk, forgotten.pk]
    assert seen.pk in left[3:]  # seeing is not recalling
    assert known.pk not in left, "it was right yesterday"
    assert known.pk in more_words(student, timezone.now())


def made(puzzle):
    ledger.run_job(str(making.job_of(puzzle).pk))
    puzzle.refresh_from_db()
    assert puzzle.state == "ready", puzzle.reason
    return puzzle


def test_which_words_of_a_silent_language_were_recorded_is_asked_once(
    animals, monkeypatch, django_assert_num_queries
):
    monkeypatch.setattr(voices, "engines_for", lambda language: [])
    entries = plan.entries_to_ask([entry.pk for entry in animals.entries.all()])
    sound = {"language": "hr", "engine": Pronunciation.Engine.RECORDING}
    Pronunciation.objects.create(entry=entries[1], text=entries[1].term, **sound)
    with django_assert_num_queries(1):
        assert plan.askable("finder", entries) == [entries[1]]


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_practice_is_a_puzzle_of_those_words_in_any_kind(kind, words, student):
    puzzle = made(practice.request_practice(student=student, kind=kind, size=6, seed=4))
    placed = {placement.entry_id for placement in puzzle.placements.all()}
    assert placed <= set(puzzle.entries)
    assert words[0].pk in placed or any(words[0].term in u["word"] for u in puzzle.unplaced)
    assert len(placed) >= 4


def find_all(puzzle, student):
    import uuid

    session = play.open_session(puzzle=puzzle, student=student)
    for placement in puzzle.placements.all():
        attempt = SentMove(placement.slot, cells_of(placement), tuple(placement.tiles))
        play.record_move(session=session, move_id=uuid.uuid4(), move=attempt)
    return session


def test_practice_moves_due_dates_and_free_practice_moves_none(words, student):
    late = WordProgress.objects.get(student=student, entry=words[0])
    free = made(practice.request_practice(student=student, kind="word-search", is_free=True))
    session = find_all(free, student)
    assert Review.objects.filter(session=session.pk, is_free_practice=True).count() >= 8
    assert WordProgress.objects.get(pk=late.pk).due_on == late.due_on
    earnest = made(practice.request_practice(student=student, kind="word-search", size=6))
    find_all(earnest, student)
    assert WordProgress.objects.get(pk=late.pk).due_on > late.due_on


def test_a_list_that_was_not_given_is_not_practised(given, student, teacher):
    other = list_services.create_list(
        owner=teacher, title="Secret", language="hr", translation_languages=["en"],
        rows=rows({"riba": "fish"}),
    )  # fmt: skip
    with pytest.raises(ValidationError, match="not one of your lists"):
        practice.request_practice(student=student, kind="word-search", vocabulary_list=other)


def test_with_nothing_to_practise_that_is_said(animals, student, classroom):
    with pytest.raises(ValidationError, match="No words to practise today"):
        practice.request_practice(student=student, kind="word-search")


def test_a_word_without_translation_is_seen_and_not_recalled(animals, make_puzzle, student):
    animals.entries.first().translations.all().delete()
    puzzle = make_puzzle(words=12)
    find_all(puzzle, student)
    skills = dict(Review.objects.values_list("entry", "skill"))
    assert skills[animals.entries.first().pk] == "form"
    assert skills[animals.entries.last().pk] == "meaning_to_form"


def test_the_students_page_tells_what_to_do_and_what_is_known(words, student, sign_in):
    page = sign_in(student).get("/").content.decode()
    assert "11 of 11 left" in page
    assert "Practise now" in page
    assert "Quick review: 11 words" in page
    assert f"Your {WordProgress.objects.filter(student=student).count()} words" in " ".join(
        page.split()
    )
    listed = sign_in(student).get("/words/").content.decode()
    assert words[2].term in listed
    history = sign_in(student).get(f"/words/{words[2].pk}/").content.decode()
    assert "Wrong or given up" in history


def test_from_the_page_to_practice_is_one_click(words, student, sign_in):
    reply = sign_in(student).post("/practise/", {"kind": "crossword"})
    assert reply.status_code == 302
    assert sign_in(student).get(reply.url).status_code == 200


def test_a_second_click_makes_no_second_puzzle(words, student, sign_in):
    client = sign_in(student)
    first, again = (client.post("/practise/", {"kind": "crossword"}).url for _click in range(2))
    assert first == again
    assert client.post("/practise/", {"kind": "finder"}).url != first  # the control


def test_a_student_practises_so_often_a_day(words, student, monkeypatch, sign_in):
    """The workers are the class's: a student's program must not have them for itself."""
    monkeypatch.setattr(making, "STUDENTS_PUZZLES_A_DAY", 2)
    for kind in ("crossword", "finder"):
        practice.request_practice(student=student, kind=kind)
    Puzzle.objects.filter(created_by=student).update(state="ready")
    with pytest.raises(ValidationError, match="tomorrow"):
        practice.request_practice(student=student, kind="finder")


def test_a_word_that_was_deleted_is_neither_due_nor_shown(words, animals, student, sign_in):
    late, later, *_others = words
    bulk.change_many(
        vocabulary_list=animals, person=animals.owner, action="delete", entries=[late.pk]
    )
    assert day_plan(student, timezone.now()).left[0] == later.pk
    client = sign_in(student)
    assert "10 of 10 left" in client.get("/").content.decode()
    page = client.get("/words/").content.decode()
    assert later.term in page
    assert late.term not in page


def test_a_word_of_somebody_else_is_not_there(words, make_person, school, sign_in):
    other = make_person("student", school)
    assert sign_in(other).get(f"/words/{words[0].pk}/").status_code == 404
    assert sign_in(other).post("/practise/", {"kind": "crossword"}).url == "/"
    assert Assignment.objects.count() == 1


def test_the_kind_that_suits_the_words_is_offered_and_makes_a_puzzle_of_them(
    words, animals, student, sign_in
):
    client = sign_in(student)
    page = client.get("/")
    offer = page.context["offer"]
    assert (offer.kind, offer.words) == ("word-search", 11)  # most are new
    puzzle = Puzzle.objects.get(
        code=client.post("/practise/", {"kind": offer.kind, "list": animals.pk}).url.split("/")[2]
    )
    assert puzzle.kind == "word-search"
    assert set(puzzle.entries) <= set(day_plan(student, timezone.now()).left)
    for entry in animals.entries.all():
        remember(student, entry, 9, mode="heard", skill="sound_to_form")
    assert client.get("/").context["offer"].kind == "crossword"  # they were heard right by now
    find_all(made(puzzle), student)
    assert "You have done all of today’s words" in client.get("/").content.decode()


def test_a_single_word_is_offered_in_a_puzzle_that_can_be_made_of_it(
    animals, given, student, sign_in
):
    only, *others = animals.entries.all()
    bulk.change_many(
        vocabulary_list=animals, person=animals.owner, action="delete",
        entries=[one.pk for one in others],
    )  # fmt: skip
    remember(student, only, 9, mode="heard", skill="sound_to_form")  # to be written next
    client = sign_in(student)
    assert client.get("/").context["offer"].kind != "crossword"
    page = client.post("/practise/", {"kind": "crossword", "list": animals.pk}, follow=True).text
    assert "cannot be used in this puzzle type" in page
    assert "Ensure this value" not in page
    kind = client.get("/").context["offer"].kind
    assert made(practice.request_practice(student=student, kind=kind)).placements.count() == 1


def test_a_puzzle_that_was_begun_is_gone_on_with(words, student, sign_in):
    puzzle = made(practice.request_practice(student=student, kind="word-search", size=12))
    page = sign_in(student).get("/").content.decode()
    assert f'href="/play/{puzzle.code}/"' in page
    assert "Continue" in page
    assert "are in this puzzle" in page
    assert "Practise now" not in page


def test_words_of_a_list_that_is_not_ones_own_are_not_practised(words, student, teacher, sign_in):
    other = list_services.create_list(
        owner=teacher, title="Secret", language="hr", translation_languages=["en"],
        rows=rows({"riba": "fish"}),
    )  # fmt: skip
    client = sign_in(student)
    reply = client.post("/practise/", {"kind": "word-search", "list": other.pk})
    assert reply.status_code == 404
    for page in ("/", "/review/", "/api/review/"):
        assert client.get(f"{page}?list={other.pk}").status_code == 404


def test_my_words_tell_what_was_shown_by_recall_alone(words, student, sign_in):
    late, _later, forgotten, known, seen = words
    page = sign_in(student).get("/words/?sort=need").content.decode()
    assert "%" not in page.split("<main")[1]
    assert seen.term not in page
    cards = {card.split("</a>")[0].split(">")[-1]: card for card in page.split("<li class")}
    assert "known for weeks" in cards[known.term]
    assert "slipping" in cards[forgotten.term]
    assert "learning" in cards[late.term]
    # Some seconds after it was typed, at any time of day on the same day of study.
    remember(student, known, 0.9999, mode="heard", skill="sound_to_form")
    told = {one.entry: one for one in memory.words_of_student(student, today(student))}
    assert (told[known].is_heard, told[known].is_spelt) == (True, True)
    assert (told[late].is_heard, told[late].is_spelt) == (False, True)


def test_the_history_tells_how_a_word_was_asked(words, student, sign_in):
    _late, _later, forgotten, _known, seen = words
    client = sign_in(student)
    remember(student, forgotten, 1.5, outcome="wrong", mode="crossword", was_tried=False)
    remember(student, forgotten, 1, outcome="wrong", given="jellen")
    remember(
        student, forgotten, 0.9, outcome="hinted", mode="finder", skill="sound_to_form", hints=2
    )
    page = " ".join(client.get(f"/words/{forgotten.pk}/").content.decode().split())
    for text in (
        "Typed",
        "Crossword",
        "Listen and find",
        "not tried",
        "jellen",
        "Correct with help",
    ):
        assert text in page, text
    page = client.get(f"/words/{seen.pk}/").content.decode()
    assert "only seen" in page
    assert "Level" not in page


def test_a_teacher_does_not_practise(teacher, sign_in):
    assert sign_in(teacher).post("/practise/", {"kind": "crossword"}).status_code == 404


def test_what_a_teacher_assigned_comes_before_practice_until_words_were_met(
    make_puzzle, student, sign_in
):
    puzzle = make_puzzle()
    client = sign_in(student)
    assert client.get("/").context["step"] == "start"
    for entry in puzzle.vocabulary_list.entries.all()[:4]:
        remember(student, entry, 3)
    assert client.get("/").context["step"] == "practise"
