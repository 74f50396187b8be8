"""What the ledger keeps of each way in which a word is met, and how it is scheduled by it."""

import uuid
from datetime import UTC, datetime

import pytest
from fsrs import Card, Rating, Scheduler

from puzzles.kinds.base import SentMove, cells_of
from puzzles.play import services as play
from vocab.models import Review, WordProgress

pytestmark = pytest.mark.django_db
SEEN, MEANING, SOUND, SPELLING = "form", "meaning_to_form", "sound_to_form", "spelling"
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
    ("kind", "wishes", "acts", "skills", "kept", "rating"),
    [
        ("word-search", {"clue": "term"}, [find], [SEEN], ("right", 0, 0), NOT_AT_ALL),
        ("word-search", {"clue": "term"}, [give_up], [SEEN], ("wrong", 0, 0), NOT_AT_ALL),
        ("word-search", BY_MEANING, [find], [MEANING], ("right", 0, 0), Rating.Good),
        ("word-search", BY_MEANING, [hint, find], [MEANING], ("hinted", 1, 0), Rating.Hard),
        ("word-search", BY_MEANING, [reveal], [MEANING], ("wrong", 0, 0), Rating.Again),
        ("word-search", BY_MEANING, [give_up], [MEANING], ("wrong", 0, 0), Rating.Again),
        ("finder", {}, [find], [SOUND], ("right", 0, 0), Rating.Good),
        ("finder", {}, [miss, miss, find], [SOUND], ("right", 0, 2), Rating.Hard),
        ("finder", {}, [read, find], [SEEN], ("right", 0, 0), NOT_AT_ALL),
        ("crossword", BY_MEANING, [find], [MEANING, SPELLING], ("right", 0, 0), Rating.Good),
        ("crossword", BY_SOUND, [find], [SOUND, SPELLING], ("right", 0, 0), Rating.Good),
        ("crossword", BY_MEANING, [miss, find], [MEANING, SPELLING], ("right", 0, 1), Rating.Hard),
        ("crossword", BY_SOUND, [hint, find], [SOUND, SPELLING], ("hinted", 1, 0), Rating.Hard),
        ("crossword", BY_MEANING, [miss, give_up], [MEANING, SPELLING], ("wrong", 0, 1),
         Rating.Again),
    ],
)  # fmt: skip
def test_each_way_of_meeting_a_word_is_kept_as_what_it_shows(
    kind, wishes, acts, skills, kept, rating, make_puzzle, student
):
    puzzle = make_puzzle(kind, words=5, **wishes)
    session = play.open_session(puzzle=puzzle, student=student)
    word = puzzle.placements.first()
    for act in acts:
        act(session, word)
    reviews = Review.objects.filter(student=student, entry=word.entry)
    assert sorted(review.skill for review in reviews) == sorted(skills)
    for review in reviews:
        assert (review.outcome, review.hints, review.wrong_tries) == kept
        assert review.session == session.pk
    at = datetime(2026, 9, 1, tzinfo=UTC)
    expected = NOT_AT_ALL
    if rating is not NOT_AT_ALL:
        card, _log = Scheduler(enable_fuzzing=False).review_card(Card(due=at), rating, at)
        expected = card.stability
    for progress in WordProgress.objects.filter(student=student, entry=word.entry):
        assert progress.stability == expected
        assert (progress.due_at is None) == (rating is NOT_AT_ALL)
