"""What the ledger keeps of each way in which a word is met, and how it is scheduled by it."""

import uuid
from datetime import UTC, datetime, timedelta

import pytest
from django.utils import timezone
from fsrs import Card, Rating, Scheduler

from puzzles.kinds.base import SentMove, cells_of
from puzzles.play import services as play
from vocab.memory import reviews
from vocab.models import Review, WordProgress

pytestmark = [pytest.mark.django_db, pytest.mark.database]
SEEN, MEANING, SOUND = "form", "meaning_to_form", "sound_to_form"
NOT_AT_ALL = None


def find(session, word):
    attempt(session, SentMove(word.slot, cells_of(word), tuple(word.tiles)))


def miss(session, word):
    """Trace the first two squares only, or type a word of one letter."""
    is_typed = session.puzzle.kind == "crossword"
    cells = cells_of(word) if is_typed else cells_of(word)[:2]
    attempt(session, SentMove(word.slot, cells, ("Q",) * len(word.tiles) if is_typed else None))


def attempt(session, made):
    play.record_move(session=session, move_id=uuid.uuid4(), move=made)


def hint(session, word):
    play.take_hint(session=session, slot=word.slot, kind="first_cell")


def read(session, word):
    play.take_hint(session=session, slot=word.slot, kind="text")


def reveal(session, word):
    play.take_hint(session=session, slot=word.slot, kind="word")


def give_up(session, word):
    play.finish_session(session=session)


BY_MEANING, BY_SOUND = {"clue": "translation"}, {"clue": "sound"}


@pytest.mark.parametrize(
    ("kind", "wishes", "acts", "skill", "kept", "rating"),
    [
        ("word-search", {"clue": "term"}, [find], SEEN, ("right", 0, 0), NOT_AT_ALL),
        ("word-search", {"clue": "term"}, [give_up], SEEN, ("wrong", 0, 0), NOT_AT_ALL),
        ("word-search", BY_MEANING, [find], MEANING, ("right", 0, 0), Rating.Good),
        ("word-search", BY_MEANING, [hint, find], MEANING, ("hinted", 1, 0), Rating.Hard),
        ("word-search", BY_MEANING, [miss, find], MEANING, ("right", 0, 1), Rating.Hard),
        ("word-search", BY_MEANING, [reveal], MEANING, ("wrong", 0, 0), Rating.Again),
        ("word-search", BY_MEANING, [give_up], MEANING, ("wrong", 0, 0), NOT_AT_ALL),
        ("word-search", BY_MEANING, [hint, give_up], MEANING, ("wrong", 1, 0), NOT_AT_ALL),
        ("word-search", BY_MEANING, [miss, give_up], MEANING, ("wrong", 0, 1), Rating.Again),
        ("finder", {}, [find], SOUND, ("right", 0, 0), Rating.Good),
        ("finder", {}, [miss, miss, find], SOUND, ("right", 0, 2), Rating.Hard),
        ("finder", {}, [miss, give_up], SOUND, ("wrong", 0, 1), Rating.Hard),
        ("finder", {}, [give_up], SOUND, ("wrong", 0, 0), NOT_AT_ALL),
        ("finder", {}, [read, find], SEEN, ("right", 0, 0), NOT_AT_ALL),
        ("crossword", BY_MEANING, [find], MEANING, ("right", 0, 0), Rating.Good),
        ("crossword", BY_SOUND, [find], SOUND, ("right", 0, 0), Rating.Good),
        ("crossword", BY_MEANING, [miss, find], MEANING, ("right", 0, 1), Rating.Hard),
        ("crossword", BY_SOUND, [hint, find], SOUND, ("hinted", 1, 0), Rating.Hard),
        ("crossword", BY_MEANING, [miss, give_up], MEANING, ("wrong", 0, 1), Rating.Again),
        ("crossword", BY_MEANING, [give_up], MEANING, ("wrong", 0, 0), NOT_AT_ALL),
    ],
)
def test_each_way_of_meeting_a_word_is_kept_as_what_it_shows(
    kind, wishes, acts, skill, kept, rating, make_puzzle, student
):
    puzzle = make_puzzle(kind, words=5, **wishes)
    session = play.open_session(puzzle=puzzle, student=student)
    word = puzzle.placements.first()
    for act in acts:
        act(session, word)
    review = Review.objects.get(student=student, entry=word.entry)
    assert (review.mode, review.skill, review.word) == (kind, skill, word.entry.key)
    assert (review.outcome, review.hints, review.wrong_tries) == kept
    assert review.session == session.pk
    progress = WordProgress.objects.filter(student=student, entry=word.entry).first()
    if rating is NOT_AT_ALL:
        assert progress is None
    else:
        at = datetime(2026, 9, 1, tzinfo=UTC)
        plain = Scheduler(learning_steps=(), relearning_steps=(), enable_fuzzing=False)
        card, _log = plain.review_card(Card(due=at), rating, at)
        assert progress.stability == card.stability
        assert progress.due_on > progress.last_on


def test_finishing_early_leaves_every_word_as_it_was(make_puzzle, student):
    """One early finish once took twelve words from 118 days to less than four."""
    puzzle = make_puzzle("word-search", words=12)
    entries = [word.entry for word in puzzle.placements.select_related("entry")]
    known = datetime(2026, 1, 5, 10, tzinfo=UTC)
    for days in (0, 3, 15, 60):
        answers = [
            reviews.GivenAnswer(
                entry=entry,
                mode="typed",
                skill=MEANING,
                outcome="right",
                source=f"{entry.pk}:{days}",
                at=known + timedelta(days=days),
            )
            for entry in entries
        ]
        reviews.record(student=student, answers=answers)
    before = list(WordProgress.objects.order_by("pk").values())
    play.finish_session(session=play.open_session(puzzle=puzzle, student=student))
    assert list(WordProgress.objects.order_by("pk").values()) == before
    assert Review.objects.filter(was_tried=False).count() == len(entries)


def test_eight_wrong_answers_after_a_find_make_no_date_later_and_lapse_once(make_puzzle, student):
    puzzle = make_puzzle("finder", words=5)
    session = play.open_session(puzzle=puzzle, student=student)
    word = puzzle.placements.first()
    find(session, word)
    easy = WordProgress.objects.get()
    for number in range(8):
        reviews.review(
            student=student,
            entry=word.entry,
            mode="typed",
            skill=MEANING,
            outcome="wrong",
            given="?",
            source=f"{number}",
            at=timezone.now(),
        )
    hard = WordProgress.objects.get()
    assert hard.due_on <= easy.due_on
    assert (hard.asked, hard.right, hard.wrong) == (1, 0, 1)
    assert hard.missed_on == hard.last_on
    assert reviews.replay(student=student) == 0


def test_a_wrong_trace_counts_for_the_word_that_was_named_and_else_for_none(make_puzzle, student):
    puzzle = make_puzzle("word-search", words=5)
    session = play.open_session(puzzle=puzzle, student=student)
    named, other = puzzle.placements.all()[:2]
    for slot in (named.slot, named.slot, None):
        attempt(session, SentMove(slot, cells_of(named)[:2]))
    find(session, named)
    find(session, other)
    tried = WordProgress.objects.get(entry=named.entry)
    assert (tried.asked, tried.right, tried.helped) == (1, 0, 1)
    assert Review.objects.get(entry=named.entry).wrong_tries == 2
    assert WordProgress.objects.get(entry=other.entry).right == 1


def test_a_word_found_without_a_connection_counts_for_the_day_on_which_it_was_found(
    make_puzzle, student
):
    puzzle = make_puzzle("word-search", words=5)
    session = play.open_session(puzzle=puzzle, student=student)
    first, second, third = puzzle.placements.all()[:3]
    now = timezone.now()
    begun = now - timedelta(days=3)
    type(session).objects.filter(pk=session.pk).update(started_at=begun)
    yesterday = now - timedelta(days=1)
    for word, told, kept in (
        (first, yesterday, yesterday),
        (second, now - timedelta(days=30), begun),  # a device's clock that is wrong
        (third, now + timedelta(days=30), None),
    ):
        made = SentMove(word.slot, cells_of(word))
        play.record_move(session=session, move_id=uuid.uuid4(), move=made, answered_at=told)
        review = Review.objects.get(entry=word.entry)
        assert review.at == kept or (kept is None and now <= review.at <= timezone.now())
        assert review.recorded_at >= now
    assert reviews.replay(student=student) == 0


def test_on_a_tablet_whose_clock_is_wrong_a_word_counts_for_the_day_on_which_it_was_found(
    make_puzzle, student
):
    puzzle = make_puzzle("word-search", words=5)
    session = play.open_session(puzzle=puzzle, student=student)
    now, day = timezone.now(), timedelta(days=1)
    type(session).objects.filter(pk=session.pk).update(started_at=now - 3 * day)
    placements = puzzle.placements.all()
    # By so much the clock is wrong, and so long the word waited on the tablet.
    for word, wrong_by, waited in (
        (placements[0], -30 * day, day),
        (placements[1], -30 * day, 0 * day),
        (placements[2], 30 * day, day),
    ):
        sent_at = timezone.now() + wrong_by
        play.record_move(
            session=session,
            move_id=uuid.uuid4(),
            move=SentMove(word.slot, cells_of(word)),
            answered_at=sent_at - waited,
            sent_at=sent_at,
        )
        at = Review.objects.get(entry=word.entry).at
        assert now - waited <= at <= timezone.now() - waited
