"""The puzzles and crossword searches in the bin, also those that go there with their list."""

from __future__ import annotations

from typing import Any

from django.core.exceptions import ValidationError
from django.db.models import F, Q, QuerySet
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from osmosmjerka.accounts.bin import services as bin
from osmosmjerka.accounts.models import User
from osmosmjerka.jobs import ledger
from puzzles import access
from puzzles.kinds import KINDS
from puzzles.making import services as making
from puzzles.models import CrosswordSearch, Puzzle
from puzzles.searches import services as searches
from vocab.models import VocabularyList

SEARCHING = CrosswordSearch.State.SEARCHING


def register() -> None:
    bin.register(
        bin.BinSection(
            name="puzzles",
            label=gettext_lazy("Puzzles"),
            model=Puzzle,
            rows=_puzzles,
            bring_back=_bring_back,
            erase=_erase,
            detail=lambda puzzle: str(KINDS[puzzle.kind].name) if puzzle.kind in KINDS else "",
        )
    )
    bin.register(
        bin.BinSection(
            name="searches",
            label=gettext_lazy("Crossword searches"),
            model=CrosswordSearch,
            rows=_searches,
            bring_back=_bring_back,
            erase=_erase,
        )
    )
    bin.binned.connect(_follow, dispatch_uid="puzzles")
    bin.restored.connect(_return, dispatch_uid="puzzles")


def _by_themselves(rows: QuerySet[Any]) -> QuerySet[Any]:
    """Return the rows that did not go into the bin with their list: they return with it."""
    return rows.exclude(deleted_at=F("vocabulary_list__deleted_at"))


def _puzzles(person: User) -> QuerySet[Puzzle]:
    # A student's own version of an assigned puzzle returns with that puzzle.
    own = access.puzzles(person, "manage", is_binned=True).filter(adapted_for=None)
    return _by_themselves(own)


def _searches(person: User) -> QuerySet[CrosswordSearch]:
    return _by_themselves(access.crossword_searches(person, is_binned=True))


def _bring_back(thing: Puzzle | CrosswordSearch, actor: User) -> None:
    if thing.vocabulary_list.deleted_at is not None:
        raise ValidationError(_("Its list is in the bin, too. Restore the list first."))


def _erase(thing: Puzzle | CrosswordSearch, actor: User | None) -> None:
    thing.delete()


def _belonging_to(thing: Any) -> tuple[QuerySet[Puzzle], QuerySet[CrosswordSearch]]:
    """Return the puzzles and searches that go into the bin with *thing*, *thing* included."""
    if isinstance(thing, VocabularyList):
        of_list = {"vocabulary_list": thing}
        return Puzzle.everything.filter(**of_list), CrosswordSearch.everything.filter(**of_list)
    if isinstance(thing, Puzzle):
        copies = Q(pk=thing.pk) | Q(adapted_for__puzzle=thing)
        return Puzzle.everything.filter(copies), CrosswordSearch.everything.none()
    if isinstance(thing, CrosswordSearch):
        return Puzzle.everything.none(), CrosswordSearch.everything.filter(pk=thing.pk)
    return Puzzle.everything.none(), CrosswordSearch.everything.none()


def _follow(sender: Any, thing: Any, **_signal: Any) -> None:
    puzzles, found = _belonging_to(thing)
    stamp = {"deleted_at": thing.deleted_at, "deleted_by": thing.deleted_by}
    for rows in (puzzles, found):
        pks = list(rows.filter(deleted_at=None).values_list("pk", flat=True))
        rows.model._base_manager.filter(pk__in=pks).update(**stamp)
    gone = [
        *puzzles.filter(deleted_at=thing.deleted_at),
        *found.filter(deleted_at=thing.deleted_at),
    ]
    ledger.cancel_jobs_of(*gone)


def _return(sender: Any, thing: Any, **_signal: Any) -> None:
    puzzles, found = (_restored(rows, thing) for rows in _belonging_to(thing))
    for puzzle in puzzles.filter(state=Puzzle.State.QUEUED):
        making.enqueue(puzzle)
    for search in found.filter(state=SEARCHING):
        searches.enqueue(search)


def _restored(rows: QuerySet[Any], thing: Any) -> QuerySet[Any]:
    """Restore what went into the bin together with *thing*; return that, *thing* included."""
    back = list(rows.filter(deleted_at=thing.deleted_at).values_list("pk", flat=True))
    if isinstance(thing, rows.model):
        back.append(thing.pk)  # it has no date any more
    there: QuerySet[Any] = rows.model._base_manager.filter(pk__in=back)
    there.update(deleted_at=None, deleted_by=None)
    return there
