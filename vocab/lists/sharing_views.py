"""Pages for a list's settings and sharing, and for copies of other people's lists."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_http_methods, require_POST

from osmosmjerka.accounts.models import User
from osmosmjerka.web.views import SignedInRequest, refusal_as_message, teacher_required
from vocab import access
from vocab.imports import services as imports
from vocab.lists import services as list_services
from vocab.lists import sharing
from vocab.lists.forms import ListSettingsForm
from vocab.models import VocabularyList

SHOWN_FORMS = 12


class ShareForm(forms.Form):
    username = forms.CharField(label=_("Teacher’s username"), max_length=150)
    may_edit = forms.BooleanField(label=_("Can edit the list"), required=False)

    def clean_username(self) -> User:
        return sharing.teacher_named(self.cleaned_data["username"])


@teacher_required
@require_http_methods(["GET", "POST"])
def list_settings(request: SignedInRequest, pk: int) -> HttpResponse:
    vocabulary_list = _shareable(request, pk)
    # A form changes its instance, so give it its own; the service saves the changes.
    own = VocabularyList.objects.get(pk=pk)
    form = ListSettingsForm(request.POST or None, instance=own)
    context: dict[str, Any] = {"form": form}
    if request.method == "POST" and form.is_valid():
        try:
            list_services.update_list(
                vocabulary_list=vocabulary_list, shown=form.shown(), **form.changes()
            )
        except ValidationError as error:
            form.add_error(None, error)
        except list_services.ListConflict as conflict:
            context |= {
                "conflict": str(conflict),
                "clashes": form.show_both(conflict.vocabulary_list, conflict.fields),
            }
        else:
            messages.success(request, gettext("Settings saved."))
            if form.is_relabelled:
                messages.info(
                    request,
                    gettext(
                        "Only the names of the languages have changed: words and translations stay "
                        "the same."
                    ),
                )
            return redirect("list", pk)
    return _settings(request, vocabulary_list, **context)


@teacher_required
@require_POST
def list_playing(request: SignedInRequest, pk: int) -> HttpResponse:
    """Show what would be played of a list's words by other rules, before they are saved."""
    vocabulary_list = _shareable(request, pk)
    vocabulary_list.playing_rules = request.POST.getlist("playing_rules")
    changed = [
        (term, vocabulary_list.tiles_of(forms[0]), forms[1:])
        for term, own in vocabulary_list.entries.values_list("term", "playing_form")
        if (forms := vocabulary_list.forms_of(term, own)) != [term]
    ]
    context = {"list": vocabulary_list, "shown": changed[:SHOWN_FORMS], "count": len(changed)}
    return render(request, "vocab/lists/_playing.html", context)


def _shareable(request: SignedInRequest, pk: int) -> VocabularyList:
    found: VocabularyList = get_object_or_404(access.vocabulary_lists(request.user, "share"), pk=pk)
    return found


def _settings(
    request: SignedInRequest, vocabulary_list: VocabularyList, **more: Any
) -> HttpResponse:
    context = {
        "list": vocabulary_list,
        "form": ListSettingsForm(instance=vocabulary_list),
        "share_form": ShareForm(),
        "shares": sharing.shares_by_name(vocabulary_list),
    }
    return render(request, "vocab/lists/list_settings.html", context | more)


@teacher_required
@require_POST
def list_share(request: SignedInRequest, pk: int) -> HttpResponse:
    vocabulary_list = _shareable(request, pk)
    form = ShareForm(request.POST)
    if form.is_valid():
        try:
            sharing.share_list(
                vocabulary_list=vocabulary_list,
                teacher=form.cleaned_data["username"],
                may_edit=form.cleaned_data["may_edit"],
            )
        except ValidationError as error:
            form.add_error("username", error)
        else:
            return redirect("list-settings", pk)
    return _settings(request, vocabulary_list, share_form=form)


@teacher_required
@require_POST
def list_unshare(request: SignedInRequest, pk: int, teacher: int) -> HttpResponse:
    sharing.unshare_list(vocabulary_list=_shareable(request, pk), teacher_pk=teacher)
    return redirect("list-settings", pk)


@teacher_required
@require_POST
def list_copy(request: SignedInRequest, pk: int) -> HttpResponse:
    original = get_object_or_404(access.vocabulary_lists(request.user, "see"), pk=pk)
    made = sharing.copy_list(original=original, owner=request.user)
    messages.success(request, gettext("This is your own copy. The original stays unchanged."))
    return redirect("list", made.pk)


@teacher_required
@require_POST
def list_pull(request: SignedInRequest, pk: int) -> HttpResponse:
    """Show what changed in the original since it was copied, as an import's preview."""
    copy = get_object_or_404(access.vocabulary_lists(request.user, "edit"), pk=pk)
    with refusal_as_message(request):
        made = imports.start_pull(copy=copy, created_by=request.user)
        return redirect("import", made.pk)
    return redirect("list", pk)
