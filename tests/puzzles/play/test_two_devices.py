"""Two devices play one session, each offline for a while: nothing is lost, nothing counts twice."""

import uuid
from random import Random

import pytest

from puzzles.models import Move, PlaySession
from tests.puzzles.play.test_play import answer_to, post
from vocab.memory import reviews
from vocab.models import Review, WordProgress

pytestmark = [pytest.mark.django_db, pytest.mark.database]


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("kind", ["word-search", "crossword"])
def test_finds_of_two_devices_in_any_order(kind, seed, make_puzzle, student, sign_in):
    puzzle = make_puzzle(kind, words=8)
    rng = Random(seed)
    placements = list(puzzle.placements.all())
    queues = []
    for _device in range(2):
        # Each device found most words, its connection doubles some sendings and delays others.
        found = rng.sample(placements, rng.randint(4, len(placements)))
        queue = [answer_to(placement, kind) for placement in found]
        queues.append([body for body in queue for _time in range(rng.choice([1, 1, 2]))])
    expected = {body_key(body) for queue in queues for body in queue}
    clients = [sign_in(student), sign_in(student)]
    sent = set()
    while any(queues):
        device = rng.choice([number for number in (0, 1) if queues[number]])
        # What was sent is sent again when the answer was lost on the way.
        body = queues[device][0] if rng.random() < 0.2 else queues[device].pop(0)
        reply = post(clients[device], puzzle, "attempts", body)
        assert reply.status_code in (200, 409), reply.content
        if reply.status_code == 409:
            assert PlaySession.objects.get().finished_at is not None
            assert body_key(body) in sent
        sent.add(body_key(body))
    assert sent == expected
    found = Move.objects.filter(outcome=Move.Outcome.FOUND)
    assert found.count() == len(expected)
    assert PlaySession.objects.get().found_count == len(expected)
    assert Review.objects.count() == len(expected)
    assert sum(WordProgress.objects.values_list("asked", flat=True)) == Review.objects.count()
    assert reviews.replay(student=student) == 0


def body_key(body):
    """Return what names the word of an attempt."""
    return body.get("item") or str(body["cells"])


def test_the_count_would_notice_a_find_that_counts_twice(make_puzzle, student, sign_in):
    """Control: another word's find does raise the count."""
    puzzle = make_puzzle()
    first, second = puzzle.placements.all()[:2]
    for placement in (first, second):
        post(sign_in(student), puzzle, "attempts", answer_to(placement, "word-search"))
    body = answer_to(first, "word-search") | {"attempt": str(uuid.uuid4())}
    assert post(sign_in(student), puzzle, "attempts", body).json()["outcome"] == "already"
    assert Move.objects.filter(outcome=Move.Outcome.FOUND).count() == 2
