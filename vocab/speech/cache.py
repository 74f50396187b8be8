"""A cache with one file per sound; names and sizes reveal nothing about the words."""

from __future__ import annotations

import hashlib
import hmac
from dataclasses import dataclass
from typing import TYPE_CHECKING

from vocab.speech import mp3
from vocab.speech.engine import Sound, spoken_form

if TYPE_CHECKING:
    from osmosmjerka.storage.media import Media

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


@dataclass(frozen=True, slots=True)
class SoundFile:
    """A sound's file in the site's storage."""

    storage: Media
    stem: str

    @property
    def name(self) -> str:
        """Its name in the storage."""
        return f"sounds/{self.stem[:2]}/{self.stem}.mp3"

    def exists(self) -> bool:
        return self.storage.exists(self.name)

    def read(self) -> bytes:
        return self.storage.read(self.name)

    def write(self, data: bytes) -> None:
        """Write it whole, or replace it."""
        self.storage.put(self.name, data)

    def size(self) -> int:
        """Return its size in bytes, 0 if it does not exist or cannot be asked for."""
        try:
            return self.storage.size(self.name)
        except OSError:
            return 0


class SoundCache:
    """Store sounds as files; *secret* makes their names unpredictable."""

    def __init__(self, storage: Media, *, secret: str) -> None:
        """Keep sounds in *storage*; a new *secret* makes the cache empty."""
        self.storage = storage
        self._secret = secret.encode()

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

    def file(self, key: SoundKey) -> SoundFile:
        """Return the sound's file, which may not exist."""
        return self.named(self.name(key))

    def find(self, key: SoundKey) -> SoundFile | None:
        """Return the sound's file, or None if it does not exist."""
        file = self.file(key)
        return file if file.exists() else None

    def named(self, name: str) -> SoundFile:
        """Return the file of the sound with this name."""
        return SoundFile(self.storage, name)

    def put(self, key: SoundKey, sound: Sound) -> SoundFile:
        """Write *sound* atomically and return its file.

        Raises NotASound, and keeps the existing file, if the bytes are not a whole MP3.
        """
        file = self.file(key)
        file.write(mp3.padded(sound.mp3, BLOCK))
        return file
