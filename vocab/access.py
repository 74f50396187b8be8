"""Permissions on vocabulary lists, as a table; for pages, the API, the admin and exports."""

from __future__ import annotations

from typing import Literal

from django.db.models import Exists, Q, QuerySet

from osmosmjerka.accounts.access import Person
from osmosmjerka.accounts.models import User
from vocab.models import Entry, Import, Share, VocabularyList

_SCHOOL = VocabularyList.Visibility.SCHOOL
_PUBLIC = VocabularyList.Visibility.PUBLIC

ListAction = Literal["see", "make puzzles", "edit", "share", "move out", "delete"]

# action: the visibilities that allow it to a teacher who is not the owner; whether the school's
# admin may do it whatever the visibility; the levels at which sharing by name allows it ("view" or
# "edit"). The owner may do everything.
LIST_ACTIONS: dict[ListAction, tuple[frozenset[str], bool, frozenset[str]]] = {
    "see": (frozenset({_SCHOOL, _PUBLIC}), True, frozenset({"view", "edit"})),
    "make puzzles": (frozenset({_SCHOOL, _PUBLIC}), True, frozenset({"view", "edit"})),
    "edit": (frozenset(), False, frozenset({"edit"})),
    "share": (frozenset(), False, frozenset()),
    "move out": (frozenset(), False, frozenset()),
    "delete": (frozenset(), True, frozenset()),
}


def vocabulary_lists(
    person: Person, action: ListAction, *, is_binned: bool = False
) -> QuerySet[VocabularyList]:
    """Return the lists on which *person* may carry out *action* (a key of the table).

    With *is_binned*, return those in the bin instead, as if they were not there.
    """
    lists = VocabularyList.objects.all()
    if is_binned:
        lists = VocabularyList.everything.exclude(deleted_at=None).filter(purged_at=None)
    visibilities, is_for_school_admin, levels = LIST_ACTIONS[action]
    if not isinstance(person, User) or not person.is_active or not person.is_teacher:
        return lists.none()
    if person.is_superuser:
        return lists
    may = Q(owner=person)
    if levels:
        by_name = Share.objects.filter(teacher=person)
        if "view" not in levels:
            by_name = by_name.filter(may_edit=True)
        may |= Q(pk__in=by_name.values("vocabulary_list"))
    if _SCHOOL in visibilities and person.school_id is not None:
        may |= Q(visibility=_SCHOOL, school_id=person.school_id)
    if _PUBLIC in visibilities:
        may |= Q(visibility=_PUBLIC)
    if (
        is_for_school_admin
        and person.role == User.Role.SCHOOL_ADMIN
        and person.school_id is not None
    ):
        may |= Q(school_id=person.school_id)
    return lists.filter(may)


def list_actions(person: Person, vocabulary_list: VocabularyList) -> set[ListAction]:
    """Return the actions that *person* may carry out on a list: the whole table in one query."""
    if not isinstance(person, User) or not person.is_active or not person.is_teacher:
        return set()
    if person.is_superuser or vocabulary_list.owner_id == person.pk:
        return set(LIST_ACTIONS)
    this = VocabularyList.objects.filter(pk=vocabulary_list.pk)
    may = [
        Exists(vocabulary_lists(person, action).filter(pk=vocabulary_list.pk))
        for action in LIST_ACTIONS
    ]
    return {
        action
        for answers in this.order_by().values_list(*may)
        for action, is_allowed in zip(LIST_ACTIONS, answers, strict=True)
        if is_allowed
    }


def entries(person: Person, action: ListAction) -> QuerySet[Entry]:
    """Return the entries of the lists on which *person* may carry out *action*, with the lists."""
    lists = vocabulary_lists(person, action)
    return Entry.objects.filter(vocabulary_list__in=lists).select_related("vocabulary_list")


def imports(person: Person) -> QuerySet[Import]:
    """Return the imports that *person* may see, apply and undo: those into lists they may edit."""
    lists = vocabulary_lists(person, "edit")
    return Import.objects.filter(vocabulary_list__in=lists).select_related("vocabulary_list")
