"""Queries that are built once and then only executed.

Django builds a queryset and its SQL anew for each use. For a small query that takes ten times as
long as the database does, which counts when a school sends a hundred answers a second. A prepared
query is an ordinary queryset, from the same functions as everywhere, so that permissions are still
defined once; only what is built of it is kept, with places for the values that change.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta, timezone
from functools import lru_cache
from itertools import chain, count, zip_longest
from operator import itemgetter
from threading import RLock
from time import monotonic
from types import GenericAlias
from typing import Any, Generic, TypeVar, get_args
from uuid import UUID
from weakref import WeakKeyDictionary

from django.db import DEFAULT_DB_ALIAS, connections, models
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.backends.utils import CursorWrapper
from django.db.models.base import ModelState
from django.db.models.query import ModelIterable, get_related_populators
from django.db.models.sql.compiler import SQLCompiler
from django.utils.functional import cached_property

# How SQLite is given a time or a day.
_A_TIME = re.compile(r"\d{4}-\d\d-\d\d( \d\d:\d\d|$)")
_Model = TypeVar("_Model", bound=models.Model)

# For each type of value: the field that writes it for the database, and a value that stands in its
# place while the query is built. The time zone is odd so that no other moment looks the same.
_NOBODYS = datetime(9876, 5, 4, 3, 2, 1, 987654, tzinfo=timezone(timedelta(minutes=7)))
_TYPES: dict[type, tuple[models.Field[Any, Any], Any]] = {
    int: (models.BigIntegerField(), 4_611_686_018_427_000_000),
    str: (models.TextField(), "\ufdd0 stand-in "),
    UUID: (models.UUIDField(), UUID("ffffffff-ffff-4fff-bfff-fffffffff000")),
    datetime: (models.DateTimeField(), _NOBODYS),
    date: (models.DateField(), date(9876, 5, 4)),
}
# What a value is written for: a parameter, or a number in the SQL itself, as in LIMIT.
_GAP = re.compile(r"%(?P<sign>.)|(?P<number>4611686018427000\d{3})")
_PERCENT = re.compile("%(.)")


@dataclass(frozen=True, slots=True)
class _Named:
    """How what is given by a name is written for the database.

    A list takes one parameter if the database has arrays, and else one for each of its values. An
    empty one is then written as *constant*, which no row has: SQL has no empty list.
    """

    field: models.Field[Any, Any]
    constant: Any
    is_list: bool
    is_array: bool

    def written(self, given: Any, connection: BaseDatabaseWrapper) -> list[Any]:
        write = self.field.get_db_prep_value
        written = [write(value, connection) for value in (given if self.is_list else [given])]
        return [written] if self.is_array else written or [self.constant]


@dataclass(frozen=True, slots=True)
class _Place:
    """Where a value is written: a constant, or what is given for *name*."""

    constant: Any
    name: str = ""
    is_end: bool = False


@dataclass(frozen=True, slots=True)
class _Built:
    """A query as SQL: text, a place, text and so on."""

    texts: list[str]
    places: list[_Place]
    named: dict[str, _Named]
    lock: str
    converters: list[tuple[int, list[Callable[..., Any]], Any]]
    width: int
    make_object: Callable[[Sequence[Any]], models.Model] | None

    def execute(
        self, values: dict[str, Any], connection: BaseDatabaseWrapper, is_locking: bool
    ) -> list[tuple[Any, ...]]:
        # Once for each name, which may stand in many places.
        written = {
            name: named.written(values[name], connection) for name, named in self.named.items()
        }
        gaps, parameters = [], []
        for place in self.places:
            if place.is_end:  # part of the text, because the database plans for it
                gaps.append(str(int(values[place.name])))
                continue
            some = written[place.name] if place.name else [place.constant]
            gaps.append("%s" if len(some) == 1 else ", ".join(["%s"] * len(some)))
            parameters += some
        sql = "".join(chain.from_iterable(zip_longest(self.texts, gaps, fillvalue="")))
        sql = sql + self.lock if is_locking else sql
        cursor = _cursor(connection, sql)
        cursor.execute(sql, parameters)
        rows = [list(row[: self.width]) for row in cursor.fetchall()]
        for index, functions, expression in self.converters:
            for row in rows:
                value = row[index]
                for function in functions:
                    value = function(value, expression, connection)
                row[index] = value
        return [tuple(row) for row in rows]


class _OwnCursor(CursorWrapper):
    """A cursor of the database's own client, for statements that are executed often.

    Django's own looks in each statement for the places of values, and for PostgreSQL writes the
    values there. Then PostgreSQL has to plan it anew, which took two thirds of its time.
    """

    # What they override is missing in the stubs.
    def _execute(self, sql: str, params: Any, *given: Any) -> Any:
        return super()._execute(_native(sql, self.db.vendor), params, *given)  # type: ignore[misc]

    def _executemany(self, sql: str, param_list: Any, *given: Any) -> Any:
        sql = _native(sql, self.db.vendor)
        return super()._executemany(sql, param_list, *given)  # type: ignore[misc]


@lru_cache(maxsize=1000)
def _native(sql: str, vendor: str) -> str:
    """Return a statement of Django with the places as the database writes them."""
    number = count(1)

    def written(gap: re.Match[str]) -> str:
        if gap[1] == "%":
            return "%"
        return f"${next(number)}" if vendor == "postgresql" else "?"

    return _PERCENT.sub(written, sql)


# Seconds after which PostgreSQL plans a statement again, which takes it some milliseconds. It plans
# for tables as they are, and a plan for empty ones reads them whole: in the first minute of a new
# site, until autovacuum has come, the database worked twice as much.
PLANS_LAST = 5


@dataclass(slots=True)
class _Kept:
    """What is kept for a connection of PostgreSQL's *client*: its cursors, by statement."""

    client: Any
    cursors: dict[str, CursorWrapper]
    planned_at: float


_kept: WeakKeyDictionary[BaseDatabaseWrapper, _Kept] = WeakKeyDictionary()


def _cursor(connection: BaseDatabaseWrapper, sql: str) -> CursorWrapper:
    """Return a cursor for a statement that is executed often.

    While queries are logged, it is Django's, which logs them with their values. For PostgreSQL,
    each statement keeps its cursor, which knows how its values are written and read.
    """
    if connection.queries_logged:
        return connection.cursor()
    connection.close_if_health_check_failed()
    connection.ensure_connection()
    raw: Any = connection.connection
    if connection.vendor != "postgresql":
        return _OwnCursor(raw.cursor(), connection)
    now = monotonic()
    kept = _kept.get(connection)
    if kept is None or kept.client is not raw:
        kept = _kept[connection] = _Kept(raw, {}, now)
    elif now - kept.planned_at > PLANS_LAST:
        kept.planned_at = now
        with connection.cursor() as cursor:
            cursor.execute("DISCARD PLANS")
    if sql not in kept.cursors:
        kept.cursors[sql] = _OwnCursor(_cursor_of_psycopg(raw), connection)
    return kept.cursors[sql]


def _cursor_of_psycopg(client: Any) -> Any:
    from psycopg import RawCursor
    from psycopg.types.datetime import TimestamptzLoader

    cursor = RawCursor(client)
    # Django's reads times in Python, to set the time zone that the connection has anyway: UTC.
    cursor.adapters.register_loader("timestamptz", TimestamptzLoader)
    return cursor


# While a query is built, other threads that need it wait: each would take as long.
_building = RLock()


class Prepared:
    """A query that is built once in a process, for all of its threads.

    *build* gets a value for each of the *places*, of its type, and returns a queryset. It is not
    called again, so it must not read the clock or anything else that changes: what changes has to
    be a place. Conditions may compare a place, but not depend on it otherwise; a number may also
    end a slice, and a list is for `__in`. A place that leaves no trace in the SQL is an error.

    *locks* are models of the query whose rows `locked_row` locks, where a database locks rows.
    """

    def __init__(
        self,
        build: Callable[..., Any],
        *,
        locks: Sequence[type[models.Model]] = (),
        **places: type | GenericAlias,
    ) -> None:
        self._build_queryset = build
        self._locks = locks
        self._places = places
        self._built: dict[str, _Built] = {}  # by the kind of database

    def rows(self, **values: Any) -> list[tuple[Any, ...]]:
        """Execute a query of `values_list`; return its rows as tuples, in that order."""
        return self._execute(values)

    def row(self, **values: Any) -> tuple[Any, ...] | None:
        """Execute a query of `values_list`; return its first row, or None."""
        return next(iter(self.rows(**values)), None)

    def locked_row(self, **values: Any) -> tuple[Any, ...] | None:
        """Return the first row, locked until the transaction ends, as it is now.

        A database without locks for rows has locked everything when the transaction began.
        """
        return next(iter(self._execute(values, is_locking=True)), None)

    def objects(self, **values: Any) -> list[Any]:
        """Execute a query of objects; return them, with what `select_related` names."""
        make = self._of_database(connections[DEFAULT_DB_ALIAS]).make_object
        if make is None:
            raise TypeError("A prepared query of values has no objects.")
        return [make(row) for row in self._execute(values)]

    def _execute(
        self, values: dict[str, Any], *, is_locking: bool = False
    ) -> list[tuple[Any, ...]]:
        connection = connections[DEFAULT_DB_ALIAS]
        return self._of_database(connection).execute(values, connection, is_locking)

    def _of_database(self, used: BaseDatabaseWrapper) -> _Built:
        vendor = used.vendor
        if (built := self._built.get(vendor)) is None:
            with _building:
                if (built := self._built.get(vendor)) is None:
                    # What is built keeps its connection, so it is not one of a thread.
                    with closing(connections.create_connection(DEFAULT_DB_ALIAS)) as connection:
                        built = self._built[vendor] = self._build(connection)
        return built

    def _build(self, connection: BaseDatabaseWrapper) -> _Built:
        stand_ins = {
            name: _stand_in(kind, number)
            for number, (name, kind) in enumerate(self._places.items())
        }
        queryset = self._build_queryset(**stand_ins)
        if queryset._prefetch_related_lookups:
            raise TypeError("A prepared query cannot prefetch: prepare a query for it.")
        is_of_objects = issubclass(queryset._iterable_class, ModelIterable)
        compiler = queryset.query.get_compiler(connection=connection)
        sql, given = compiler.as_sql()
        named = {name: self._named(name, value, connection) for name, value in stand_ins.items()}
        texts, places = _taken_apart(sql, iter(given), named)
        _use_arrays(texts, [place.name in named and named[place.name].is_array for place in places])
        unused = set(self._places) - {place.name for place in places}
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
            texts,
            places,
            named,
            lock,
            [(index, functions, used) for index, (functions, used) in converters.items()],
            len(selected),
            _maker_of_objects(compiler, connection) if is_of_objects else None,
        )

    def _named(self, name: str, stand_in: Any, connection: BaseDatabaseWrapper) -> _Named:
        kind = self._places[name]
        is_list = isinstance(kind, GenericAlias)
        field = _TYPES[_type_of(kind)][0]
        constant = field.get_db_prep_value(stand_in[0] if is_list else stand_in, connection)
        return _Named(field, constant, is_list, is_list and connection.vendor == "postgresql")


def _type_of(kind: type | GenericAlias) -> type:
    (only,) = get_args(kind) or (kind,)
    return only  # type: ignore[no-any-return]


def _stand_in(kind: type | GenericAlias, number: int) -> Any:
    if isinstance(kind, GenericAlias):
        return [_stand_in(_type_of(kind), number)]
    _field, value = _TYPES[kind]
    if kind in (datetime, date):
        return value + timedelta(days=number)
    if kind is UUID:
        return UUID(int=value.int + number)
    return value + (number if kind is int else str(number))


def _taken_apart(
    sql: str, given: Iterator[Any], named: dict[str, _Named]
) -> tuple[list[str], list[_Place]]:
    """Return the texts around the places of a statement, and the places."""
    texts, places, done = [], [], 0
    for gap in _GAP.finditer(sql):
        if gap["sign"] == "%":  # a percent sign
            continue
        texts.append(sql[done : gap.start()])
        if gap["number"]:
            places.append(replace(_place_of(int(gap["number"]), named), is_end=True))
        else:
            places.append(_place_of(next(given), named))
        done = gap.end()
    return [*texts, sql[done:]], places


def _place_of(value: Any, named: dict[str, _Named]) -> _Place:
    """Return the place of a value in the SQL: by its name, if it stands in for what is given."""
    for name, one in named.items():
        if one.constant == value:
            return _Place(value, name)
    if isinstance(value, date) or _A_TIME.match(str(value)):
        raise TypeError(f"A prepared query read the clock while it was built: {value}")
    return _Place(value)


def _use_arrays(texts: list[str], are_arrays: Sequence[bool]) -> None:
    """Rewrite the texts around arrays: a statement for each length of a list is too many plans."""
    for number, is_array in enumerate(are_arrays):
        if is_array:
            if not texts[number].endswith("IN ("):
                raise TypeError("In a prepared query, a list is only for __in.")
            texts[number] = texts[number].removesuffix("IN (") + "= ANY("


def _maker_of_objects(
    compiler: SQLCompiler, connection: BaseDatabaseWrapper
) -> Callable[[Sequence[Any]], models.Model]:
    """Return what makes an object of a row, as Django's `ModelIterable` does."""
    of_model: Any = compiler.klass_info
    model = of_model["model"]
    first, last = of_model["select_fields"][0], of_model["select_fields"][-1] + 1
    names = [column.target.attname for column, *_sql in compiler.select[first:last]]
    # The stubs describe a later Django.
    of_related = (of_model, compiler.select, connection.alias)
    related = get_related_populators(*of_related)  # type: ignore[call-arg]
    added = [(name, itemgetter(index)) for name, index in compiler.annotation_col_map.items()]

    def make(row: Sequence[Any]) -> models.Model:
        made: models.Model = _made(model, zip(names, row[first:last], strict=True), is_new=False)
        for one in related:
            one.populate(row, made)
        for name, of_row in added:
            setattr(made, name, of_row(row))
        return made

    return make


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
        if len(rows) == 1:
            _write_at_once([(self, rows[0])])
        elif rows:
            cursor = _cursor(connections[DEFAULT_DB_ALIAS], self._sql)
            cursor.executemany(self._sql, [self._values(row) for row in rows])

    @property
    def _returning(self) -> str:
        return f"{self._sql} RETURNING {self._key}"

    def _values(self, row: models.Model) -> list[Any]:
        connection = connections[DEFAULT_DB_ALIAS]
        return [
            field.get_db_prep_save(field.pre_save(row, self._is_adding), connection)
            for field in self._fields
        ]


class Writes:
    """Rows to write by several statements; PostgreSQL gets one if each has a single row.

    It is a context manager that sends them in the end. Until then, no query finds them.
    """

    def __init__(self) -> None:
        self._parts: list[tuple[_Writing[Any], Sequence[models.Model]]] = []

    def __enter__(self) -> Writes:
        return self

    def __exit__(self, error_type: type[BaseException] | None, *_error: object) -> None:
        if error_type is None:
            self.send()

    def add(self, statement: _Writing[_Model], rows: Sequence[_Model]) -> None:
        if rows:
            self._parts.append((statement, rows))

    def send(self) -> None:
        """Write the rows, as the statements would one after the other."""
        parts, self._parts = self._parts, []
        is_one = connections[DEFAULT_DB_ALIAS].vendor == "postgresql"
        if parts and is_one and all(len(rows) == 1 for _statement, rows in parts):
            _write_at_once([(statement, row) for statement, (row,) in parts])
        else:
            for statement, rows in parts:
                statement(rows)


def _write_at_once(parts: Sequence[tuple[_Writing[Any], models.Model]]) -> None:
    """Write rows of different tables in one statement; their objects learn their primary keys."""
    if len(parts) == 1:
        sql = parts[0][0]._returning
    else:
        written = [f"written_{number}" for number in range(len(parts))]
        keys = ", ".join(
            f"(SELECT {statement._key} FROM {name})"  # noqa: S608
            for name, (statement, _row) in zip(written, parts, strict=True)
        )
        sql = ", ".join(
            f"{name} AS ({statement._returning})"
            for name, (statement, _row) in zip(written, parts, strict=True)
        )
        sql = f"WITH {sql} SELECT {keys}"
    values = chain.from_iterable(statement._values(row) for statement, row in parts)
    cursor = _cursor(connections[DEFAULT_DB_ALIAS], sql)
    cursor.execute(sql, [*values])
    for keys_of_rows in cursor.fetchall():
        for (_statement, row), key in zip(parts, keys_of_rows, strict=True):
            if key is not None:
                # SQLite returns a UUID as text.
                row.pk, row._state.adding = row._meta.pk.to_python(key), False


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


class _Known(models.QuerySet[models.Model]):
    """Rows that were read already, for `all`."""

    def __init__(self, rows: list[models.Model]) -> None:
        super().__init__()
        self._result_cache, self._prefetch_done = rows, True

    def _chain(self) -> Any:
        raise TypeError("These rows were read already; only all() is possible.")


def know(
    objects: Collection[models.Model], name: str, related: Collection[models.Model], by: str
) -> None:
    """Let *objects* know their *related* ones, as `prefetch_related` does for `all`.

    *name* is that of the relation, and *by* the attribute of a related object with the key of its
    object.
    """
    found: dict[Any, list[models.Model]] = {one.pk: [] for one in objects}
    for row in related:
        found[getattr(row, by)].append(row)
    for one in objects:
        one.__dict__.setdefault("_prefetched_objects_cache", {})[name] = _Known(found[one.pk])


@lru_cache
def columns_of(
    model: type[models.Model], path: str = "", *, only: frozenset[str] | None = None
) -> tuple[str, ...]:
    """Return the columns of *model* for `values_list`, behind a lookup such as "user__".

    They are in the order in which `instance_of` needs them; *only* limits them.
    """
    names = [field.attname for field in model._meta.concrete_fields]
    return tuple(f"{path}{name}" for name in names if only is None or name in only)


def instance_of(
    model: type[_Model], values: Sequence[Any], *, only: frozenset[str] | None = None
) -> _Model:
    """Return the object whose `columns_of` have *values*, as if it had been fetched.

    Columns that are left out are deferred. Nothing is asked of the model's constructor, which takes
    as long as a small query: it looks at every field, and tells signals that nobody here hears.
    """
    return _made(model, zip(columns_of(model, only=only), values, strict=True), is_new=False)


def new_row(model: type[_Model], **values: Any) -> _Model:
    """Return a new object with *values*, by the names of fields or columns, for an `Insert`.

    Fields that are not named have their default, as from the constructor, which takes several times
    as long.
    """
    made = _made(model, ((name, default()) for name, default in _defaults_of(model)), is_new=True)
    for name, value in values.items():
        setattr(made, name, value)
    return made


def _made(model: type[_Model], values: Iterable[tuple[str, Any]], *, is_new: bool) -> _Model:
    made = model.__new__(model)
    made.__dict__.update(values)
    made._state = state = ModelState()
    state.adding, state.db = is_new, None if is_new else DEFAULT_DB_ALIAS
    return made


@lru_cache
def _defaults_of(model: type[models.Model]) -> list[tuple[str, Callable[[], Any]]]:
    return [(field.attname, field.get_default) for field in model._meta.concrete_fields]
