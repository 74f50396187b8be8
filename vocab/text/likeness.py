"""Which of two languages texts are in, as their letters, articles and capitals suggest."""

from __future__ import annotations

import re
import tomllib
import unicodedata
from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from math import log, sqrt
from pathlib import Path
from statistics import mean, variance

from vocab.text.alphabets import alphabet
from vocab.text.cutting import writes_syllables
from vocab.text.frequencies import letter_weights
from vocab.text.languages import primary
from vocab.text.playing import articles_of

_WORD = re.compile(r"[^\W\d_]+")
# How likely a letter is that the table of a language lacks: one of its script, and any other.
_UNUSUAL, _SYLLABLE, _FOREIGN = 5e-4, 1e-2, 5e-5
# Pairs of letters overlap, so each says less than if it stood alone.
_PAIR = 0.7
# How much an article says, and that German writes nouns with capitals: logarithms of odds.
_ARTICLE = 3.0
_CAPITAL, _NO_CAPITAL = 1.5, -0.7
# What tells two languages from chance: the odds of the less certain column for each of its texts,
# and those odds times the distance of the columns in standard errors. Measured with alternate
# lines: 3 of 1322 lists of one language were taken for two (of 10 words, in English beside a
# Romance language); of 3, 6 and 10 words with translations, 68, 87 and 94 in a hundred were told.
_LEAST_A_TEXT, _LEAST, _STRICT = 0.5, 6.5, 3.0
# So many texts of each column are looked at.
_SAMPLE = 200


def order_of_languages(
    left: Sequence[str], right: Sequence[str], languages: Sequence[str], *, is_strict: bool = False
) -> Sequence[str]:
    """Return the languages of *left* and *right*, which are the first two of *languages*.

    The result is empty if the texts may all be in one language, or if less than two are known;
    with *is_strict* also where a few words might differ so by chance.
    """
    known = [tag for tag in languages[:2] if tag and tag != "und"]
    if len(known) < 2 or primary(known[0]) == primary(known[1]) or min(len(left), len(right)) < 2:
        return ()
    one, other = known
    first, second = (_leanings(texts[:_SAMPLE], one, other) for texts in (left, right))
    sums = sum(first), sum(second)
    weakest = min(abs(sums[0]), abs(sums[1]))
    if sums[0] * sums[1] >= 0 or weakest < _LEAST_A_TEXT * len(first):
        return ()
    error = sqrt(variance(first) / len(first) + variance(second) / len(second) + 0.5 / len(first))
    distance = abs(mean(first) - mean(second)) / error
    if weakest * distance < _LEAST or (is_strict and distance < _STRICT):
        return ()
    return (one, other) if sums[0] > 0 else (other, one)


def scripts_of(text: str) -> frozenset[str]:
    """Return the scripts of the letters in *text*, such as LATIN; Japanese kana count as CJK."""
    return frozenset(_script(letter) for letter in text if letter.isalpha()) - {"MODIFIER"}


@lru_cache(maxsize=4096)
def _script(letter: str) -> str:
    plain = unicodedata.normalize("NFKC", letter)[0]
    script = unicodedata.name(plain, "").replace("-", " ").partition(" ")[0]
    return "CJK" if script in ("HIRAGANA", "KATAKANA", "IDEOGRAPHIC") else script


def _leanings(texts: Sequence[str], one: str, other: str) -> list[float]:
    """Return by how much each text looks like *one* rather than *other*: logarithms of odds."""
    has_pairs = one in _pairs() and other in _pairs()
    likeness = _likeness_of_pairs if has_pairs else _likeness_of_letters
    return [
        likeness(text, one) - likeness(text, other) + _manner(text, one) - _manner(text, other)
        for text in texts
    ]


def _manner(text: str, language: str) -> float:
    article, rest = articles_of(text, language)
    result = _ARTICLE if article else 0.0
    if primary(language) == "de":
        result += _CAPITAL if rest[:1].isupper() else _NO_CAPITAL
    return result


def _likeness_of_pairs(text: str, language: str) -> float:
    pairs = _pairs()[language]
    rare = min(pairs.values()) / 3
    words = [f"_{word}_" for word in _WORD.findall(text.lower())]
    found = [word[at : at + 2] for word in words for at in range(len(word) - 1)]
    return _PAIR * sum(log(pairs.get(pair, rare)) for pair in found)


def _likeness_of_letters(text: str, language: str) -> float:
    weights, scripts = _letters(language)
    unusual = _UNUSUAL if weights else _SYLLABLE
    return sum(
        log(weights.get(letter, unusual if _script(letter) in scripts else _FOREIGN))
        for letter in text.upper()
        if letter.isalpha()
    )


@lru_cache(maxsize=64)
def _letters(language: str) -> tuple[Mapping[str, float], frozenset[str]]:
    """Return the shares of a language's letters, none if it has too many, and its scripts."""
    letters = alphabet(language)
    scripts = scripts_of("".join(letters))
    if writes_syllables(letters):
        return {}, scripts
    return letter_weights(language) or dict.fromkeys(letters, 1 / len(letters)), scripts


@cache
def _pairs() -> dict[str, dict[str, float]]:
    file = Path(__file__).with_name("letter_pairs.toml")
    tables = tomllib.loads(file.read_text(encoding="utf-8"))["pairs"]
    return {
        language: {pair[:2]: float(pair[2:]) / 10_000 for pair in table.split()}
        for language, table in tables.items()
    }
