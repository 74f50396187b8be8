"""The form of a new link."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from puzzles.sharing.services import Lasting


class LinkForm(forms.Form):
    lasts = forms.ChoiceField(
        label=_("The link works"), choices=Lasting.choices, initial=Lasting.MONTH
    )
    may_copy = forms.BooleanField(
        label=_("The words may be copied"),
        required=False,
        help_text=_("Teachers of this site copy the list; others download its words as a file."),
    )

    def __init__(self, *args: Any, is_list: bool, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if not is_list:
            del self.fields["may_copy"]
