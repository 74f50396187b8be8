"""The languages to choose from: each once, by its own name, where a reader looks for it."""

from itertools import pairwise

import icu
import pytest
from django.conf import settings
from django.utils import translation

from vocab.lists.forms import language_choices
from vocab.text import alphabet, canonical_language, direction, is_known_language, language_name
from vocab.text.languages import script_of

READERS = sorted({*dict(settings.LANGUAGES), "de"})


def named(reader):
    """Return {tag: name} of the languages to choose from, in their order."""
    with translation.override(reader):
        [(nothing, _invitation), *languages] = language_choices()
    assert nothing == ""
    return dict(languages)


@pytest.mark.parametrize("reader", READERS)
def test_languages_are_sorted_as_icu_sorts_them_and_none_comes_twice(reader):
    names = [*named(reader).values()]
    compare = icu.Collator.createInstance(icu.Locale(reader)).compare
    assert len(names) > 70
    # Strictly: two equal names would compare as 0.
    wrong = [pair for pair in pairwise(names) if compare(*pair) >= 0]
    assert wrong == []
    assert len({name.casefold() for name in names}) == len(names)


@pytest.mark.parametrize("reader", ["hr", "pl"])
def test_code_points_would_sort_them_otherwise(reader):
    """The control."""
    names = [*named(reader).values()]
    assert sorted(names, key=str.casefold) != names


def test_croatian_and_polish_letters_have_their_places():
    croatian, polish = [*named("hr").values()], [*named("pl").values()]
    assert croatian[-1] == "zulu" and croatian[0] == "afrikaans"
    for names, before, after in (
        (croatian, "crnogorski", "češki"),
        (croatian, "grčki", "gruzijski"),
        (croatian, "mađarski", "makedonski"),
        (croatian, "španjolski", "talijanski"),
        (polish, "litewski", "luksemburski"),
        (polish, "luksemburski", "łaciński"),
        (polish, "słowacki", "szwedzki"),
    ):
        assert names.index(before) < names.index(after), (before, after)


@pytest.mark.parametrize(
    ("tag", "names"),
    [
        (
            "cnr",
            {
                "en": "Montenegrin",
                "hr": "crnogorski",
                "pl": "czarnogórski",
                "de": "Montenegrinisch",
                "ar": "المونتينيغرية",
                "xx": "Montenegrin",
            },
        ),
        ("cnr-Cyrl", {"hr": "crnogorski (ćirilica)"}),
        ("tl", {"en": "Tagalog", "hr": "tagalog", "pl": "tagalski"}),
        ("fil", {"en": "Filipino", "hr": "filipinski", "pl": "filipiński"}),
        ("sr-Latn", {"pl": "serbski (alfabet łaciński)", "de": "Serbisch (lateinisch)"}),
        ("zh-Hant", {"pl": "chiński (tradycyjny)", "hr": "kineski (tradicionalni)"}),
        ("zh-Hans", {"pl": "chiński (uproszczony)", "de": "Chinesisch (vereinfacht)"}),
    ],
)
def test_languages_have_the_names_that_their_readers_use(tag, names):
    assert {reader: language_name(tag, reader) for reader in names} == names


def test_montenegrin_and_tagalog_keep_their_tags_and_letters():
    """CLDR writes them as Serbian and Filipino: Montenegrin words got Serbia's Cyrillic keys."""
    assert (canonical_language("CNR"), canonical_language("tl")) == ("cnr", "tl")
    assert is_known_language("cnr") and is_known_language("tl-PH")
    assert script_of("cnr-ME") == "Latn" and direction("cnr") == "ltr"
    assert {"Ś", "Ź", "LJ"} < set(alphabet("cnr"))
    assert alphabet("cnr-Cyrl") == alphabet("sr")
