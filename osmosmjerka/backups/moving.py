"""Move a site from SQLite to PostgreSQL: copy every row, and compare what arrived."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import Any

from django.apps import apps
from django.core.management import call_command
from django.core.management.color import no_style
from django.db import DEFAULT_DB_ALIAS, DatabaseError, connection, connections, models, transaction

from osmosmjerka.backups.archive import BackupError

_SOURCE = "moved_from"
_BATCH = 500

Model = type[models.Model]


def load_sqlite(path: Path) -> None:
    """Copy the rows of an SQLite file into this site's PostgreSQL database, which has no tables.

    The file's tables must be those of this version. All or nothing: raises BackupError, also if
    any row is not the same afterwards.
    """
    call_command("migrate", verbosity=0)
    with _source(path), _told(), transaction.atomic(), connection.cursor() as cursor:
        every = [
            model
            for model in apps.get_models(include_auto_created=True)
            if model._meta.managed and not model._meta.proxy
        ]
        # What `migrate` wrote: the same rows come from the file, with their own numbers.
        names = ", ".join(connection.ops.quote_name(model._meta.db_table) for model in every)
        cursor.execute(f"TRUNCATE {names}")
        for model in every:  # foreign keys are compared at the end of the transaction
            for rows in _batches(model._base_manager.using(_SOURCE).iterator(_BATCH)):
                # Not bulk_create(): it would set the fields that hold the time of the last change.
                model._base_manager.all()._insert(  # type: ignore[attr-defined]
                    rows, fields=model._meta.local_concrete_fields, using=DEFAULT_DB_ALIAS, raw=True
                )
        for statement in connection.ops.sequence_reset_sql(no_style(), every):
            cursor.execute(statement)
        wrong = sorted(
            model._meta.db_table
            for model in every
            if _digest(model, _SOURCE) != _digest(model, DEFAULT_DB_ALIAS)
        )
        if wrong:
            raise BackupError(
                f"In PostgreSQL, these tables would not be what they were: {', '.join(wrong)}."
                " Nothing was loaded."
            )
        connection.check_constraints()


def _digest(model: Model, alias: str) -> tuple[int, int]:
    """Return the number of a table's rows, and a sum of digests of their values, in any order."""
    fields = model._meta.local_concrete_fields
    total = count = 0
    for row in (
        model._base_manager.using(alias).values_list(*(f.attname for f in fields)).iterator()
    ):
        written = json.dumps([_plain(value) for value in row], sort_keys=True, default=repr)
        total += int.from_bytes(hashlib.sha256(written.encode()).digest()[:16])
        count += 1
    return count, total


def _plain(value: Any) -> Any:
    return bytes(value).hex() if isinstance(value, bytes | memoryview) else value


def _batches(rows: Iterable[models.Model]) -> Iterator[list[models.Model]]:
    iterator = iter(rows)
    while batch := list(islice(iterator, _BATCH)):
        yield batch


@contextmanager
def _source(path: Path) -> Iterator[None]:
    """Let Django know the file as another database."""
    connections.settings[_SOURCE] = connection.settings_dict | {
        "ENGINE": "django.db.backends.sqlite3",
        "NAME": str(path),
        "OPTIONS": {},
    }
    try:
        yield
    finally:
        connections[_SOURCE].close()
        del connections[_SOURCE]
        del connections.settings[_SOURCE]


@contextmanager
def _told() -> Iterator[None]:
    try:
        yield
    except (DatabaseError, ValueError) as error:
        reason = " ".join(str(error).split())
        raise BackupError(
            f"PostgreSQL does not take a row that SQLite has: {reason}. Nothing was loaded."
        ) from error
