"""The strong words that are shipped: what no school would print, one file for each language.

They are whole words that chance can spell and any reader would notice. `words/` has a file for
each primary language subtag; each script of the language is in it.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

from vocab.models import BlockedWord
from vocab.text import search_key
from vocab.text.languages import primary

_WORDS = Path(__file__).parent / "words"


@cache
def strong_languages() -> tuple[str, ...]:
    """Return the languages that have a file, by their tags."""
    return tuple(sorted(path.stem for path in _WORDS.glob("*.txt")))


@cache
def strong_words(language: str) -> tuple[BlockedWord, ...]:
    """Return the strong words of a language, as blocked words that are not stored."""
    own = primary(language)
    if own not in strong_languages():
        return ()
    words = (_WORDS / f"{own}.txt").read_text(encoding="utf-8").split()
    return tuple(BlockedWord(word=word, key=search_key(word)) for word in words)
