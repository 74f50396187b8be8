"""Pages to import a puzzle: choose its file, look at it, save it."""

from __future__ import annotations

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from osmosmjerka.web.views import SignedInRequest, refusal_as_message, teacher_required
from puzzles.assignments.pictures import picture_from_the_left
from puzzles.imports.forms import ImportForm, PuzzleFileForm
from puzzles.imports.services import (
    Preview,
    clue_of,
    import_puzzle,
    kind_of,
    no_single_letters,
)
from puzzles.models import Puzzle
from vocab.sentences import said

_MOST_NAMED = 10


@teacher_required
@require_http_methods(["GET", "POST"])
def import_new(request: SignedInRequest) -> HttpResponse:
    """Ask for a file and show what is in it. Nothing is saved."""
    form = PuzzleFileForm(request.POST or None, request.FILES or None)
    if request.method == "POST" and form.is_valid():
        preview: Preview = form.cleaned_data["file"]
        guess = preview.guess | {"read": preview.signed()}
        return _shown(request, preview, ImportForm(initial=guess))
    return render(request, "puzzles/imports/import_new.html", {"form": form})


@teacher_required
@require_POST
def import_save(request: SignedInRequest) -> HttpResponse:
    """Save a puzzle that was shown before, with a list of its words."""
    form, preview = ImportForm(request.POST), None
    with refusal_as_message(request):
        preview = Preview.from_signed(request.POST.get("read", ""))
    if preview is None:
        return redirect("puzzle-import")
    if form.is_valid():
        try:
            puzzle = import_puzzle(preview=preview, owner=request.user, **form.wanted)
        except ValidationError as error:
            form.add_error(None, list(error.messages))
        else:
            messages.success(
                request, _("The puzzle was imported. Its words were saved as a new list.")
            )
            return redirect("puzzle", puzzle.code)
    return _shown(request, preview, form)


def _shown(request: SignedInRequest, preview: Preview, form: ImportForm) -> HttpResponse:
    """Show a puzzle that is not saved as it is in the file, with what of it is not kept."""
    read = preview.read
    kind = kind_of(read)
    unsaved = Puzzle(kind=kind.slug, grid=[list(row) for row in read.grid])
    picture = picture_from_the_left(kind, kind.public_grid(unsaved))
    losses = [said(loss) for loss in read.losses]
    if squares := no_single_letters(read, form["language"].value() or ""):
        named = squares[:_MOST_NAMED] + ["…"] * (len(squares) > _MOST_NAMED)
        losses.append(
            _(
                "This puzzle can be imported only in a language in which each of these squares is "
                "one letter, as LJ is in Croatian: %(squares)s"
            )
            % {"squares": ", ".join(named)}
        )
    context = {
        "form": form,
        "kind": kind,
        "picture": picture,
        "rows": len(read.grid),
        "columns": len(read.grid[0]),
        "words": [(read.spelt(word), clue_of(word), word) for word in read.words],
        "losses": losses,
    }
    return render(request, "puzzles/imports/import_preview.html", context)
