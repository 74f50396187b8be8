"""The way of a new teacher to a class that plays: three steps, each done once its thing exists."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.urls import reverse
from django.utils.translation import gettext as _

from osmosmjerka.accounts.models import Classroom, User
from vocab.models import VocabularyList


@dataclass(frozen=True, slots=True)
class Step:
    """One step, and the page on which it is taken; without a page, another has to come first.

    *by_others* names what a colleague has done of it, if the teacher has not done it.
    """

    title: str
    text: str
    is_done: bool
    action: str
    url: str | None
    other_action: str = ""
    other_url: str = ""
    by_others: str = ""


def first_steps(
    person: User,
    *,
    lists: Sequence[VocabularyList],
    classrooms: Sequence[Classroom],
) -> list[Step]:
    """Return the steps of a teacher who has these things; none once all are done.

    Classrooms are annotated with their number of `students`, and with whether they are the
    teacher's own (`is_own`), have assignments (`is_given`), and such of the teacher
    (`is_given_by_oneself`).
    """
    peopled = [one for one in classrooms if getattr(one, "students", 0)]
    given = [one for one in classrooms if getattr(one, "is_given", False)]
    is_own_list = any(one.owner_id == person.pk for one in lists)
    has_own_class = any(getattr(one, "is_own", False) for one in peopled)
    has_given = any(getattr(one, "is_given_by_oneself", False) for one in given)
    steps = [
        Step(
            _("Get a list of words"),
            _("Copy a sample list, or paste your own words with their translations."),
            bool(lists),
            _("Choose a sample list"),
            reverse("list-samples"),
            _("Paste your own words"),
            reverse("list-new"),
            by_others="" if is_own_list or not lists else lists[0].title,
        ),
        Step(
            _("Add your students and print login cards")
            if classrooms
            else _("Create a class and print login cards"),
            _("Paste the names of your students. They log in by the QR code on their card."),
            bool(peopled),
            _("Add students") if classrooms else _("Create a class"),
            reverse("roster", args=[classrooms[0].pk]) if classrooms else reverse("classroom-new"),
            by_others="" if has_own_class or not peopled else str(peopled[0]),
        ),
        Step(
            _("Assign a puzzle"),
            _("It is then the first thing that your students see when they log in."),
            bool(given),
            _("Assign"),
            f"{reverse('assign')}?vocabulary_list={lists[0].pk}" if lists and peopled else None,
            by_others="" if has_given or not given else str(given[0]),
        ),
    ]
    return [] if all(step.is_done for step in steps) else steps
