"""The lookup `any_of`: like `in`, but all ids are one parameter, however many they are.

So a query for many ids has the same SQL as one for few, and can be built once.
"""

from __future__ import annotations

import json
from collections.abc import Collection
from typing import Any

from django.db import models

_IS_IN_JSON = "IN (SELECT value FROM json_each(%s))"


class Ids(models.Field[Any, Any]):
    """Several ids as one value: an array, or JSON where the database has no arrays."""

    def get_db_prep_value(
        self, value: Collection[int], connection: Any, prepared: bool = False
    ) -> list[int] | str:
        ids = list(value)
        return ids if connection.vendor == "postgresql" else json.dumps(ids)


@models.Field.register_lookup
@models.ForeignKey.register_lookup  # which does not inherit the others
class AnyOf(models.Lookup[Any]):
    """True for rows whose value is one of the ids."""

    lookup_name = "any_of"
    prepare_rhs = False

    def as_sql(self, compiler: Any, connection: Any) -> tuple[str, tuple[Any, ...]]:
        value, params = self.process_lhs(compiler, connection)
        is_one = "= ANY(%s)" if connection.vendor == "postgresql" else _IS_IN_JSON
        return f"{value} {is_one}", (*params, Ids().get_db_prep_value(self.rhs, connection))
