"""Words that sound alike, so that a student who hears one may find the other."""

from __future__ import annotations

from functools import lru_cache

import regex

from vocab.speech.engine import SpeechError
from vocab.speech.espeak import Espeak

# Pauses between words, and switches of the voice to English and back: not part of a sound.
_SILENT_MARKS = regex.compile(r"[_:|]*_[_:|]*|\([a-z-]+\)|\s+")


@lru_cache(maxsize=4096)
def sound_key(text: str, language: str) -> str | None:
    """Return a key that is the same for words that sound the same ("sea", "see").

    The key is eSpeak NG's phonemes with stress and tone, so "two" and "too" have the same one in
    English, "vert" and "verre" in French. None if eSpeak cannot read the word: then no word is
    known to sound like it.
    """
    try:
        phonemes = Espeak().phonemes(text, language)
    except SpeechError:
        return None
    return _SILENT_MARKS.sub("", phonemes) or None


def sound_alike(one: str, other: str, language: str) -> bool:
    """Return whether two words are known to sound the same in *language*."""
    key = sound_key(one, language)
    return key is not None and key == sound_key(other, language)
