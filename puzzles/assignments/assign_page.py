"""What the page of a new assignment shows and sends: links, defaults, choices, errors."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import datetime, time, timedelta
from functools import cached_property
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.db.models import Case, When
from django.http import Http404, QueryDict
from django.shortcuts import get_object_or_404
from django.utils import timezone
from django.utils.translation import ngettext

from osmosmjerka.accounts.access import classrooms
from osmosmjerka.accounts.models import Classroom, User
from osmosmjerka.accounts.selectors import number_of_students, students_of_classes, told_apart
from osmosmjerka.db.collation import Alphabetical
from osmosmjerka.web.requests import ids_in
from osmosmjerka.web.views import SignedInRequest
from puzzles import access
from puzzles.assignments import services as assignments
from puzzles.assignments.forms import PAPER, SCREEN, SIZES, NewForm, only_for_all, settings_form
from puzzles.assignments.pictures import SHOWN_CLUES, clues_of, picture_of
from puzzles.kinds import KINDS, Kind
from puzzles.making import choice, drafts
from puzzles.making import services as making
from puzzles.models import Assignment, Puzzle
from puzzles.practice.services import fitting_settings
from vocab.access import vocabulary_lists
from vocab.entries.selectors import asked_for
from vocab.models import Entry, VocabularyList

A_WEEK = timedelta(days=7)
# More lists, words and puzzles are found from their own pages.
MOST_LISTS, MOST_WORDS, MOST_PUZZLES = 200, 500, 10
SHOWN_UNSUITABLE = 30
PREVIEWED_ROWS = 20
# The field that an error of the service is about, by its code.
FIELD_OF = {"dates": "due_at", "strangers": "student"}
_SEVERAL = ("entries", "pinned", "classroom", "student")
_SEARCH = ("q", "tag", "pos", "missing")
_WHEN = ("opens_at", "due_at", "closes_at", "attempts", "counting", "is_adaptive")
# What `show` asks for besides the form as it was sent.
ANOTHER_GRID = "another"
# How often a page asks again for a grid that took too long.
MOST_WAITS = 5


class Page:
    """What is assigned to whom: what was sent, else what the link asked for, else defaults."""

    def __init__(self, request: SignedInRequest) -> None:
        self.person = request.user
        self.is_sent = request.method == "POST"
        self.sent = request.POST if self.is_sent else request.GET
        self.files = request.FILES if self.is_sent else None
        self.is_shown = not self.is_sent or "show" in self.sent  # nothing is to be assigned yet
        self.puzzle = self._found(access.puzzles(self.person, "manage"), "puzzle", "code")
        self.old: Any = None if self.puzzle else self._found(self._assigned(), "again")
        # The puzzle whose words and settings a new one has, until they are changed.
        self.model: Puzzle | None = self.old.puzzle if self.old else self._like()
        self.list = None if self.puzzle else self._list()
        self.state = self._state()

    def _found(self, rows: Any, name: str, column: str = "pk") -> Any:
        """Return the row that a parameter names, None without it. Raises Http404."""
        value = self.sent.get(name, "")
        if not value:
            return None
        if not (value.isalnum() if column == "code" else ids_in([value])):
            raise Http404
        return get_object_or_404(rows, **{column: value})

    def _like(self) -> Puzzle | None:
        found: Puzzle | None = None
        if not self.puzzle:
            found = self._found(access.puzzles(self.person, "manage"), "like", "code")
        return found

    def _assigned(self) -> Any:
        classes = classrooms(self.person, "assign")
        given = Assignment.objects.filter(classroom__in=classes).select_related("puzzle")
        return given.prefetch_related("chosen_students")

    def _list(self) -> VocabularyList | None:
        usable = vocabulary_lists(self.person, "make puzzles")
        if self.model is not None:
            return get_object_or_404(usable, pk=self.model.vocabulary_list_id)
        found: VocabularyList | None = self._found(usable, "vocabulary_list")
        if found is None:
            last = usable.filter(puzzles__assignments__classroom__in=self.sent_classes)
            found = last.order_by("-puzzles__assignments__pk").first()
        return found or max(
            self.lists,
            key=lambda one: (one.owner_id == self.person.pk, one.updated_at),
            default=None,
        )

    @cached_property
    def lists(self) -> list[VocabularyList]:
        """The lists to choose from, one's own first; if there are more, their pages lead here."""
        usable = vocabulary_lists(self.person, "make puzzles").select_related("owner")
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
        return (
            set(self.puzzle.assignments.values_list("classroom", flat=True))
            if self.puzzle
            else set()
        )

    @property
    def sent_classes(self) -> list[Classroom]:
        wanted = set(ids_in(self.sent.getlist("classroom")))
        return [one for one in self.classes if one.pk in wanted]

    @cached_property
    def chosen_classes(self) -> list[Classroom]:
        wanted = set(self.state["classroom"])
        return [one for one in self.classes if one.pk in wanted]

    @cached_property
    def members(self) -> list[tuple[Classroom, list[User]]]:
        """The students of the chosen classes, by name."""
        students = students_of_classes(self.chosen_classes)
        return [(one, some) for one in self.chosen_classes if (some := students[one.pk])]

    def members_of(self, classes: Iterable[Classroom]) -> list[tuple[Classroom, list[User]]]:
        """Return the students of *classes*, in the order of the form."""
        wanted = {one.pk for one in classes}
        students = students_of_classes([one for one in self.classes if one.pk in wanted])
        return [(one, students[one.pk]) for one in self.classes if one.pk in wanted]

    def classes_left(self, having: Collection[int]) -> bool:
        """Return whether there is a class that is not among the ids *having*."""
        return any(one.pk not in having for one in self.classes)

    @property
    def students(self) -> list[User]:
        """All students of the chosen classes."""
        found = {student.pk: student for _class, some in self.members for student in some}
        return list(found.values())

    def _state(self) -> dict[str, Any]:
        """Return the values of the form: by default due in a week, at the end of the day."""
        sent = self.sent
        several = {name: ids_in(sent.getlist(name)) for name in _SEVERAL if name in sent}
        if self.is_sent:
            given = {name: sent.get(name, "") for name in NewForm.base_fields}
            if sent.get("show") == ANOTHER_GRID:
                given["seed"] = str(making.new_seed())
            return given | {name: [] for name in _SEVERAL} | several
        state: dict[str, Any] = {
            "use": SCREEN, "kind": next(iter(KINDS)), "which": choice.ALL, "title": "",
            "is_adaptive": "", "seed": making.new_seed(), "query": "", "entries": [],
            "pinned": [], "student": [], "opens_at": None, "closes_at": None,
            "due_at": _end_of_day(timezone.now() + A_WEEK),
            "attempts": 1, "counting": Assignment.Counting.BEST, "classroom": [],
        }  # fmt: skip
        if self.model is not None:
            state |= self._as_before(self.model) | (self._again() if self.old else {})
        else:
            state |= self._passed_on()
        state |= several
        state |= {name: sent[name] for name in ("use", "kind", "title") if name in sent}
        if state["kind"] not in KINDS:
            raise Http404
        default = KINDS[state["kind"]].default_settings()["words"]
        state.setdefault("number", len(state["entries"]) or default)
        state["classroom"] = state["classroom"] or self._usual_class()
        return state

    def _usual_class(self) -> list[int]:
        """Return the only class, or the one to which the person assigned something last.

        A class that has the puzzle already is chosen by hand.
        """
        classes = [one.pk for one in self.classes if one.pk not in self.having]
        if len(classes) < 2:
            return classes
        mine = Assignment.objects.filter(created_by=self.person, classroom__in=classes)
        return list(mine.values_list("classroom", flat=True).order_by("-pk")[:1])

    def _passed_on(self) -> dict[str, Any]:
        """Return what the page of the list passed on: words selected there, or its search."""
        if "entries" in self.sent:
            return {"which": choice.TICKED}
        search = QueryDict(mutable=True)
        search.update({name: self.sent[name] for name in _SEARCH if self.sent.get(name)})
        return {"which": choice.FOUND, "query": search.urlencode()} if search else {}

    def _as_before(self, model: Puzzle) -> dict[str, Any]:
        """Return the type, title and words of an earlier puzzle."""
        placed = model.placements.exclude(entry=None).values_list("entry", flat=True)
        return {
            "kind": model.kind,
            "title": model.title,
            "which": choice.TICKED,
            "number": model.settings["words"],
            "entries": list(placed),
        }

    def _again(self) -> dict[str, Any]:
        """Return an earlier assignment with its dates moved to now."""
        old = self.old
        began = old.opens_at or old.created_at
        now = timezone.now()
        return {
            "is_adaptive": "on" if old.is_adaptive else "",
            "pinned": list(old.pinned),
            "classroom": [old.classroom_id],
            "student": [student.pk for student in old.chosen_students.all()],
            "due_at": old.due_at and _end_of_day(now + max(old.due_at - began, timedelta())),
            "closes_at": None,
            "attempts": old.attempts,
            "counting": old.counting,
        }

    @cached_property
    def form(self) -> NewForm:
        filled = {"initial": self.state} if self.is_shown else {"data": self.sent}
        return NewForm(**filled, vocabulary_list=self.list, classes=self.classes)

    @cached_property
    def settings(self) -> dict[str, forms.Form]:
        before = self.model.settings if self.model else {}
        old = {name: value for name, value in before.items() if name not in SIZES}
        return {
            slug: settings_form(kind, self.sent if self.is_sent else None, old, self.files)
            for slug, kind in KINDS.items()
        }

    @property
    def kind(self) -> Kind:
        return KINDS.get(self.state["kind"]) or next(iter(KINDS.values()))

    @property
    def is_each_their_own(self) -> bool:
        """Whether each student gets words of their own."""
        state = self.state
        return bool(state.get("is_adaptive")) and state.get("use", SCREEN) == SCREEN

    @cached_property
    def suitable(self) -> int:
        """How many words of the list the type can use, up to the wanted number."""
        assert self.list is not None  # noqa: S101  (for the type checker)
        return len(choice.suggested(self.list, choice.ALL, self._number(), self.kind)[0])

    def _entries(self) -> tuple[list[Entry], list[Entry]]:
        """Return the selected words of the list, and those passed over because of the kind."""
        assert self.list is not None  # noqa: S101  (for the type checker)
        which, ticked = self.state["which"], self.state["entries"]
        if self.is_shown and which not in self.form.rules:
            which = self.state["which"] = choice.ALL  # it is a tag of another list
        if not self.is_shown or which == choice.TICKED:
            own = self.list.entries.filter(pk__in=ticked).prefetch_related("translations")
            if own or not ticked or not self.is_shown:
                return list(own), []
            which = choice.ALL  # they were of another list
            number = self.kind.default_settings()["words"]
            self.state |= {"which": which, "number": number}
        return choice.suggested(
            self.list,
            which,
            self._number(),
            self.kind,
            students=self.students,
            found=asked_for(QueryDict(str(self.state["query"]))),
        )

    def _number(self) -> int:
        number = str(self.state["number"])
        default: int = self.kind.default_settings()["words"]
        return int(number) if number.isdecimal() and len(number) < 4 else default

    @property
    def is_valid(self) -> bool:
        if self.is_shown:
            return False
        is_valid = self.form.is_valid()
        if self.list is None:
            return is_valid
        if is_valid and self.is_each_their_own and self.suitable < self.kind.fewest_words:
            self.form.add_error("number", self._too_few())
            return False
        return self.settings[self.kind.slug].is_valid() and is_valid

    def _too_few(self) -> str:
        """Return that the list has fewer words than each student is to get, or ""."""
        assert self.list is not None  # noqa: S101  (for the type checker)
        if self.suitable < self.kind.fewest_words:
            return ngettext(
                "This type needs at least %(least)s word, and the list has too few that suit it.",
                "This type needs at least %(least)s words, and the list has too few that suit it.",
                self.kind.fewest_words,
            ) % {"least": self.kind.fewest_words}
        if self.suitable >= self._number():
            return ""
        return ngettext(
            "Only %(count)s word of the list suits this type: each student gets it.",
            "Only %(count)s words of the list suit this type: each student gets these.",
            self.suitable,
        ) % {"count": self.suitable}

    def assign(self) -> Puzzle:
        """Assign what was sent; add to the form what is wrong, and raise ValidationError."""
        wanted = self.form.cleaned_data
        is_for_class = wanted.get("use", SCREEN) == SCREEN
        new = self._new(wanted) if self.list is not None else {}
        schedule = {name: wanted[name] for name in _WHEN if name in wanted}
        if self.list is not None and self.is_each_their_own:
            schedule["pinned"] = [entry.pk for entry in wanted["pinned"]]
        try:
            return assignments.give(
                created_by=self.person,
                classrooms=wanted["classroom"] if is_for_class else (),
                puzzle=self.puzzle,
                students=wanted["student"] if is_for_class else (),
                schedule=schedule,
                is_once=True,
                **new,
            )
        except ValidationError as error:
            self._tell(error)
            raise

    def _new(self, wanted: Mapping[str, Any]) -> dict[str, Any]:
        assert self.list is not None  # noqa: S101  (for the type checker)
        is_own = self.is_each_their_own
        entries = [entry.pk for entry in wanted["entries"]]
        number = min(wanted["number"], self.suitable) if is_own else len(entries)
        return {
            "vocabulary_list": self.list,
            "kind": self.kind.slug,
            "title": wanted["title"],
            "seed": wanted["seed"],
            "entries": [] if is_own else entries,
            "settings": self._settings(number, [] if is_own else entries),
        }

    def _settings(self, number: int, entries: Sequence[int]) -> dict[str, Any]:
        """Return the settings as sent, and those that were left empty as the words need them.

        Without *entries*, the words are any of the list.
        """
        assert self.list is not None  # noqa: S101  (for the type checker)
        form = self.settings[self.kind.slug]
        if not form.is_bound:
            sent = {name: form[name].initial for name in form.fields}
        else:
            form.is_valid()
            sent = form.cleaned_data  # what is right in it, even if it is not valid
        words = self.list.entries.filter(pk__in=entries) if entries else self.list.entries
        longest = max(map(len, words.values_list("tiles", flat=True)), default=0)
        given = {name: value for name, value in sent.items() if value not in (None, "")}
        return fitting_settings(self.kind.slug, number, longest) | given | {"words": number}

    def _tell(self, error: ValidationError) -> None:
        """Show an error beside the field that it is about."""
        if hasattr(error, "error_dict"):
            for name, errors in error.error_dict.items():
                settings = self.settings[self.kind.slug]
                if name in settings.fields:
                    settings.add_error(name, errors)
                else:
                    name = "number" if name == "words" else name
                    self.form.add_error(name if name in self.form.fields else None, errors)
        else:
            self.form.add_error(FIELD_OF.get(error.code or ""), error)

    def context(self) -> dict[str, Any]:
        shown = self._words() if self.list is not None else self._of_puzzle()
        chosen = set(self.state["student"])
        people = [
            (room, [(student, student.pk in chosen) for student in some])
            for room, some in self.members
        ]
        picked = [sum(is_chosen for _who, is_chosen in some) or len(some) for _room, some in people]
        return {
            "form": self.form,
            "is_refused": not self.is_shown,
            "list": self.list,
            "puzzle": self.puzzle,
            "again": self.old,
            "is_each_their_own": self.list is not None and self.is_each_their_own,
            "is_paper": self.state.get("use") == PAPER,
            "classes": self.classes,
            "chosen_classes": self.chosen_classes,
            "having": self.having,
            "people": people,
            "count": sum(picked),
            "due_at": _as_moment(self.state["due_at"]),
            **shown,
        }

    def _of_puzzle(self) -> dict[str, Any]:
        if self.puzzle is None:
            return {}
        kind = KINDS[self.puzzle.kind]
        placements = list(self.puzzle.placements.all())
        return {
            "kind": kind,
            "title": self.puzzle.title,
            "number": len(placements),
            "in_grid": len(placements),
            "clues": clues_of(kind, placements, self.puzzle.settings),
            "picture": picture_of(kind, self.puzzle, PREVIEWED_ROWS),
        }

    def _words(self) -> dict[str, Any]:
        assert self.list is not None  # noqa: S101  (for the type checker)
        kind, (entries, passed_over) = self.kind, self._entries()
        chosen = [entry.pk for entry in entries]
        settings = kind.default_settings() | self._settings(len(chosen) or 1, chosen)
        suits = choice.suitability(self.list, [*entries, *passed_over], kind, settings)
        previewed = self._draft(chosen, settings)
        placements = previewed.placements or [*map(making.placement_of, entries[:SHOWN_CLUES])]
        others = self.list.entries.exclude(pk__in=chosen).values("pk", "term")[:MOST_WORDS]
        size = self.list.entries.count()
        lists = self.lists if self.list in self.lists else [self.list, *self.lists]
        puzzles = access.puzzles(self.person, "manage").filter(
            vocabulary_list=self.list, adapted_for=None, state=Puzzle.State.READY
        )
        return {
            "kind": kind,
            "title": self.state["title"] or self.list.title,
            "lists": lists,
            "kinds": [(one, self.settings[slug]) for slug, one in KINDS.items()],
            "entries": entries,
            "others": others,
            "size": size,
            "unlisted": size - len(entries) - len(others),
            "number": len(entries),
            "suits": suits,
            "note": choice.explained(
                self.list,
                self.state["which"],
                students=self.students,
                is_empty=not entries and not passed_over,
            ),
            "shown": suits.unsuitable[:SHOWN_UNSUITABLE],
            "more": len(suits.unsuitable[SHOWN_UNSUITABLE:]),
            "clues": clues_of(kind, placements, settings),
            "picture": previewed.puzzle and picture_of(kind, previewed.puzzle, PREVIEWED_ROWS),
            "in_grid": len(previewed.placements) or len(entries),
            "refused": previewed.reason,
            "waits": self._waits() if previewed.is_late else 0,
            "pinned": self.list.entries.filter(pk__in=self.state["pinned"])
            if self.is_each_their_own and self.state["pinned"]
            else [],
            "each": min(self._number(), self.suitable) if self.is_each_their_own else 0,
            "too_few": self._too_few() if self.is_each_their_own else "",
            "only_for_all": only_for_all(kind, settings) if self.is_each_their_own else "",
            "puzzles": puzzles.only("code", "title", "kind", "created_at")[:MOST_PUZZLES],
        }

    def _waits(self) -> int:
        """Return which time the page is to ask again for its grid; 0: it has asked enough."""
        [before] = ids_in([self.sent.get("waits", "0")]) or [0]
        return before + 1 if before < MOST_WAITS else 0

    def _draft(self, entries: Sequence[int], settings: dict[str, Any]) -> drafts.Draft:
        """Return the grid that is created if the form is sent as it is."""
        assert self.list is not None  # noqa: S101  (for the type checker)
        seed = str(self.state["seed"])
        if self.is_each_their_own or not (seed.isdecimal() and len(seed) < 20):
            return drafts.Draft()
        if wrong := self._wrong_setting():
            return drafts.Draft(reason=wrong)
        wanted = {name: settings[name] for name in self.kind.settings_form.base_fields}
        try:
            return drafts.draft(
                vocabulary_list=self.list,
                kind=self.kind.slug,
                settings=wanted,
                seed=int(seed),
                entries=entries,
            )
        except ValidationError as error:
            return drafts.Draft(reason=error.messages[0])

    def _wrong_setting(self) -> str:
        """Return the first error of the settings as sent, or "": without it, no grid is right."""
        form = self.settings[self.kind.slug]
        errors = form.errors if form.is_bound else {}
        return next((str(told) for of_field in errors.values() for told in of_field), "")


def _end_of_day(at: datetime) -> datetime:
    return timezone.make_aware(datetime.combine(timezone.localtime(at).date(), time(23, 59)))


def _as_moment(value: datetime | str | None) -> datetime | None:
    """Return a date of the form, which may be as it was sent."""
    if not isinstance(value, str):
        return value
    try:
        return timezone.make_aware(datetime.fromisoformat(value))
    except ValueError:
        return None
