"""The log is the truth: replayed, it gives every summary again, bit by bit."""

import io
import os
import threading
from datetime import UTC, datetime, timedelta
from random import Random

import pytest
from django.core.management import call_command
from django.db import connection

from osmosmjerka.accounts.models import User
from vocab.memory import reviews
from vocab.models import Review, StudyDay, WordProgress

START = datetime(2026, 9, 1, 8, tzinfo=UTC)
REVIEWS = 100_000 if os.environ.get("OSMOSMJERKA_THOROUGH") else 600
STUDENTS = 50 if os.environ.get("OSMOSMJERKA_THOROUGH") else 6
BY_GAMES = (
    20 if os.environ.get("OSMOSMJERKA_THOROUGH") else 100
)  # of each student; the rest of a long log is written at once
pytestmark = pytest.mark.django_db


def each_pupils_reviews():
    return REVIEWS // STUDENTS


def summaries():
    words = WordProgress.objects.order_by("student", "entry", "skill").values_list(
        "student", "entry", "skill", "reviews", "right", "hinted", "wrong", "lapses", "schedule",
        "due_at", "stability", "last_at",
    )  # fmt: skip
    days = StudyDay.objects.order_by("student", "day").values_list(
        "student", "day", "reviews", "right", "known_change"
    )
    return [*words], [*days]


def remember(student, entry, at, **changes):
    wanted = {"skill": "spelling", "outcome": "right", "source": f"{student.pk}:{at}"} | changes
    return reviews.review(student=student, entry=entry, at=at, **wanted)


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
                "skill": rng.choice(Review.Skill.values),
                "outcome": rng.choices(Review.Outcome.values, [6, 2, 2])[0],
                "wrong_tries": rng.choice([0, 0, 0, 1]),
                "source": f"{pupil.pk}:{number}",
                "is_free_practice": rng.random() < 0.1,
            }
            for number, seconds in enumerate(times)
        ]
        for record in records[:BY_GAMES]:
            reviews.review(**record)
        Review.objects.bulk_create([Review(**record) for record in records[BY_GAMES:]])
    return pupils


def rebuild(**options):
    out = io.StringIO()
    call_command("rebuild_progress", stdout=out, **options)
    return out.getvalue()


def test_a_replay_gives_what_the_game_wrote_twice_and_in_any_order(log):
    if each_pupils_reviews() > BY_GAMES:
        rebuild()  # a part of so long a log was not written by games
    before = summaries()
    assert len(before[0]) > 100
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
    broken = WordProgress.objects.filter(due_at__isnull=False).first()
    WordProgress.objects.filter(pk=broken.pk).update(due_at=START, right=99)
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
    entry = animals.entries.first()
    for day in (0, 9, 4):
        remember(student, entry, START + timedelta(days=day))
    late = summaries()
    reviews.replay(student=student)
    assert summaries() == late
    in_order = reviews.Memory()
    for day in (0, 4, 9):
        in_order.take("right", START + timedelta(days=day), moves_schedule=True)
    assert WordProgress.objects.get().schedule == in_order.schedule


def test_free_practice_moves_no_due_date(student, animals):
    entry = animals.entries.first()
    remember(student, entry, START)
    before = WordProgress.objects.get()
    remember(student, entry, START + timedelta(days=3), is_free_practice=True, outcome="wrong")
    after = WordProgress.objects.get()
    assert (after.schedule, after.due_at) == (before.schedule, before.due_at)
    assert after.reviews == 2
    # Control: the same review in earnest does move it.
    remember(student, entry, START + timedelta(days=4), outcome="wrong")
    assert WordProgress.objects.get().due_at != before.due_at


def test_a_day_tells_the_words_that_became_known(student, animals):
    entry = animals.entries.first()
    for day in (0, 1, 4, 12):
        for skill in ("spelling", "meaning_to_form"):
            at = START + timedelta(days=day, minutes=skill == "spelling")
            remember(student, entry, at, skill=skill, source=f"{skill}{day}")
    # Known in two skills, it is one word.
    assert sum(StudyDay.objects.values_list("known_change", flat=True)) == 1
    assert StudyDay.objects.count() == 4


@pytest.mark.django_db(transaction=True)
def test_a_review_that_comes_while_the_log_is_replayed_is_in_the_summary(
    student, animals, monkeypatch
):
    """Its day is new, so that the replay knows of no row that both would write."""
    entry = animals.entries.first()
    remember(student, entry, START)
    plain, was_read = reviews.replayed, threading.Event()

    def read_slowly(records):
        told = plain(list(records))
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
    monkeypatch.setattr(reviews, "replayed", read_slowly)
    late.start()
    reviews.replay(student=student)
    late.join(timeout=30)
    kept = summaries()
    assert kept[0][0][3] == 2
    monkeypatch.setattr(reviews, "replayed", plain)
    assert reviews.replay(student=student) == 0
    assert summaries() == kept
