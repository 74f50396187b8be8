"""Recognise the plural that German word lists print after a noun: “der Apfel, Äpfel”. Pure.

It is told from a synonym, as in “das Auto, der Wagen”, by how German forms its plurals: an ending,
an umlaut, both, or neither; words from Latin and Greek change their own ending.
"""

from __future__ import annotations

import regex

_ENDINGS = ("", "e", "en", "er", "n", "s", "se", "nen", "ien")
_FOREIGN = {
    "a": ("en", "ata"),
    "as": ("anten",),
    "is": ("en",),
    "o": ("en", "i"),
    "on": ("en", "a"),
    "os": ("en",),
    "um": ("en", "a"),
    "us": ("en", "i"),
}
# In the last syllable that can have one: Haus, Häuser; Mutter, Mütter; Saal, Säle.
_UMLAUTS = (("au", "äu"), ("aa", "ä"), ("oo", "ö"), ("a", "ä"), ("o", "ö"), ("u", "ü"))
_VOWELS = regex.compile(r"[aeiouäöüy]+")
# A woman, though she has the ending of a plural.
_NO_PLURALS = {("cousin", "cousine")}
_NOUN = regex.compile(r"(?:(?P<article>der|die|das|eine?)\s+)?(?P<noun>\p{Lu}[\p{L}|·-]*)")
_PLURAL = regex.compile(r"(?:die\s+)?(?P<noun>\p{Lu}[\p{L}|·-]*)")


def is_plural(written: str, other: str) -> bool:
    """Return whether *other* is the plural of the noun *written*; both may have an article.

    “die” is the only article of a plural.
    """
    one, several = _NOUN.fullmatch(written), _PLURAL.fullmatch(other)
    if one is None or several is None:
        return False
    noun, plural = _plain(one["noun"]), _plain(several["noun"])
    if (noun, plural) in _NO_PLURALS:
        return False
    if any(plural == stem + ending for stem in (noun, _with_umlaut(noun)) for ending in _ENDINGS):
        return True
    return any(
        noun.endswith(ending) and plural == noun.removesuffix(ending) + new
        for ending, news in _FOREIGN.items()
        for new in news
    )


def _plain(noun: str) -> str:
    return noun.replace("|", "").replace("·", "").casefold()


def _with_umlaut(noun: str) -> str:
    """Return a noun with an umlaut in its last syllable with a, o or u."""
    for vowels in reversed(list(_VOWELS.finditer(noun))):
        for plain, umlaut in _UMLAUTS:
            if plain in vowels[0]:
                changed = vowels[0].replace(plain, umlaut, 1)
                return f"{noun[: vowels.start()]}{changed}{noun[vowels.end() :]}"
    return noun
