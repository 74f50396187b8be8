"""Sample lists: one table of everyday words, which makes a list for any two of its languages."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from django.utils.translation import get_language

from osmosmjerka.db.collation import sort_key
from vocab.formats import delimited
from vocab.formats.rows import Row
from vocab.text import language_name
from vocab.text.languages import primary

_TABLE = Path(__file__).resolve().parents[1] / "samples" / "first-words.tsv"


@dataclass(frozen=True, slots=True)
class Sample:
    """A list that can be copied."""

    language: str
    rows: Sequence[Row]


@cache
def sample_languages() -> tuple[str, ...]:
    """Return the languages of the table."""
    with _TABLE.open(encoding="utf-8") as table:
        return tuple(table.readline().split())


@cache
def sample_rows(language: str, translation_language: str) -> Sequence[Row]:
    """Return the words in one language, translated to another; raise ValueError for any other."""
    pair = {language: "term", translation_language: f"translation:{translation_language}"}
    if len(pair) < 2 or not pair.keys() <= set(sample_languages()):
        raise ValueError(f"No sample list for {language} and {translation_language}")
    columns = dict.fromkeys(sample_languages(), "ignore") | pair
    return delimited.parse(
        _TABLE.read_bytes(), delimiter="\t", has_header=True, columns=columns
    ).rows


def suggested_translation() -> str:
    """Return the reader's own language if the table has it, otherwise English."""
    own = primary(get_language() or "en")
    return own if own in sample_languages() else "en"


def samples_for(translation_language: str) -> list[Sample]:
    """Return the sample lists translated to one language, by their languages' names."""
    shown_in, key = get_language() or "en", sort_key()
    return [
        Sample(language, sample_rows(language, translation_language))
        for language in sorted(
            sample_languages(), key=lambda tag: key(language_name(tag, shown_in))
        )
        if language != translation_language
    ]
