"""The overview of classes: what each did last, and what is due next."""

from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from osmosmjerka.accounts import people
from vocab.models import StudyDay

pytestmark = [pytest.mark.django_db, pytest.mark.database]


def cards(page):
    """Return what the card of each class says, by the class's name."""
    reply = page.get(reverse("classroom-list"))
    texts = reply.text.split("<article")[1:]
    return dict(
        zip(
            [str(one) for one in reply.context["classrooms"]],
            (" ".join(text.split()) for text in texts),
            strict=True,
        )
    )


def test_a_class_tells_who_practised_last_and_what_is_due_next(
    sign_in, teacher, classroom, student, mia, make_puzzle
):
    page, today = sign_in(teacher), timezone.localdate()
    empty = people.create_classroom(name="8z", owner=teacher)
    for person, ago in ((student, 1), (mia, 1), (student, 5)):
        StudyDay.objects.create(student=person, day=today - timedelta(days=ago), reviews=3)
    told = cards(page)
    assert "2 of 2 students practised yesterday" in told[str(classroom)]
    assert "practised" not in told[str(empty)]
    assert "due" not in told[str(classroom)]
    puzzle = make_puzzle()
    puzzle.assignments.update(due_at=timezone.now() + timedelta(days=2))
    assert "Next assignment due" in cards(page)[str(classroom)]
    puzzle.assignments.update(due_at=timezone.now() - timedelta(days=2))
    assert "due" not in cards(page)[str(classroom)]
