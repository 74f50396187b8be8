"""The bin: what was deleted in the last 30 days, and who may restore it.

Each app registers a section for every type of thing that its pages can delete.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING, Any

from django.core.exceptions import ObjectDoesNotExist
from django.db import transaction
from django.db.models import Q, QuerySet
from django.dispatch import Signal
from django.utils import timezone

from osmosmjerka.accounts.models import User
from osmosmjerka.db.deletable import KEPT, Deletable
from osmosmjerka.jobs import ledger

if TYPE_CHECKING:
    from django_stubs_ext import StrPromise

# Sent inside the transaction: what belongs to a thing goes into the bin and comes back with it.
# `thing` is as it was before it was restored, so that receivers know when it was deleted.
binned = Signal()
restored = Signal()


@dataclass(frozen=True, slots=True)
class BinSection:
    """One type of thing in the bin.

    `rows` returns the deleted things that a person may restore; `bring_back` restores what else
    belongs to one, or raises ValidationError with the reason why it cannot come back now; `erase`
    removes one for good.
    """

    name: str
    label: StrPromise
    model: type[Deletable]
    rows: Callable[[User], QuerySet[Any]]
    bring_back: Callable[[Any, User], None]
    erase: Callable[[Any, User | None], None]
    # What tells things with the same name apart, such as the type of a puzzle.
    detail: Callable[[Any], str] = lambda _thing: ""
    # The deleted things that a person may remove for good before the 30 days are over.
    erasable: Callable[[User], QuerySet[Any]] | None = None
    # Who may do that, in words, for those who may not.
    who_erases: StrPromise | str = ""
    # What is removed with one of them for good, in words, for whoever confirms it.
    what_goes: StrPromise | str = ""
    # Which deleted rows are still to be removed for good.
    remaining: Q = field(default_factory=Q)


# How many things of one type the page shows, the newest ones.
SHOWN = 200

_sections: dict[str, BinSection] = {}


def register(section: BinSection) -> None:
    """Add a section to the bin; called once by each app at startup."""
    _sections[section.name] = section


def find(person: User, section: str, pk: int) -> tuple[BinSection, Any]:
    """Return a section and a thing in it; raise ObjectDoesNotExist if *person* may not have it."""
    if section not in _sections or not person.is_teacher:
        raise ObjectDoesNotExist
    return _sections[section], _sections[section].rows(person).get(pk=pk)


def find_erasable(person: User, section: str, pk: int) -> tuple[BinSection, Any]:
    """Return a section and a thing that *person* may remove for good; raises as `find`."""
    of, thing = find(person, section, pk)
    if of.erasable is None:
        raise ObjectDoesNotExist
    return of, of.erasable(person).get(pk=thing.pk)


@dataclass(frozen=True, slots=True)
class Item:
    """A thing in the bin, and when it is removed for good."""

    thing: Any
    gone_at: datetime
    detail: str
    can_be_erased: bool


def contents(person: User) -> list[tuple[BinSection, list[Item]]]:
    """Return what *person* may restore, by section, newest first; empty sections are left out."""
    found = []
    for section in _sections.values():
        rows = section.rows(person).select_related("deleted_by").order_by("-deleted_at", "-pk")
        erasable = (
            set(section.erasable(person).values_list("pk", flat=True)) if section.erasable else ()
        )
        items = [
            Item(thing, thing.deleted_at + KEPT, section.detail(thing), thing.pk in erasable)
            for thing in rows[:SHOWN]
        ]
        if items:
            found.append((section, items))
    return found


def put(thing: Deletable, actor: User | None) -> bool:
    """Put *thing* into the bin; return False if it was there already."""
    now = timezone.now()
    with transaction.atomic():
        here = type(thing)._base_manager.filter(pk=thing.pk, deleted_at=None)
        if not here.update(deleted_at=now, deleted_by=actor):
            return False
        thing.deleted_at, thing.deleted_by = now, actor
        ledger.cancel_jobs_of(thing)
        binned.send(type(thing), thing=thing)
    return True


def restore(section: BinSection, thing: Deletable, actor: User) -> bool:
    """Take *thing* out of the bin; return False if somebody else already did.

    Raises ValidationError with the reason if it cannot come back now.
    """
    with transaction.atomic():
        here = section.model._base_manager.select_for_update(of=("self",)).filter(pk=thing.pk)
        thing = here.get()
        if thing.deleted_at is None:
            return False
        here.update(deleted_at=None, deleted_by=None)
        section.bring_back(thing, actor)
        restored.send(section.model, thing=thing)
    return True


def purge(at: datetime | None = None) -> dict[str, int]:
    """Remove for good what has been in the bin for 30 days; return how many of each type."""
    before = (at or timezone.now()) - KEPT
    counts = {}
    for section in _sections.values():
        old = section.model._base_manager.filter(section.remaining, deleted_at__lt=before)
        counts[section.name] = 0
        for pk in list(old.values_list("pk", flat=True)):
            with transaction.atomic():
                # Somebody may be restoring it at this moment.
                thing = old.select_for_update(of=("self",)).filter(pk=pk).first()
                if thing is not None:
                    section.erase(thing, None)
                    counts[section.name] += 1
    return counts


@transaction.atomic
def erase(section: BinSection, thing: Deletable, actor: User) -> bool:
    """Remove one thing of the bin for good; return False if it is no longer there."""
    here = section.model._base_manager.select_for_update(of=("self",)).filter(pk=thing.pk)
    found = here.exclude(deleted_at=None).first()
    if found is None:
        return False
    section.erase(found, actor)
    return True
