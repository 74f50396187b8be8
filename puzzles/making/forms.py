"""The form with which a worksheet is printed."""

from __future__ import annotations

from django import forms
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from puzzles.exports import Printing

LONGEST_INSTRUCTION = 200


class PrintingForm(forms.Form):
    """Paper, size of the text and instruction of a worksheet."""

    paper = forms.ChoiceField(
        label=pgettext_lazy("worksheet", "Paper"),
        choices=[("a4", "A4"), ("letter", pgettext_lazy("paper", "Letter"))],
        initial="a4",
        required=False,
    )
    text = forms.ChoiceField(
        label=_("Size of words and clues"),
        choices=[
            ("auto", pgettext_lazy("text", "normal")),
            ("large", pgettext_lazy("text", "large")),
            ("small", pgettext_lazy("text", "small")),
        ],
        initial="auto",
        required=False,
    )
    instruction = forms.CharField(
        label=_("Instruction"),
        help_text=_("Above the grid, for example “Find the animals”."),
        max_length=LONGEST_INSTRUCTION,
        required=False,
    )

    def printing(self) -> Printing:
        """Return what was asked for; what is wrong or missing is as usual."""
        self.is_valid()
        given = {name: value for name, value in self.cleaned_data.items() if value}
        return Printing(**given)
