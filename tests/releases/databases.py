"""Databases of past releases: written as SQL by `make.py`, read by the tests of upgrades."""

import sqlite3
import subprocess
import uuid
from contextlib import closing, contextmanager
from pathlib import Path

import psycopg

from tests.databases import POSTGRES

RELEASES = Path(__file__).parents[1] / "data" / "releases"


class Sqlite:
    name = "sqlite"

    def __init__(self, folder):
        self.path = Path(folder, "osmosmjerka.sqlite3")
        self.url = f"sqlite:///{self.path}"

    def dump(self):
        with self.connect() as connection:
            return "\n".join(connection.iterdump()) + "\n"

    def load(self, text):
        with self.connect() as connection:
            connection.executescript(text)

    @contextmanager
    def connect(self):
        with closing(sqlite3.connect(self.path)) as connection:
            yield connection

    def tables(self, connection):
        return connection.execute(
            "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"
        )


class Postgresql:
    """An empty database of its own, which `drop` removes."""

    name = "postgresql"

    def __init__(self, _folder=None):
        self.database = f"osmosmjerka_release_{uuid.uuid4().hex[:8]}"
        self.url = f"{POSTGRES}/{self.database}"
        with self.admin() as admin:
            admin.execute(f"CREATE DATABASE {self.database} TEMPLATE template0 ENCODING 'UTF8'")

    def admin(self):
        return psycopg.connect(f"{POSTGRES}/postgres", autocommit=True)

    def drop(self):
        with self.admin() as admin:
            admin.execute(f"DROP DATABASE {self.database} WITH (FORCE)")

    def dump(self):
        command = ["pg_dump", "--no-owner", "--no-privileges", "--rows-per-insert=200", self.url]
        done = subprocess.run(command, check=True, capture_output=True, text=True)
        # Commands for psql alone.
        lines = done.stdout.splitlines()
        return "\n".join(line for line in lines if not line.startswith("\\")) + "\n"

    def load(self, text):
        with self.connect() as connection:
            connection.execute(text)

    def connect(self):
        return psycopg.connect(self.url)

    def tables(self, connection):
        return connection.execute(
            "SELECT tablename FROM pg_tables WHERE schemaname = 'public'"
        ).fetchall()


def contents(database):
    """Return {table: (columns, rows)} of everything in the database."""
    found = {}
    with database.connect() as connection:
        for (table,) in [*database.tables(connection)]:
            cursor = connection.execute(f'SELECT * FROM "{table}"')  # noqa: S608
            found[table] = [column[0] for column in cursor.description], cursor.fetchall()
    return found


# Django fills them after each migration.
_OF_DJANGO = {"django_migrations", "django_content_type", "auth_permission"}


def losses(before, after, *, but=()):
    """Name each table of *before* whose rows, in the columns that *after* has too, are not there.

    *but* contains the tables, and the columns as "table.column", that a migration changes on
    purpose.
    """
    told = []
    for table, (columns, rows) in before.items():
        if table in _OF_DJANGO or table in but:
            continue
        if table not in after:
            told.append(f"{table} is gone")
            continue
        columns_after, rows_after = after[table]
        kept = [c for c in columns if c in columns_after and f"{table}.{c}" not in but]
        if _chosen(columns, rows, kept) != _chosen(columns_after, rows_after, kept):
            told.append(f"{table} has other rows")
    return told


def _chosen(columns, rows, kept):
    places = [columns.index(column) for column in kept]
    return sorted(repr([row[place] for place in places]) for row in rows)
