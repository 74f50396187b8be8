"""Letters in any script: normal form, tiles, alphabets, comparison. Pure Python.

A *tile* is one letter as the reader sees it: a grapheme cluster, or a digraph that the language
counts as one letter (Croatian dž, lj, nj). Terms are cut into tiles once, on the server, and the
tiles are stored, because browsers cut text differently.

`normal` normalises text and makes the keys for matching and searching, `cutting` makes tiles,
`alphabets` and `frequencies` provide the letters to fill a grid with, `comparison` marks what a
student typed, `answers` knows what is right for a term, `readings` how its kanji are read, `gaps`
leaves a term out of a sentence, `languages` handles tags, names and directions.
"""

from vocab.text.alphabets import (
    KNOWN_LANGUAGES,
    OTHER_LANGUAGES,
    alphabet,
    alphabet_for,
    keyboard_for,
)
from vocab.text.comparison import Accents, Comparison, TileDiff, compare
from vocab.text.cutting import (
    crossword_tiles,
    digraphs_of,
    fewest_tiles,
    has_digraphs,
    lengths_in_squares,
    seams_of,
    splits_syllables,
    tiles,
    without_finals,
    word_lengths,
    writes_syllables,
)
from vocab.text.frequencies import letter_weights
from vocab.text.gaps import with_gap, without_term
from vocab.text.languages import (
    TAG_PATTERN,
    canonical_language,
    direction,
    is_known_language,
    language_name,
)
from vocab.text.normal import lowercase, match_key, normal_form, search_key
from vocab.text.readings import reading_of

__all__ = [
    "KNOWN_LANGUAGES",
    "OTHER_LANGUAGES",
    "TAG_PATTERN",
    "Accents",
    "Comparison",
    "TileDiff",
    "alphabet",
    "alphabet_for",
    "canonical_language",
    "compare",
    "crossword_tiles",
    "digraphs_of",
    "direction",
    "fewest_tiles",
    "has_digraphs",
    "is_known_language",
    "keyboard_for",
    "language_name",
    "lengths_in_squares",
    "letter_weights",
    "lowercase",
    "match_key",
    "normal_form",
    "reading_of",
    "seams_of",
    "search_key",
    "splits_syllables",
    "tiles",
    "with_gap",
    "without_finals",
    "without_term",
    "word_lengths",
    "writes_syllables",
]
