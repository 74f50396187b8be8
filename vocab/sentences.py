"""Translate the messages of pure modules into the reader's language."""

from __future__ import annotations

from django.utils.formats import number_format
from django.utils.functional import lazy
from django.utils.translation import gettext, ngettext, pgettext

from vocab.formats.rows import FormatError, Problem
from vocab.message import Sentence, unpacked
from vocab.text_fields import TextField


def said(problem: FormatError | Problem | str) -> str:
    """Return the message of *problem*, translated, with its values.

    A text may be a sentence as stored in the database, or one without placeholders.
    """
    sentence = unpacked(problem) if isinstance(problem, str) else problem.sentence
    if not isinstance(sentence, Sentence):
        return gettext(sentence) if sentence else ""
    values = {name: _shown(value) for name, value in sentence.values.items()}
    if sentence.plural:
        template = ngettext(sentence.template, sentence.plural, sentence.values["count"])
    else:
        template = gettext(sentence.template)
    return template.format(**values)


def _shown(value: object) -> object:
    """Return a placeholder's value: translate a sentence, localise a number."""
    if isinstance(value, Sentence):
        return said(value)
    if isinstance(value, int | float):
        return number_format(value, force_grouping=True)
    return "; ".join(map(said, value)) if isinstance(value, list | tuple) else value


def label_of(field: TextField) -> str:
    """Return the name of a word's text in the reader's language."""
    return pgettext("word", "Hint") if field.name == "hint" else said(field.label)


lazy_label_of = lazy(label_of, str)
lazily_said = lazy(said, str)
