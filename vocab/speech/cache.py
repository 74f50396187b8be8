"""A cache with one file per sound; names and sizes reveal nothing about the words.

The files are in a folder, or in a store whose files can be used like paths.
"""

from __future__ import annotations

import hashlib
import hmac
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from osmosmjerka.storage.files import write_whole
from vocab.speech import mp3
from vocab.speech.engine import Sound, spoken_form

# Nearly every word, normal or slow, from either engine fits into one block.
BLOCK = 16 * 1024


@dataclass(frozen=True, slots=True)
class SoundKey:
    """Everything that determines a sound."""

    engine: str
    voice: str
    language: str
    text: str
    slow: bool = False


class Stored(Protocol):
    """A sound's file in a store, with the part of a path's interface that is used."""

    def __truediv__(self, name: str, /) -> Stored: ...

    @property
    def stem(self) -> str: ...

    def is_file(self) -> bool: ...

    def read_bytes(self) -> bytes: ...

    def write_whole(self, data: bytes) -> None: ...

    def unlink(self, missing_ok: bool = False) -> None: ...

    def size(self) -> int: ...


SoundFile = Path | Stored


class SoundCache:
    """Store sounds as files below *root*; *secret* makes their names unpredictable."""

    def __init__(
        self, root: Path | str | Stored, *, secret: bytes | str, block: int = BLOCK
    ) -> None:
        """Pad sounds to a multiple of *block* bytes; a new *secret* makes the cache empty."""
        self.root: SoundFile = Path(root) if isinstance(root, str) else root
        self.block = block
        self._secret = secret.encode() if isinstance(secret, str) else secret

    def name(self, key: SoundKey) -> str:
        """Return the sound's name, 32 hexadecimal digits; raise CannotSpeak if there is no word."""
        parts = [
            key.engine,
            key.voice,
            key.language.lower(),
            "slow" if key.slow else "normal",
            spoken_form(key.text),
        ]
        return hmac.new(self._secret, "\0".join(parts).encode(), hashlib.sha256).hexdigest()[:32]

    def path(self, key: SoundKey) -> SoundFile:
        """Return the path of the sound, which may not exist."""
        return self.named(self.name(key))

    def find(self, key: SoundKey) -> SoundFile | None:
        """Return the sound's file, or None if it does not exist."""
        path = self.path(key)
        return path if path.is_file() else None

    def named(self, name: str) -> SoundFile:
        """Return the path of the sound with this name."""
        return self.root / name[:2] / f"{name}.mp3"

    def put(self, key: SoundKey, sound: Sound) -> SoundFile:
        """Write *sound* atomically and return its file.

        Raises NotASound, and keeps the existing file, if the bytes are not a whole MP3.
        """
        data = mp3.padded(sound.mp3, self.block)
        path = self.path(key)
        if isinstance(path, Path):
            write_whole(path, data)
        else:
            path.write_whole(data)
        return path

    def remove(self, key: SoundKey) -> None:
        """Delete the sound if it exists."""
        self.path(key).unlink(missing_ok=True)


def size_of(file: SoundFile) -> int:
    """Return the size of a sound's file in bytes, 0 if there is none."""
    if not isinstance(file, Path):
        return file.size()
    try:
        return file.stat().st_size
    except FileNotFoundError:
        return 0
