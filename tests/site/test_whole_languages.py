"""The whole site read in each language: nothing of another language, no retired word.

A pseudo-language, which has a text of its own for every text of the catalogues, finds what no
catalogue holds. The real languages are looked through for sentences of each other.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

import pytest
from babel.messages.pofile import read_po
from django.apps import apps
from django.conf import settings as project
from django.conf.locale import LANG_INFO
from django.db.models import CharField, TextField
from django.utils import translation
from django.utils.translation import get_language_info, trans_real

from osmosmjerka.accounts import codes
from osmosmjerka.accounts.models import AuditEntry
from osmosmjerka.jobs.models import Job
from puzzles.goals.services import OFFERED
from tests.conftest import ANIMALS
from tests.site import pseudo
from tests.site.crawl import crawl
from tests.site.wording import retired_in
from vocab.lists.forms import language_choices
from vocab.models import Entry

LANGUAGES = ("en", "hr", "pl", "de", "ar")

# Names that are the same in every language.
NAMES = {
    *("Osmosmjerka", "Anki", "Quizlet", "Kolibri", "OneRoster", "Excel", "LibreOffice", "Google"),
    *("Translate", "eSpeak", "NG", "gTTS", "Moodle", "Exolve", "OpenAPI", "JavaScript", "xAPI"),
    *(
        "CSV",
        "TSV",
        "XLSX",
        "PDF",
        "SVG",
        "PNG",
        "JPEG",
        "GIF",
        "WebP",
        "JSON",
        "TXT",
        "ZIP",
        "HTML",
    ),
    *("ipuz", "apkg", "WAV", "MP", "Ogg", "FLAC", "MB", "QR", "API", "UTF", "BCP", "PIN", "GPL"),
}


@pytest.fixture
def in_pseudo(tmp_path_factory, settings, monkeypatch):
    """A site that also speaks the pseudo-language."""
    folder = tmp_path_factory.mktemp("pseudo")
    pseudo.write_catalogues(folder)
    settings.LOCALE_PATHS = [folder, *project.LOCALE_PATHS]
    settings.LANGUAGES = [*project.LANGUAGES, (pseudo.CODE, "Pseudo")]
    monkeypatch.setitem(LANG_INFO, pseudo.CODE, {**LANG_INFO["eo"], "name_local": "Pseudo"})
    forget_catalogues()
    yield
    forget_catalogues()


def forget_catalogues():
    trans_real._translations.clear()
    trans_real.get_languages.cache_clear()
    trans_real._get_supported_language_variant.cache_clear()


def given() -> list[str]:
    """Return what people gave or were given: data, which is of no language of the interface."""
    found = {*OFFERED, *ANIMALS, *ANIMALS.values(), *codes.WORDS_IN["en"]}
    found |= {get_language_info(code)["name_local"] for code, _name in project.LANGUAGES}
    for model in apps.get_models():
        if model in {Job, AuditEntry}:
            continue  # their texts are the product's own
        for field in model._meta.fields:
            if isinstance(field, CharField | TextField) and not field.choices:
                found |= set(model.objects.values_list(field.name, flat=True))
    found |= {"New", "next", "new-person", "pas", "dog", "rakun", "x"}  # in the table's bodies
    found |= {tag for tags in Entry.objects.values_list("tags", flat=True) for tag in tags}
    return [text for text in found if text]


_INNERMOST = re.compile(rf"{pseudo.OPENING}[^{pseudo.OPENING}{pseudo.CLOSING}]*{pseudo.CLOSING}")
_WORD = re.compile(r"[^\W\d_]{2,}")
# Addresses, codes of classes and puzzles, and the tiles of a word.
_MADE = re.compile(r"\w+://\S+|testserver\S*|\b[A-Z0-9]{8}\b|^\w{1,3}( \w{1,3})+$|\w+-\w+-\d{4}")


def untranslated(text: str, data: re.Pattern[str] | None = None) -> str:
    """Return what of a text in the pseudo-language is neither translated nor data.

    >>> untranslated("⟦Šávé~⟧ Take out")
    'Take out'
    """
    while _INNERMOST.search(text):
        text = _INNERMOST.sub("", text)
    text = _MADE.sub(" ", text)
    text = data.sub(" ", text) if data else text
    return " ".join(word for word in _WORD.findall(text) if word not in NAMES)


def test_every_text_on_the_site_comes_from_a_catalogue(in_pseudo, house, other_house):
    data, found = given(), {}
    with translation.override(pseudo.CODE):
        data += [str(name) for tag, name in language_choices() if tag]
    longest_first = sorted(map(re.escape, data), key=len, reverse=True)
    are_data = re.compile(rf"(?<!\w)(?:{'|'.join(longest_first)})(?!\w)")
    for read in crawl(house, other_house, pseudo.CODE):
        if left := untranslated(read.text, are_data):
            found.setdefault(left, f"{read.text[:120]} ({read.where})")
    assert not found, "\n".join(f"{left} ← {where}" for left, where in sorted(found.items()))


def catalogue(language: str) -> list[str]:
    """Return all sentences of a language; in English those of the sources."""
    found = []
    for domain in ("django", "djangojs"):
        path = project.BASE_DIR / f"locale/{'hr' if language == 'en' else language}/LC_MESSAGES"
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
    assert untranslated(pseudo.pseudo("Save %(name)s") % {"name": "Ana"}) == ""
    assert untranslated(f"{pseudo.pseudo('Word')}: Not translated") == "Not translated"
