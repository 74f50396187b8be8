"""The whole site read in each language: nothing of another language, no retired word.

A pseudo-language, which has a text of its own for every text of the catalogues, finds what no
catalogue holds. The real languages are looked through for sentences of each other.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

import pytest
from babel.messages.pofile import read_po
from django.conf import settings

from tests.site import pseudo
from tests.site.crawl import crawl
from tests.site.wording import retired_in

LANGUAGES = ("en", "hr", "pl", "de", "ar")


def test_every_text_on_the_site_comes_from_a_catalogue(in_pseudo, house, other_house):
    data, found = pseudo.given(), {}
    for read in crawl(house, other_house, pseudo.CODE):
        if left := pseudo.untranslated(read.text, data):
            found.setdefault(left, f"{read.text[:120]} ({read.where})")
    assert not found, "\n".join(f"{left} ← {where}" for left, where in sorted(found.items()))


def catalogue(language: str) -> list[str]:
    """Return all sentences of a language; in English those of the sources."""
    found = []
    for domain in ("django", "djangojs"):
        path = settings.BASE_DIR / f"locale/{'hr' if language == 'en' else language}/LC_MESSAGES"
        with (path / f"{domain}.po").open("rb") as file:
            for message in read_po(file):
                texts = message.id if language == "en" else message.string
                found += [texts] if isinstance(texts, str) else list(texts)
    return [" ".join(text.split()) for text in found if text]


_GAP = re.compile(r"%\(\w+\)[sd]|%%|\{\w*\}|<[^>]+>")


def pieces(sentences: Iterable[str]) -> set[str]:
    """Return the longest part of each sentence between its placeholders, if it has three words."""
    longest = (max(_GAP.split(text), key=len).strip() for text in sentences)
    return {piece for piece in longest if piece.count(" ") >= 2 and len(piece) >= 12}


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_text_is_in_another_language_and_no_word_is_retired(language, house, other_house):
    own = "\n".join(catalogue(language))
    others = set().union(*(pieces(catalogue(each)) for each in LANGUAGES if each != language))
    others = {piece for piece in others if piece not in own}
    foreign, retired, seen = {}, {}, set()
    for read in crawl(house, other_house, language):
        if read.text in seen:
            continue
        seen.add(read.text)
        found = [piece for piece in others if piece in read.text]
        if found:
            foreign[read.text] = f"{found} ({read.where})"
        if words := retired_in(read.text, language):
            retired[read.text] = f"{words} ({read.where})"
    assert len(seen) > 1000
    assert not foreign, "\n".join(f"{text} ← {where}" for text, where in foreign.items())
    assert not retired, "\n".join(f"{text} ← {where}" for text, where in retired.items())


def test_the_control_finds_what_is_in_no_catalogue():
    assert pseudo.untranslated(pseudo.pseudo("Save %(name)s") % {"name": "Ana"}) == ""
    assert pseudo.untranslated(f"{pseudo.pseudo('Word')}: Not translated") == "Not translated"
