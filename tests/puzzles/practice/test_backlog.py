"""While enough words are due, new ones are not looked for; the plan stays the same."""

from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from puzzles.access import Moment
from puzzles.assignments import services as assignments
from puzzles.practice import plan
from vocab.memory import planning
from vocab.memory.card import Card
from vocab.memory.rules import today
from vocab.models import Entry, WordProgress

pytestmark = [pytest.mark.django_db, pytest.mark.database]
SIZE = 24  # words a day


@pytest.fixture
def met(make_puzzle, animals, student):
    """Let the student have met *count* words, which wait, of the 200 of a list."""
    assignments.close(assignment=make_puzzle(words=4).assignments.get())
    Entry.objects.bulk_create(
        Entry(vocabulary_list=animals, term=f"riječ {n}", key=f"riječ {n}", position=n)
        for n in range(100, 288)
    )
    on = today(student, timezone.now())
    state = {"card": {}, "before": {}, "counts_before": {}, "ways": [], "tries": 0}

    def met(count):
        WordProgress.objects.bulk_create(
            WordProgress(
                student=student, entry=entry, stability=9.0, state=state,
                last_on=on - timedelta(days=30), last_at=timezone.now() - timedelta(days=30),
                due_on=on - timedelta(days=4 + number % 9),
                # Each fourth may wait until new words were begun; not all are given one.
                urgent_on=[None, on, on - timedelta(days=1), on + timedelta(days=1)][number % 4],
            )
            for number, entry in enumerate(animals.entries.all()[:count])
        )  # fmt: skip

    return met


def all_candidates(student, vocabulary_list):
    """Return every word of the list, as it is: what nothing was left out of."""
    known = {one.entry_id: one for one in WordProgress.objects.filter(student=student)}
    return [
        planning.Candidate(
            entry.pk,
            Card(
                stability=one.stability,
                last_on=one.last_on,
                due_on=one.due_on,
                urgent_on=one.urgent_on,
            )
            if (one := known.get(entry.pk))
            else Card(),
        )
        for entry in vocabulary_list.entries.all()
    ]


# Of 47 words 36 are urgent: a day's words and those of another round, 24 + 12.
@pytest.mark.parametrize("count", [0, 10, 24, 31, 32, 46, 47, 48, 100, 200])
def test_the_plan_is_that_of_all_words(count, met, animals, student):
    met(count)
    of_day = plan.Today.of(Moment(student, timezone.now()))
    every = all_candidates(student, animals)
    assert of_day.plan().words == planning.plan(every, of_day.on, SIZE).words
    for size in (plan.MORE, 1):
        wanted = planning.plan(every, of_day.on, size, is_early=True).words
        assert of_day.more(size) == list(wanted)


@pytest.mark.parametrize(("count", "are_looked_for"), [(47, False), (46, True)])
def test_new_words_are_looked_for_unless_enough_are_urgent(count, are_looked_for, met, student):
    met(count)
    with CaptureQueriesContext(connection) as captured:
        plan.Today.of(Moment(student, timezone.now()))
    of_new = [one["sql"] for one in captured if 'NOT ("vocab_entry"."id" IN' in one["sql"]]
    assert bool(of_new) == are_looked_for
