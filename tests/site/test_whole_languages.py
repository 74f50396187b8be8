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

from osmosmjerka.accounts.models import Classroom
from tests.site import pseudo
from tests.site.crawl import answers, questions
from tests.site.wording import retired_in

LANGUAGES = ("en", "hr", "pl", "de", "ar")


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


def faults(text: str, language: str, others: Iterable[str]) -> list[str]:
    """Return what of a text is in another language, and its retired words."""
    return [piece for piece in others if piece in text] + retired_in(text, language)


@pytest.mark.thorough
def test_no_text_of_the_whole_site_is_missing_in_the_catalogues(in_pseudo, house, other_house):
    data, known, wrong = pseudo.given(), set(), []
    Classroom.objects.update(card_language=pseudo.CODE)
    for question in questions(house, other_house):
        news = {*answers(question, pseudo.CODE)} - known
        known |= news
        untranslated = ((text, pseudo.untranslated(text, data)) for text in news)
        wrong += [f"{left} ← {text} ({question})" for text, left in untranslated if left]
    assert len(known) > 1000
    assert not wrong, "\n".join(wrong)


@pytest.mark.thorough
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_whole_site_speaks_one_language_at_a_time(language, house, other_house):
    """What a catalogue holds in the wrong language, which the pseudo-language does not find."""
    known, wrong = set(), []
    own = "\n".join(catalogue(language))
    others = set().union(*(pieces(catalogue(each)) for each in LANGUAGES if each != language))
    others = {piece for piece in others if piece not in own}
    Classroom.objects.update(card_language=language)
    for question in questions(house, other_house):
        for text in {*answers(question, language)} - known:
            known.add(text)
            if found := faults(text, language, others):
                wrong.append(f"{found} ← {text} ({question})")
    assert len(known) > 1000
    assert not wrong, "\n".join(wrong)


def test_the_control_finds_what_is_in_no_catalogue():
    ana, saved = re.compile("Ana"), pseudo.pseudo("Save %(name)s")
    assert pseudo.untranslated(saved % {"name": "Ana"}, ana) == ""
    assert pseudo.untranslated(saved % {"name": "the file of Ana"}, ana) == "the file of"
    assert pseudo.untranslated(f"{pseudo.pseudo('Word')}: Not translated") == "Not translated"


def test_the_control_finds_another_language_and_retired_words():
    assert faults("Skip to main content", "hr", pieces(catalogue("en")))
    assert faults("Erase the pupil", "en", ()) == ["Erase", "pupil"]
    assert faults("Skip to main content", "en", pieces(catalogue("hr"))) == []
