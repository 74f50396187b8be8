"""Column names in many languages: the field, and the language, that a header means."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Collection, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from unicodedata import normalize

from vocab import text_fields
from vocab.formats.quiz import is_quiz
from vocab.text import KNOWN_LANGUAGES
from vocab.text.languages import primary

# headers.toml has the names by field and language, with underscores for spaces.
_TABLES = tomllib.loads(Path(__file__).with_name("headers.toml").read_text(encoding="utf-8"))
_NAMES: dict[str, str] = {
    field: " ".join(by_language.values()) for field, by_language in _TABLES["fields"].items()
}
# What a column without a known name is not, wherever it stands: the words.
_COUNTED = frozenset(_TABLES["counted"]["all"].split())
# What people call some languages, beside the names in language_names.json.
_ALSO_CALLED: dict[str, str] = _TABLES["languages"]

# A field's name with its language; a longer text is no name, and is slow to match.
_LONGEST_HEADER = 120
_LONGEST_LANGUAGE = 60
_WORD_GAP = re.compile(r"[\s_.\-]+")
_NUMBER = re.compile(r"_\d+$")
_LANGUAGE = re.compile(r"(.+?)[\s_]*[\s_(\[]\s*([A-Za-z]{2,3}(?:[-_][A-Za-z0-9]{2,8})*)\s*[)\]]?")
_BRACKETS = re.compile(r"\s*[(\[（]([^()\[\]（）]*)[)\]）]\s*")
# The word “language” beside a language's name.
_SUCH_A_WORD = frozenset(
    ("language", "jezik", "język", "jazyk", "sprache", "langue", "lingua", "мова", "язык", "език")
)


def _key(header: str) -> str:
    """Return a header without case, accents' spelling, and differences in its gaps."""
    return _WORD_GAP.sub("_", normalize("NFC", header).strip().casefold()).strip("_:*")


# Our own exports head each column with the name of its field.
ALIASES = {name: name for name in text_fields.NAMES} | {
    _key(alias): field for field, aliases in _NAMES.items() for alias in aliases.split()
}


def field_of(header: str) -> str | None:
    """Return the field that a header names, in any case and by its aliases, or None.

    `Translation (de)`, `translation_de`, `translation:de`, `German translation` and `German` are
    all `translation:de`; `translation 2` is one more column of translations.
    """
    if len(header) > _LONGEST_HEADER:
        return None
    name = _key(header)
    if field := ALIASES.get(name):
        return field
    if ALIASES.get(_NUMBER.sub("", name)) == "translation":
        return "translation"
    before, colon, tag = header.partition(":")
    if colon and tag.strip():
        return f"translation:{tag.strip()}" if _is_translation(before) else None
    if (match := _LANGUAGE.fullmatch(header.strip())) and _is_translation(match[1]):
        return f"translation:{match[2]}"
    if len(name) > _LONGEST_LANGUAGE or name.isdigit():
        return None
    named, language = _field_and_language(header)
    if named and named != "translation":
        return named
    return f"translation:{language}" if language else None


def _is_translation(name: str) -> bool:
    return ALIASES.get(_key(name)) == "translation"


def _field_and_language(header: str) -> tuple[str, str]:
    """Return the field and the language of `German word`, `Wort (Deutsch)` or `German`."""
    names = _names_of_languages()
    if language := names.get(_key(header)):
        return "", language
    if match := _BRACKETS.search(header):
        outside = _key(header[: match.start()] + " " + header[match.end() :])
        field, inside = ALIASES.get(outside, ""), names.get(_key(match[1]), "")
        if inside and field:
            return field, inside
        # As in `Deutsch (Singular)` or `English (US)`.
        return field, names.get(outside, "")
    words = [_without_ending(word, names) for word in _key(header).split("_")]
    for place in range(1, len(words)):
        one, other = "_".join(words[:place]), "_".join(words[place:])
        for spoken, rest in ((one, other), (other, one)):
            if language := names.get(spoken):
                if rest in _SUCH_A_WORD:
                    return "", language
                if rest in ALIASES:
                    return ALIASES[rest], language
    return "", ""


def _without_ending(word: str, names: Mapping[str, str]) -> str:
    """Return the German name of a language in an adjective: `deutsch` in `deutsches`."""
    return word[:-2] if word.endswith("es") and word[:-2] in names else word


def spoken_in(header: str, *, codes: bool = False) -> str:
    """Return the language that a header names, as `German word` does; with *codes* also `de`."""
    if len(header) > _LONGEST_LANGUAGE:
        return ""
    if language := _field_and_language(header)[1]:
        return language
    code = header.strip().replace("_", "-").casefold().partition("-")[0]
    return code if codes and code in _known() else ""


def is_counted(header: str) -> bool:
    """Return whether a header names numbers of rows, levels or lessons, which are no words."""
    name = _key(header)
    return name in _COUNTED or _NUMBER.sub("", name) in _COUNTED


@lru_cache(maxsize=1)
def _known() -> Collection[str]:
    return frozenset(tag.partition("-")[0] for tag in KNOWN_LANGUAGES)


@lru_cache(maxsize=1)
def _names_of_languages() -> Mapping[str, str]:
    """Return the languages that lists can be in, by their names in many languages.

    language_names.json has the names of Unicode's CLDR, which take a quarter of a second to read
    from Babel's locales.
    """
    names = json.loads(Path(__file__).with_name("language_names.json").read_bytes())
    found: dict[str, str] = {}
    for by_language in (_ALSO_CALLED, names):
        for language, called in by_language.items():
            for name in called.split():
                found.setdefault(_key(name), language)
    return found


def fields_of(cells: Sequence[str]) -> set[str]:
    """Return the distinct fields that a first line would name."""
    return {field.partition(":")[0] for cell in cells if (field := field_of(cell))}


def looks_like_header(cells: Sequence[str], languages: Sequence[str] = ()) -> bool:
    """Return whether a first line names columns.

    It does if it names the words and another field, or two languages, or a language and a field,
    or is only the name of the words. *languages* are those of the list, whose codes are then names.
    """
    texts = [cell for cell in cells if cell.strip()]
    if not texts or any(len(text) > _LONGEST_HEADER for text in texts):
        return False
    own = {primary(tag) for tag in languages}
    fields, spoken = set(), set()
    for text in texts:
        # A code is also a word, so it counts only if it is that of the list.
        language = spoken_in(text)
        code = "" if language else spoken_in(text, codes=True)
        if language or code in own:
            spoken.add(language or code)
        if (field := field_of(text)) and not (language and field == f"translation:{language}"):
            fields.add(field.partition(":")[0])
    if "term" in fields and (len(fields | spoken) > 1 or len(cells) == 1):
        return True
    return len(spoken) > 1 or bool(spoken and "translation" in fields) or is_quiz(cells)
