"""Forms of learning platforms."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from osmosmjerka.accounts.models import Classroom
from puzzles.lti import platforms
from puzzles.models import Assignment, LtiPlatform


class Address(forms.URLField):
    """An address; without a scheme, it begins with https://."""

    def __init__(self, **options: Any) -> None:
        super().__init__(assume_scheme="https", **options)


class PlatformForm(forms.ModelForm[LtiPlatform]):
    """What a platform's own page of the tool says, to be copied by hand."""

    deployment_id = forms.CharField(label=_("Deployment ID"), max_length=255)

    class Meta:
        model = LtiPlatform
        fields = ["name", "issuer", "client_id", "auth_url", "token_url", "keys_url"]
        field_classes = dict.fromkeys(platforms.ADDRESSES, Address)


class ClassForm(forms.Form):
    """Which class a course is; "" is a new one."""

    classroom = forms.ChoiceField(
        label=_("Class"), widget=forms.RadioSelect, required=False, choices=()
    )

    def __init__(self, *args: Any, classes: list[Classroom], course: str, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        field = self.fields["classroom"]
        assert isinstance(field, forms.ChoiceField)  # noqa: S101  (for the type checker)
        new = gettext("A new class: %(name)s") % {"name": course}
        field.choices = [*((str(one.pk), str(one)) for one in classes), ("", new)]
        self.classes = {str(one.pk): one for one in classes}


class ChoiceOfAssignment(forms.Form):
    """Which assignment of the class an activity of the course opens."""

    assignment = forms.ChoiceField(label=_("Assignment"), widget=forms.RadioSelect, choices=())

    def __init__(self, *args: Any, given: list[Assignment], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        field = self.fields["assignment"]
        assert isinstance(field, forms.ChoiceField)  # noqa: S101  (for the type checker)
        field.choices = [(str(one.pk), _label(one)) for one in given]
        self.given = {str(one.pk): one for one in given}


def _label(assignment: Assignment) -> str:
    puzzle = assignment.puzzle
    number = puzzle.settings.get("words", 0)
    words = ngettext("%(count)s word", "%(count)s words", number) % {"count": number}
    return f"{puzzle.title} · {words}"
