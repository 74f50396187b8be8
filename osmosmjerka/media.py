"""Where pictures, sounds and imported files are: a folder, or a bucket (`osmosmjerka.bucket`).

Everything that touches them goes through Django's storage. Beyond what Django asks of one, ours can
replace a file in one step and list what they hold.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Protocol, cast

from django.core.files.storage import FileSystemStorage, default_storage

from osmosmjerka.files import write_whole


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


class MediaFolder(FileSystemStorage):
    """A folder of this machine, or one that several machines share."""

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
