"""Two filled schools for the tests of who may do what."""

import copy
import functools

import pytest
from django.core.files.storage import FileSystemStorage
from django.db import connection, transaction
from django.utils import timezone

from tests.accounts import house as houses


def rows_of_all_tables():
    """Return every row of the database by its table."""
    found = {}
    with connection.cursor() as cursor:
        for table in connection.introspection.django_table_names(only_existing=True):
            cursor.execute(f"SELECT * FROM {connection.ops.quote_name(table)}")  # noqa: S608
            found[table] = cursor.fetchall()
    return found


@functools.cache
def filled(hour):
    """Return two schools and their rows, filled once: that takes longer than most of the tests.

    Each hour they are filled again, for what they hold is of today.
    """
    with transaction.atomic():
        before = rows_of_all_tables()
        two = houses.build_two()
        after = rows_of_all_tables()
        transaction.set_rollback(True)
    return two, {
        table: [row for row in rows if row not in before[table]] for table, rows in after.items()
    }


@pytest.fixture
def both_houses(db, monkeypatch, settings):
    """Both schools in the database as they were filled; what a test sets is a copy's."""
    # Requests are asked again and again, each undone; a file that is deleted would stay so.
    monkeypatch.setattr(FileSystemStorage, "delete", lambda storage, name: None)
    settings.WEBHOOK_HOSTS = ["127.0.0.1"]  # a private address: nothing is sent
    two, made = filled(timezone.now().replace(minute=0, second=0, microsecond=0))
    with connection.cursor() as cursor:  # keys are checked at the end: the order is no matter
        for table, rows in made.items():
            if rows:
                values = ", ".join(["%s"] * len(rows[0]))
                into = connection.ops.quote_name(table)
                cursor.executemany(f"INSERT INTO {into} VALUES ({values})", rows)  # noqa: S608
    return copy.deepcopy(two)


@pytest.fixture
def house(both_houses):
    """The school that is asked; the other one is there as well."""
    return both_houses[0]


@pytest.fixture
def other_house(both_houses):
    return both_houses[1]
