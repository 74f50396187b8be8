"""The form of a search for crosswords."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from puzzles.kinds.crossword import CrosswordForm
from vocab.models import Entry

# Limits of one search, on which a worker's memory and time depend.
MOST_WORDS = 200


LARGEST_BOARD = 40


class SearchForm(CrosswordForm):
    """What a teacher wants of a crossword whose search they watch."""

    field_order = ["words", "seconds", "rows", "cols", "symmetric", "clue"]
    words = forms.IntegerField(
        label=_("Number of words"),
        min_value=2,
        max_value=MOST_WORDS,
        initial=20,
        required=False,
        help_text=_("From a longer list, the words that cross best are chosen."),
    )
    seconds = forms.FloatField(
        label=_("Search time in seconds"), min_value=1, max_value=300, initial=30, required=False
    )
    rows = forms.IntegerField(
        label=pgettext_lazy("grid", "Rows"),
        min_value=3,
        max_value=LARGEST_BOARD,
        required=False,
        help_text=_("Leave empty to fit the words."),
    )
    cols = forms.IntegerField(
        label=pgettext_lazy("grid", "Columns"), min_value=3, max_value=LARGEST_BOARD, required=False
    )
    symmetric = forms.BooleanField(
        label=_("Symmetrical"),
        required=False,
        help_text=_("It looks the same upside down, but holds fewer words."),
    )
    pinned = forms.TypedMultipleChoiceField(label=_("Words to include"), coerce=int, required=False)
    banned = forms.TypedMultipleChoiceField(label=_("Words to exclude"), coerce=int, required=False)

    def __init__(self, *args: Any, entries: Iterable[Entry], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        choices = [(entry.pk, entry.term) for entry in entries]
        for name in ("pinned", "banned"):
            field = self.fields[name]
            assert isinstance(field, forms.TypedMultipleChoiceField)  # noqa: S101  (for the checker)
            field.choices = choices

    def clean(self) -> dict[str, Any]:
        wanted = super().clean() or {}
        terms = dict(self.fields["pinned"].choices)  # type: ignore[attr-defined]
        pinned = wanted.get("pinned") or []
        for pk in set(pinned) & set(wanted.get("banned") or []):
            self.add_error(
                "pinned",
                _("“%(word)s” cannot be both included and excluded.") % {"word": terms[pk]},
            )
        if len(pinned) > (wanted.get("words") or MOST_WORDS):
            self.add_error(
                "words",
                _(
                    "This number is smaller than the number of words you chose to include. Make it "
                    "larger, or include fewer words."
                ),
            )
        rows, cols = wanted.get("rows"), wanted.get("cols")
        if wanted.get("symmetric") and rows and cols and not (rows % 2 or cols % 2):
            self.add_error(
                "rows",
                _("A symmetrical crossword needs an odd number of rows or columns."),
            )
        return wanted
