"""The way of a new teacher to a class that plays: three steps, each done once its thing exists."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.urls import reverse
from django.utils.translation import gettext as _

from osmosmjerka.accounts.models import Classroom
from vocab.models import VocabularyList


@dataclass(frozen=True, slots=True)
class Step:
    """One step, and the page on which it is taken; without a page, another has to come first."""

    title: str
    text: str
    is_done: bool
    action: str
    url: str | None
    other_action: str = ""
    other_url: str = ""


def first_steps(
    *,
    lists: Sequence[VocabularyList],
    classrooms: Sequence[Classroom],
    has_assigned: bool,
) -> list[Step]:
    """Return the steps of a teacher who has these things; none once all are done.

    Classrooms are annotated with their number of `students`.
    """
    peopled = any(getattr(classroom, "students", 0) for classroom in classrooms)
    steps = [
        Step(
            _("Get a list of words"),
            _("Copy a sample list, or paste your own words with their translations."),
            bool(lists),
            _("Choose a sample list"),
            reverse("list-samples"),
            _("Paste your own words"),
            reverse("list-new"),
        ),
        Step(
            _("Create a class and print login cards"),
            _("Paste the names of your students. They log in by the QR code on their card."),
            peopled,
            _("Add students") if classrooms else _("Create a class"),
            reverse("classroom-people", args=[classrooms[0].pk])
            if classrooms
            else reverse("classroom-new"),
        ),
        Step(
            _("Assign a puzzle"),
            _("It is then the first thing that your students see when they log in."),
            has_assigned,
            _("Assign"),
            f"{reverse('assign')}?vocabulary_list={lists[0].pk}" if lists and peopled else None,
        ),
    ]
    return [] if all(step.is_done for step in steps) else steps
