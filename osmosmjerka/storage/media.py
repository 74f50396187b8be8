"""Where pictures, sounds and imported files are: a folder, or a bucket (`storage.bucket`).

Everything that touches them goes through Django's storage. Beyond what Django asks of one, ours can
replace a file in one step and list what they hold.
"""

from __future__ import annotations

import os
import uuid
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path, PurePosixPath
from typing import Any, Protocol, cast

from django.core.files.storage import FileSystemStorage, default_storage

from osmosmjerka.storage.files import write_whole


@dataclass(frozen=True, slots=True)
class Held:
    """A file in the storage: its name there, its size in bytes, and when it was written."""

    name: str
    size: int
    written_at: datetime


class Media(Protocol):
    """What both storages can do."""

    def put(self, name: str, data: bytes) -> None:
        """Write a file whole, or replace it."""

    def files(self, folder: str = "") -> Iterator[Held]:
        """Yield every file in a folder and those below it, in any order."""

    def read(self, name: str) -> bytes:
        """Return a file's bytes; raise FileNotFoundError if there is none."""

    def exists(self, name: str) -> bool: ...

    def size(self, name: str) -> int:
        """Return a file's size in bytes; raise FileNotFoundError if there is none."""


class MediaFolder(FileSystemStorage):
    """A folder of this machine, or one that several machines share.

    A file has its name only once all of it is written, so that a full disk leaves no half one: a
    file that is named after its content would otherwise stay empty for ever.
    """

    def _save(self, name: str, content: Any) -> str:
        part = str(PurePosixPath(name).with_name(f".{uuid.uuid4().hex}.part"))
        try:
            super()._save(part, content)  # type: ignore[misc]  # missing in the stubs
            return self._named(part, name)
        finally:
            Path(self.path(part)).unlink(missing_ok=True)

    def _named(self, part: str, name: str) -> str:
        """Give the file *part* its name, or one like it if another was quicker; return that."""
        while True:
            try:
                # Unlike renaming, this does not replace what another has just written.
                os.link(self.path(part), self.path(name))
            except FileExistsError:
                name = self.get_available_name(name)
            except OSError:  # a file system without links
                Path(self.path(part)).replace(self.path(name))
                return name
            else:
                return name

    def put(self, name: str, data: bytes) -> None:
        write_whole(Path(self.path(name)), data)

    def read(self, name: str) -> bytes:
        return Path(self.path(name)).read_bytes()

    def files(self, folder: str = "") -> Iterator[Held]:
        root = Path(self.path(folder)) if folder else Path(self.location)
        for where, _folders, names in os.walk(root):
            for name in names:
                # What is being written has a name with a dot.
                if name.startswith("."):
                    continue
                path = Path(where, name)
                try:
                    found = path.stat()
                except FileNotFoundError:
                    continue
                stored = path.relative_to(self.location).as_posix()
                yield Held(stored, found.st_size, datetime.fromtimestamp(found.st_mtime, UTC))


def media() -> Media:
    """Return the storage of this site."""
    return cast(Media, default_storage)


# Each app that stores files adds what tells the names of those that its rows refer to.
_referring: list[Callable[[], set[str]]] = []


def refer(names: Callable[[], set[str]]) -> None:
    """Register what returns the names of all files that rows of an app refer to."""
    if names not in _referring:
        _referring.append(names)


def in_use() -> set[str]:
    """Return the names of all files that rows in the database refer to."""
    return {name for names in _referring for name in names() if name}
