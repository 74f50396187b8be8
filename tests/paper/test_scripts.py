"""Every language that is offered can be printed: its letters have shapes, and its words come out.

Words with marks from right to left are found without the marks; the structure has them whole.
"""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np
import pytest
import regex

from osmosmjerka.paper import lettering, pdf, typefaces
from osmosmjerka.paper.shapes import Page, Text
from tests.paper.reading import MARKS, picture_of, structure_of, texts_of
from vocab import samples
from vocab.text import KNOWN_LANGUAGES, OTHER_LANGUAGES, alphabet, direction, normal_form

SCRIPTS = {
    "am": "ሰላም ውሻ ትምህርት",
    "as": "অসমীয়া কুকুৰ",
    "bn": "বাংলা কুকুর বিদ্যালয়",
    "bo": "བོད་སྐད ཁྱི",
    "ckb": "کوردی سەگ قوتابخانە",
    "dv": "ދިވެހި ކުއްތާ",
    "gu": "ગુજરાતી કૂતરો",
    "ig": "akwụkwọ ọkụkọ",
    "km": "ខ្មែរ ឆ្កែ",
    "kn": "ಕನ್ನಡ ನಾಯಿ",
    "lo": "ພາສາລາວ ໝາ",
    "mi": "whānau kurī",
    "ml": "മലയാളം നായ",
    "mr": "मराठी कुत्रा",
    "my": "မြန်မာ ခွေး",
    "ne": "नेपाली कुकुर",
    "or": "ଓଡ଼ିଆ କୁକୁର",
    "pa": "ਪੰਜਾਬੀ ਕੁੱਤਾ",
    "ps": "پښتو سپی ښوونځی",
    "sd": "سنڌي ڪتو ٻار",
    "si": "සිංහල බල්ලා",
    "ta": "தமிழ் நாய் பள்ளி",
    "te": "తెలుగు కుక్క",
    "ti": "ትግርኛ ከልቢ",
    "ug": "ئۇيغۇرچە ئىت",
    "yo": "ọmọdé ilé ìwé",
    "yue": "廣東話 狗仔 返學",
    "fa": "می‌خواهم کتاب",
    "vi": "tiếng Việt con chó",
    "ar": "كِتَاب شَمْس بَيْت معلّم",
    "he": "שָׁלוֹם יֶלֶד בַּיִת",
    "yi": "ייִדיש הונט",
}


def sample_words():
    """{language: words} of the sample list."""
    path = Path(samples.__path__[0]) / "first-words.tsv"
    with path.open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file, delimiter="\t"))
    return {language: [row[language] for row in rows[:24]] for language in rows[0]}


SAMPLES = sample_words()
LANGUAGES = sorted({*KNOWN_LANGUAGES, *OTHER_LANGUAGES})


def words_of(language):
    words = [*SAMPLES.get(language, ()), *SCRIPTS.get(language, "").split()]
    return [normal_form(word) for word in words] or list(alphabet(language))


def page_of(words, language):
    """Return the words one below the other."""
    way = direction(language)
    anchor = "right" if way == "rtl" else "left"
    lines = [Text(100, 12 * (index + 1), word, 6, anchor, way) for index, word in enumerate(words)]
    return Page(200, 12 * (len(words) + 1), tuple(lines))


def letters_of(text):
    """Return what a search compares: no marks, joiners or spaces."""
    return regex.sub(r"[\p{M}\p{Cf}\s]", "", normal_form(text))


@pytest.mark.parametrize("language", LANGUAGES)
def test_words_of_each_language_are_printed_and_found_again(language):
    words = words_of(language)
    way = direction(language)

    data = pdf.draw([page_of(words, language)], title="Words", language=language)

    (taken,) = texts_of(data)
    for word in words:
        assert letters_of(word) in letters_of(taken)
        if way == "ltr":
            assert word in normal_form(taken)
    if way == "rtl":
        (document,) = structure_of(data)
        assert [element.text for element in document.kids] == words


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_letter_of_a_language_is_an_empty_box(language):
    """A font's shape 0 stands for what it does not have."""
    texts = [*words_of(language), *alphabet(language)]

    for text in texts:
        for run in lettering.runs(text, direction(language), language):
            assert run.font is not None, text
            assert 0 not in [glyph.number for glyph in run.glyphs], text


def test_languages_that_were_forgotten_above_have_latin_or_cyrillic_letters():
    """Every other one is tested with words or an alphabet of its own."""
    for language in set(OTHER_LANGUAGES) - set(SCRIPTS) - set(SAMPLES):
        assert regex.fullmatch(
            r"[\p{Latin}\p{Cyrillic}\p{Devanagari}ʻ']+", "".join(alphabet(language))
        )


def dark(text):
    """Return where a word is dark on its page."""
    page = Page(60, 30, (Text(50, 18, text, 14, "right", "rtl"),))
    return np.asarray(picture_of(pdf.draw([page], title="x"), scale=4)) < 128


@pytest.mark.parametrize("word", ["كِتَاب", "شَمْس", "بَيْت", "معلّم", "السَّلامُ عَلَيْكُم", "שָׁלוֹם", "יֶלֶד"])
def test_marks_leave_the_letters_below_as_they_are(word):
    without = MARKS.sub("", word)

    kept = dark(without) & dark(word)

    assert kept.sum() / dark(without).sum() > 0.97
    assert dark(word).sum() > dark(without).sum()


def test_letters_that_do_not_join_would_be_noticed():
    """The control: a joiner that keeps letters apart changes them."""
    apart = dark("ب\u200cي\u200cت")
    assert (apart & dark("بيت")).sum() / dark("بيت").sum() < 0.9


def test_what_keeps_letters_apart_within_a_persian_word_is_not_lost():
    with_joiner, without = (
        [glyph.number for run in lettering.runs(text, "rtl") for glyph in run.glyphs]
        for text in ("می\u200cخواهم", "میخواهم")
    )
    assert with_joiner != without


def test_chinese_characters_are_written_as_in_the_language_of_the_puzzle():
    page = Page(60, 30, (Text(10, 18, "骨直", 14),))
    drawn = {
        language: picture_of(pdf.draw([page], title="x", language=language)).tobytes()
        for language in ("ja", "zh", "zh-Hant", "zh-Hant-TW")
    }
    assert len({drawn["ja"], drawn["zh"], drawn["zh-Hant"]}) == 3
    assert drawn["zh-Hant"] == drawn["zh-Hant-TW"]


def test_a_folder_of_ones_own_brings_more_fonts(monkeypatch, tmp_path):
    """A program that is started with the variable finds what is in the folder."""
    monkeypatch.setenv("OSMOSMJERKA_PRINT_FONTS", str(tmp_path))
    thai = next(path for path in typefaces._FOLDER.glob("NotoSansThai*"))
    (tmp_path / "mine.ttf").write_bytes(thai.read_bytes())
    (tmp_path / "broken.otf").write_bytes(b"not a font")
    (tmp_path / "notes.txt").write_text("x", encoding="utf-8")

    found = [font.name for _, font in typefaces._installed.__wrapped__()]

    assert found[0] == "NotoSansThai-Regular"
