"""Show a class that lists are complete: how many of its students know all their words, not who."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.core.exceptions import ValidationError
from django.db.models import Count, Max, OuterRef, Subquery
from django.db.models.functions import Coalesce
from django.utils import timezone
from django.utils.translation import gettext as _

from osmosmjerka.accounts.models import Classroom, Membership, User
from osmosmjerka.accounts.selectors import students_of
from puzzles.models import Assignment, CompleteList, SharedCompleteList
from vocab.models import VocabularyList

# For so long teachers are offered to show it, and the class sees what was shown.
NEWS_FOR = timedelta(days=14)


@dataclass(frozen=True, slots=True)
class Completion:
    """A list of a class, of which so many students know all words at a level."""

    vocabulary_list: VocabularyList
    level: int
    students: int
    is_shared: bool


def completions(classroom: Classroom, students: Collection[User], at: datetime) -> list[Completion]:
    """Return the lists that students of a class completed lately, the last one first.

    Each list counts at the highest level that somebody has reached.
    """
    given = Assignment.objects.filter(classroom=classroom, is_draft=False)
    rows = (
        CompleteList.objects.filter(
            student__in=students, vocabulary_list__in=given.values("puzzle__vocabulary_list")
        )
        .order_by()
        .values_list("vocabulary_list", "level")
        .annotate(students=Count("student", distinct=True), last=Max("at"))
        .filter(last__gte=at - NEWS_FOR)
    )
    best = {key: (level, count, last) for key, level, count, last in sorted(rows)}
    lists = VocabularyList.objects.in_bulk(best)
    shared = (
        set(classroom.shared_complete_lists.values_list("vocabulary_list", "level"))
        if best
        else set()
    )
    return [
        Completion(lists[key], level, count, (key, level) in shared)
        for key, (level, count, _last) in sorted(best.items(), key=lambda one: one[1][2])[::-1]
        if key in lists
    ]


def share(*, classroom: Classroom, vocabulary_list: int) -> None:
    """Show the class that a list is complete. A second call has no effect.

    Raises ValidationError if no student has completed it lately.
    """
    for one in completions(classroom, students_of(classroom), timezone.now()):
        if one.vocabulary_list.pk == vocabulary_list:
            SharedCompleteList.objects.get_or_create(
                classroom=classroom, vocabulary_list=one.vocabulary_list, level=one.level
            )
            return
    raise ValidationError(_("No student has completed this list lately."))


def take_back(*, classroom: Classroom, vocabulary_list: int) -> None:
    """Do not show the class any more that a list is complete."""
    classroom.shared_complete_lists.filter(vocabulary_list=vocabulary_list).delete()


def shown_to(classroom: Classroom, at: datetime) -> list[Completion]:
    """Return what the class is shown: lists that were shared lately, the last one first."""
    members = Membership.objects.filter(classroom=classroom, role=Membership.Role.STUDENT)
    same = CompleteList.objects.filter(
        vocabulary_list=OuterRef("vocabulary_list"),
        level=OuterRef("level"),
        student__in=members.values("user"),
    ).order_by()
    count = same.values("level").annotate(students=Count("student", distinct=True))
    rows = classroom.shared_complete_lists.filter(at__gte=at - NEWS_FOR)
    rows = rows.select_related("vocabulary_list").annotate(
        students=Coalesce(Subquery(count.values("students")), 0)
    )
    return [
        Completion(row.vocabulary_list, row.level, row.students, is_shared=True)
        for row in rows
        if row.students
    ]
