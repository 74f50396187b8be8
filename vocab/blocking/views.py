"""The page of a school's blocked words."""

from __future__ import annotations

from django import forms
from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import get_language, gettext, ngettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_http_methods, require_POST

from osmosmjerka.accounts import access
from osmosmjerka.accounts.models import School
from osmosmjerka.db.collation import sort_key
from osmosmjerka.web.views import SignedInRequest, teacher_required
from vocab.blocking import services
from vocab.blocking.strong import strong_languages, strong_words
from vocab.text import language_name


class BlockedWordsForm(forms.Form):
    words = forms.CharField(
        label=_("Add blocked words"),
        help_text=_("One on each line. Capital letters and accents make no difference."),
        max_length=20_000,
        widget=forms.Textarea(attrs={"rows": 4, "dir": "auto"}),
    )


@teacher_required
@require_http_methods(["GET", "POST"])
def blocked_words(request: SignedInRequest, pk: int) -> HttpResponse:
    """Show what a school blocks, and add words. Strong words are masked unless asked for."""
    school = _school(request, pk)
    form = BlockedWordsForm(request.POST if request.method == "POST" else None)
    if form.is_valid():
        try:
            added = services.block_words(
                school=school,
                actor=request.user,
                words=form.cleaned_data["words"].splitlines(),
            )
        except ValidationError as error:
            form.add_error("words", error)
        else:
            messages.success(
                request,
                ngettext(
                    "%(count)s blocked word was added.",
                    "%(count)s blocked words were added.",
                    len(added),
                )
                % {"count": len(added)},
            )
            return redirect("blocked-words", pk)
    shown_in, key, is_shown = get_language() or "en", sort_key(), "show" in request.GET
    strong = [(language_name(tag, shown_in), tag, strong_words(tag)) for tag in strong_languages()]
    return render(
        request,
        "vocab/blocking/blocked_words.html",
        {
            "school": school,
            "form": form,
            "is_shown": is_shown,
            "words": [
                (one.pk, one.word if is_shown else _masked(one.word))
                for one in school.blocked_words.all()
            ],
            "strong": sorted(strong, key=lambda row: key(row[0])),
        },
    )


@teacher_required
@require_POST
def blocked_word_remove(request: SignedInRequest, pk: int, word: int) -> HttpResponse:
    found = get_object_or_404(_school(request, pk).blocked_words.all(), pk=word)
    services.unblock_word(word=found, actor=request.user)
    messages.success(request, gettext("The word is no longer blocked."))
    return redirect("blocked-words", pk)


@teacher_required
@require_POST
def blocked_words_strong(request: SignedInRequest, pk: int) -> HttpResponse:
    """Switch the strong words that are shipped on or off."""
    services.block_strong_words(
        school=_school(request, pk), actor=request.user, is_on="on" in request.POST
    )
    messages.success(request, gettext("Saved."))
    return redirect("blocked-words", pk)


def _school(request: SignedInRequest, pk: int) -> School:
    return get_object_or_404(access.schools(request.user, "block words"), pk=pk)


def _masked(word: str) -> str:
    return word[0] + "•••"
