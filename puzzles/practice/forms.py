"""The form for practice."""

from __future__ import annotations

from django import forms
from django.utils.translation import gettext_lazy as _

from puzzles.kinds import KINDS


class PracticeForm(forms.Form):
    kind = forms.ChoiceField(
        label=_("Type"), choices=[(kind.slug, kind.name) for kind in KINDS.values()]
    )
