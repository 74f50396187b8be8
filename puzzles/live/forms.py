"""The form that opens a class game."""

from __future__ import annotations

from typing import Any

from django import forms
from django.db.models import QuerySet
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from puzzles.live import rules
from puzzles.live.serializers import MODES
from puzzles.making import choice
from vocab.models import VocabularyList

# Seconds of the whole game, or in Listen of a word.
_TIMES = [
    (0, pgettext_lazy("time", "No limit")),
    (300, _("5 minutes")),
    (600, _("10 minutes")),
    (900, _("15 minutes")),
]
_TIMES_A_WORD = [
    (0, pgettext_lazy("time", "No limit")),
    (15, _("15 seconds")),
    (30, _("30 seconds")),
    (60, _("60 seconds")),
]


class NewGameForm(forms.Form):
    """What a class plays together; the usual values are good, so that two clicks open a game."""

    mode = forms.ChoiceField(
        label=pgettext_lazy("class game", "Game"),
        choices=MODES,
        widget=forms.RadioSelect,
        initial="race",
    )
    list = forms.ModelChoiceField(
        label=_("List"), queryset=VocabularyList.objects.none(), empty_label=None
    )
    which = forms.ChoiceField(
        label=pgettext_lazy("words", "Words from"),
        choices=[
            (choice.ALL, _("Any words of the list")),
            (choice.NEW, _("New words of the last seven days")),
            (choice.HARDEST, _("The words that are hardest for the class")),
            (choice.UNKNOWN, _("Words that the class does not know yet")),
        ],
        initial=choice.ALL,
        required=False,
    )
    words = forms.IntegerField(label=_("Number of words"), min_value=3, max_value=40, initial=10)
    teams = forms.IntegerField(
        label=_("Teams"), min_value=1, max_value=rules.MOST_TEAMS, initial=3, required=False
    )
    seconds = forms.TypedChoiceField(label=_("Time"), choices=_TIMES, coerce=int, initial=600)
    seconds_a_word = forms.TypedChoiceField(
        label=_("Time for each word"), choices=_TIMES_A_WORD, coerce=int, initial=30
    )
    is_heard_on_board = forms.TypedChoiceField(
        label=_("Who says the words"),
        choices=[(1, _("The projector")), (0, _("Each device, for headphones"))],
        coerce=lambda value: value == "1",
        initial=1,
    )
    allows_guests = forms.BooleanField(
        label=_("Guests can join with the code"),
        help_text=_("Without an account, under a nickname that is offered. They leave no trace."),
        required=False,
    )

    def __init__(self, lists: QuerySet[VocabularyList], *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        field = self.fields["list"]
        assert isinstance(field, forms.ModelChoiceField)  # noqa: S101  (for the type checker)
        field.queryset = lists
