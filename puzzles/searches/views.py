"""The pages of the crossword maker: the wishes, and the running search."""

from __future__ import annotations

from django.core.exceptions import ValidationError
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_http_methods, require_safe

from osmosmjerka.web.views import SignedInRequest, teacher_required
from puzzles import access
from puzzles.searches import services as searches
from puzzles.searches.forms import SearchForm
from vocab.access import vocabulary_lists

SHOWN = 8


@teacher_required
@require_http_methods(["GET", "POST"])
def search_new(request: SignedInRequest, list_pk: int) -> HttpResponse:
    """Ask for the wishes; ?like=code starts with the wishes of another search."""
    vocabulary_list = get_object_or_404(vocabulary_lists(request.user, "make puzzles"), pk=list_pk)
    entries = list(vocabulary_list.entries.prefetch_related("translations"))
    own = access.crossword_searches(request.user).filter(vocabulary_list=vocabulary_list)
    like = own.filter(code=request.GET.get("like", "")).first()
    form = SearchForm(
        request.POST or None, entries=entries, initial=like.settings if like else None
    )
    if request.POST and form.is_valid():
        try:
            search = searches.request_search(
                vocabulary_list=vocabulary_list,
                created_by=request.user,
                wishes=form.cleaned_data,
                title=request.POST.get("title", "")[:200],
            )
        except ValidationError as error:
            form.add_error(None, list(error.messages))
        else:
            return redirect("search", search.code)
    return render(
        request,
        "puzzles/searches/search_new.html",
        {
            "list": vocabulary_list,
            "title": request.POST.get("title", "") or (like.title if like else ""),
            "form": form,
            "entries": entries,
            "pinned": _chosen(form, "pinned"),
            "banned": _chosen(form, "banned"),
            "searches": own[:SHOWN],
        },
    )


def _chosen(form: SearchForm, name: str) -> set[int]:
    """Return the ids of the selected entries."""
    return {int(pk) for pk in form[name].value() or [] if str(pk).isdigit()}


@teacher_required
@require_safe
def search_page(request: SignedInRequest, code: str) -> HttpResponse:
    """Show a search; its results come from the API."""
    search = get_object_or_404(
        access.crossword_searches(request.user).select_related("vocabulary_list"), code=code
    )
    return render(request, "puzzles/searches/search.html", {"search": search})
