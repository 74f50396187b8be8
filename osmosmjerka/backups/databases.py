"""Copy and load each kind of database, with rows and a checksum of every table."""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import sqlite3
import subprocess
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, Protocol

from django.db import DatabaseError, connection, transaction
from psycopg.conninfo import make_conninfo

from osmosmjerka.backups import moving
from osmosmjerka.backups.archive import BackupError
from osmosmjerka.storage.media import in_use

# {name: {"rows": number, "checksum": text}}
Tables = dict[str, dict[str, Any]]


class Database(Protocol):
    """What a backup needs of a database."""

    def is_empty(self) -> bool:
        """Return whether there are no people in it, or no tables yet."""

    def size(self) -> int:
        """Return about how many bytes a copy takes."""

    def copy(self, path: Path) -> tuple[Tables, set[str]]:
        """Write a copy to *path*; return its tables, and the files that its rows refer to.

        All three show the same moment, while others go on writing.
        """

    def refuse_unless_alone(self) -> None:
        """Raise BackupError if another process uses the database."""

    def load(self, path: Path, tables: Tables, engine: str) -> None:
        """Replace the empty database by a copy of one of *engine*.

        Raises BackupError if it differs from *tables*.
        """


def database() -> Database:
    """Return the database of this site."""
    return Sqlite() if connection.vendor == "sqlite" else Postgresql()


def differing(expected: Tables, found: Tables) -> list[str]:
    """Return the names of the tables that differ."""
    return sorted(name for name in {*expected, *found} if expected.get(name) != found.get(name))


def _named() -> set[str]:
    """Return the files that rows refer to; none if the tables are those of an earlier version.

    Then the program was upgraded already, and the backup comes before `migrate`.
    """
    try:
        return in_use()
    except DatabaseError:
        return set()


class _Database:
    def is_empty(self) -> bool:
        # Not by the model: the tables may be those of another version.
        with connection.cursor() as cursor:
            if "accounts_user" not in connection.introspection.table_names(cursor):
                return True
            cursor.execute("SELECT count(*) FROM accounts_user")
            return not cursor.fetchone()[0]


class Sqlite(_Database):
    """SQLite's online backup, from one transaction that only reads: writers need not wait."""

    def size(self) -> int:
        with connection.cursor() as cursor:
            cursor.execute("SELECT page_count * page_size FROM pragma_page_count, pragma_page_size")
            return int(cursor.fetchone()[0])

    def copy(self, path: Path) -> tuple[Tables, set[str]]:
        with connection.cursor() as cursor:
            # Not atomic(): that would take the one write lock.
            cursor.execute("BEGIN DEFERRED")
            try:
                cursor.execute("SELECT count(*) FROM django_migrations")
                cursor.fetchone()  # from here on, this connection sees this moment
                with closing(sqlite3.connect(path)) as copied:
                    connection.connection.backup(copied)
                    copied.execute("PRAGMA journal_mode=DELETE")  # one file, without a log beside
                    tables = _tables_of(copied)
                named = _named()
            finally:
                cursor.execute("ROLLBACK")
        return tables, named

    def refuse_unless_alone(self) -> None:
        path = Path(connection.settings_dict["NAME"])
        connection.close()
        if not path.exists():
            return
        with closing(sqlite3.connect(path, timeout=1)) as own:
            try:
                # Only who is alone may leave the write-ahead log.
                own.execute("PRAGMA journal_mode=DELETE")
            except sqlite3.OperationalError as error:
                raise BackupError(
                    f"Another process uses {path} ({error}). Stop the site and its workers first."
                ) from error

    def load(self, path: Path, tables: Tables, engine: str) -> None:
        refuse_damaged(path, tables)
        connection.close()
        target = Path(connection.settings_dict["NAME"])
        for ending in ("-wal", "-shm", "-journal"):
            target.with_name(target.name + ending).unlink(missing_ok=True)
        shutil.move(path, target)


def refuse_damaged(path: Path, tables: Tables) -> None:
    """Raise BackupError if a copy of SQLite is damaged, or differs from *tables*."""
    with closing(sqlite3.connect(path)) as copied:
        (answer,) = copied.execute("PRAGMA integrity_check(1)").fetchone()
        wrong = ["its structure"] if answer != "ok" else []
        wrong = wrong or differing(tables, _tables_of(copied))
    if wrong:
        raise BackupError(
            f"The database in this backup is damaged ({', '.join(wrong)}). Nothing was loaded."
        )


def _tables_of(copied: sqlite3.Connection) -> Tables:
    named = copied.execute(
        "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"
    )
    found: Tables = {}
    for (name,) in named.fetchall():
        total = rows = 0
        # Our own tables' names. A sum, so that the order does not matter.
        for row in copied.execute(f'SELECT * FROM "{name}"'):  # noqa: S608
            written = json.dumps(row, default=bytes.hex).encode()
            total += int.from_bytes(hashlib.sha256(written).digest()[:16])
            rows += 1
        found[name] = {"rows": rows, "checksum": f"{total % 2**128:032x}"}
    return found


# Of Django's connection parameters, those that every client program understands.
_OF_CLIENTS = (
    *("service", "host", "hostaddr", "port", "dbname", "user", "passfile", "connect_timeout"),
    *("sslmode", "sslrootcert", "sslcert", "sslkey", "sslcrl", "options"),
)


class Postgresql(_Database):
    """pg_dump in the snapshot of the transaction that computes the checksums; pg_restore."""

    def size(self) -> int:
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_database_size(current_database())")
            return int(cursor.fetchone()[0])

    def copy(self, path: Path) -> tuple[Tables, set[str]]:
        program = self._program("pg_dump")
        with self._moment() as snapshot:
            tables = self._tables()
            self._call(
                program,
                f"--snapshot={snapshot}",
                "--format=custom",
                "--compress=0",  # the archive compresses
                "--no-owner",
                "--no-privileges",
                f"--file={path}",
            )
            named = _named()
        return tables, named

    def refuse_unless_alone(self) -> None:
        self._program("pg_restore")
        with connection.cursor() as cursor:
            cursor.execute(
                "SELECT count(*) FROM pg_stat_activity"
                " WHERE datname = current_database() AND pid <> pg_backend_pid()"
                " AND backend_type = 'client backend'"
            )
            (others,) = cursor.fetchone()
        if others:
            raise BackupError(
                f"The database has {others} other connection(s). Stop the site and its workers"
                " first, and whatever else uses it."
            )

    def load(self, path: Path, tables: Tables, engine: str) -> None:
        if engine == "sqlite":
            refuse_damaged(path, tables)
            self._drop_tables()
            moving.load_sqlite(path)
            return
        program = self._program("pg_restore")
        self._drop_tables()
        self._call(
            program,
            "--single-transaction",
            "--exit-on-error",
            "--no-owner",
            "--no-privileges",
            str(path),
        )
        with self._moment():
            wrong = differing(tables, self._tables())
        if wrong:
            raise BackupError(
                f"After loading, these tables differ from the backup: {', '.join(wrong)}. Do not"
                " use this database; make a new empty one and try again."
            )

    def _drop_tables(self) -> None:
        """Drop the tables of an empty installation: an older backup has fewer of them."""
        with transaction.atomic(), connection.cursor() as cursor:
            for name in connection.introspection.table_names(cursor):
                quoted = connection.ops.quote_name(name)
                cursor.execute(f"DROP TABLE IF EXISTS {quoted} CASCADE")

    @contextmanager
    def _moment(self) -> Iterator[str]:
        """Begin a transaction that sees one moment; return the name of its snapshot."""
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
            # However the server is set up: pg_dump takes its time, and rows are written as text.
            for setting in (
                "idle_in_transaction_session_timeout = 0",
                "statement_timeout = 0",
                "TimeZone = 'UTC'",
                "DateStyle = 'ISO'",
                "IntervalStyle = 'postgres'",
                "extra_float_digits = 1",
                "bytea_output = 'hex'",
            ):
                cursor.execute(f"SET LOCAL {setting}")
            cursor.execute("SELECT pg_export_snapshot()")
            yield cursor.fetchone()[0]

    def _tables(self) -> Tables:
        found: Tables = {}
        with connection.cursor() as cursor:
            for name in connection.introspection.table_names(cursor):
                quoted = connection.ops.quote_name(name)
                # The sum of 60 bits of each row's digest, so that the order does not matter.
                cursor.execute(
                    "SELECT count(*), coalesce(sum(('x0' || left(md5(one::text), 15))"  # noqa: S608
                    f"::bit(64)::bigint::numeric), 0)::text FROM {quoted} AS one"
                )
                rows, checksum = cursor.fetchone()
                found[name] = {"rows": rows, "checksum": checksum}
        return found

    def _program(self, name: str) -> str:
        """Return the path of a client program that is new enough for the server."""
        connection.ensure_connection()
        server = connection.connection.info.server_version // 10_000
        advice = (
            f"Install PostgreSQL's client programs, version {server} or later"
            f" (Debian, Ubuntu: apt install postgresql-client-{server})."
        )
        path = shutil.which(name)
        if path is None:
            raise BackupError(f"The program {name} is not on this machine. {advice}")
        told = subprocess.run([path, "--version"], capture_output=True, text=True, check=False)  # noqa: S603
        version = re.search(r"\d+", told.stdout)
        if version is None:
            raise BackupError(f"The program {path} does not work. {advice}")
        if int(version[0]) < server:
            raise BackupError(
                f"{path} is version {version[0]}, too old for the server, which is {server}."
                f" {advice}"
            )
        return path

    def _call(self, program: str, *arguments: str) -> None:
        given = connection.get_connection_params()
        address = make_conninfo(**{name: given[name] for name in _OF_CLIENTS if name in given})
        # The list of processes shows arguments, but not the environment.
        environment = dict(os.environ)
        if given.get("password"):
            environment["PGPASSWORD"] = given["password"]
        done = subprocess.run(  # noqa: S603
            [program, f"--dbname={address}", "--no-password", *arguments],
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode:
            told = " ".join(done.stderr.split())[-600:]
            raise BackupError(f"{Path(program).name} failed: {told}")
