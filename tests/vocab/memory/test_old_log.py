"""The upgrade: reviews of version 0.1 tell how a word was asked, and replay to one card a word."""

from datetime import UTC, datetime, timedelta
from importlib import import_module

import pytest
from django.apps import apps

from osmosmjerka.jobs import ledger
from osmosmjerka.jobs.models import Job
from puzzles.play import services as play
from vocab.memory.rules import REPLAY
from vocab.models import Review, StudyDay, WordProgress

pytestmark = [pytest.mark.django_db, pytest.mark.database]
AT = datetime(2026, 9, 1, 8, tzinfo=UTC)
NOBODY_KNOWS = "?"


@pytest.fixture
def write(student):
    """Return a function that writes a review as version 0.1 did: without mode, day and word."""

    def write(entry, skill, outcome="right", session=None, days=0, **more):
        Review.objects.create(
            student=student,
            entry=entry,
            word="",
            mode=NOBODY_KNOWS if session is None else "",
            skill=skill,
            outcome=outcome,
            session=session,
            at=AT + timedelta(days=days),
            day="1900-01-01",
            source=f"{entry.pk}:{skill}:{days}:{session}",
            **more,
        )

    return write


def upgrade():
    import_module("vocab.migrations.0008_how_words_were_asked").fill(apps, None)
    import_module("puzzles.migrations.0006_how_words_were_asked").fill(apps, None)
    ledger.run_job(str(Job.objects.get(kind=REPLAY).pk))


def test_the_two_reviews_of_a_crosswords_word_count_once(make_puzzle, student, write):
    puzzle = make_puzzle("crossword", words=5)
    session = play.open_session(puzzle=puzzle, student=student)
    entry = puzzle.placements.first().entry
    for skill in ("meaning_to_form", "spelling"):
        write(entry, skill, session=session.pk)
    upgrade()
    assert set(Review.objects.values_list("mode", "word")) == {("crossword", entry.key)}
    known = WordProgress.objects.get()
    assert (known.asked, known.right) == (1, 1)
    assert StudyDay.objects.get().reviews == 1
    assert set(known.state["ways"]) == {"meaning_to_form", "spelling"}


def test_words_left_at_an_early_end_are_told_from_words_that_were_shown(
    make_puzzle, student, write
):
    puzzle = make_puzzle("word-search", words=5)
    session = play.open_session(puzzle=puzzle, student=student)
    shown, left, missed = puzzle.placements.all()[:3]
    play.take_hint(session=session, slot=shown.slot, kind="word")
    Review.objects.all().delete()
    WordProgress.objects.all().delete()
    for word in (shown, left):
        write(word.entry, "meaning_to_form", "wrong", session=session.pk)
    write(missed.entry, "meaning_to_form", "wrong", session=session.pk, wrong_tries=2)
    upgrade()
    tried = dict(Review.objects.values_list("entry", "was_tried"))
    assert tried == {shown.entry_id: True, left.entry_id: False, missed.entry_id: True}
    assert set(WordProgress.objects.values_list("entry", flat=True)) == {
        shown.entry_id,
        missed.entry_id,
    }


@pytest.mark.parametrize(
    ("skill", "mode"),
    [("meaning_to_form", "chosen"), ("spelling", "typed"), ("sound_to_form", "heard")],
)
def test_answers_of_the_quick_review_tell_how_they_were_asked(animals, write, skill, mode):
    entry = animals.entries.first()
    for days in (0, 4):
        write(entry, skill, days=days)
    upgrade()
    assert set(Review.objects.values_list("mode", flat=True)) == {mode}
    assert [str(day) for day in Review.objects.values_list("day", flat=True)] == [
        "2026-09-01",
        "2026-09-05",
    ]
    known = WordProgress.objects.get()
    assert known.asked == 2
    assert (known.level >= WordProgress.Level.DAYS) == (mode == "typed"), "by unaided recall only"


def test_a_review_whose_game_is_gone_tells_what_it_can(animals, write, student):
    """The puzzle was deleted for good: its sessions went with it, the reviews stayed."""
    entry, other, *_rest = animals.entries.all()
    gone = "00000000-0000-4000-8000-000000000001"
    for skill in ("sound_to_form", "spelling"):
        write(entry, skill, session=gone)
    write(other, "meaning_to_form", session=gone)
    upgrade()
    modes = set(Review.objects.values_list("entry", "mode"))
    assert modes == {(entry.pk, "crossword"), (other.pk, "word-search")}
