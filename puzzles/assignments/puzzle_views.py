"""Pages of one puzzle: its assignments and progress."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.db.models import QuerySet
from django.http import HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from osmosmjerka.accounts.access import classrooms
from osmosmjerka.accounts.bin.views import tell_of_bin
from osmosmjerka.accounts.models import Membership, User
from osmosmjerka.http import SignedInRequest, teacher_required
from puzzles import access
from puzzles.assignments import selectors as assignments_selectors
from puzzles.assignments import services as assignments
from puzzles.assignments.forms import AssignForm, PuzzleForm, WordsForm
from puzzles.exports import FORMATS
from puzzles.kinds import KINDS, Kind
from puzzles.making import choice
from puzzles.making import services as making
from puzzles.models import Puzzle
from vocab.access import vocabulary_lists
from vocab.entries.selectors import asked_for
from vocab.models import Entry


@teacher_required
@require_safe
def puzzle_detail(request: SignedInRequest, code: str) -> HttpResponse:
    """Show a puzzle to its creator and followers: progress, link, answers, who found what."""
    puzzle = get_object_or_404(access.puzzles(request.user, "see"), code=code)
    followed = classrooms(request.user, "see progress")
    given = puzzle.assignments.filter(classroom__in=followed).select_related("classroom")
    return render(
        request,
        "puzzles/assignments/puzzle_detail.html",
        {
            "puzzle": puzzle,
            "kind": KINDS[puzzle.kind],
            "job": making.job_of(puzzle),
            "may_agree": access.puzzles(request.user, "agree").filter(pk=puzzle.pk).exists(),
            "may_try_again": making.was_given_up(puzzle)
            and access.puzzles(request.user, "manage").filter(pk=puzzle.pk).exists(),
            "may_delete": access.puzzles(request.user, "manage").filter(pk=puzzle.pk).exists(),
            "placements": puzzle.placements.all(),
            "play_url": request.build_absolute_uri(reverse("play", args=[puzzle.code])),
            "classes": [
                (assignment, assignments_selectors.progress_of_class(puzzle, assignment.classroom))
                for assignment in given
            ],
            "form": AssignForm(person=request.user),
            "formats": FORMATS.values(),
        },
    )


@teacher_required
@require_POST
def puzzle_delete(request: SignedInRequest, code: str) -> HttpResponse:
    """Put a puzzle into the bin."""
    puzzle = get_object_or_404(access.puzzles(request.user, "manage"), code=code)
    making.delete_puzzle(puzzle=puzzle, actor=request.user)
    tell_of_bin(request, _("The puzzle “%(title)s” is now in the bin.") % {"title": puzzle})
    return redirect("list", puzzle.vocabulary_list_id)


@teacher_required
@require_POST
def puzzle_assign(request: SignedInRequest, code: str) -> HttpResponse:
    puzzle = get_object_or_404(access.puzzles(request.user, "manage"), code=code)
    form = AssignForm(request.POST, person=request.user)
    if form.is_valid():
        given_to = form.cleaned_data["classroom"]
        assignments.assign(puzzle=puzzle, classroom=given_to, created_by=request.user)
        messages.success(request, _("Assigned to %(class)s.") % {"class": given_to})
    else:
        messages.error(request, _("Choose one of your classes."))
    return redirect("puzzle", puzzle.code)


# A longer list is chosen from by tag or search, not word by word.
MOST_WISHES = 500
SHOWN_UNSUITABLE = 30


class _NewPuzzle:
    """The forms of a new puzzle: its kind and class, its words, and the settings of each kind."""

    def __init__(self, request: SignedInRequest, list_pk: int) -> None:
        self.person = request.user
        lists = vocabulary_lists(request.user, "make puzzles")
        self.list = get_object_or_404(lists, pk=list_pk)
        data = request.POST or None
        self.form = PuzzleForm(data, person=self.person, initial={"kind": next(iter(KINDS))})
        self.words = WordsForm(
            data, vocabulary_list=self.list, initial=None if data else _passed_on(request.GET)
        )
        self.settings = {
            slug: kind.settings_form(
                data if data and data.get("kind") == slug else None, prefix=slug
            )
            for slug, kind in KINDS.items()
        }

    @property
    def is_valid(self) -> bool:
        forms_are_valid = self.form.is_valid() and self.words.is_valid()
        return forms_are_valid and self.settings[self.form.cleaned_data["kind"]].is_valid()

    @property
    def kind(self) -> Kind:
        return KINDS[self.form.cleaned_data["kind"]]

    @property
    def entries(self) -> QuerySet[Entry]:
        """The words that are meant, as the chosen class knows them, or all that is followed."""
        return self.words.entries(self._students)

    @property
    def note(self) -> str:
        """Why there are no such words, or why they are all; "" if there is nothing to say."""
        return self.words.note(self._students)

    @property
    def _students(self) -> QuerySet[User]:
        classroom = self.form.cleaned_data["classroom"]
        rooms = [classroom] if classroom else classrooms(self.person, "see progress")
        return User.objects.filter(
            memberships__classroom__in=rooms, memberships__role=Membership.Role.STUDENT
        ).distinct()

    def make(self) -> Puzzle:
        """Create the puzzle. Raises ValidationError."""
        wanted, words = self.form.cleaned_data, self.words.cleaned_data
        is_whole = words["which"] in ("", choice.ALL) and not words["banned"]
        entries = [] if is_whole else list(self.entries.values_list("pk", flat=True))
        if not is_whole and not entries:
            raise ValidationError(self.note or _("No word of the list matches this choice."))
        return assignments.make_and_assign(
            vocabulary_list=self.list,
            kind=wanted["kind"],
            created_by=self.person,
            settings=self.settings[wanted["kind"]].cleaned_data,
            title=wanted["title"],
            classroom=wanted["classroom"],
            entries=entries,
            pinned=words["pinned"],
        )

    def context(self) -> dict[str, Any]:
        size = self.list.entries.count()
        entries = self.list.entries.prefetch_related("translations")
        return {
            "list": self.list,
            "form": self.form,
            "words": self.words,
            "kinds": [(kind, self.settings[slug]) for slug, kind in KINDS.items()],
            "size": size,
            "entries": entries if size <= MOST_WISHES else (),
            "pinned": {int(pk) for pk in self.words["pinned"].value() or () if str(pk).isdecimal()},
            "banned": {int(pk) for pk in self.words["banned"].value() or () if str(pk).isdecimal()},
        }


def _passed_on(query: QueryDict) -> dict[str, str]:
    """Return what the page of the list passed on: words that were ticked there, and its search."""
    ticked = ",".join(query.getlist("entries"))
    search = query.copy()
    for name in ("entries", "page"):
        search.pop(name, None)
    has_search = any(asked_for(search).values())
    which = choice.TICKED if ticked else choice.FOUND if has_search else choice.ALL
    return {"which": which, "ticked": ticked, "query": search.urlencode() if has_search else ""}


@teacher_required
@require_http_methods(["GET", "POST"])
def puzzle_new(request: SignedInRequest, list_pk: int) -> HttpResponse:
    new = _NewPuzzle(request, list_pk)
    if request.method == "POST" and new.is_valid:
        try:
            puzzle = new.make()
        except ValidationError as error:
            new.form.add_error(None, list(error.messages))
        else:
            return redirect("puzzle", puzzle.code)
    return render(request, "puzzles/assignments/puzzle_new.html", new.context())


@teacher_required
@require_POST
def puzzle_words(request: SignedInRequest, list_pk: int) -> HttpResponse:
    """Show how many words a new puzzle could use, and which do not suit its kind."""
    new = _NewPuzzle(request, list_pk)
    context: dict[str, Any] = {"list": new.list}
    if new.is_valid:
        settings = making.clean_settings(new.kind, new.settings[new.kind.slug].cleaned_data)
        entries = new.entries.prefetch_related("translations")
        suits = choice.suitability(new.list, entries, new.kind, settings)
        context |= {
            "suits": suits,
            "kind": new.kind,
            "note": new.note,
            "shown": suits.unsuitable[:SHOWN_UNSUITABLE],
            "more": len(suits.unsuitable[SHOWN_UNSUITABLE:]),
        }
    return render(request, "puzzles/making/_suitability.html", context)
