"""The page on which teachers assign words or a puzzle to classes, or create a worksheet."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import formats, timezone
from django.utils.html import format_html, format_html_join
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext
from django.views.decorators.http import require_http_methods

from osmosmjerka.web.requests import ids_in
from osmosmjerka.web.views import SignedInRequest, teacher_required
from puzzles import access
from puzzles.assignments import services as assignments
from puzzles.assignments.assign_form import PuzzleForm, WordsForm
from puzzles.assignments.assign_page import Query
from puzzles.assignments.forms import only_for_all
from puzzles.assignments.pictures import SHOWN_CLUES, clues_of, picture_of
from puzzles.class_pages import in_school_time
from puzzles.kinds import KINDS
from puzzles.making import choice, drafts
from puzzles.making import services as making
from puzzles.models import Assignment, Puzzle
from vocab.access import ListAction, list_actions
from vocab.entries.services import play_pronunciations
from vocab.lists.services import update_list

# More words and puzzles are found from their own pages.
MOST_WORDS, MOST_PUZZLES = 500, 10
SHOWN_UNSUITABLE = 30
PREVIEWED_ROWS = 20
# How often a page asks again for a grid that took too long.
MOST_WAITS = 5


@teacher_required
@in_school_time
@require_http_methods(["GET", "POST"])
def assign(request: SignedInRequest) -> HttpResponse:
    """Assign words of a list, or a puzzle, to classes; or create a worksheet.

    A link may choose `vocabulary_list`, `entries` or a search of the list's page, `puzzle`,
    `classroom`, `student`, `kind`, `use`, an earlier assignment to repeat (`again`), or the page to
    go on to (`next`). A form sent with `show` is shown again with the words and students that
    belong to it; `show` may also ask to change the list so that its words can be joined.
    """
    asked = Query(request)
    if asked.is_sent and (by := asked.sent.get("show")) in _JOINING:
        _join(request, asked, by)
    if asked.vocabulary_list is not None:
        form: PuzzleForm = WordsForm(asked, asked.vocabulary_list)
    elif asked.puzzle is not None:
        form = PuzzleForm(asked)
    else:
        messages.info(request, _("Paste words with their translations first. Then assign them."))
        return redirect("list-new")
    if form.is_valid():
        try:
            if isinstance(form, WordsForm):
                _refuse_impossible(form)
            puzzles = _give(request, form)
        except ValidationError as error:
            form.add_refusal(error)
        else:
            if form.is_paper:
                return redirect("worksheet", puzzles[0].code)
            messages.success(request, _said(form, puzzles))
            if asked.next:
                return redirect(asked.next)
            if len(puzzles) > 1:
                return redirect("classroom", form.members[0][0].pk)
            return redirect("puzzle", puzzles[0].code)
    shown = _of_words(form) if isinstance(form, WordsForm) else _of_puzzle(asked.puzzle)
    return render(request, "puzzles/assignments/assign.html", _context(form) | shown)


def _give(request: SignedInRequest, form: PuzzleForm) -> list[Puzzle]:
    """Assign what was sent, and return the puzzle; the puzzles of a path."""
    if isinstance(form, WordsForm) and form.is_path:
        return assignments.give_path(created_by=request.user, is_once=True, **form.wanted_path())
    return [assignments.give(created_by=request.user, is_once=True, **form.wanted())]


def _refuse_impossible(form: WordsForm) -> None:
    """Raise ValidationError if the puzzle is known to be impossible, or a setting is wrong."""
    wanted = form.wanted()
    settings = form.chosen_kind.default_settings() | wanted["settings"]
    if asked := _asked(form, wanted["entries"], settings):
        drafts.refuse_impossible(**asked)


# What a person must be allowed to do with a list to change what its words are joined by.
_JOINING: dict[str, ListAction] = {choice.LETTERS: "share", choice.READINGS: "edit"}


def _join(request: SignedInRequest, asked: Query, by: str) -> None:
    """Change the list so that its words can be joined, as the page offers."""
    own = asked.vocabulary_list
    if own is None or _JOINING[by] not in list_actions(request.user, own):
        raise Http404
    if by == choice.LETTERS:
        asked.vocabulary_list = update_list(vocabulary_list=own, uses_digraphs=False)
        told = _("The setting “A syllable takes one square” of the list is now off.")
    else:
        play_pronunciations(entries=own.entries.exclude(pronunciation="")[:MOST_WORDS])
        told = _("The pronunciation is now the playing form of the words of this list.")
    messages.success(request, told)


def _said(form: PuzzleForm, puzzles: Sequence[Puzzle]) -> str:
    """Return to whom the puzzles were assigned and until when, with what may come next."""
    wanted = form.cleaned_data
    chosen = set(wanted["student"])
    told = ", ".join(
        ngettext("%(class)s (%(count)s student)", "%(class)s (%(count)s students)", count)
        % {"class": one, "count": count}
        for one, some in form.members
        for count in [len(chosen.intersection(some)) or len(some)]
    )
    if wanted["due_at"]:
        due = formats.date_format(
            # Translators: a weekday, a day and a month, in the letters of Django’s “date” filter.
            timezone.localtime(wanted["due_at"]),
            pgettext("date format", "l, j F"),
        )
        text = _("Assigned to %(classes)s, due %(day)s.") % {"classes": told, "day": due}
    else:
        text = _("Assigned to %(classes)s.") % {"classes": told}
    first = form.members[0][0].pk
    if len(puzzles) > 1:
        given = Assignment.objects.filter(puzzle__in=puzzles, classroom=first).order_by("pk")
        links = [
            (reverse("assignment", args=[first, one.pk]), KINDS[one.puzzle.kind].name)
            for one in given.select_related("puzzle")
        ]
        return _with_links(text, links)
    puzzle = puzzles[0]
    keys = {one.classroom_id: one.pk for one in puzzle.assignments.all()}
    links = [(reverse("assignment", args=[first, keys[first]]), _("Open assignment"))]
    if any(classroom.pk not in keys for classroom in form.asked.classes):
        links.append((f"{reverse('assign')}?puzzle={puzzle.code}", _("Assign to another class")))
    return _with_links(text, links)


def _with_links(text: str, links: Sequence[tuple[str, str]]) -> str:
    return format_html(
        "{} {}",
        text,
        format_html_join(" ", '<a class="button button--small" href="{}">{}</a>', links),
    )


def _context(form: PuzzleForm) -> dict[str, Any]:
    """Return what the page shows of any assignment: the form, and who gets it until when."""
    chosen = set(form.ids("student"))
    people = [
        (classroom, [(student, student.pk in chosen) for student in students])
        for classroom, students in form.members
        if students
    ]
    picked = [sum(is_chosen for _who, is_chosen in some) or len(some) for _room, some in people]
    return {
        "form": form,
        "is_refused": form.is_bound,
        "list": form.asked.vocabulary_list,
        "puzzle": form.asked.puzzle,
        "replaced": form.asked.replaced,
        "next": form.asked.next,
        "is_each_their_own": form.is_each_their_own,
        "is_path": isinstance(form, WordsForm) and form.is_path,
        "is_paper": form.is_paper,
        "classes": form.asked.classes,
        "chosen_classes": [classroom for classroom, _students in form.members],
        "having": form.asked.having,
        "people": people,
        "count": sum(picked),
        "due_at": _as_moment(form.value("due_at")),
    }


def _as_moment(value: datetime | str | None) -> datetime | None:
    """Return a date of the form, which may be as it was sent."""
    if not isinstance(value, str):
        return value
    try:
        return timezone.make_aware(datetime.fromisoformat(value))
    except ValueError:
        return None


def _of_puzzle(puzzle: Any) -> dict[str, Any]:
    """Return what the page shows of a puzzle that exists."""
    kind, placements = KINDS[puzzle.kind], list(puzzle.placements.all())
    return {
        "kind": kind,
        "title": puzzle.title,
        "number": len(placements),
        "in_grid": len(placements),
        "clues": clues_of(kind, placements, puzzle.settings),
        "picture": picture_of(kind, puzzle, PREVIEWED_ROWS),
    }


def _of_words(form: WordsForm) -> dict[str, Any]:
    """Return what the page shows of a new puzzle: its words, and a preview of its grid."""
    vocabulary_list, kind = form.list, form.chosen_kind
    entries, passed_over = form.selected()
    chosen = [entry.pk for entry in entries]
    settings = kind.default_settings() | form.settings_for(len(chosen) or 1, chosen)
    suits = choice.suitability(vocabulary_list, [*entries, *passed_over], kind, settings)
    previewed = _draft(form, chosen, settings)
    placements = previewed.placements or [*map(making.placement_of, entries[:SHOWN_CLUES])]
    others = vocabulary_list.entries.exclude(pk__in=chosen).values("pk", "term")[:MOST_WORDS]
    size, lists = vocabulary_list.entries.count(), form.asked.lists
    puzzles = access.puzzles(form.asked.person, "manage").filter(
        vocabulary_list=vocabulary_list, adapted_for=None, state=Puzzle.State.READY
    )
    note = choice.explained(
        vocabulary_list,
        form.value("which"),
        students=form.students,
        is_empty=not entries and not passed_over,
    )
    shown = {
        "kind": kind,
        "title": form.value("title") or vocabulary_list.title,
        "lists": lists if vocabulary_list in lists else [vocabulary_list, *lists],
        "kinds": [(one, form.settings[slug]) for slug, one in KINDS.items()],
        "entries": entries,
        "others": others,
        "size": size,
        "unlisted": size - len(entries) - len(others),
        "number": len(entries),
        "suits": suits,
        "may_join": bool(suits.joined_by)
        and _JOINING[suits.joined_by] in list_actions(form.asked.person, vocabulary_list),
        "note": note,
        "shown": suits.unsuitable[:SHOWN_UNSUITABLE],
        "more": len(suits.unsuitable[SHOWN_UNSUITABLE:]),
        "clues": clues_of(kind, placements, settings),
        "picture": previewed.puzzle and picture_of(kind, previewed.puzzle, PREVIEWED_ROWS),
        "in_grid": len(previewed.placements) or len(entries),
        "refused": previewed.reason,
        "waits": _waits(form.asked) if previewed.is_late else 0,
        "puzzles": puzzles.only("code", "title", "kind", "created_at")[:MOST_PUZZLES],
    }
    if form.is_each_their_own:
        shown |= {
            "pinned": vocabulary_list.entries.filter(pk__in=form.ids("pinned")),
            "each": min(form.wanted_number, form.suitable),
            "too_few": form.too_few(),
            "only_for_all": only_for_all(kind, settings),
        }
    return shown


def _waits(asked: Query) -> int:
    """Return which time the page is to ask again for its grid; 0: it has asked enough."""
    [before] = ids_in([asked.sent.get("waits", "0")]) or [0]
    return before + 1 if before < MOST_WAITS else 0


def _draft(form: WordsForm, entries: Sequence[int], settings: dict[str, Any]) -> drafts.Draft:
    """Return the grid that is created if the form is sent as it is."""
    of_kind = form.settings[form.chosen_kind.slug]
    for errors in () if form.is_path else of_kind.errors.values():
        return drafts.Draft(reason=str(errors[0]))  # with a wrong setting, no grid is right
    asked = _asked(form, entries, settings)
    try:
        return drafts.draft(**asked) if asked else drafts.Draft()
    except ValidationError as error:
        return drafts.Draft(reason=error.messages[0])


def _asked(
    form: WordsForm, entries: Sequence[int], settings: dict[str, Any]
) -> dict[str, Any] | None:
    """Return the arguments of `drafts.draft`; None if there is no one grid."""
    seed = str(form.value("seed"))
    if not entries or form.is_each_their_own or not (seed.isdecimal() and len(seed) < 20):
        return None
    return {
        "vocabulary_list": form.list,
        "kind": form.chosen_kind.slug,
        "settings": {name: settings[name] for name in form.chosen_kind.settings_form.base_fields},
        "seed": int(seed),
        "entries": entries,
    }
