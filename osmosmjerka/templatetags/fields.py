from __future__ import annotations

from typing import Any

from django import forms, template

register = template.Library()


@register.filter
def may_be_empty(field: forms.BoundField) -> bool:
    """Say whether nothing may be entered; a choice whose every option means something may not."""
    asked = field.field
    if asked.required:
        return False
    if isinstance(asked, forms.ModelChoiceField):
        return asked.empty_label is not None
    if isinstance(asked, forms.ChoiceField) and not isinstance(asked, forms.MultipleChoiceField):
        choices: Any = asked.choices
        return any(value in {"", None} for value, _label in choices)
    return True
