from __future__ import annotations

from collections.abc import Collection

from django import template
from django.utils.translation import get_language, gettext, ngettext

from vocab import text
from vocab.entries.fitness import LONGEST, Finding
from vocab.formats.rows import Row
from vocab.imports.forms import FIELD_NAMES, field_name
from vocab.imports.results import what_changed
from vocab.models import VocabularyList
from vocab.sentences import said

register = template.Library()
register.filter(said)
register.filter(field_name)
register.filter(what_changed)


@register.filter
def language_name(tag: str) -> str:
    """Return a language's name in the reader's language; for several, joined by commas."""
    shown_in = get_language() or "en"
    return ", ".join(text.language_name(one, shown_in) for one in tag.split(", ") if one)


@register.filter
def other_fields(row: Row, without_file: Collection[tuple[int, str]] = ()) -> str:
    """Return everything in a row except term and translations, in one line.

    *without_file* are the line and field of pictures and sounds of which there is only the name.
    """
    plain = [field for field, _label in FIELD_NAMES if field not in ("term", "translation", "id")]
    values = {name: getattr(row, name, None) for name in plain}
    parts = [
        f"{field_name(name)}: {', '.join(value) if isinstance(value, list) else value}"
        + (f" {_file_missing()}" if (row.line, name) in without_file else "")
        for name, value in values.items()
        if value and isinstance(value, str | list)
    ]
    return " · ".join([*parts, *(f"{name}: {value}" for name, value in row.extra.items())])


@register.simple_tag
def missing_file(row: Row, field: str, without_file: Collection[tuple[int, str]]) -> str:
    """Return a remark if there is only the name of the picture or sound in a row's field."""
    return _file_missing() if (row.line, field) in without_file else ""


def _file_missing() -> str:
    # Translators: follows the name of a picture or sound that a file for import lacks.
    return gettext("(file missing)")


@register.simple_tag
def letters(vocabulary_list: VocabularyList, row: Row) -> str:
    """Return the letters that would be in the grid for a row of a file."""
    played, *_others = vocabulary_list.forms_of(row.term, row.playing_form)
    return " ".join(vocabulary_list.tiles_of(played))


@register.filter
def said_of_fitness(finding: Finding) -> str:
    """Return why a term does not fit into a puzzle."""
    if finding.reason == "too long":
        text = ngettext(
            "%(count)s letter: too long for a grid of %(most)s",
            "%(count)s letters: too long for a grid of %(most)s",
            finding.letters,
        )
        return text % {"count": finding.letters, "most": LONGEST}
    if finding.reason == "too short":
        # Translators: why a word of a list cannot be in a puzzle; it stands after the word.
        text = ngettext("only %(count)s letter", "only %(count)s letters", finding.letters)
        return text % {"count": finding.letters}
    if finding.reason == "digits":
        # Translators: a remark on a word; it stands after its letters.
        return gettext("has a digit")
    if finding.reason == "contained":
        return gettext("is contained in “%(term)s”") % {"term": finding.other}
    return gettext("blocked word") if finding.reason == "blocked" else gettext("no letters")
