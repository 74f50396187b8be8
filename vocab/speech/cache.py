"""A cache with one file per sound; names and sizes reveal nothing about the words."""

from __future__ import annotations

import hashlib
import hmac
import os
import tempfile
from dataclasses import dataclass
from pathlib import Path

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


class SoundCache:
    """Store sounds as files below *root*; *secret* makes their names unpredictable."""

    def __init__(self, root: Path | str, *, secret: bytes | str, block: int = BLOCK) -> None:
        """Pad sounds to a multiple of *block* bytes; a new *secret* makes the cache empty."""
        self.root = Path(root)
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

    def path(self, key: SoundKey) -> Path:
        """Return the path of the sound, which may not exist."""
        return self.named(self.name(key))

    def find(self, key: SoundKey) -> Path | None:
        """Return the sound's file, or None if it does not exist."""
        path = self.path(key)
        return path if path.is_file() else None

    def named(self, name: str) -> Path:
        """Return the path of the sound with this name."""
        return self.root / name[:2] / f"{name}.mp3"

    def put(self, key: SoundKey, sound: Sound) -> Path:
        """Write *sound* atomically and return its file.

        Raises NotASound, and keeps the existing file, if the bytes are not a whole MP3.
        """
        data = mp3.padded(sound.mp3, self.block)
        path = self.path(key)
        path.parent.mkdir(parents=True, exist_ok=True)
        descriptor, temporary = tempfile.mkstemp(dir=path.parent, prefix=".", suffix=".part")
        try:
            with os.fdopen(descriptor, "wb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
            Path(temporary).chmod(0o644)
            Path(temporary).replace(path)
        except BaseException:
            Path(temporary).unlink(missing_ok=True)
            raise
        return path

    def remove(self, key: SoundKey) -> None:
        """Delete the sound if it exists."""
        self.path(key).unlink(missing_ok=True)
