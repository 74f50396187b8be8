"""Fields and serializers that several rooms of the API share."""

from __future__ import annotations

from typing import Any, NoReturn

from django.utils.translation import gettext_lazy as _
from rest_framework import serializers

# The most ids in one request.
MOST_IDS = 1000


class OneOf(serializers.ChoiceField):
    """One of some values; whoever sends another is told which there are."""

    default_error_messages = {
        "invalid_choice": _("“{input}” is not a valid choice. Choose one of: {choices}.")
    }

    def fail(self, key: str, **values: Any) -> NoReturn:
        choices = ", ".join(str(one) for one in self.choices if one != "")
        super().fail(key, choices=choices, **values)


class IdField(serializers.IntegerField):
    """The id of a row, as large as a database can compare it."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(min_value=1, max_value=2**63 - 1, **kwargs)


class IdsField(serializers.ListField):
    """Ids of what is to be changed together."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(child=IdField(), max_length=MOST_IDS, **kwargs)


class NamedSerializer(serializers.Serializer[Any]):
    """A thing by its id, with its name for people."""

    id = serializers.IntegerField()
    name = serializers.CharField()
