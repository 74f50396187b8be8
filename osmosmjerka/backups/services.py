"""Back up the site to one file, verify such a file, and restore it into an empty installation."""

from __future__ import annotations

import json
import re
import secrets
import shutil
import sqlite3
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any

from django.conf import settings
from django.core.files.storage import default_storage
from django.core.management import call_command
from django.db import DatabaseError, connection
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder
from django.utils import timezone

from osmosmjerka import __version__
from osmosmjerka.backups import archive
from osmosmjerka.backups.archive import (
    ABOUT,
    DATABASES,
    FORMAT,
    KEY,
    MEDIA,
    BackupError,
    in_words,
)
from osmosmjerka.backups.databases import database
from osmosmjerka.storage.files import write_whole
from osmosmjerka.storage.media import media

LAST = "last_backup.json"
_ENDING = ".tar.zst"
_OUR_NAME = re.compile(r"osmosmjerka-\d{4}-\d\d-\d\d-\d{6}Z\.tar\.zst")
# What the file system itself needs, and what is written meanwhile.
_SPARE = 10_000_000


@dataclass(frozen=True, slots=True)
class Made:
    """A backup: its *file* and size, what it holds, and files that are *missing* in it.

    These were gone already, or were purged meanwhile, though rows referred to them.
    """

    file: Path
    size: int
    rows: int
    files: int
    missing: list[str]
    removed: list[Path] = field(default_factory=list)


def back_up(target: Path | None = None, *, keep: int | None = None) -> Made:
    """Write a backup to a file, or to a folder under a name with the time; the site may run.

    *target* is a folder if it exists as one or has no ".tar.zst" at its end; it is made if needed.
    *keep* removes all but so many of the backups that got their name here, in that folder.
    Raises BackupError; then there is no new file, and nothing was removed.
    """
    at = timezone.now()
    target = target or settings.DATA_DIR / "backups"
    if target.is_dir() or not target.name.endswith(_ENDING):
        path = target / f"osmosmjerka-{at.strftime('%Y-%m-%d-%H%M%S')}Z{_ENDING}"
    elif keep is None:
        path = target
    else:
        raise BackupError("--keep needs a folder, not a file, because it counts what is there.")
    with _told(path):
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        path = path.resolve()
        _remove_leftovers(path.parent)
        with tempfile.TemporaryDirectory(dir=path.parent, prefix=".osmosmjerka-") as work:
            made = _write(path, Path(work) / "database", at.isoformat(timespec="seconds"))
        removed = _remove_old(path.parent, keep) if keep is not None else []
        note = {"at": at.isoformat(timespec="seconds"), "file": str(path), "size": made.size}
        write_whole(settings.DATA_DIR / LAST, json.dumps(note).encode())
    made.removed.extend(removed)
    return made


def _write(path: Path, copy: Path, at: str) -> Made:
    source, held = database(), list(media().files())
    of_files = sum(file.size for file in held)
    # Twice: the copy, and the copy in the archive.
    _refuse_without_room(path.parent, 2 * source.size() + of_files, "The backup")
    tables, named = source.copy(copy)
    about = {
        "program": "Osmosmjerka",
        "format": FORMAT,
        "version": __version__,
        "engine": connection.vendor,
        "created_at": at,
        "secret_key_from": "environment" if settings.CONFIGURED_SECRET_KEY else "file",
        "sizes": {"database": copy.stat().st_size, "media": of_files},
        "migrations": sorted(map(list, MigrationRecorder(connection).applied_migrations())),
    }
    with archive.writing(path) as written:
        written.add_text(ABOUT, json.dumps(about))
        written.add_path(DATABASES[connection.vendor], copy)
        written.add_text(KEY, settings.SECRET_KEY)
        # After the database: what its rows refer to was written before them.
        for name in sorted({file.name for file in held} | named):
            if not archive.is_allowed(f"{MEDIA}{name}"):
                continue  # no file of ours
            try:
                with default_storage.open(name, "rb") as content:
                    written.add(f"{MEDIA}{name}", content)
            except FileNotFoundError:
                continue  # the daily purge was quicker
        missing = sorted(name for name in named if f"{MEDIA}{name}" not in written.files)
        count = sum(name.startswith(MEDIA) for name in written.files)
        written.finish({"about": about, "tables": tables, "missing": missing})
    rows = sum(table["rows"] for table in tables.values())
    return Made(path, path.stat().st_size, rows, count, missing)


def verify(path: Path) -> dict[str, Any]:
    """Read a backup through and compare all its checksums; return its manifest.

    Raises BackupError if anything is wrong with it.
    """
    return archive.read_through(path)


@dataclass(slots=True)
class Restored:
    """What a backup brought back, and what its administrator should know."""

    manifest: dict[str, Any]
    notes: list[str] = field(default_factory=list)


def restore(path: Path) -> Restored:
    """Load a backup into this empty installation, and bring it to this version.

    Raises BackupError. Then the installation is still empty: files that were written already are
    no harm, and the same command can be given again.
    """
    with _told(settings.DATA_DIR):
        engine = _engine_that_fits(path)
        target = database()
        _refuse_unless_empty(target.is_empty())
        target.refuse_unless_alone()
        for left in settings.DATA_DIR.glob(".restore-*"):  # of one that was killed
            shutil.rmtree(left, ignore_errors=True)
        with tempfile.TemporaryDirectory(dir=settings.DATA_DIR, prefix=".restore-") as work:
            restored = _load(path, engine, Path(work) / "database")
    call_command("migrate", verbosity=0)
    _note_files(restored)
    return restored


def _load(path: Path, engine: str, copy: Path) -> Restored:
    """Verify a backup; then write its files, its key and, last, its database."""
    keys: list[str] = []

    def take(name: str, content: IO[bytes]) -> None:
        if name == KEY:
            keys.append(content.read(1000).decode("ascii", "replace"))
        elif name == DATABASES[engine]:
            with copy.open("wb") as file:
                shutil.copyfileobj(content, file, 1024 * 1024)

    manifest = archive.read_through(path, take)
    if not keys or not copy.exists():
        raise BackupError(f"{path} has no database or no key. Take another one.")
    restored = Restored(manifest)
    _write_files(path)
    _write_key(keys[0], restored)
    database().load(copy, manifest["tables"], engine)
    return restored


def _engine_that_fits(path: Path) -> str:
    """Return whose database is in a backup; raise BackupError if it cannot be loaded here."""
    with archive.reading(path) as opened:
        about = opened.about
        if missing := {"version", "format", "engine", "migrations", "sizes"} - {*about}:
            raise BackupError(f"{path} is no backup of Osmosmjerka: it lacks {missing.pop()}.")
    made_by = f"This backup was made by version {about.get('version')}"
    known = {tuple(key) for key in MigrationLoader(None).disk_migrations}
    ours = {app for app, _name in known}
    unknown = [
        f"{app}.{name}"
        for app, name in about["migrations"]
        if app in ours and (app, name) not in known
    ]
    if about["format"] > FORMAT or unknown:
        what = f" (it has {unknown[-1]})" if unknown else ""
        raise BackupError(
            f"{made_by}, which is newer than this one, {__version__}{what}. Upgrade this"
            " installation first, then restore."
        )
    engine = str(about["engine"])
    if engine == "sqlite" != connection.vendor:
        applied = {(app, name) for app, name in about["migrations"]}
        if known - applied:
            raise BackupError(
                f"{made_by}, and only a backup by this version, {__version__}, can be moved from"
                " SQLite to PostgreSQL. Restore it into SQLite with this version and back that up."
            )
    elif engine != connection.vendor:
        raise BackupError(
            "This backup is of PostgreSQL, but DATABASE_URL is SQLite. Restore it into PostgreSQL."
        )
    sizes = about["sizes"]
    _refuse_without_room(
        settings.DATA_DIR, 2 * sizes["database"] + sizes["media"], "Restoring this backup"
    )
    return engine


def _refuse_unless_empty(is_empty: bool) -> None:
    if not is_empty:
        raise BackupError(
            "There are people in this database, and a backup is restored into an empty"
            " installation only. Stop the site and give it a new data folder (for example: mv"
            f" {settings.DATA_DIR} {settings.DATA_DIR}.old) or, for PostgreSQL, a new database"
            " (createdb, and its name in DATABASE_URL). Then restore again."
        )


def _write_files(path: Path) -> None:
    def put(name: str, content: IO[bytes]) -> None:
        if name.startswith(MEDIA):
            media().put(name.removeprefix(MEDIA), content.read())

    archive.read_through(path, put)


def _write_key(key: str, restored: Restored) -> None:
    path = settings.DATA_DIR / "secret_key"
    write_whole(path, key.encode(), mode=0o600)
    if not settings.CONFIGURED_SECRET_KEY:
        # For the migrations that follow; other processes read the file.
        settings.SECRET_KEY = key
        if restored.manifest["about"]["secret_key_from"] == "environment":  # noqa: S105
            restored.notes.append(
                f"The key came from the variable SECRET_KEY and is now in the file {path}, which is"
                " used as long as the variable is not set."
            )
    elif not secrets.compare_digest(key.encode(), settings.CONFIGURED_SECRET_KEY.encode()):
        restored.notes.append(
            "WARNING: SECRET_KEY is not the key of this backup. With it, everybody has to log in"
            " again, and login cards and API tokens do not work. The backup's key is in the file"
            f" {path}: set SECRET_KEY to it, or do not set it at all."
        )


def _note_files(restored: Restored) -> None:
    missing = restored.manifest["missing"]
    if missing:
        restored.notes.append(
            f"{len(missing)} files were missing already when the backup was made, such as"
            f" {missing[0]}. Missing sounds of voices are made again when they are played."
        )
    if not settings.DEBUG and not (settings.STATIC_ROOT / "staticfiles.json").is_file():
        call_command("collectstatic", interactive=False, verbosity=0)


def _refuse_without_room(folder: Path, needed: int, what: str) -> None:
    free = shutil.disk_usage(folder).free
    if free < needed + _SPARE:
        raise BackupError(
            f"{what} needs up to {in_words(needed + _SPARE)} in {folder}, where {in_words(free)}"
            " are free. Make room, or choose a folder on another disk."
        )


def _remove_old(folder: Path, keep: int) -> list[Path]:
    """Remove all but the newest *keep* backups of a folder that got their names here."""
    ours = sorted(path for path in folder.iterdir() if _OUR_NAME.fullmatch(path.name))
    old = ours[: max(0, len(ours) - max(1, keep))]
    for path in old:
        path.unlink(missing_ok=True)
    return old


def _remove_leftovers(folder: Path) -> None:
    """Remove what a backup that was killed has left; a day later nobody writes it any more."""
    for path in folder.glob(".osmosmjerka-*"):
        if path.stat().st_mtime < time.time() - 24 * 3600:
            if path.is_dir():
                shutil.rmtree(path, ignore_errors=True)
            else:
                path.unlink(missing_ok=True)


@contextmanager
def _told(path: Path) -> Iterator[None]:
    """Tell in words what the system or the database says."""
    try:
        yield
    except OSError as error:
        raise archive.no_room(error, path) from error
    except (DatabaseError, sqlite3.Error) as error:
        raise BackupError(f"The database could not be read or written: {error}.") from error
