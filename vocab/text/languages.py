"""Languages by their BCP-47 tags: canonical form, names, script, direction."""

from __future__ import annotations

from functools import lru_cache
from typing import Literal

import regex
from babel import Locale, UnknownLocaleError
from babel.core import get_global

Direction = Literal["ltr", "rtl"]

# RFC 5646, section 2.1, without the grandfathered tags.
_TAG = regex.compile(
    r"(?P<language>[a-z]{2,3})(?P<extended>(?:-[a-z]{3}){0,3})"
    r"(?:-(?P<script>[a-z]{4}))?"
    r"(?:-(?P<region>[a-z]{2}|\d{3}))?"
    r"(?P<rest>(?:-(?:[a-z0-9]{5,8}|\d[a-z0-9]{3}))*"
    r"(?:-[a-wyz0-9](?:-[a-z0-9]{2,8})+)*(?:-x(?:-[a-z0-9]{1,8})+)?)",
    regex.IGNORECASE,
)
# The same for programs in other languages: without names of groups, with both cases written out.
TAG_PATTERN = regex.sub(r"\?P<\w+>", "?:", _TAG.pattern)
for _letters, _both in {"a-z": "A-Za-z", "a-wyz": "A-WYZa-wyz", "-x(": "-[xX]("}.items():
    TAG_PATTERN = TAG_PATTERN.replace(_letters, _both)
_RIGHT_TO_LEFT = frozenset(
    ["Adlm", "Arab", "Hebr", "Mand", "Mend", "Nkoo", "Rohg", "Samr", "Syrc", "Thaa", "Yezi"]
)
# CLDR treats Montenegrin as Serbian and Tagalog as Filipino. Here they are separate languages, with
# the name and the letters that their students expect, in this script.
_SCRIPT_OF_OWN = {"cnr": "Latn", "tl": "Latn"}
# CLDR has no name for Montenegrin.
_OWN_NAMES = {
    "cnr": {
        "ar": "المونتينيغرية",
        "de": "Montenegrinisch",
        "en": "Montenegrin",
        "hr": "crnogorski",
        "pl": "czarnogórski",
    }
}
# Names of scripts after a language's name, if CLDR has only the form that is used alone.
_SCRIPTS_OF_LANGUAGES = {
    "de": {
        "Cyrl": "kyrillisch",
        "Hans": "vereinfacht",
        "Hant": "traditionell",
        "Latn": "lateinisch",
    },
    "hr": {"Hans": "pojednostavljeni", "Hant": "tradicionalni"},
    "pl": {
        "Arab": "alfabet arabski",
        "Hans": "uproszczony",
        "Hant": "tradycyjny",
        "Latn": "alfabet łaciński",
    },
}
# Tags that mean an unknown language, several, or none.
_NO_LANGUAGES = frozenset(["und", "mul", "zxx", "root"])
# Languages with two letters: i with a dot and ı without.
_WITH_DOTLESS_I = frozenset(["az", "crh", "gag", "tr", "tt"])


def primary(tag: str | None) -> str:
    """Return the lowercase language subtag of *tag*, "" if there is none; never raises."""
    return tag.replace("_", "-").partition("-")[0].strip().lower() if tag else ""


def has_dotless_i(tag: str | None) -> bool:
    """Return whether i and ı are two letters of the language (Turkish and its neighbours)."""
    return primary(tag) in _WITH_DOTLESS_I


@lru_cache(maxsize=1024)
def canonical_language(tag: str) -> str:
    """Return a BCP-47 tag in its canonical form: "HR_hr" is "hr-HR", "iw" is "he".

    An extended language is a language of its own: Cantonese, "zh-yue", is "yue" (RFC 5646, section
    4.5). If it has no name, it is left out: "ar-apc" is "ar".

    Raises ValueError, with a sentence for people, if *tag* is not a well-formed language tag.
    """
    match = _TAG.fullmatch(tag.strip().replace("_", "-"))
    if match is None:
        raise ValueError(
            f"“{tag}” is not a language tag. Write one such as hr, pt-BR or sr-Latn "
            "(language, then script or country where it matters)."
        )
    extended = (part for part in reversed(match["extended"].lower().split("-")) if part)
    named = (part for part in extended if _name(part, Locale("en")))
    language = next(named, match["language"].lower())
    if language not in _SCRIPT_OF_OWN:
        language = get_global("language_aliases").get(language, language)
    language, _, implied = language.partition("_")
    script = match["script"] or (implied if len(implied) == 4 else "")
    parts = [language, script.title(), (match["region"] or "").upper()]
    return "-".join(part for part in parts if part) + match["rest"].lower()


def is_known_language(tag: str) -> bool:
    """Return whether *tag* is well-formed and its language has a name."""
    try:
        language = primary(canonical_language(tag))
    except ValueError:
        return False
    return _name(language, Locale("en")) is not None and language not in _NO_LANGUAGES


def language_name(tag: str, in_language: str) -> str:
    """Return the language's name for people: ("sr-Latn", "en") gives "Serbian (Latin)".

    Falls back to English if CLDR has no names in *in_language*, and to the tag itself if the
    language has no name. Raises ValueError if *tag* is not a language tag.
    """
    tag = canonical_language(tag)
    names, english = _locale(in_language), Locale("en")
    match = _TAG.fullmatch(tag)
    assert match is not None  # noqa: S101 - a canonical tag matches
    name = _name(match["language"], names) or _name(match["language"], english)
    if not name:
        return tag
    script, region = match["script"], match["region"]
    details = [
        _SCRIPTS_OF_LANGUAGES.get(names.language, {}).get(script)
        or names.scripts.get(script)
        or english.scripts.get(script)
        or script
        if script
        else "",
        names.territories.get(region) or english.territories.get(region) or region
        if region
        else "",
    ]
    inside = ", ".join(detail for detail in details if detail)
    return f"{name} ({inside})" if inside else str(name)


def _name(language: str, names: Locale) -> str | None:
    own: str | None = _OWN_NAMES.get(language, {}).get(names.language)
    return own or names.languages.get(language)


def direction(language: str | None) -> Direction:
    """Return the direction in which the language is written; "ltr" if unknown."""
    return "rtl" if script_of(language) in _RIGHT_TO_LEFT else "ltr"


@lru_cache(maxsize=1024)
def script_of(language: str | None) -> str:
    """Return the ISO 15924 code of the script that the tag names or implies, "" if unknown."""
    if not language:
        return ""
    try:
        match = _TAG.fullmatch(canonical_language(language))
    except ValueError:
        return ""
    assert match is not None  # noqa: S101 - a canonical tag matches
    if match["script"]:
        return str(match["script"])
    likely = get_global("likely_subtags")
    regional = f"{match['language']}_{match['region']}"
    language = match["language"]
    full = likely.get(regional) or likely.get(language) or _SCRIPT_OF_OWN.get(language, "")
    return next((part for part in str(full).split("_") if len(part) == 4), "")


def _locale(tag: str) -> Locale:
    for candidate in (tag, primary(tag)):
        try:
            return Locale.parse(candidate.replace("_", "-"), sep="-")
        except (UnknownLocaleError, ValueError):
            continue
    return Locale("en")
