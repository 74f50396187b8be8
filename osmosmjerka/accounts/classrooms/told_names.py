"""The display name of somebody whom another program names, such as a learning platform."""

from __future__ import annotations

from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

from osmosmjerka.accounts import people
from osmosmjerka.accounts.classrooms import names


def display_name(whole: str, given: str, family: str) -> str:
    """Return the given name and the first letter of the surname, as rosters shorten names."""
    if given and family:
        name = names.Name(f"{given} {family}", given, family).shortened
    else:
        name = names.split(given or names.name_in(whole)).shortened
    try:
        return people.clean_display_name(name)[:75]
    except ValidationError:  # other programs need not tell names
        return _("Student")
