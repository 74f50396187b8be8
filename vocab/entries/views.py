"""The table for editing a list's entries, one at a time or many at once."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from osmosmjerka.web.requests import with_query
from osmosmjerka.web.views import SignedInRequest, refusal_as_message, teacher_required
from vocab import access
from vocab.entries import bulk, table
from vocab.entries import selectors as entries_selectors
from vocab.entries import services as entry_services
from vocab.entries.forms import BulkForm, EntryForm
from vocab.memory import changed_words
from vocab.models import Entry, VocabularyList

# A class game asks no more words than this.
MOST_IN_A_GAME = 40


def _row(request: SignedInRequest, entry: Entry, key: str = "") -> HttpResponse:
    """Return the entry's row; *key* is the entry's before it was edited."""
    vocabulary_list = entry.vocabulary_list
    context = {
        "rows": table.rows_of(vocabulary_list, [entry]),
        "list": vocabulary_list,
        "may_edit": "edit" in access.list_actions(request.user, vocabulary_list),
        "effect": changed_words.effect(entry, key) if key else "",
        "former_key": key,
    }
    return render(request, "vocab/entries/_entry_rows.html", context)


@teacher_required
@require_safe
def entry_row(request: SignedInRequest, pk: int) -> HttpResponse:
    """Return one row of the table, for example when editing is cancelled."""
    return _row(request, get_object_or_404(access.entries(request.user, "see"), pk=pk))


@teacher_required
@require_http_methods(["GET", "POST"])
def entry_edit(request: SignedInRequest, pk: int) -> HttpResponse:
    """Return the row as a form, or save it and return the row."""
    entry = get_object_or_404(access.entries(request.user, "edit"), pk=pk)
    vocabulary_list = entry.vocabulary_list
    context: dict[str, Any] = {"entry": entry, "list": vocabulary_list}
    if request.method == "GET":
        form = EntryForm(vocabulary_list=vocabulary_list, entry=entry)
        return render(request, "vocab/entries/_entry_form.html", context | {"form": form})
    form = EntryForm(request.POST, vocabulary_list=vocabulary_list, entry=entry)
    if form.is_valid():
        version, key = form.cleaned_data["version"] or 0, entry.key
        try:
            saved = entry_services.edit_entry(
                entry=entry, version=version, row=form.as_row(), shown=form.shown_row()
            )
        except ValidationError as error:
            form.add_error("term", error)
        except entry_services.EditConflict as conflict:
            now = EntryForm(vocabulary_list=vocabulary_list, entry=conflict.entry)
            context |= {
                "conflict": str(conflict),
                "clashes": form.show_both(now, conflict.fields),
                "version": conflict.entry.version,
            }
        else:
            return _row(request, saved, key)
    return render(request, "vocab/entries/_entry_form.html", context | {"form": form})


@teacher_required
@require_POST
def entry_same(request: SignedInRequest, pk: int) -> HttpResponse:
    """Say whether an edited entry is still the same word to its students; return its row."""
    entry = get_object_or_404(access.entries(request.user, "edit"), pk=pk)
    key = request.POST.get("key", "")
    changed_words.decide(entry=entry, key=key, is_same=request.POST.get("same") == "yes")
    return _row(request, entry, key)


@teacher_required
@require_POST
def entry_add(request: SignedInRequest, pk: int) -> HttpResponse:
    """Add an entry; return its row and an empty form for the next one."""
    vocabulary_list = get_object_or_404(access.vocabulary_lists(request.user, "edit"), pk=pk)
    form = EntryForm(request.POST, vocabulary_list=vocabulary_list)
    added = []
    if form.is_valid():
        try:
            entry = entry_services.add_entry(vocabulary_list=vocabulary_list, row=form.as_row())
        except ValidationError as error:
            form.add_error("term", error)
        else:
            added = table.rows_of(vocabulary_list, [entry])
            form = EntryForm(vocabulary_list=vocabulary_list)
    context = {"list": vocabulary_list, "new_form": form, "added": added, "may_edit": True}
    return render(request, "vocab/entries/_entry_add.html", context)


@teacher_required
@require_POST
def entry_place(request: SignedInRequest, pk: int) -> HttpResponse:
    """Move an entry up or down."""
    entry = get_object_or_404(access.entries(request.user, "edit"), pk=pk)
    with refusal_as_message(request):
        entry_services.place_entry(entry=entry, step=-1 if request.POST.get("step") == "up" else 1)
    return _back(request, entry.vocabulary_list, f"entry-{entry.pk}")


def _back(
    request: SignedInRequest, vocabulary_list: VocabularyList, place: str = "words"
) -> HttpResponse:
    page = reverse("list", args=[vocabulary_list.pk])
    return redirect(with_query(page, request.POST.get("query", ""), place))


@teacher_required
@require_POST
def entries_bulk(request: SignedInRequest, pk: int) -> HttpResponse:
    """Tag, delete, merge or move the selected entries, or all that the search found.

    Or begin to assign them, or to play a game with them.
    """
    vocabulary_list = get_object_or_404(access.vocabulary_lists(request.user, "edit"), pk=pk)
    if request.POST.get("action") == "puzzle":
        return redirect(_new_assignment(request, vocabulary_list))
    if request.POST.get("action") == "play":
        return redirect(_new_game(request, vocabulary_list))
    form = BulkForm(request.POST, vocabulary_list=vocabulary_list, person=request.user)
    if not form.is_valid():
        messages.error(request, _("Select at least one word, then choose what to do."))
        return _back(request, vocabulary_list)
    wanted = form.cleaned_data
    with refusal_as_message(request):
        edit = bulk.change_many(
            vocabulary_list=vocabulary_list,
            person=request.user,
            action=wanted["action"],
            entries=form.chosen(),
            tag=wanted["tag"],
            target=wanted["target"],
        )
        if edit.staying:
            text = ngettext(
                "%(count)s word was not moved because it is already in that list.",
                "%(count)s words were not moved because they are already in that list.",
                edit.staying,
            )
            messages.warning(request, text % {"count": edit.staying})
    return _back(request, vocabulary_list)


def _new_assignment(request: SignedInRequest, vocabulary_list: VocabularyList) -> str:
    """Return the address at which the selected entries, or all that were found, are assigned."""
    sent = request.POST
    chosen = QueryDict(mutable=True)
    if sent.get("everything"):
        chosen = QueryDict(sent.get("query", ""), mutable=True)
    else:
        chosen.setlist("entries", sent.getlist("entries"))
    chosen["vocabulary_list"] = str(vocabulary_list.pk)
    return with_query(reverse("assign"), chosen.urlencode())


def _new_game(request: SignedInRequest, vocabulary_list: VocabularyList) -> str:
    """Return the address at which a class plays the selected entries, or those that were found."""
    entries: Iterable[Any] = request.POST.getlist("entries")
    if request.POST.get("everything"):
        asked = entries_selectors.asked_for(QueryDict(request.POST.get("query", "")))
        found = entries_selectors.find_entries(vocabulary_list, **asked)
        entries = found.values_list("pk", flat=True)[:MOST_IN_A_GAME]
    chosen = QueryDict(mutable=True)
    chosen["list"] = str(vocabulary_list.pk)
    chosen.setlist("entry", [str(entry) for entry in entries])
    return with_query(reverse("live-class"), chosen.urlencode())


@teacher_required
@require_POST
def bulk_undo(request: SignedInRequest, pk: int, edit_pk: int) -> HttpResponse:
    """Undo a bulk edit."""
    vocabulary_list = get_object_or_404(access.vocabulary_lists(request.user, "edit"), pk=pk)
    edit = get_object_or_404(vocabulary_list.bulk_edits, pk=edit_pk)
    with refusal_as_message(request):
        count = bulk.take_back(edit=edit, person=request.user)
        text = ngettext("%(count)s word was restored.", "%(count)s words were restored.", count)
        messages.success(request, text % {"count": count})
        if waiting := bulk.still_deleted(edit):
            text = ngettext(
                "%(count)s word was not restored because the list has it again. Delete it there, "
                "then undo once more.",
                "%(count)s words were not restored because the list has them again. Delete them "
                "there, then undo once more.",
                waiting,
            )
            messages.warning(request, text % {"count": waiting})
    return _back(request, vocabulary_list)
