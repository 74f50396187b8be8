"""Fields and serializers that several rooms of the API share."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

# The most ids in one request.
MOST_IDS = 1000


class IdsField(serializers.ListField):
    """Ids of what is to be changed together."""

    def __init__(self, **kwargs: Any) -> None:
        child = serializers.IntegerField(min_value=1, max_value=2**63 - 1)
        super().__init__(child=child, max_length=MOST_IDS, **kwargs)


class NamedSerializer(serializers.Serializer[Any]):
    """A thing by its id, with its name for people."""

    id = serializers.IntegerField()
    name = serializers.CharField()
