"""A pseudo-language: every text of the product and of its libraries, with accents and longer.

Plain letters on a page in it are a text that no catalogue holds. Its code is Esperanto's, for which
the product has no catalogue, so that Django and Babel know its plural rule.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from pathlib import Path

import django
import pytest
import rest_framework
from babel.messages.catalog import Catalog
from babel.messages.mofile import read_mo, write_mo
from babel.messages.pofile import read_po
from django.apps import apps
from django.conf import settings as django_settings
from django.conf.locale import LANG_INFO
from django.db.models import CharField, TextField
from django.utils import translation
from django.utils.translation import get_language_info, trans_real

from osmosmjerka.accounts import codes
from osmosmjerka.accounts.models import AuditEntry
from osmosmjerka.i18n import code_pages
from osmosmjerka.jobs.models import Job
from puzzles.goals.services import OFFERED
from tests.conftest import ANIMALS
from tests.site.catalogues import forget_translations
from vocab.lists.forms import language_choices
from vocab.lists.samples import sample_languages, sample_rows
from vocab.models import Entry

CODE = "eo"
OPENING, CLOSING = "«", "»"  # the fonts of print have them
# What must stay: placeholders, tags, entities, the directives of `date` formats.
_FIXED = re.compile(r"%%|%(?:\(\w+\))?[a-zA-Z]|\{\w*\}|</?\w[^>]*>|&\w+;|\n")
_ACCENTED = str.maketrans("aceghinorsuyzACEGHINORSUYZ", "áčéǧȟíñóŕšúýžÁČÉǦȞÍÑÓŔŠÚÝŽ")
_LONGER = 0.4


def pseudo(text: str) -> str:
    """Return *text* accented, 40 % longer and in brackets; placeholders and tags stay.

    >>> pseudo("Save %(name)s")
    '«Šávé %(name)s~~~~»'
    """
    letters = sum(map(str.isalpha, _FIXED.sub("", text)))
    accented, after = "", 0
    for fixed in _FIXED.finditer(text):
        accented += text[after : fixed.start()].translate(_ACCENTED) + fixed[0]
        after = fixed.end()
    accented += text[after:].translate(_ACCENTED)
    body, line_end = (accented[:-1], "\n") if accented.endswith("\n") else (accented, "")
    start = "\n" if body.startswith("\n") else ""  # gettext wants both to begin and end alike
    longer = "~" * max(1, round(letters * _LONGER))
    return f"{start}{OPENING}{body.removeprefix(chr(10))}{longer}{CLOSING}{line_end}"


def sources(domain: str) -> Iterator[Catalog]:
    """Yield the catalogues whose texts it has: ours, Django's and REST framework's."""
    with (django_settings.BASE_DIR / f"locale/hr/LC_MESSAGES/{domain}.po").open("rb") as ours:
        yield read_po(ours)
    if domain == "djangojs":
        return
    for path in Path(django.__file__).parent.glob("**/locale/en/LC_MESSAGES/django.po"):
        with path.open("rb") as file:
            yield read_po(file)
    # REST framework comes compiled; its English catalogue is empty, the German one is not.
    path = Path(rest_framework.__file__).parent / "locale/de/LC_MESSAGES/django.mo"
    with path.open("rb") as file:
        yield read_mo(file)


def write_catalogues(folder: Path) -> None:
    """Compile the pseudo-language below *folder*, to be one of LOCALE_PATHS."""
    target = folder / CODE / "LC_MESSAGES"
    target.mkdir(parents=True)
    for domain in ("django", "djangojs"):
        whole = Catalog(locale=CODE, domain=domain)
        for message in itertools.chain.from_iterable(sources(domain)):
            if isinstance(message.id, str):
                whole.add(message.id, message.id and pseudo(message.id), context=message.context)
            else:
                forms = tuple(map(pseudo, message.id))
                whole.add(message.id, forms, context=message.context)
        with (target / f"{domain}.mo").open("wb") as compiled:
            write_mo(compiled, whole)


# Names that are the same in every language, and letters of two characters.
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
    *("lj", "LJ", "NJ"),
    *("GET", "PUT", "PATCH", "POST", "DELETE"),
    *(
        "DOCX",
        "UTC",
        "ipuz",
        "apkg",
        "WAV",
        "MP",
        "Ogg",
        "FLAC",
        "MB",
        "QR",
        "API",
        "UTF",
        "BCP",
        "PIN",
        "GPL",
    ),
}


@pytest.fixture
def in_pseudo(tmp_path_factory, settings, monkeypatch):
    """A site that also speaks the pseudo-language."""
    folder = tmp_path_factory.mktemp("pseudo")
    write_catalogues(folder)
    settings.LOCALE_PATHS = [folder, *django_settings.LOCALE_PATHS]
    settings.LANGUAGES = [*django_settings.LANGUAGES, (CODE, "Pseudo")]
    monkeypatch.setitem(LANG_INFO, CODE, {**LANG_INFO["eo"], "name_local": "Pseudo"})
    forget_catalogues()
    yield
    forget_catalogues()


def forget_catalogues():
    forget_translations()
    trans_real.get_languages.cache_clear()
    trans_real._get_supported_language_variant.cache_clear()


def given() -> re.Pattern[str]:
    """Return a pattern of what people gave or were given, and of the names of languages.

    These are data, which is of no language of the interface.
    """
    found = {*OFFERED, *ANIMALS, *ANIMALS.values(), *codes.WORDS_IN["en"]}
    found |= {get_language_info(code)["name_local"] for code, _name in django_settings.LANGUAGES}
    for model in apps.get_models():
        if model in {Job, AuditEntry}:
            continue  # their texts are the product's own
        for field in model._meta.fields:
            if isinstance(field, CharField | TextField) and not field.choices:
                found |= set(model.objects.values_list(field.name, flat=True))
    for language in sample_languages():
        other = "en" if language != "en" else "de"
        found |= {row.term for row in sample_rows(language, other)}
    found |= {"New", "next", "new-person", "pas", "dog", "rakun", "x"}  # in the table's bodies
    found |= {tag for tags in Entry.objects.values_list("tags", flat=True) for tag in tags}
    with translation.override(CODE):
        found |= {str(name) for tag, name in language_choices() if tag}
        found |= {label for _page, label in code_pages.choices(CODE)}
    longest_first = sorted(map(re.escape, filter(None, found)), key=len, reverse=True)
    return re.compile(rf"(?<!\w)(?:{'|'.join(longest_first)})(?!\w)")


_INNERMOST = re.compile(rf"{OPENING}[^{OPENING}{CLOSING}]*{CLOSING}")
_WORD = re.compile(r"[^\W\d_]{2,}")
# Addresses, codes of classes and games, the tiles of a word, kinds of files, the date's "of".
_MADE = re.compile(
    rf"\w+://[^\s{CLOSING}]+|testserver[^\s{CLOSING}]*|\b[A-Z0-9]{{6}}(?:[A-Z0-9]{{2}})?\b"
    r"|^\w{1,3}(?: \w{1,3})*$|\w+-\w+-\d{4}|\.\w{3,4}\b|\d-a de\b"
    r"|application/json|multipart/form-data; boundary=\w+|\w+\.invalid\b"
)


def _plain_words(translated: re.Match[str]) -> str:
    """Return the words of a translated text that have no accent: those that fill its gaps."""
    words = _WORD.findall(translated[0])
    return f" {' '.join(word for word in words if word.isascii())} "


def untranslated(text: str, data: re.Pattern[str] | None = None) -> str:
    """Return what of a text in the pseudo-language is neither translated nor data.

    >>> untranslated("«Šávé~» Take out")
    'Take out'
    >>> untranslated("«Ňót šávéd: no room~~»")
    'no room'
    """
    text = _MADE.sub(" ", " ".join(text.replace("\u200b", " ").split()))
    text = data.sub(" ", text) if data else text
    while _INNERMOST.search(text):
        text = _INNERMOST.sub(_plain_words, text)
    return " ".join(word for word in _WORD.findall(text) if word not in NAMES)
