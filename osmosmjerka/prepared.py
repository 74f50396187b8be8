"""Queries that are built once and then only executed.

Django builds a queryset and its SQL anew for each use. For a small query that takes ten times as
long as the database does, which counts when a school sends a hundred answers a second. A prepared
query is an ordinary queryset, from the same functions as everywhere, so that permissions are still
defined once; only what is built of it is kept, with places for the values that change.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta, timezone
from typing import Any, Generic, TypeVar
from uuid import UUID
from weakref import WeakKeyDictionary

from django.db import DEFAULT_DB_ALIAS, connections, models
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.models.sql import Query
from django.utils.functional import cached_property

# How SQLite is given a time.
_A_TIME = re.compile(r"\d{4}-\d\d-\d\d \d\d:\d\d")
_Model = TypeVar("_Model", bound=models.Model)

# For each type of value: the field that writes it for the database, and a value that stands in its
# place while the query is built. The time zone is odd so that no other moment looks the same.
_NOBODYS = datetime(9876, 5, 4, 3, 2, 1, 987654, tzinfo=timezone(timedelta(minutes=7)))
_TYPES: dict[type, tuple[models.Field[Any, Any], Any]] = {
    int: (models.BigIntegerField(), 4_611_686_018_427_000_001),
    str: (models.TextField(), "\ufdd0 stand-in "),
    UUID: (models.UUIDField(), UUID("ffffffff-ffff-4fff-bfff-fffffffff000")),
    datetime: (models.DateTimeField(), _NOBODYS),
}


@dataclass(frozen=True, slots=True)
class _Built:
    """A query as SQL. A parameter is a constant, or the name of a place and its field."""

    sql: str
    lock: str
    parameters: list[tuple[str | None, Any]]
    converters: list[tuple[int, list[Callable[..., Any]], Any]]
    width: int


class Prepared:
    """A query that is built once for each database connection.

    *build* gets a value for each of the *places*, of its type, and returns a queryset of
    `values_list`. It is called again only for a new connection, so it must not read the clock or
    anything else that changes: what changes has to be a place. Conditions may compare a place, but
    not depend on it otherwise; a place that leaves no trace in the SQL is an error.

    *locks* are models of the query whose rows `locked_row` locks, where a database locks rows.
    """

    def __init__(
        self,
        build: Callable[..., Any],
        *,
        locks: Sequence[type[models.Model]] = (),
        **places: type,
    ) -> None:
        self._build_queryset = build
        self._locks = locks
        self._places = places
        # A connection belongs to one thread, and with it what was built for it.
        self._built: WeakKeyDictionary[BaseDatabaseWrapper, _Built] = WeakKeyDictionary()

    def rows(self, **values: Any) -> list[tuple[Any, ...]]:
        """Execute the query and return its rows as tuples, in the order of `values_list`."""
        return self._execute(values)

    def row(self, **values: Any) -> tuple[Any, ...] | None:
        """Execute the query and return its first row, or None."""
        return next(iter(self._execute(values)), None)

    def locked_row(self, **values: Any) -> tuple[Any, ...] | None:
        """Return the first row, locked until the transaction ends, as it is now.

        A database without locks for rows has locked everything when the transaction began.
        """
        return next(iter(self._execute(values, is_locking=True)), None)

    def _execute(self, values: dict[str, Any], *, is_locking: bool = False) -> list[Any]:
        connection = connections[DEFAULT_DB_ALIAS]
        built = self._built.get(connection)
        if built is None:
            built = self._built[connection] = self._build(connection)
        parameters = [
            constant_or_field
            if name is None
            else constant_or_field.get_db_prep_value(values[name], connection)
            for name, constant_or_field in built.parameters
        ]
        with connection.cursor() as cursor:
            cursor.execute(built.sql + built.lock if is_locking else built.sql, parameters)
            fetched = cursor.fetchall()
        rows = [list(row[: built.width]) for row in fetched]
        for index, functions, expression in built.converters:
            for row in rows:
                value = row[index]
                for function in functions:
                    value = function(value, expression, connection)
                row[index] = value
        return [tuple(row) for row in rows]

    def _build(self, connection: BaseDatabaseWrapper) -> _Built:
        stand_ins = {
            name: _stand_in(kind, number)
            for number, (name, kind) in enumerate(self._places.items())
        }
        query: Query = self._build_queryset(**stand_ins).query
        compiler = query.get_compiler(connection=connection)
        sql, given = compiler.as_sql()
        fields = {name: _TYPES[kind][0] for name, kind in self._places.items()}
        written = {
            name: fields[name].get_db_prep_value(stand_ins[name], connection) for name in fields
        }
        parameters: list[tuple[str | None, Any]] = []
        for value in given:
            name = next((name for name, stand_in in written.items() if stand_in == value), None)
            if name is None and (isinstance(value, date) or _A_TIME.match(str(value))):
                raise TypeError(f"A prepared query read the clock while it was built: {value}")
            parameters.append((None, value) if name is None else (name, fields[name]))
        unused = set(self._places) - {name for name, _field in parameters}
        if unused:
            raise TypeError(f"A prepared query has no place for {', '.join(sorted(unused))}.")
        selected = [expression for expression, _sql, _alias in compiler.select]
        selected = selected[: compiler.col_count]
        converters = compiler.get_converters(selected)
        lock = ""
        if self._locks and connection.features.has_select_for_update:
            tables = (connection.ops.quote_name(one._meta.db_table) for one in self._locks)
            lock = f" FOR NO KEY UPDATE OF {', '.join(tables)}"
        return _Built(
            sql,
            lock,
            parameters,
            [(index, functions, used) for index, (functions, used) in converters.items()],
            len(selected),
        )


def _stand_in(kind: type, number: int) -> Any:
    _field, value = _TYPES[kind]
    if kind is datetime:
        return value + timedelta(seconds=number)
    if kind is UUID:
        return UUID(int=value.int + number)
    return value + (number if kind is int else str(number))


class _Writing(Generic[_Model]):
    """A statement that writes rows of a model."""

    _model: type[_Model]
    _sql: str
    _fields: Sequence[models.Field[Any, Any]]
    _is_adding: bool

    @cached_property
    def _key(self) -> str:
        return _names_of(self._model)[1][self._model._meta.pk.name]

    def __call__(self, rows: Sequence[_Model]) -> None:
        """Write the rows: one statement, executed for each.

        The object of a single new row learns its primary key, those of several do not.
        """
        if not rows:
            return
        connection = connections[DEFAULT_DB_ALIAS]
        values = [
            [
                field.get_db_prep_save(field.pre_save(row, self._is_adding), connection)
                for field in self._fields
            ]
            for row in rows
        ]
        with connection.cursor() as cursor:
            if len(values) == 1:
                cursor.execute(f"{self._sql} RETURNING {self._key}", values[0])
                written = cursor.fetchone()
                if written is not None:
                    rows[0].pk, rows[0]._state.adding = written[0], False
            else:
                cursor.executemany(self._sql, values)


class Insert(_Writing[_Model]):
    """The statement that inserts rows of a model.

    With *unique* and *adding*, a row that exists with the same *unique* fields is not an error: the
    fields in *adding* are added to it.
    """

    _is_adding = True

    def __init__(
        self, model: type[_Model], *, unique: Sequence[str] = (), adding: Sequence[str] = ()
    ) -> None:
        self._model, self._unique, self._adding = model, unique, adding
        self._fields = [field for field in model._meta.concrete_fields if not field.primary_key]

    @cached_property
    def _sql(self) -> str:  # type: ignore[override]  # both databases have the same syntax for this
        table, columns = _names_of(self._model)
        names = [columns[field.name] for field in self._fields]
        places = ", ".join(["%s"] * len(names))
        # Only names of our own models stand in it.
        sql = f"INSERT INTO {table} ({', '.join(names)}) VALUES ({places})"  # noqa: S608
        if self._unique:
            unique = ", ".join(columns[name] for name in self._unique)
            adding = [columns[name] for name in self._adding]
            sums = (f"{column} = {table}.{column} + excluded.{column}" for column in adding)
            sql += f" ON CONFLICT ({unique}) DO UPDATE SET {', '.join(sums)}"
        return sql


class Update(_Writing[_Model]):
    """The statement that saves some fields of rows of a model."""

    _is_adding = False

    def __init__(self, model: type[_Model], names: Sequence[str]) -> None:
        self._model = model
        self._changed = [field for field in model._meta.concrete_fields if field.name in names]
        self._fields = [*self._changed, model._meta.pk]

    @cached_property
    def _sql(self) -> str:  # type: ignore[override]
        table, columns = _names_of(self._model)
        sets = ", ".join(f"{columns[field.name]} = %s" for field in self._changed)
        return f"UPDATE {table} SET {sets} WHERE {self._key} = %s"  # noqa: S608


def _names_of(model: type[models.Model]) -> tuple[str, dict[str, str]]:
    """Return the quoted names of a model's table and, by field, of its columns."""
    quote = connections[DEFAULT_DB_ALIAS].ops.quote_name
    columns = {field.name: quote(field.column or "") for field in model._meta.concrete_fields}
    return quote(model._meta.db_table), columns


def columns_of(
    model: type[models.Model], path: str = "", *, only: Collection[str] | None = None
) -> list[str]:
    """Return the columns of *model* for `values_list`, behind a lookup such as "user__".

    They are in the order in which `instance_of` needs them; *only* limits them.
    """
    names = [field.attname for field in model._meta.concrete_fields]
    return [f"{path}{name}" for name in names if only is None or name in only]


def instance_of(
    model: type[_Model], values: Sequence[Any], *, only: Collection[str] | None = None
) -> _Model:
    """Return the object whose `columns_of` have *values*, as if it had been fetched.

    Columns that are left out are deferred.
    """
    return model.from_db(DEFAULT_DB_ALIAS, columns_of(model, only=only), values)
