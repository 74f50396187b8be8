"""The archive: write it whole or not at all; read it without trusting it."""

from __future__ import annotations

import errno
import hashlib
import io
import json
import os
import re
import tarfile
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Any

import zstandard

FORMAT = 1
ABOUT, MANIFEST, KEY, MEDIA = "about.json", "manifest.json", "secret_key", "media/"
DATABASES = {"sqlite": "database.sqlite3", "postgresql": "database.dump"}
# Larger files wait on the disk between being measured and being written.
_IN_MEMORY = 32 * 1024 * 1024
_CHUNK = 1024 * 1024
_MOST_JSON = 256 * 1024 * 1024
_NAME = re.compile(r"[^/\0\\]+(/[^/\0\\]+)*")


class BackupError(Exception):
    """What went wrong and what to do, in words for the administrator."""


def in_words(size: float) -> str:
    """Return a number of bytes for people, such as "1.5 GB"."""
    for unit in ("bytes", "kB", "MB", "GB"):
        if size < 1000:
            return f"{size:.0f} {unit}" if unit == "bytes" or size >= 10 else f"{size:.1f} {unit}"
        size /= 1000
    return f"{size:.1f} TB"


class Writer:
    """An archive that is being written; it notes size and checksum of each file."""

    def __init__(self, tar: tarfile.TarFile) -> None:
        self._tar = tar
        self.files: dict[str, dict[str, Any]] = {}

    def add_text(self, name: str, text: str) -> None:
        self.add(name, io.BytesIO(text.encode()))

    def add(self, name: str, source: IO[bytes]) -> None:
        """Add what *source* gives until its end, whatever size it was said to have."""
        digest, size = hashlib.sha256(), 0
        with tempfile.SpooledTemporaryFile(_IN_MEMORY) as copy:
            while chunk := source.read(_CHUNK):
                digest.update(chunk)
                size += len(chunk)
                copy.write(chunk)
            copy.seek(0)
            self._add(name, size, copy)
        self.files[name] = {"size": size, "sha256": digest.hexdigest()}

    def add_path(self, name: str, path: Path) -> None:
        """Add a file that nobody changes meanwhile."""
        with path.open("rb") as file:
            digest = hashlib.file_digest(file, "sha256")
            size = file.tell()
            file.seek(0)
            self._add(name, size, file)
        self.files[name] = {"size": size, "sha256": digest.hexdigest()}

    def finish(self, manifest: dict[str, Any]) -> None:
        data = json.dumps(manifest | {"files": self.files}, indent=1).encode()
        self._add(MANIFEST, len(data), io.BytesIO(data))

    def _add(self, name: str, size: int, source: Any) -> None:
        member = tarfile.TarInfo(name)
        member.size, member.mode = size, 0o600
        self._tar.addfile(member, source)


@contextmanager
def writing(path: Path) -> Iterator[Writer]:
    """Write an archive for its owner only, under a name of its own until it is whole.

    Raises BackupError if *path* exists.
    """
    if path.exists():
        raise BackupError(f"{path} exists already. A backup does not overwrite another one.")
    temporary = path.with_name(f".{path.name}.{os.getpid()}.part")
    descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with os.fdopen(descriptor, "wb") as file:
            compressor = zstandard.ZstdCompressor(level=6, write_checksum=True)
            with (
                compressor.stream_writer(file, closefd=False) as packed,
                tarfile.open(fileobj=packed, mode="w|", format=tarfile.PAX_FORMAT) as tar,
            ):
                yield Writer(tar)
            file.flush()
            os.fsync(file.fileno())
        _take_name(temporary, path)
    finally:
        temporary.unlink(missing_ok=True)
    _sync_folder(path.parent)


def _take_name(temporary: Path, path: Path) -> None:
    try:
        path.hardlink_to(temporary)  # unlike renaming, this replaces nothing
    except FileExistsError:
        raise BackupError(
            f"{path} exists already. A backup does not overwrite another one."
        ) from None
    except OSError:  # a file system without links
        temporary.rename(path)


def _sync_folder(folder: Path) -> None:
    with suppress(OSError):  # not every file system does this
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


@contextmanager
def told_of(path: Path) -> Iterator[None]:
    """Tell in words what the system or a library says of an archive that is read."""
    try:
        yield
    except FileNotFoundError:
        raise BackupError(f"There is no file {path}.") from None
    except IsADirectoryError:
        raise BackupError(f"{path} is a folder, not a backup.") from None
    except OSError as error:
        raise no_room(error, path) from error
    except (zstandard.ZstdError, tarfile.TarError, EOFError, UnicodeError, KeyError) as error:
        raise BackupError(
            f"{path} is damaged, or no backup of Osmosmjerka ({error}). Take another one."
        ) from error


def no_room(error: OSError, path: Path | str) -> BackupError:
    """Return what to tell of an error of the file system."""
    path, reason = error.filename or path, error.strerror or str(error)
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        reason = "the disk is full. Make room, or choose a folder on another disk"
    return BackupError(f"{path} could not be used: {reason}.")


class Reader:
    """An archive that is read from its beginning to its end."""

    def __init__(self, path: Path, tar: tarfile.TarFile) -> None:
        self.path, self._tar = path, tar
        self.about = self._about()

    def _about(self) -> dict[str, Any]:
        first = self._tar.next()
        if first is None or first.name != ABOUT or not first.isreg():
            raise BackupError(f"{self.path} is no backup of Osmosmjerka.")
        content = self._tar.extractfile(first)
        assert content is not None  # noqa: S101  (a regular file)
        return json_of(content.read(_MOST_JSON), self.path)

    def members(self) -> Iterator[tuple[str, IO[bytes]]]:
        """Yield name and content of each file. Whatever is not a plain file is refused."""
        while member := self._tar.next():
            if not member.isreg() or not is_allowed(member.name):
                raise BackupError(
                    f"{self.path} contains {member.name!r}, which no backup contains: somebody has"
                    " changed it. Nothing was restored from it."
                )
            content = self._tar.extractfile(member)
            assert content is not None  # noqa: S101  (a regular file)
            yield member.name, content


def json_of(data: bytes, path: Path) -> dict[str, Any]:
    try:
        value = json.loads(data)
    except ValueError:
        value = None
    if not isinstance(value, dict):
        raise BackupError(f"{path} is damaged: its description cannot be read. Take another one.")
    return value


def is_allowed(name: str) -> bool:
    """Return whether an archive may contain a file of this name, which stays below its folder."""
    if name in (MANIFEST, KEY, *DATABASES.values()):
        return True
    is_below = name.startswith(MEDIA) and not {"..", "."} & {*name.split("/")}
    return is_below and bool(_NAME.fullmatch(name))


@contextmanager
def reading(path: Path) -> Iterator[Reader]:
    """Open an archive. Raises BackupError if it is none, or not whole."""
    with told_of(path), path.open("rb") as file:
        stream = zstandard.ZstdDecompressor().stream_reader(file, read_across_frames=True)
        # The stream cannot be rewound, as "w|" wrote it. A short read, which the buffer turns into
        # a whole one, would be the end of the file for tarfile.
        with tarfile.open(fileobj=io.BufferedReader(stream), mode="r|") as tar:
            yield Reader(path, tar)


Visit = Callable[[str, IO[bytes]], None]


class Measured:
    """Reads through to another file and notes size and checksum."""

    def __init__(self, source: IO[bytes]) -> None:
        self._source, self._digest, self.size = source, hashlib.sha256(), 0

    def read(self, size: int = -1) -> bytes:
        data = self._source.read(size)
        self._digest.update(data)
        self.size += len(data)
        return data

    def rest(self) -> dict[str, Any]:
        """Read what nobody has read yet; return size and checksum of the whole."""
        while self.read(_CHUNK):
            pass
        return {"size": self.size, "sha256": self._digest.hexdigest()}


def read_through(path: Path, visit: Visit | None = None) -> dict[str, Any]:
    """Read every file of an archive, compare its checksum, and return the manifest.

    *visit* is given each file to read. Raises BackupError if anything differs; what *visit* has
    done by then is to be thrown away.
    """
    found: dict[str, dict[str, Any]] = {}
    manifest: dict[str, Any] | None = None
    with reading(path) as archive:
        for name, content in archive.members():
            if name == MANIFEST:
                manifest = json_of(content.read(_MOST_JSON), path)
                continue
            measured = Measured(content)
            if visit is not None:
                visit(name, measured)  # type: ignore[arg-type]  # only its read() is used
            found[name] = measured.rest()
    if manifest is None:
        raise BackupError(f"{path} is cut off: its end is missing. Take another one.")
    if not {"about", "tables", "missing", "files"} <= {*manifest}:
        raise BackupError(f"{path} is damaged: its description is not whole. Take another one.")
    listed = manifest["files"]
    for name in sorted({*listed, *found} - {ABOUT}):
        if listed.get(name) != found.get(name):
            raise BackupError(
                f"{path} is damaged: in it, {name} is not what was saved. Take another one."
            )
    if manifest.get("about") != archive.about:
        raise BackupError(f"{path} is damaged: its two descriptions differ. Take another one.")
    return manifest
