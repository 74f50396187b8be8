"""The time that a summary and a teacher's results show is the time of play."""

from datetime import UTC, datetime, timedelta

import pytest
from django.utils import timezone

from puzzles.models import Move
from puzzles.play import services as play
from puzzles.play.pauses import PAUSE, time_played
from puzzles.play.selectors import play_state
from tests.puzzles.practice.test_practice import find_all

BEGAN = datetime(2026, 11, 20, 8, tzinfo=UTC)


@pytest.mark.parametrize(
    ("minutes", "expected"), [([], 0), ([1], 1), ([2, 1], 2), ([1, 600, 601], 2 + 3), ([-5], 0)]
)
def test_a_pause_counts_as_its_first_minutes(minutes, expected):
    assert timedelta(minutes=3) == PAUSE
    moves = [BEGAN + timedelta(minutes=number) for number in minutes]
    assert time_played(BEGAN, moves) == timedelta(minutes=expected)


@pytest.mark.django_db
def test_a_night_away_is_no_time_of_play(make_puzzle, student):
    puzzle = make_puzzle(words=4)
    session = play.open_session(puzzle=puzzle, student=student)
    find_all(puzzle, student)
    session.refresh_from_db()
    session.started_at = timezone.now() - timedelta(hours=14)
    session.save()
    first, *_others = Move.objects.order_by("at")
    Move.objects.filter(pk=first.pk).update(at=session.started_at + timedelta(seconds=20))
    assert 20 + 180 <= play_state(session)["summary"]["seconds"] < 20 + 180 + 60


@pytest.mark.django_db
@pytest.mark.parametrize(("shown", "is_praised"), [(1, True), (3, False)])
def test_a_hint_does_not_take_all_praise(shown, is_praised, make_puzzle, student):
    puzzle = make_puzzle(words=8)
    session = play.open_session(puzzle=puzzle, student=student)
    for placement in puzzle.placements.all()[:shown]:
        play.take_hint(session=session, slot=placement.slot, kind="word")
    find_all(puzzle, student)
    session.refresh_from_db()
    message = play_state(session)["summary"]["message"]
    assert f"{8 - shown} of 8 words found." in message
    assert ("Well done!" in message) == is_praised
