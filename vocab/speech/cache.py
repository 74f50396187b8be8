"""Where sounds are kept: one file a sound, whose name and size tell nothing of the word."""

from __future__ import annotations

import hashlib
import hmac
import os
import tempfile
from dataclasses import dataclass
from pathlib import Path

from vocab.speech import mp3
from vocab.speech.engine import Sound, spoken_form

# Nearly every word, normal or slow, of either engine fits into one block.
BLOCK = 16 * 1024


@dataclass(frozen=True, slots=True)
class SoundKey:
    """What a sound depends on."""

    engine: str
    voice: str
    language: str
    text: str
    slow: bool = False


class SoundCache:
    """Keep sounds as files below *root*; *secret* keeps their names from being guessed."""

    def __init__(self, root: Path | str, *, secret: bytes | str, block: int = BLOCK) -> None:
        """Fill every sound up to a multiple of *block* bytes; a new *secret* empties the cache."""
        self.root = Path(root)
        self.block = block
        self._secret = secret.encode() if isinstance(secret, str) else secret

    def name(self, key: SoundKey) -> str:
        """Return the sound's name, 32 hexadecimal digits; raise CannotSpeak without a word."""
        parts = [
            key.engine,
            key.voice,
            key.language.lower(),
            "slow" if key.slow else "normal",
            spoken_form(key.text),
        ]
        return hmac.new(self._secret, "\0".join(parts).encode(), hashlib.sha256).hexdigest()[:32]

    def path(self, key: SoundKey) -> Path:
        """Return where the sound is or would be."""
        return self.named(self.name(key))

    def find(self, key: SoundKey) -> Path | None:
        """Return the sound's file, or None while there is none."""
        path = self.path(key)
        return path if path.is_file() else None

    def named(self, name: str) -> Path:
        """Return where the sound with this name is kept."""
        return self.root / name[:2] / f"{name}.mp3"

    def put(self, key: SoundKey, sound: Sound) -> Path:
        """Write *sound* so that a reader sees all of it or nothing; return its file.

        Raises NotASound, and leaves what was there, when its bytes are not a whole MP3.
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
        """Forget the sound, if there is one."""
        self.path(key).unlink(missing_ok=True)
