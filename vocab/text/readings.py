"""How Japanese words are read: kana in brackets after kanji, in any brackets.

Textbooks write 食べる（たべる）, with the whole reading at the end; Anki's furigana are 話[はな]す,
with that of each run of kanji after it.
"""

from __future__ import annotations

import regex

_KANA = r"[\p{Hiragana}\p{Katakana}ー・･゠\s]+"
_BRACKETED = rf"[(\[{{（［｛【〔〈《「『｢〖](?P<kana>{_KANA})[)\]}}）］｝】〕〉》」』｣〗]"
_AT_END = regex.compile(rf"(?P<word>[^(（\[［]*\p{{Han}}[^(（\[［]*?)\s*{_BRACKETED}")
_FURIGANA = regex.compile(rf"[ \u3000]?(?P<kanji>[\p{{Han}}々〆ヶヵ]+)\s?{_BRACKETED}")
_HAN = regex.compile(r"\p{Han}")
_LEADING_KANA = regex.compile(r"[\p{Hiragana}\p{Katakana}ー]*")


def without_readings(term: str) -> str:
    """Return *term* without the readings in brackets after its kanji."""
    if found := _AT_END.fullmatch(term):
        term = found["word"]
    return _FURIGANA.sub(r"\g<kanji>", term)


def reading_of(term: str) -> str:
    """Return how *term* is read by the kana in brackets after its kanji, or "" if none say so."""
    each = _FURIGANA.sub(r"\g<kana>", term)
    whole = _AT_END.fullmatch(term)
    if whole and (
        _HAN.search(each) or whole["kana"].startswith(_leading_kana(whole["word"]) or "\0")
    ):
        each = whole["kana"]
    if each == term or _HAN.search(each):
        return ""
    return "".join(each.split())


def _leading_kana(word: str) -> str:
    found = _LEADING_KANA.match(word)
    return found[0] if found else ""
