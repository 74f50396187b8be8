"""Identify sounds and pictures by their first bytes; check their size."""

from __future__ import annotations

import struct
from typing import Literal, NamedTuple

from vocab.formats.rows import FormatError, message

# A phone's picture has about 12 million, those of the largest cameras 60.
MAX_PIXELS = 64_000_000
MAX_BYTES = 20_000_000


class Kind(NamedTuple):
    """A file's type: `suffix` with its dot, and its `mime` type."""

    what: Literal["image", "audio"]
    suffix: str
    mime: str


_PNG = Kind("image", ".png", "image/png")
_JPEG = Kind("image", ".jpg", "image/jpeg")
_GIF = Kind("image", ".gif", "image/gif")
_WEBP = Kind("image", ".webp", "image/webp")
_MP3 = Kind("audio", ".mp3", "audio/mpeg")
_OGG = Kind("audio", ".ogg", "audio/ogg")
_WAV = Kind("audio", ".wav", "audio/wav")
_FLAC = Kind("audio", ".flac", "audio/flac")
_M4A = Kind("audio", ".m4a", "audio/mp4")
_AAC = Kind("audio", ".aac", "audio/aac")
_WEBM = Kind("audio", ".webm", "audio/webm")


def kind_of(data: bytes) -> Kind | None:
    """Return the type of *data* from its content, or None if lists have no use for it.

    SVG is not among the pictures, because it can run scripts.
    """
    start = data[:16]
    for mark, kind in (
        (b"\x89PNG\r\n\x1a\n", _PNG),
        (b"\xff\xd8\xff", _JPEG),
        (b"GIF87a", _GIF),
        (b"GIF89a", _GIF),
        (b"OggS", _OGG),
        (b"fLaC", _FLAC),
        (b"ID3", _MP3),
        (b"\x1aE\xdf\xa3", _WEBM),
    ):
        if start.startswith(mark):
            return kind
    if start.startswith(b"RIFF"):
        return {b"WEBP": _WEBP, b"WAVE": _WAV}.get(start[8:12])
    if start[4:8] == b"ftyp":
        return _M4A
    if len(start) > 1 and start[0] == 0xFF and start[1] & 0xE0 == 0xE0:
        # In AAC, the two bits of MPEG's layer are zero.
        return _MP3 if start[1] & 0x06 else _AAC
    return None


def size_of_image(data: bytes, kind: Kind) -> tuple[int, int] | None:
    """Return the (width, height) that the picture's header claims, or None if there is none.

    Nothing is decoded: a picture of a few bytes may claim billions of pixels.
    """
    try:
        if kind is _PNG:
            return struct.unpack(">II", data[16:24])
        if kind is _GIF:
            return struct.unpack("<HH", data[6:10])
        if kind is _JPEG:
            return _size_of_jpeg(data)
        if kind is _WEBP:
            return _size_of_webp(data)
    except (struct.error, IndexError):
        pass
    return None


def _size_of_jpeg(data: bytes) -> tuple[int, int] | None:
    place = 2
    while place + 9 < len(data):
        if data[place] != 0xFF:
            return None
        marker = data[place + 1]
        if marker == 0xFF:  # fill byte
            place += 1
        elif 0xD0 <= marker <= 0xD9 or marker == 0x01:
            place += 2
        elif 0xC0 <= marker <= 0xCF and marker not in (0xC4, 0xC8, 0xCC):
            height, width = struct.unpack(">HH", data[place + 5 : place + 9])
            return width, height
        else:
            place += 2 + max(2, struct.unpack(">H", data[place + 2 : place + 4])[0])
    return None


def _size_of_webp(data: bytes) -> tuple[int, int] | None:
    form = data[12:16]
    if form == b"VP8X":
        return (
            int.from_bytes(data[24:27], "little") + 1,
            int.from_bytes(data[27:30], "little") + 1,
        )
    if form == b"VP8L":
        bits = struct.unpack("<I", data[21:25])[0]
        return (bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1
    if form == b"VP8 ":
        width, height = struct.unpack("<HH", data[26:30])
        return width & 0x3FFF, height & 0x3FFF
    return None


def check_image(data: bytes, kind: Kind, name: str, *, most: int | None = None) -> bool:
    """Return whether a picture can be stored; `FormatError` if it is meant to exhaust memory."""
    size = size_of_image(data, kind)
    if size is None:
        return False
    width, height = size
    if width * height > (MAX_PIXELS if most is None else most):
        raise FormatError(
            message(
                "The picture “{name}” is too large ({width} × {height} pixels). Make it smaller."
            ),
            name=name[:80],
            width=width,
            height=height,
        )
    return width > 0 and height > 0
