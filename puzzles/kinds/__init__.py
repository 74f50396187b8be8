"""The registry of puzzle kinds.

To add a kind, add a class here that calls its generator, and a script of
its name in static/puzzles/play. Reviews say in which kind a word was asked: name
it in vocab.asking, and if its answers prove that a word is remembered, say so in
vocab.memory.evidence. No other module of the server names a kind.
"""

from __future__ import annotations

from puzzles.kinds.base import Kind
from puzzles.kinds.crossword import Crossword
from puzzles.kinds.finder import Finder
from puzzles.kinds.word_search import WordSearch

# The easiest first: words are seen, then heard, then typed.
KINDS: dict[str, Kind] = {kind.slug: kind for kind in (WordSearch(), Finder(), Crossword())}

KIND_NAMES = sorted(KINDS)
# For fields of forms and of the API: (slug, name in the reader's language).
KIND_CHOICES = [(slug, KINDS[slug].name) for slug in KIND_NAMES]

__all__ = ["KINDS", "KIND_CHOICES", "KIND_NAMES", "Kind"]
