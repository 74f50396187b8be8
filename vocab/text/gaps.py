"""Replace a term in a sentence with a gap."""

from __future__ import annotations

import regex

from vocab.text.normal import match_key, normal_form, search_key

GAP = "____"
_WORD = regex.compile(r"[\p{L}\p{M}\p{N}]+")


def with_gap(sentence: str, term: str, language: str | None = None) -> str:
    """Return *sentence* with a gap for every *term* in it, or "" if that would be useless.

    It is useless if the exact term does not occur, or if the rest still reveals it: another form of
    it, or a longer word that contains it.
    """
    sentence, wanted = normal_form(sentence), _WORD.findall(match_key(term, language))
    words = list(_WORD.finditer(sentence))
    keys = [match_key(word.group(), language) for word in words]
    size, at, end = len(wanted), 0, 0
    parts: list[str] = []
    while size and at + size <= len(keys):
        if keys[at : at + size] == wanted:
            parts += [sentence[end : words[at].start()], GAP]
            end = words[at + size - 1].end()
            at += size
        else:
            at += 1
    if not parts:
        return ""
    gapped = "".join([*parts, sentence[end:]])
    return "" if _tells(gapped, term) else gapped


def without_term(text: str, term: str, language: str | None = None) -> str:
    """Return *text* as a clue for *term*, with gaps where it occurs; "" if it reveals the term."""
    text = normal_form(text)
    return with_gap(text, term, language) if _tells(text, term) else text


def _tells(gapped: str, term: str) -> bool:
    """Return whether a word of *gapped* contains the longest word of *term* or starts like it."""
    longest = max(search_key(term).split(), key=len, default="")
    stem = longest[: max(3, len(longest) - 2)]
    return any(
        longest in word or (len(longest) > 3 and word.startswith(stem))
        for word in search_key(gapped).split()
    )
