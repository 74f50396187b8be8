"""The log is the truth: replayed, it gives every summary again, bit by bit."""

import io
import threading
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from random import Random

import pytest
from django.core.management import call_command
from django.db import connection

from osmosmjerka.accounts.models import User
from osmosmjerka.accounts.schools.services import update_school
from osmosmjerka.jobs import ledger
from osmosmjerka.jobs.models import Job
from tests.layers import IS_THOROUGH
from vocab.entries.services import edit_entry
from vocab.memory import changed_words, reviews
from vocab.memory.rules import REPLAY, rules_of
from vocab.models import Entry, Review, StudyDay, WordProgress
from vocab.rows import convert

START = datetime(2026, 9, 1, 8, tzinfo=UTC)
REVIEWS = 100_000 if IS_THOROUGH else 600
STUDENTS = 50 if IS_THOROUGH else 6
BY_GAMES = 20 if IS_THOROUGH else 100  # of each student; the rest of a long log is written at once
pytestmark = [pytest.mark.django_db, pytest.mark.database]


def each_pupils_reviews():
    return REVIEWS // STUDENTS


def summaries():
    words = WordProgress.objects.order_by("student", "entry").values_list(
        "student", "entry", "asked", "right", "helped", "wrong", "delayed", "recalled", "lapses",
        "level", "stability", "last_on", "due_on", "urgent_on", "known_since", "rests_until",
        "missed_on", "last_at", "state",
    )  # fmt: skip
    days = StudyDay.objects.order_by("student", "day").values_list(
        "student", "day", "reviews", "right"
    )
    return [*words], [*days]


def remember(student, entry, at, **changes):
    wanted = {
        "mode": "typed",
        "skill": "meaning_to_form",
        "outcome": "right",
        "source": f"{student.pk}:{entry.pk}:{at}",
    }
    return reviews.review(student=student, entry=entry, at=at, **wanted | changes)


@pytest.fixture
def pupils(make_person, school):
    return [make_person(User.Role.STUDENT, school) for _number in range(STUDENTS)]


@pytest.fixture
def log(pupils, animals, settings, tmp_path):
    """A term of reviews, most of them written one by one as a game writes them."""
    settings.DATA_DIR = tmp_path  # where the command keeps how far it is
    rng = Random(6)
    entries = list(animals.entries.all())
    each = each_pupils_reviews()
    for pupil in pupils:
        times = sorted(rng.uniform(0, 100 * 86_400) for _review in range(each))
        records = [
            {
                "student": pupil,
                "entry": rng.choice(entries),
                "at": START + timedelta(seconds=seconds),
                "mode": rng.choice(list(Review.Mode)),
                "skill": rng.choice(list(Review.Skill)),
                "outcome": rng.choices(Review.Outcome.values, [6, 2, 2])[0],
                "wrong_tries": rng.choice([0, 0, 0, 1]),
                "is_slip": rng.random() < 0.1,
                "was_tried": rng.random() < 0.9,
                "source": f"{pupil.pk}:{number}",
                "is_free_practice": rng.random() < 0.1,
            }
            for number, seconds in enumerate(times)
        ]
        for record in records[:BY_GAMES]:
            reviews.review(**record)
        zone = rules_of(pupil.school)
        Review.objects.bulk_create(
            Review(**record, word=record["entry"].key, day=zone.day_of(record["at"]))
            for record in records[BY_GAMES:]
        )
    if each > BY_GAMES:
        rebuild()  # a part of so long a log was not written by games
    return pupils


def rebuild(**options):
    out = io.StringIO()
    call_command("rebuild_progress", stdout=out, **options)
    return out.getvalue()


def test_a_replay_gives_what_the_game_wrote_twice_and_in_any_order(log):
    before = summaries()
    assert len(before[0]) == len(log) * 12  # each pupil was asked each word
    assert "0 summaries were different" in rebuild()
    assert summaries() == before
    WordProgress.objects.all().delete()
    StudyDay.objects.all().delete()
    shuffled = list(log)
    Random(1).shuffle(shuffled)
    for pupil in shuffled:
        reviews.replay(student=pupil)
    assert summaries() == before


def test_the_command_mends_a_summary_and_takes_away_what_no_review_tells(log, animals):
    before = summaries()
    broken = WordProgress.objects.first()
    WordProgress.objects.filter(pk=broken.pk).update(due_on=START, right=99)
    StudyDay.objects.create(student=log[0], day="2020-01-01", reviews=3)
    assert "2 summaries were different" in rebuild()
    assert summaries() == before


def test_the_command_goes_on_where_it_was_stopped(log, monkeypatch):
    seen = []
    replay = reviews.replay

    def stopped_at_the_third(*, student):
        if len(seen) == 2:
            raise KeyboardInterrupt
        seen.append(student)
        return replay(student=student)

    monkeypatch.setattr(reviews, "replay", stopped_at_the_third)
    with pytest.raises(KeyboardInterrupt):
        rebuild()
    monkeypatch.setattr(reviews, "replay", replay)
    told = rebuild()
    assert f"Going on behind student {seen[-1].pk}." in told
    assert f"{len(log) - 2}/{len(log) - 2} students" in told
    assert "Going on" not in rebuild()


def test_a_review_that_comes_late_is_put_where_it_belongs(student, animals):
    entry, other, *_rest = animals.entries.all()
    remember(student, other, START + timedelta(days=5))
    for day in (0, 9, 4):
        remember(student, entry, START + timedelta(days=day))
    late = summaries()
    assert reviews.replay(student=student) == 0
    Review.objects.all().delete()
    reviews.replay(student=student)
    assert summaries() == ([], [])
    remember(student, other, START + timedelta(days=5))
    for day in (0, 4, 9):
        remember(student, entry, START + timedelta(days=day))
    assert [row[2:] for row in summaries()[0]] == [row[2:] for row in late[0]]


def test_free_practice_and_words_that_nobody_tried_move_nothing(student, animals):
    entry = animals.entries.first()
    remember(student, entry, START)
    before = WordProgress.objects.values().get()
    later = START + timedelta(days=3)
    remember(student, entry, later, is_free_practice=True, outcome="wrong", source="free")
    remember(student, entry, later, was_tried=False, outcome="wrong", source="left")
    remember(student, entry, later, skill="form", source="seen")
    assert WordProgress.objects.values().get() == before
    assert Review.objects.count() == 4, "the history has them"
    # Control: the same answer in earnest does move it.
    remember(student, entry, START + timedelta(days=4), outcome="wrong")
    assert WordProgress.objects.get().due_on != before["due_on"]


def test_words_left_when_a_puzzle_was_finished_early_stay_new(student, animals):
    entry = animals.entries.first()
    remember(student, entry, START, mode="word-search", outcome="wrong", was_tried=False)
    assert not WordProgress.objects.exists()
    assert not StudyDay.objects.exists(), "nobody practised"


def test_answers_sent_twice_count_once(student, animals):
    entry = animals.entries.first()
    first = remember(student, entry, START)
    before = summaries()
    assert remember(student, entry, START) is None
    assert Review.objects.get() == first
    assert summaries() == before


def test_many_answers_take_as_many_statements_as_one(
    student, animals, django_assert_max_num_queries
):
    entries = list(animals.entries.all())

    def given(entry, day):
        return reviews.GivenAnswer(
            entry=entry,
            mode="word-search",
            skill="meaning_to_form",
            outcome="right",
            source=f"{entry.pk}:{day}",
            at=START + timedelta(days=day),
        )

    for day, some in ((0, entries[:1]), (1, entries), (2, entries), (2.01, entries[:1])):
        with django_assert_max_num_queries(12):
            reviews.record(student=student, answers=[given(entry, day) for entry in some])
    assert reviews.replay(student=student) == 0


def test_a_day_of_study_begins_at_four_where_the_school_is(make_person, school, animals):
    school.time_zone = "America/New_York"
    school.save()
    pupil = make_person(User.Role.STUDENT, school)
    entries = list(animals.entries.all())
    before_four = datetime(2026, 9, 2, 7, 59, tzinfo=UTC)  # 03:59 in New York
    assert str(remember(pupil, entries[0], before_four).day) == "2026-09-01"
    assert str(remember(pupil, entries[1], before_four + timedelta(minutes=1)).day) == "2026-09-02"


def test_schedules_follow_the_schools_recall_target(teacher, student, school, animals):
    entry = animals.entries.first()
    for day in (0, 3, 43):  # a gap of 40 days: nothing shorter than 80 is capped
        remember(student, entry, START + timedelta(days=day))
    before = WordProgress.objects.get()
    school.recall_target = 0.95
    update_school(school=school, actor=teacher, changed=["recall_target"])
    ledger.run_job(str(Job.objects.get(kind=REPLAY).pk))
    after = WordProgress.objects.get()
    assert after.due_on < before.due_on
    assert after.asked == before.asked


@pytest.mark.parametrize("together", [True, False], ids=["in one call", "one by one"])
def test_a_days_count_does_not_depend_on_which_answer_arrived_first(together, student, animals):
    """Two answers to one word, the right one from a device that was offline: it was earlier."""
    entry = animals.entries.first()
    answers = [
        reviews.GivenAnswer(
            entry, "typed", "meaning_to_form", outcome, source=outcome,
            at=START + timedelta(hours=hours),
        )
        for outcome, hours in (("wrong", 2), ("right", 1))
    ]  # fmt: skip
    for some in [answers] if together else [[one] for one in answers]:
        reviews.record(student=student, answers=some)
    day = StudyDay.objects.get()
    assert (day.reviews, day.right) == (1, 1)
    assert reviews.replay(student=student) == 0


def test_a_word_that_became_another_starts_again_and_comes_back_with_it(student, animals):
    entry = animals.entries.get(term="labud")
    for day in (0, 3, 12):
        remember(student, entry, START + timedelta(days=day))
    before = summaries()[0]
    edit(entry, "gepard")
    assert not WordProgress.objects.exists()
    assert Review.objects.count() == 3
    edit(entry, "labud")
    assert [row[2:] for row in summaries()[0]] == [row[2:] for row in before]


@pytest.mark.parametrize("is_correction", [None, True, False])
def test_a_corrected_word_is_remembered_unless_the_teacher_says_it_is_another(
    student, animals, is_correction
):
    entry = animals.entries.get(term="krokodil")
    remember(student, entry, START)
    edit(entry, "krokodyl", is_correction=is_correction)
    assert WordProgress.objects.exists() == (is_correction is not False)
    key = "krokodil"
    entry.refresh_from_db()
    changed_words.decide(entry=entry, key=key, is_same=False)
    assert not WordProgress.objects.exists()
    changed_words.decide(entry=entry, key=key, is_same=True)
    assert WordProgress.objects.get().asked == 1
    assert reviews.replay(student=student) == 0


def test_a_word_that_was_corrected_and_then_replaced_starts_again(student, animals):
    entry = animals.entries.get(term="krokodil")
    remember(student, entry, START)
    edit(entry, "krokodyl")
    edit(entry, "vrt")
    assert not WordProgress.objects.exists()
    edit(entry, "krokodyl", is_correction=False)  # the undo
    assert WordProgress.objects.get().asked == 1
    entry.refresh_from_db()
    assert changed_words.effect(entry, "krokodil") == "kept"
    changed_words.decide(entry=entry, key="krokodil", is_same=False)
    assert not WordProgress.objects.exists()


def test_in_a_short_word_another_letter_makes_another_word(student, animals):
    entry = animals.entries.get(term="slon")
    remember(student, entry, START)
    edit(entry, "ston")
    assert not WordProgress.objects.exists()


def test_with_many_reviews_a_decision_is_carried_out_by_a_job_each_time(
    student, animals, monkeypatch
):
    monkeypatch.setattr(changed_words, "_FEW_REVIEWS", 0)
    entry = animals.entries.get(term="krokodil")
    remember(student, entry, START)
    edit(entry, "vrt")
    for is_same in (True, False, True):
        entry.refresh_from_db()
        changed_words.decide(entry=entry, key="krokodil", is_same=is_same)
        for job in Job.objects.filter(kind=REPLAY, state=Job.State.QUEUED):
            ledger.run_job(str(job.pk))
        assert WordProgress.objects.exists() == is_same


def test_an_answer_that_comes_late_changes_what_the_later_ones_bridged(student, animals):
    entry = animals.entries.first()
    for day in (0, 9, 8):  # the last one waited on a device
        remember(student, entry, START + timedelta(days=day))
    gaps = dict(Review.objects.values_list("day", "gap"))
    assert list(dict(sorted(gaps.items())).values()) == [None, 8, 1]


def edit(entry, term, **how):
    entry = Entry.objects.select_related("vocabulary_list").get(pk=entry.pk)
    row = replace(convert.row_of(entry), term=term)
    edit_entry(entry=entry, version=entry.version, row=row, **how)


@pytest.mark.django_db(transaction=True)
def test_a_review_that_comes_while_the_log_is_replayed_is_in_the_summary(
    student, animals, monkeypatch
):
    """Its day is new, so that the replay knows of no row that both would write."""
    entry = animals.entries.first()
    remember(student, entry, START)
    plain, was_read = reviews._history, threading.Event()

    def read_slowly(student):
        told = list(plain(student))
        was_read.set()
        late.join(timeout=1)
        return told

    def come_late():
        try:
            was_read.wait(10)
            remember(student, entry, START + timedelta(days=3))
        finally:
            connection.close()

    late = threading.Thread(target=come_late)
    monkeypatch.setattr(reviews, "_history", read_slowly)
    late.start()
    reviews.replay(student=student)
    late.join(timeout=30)
    kept = summaries()
    assert kept[0][0][2] == 2, "asked twice"
    monkeypatch.setattr(reviews, "_history", plain)
    assert reviews.replay(student=student) == 0
    assert summaries() == kept
