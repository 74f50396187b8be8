"""Databases with all tables and no row. One is migrated in each run, of which others are copies.

Migrating takes ten seconds. The processes of a run share a folder, which the first of them makes
and removes.
"""

import fcntl
import os
import shutil
import subprocess
import sys
import tempfile
import uuid
from contextlib import contextmanager
from pathlib import Path

import psycopg

from tests.services import is_listening, missing

ROOT = Path(__file__).parents[1]
POSTGRES = "postgres://postgres@127.0.0.1:5432"
_FOLDER = "OSMOSMJERKA_TEST_RUN"


def begin_run():
    os.environ[_FOLDER] = tempfile.mkdtemp(prefix="osmosmjerka-run-")


def end_run():
    """Drop the databases of this run: one after another, as each drop waits for the disk."""
    folder = Path(os.environ[_FOLDER])
    names = [path.suffix[1:] for path in folder.glob("database.*")]
    if names:
        with administration() as admin:
            for name in names:
                admin.execute(f"DROP DATABASE IF EXISTS {name} WITH (FORCE)")
    shutil.rmtree(folder)


def administration():
    return psycopg.connect(f"{POSTGRES}/postgres", autocommit=True)


def migrated_file():
    """Return the bytes of a migrated SQLite file."""
    with _shared("sqlite") as folder:
        if not (folder / "osmosmjerka.sqlite3").exists():
            _migrate(folder, f"sqlite:///{folder / 'new.sqlite3'}")
            (folder / "new.sqlite3").rename(folder / "osmosmjerka.sqlite3")
    return (folder / "osmosmjerka.sqlite3").read_bytes()


def new_postgresql(*, is_migrated=True):
    """Return the URL of a new database, which is dropped when the run ends."""
    if not is_listening(5432):
        missing("PostgreSQL at port 5432")
    with administration() as admin:
        return _create(admin, _template(admin) if is_migrated else "template1")


def _template(admin):
    with _shared("postgresql") as folder:
        name = folder / "template"
        if not name.exists():
            url = _create(admin, "template1")
            _migrate(folder, url)
            name.write_text(url.rpartition("/")[2])
    return name.read_text()


def _create(admin, template):
    name = f"osmosmjerka_{uuid.uuid4().hex[:12]}"
    Path(os.environ[_FOLDER], f"database.{name}").touch()
    admin.execute(f"CREATE DATABASE {name} TEMPLATE {template}")
    return f"{POSTGRES}/{name}"


def _migrate(folder, url):
    environment = {
        name: value for name, value in os.environ.items() if name in {"PATH", "HOME", "LANG"}
    }
    subprocess.run(
        [sys.executable, "manage.py", "migrate", "--verbosity=0", "--skip-checks"],
        cwd=ROOT,
        env=environment | {"DATABASE_URL": url, "OSMOSMJERKA_DATA_DIR": str(folder)},
        check=True,
    )


@contextmanager
def _shared(what):
    """Yield the folder of this run, in which no other process makes *what* meanwhile."""
    folder = Path(os.environ[_FOLDER])
    with (folder / f"{what}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield folder
