"""The page that prints a list, and its file."""

from __future__ import annotations

import secrets
from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.safestring import mark_safe
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy
from django.views.decorators.http import require_safe

from osmosmjerka.paper.lettering import MissingLetters
from osmosmjerka.web.requests import with_query
from osmosmjerka.web.views import SignedInRequest, download, teacher_required
from vocab import access
from vocab.entries import selectors
from vocab.imports.forms import language_names
from vocab.lists.printing import Print, Wanted
from vocab.models import VocabularyList

# How many words a remark names.
_NAMED = 10


class PrintForm(forms.Form):
    """How a list is printed; its fields have the names of those of `Wanted`."""

    what = forms.ChoiceField(
        label=gettext_lazy("What to print"),
        choices=[
            ("words", gettext_lazy("Word list")),
            ("flashcards", gettext_lazy("Flashcards")),
            ("pictures", gettext_lazy("Picture cards")),
        ],
        initial="words",
        widget=forms.RadioSelect,
    )
    hidden = forms.TypedChoiceField(
        label=gettext_lazy("Columns"),
        choices=[
            ("none", gettext_lazy("words and translations")),
            ("translations", gettext_lazy("words; students write the translations")),
            ("words", gettext_lazy("translations; students write the words")),
        ],
        initial="none",
        coerce=lambda value: "" if value == "none" else value,
    )
    is_folded = forms.TypedChoiceField(
        label=gettext_lazy("Front and back"),
        choices=[
            ("0", gettext_lazy("on both sides of the paper")),
            ("1", gettext_lazy("side by side, to fold")),
        ],
        initial="0",
        coerce=lambda value: value == "1",
    )
    per_page = forms.TypedChoiceField(
        label=gettext_lazy("Cards on a page"),
        choices=[("8", "8"), ("4", "4")],
        initial="8",
        coerce=int,
    )
    order = forms.ChoiceField(
        label=pgettext_lazy("of words", "Order"),
        choices=[
            ("list", gettext_lazy("as in the list")),
            ("alphabet", gettext_lazy("alphabetical")),
            ("shuffled", gettext_lazy("shuffled")),
        ],
        initial="list",
    )
    tag = forms.ChoiceField(label=gettext_lazy("Tag"), initial="", required=False)
    language = forms.ChoiceField(
        label=gettext_lazy("Language of the translations"), initial="", required=False
    )
    paper = forms.ChoiceField(
        label=pgettext_lazy("worksheet", "Paper"),
        choices=[("a4", "A4"), ("letter", pgettext_lazy("paper", "Letter"))],
        initial="a4",
    )
    has_pronunciation = forms.BooleanField(label=gettext_lazy("Pronunciation"), required=False)
    has_example = forms.BooleanField(label=gettext_lazy("Example"), required=False)
    seed = forms.IntegerField(min_value=0, max_value=2**32, widget=forms.HiddenInput)

    def __init__(self, query: QueryDict, vocabulary_list: VocabularyList) -> None:
        """Take from *query* what it says; the rest is as usual."""
        usual = {name: field.initial or "" for name, field in self.base_fields.items()}
        super().__init__(usual | {"seed": secrets.randbits(32)} | query.dict(), auto_id="id_%s")
        everything = ("", pgettext_lazy("tags", "All"))
        tags = selectors.tags_of(vocabulary_list)
        self._choose("tag", [everything, *((tag, tag) for tag in tags)])
        languages = vocabulary_list.translation_languages
        if len(languages) > 1:
            everything = ("", pgettext_lazy("languages", "All"))
            self._choose("language", [everything, *language_names(languages)])
        else:
            del self.fields["language"]

    def _choose(self, name: str, choices: list[tuple[Any, Any]]) -> None:
        field = self.fields[name]
        assert isinstance(field, forms.ChoiceField)  # noqa: S101  (for the type checker)
        field.choices = choices

    def wanted(self) -> Wanted:
        """Return what was asked for; what no form of ours asks is as usual."""
        self.is_valid()
        names = Wanted.__dataclass_fields__.keys()
        given = {name: self.cleaned_data[name] for name in names & self.cleaned_data.keys()}
        if given.get("what") != "words":
            given.pop("hidden", None)
        return Wanted(**given)


def _print_of(request: SignedInRequest, pk: int) -> tuple[VocabularyList, PrintForm, Print]:
    vocabulary_list = get_object_or_404(access.vocabulary_lists(request.user, "see"), pk=pk)
    form = PrintForm(request.GET, vocabulary_list)
    found = selectors.find_entries(vocabulary_list, **selectors.asked_for(request.GET))
    return vocabulary_list, form, Print(vocabulary_list, found, form.wanted())


@teacher_required
@require_safe
def list_print(request: SignedInRequest, pk: int) -> HttpResponse:
    """Show how a list is printed, with a preview of the first page."""
    vocabulary_list, form, printed = _print_of(request, pk)
    wanted = form.wanted()
    again = request.GET.copy()
    again["seed"] = str(secrets.randbits(32))
    # The search of the list's page stays in force.
    kept = {name: request.GET[name] for name in ("q", "pos", "missing") if request.GET.get(name)}
    return render(
        request,
        "vocab/lists/list_print.html",
        {
            "list": vocabulary_list,
            "form": form,
            "kept": kept,
            "size": vocabulary_list.entries.count(),
            "printed": printed,
            "wanted": wanted,
            # Made by xml.etree, which escapes what is in it.
            "pages": [mark_safe(page) for page in printed.preview()],  # noqa: S308
            "named": _NAMED,
            "again": with_query(reverse("list-print", args=[pk]), again.urlencode()),
        },
    )


@teacher_required
@require_safe
def list_print_file(request: SignedInRequest, pk: int) -> HttpResponse:
    """Send a printed list as a PDF file."""
    _vocabulary_list, _form, printed = _print_of(request, pk)
    try:
        data = printed.file()
    except MissingLetters as error:
        text = _(
            "The print fonts do not contain these letters: %(letters)s. Change the title or the "
            "words that have them, or search the list for other words and print those."
        )
        messages.error(request, text % {"letters": error.shown})
        return redirect(with_query(reverse("list-print", args=[pk]), request.GET.urlencode()))
    return download(data, "application/pdf", f"{printed.name}.pdf")
