"""The whole site read in each language: nothing of another language, no retired word.

A pseudo-language, which has a text of its own for every text of the catalogues, finds what no
catalogue holds. The real languages are looked through for sentences of each other.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

import pytest
from babel import Locale
from babel.messages.pofile import read_po
from django.conf import settings as project
from django.conf.locale import LANG_INFO
from django.utils.translation import trans_real

from puzzles.goals.services import OFFERED
from tests.accounts.conftest import house, other_house  # noqa: F401
from tests.conftest import ANIMALS
from tests.site import pseudo
from tests.site.crawl import Read, crawl
from tests.site.wording import retired_in

LANGUAGES = ("en", "hr", "pl", "de", "ar")

# Names that are the same in every language.
NAMES = """
Osmosmjerka Anki AnkiWeb Quizlet Kolibri OneRoster Excel LibreOffice CSV XLSX XLS PDF SVG PNG JSON
ipuz apkg tsv txt xAPI JPEG GIF WebP MB WAV MP3 Ogg FLAC Google Translate eSpeak NG gTTS QR ZIP HTML API
UTF BCP PIN Shift Enter Home End Space Tab Esc Moodle Exolve GPL OpenAPI JavaScript OK
Hrvatski Polski English Deutsch العربية
""".split()


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


def given(school) -> list[str]:
    """Return what people of a school gave or were given: data, of no language of the interface."""
    people = [value for value in vars(school).values() if hasattr(value, "username")]
    found = [school.secret, school.school.name, *OFFERED, *ANIMALS, *ANIMALS.values()]
    for person in people:
        found += [person.username, person.display_name, person.email]
    return [text for text in found if text]


def without_data(text: str, data: Iterable[str]) -> str:
    for each in data:
        text = text.replace(each, " ")
    return text


_INNERMOST = re.compile(rf"{pseudo.OPENING}[^{pseudo.OPENING}{pseudo.CLOSING}]*{pseudo.CLOSING}")
_WORD = re.compile(r"[^\W\d_]{2,}")


def untranslated(text: str) -> str:
    """Return what of a text in the pseudo-language lies outside of every translated part.

    >>> untranslated("⟦Šávé~⟧ Take out")
    'Take out'
    """
    while _INNERMOST.search(text):
        text = _INNERMOST.sub("", text)
    words = [word for word in _WORD.findall(text) if word not in NAMES]
    return " ".join(words)


def test_every_text_on_the_site_comes_from_a_catalogue(in_pseudo, house, other_house):
    data = sorted({*given(house), *given(other_house)}, key=len, reverse=True)
    named = Locale("eo").languages.values()
    found: dict[str, str] = {}
    for read in crawl(house, other_house, pseudo.CODE):
        if is_data(read):
            continue
        left = untranslated(without_data(read.text, [*data, *named]))
        if left:
            found.setdefault(left, f"{read.text[:120]} ({read.where})")
    assert not found, "\n".join(f"{left} ← {where}" for left, where in sorted(found.items()))


def is_data(read: Read) -> bool:
    """Whether a text is one word or number of a list, a puzzle, a code, or an address."""
    return False


def catalogue(language: str) -> list[str]:
    """Return all sentences of a language: the texts of the sources in English, else translations."""
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
