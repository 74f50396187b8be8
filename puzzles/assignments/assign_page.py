"""What the page of a new assignment is asked for: by its link or its form, else what is usual."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, time, timedelta
from functools import cached_property
from typing import Any, TypeVar

from django.db.models import Case, Model, QuerySet, When
from django.http import Http404, QueryDict
from django.shortcuts import get_object_or_404
from django.utils import timezone

from osmosmjerka.accounts.access import classrooms
from osmosmjerka.accounts.models import Classroom
from osmosmjerka.accounts.selectors import number_of_students, told_apart
from osmosmjerka.db.collation import Alphabetical
from osmosmjerka.web.requests import ids_in, page_in
from osmosmjerka.web.views import SignedInRequest
from puzzles import access
from puzzles.kinds import KINDS
from puzzles.making import choice
from puzzles.making import services as making
from puzzles.models import Assignment, Puzzle
from vocab.access import vocabulary_lists
from vocab.models import VocabularyList

A_WEEK = timedelta(days=7)
# Instead of a type: a puzzle of each.
PATH = "path"
# More lists are found from their own pages.
MOST_LISTS = 200
# A list of at most so many words is assigned as a whole: a unit of a textbook fits one puzzle.
MOST_TOGETHER = 40
_SEVERAL = ("entries", "pinned", "classroom", "student")
_SEARCH = ("q", "tag", "pos", "missing")
_Row = TypeVar("_Row", bound=Model)


class Query:
    """What is to be assigned to whom: a *puzzle*, or words of a *vocabulary_list*.

    A new puzzle may have the words and settings of an earlier one (*model*), and an assignment the
    dates and students of an earlier one (*repeated*); one that could not be created is *replaced*,
    with its assignments as they are. The form *is_shown* again with `show` in it.
    """

    def __init__(self, request: SignedInRequest) -> None:
        self.person = request.user
        self.is_sent = request.method == "POST"
        self.sent = request.POST if self.is_sent else request.GET
        self.files = request.FILES if self.is_sent else None
        self.next = page_in(self.sent)  # where to go once it is assigned
        self.is_shown = not self.is_sent or "show" in self.sent  # nothing is to be assigned yet
        managed = access.puzzles(self.person, "manage")
        self.puzzle: Puzzle | None = self._named(managed, "puzzle", "code")
        self.repeated: Assignment | None = None
        self.replaced: Puzzle | None = None
        self.model: Puzzle | None = None
        self.vocabulary_list: VocabularyList | None = None
        if self.puzzle is None:
            self.repeated = self._named(self._assigned(), "again")
            # After a first click, it is in the bin already.
            failed = managed.filter(state=Puzzle.State.FAILED)
            self.replaced = failed.filter(code=self.sent.get("replaces", "")).first()
            if self.repeated:
                self.model = self.repeated.puzzle
            elif self.replaced and not self.is_sent:
                self.model = self.replaced
            else:
                self.model = self._named(managed, "like", "code")
            self.vocabulary_list = self._list()

    def _named(self, rows: QuerySet[_Row], name: str, column: str = "pk") -> _Row | None:
        """Return the row that a parameter names, None without it. Raises Http404."""
        value = self.sent.get(name, "")
        if not value:
            return None
        if not (value.isalnum() if column == "code" else ids_in([value])):
            raise Http404
        return get_object_or_404(rows, **{column: value})

    def _assigned(self) -> QuerySet[Assignment]:
        classes = classrooms(self.person, "assign")
        given = Assignment.objects.filter(classroom__in=classes).select_related("puzzle")
        return given.prefetch_related("chosen_students")

    def _list(self) -> VocabularyList | None:
        """Return the list that is named, or last used for the classes, or changed last."""
        # With the school, which says what is blocked.
        usable = vocabulary_lists(self.person, "make puzzles").select_related("school")
        if self.model is not None:
            return get_object_or_404(usable, pk=self.model.vocabulary_list_id)
        found = self._named(usable, "vocabulary_list")
        if found is None:
            wanted = set(ids_in(self.sent.getlist("classroom")))
            named = [classroom for classroom in self.classes if classroom.pk in wanted]
            last = usable.filter(puzzles__assignments__classroom__in=named)
            found = last.order_by("-puzzles__assignments__pk").first()
        return found or max(
            self.lists,
            key=lambda usual: (usual.owner_id == self.person.pk, usual.updated_at),
            default=None,
        )

    @cached_property
    def lists(self) -> list[VocabularyList]:
        """The lists to choose from, one's own first; if there are more, their pages lead here."""
        usable = vocabulary_lists(self.person, "make puzzles").select_related("owner", "school")
        own_first = Case(When(owner=self.person, then=0), default=1)
        return list(usable.order_by(own_first, Alphabetical("title"), "pk")[:MOST_LISTS])

    @cached_property
    def classes(self) -> list[Classroom]:
        mine = classrooms(self.person, "assign").filter(archived_at=None)
        counted = mine.annotate(students=number_of_students()).select_related("school")
        return told_apart(counted.order_by(Alphabetical("name"), "pk"))

    @cached_property
    def having(self) -> set[int]:
        """The ids of the classes that have the puzzle already."""
        if self.puzzle is None:
            return set()
        return set(self.puzzle.assignments.values_list("classroom", flat=True))

    def initial(self) -> dict[str, Any]:
        """Return what the form begins with: by default due in a week, at the end of the day."""
        sent = self.sent
        values: dict[str, Any] = {
            "kind": next(iter(KINDS)),
            "seed": making.new_seed(),
            "due_at": _end_of_day(timezone.now() + A_WEEK),
        }
        if self.model is not None:
            values |= _as_before(self.model)
            if self.repeated:
                values |= _again(self.repeated)
            elif self.replaced:
                given = self._assigned().filter(puzzle=self.replaced, archived_at=None)
                values |= _unchanged(list(given))
        elif "entries" in sent:
            values["which"] = choice.TICKED
        elif any(sent.get(name) for name in _SEARCH):
            search = QueryDict(mutable=True)
            search.update({name: sent[name] for name in _SEARCH if sent.get(name)})
            values |= {"which": choice.FOUND, "query": search.urlencode()}
        values |= {name: ids_in(sent.getlist(name)) for name in _SEVERAL if name in sent}
        values |= {name: sent[name] for name in ("use", "kind", "title") if name in sent}
        if values["kind"] not in {*KINDS, PATH}:
            raise Http404
        words = self.vocabulary_list.entries if self.vocabulary_list else None
        if words is not None and "entries" not in values and words.count() <= MOST_TOGETHER:
            values["is_all"] = True
        else:
            kind = KINDS.get(values["kind"]) or next(iter(KINDS.values()))
            default = kind.default_settings()["words"]
            values.setdefault("number", len(values.get("entries", ())) or default)
        values["classroom"] = values.get("classroom") or self._usual_class()
        return values

    def _usual_class(self) -> Sequence[int]:
        """Return the only class, or the one to which the person assigned something last.

        A class that has the puzzle already is chosen by hand.
        """
        classes = [one.pk for one in self.classes if one.pk not in self.having]
        if len(classes) < 2:
            return classes
        mine = Assignment.objects.filter(created_by=self.person, classroom__in=classes)
        return list(mine.values_list("classroom", flat=True).order_by("-pk")[:1])


def _as_before(model: Puzzle) -> dict[str, Any]:
    """Return the type, title and words of an earlier puzzle."""
    placed = model.placements.exclude(entry=None).values_list("entry", flat=True)
    return {
        "kind": model.kind,
        "title": model.title,
        "which": choice.TICKED,
        "number": model.settings["words"],
        "entries": list(placed) or model.entries,
    }


def _unchanged(given: Sequence[Assignment]) -> dict[str, Any]:
    """Return what the assignments of one puzzle have in common."""
    if not given:
        return {}
    first = given[0]
    return {
        "is_adaptive": first.is_adaptive,
        "pinned": list(first.pinned),
        "classroom": [one.classroom_id for one in given],
        "student": [student.pk for one in given for student in one.chosen_students.all()],
        "opens_at": first.opens_at,
        "due_at": first.due_at,
        "closes_at": first.closes_at,
        "attempts": first.attempts,
        "counting": first.counting,
    }


def _again(old: Assignment) -> dict[str, Any]:
    """Return an earlier assignment with its due date moved to now."""
    began = old.opens_at or old.created_at
    due_at = old.due_at and _end_of_day(timezone.now() + max(old.due_at - began, timedelta()))
    return _unchanged([old]) | {"opens_at": None, "due_at": due_at, "closes_at": None}


def _end_of_day(at: datetime) -> datetime:
    return timezone.make_aware(datetime.combine(timezone.localtime(at).date(), time(23, 59)))
