"""Forms that two people may have open at once: each saves only what they have changed themselves.

A page sends along, in hidden fields, what its form showed. So the server can tell what its reader
changed from what somebody else has changed since, and only a field that both changed is a conflict.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any, NamedTuple

from django import forms
from django.forms.utils import pretty_name
from django.http import QueryDict
from django.utils.functional import Promise
from django.utils.translation import gettext as _


class Clash(NamedTuple):
    """A field that two people changed: its label, and what each of them wants, as texts."""

    label: str | Promise
    mine: str
    theirs: str


def remember(form: forms.BaseForm) -> None:
    """Let *form*, whose fields are complete, send along what it shows."""
    is_told = not form.is_bound or _says_what_was_seen(form)
    for field in form.fields.values():
        field.show_hidden_initial = is_told


def seen(form: forms.BaseForm) -> dict[str, Any] | None:
    """Return what a sent form showed, by field; None if it does not say."""
    if not _says_what_was_seen(form):
        return None
    shown = {}
    for name, field in form.fields.items():
        widget = field.hidden_widget()
        raw = widget.value_from_datadict(form.data, form.files, form.add_initial_prefix(name))
        try:
            shown[name] = field.to_python(raw)
        except forms.ValidationError:
            shown[name] = raw
    return shown


def changes(form: forms.BaseForm) -> dict[str, Any]:
    """Return the valid values of the fields that the sender of *form* changed."""
    own = set(form.changed_data)
    return {name: value for name, value in form.cleaned_data.items() if name in own}


def differ(one: Any, other: Any) -> bool:
    """Return whether two values of a field differ, other than by how a device ends its lines."""
    return bool(_plain(one) != _plain(other))


def both_changed(
    mine: Mapping[str, Any], shown: Mapping[str, Any], now: Mapping[str, Any]
) -> set[str]:
    """Return the fields that were changed in different ways.

    *mine* are the values that are wanted, *shown* and *now* those of all fields, before and after
    somebody else's changes.
    """
    return {
        name
        for name, value in mine.items()
        if name in now and differ(now[name], shown.get(name)) and differ(now[name], value)
    }


def show_both(form: forms.BaseForm, now: Mapping[str, Any], fields: Collection[str]) -> list[Clash]:
    """Let *form*, shown again, keep its sender's changes and take over all others from *now*.

    Sent once more, it overwrites what it has shown by then. Return what clashes in *fields*.
    """
    own = set(form.changed_data)
    clashes = [
        Clash(
            form[name].label or pretty_name(name),
            _text(form.fields[name], form.cleaned_data.get(name)),
            _text(form.fields[name], now[name]),
        )
        for name in form.fields
        if name in fields
    ]
    assert isinstance(form.data, QueryDict)  # noqa: S101  (as every sent form's)
    data = form.data.copy()
    for name, field in form.fields.items():
        if name in now:
            values = now[name] if isinstance(now[name], list) else [now[name]]
            hidden = [str(value) for value in values]
            data.setlist(form.add_initial_prefix(name), hidden)
            if name not in own:
                is_box = isinstance(field, forms.BooleanField)
                data.setlist(form.add_prefix(name), ["on"] * bool(now[name]) if is_box else hidden)
    form.data = data
    return clashes


def _says_what_was_seen(form: forms.BaseForm) -> bool:
    # A list without values has no hidden field, so look for any.
    return any(form.add_initial_prefix(name) in form.data for name in form.fields)


def _plain(value: Any) -> Any:
    if isinstance(value, list):
        return sorted(map(str, value))
    return value.replace("\r\n", "\n").strip() if isinstance(value, str) else value


def _text(field: forms.Field, value: Any) -> str:
    if isinstance(value, bool):
        return _("Yes") if value else _("No")
    names = {}
    if isinstance(field, forms.ChoiceField):
        choices: Any = field.choices
        names = {str(key): str(name) for key, name in choices}
    values = value if isinstance(value, list) else [value]
    return "; ".join(names.get(str(one), str(one)) for one in values if one not in (None, ""))
