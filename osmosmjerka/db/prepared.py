"""Queries whose SQL Django writes once, for the path of an answer and for the plan of a day.

Django builds and writes the SQL of a queryset anew for each use, which takes several times as long
as the database does. That counts when a school sends a hundred answers a second, and nowhere else:
other code uses querysets. Decision 0011 has the measurements.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, date, datetime, timedelta
from typing import Any, TypeVar
from uuid import UUID

from django.db import DEFAULT_DB_ALIAS, connection, models
from django.utils import timezone

from osmosmjerka.db.any_of import Ids

_Model = TypeVar("_Model", bound=models.Model)

# For each type of value: the field that writes it for the database, and a value that no row has.
_TYPES: dict[type, tuple[models.Field[Any, Any], Any]] = {
    int: (models.BigIntegerField(), -4_611_686_018_427_000_000),
    str: (models.TextField(), "\ufdd0 stand-in "),
    list: (Ids(), [-4_611_686_018_427_000_000]),
    date: (models.DateField(), date(9876, 5, 4)),
    UUID: (models.UUIDField(), UUID("ffffffff-ffff-4fff-bfff-fffffffff000")),
    datetime: (models.DateTimeField(), datetime(9876, 5, 4, 3, 2, 1, 987654, tzinfo=UTC)),
}
# What SQLite stores as text or number.
_CONVERTED = (models.BooleanField, models.DateField, models.JSONField, models.UUIDField)


class Prepared:
    """A query that is built once in a process, and then only executed.

    *build* gets a value for each of the *places*, of its type, and returns a queryset. It is not
    called again, so it must not read the clock or depend on a value: conditions may only compare
    it, a list of ids by `any_of`. *columns* are what to read: lookups to fields of *model*, or
    annotations, of which *annotated* has the fields as which they are read.
    """

    def __init__(
        self,
        model: type[models.Model],
        build: Callable[..., models.QuerySet[Any]],
        columns: Sequence[str],
        annotated: Mapping[str, models.Field[Any, Any]] | None = None,
        **places: type,
    ) -> None:
        self._build, self._places, annotated = build, places, annotated or {}
        self._columns = [*columns, *annotated]
        fields = [*(_field_of(model, column) for column in columns), *annotated.values()]
        self._fields = [field if isinstance(field, _CONVERTED) else None for field in fields]
        # By the kind of database: the SQL, its parameters, and at which of them each place is.
        self._written: dict[str, tuple[str, list[Any], dict[str, list[int]]]] = {}

    def row(self, **values: Any) -> tuple[Any, ...] | None:
        """Return the first row, or None."""
        return next(iter(self.rows(**values)), None)

    def rows(self, **values: Any) -> list[tuple[Any, ...]]:
        """Execute the query for these values; return its rows, in the order of the columns."""
        self.prepare()
        sql, constants, indexes = self._written[connection.vendor]
        parameters = [*constants]
        for name, kind in self._places.items():
            written = _TYPES[kind][0].get_db_prep_value(values[name], connection)
            for index in indexes[name]:
                parameters[index] = written
        with connection.cursor() as cursor:
            cursor.execute(sql, parameters)
            found = cursor.fetchall()
        return [
            tuple(
                value if field is None or value is None else _read(field, value)
                for field, value in zip(self._fields, row, strict=True)
            )
            for row in found
        ]

    def prepare(self) -> None:
        """Let Django write the SQL, unless it has; otherwise the first use does."""
        if connection.vendor not in self._written:
            self._written[connection.vendor] = self._write()

    def _write(self) -> tuple[str, list[Any], dict[str, list[int]]]:
        """Let Django execute the query for values that no row has, and note how."""
        executed: list[tuple[str, Sequence[Any]]] = []

        def note(execute: Callable[..., Any], sql: str, params: Any, *rest: Any) -> Any:
            executed.append((sql, params))
            return execute(sql, params, *rest)

        stand_ins = {
            name: _stand_in(kind, number)
            for number, (name, kind) in enumerate(self._places.items())
        }
        with connection.execute_wrapper(note):
            list(self._build(**stand_ins).values_list(*self._columns))
        [(sql, params)] = executed
        indexes = {}
        for name, kind in self._places.items():
            written = _TYPES[kind][0].get_db_prep_value(stand_ins[name], connection)
            indexes[name] = [index for index, param in enumerate(params) if param == written]
            if not indexes[name]:
                raise TypeError(f"A prepared query does not compare anything with {name}.")
        return sql, list(params), indexes


def _stand_in(kind: type, number: int) -> Any:
    """Return a value that no row has, another one for each place."""
    value = _TYPES[kind][1]
    if kind is UUID:
        return UUID(int=value.int + number)
    days = timedelta(days=number)
    return value + {int: number, str: str(number), list: [number], date: days, datetime: days}[kind]


def _field_of(model: Any, column: str) -> Any:
    """Return the field behind a lookup; for a foreign key, the one that it refers to."""
    *path, name = column.split("__")
    for relation in path:
        model = model._meta.get_field(relation).related_model
    [field] = (one for one in model._meta.concrete_fields if name in (one.name, one.attname))
    return getattr(field, "target_field", field)


def _read(field: models.Field[Any, Any], value: Any) -> Any:
    if isinstance(field, models.JSONField):
        return field.from_db_value(value, models.Value(None), connection)
    value = field.to_python(value)
    if isinstance(value, datetime) and timezone.is_naive(value):
        return value.replace(tzinfo=UTC)
    return value


def columns_of(model: type[models.Model], path: str = "", *, only: Sequence[str] = ()) -> list[str]:
    """Return the columns of *model* for a query, behind a lookup such as "user__"."""
    names = [field.attname for field in model._meta.concrete_fields]
    return [f"{path}{name}" for name in names if not only or name in only]


def object_of(model: type[_Model], values: Sequence[Any], *, only: Sequence[str] = ()) -> _Model:
    """Return the object whose `columns_of` have *values*; other columns are deferred."""
    return model.from_db(DEFAULT_DB_ALIAS, columns_of(model, only=only), values)
