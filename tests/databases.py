"""Databases with all tables and no row. One is migrated, of which others are copies.

Migrating takes ten seconds, so SQLite's file is kept until a migration changes. The processes of a
run share a folder, which the first of them makes and removes.
"""

import fcntl
import hashlib
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
    kept = ROOT / ".pytest_cache" / f"migrated-{_fingerprint()}.sqlite3"
    with _shared("sqlite") as folder:
        if not kept.exists():
            _migrate(folder, f"sqlite:///{folder / 'new.sqlite3'}")
            kept.parent.mkdir(exist_ok=True)
            for outdated in kept.parent.glob("migrated-*"):
                outdated.unlink()
            whole = kept.parent / f"migrated-new-{os.getpid()}"
            shutil.move(folder / "new.sqlite3", whole)
            whole.rename(kept)  # at once, for other runs
    return kept.read_bytes()


def _fingerprint():
    """Return a hash of all migrations: our own files, and the versions of the packages."""
    apps = (ROOT / name for name in ("osmosmjerka", "puzzles", "vocab"))
    own = (file for app in apps for file in app.rglob("migrations/*.py"))
    told = hashlib.sha256()
    for file in (ROOT / "requirements.txt", *sorted(own)):
        told.update(f"{file.relative_to(ROOT)}\0".encode() + file.read_bytes())
    return told.hexdigest()[:16]


def begin_with_migrated(connection):
    """Let a test database be a copy, so that there is nothing left to migrate."""
    creation = connection.creation
    if connection.vendor == "postgresql":
        server = "{USER}@{HOST}:{PORT}".format(**connection.settings_dict)
        if POSTGRES.endswith(server):
            with administration() as admin:
                connection.settings_dict["TEST"]["TEMPLATE"] = _template(admin)
        return
    create = creation._create_test_db

    def copy(verbosity, autoclobber, keepdb=False):
        name = create(verbosity, autoclobber, keepdb)
        if not Path(name).exists():
            # A run that was killed leaves its last changes, which SQLite would add to the copy.
            for ending in ("-wal", "-shm"):
                Path(name + ending).unlink(missing_ok=True)
            Path(name).write_bytes(migrated_file())
        return name

    creation._create_test_db = copy


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
