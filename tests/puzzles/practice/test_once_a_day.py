"""What students can repeat as often as they like counts once a day for their days and points."""

from __future__ import annotations

import uuid

import pytest

from puzzles.practice import picked, quiz
from vocab.memory import reviews
from vocab.models import Review, StudyDay

pytestmark = pytest.mark.django_db


def counted(student):
    return StudyDay.objects.filter(student=student).values_list("reviews", "right").latest("day")


def match(student, entry):
    quiz.record(
        student=student, entry=entry, mode=Review.Mode.MATCHED, outcome=Review.Outcome.RIGHT,
        source=f"match:{student.pk}:{uuid.uuid4()}:{entry.pk}", session=uuid.uuid4(),
    )  # fmt: skip


def test_a_word_counts_once_in_any_number_of_invented_rounds(animals, student):
    one, other = animals.entries.all()[:2]
    for _round in range(5):
        match(student, one)
    assert counted(student) == (1, 1)
    match(student, other)
    assert counted(student) == (2, 2)  # the control


def test_a_card_after_the_same_word_in_the_review_counts_no_more(animals, student):
    [entry] = animals.entries.all()[:1]
    quiz.answer(student=student, entry=entry, given=entry.term, mode="typed", attempt=uuid.uuid4())
    picked.say(student=student, entry=entry, said="knew", attempt=uuid.uuid4())
    assert counted(student) == (1, 1)


def test_a_rebuild_from_the_history_counts_the_same(animals, student):
    for entry in animals.entries.all()[:3]:
        match(student, entry)
        match(student, entry)
    before = counted(student)
    reviews.replay(student=student)
    assert counted(student) == before == (3, 3)
