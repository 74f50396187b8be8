"""The texts of a word besides the word itself: their names, labels and limits. Pure.

The model, files, forms, the API, imports, copies and the purge follow this table.
"""

from __future__ import annotations

from typing import NamedTuple

from vocab.message import Sentence, message

LONGEST_GUID = 100
LONGEST_TERM = 300
LONGEST_TRANSLATION = 500
LONGEST_TAG = 60


class TextField(NamedTuple):
    """A field of an entry with one text; without a `max_length`, only a file limits it."""

    name: str
    label: Sentence
    max_length: int | None = None


# In the order of columns in an exported file.
TEXT_FIELDS = (
    TextField("playing_form", message("Playing form"), 300),
    TextField("pronunciation", message("Pronunciation"), 300),
    TextField("part_of_speech", message("Part of speech"), 60),
    TextField("example", message("Example")),
    TextField("example_translation", message("Translation of the example")),
    # Not marked: `vocab.sentences.label_of` translates it, because puzzles have other hints.
    TextField("hint", Sentence("Hint", {})),
    TextField("note", message("Note")),
)
NAMES = tuple(field.name for field in TEXT_FIELDS)
LENGTHS = {field.name: field.max_length for field in TEXT_FIELDS if field.max_length}
