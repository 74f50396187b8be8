"""Recognise a column that says how words are read: pinyin, kana beside kanji, phonetic script."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Sequence

import regex

# Shares of a column's cells. A few words have no tone, and a few are written in kana only.
_MOST = 0.8
_SOME = 0.25

_HAN = regex.compile(r"\p{Han}")
# Syllables of Latin letters with the four tones of pinyin as accents, decomposed, or as numbers.
_PINYIN = regex.compile(r"(?:[a-zü](?:\u0308?[\u0300\u0301\u0304\u030c]|\u0308)?[1-5]?|[\s'’·-])+")
# Accents that translations hardly ever have.
_TONE = regex.compile(r"[\u0304\u030c]|[a-z][1-5](?![0-9])")
_ANY_TONE = regex.compile(r"[\u0300\u0301\u0304\u030c]|[a-z][1-5](?![0-9])")
_KANA = regex.compile(r"[\p{Hiragana}\p{Katakana}ー・\s]+")
_PHONETIC = regex.compile(r"/[^/]+/|\[[^\]]+\]")
# The same behind a word: with a letter or sign that hardly any language is written with.
_SIGN = "[\u0250-\u02af\u02c8\u02cc\u02d0θβæðŋœ]"
PHONETIC = rf"(?:\[[^\[\]]{{0,40}}{_SIGN}[^\[\]]{{0,40}}\]|/[^/]{{0,40}}{_SIGN}[^/]{{0,40}}/)"
_PHONETIC_BEHIND = re.compile(rf"(.*\w)\s*({PHONETIC})")
_LONGEST_WITH_PHONETICS = 200
_BESIDE = regex.compile(r"[\p{Hiragana}\p{Katakana}\p{Bopomofo}\p{Hangul}ー・ˊˇˋ˙\s]+")
# Anki's furigana: “ 話[はな]す”, with a space where the first sign with a reading begins.
_FURIGANA = regex.compile(r"[ \u3000]?(?<![^\s\[\]])([^\s\[\]]+)\[([^\[\]]+)\]")


def is_reading(text: str, word: str) -> bool:
    """Return whether *text* says how *word* is read."""
    if _PHONETIC.fullmatch(text):
        return True
    return _HAN.search(word) is not None and (
        _BESIDE.fullmatch(text) is not None or _is_pinyin(text)
    )


def _is_pinyin(text: str) -> bool:
    plain = unicodedata.normalize("NFD", text.lower())
    return _PINYIN.fullmatch(plain) is not None and _ANY_TONE.search(plain) is not None


def without_furigana(word: str) -> tuple[str, str]:
    """Return a word without the readings in brackets behind its signs, and the whole reading.

    Other texts in brackets, such as `猫[noun]`, stay.
    """
    if "[" not in word:
        return word, ""
    found = _FURIGANA.findall(word)
    if not found or not all(_HAN.search(signs) for signs, _ in found):
        return word, ""
    readings = [reading for _, reading in found]
    if not all(map(_BESIDE.fullmatch, readings)) and not _is_pinyin("".join(readings)):
        return word, ""
    return _FURIGANA.sub(r"\1", word).strip(), _FURIGANA.sub(r"\2", word).strip()


def without_phonetics(word: str) -> tuple[str, str]:
    """Return a word without the phonetic script behind it, and that script with its brackets."""
    if word[-1:] not in ("]", "/") or len(word) > _LONGEST_WITH_PHONETICS:
        return word, ""
    found = _PHONETIC_BEHIND.fullmatch(word)
    return (found[1], found[2]) if found else (word, "")


def place_of_readings(records: Sequence[tuple[int, Sequence[str]]], width: int) -> int | None:
    """Return the place of the column with the readings of another one; None if there is none.

    *records* are pairs of line and cells, in *width* columns without names. Where all words are in
    kana, nothing is a reading.
    """
    filled = [
        [cell for _, cells in records if place < len(cells) and (cell := cells[place].strip())]
        for place in range(width)
    ]
    has_han = [_share(column, _HAN.search) >= _SOME for column in filled]
    for place, column in enumerate(filled):
        if len(column) < _MOST * len(records) or not column:
            continue
        if all(map(_PHONETIC.fullmatch, column)):
            return place
        if has_han[place] or not any(has_han):
            continue
        plain = [unicodedata.normalize("NFD", cell.lower()) for cell in column]
        if all(map(_PINYIN.fullmatch, plain)) and _share(plain, _TONE.search) >= _SOME:
            return place
        if all(map(_KANA.fullmatch, column)):
            return place
    return None


def _share(cells: Sequence[str], is_such: Callable[[str], object]) -> float:
    return sum(bool(is_such(cell)) for cell in cells) / max(1, len(cells))
