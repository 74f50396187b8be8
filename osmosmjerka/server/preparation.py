"""What a version needs before it serves pages: static files, translations, tables, compiled code.

`serve` prepares all but the translations by itself. The deployment check, the log at the start of
osmosmjerka.wsgi and the status page say what is missing, and which command makes it.
"""

from __future__ import annotations

import hashlib
import logging
import os
import subprocess
import sys
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from django.conf import settings
from django.contrib.staticfiles.finders import get_finders
from django.core.checks import CheckMessage, Error
from django.core.management import call_command
from django.db import connection
from django.db.migrations.executor import MigrationExecutor

logger = logging.getLogger(__name__)

HERE = Path(__file__).resolve().parents[1]
# Named here as text, because this package knows nothing of puzzles.
GENERATORS = HERE.parent / "puzzles" / "generators"
# Beside the manifest: the fingerprint of the sources from which the static files were made.
SOURCES = "sources.txt"
# An installer writes a catalogue and what was compiled from it in any order.
_AT_ONCE = 60  # seconds


@dataclass(frozen=True, slots=True)
class Lack:
    """Something that is missing or out of date, as a sentence, and the command that makes it."""

    name: str
    problem: str
    command: str

    def __str__(self) -> str:
        return f"{self.problem} Run: {self.command}"


def lacks() -> list[Lack]:
    """Return what is missing; raises django.db.Error if the database does not answer."""
    return [*_lacking_files(), *_lacking_migrations()]


def _lacking_files() -> list[Lack]:
    found = []
    if are_static_files_stale():
        found.append(
            Lack(
                "static files",
                "The static files are missing or belong to another version, so pages may fail.",
                "manage.py collectstatic --noinput --clear",
            )
        )
    if stale_catalogues():
        found.append(
            Lack(
                "translations",
                "Translations are not compiled, or older than their sources.",
                "make setup",
            )
        )
    return found


def _lacking_migrations() -> list[Lack]:
    missing = unapplied_migrations()
    if not missing:
        return []
    problem = f"The database is not up to date: {len(missing)} migration(s) are not applied."
    return [Lack("migrations", problem, "manage.py migrate")]


# Static files ----------------------------------------------------------------------------


def fingerprint_of_sources() -> str:
    """Return a hash of all files from which the static files are made, and of how they are."""
    digest = hashlib.sha256()
    for name in ("assets/bundling.py", "assets/storage.py"):
        digest.update((HERE / name).read_bytes())
    sources: dict[str, Path] = {}
    for finder in get_finders():
        for name, storage in finder.list(["CVS", ".*", "*~"]):
            sources.setdefault(name, Path(storage.path(name)))  # the first one is collected
    for name in sorted(sources):
        digest.update(f"\n{name}\n".encode())
        digest.update(sources[name].read_bytes())
    return digest.hexdigest()


def are_static_files_stale() -> bool:
    """Return whether the collected static files are missing or were made from other sources."""
    if settings.DEBUG:  # they are served as they are
        return False
    folder = Path(settings.STATIC_ROOT)
    try:
        made_from = (folder / SOURCES).read_text(encoding="ascii")
    except OSError:
        return True
    return not (folder / "staticfiles.json").is_file() or made_from != fingerprint_of_sources()


# Translations ----------------------------------------------------------------------------


def stale_catalogues() -> list[Path]:
    """Return the catalogues that are not compiled, or were changed since."""
    sources = [path for folder in settings.LOCALE_PATHS for path in Path(folder).rglob("*.po")]
    return [path for path in sources if _is_stale(path)]


def _is_stale(source: Path) -> bool:
    try:
        compiled_at = source.with_suffix(".mo").stat().st_mtime
    except FileNotFoundError:
        return True
    return source.stat().st_mtime > compiled_at + _AT_ONCE


# Tables ----------------------------------------------------------------------------------

_is_migrated = False


def unapplied_migrations() -> list[str]:
    """Return the migrations that the database lacks. Once there are none, it is not asked again."""
    global _is_migrated
    if _is_migrated:
        return []
    executor = MigrationExecutor(connection)
    plan = executor.migration_plan(executor.loader.graph.leaf_nodes())
    _is_migrated = not plan
    return [str(migration) for migration, _backwards in plan]


# Compiled code ---------------------------------------------------------------------------


def are_generators_compiled() -> bool:
    """Return whether the inner loops of the generators were compiled from their present sources."""
    changed = max((path.stat().st_mtime for path in GENERATORS.rglob("*.py")), default=0.0)
    compiled = GENERATORS.rglob("__pycache__/*.nbi")
    return any(path.stat().st_mtime >= changed for path in compiled)


def start_compiling() -> subprocess.Popen[bytes]:
    """Compile the generators in another process, so that no request waits for it."""
    paths = [str(HERE.parent), *filter(None, [os.environ.get("PYTHONPATH")])]
    return subprocess.Popen(
        [sys.executable, "-m", "django", "warm_up", "--settings=osmosmjerka.settings"],
        env=os.environ | {"PYTHONPATH": os.pathsep.join(paths)},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
    )


# All together ----------------------------------------------------------------------------


def prepare() -> list[Lack]:
    """Do what is missing; return what could not be done. For a process that serves alone."""
    call_command("migrate", verbosity=0)
    try:
        if are_static_files_stale():
            # What is there may be newer than a source that an archive brought with its old date.
            call_command("collectstatic", interactive=False, clear=True, verbosity=0)
    except OSError as error:
        logger.warning("Not all that is missing could be written: %s", error)
    return lacks()


def report() -> None:
    """Log what is missing, without delaying the start: the database may not answer."""
    threading.Thread(target=_report, name="preparation", daemon=True).start()


def _report() -> None:
    for lack in _lacking_files():
        logger.error("%s", lack)
    try:
        for lack in _lacking_migrations():
            logger.error("%s", lack)
    except Exception as error:  # /readyz says that the database is away
        logger.warning("It is not known whether migrations are missing: %s", error)
    finally:
        connection.close()


def check_files(**_options: Any) -> list[CheckMessage]:
    """Say what is missing of the files, for `check --deploy`."""
    return [_error(lack) for lack in _lacking_files()]


def check_migrations(databases: Sequence[str] | None = None, **_options: Any) -> list[CheckMessage]:
    """Say whether migrations are missing, for `check --deploy --database default`."""
    return [_error(lack) for lack in _lacking_migrations()] if databases else []


def _error(lack: Lack) -> CheckMessage:
    name = lack.name.replace(" ", "_")
    return Error(lack.problem, hint=f"Run: {lack.command}", id=f"osmosmjerka.{name}")
