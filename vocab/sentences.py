"""Translate the messages of pure modules into the reader's language."""

from __future__ import annotations

from django.utils.translation import gettext as _

from vocab.formats.rows import FormatError, Problem
from vocab.message import Sentence, unpacked


def said(problem: FormatError | Problem | str) -> str:
    """Return the message of *problem*, translated, with its values.

    A text may be a sentence as stored in the database, or one without placeholders.
    """
    if isinstance(problem, str):
        sentence = unpacked(problem)
        if not isinstance(sentence, Sentence):
            return _(sentence) if sentence else ""
        values = {name: _shown(value) for name, value in sentence.values.items()}
        return _(sentence.template).format(**values)
    return _(problem.template).format(**problem.values)


def _shown(value: object) -> object:
    """Translate a sentence within another; words of a list stay as they are."""
    if isinstance(value, Sentence):
        return said(value)
    return "; ".join(map(said, value)) if isinstance(value, list) else value
