"""Untrusted zip and zstd files: opened with limits, never unpacked without checks."""

from __future__ import annotations

import io
import stat
import zipfile
import zlib
from pathlib import Path, PurePosixPath
from typing import IO

from vocab.formats.rows import FormatError, message, messages

MAX_MEMBERS = 30_000
MAX_UNPACKED = 400_000_000
# Real sheets and collections shrink to a twentieth at most; deflate's limit is a thousandth.
MAX_RATIO = 150
# Below this size a high ratio does no harm: an empty sheet is mostly the same tags.
_HARMLESS = 10_000_000
_CHUNK = 1 << 18
_ENTRY = b"PK\x01\x02"


def open_zip(source: bytes | Path, *, unpacked: int = MAX_UNPACKED) -> zipfile.ZipFile:
    """Open a zip file after checking for bombs, path traversal, links and passwords.

    *source* is the file's bytes or its path; *unpacked* is the most bytes that all members may have
    together. Reading a member yields at most the size that was checked here. Raises `FormatError`.
    """
    # Counted before the directory is read: listing a million entries takes seconds.
    with io.BytesIO(source) if isinstance(source, bytes) else source.open("rb") as stream:
        size, entries = _count_entries(stream)
    if entries > MAX_MEMBERS:
        raise FormatError(
            messages(
                "The file contains more than {count} file.",
                "The file contains more than {count} files.",
                MAX_MEMBERS,
            )
        )
    try:
        # NotImplementedError: the archive is in several parts or of a newer version.
        archive = zipfile.ZipFile(io.BytesIO(source) if isinstance(source, bytes) else source)
    except (zipfile.BadZipFile, ValueError, OSError, NotImplementedError, UnicodeError) as error:
        raise FormatError(
            message("The file is damaged and cannot be unpacked."), reason=str(error)
        ) from None
    total = 0
    for member in archive.infolist():
        check_member(member)
        total += member.file_size
        if total > unpacked:
            raise FormatError(
                message("The file would be larger than {most} MB when unpacked."),
                most=unpacked // 1_000_000,
            )
        if member.file_size > _HARMLESS and member.file_size > MAX_RATIO * member.compress_size:
            raise _bomb(member.filename)
    if total > _HARMLESS and total > MAX_RATIO * size:
        raise _bomb(archive.infolist()[0].filename)
    return archive


def _count_entries(stream: IO[bytes]) -> tuple[int, int]:
    """Return the length of a stream and how many zip entry signatures it contains."""
    size = entries = 0
    tail = b""
    while chunk := stream.read(_CHUNK):
        size += len(chunk)
        entries += (tail + chunk).count(_ENTRY)
        tail = chunk[-len(_ENTRY) + 1 :]
    return size, entries


def _bomb(name: str) -> FormatError:
    return FormatError(
        message("“{name}” in this file is compressed so heavily that it may be a zip bomb."),
        name=name[:80],
    )


def check_member(member: zipfile.ZipInfo) -> None:
    """Raise `FormatError` for a member that leaves the folder, is a link or has a password.

    Also for one that is packed with bzip2 or LZMA, which zipfile unpacks whole, without a limit.
    """
    name = member.filename
    path = PurePosixPath(name.replace("\\", "/"))
    if path.is_absolute() or ".." in path.parts or name[1:2] == ":":
        raise FormatError(
            message("“{name}” in this file points to a place outside it."), name=name[:80]
        )
    if stat.S_ISLNK(member.external_attr >> 16):
        raise FormatError(message("“{name}” in this file is a link."), name=name[:80])
    if member.flag_bits & 1:
        raise FormatError(message("The file is protected with a password."))
    if member.compress_type not in {zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED}:
        raise FormatError(
            message(
                "“{name}” in this file is packed in an unusual way. Unpack it, and make a new ZIP "
                "file."
            ),
            name=name[:80],
        )


def read_member(archive: zipfile.ZipFile, name: str, most: int) -> bytes:
    """Return one member's bytes; `FormatError` if it is damaged or longer than *most*."""
    try:
        with archive.open(name) as stream:
            return read_at_most(stream, name, most)
    except FormatError:
        raise
    except KeyError:
        raise FormatError(message("“{name}” is missing from the file."), name=name[:80]) from None
    except (zipfile.BadZipFile, zlib.error, EOFError, OSError, ValueError, RuntimeError) as error:
        raise _damaged(name, error) from None


def _damaged(name: str, error: Exception) -> FormatError:
    return FormatError(
        message("“{name}” in this file is damaged."), name=name[:80], reason=str(error)[:200]
    )


def read_at_most(stream: IO[bytes], name: str, most: int) -> bytes:
    """Return the bytes of *stream*; `FormatError` as soon as there are more than *most*."""
    data = bytearray()
    while chunk := stream.read(_CHUNK):
        data += chunk
        if len(data) > most:
            raise FormatError(
                messages(
                    "“{name}” in this file is larger than {count} byte.",
                    "“{name}” in this file is larger than {count} bytes.",
                    most,
                    name=name[:80],
                )
            )
    return bytes(data)


def unzstd(data: bytes, name: str, most: int) -> bytes:
    """Return zstd *data* unpacked; `FormatError` if it is damaged or longer than *most*."""
    import zstandard

    unpacker = zstandard.ZstdDecompressor(max_window_size=1 << 27)
    try:
        with unpacker.stream_reader(data, read_across_frames=True) as stream:
            return read_at_most(stream, name, most)
    except zstandard.ZstdError as error:
        raise _damaged(name, error) from None
