"""What a typed answer is worth: right, but for an accent, a letter off, or wrong."""

import pytest
from hypothesis import given, settings

from tests.vocab.text.strategies import EXAMPLES, languages, words
from vocab.text import compare


def verdicts(expected, typed, language, **options):
    return [step.verdict for step in compare(expected, typed, language=language, **options).diff]


@pytest.mark.parametrize(
    ("expected", "typed", "language"),
    [
        ("Haus", "haus", "de"),
        ("don't", "Dont", "en"),
        ("ice cream", "icecream", "en"),
        ("STRAẞE", "straße", "de"),
        ("Οδυσσέας", "ΟΔΥΣΣΈΑΣ", "el"),
        ("ışık", "IŞIK", "tr"),
        ("كِتَاب", "كتاب", "ar"),
        ("שָׁלוֹם", "שלום", "he"),
        ("за́мок", "замок", "ru"),
        ("ljubav", "ǉubav", "hr"),
        ("हिन्दी", "हिंदी", "hi"),
        ("हिंदी", "हिन्दी", "hi"),
        ("चंद्रमा", "चन्द्रमा", "hi"),
        ("गङ्गा", "गंगा", "ne"),
        ("घण्टा", "घंटा", "mr"),
        ("मुम्बई", "मुंबई", "mr"),
        ("θάλασσα", "ΘΑΛΑΣΣΑ", "el"),
        ("Μάιος", "ΜΑΪΟΣ", "el"),
        ("љубав", "ljubav", "sr"),
        ("ljubav", "љубав", "sr-Latn"),
        ("љубав", "lјubav", "sr"),  # Latin l, Cyrillic ј
        ("џеп", "džep", "bs"),
        ("hòa bình", "hoà bình", "vi"),
        ("thuỷ", "thủy", "vi"),
        ("khỏe", "khoẻ", "vi"),
        ("kỹ sư", "kĩ sư", "vi"),
        ("ශ්\u200dරී", "ශ්රී", "si"),
        ("ಕ್ಷಮೆ", "ಕ್\u200dಷಮೆ", "kn"),
        ("ที่นี่", "ท\u0e48\u0e35น\u0e48\u0e35", "th"),
        ("น้ำ", "น\u0e4d\u0e49า", "th"),
    ],
)
def test_case_signs_and_reading_marks_never_make_an_answer_wrong(expected, typed, language):
    result = compare(expected, typed, language=language, accents="strict")
    assert result.is_right and not result.is_accent_slip and not result.is_near_miss
    assert {step.verdict for step in result.diff} == {"right"}


@pytest.mark.parametrize(
    ("expected", "typed", "language"),
    [
        ("kućica", "kucica", "hr"),
        ("kućica", "kučica", "hr"),
        ("Đakovo", "Djakovo", "hr"),
        ("Straße", "Strasse", "de"),
        ("schön", "schoen", "de"),
        ("Καλημέρα", "Καλημερα", "el"),
        ("ёлка", "елка", "ru"),
        ("أحمد", "احمد", "ar"),
        ("ışık", "isik", "tr"),
        ("żółw", "zolw", "pl"),
        ("りんご1", "リンゴ1", "ja"),
        ("मेज़", "मेज", "hi"),
        ("चाँद", "चांद", "hi"),
        ("लड़का", "लडका", "hi"),
        ("col·legi", "collegi", "ca"),
        ("м'яч", "мяч", "uk"),
        ("l’eau", "leau", "fr"),
        ("zo'n", "zon", "nl"),
        ("l'acqua", "lacqua", "it"),
        ("år", "aar", "da"),
        ("コーヒー", "こーひー", "ja"),
        ("がっこう", "がつこう", "ja"),
        ("图书馆人", "圖書館人", "zh"),
        ("圖書館人", "图书馆人", "zh-Hant"),
    ],
)
@pytest.mark.parametrize(
    ("accents", "is_right", "is_slip"),
    [("strict", False, True), ("warn", True, True), ("ignore", True, False)],
)
def test_the_list_decides_what_an_accent_slip_is_worth(
    expected, typed, language, accents, is_right, is_slip
):
    result = compare(expected, typed, language=language, accents=accents)
    assert (result.is_right, result.is_accent_slip) == (is_right, is_slip)
    assert not result.is_near_miss
    assert {step.verdict for step in result.diff} == {"right", "accent"}


@pytest.mark.parametrize(
    ("expected", "typed", "language"),
    [
        ("año", "ano", "es"),
        ("caña", "cana", "es"),
        ("hör", "hor", "sv"),
        ("sää", "saa", "fi"),
        ("får", "far", "nb"),
        ("õlu", "olu", "et"),
    ],
)
def test_a_letter_of_its_own_is_no_other_one_with_an_accent(expected, typed, language):
    result = compare(expected, typed, language=language, accents="warn")
    assert not result.is_right and not result.is_accent_slip
    assert compare(expected, typed, language=language, accents="ignore").is_right
    assert compare(expected, typed, language="fr", accents="warn").is_right  # the control


@pytest.mark.parametrize(
    ("expected", "typed", "language"),
    [("ငါး", "င", "my"), ("ငါး", "ငါ", "my"), ("လ", "လာ", "my"), ("น้ำ", "นำ", "th")],
)
def test_vowels_and_tones_make_another_word(expected, typed, language):
    assert not compare(expected, typed, language=language, accents="ignore").is_right


@pytest.mark.parametrize("digraphs", [True, False])
def test_an_anusvara_is_no_other_nasal_and_no_doubled_one(digraphs):
    for expected, typed in [("अन्न", "अंन"), ("जन्म", "जंम"), ("हंस", "हन्स"), ("हिन्दी", "हिदी")]:
        assert not compare(expected, typed, language="hi", digraphs=digraphs).is_right


@pytest.mark.parametrize(
    ("expected", "typed", "language", "is_right"),
    [
        ("Ο", "ό", "el", True),  # a square of a crossword has capitals
        ("Ϊ", "ι", "el", False),
        ("り", "リ", "ja", False),
        ("图", "圖", "zh", False),
        ("น้ำ", "น\u0e4d\u0e49า", "th", True),
    ],
)
def test_a_single_square_is_judged_like_a_word(expected, typed, language, is_right):
    result = compare(expected, typed, language=language)
    assert result.is_right is is_right
    assert result.is_accent_slip is not is_right


def test_greek_in_small_letters_needs_its_accents():
    assert not compare("θάλασσα", "θαλασσα", language="el").is_right
    assert not compare("θάλασσα", "Θαλασσα", language="el").is_right


def test_a_consonant_in_its_own_square_is_typed_without_virama():
    assert compare("ब्", "ब", language="hi", digraphs=False).is_right
    assert compare("ब्", "ब्", language="hi", digraphs=False).is_right
    assert not compare("ब्", "भ", language="hi", digraphs=False).is_right
    assert not compare("ब्", "बा", language="hi", digraphs=False).is_right


def test_a_wrong_answer_is_marked_letter_by_letter():
    right, wrong, missing, extra = "right", "wrong", "missing", "extra"
    assert verdicts("kuća", "kuma", "hr") == [right, right, wrong, right]
    assert verdicts("kuća", "kua", "hr") == [right, right, missing, right]
    assert verdicts("kuća", "kuuća", "hr").count(extra) == 1
    assert verdicts("kuća", "kćua", "hr") == [right, wrong, wrong, right]
    assert verdicts("kuća", "", "hr") == [missing] * 4


def test_a_digraph_is_marked_as_one_letter():
    step = compare("ljubav", "lubav", language="hr").diff[0]
    assert (step.expected, step.typed, step.verdict) == ("lj", "l", "wrong")
    parted = compare("ljubav", "lubav", language="hr", digraphs=False).diff
    assert [step.verdict for step in parted[:2]] == ["right", "missing"]


@pytest.mark.parametrize(
    ("expected", "typed", "is_near"),
    [
        ("house", "hause", True),
        ("house", "hose", True),
        ("house", "housee", True),
        ("house", "huose", True),
        ("house", "horse", True),
        ("house", "mouth", False),
        ("house", "", False),
        ("to", "do", False),
        ("butterfly", "buterfli", True),
        ("butterfly", "flutterby", False),
    ],
)
def test_near_misses_are_a_letter_or_so_off(expected, typed, is_near):
    result = compare(expected, typed, language="en")
    assert not result.is_right
    assert result.is_near_miss is is_near


def test_a_page_pasted_as_an_answer_is_simply_wrong():
    result = compare("house", "house " * 20_000, language="en")
    assert not result.is_right and not result.is_near_miss
    assert [step.verdict for step in result.diff[:6]] == ["right"] * 5 + ["extra"]


def test_signs_are_compared_when_nothing_else_is_expected():
    assert compare("?!", " ?! ", language="en").is_right
    assert not compare("?!", "!", language="en").is_right
    assert not compare("?!", "a", language="en").is_right


def test_an_unknown_accent_rule_is_refused():
    with pytest.raises(ValueError, match="use strict, warn or ignore"):
        compare("a", "a", accents="sometimes")


@settings(max_examples=EXAMPLES, deadline=None)
@given(words, words, languages)
def test_a_diff_spells_both_answers(expected, typed, language):
    def spelling(steps, side):
        return "".join(getattr(step, side) for step in steps)

    result = compare(expected, typed, language=language)
    if result.diff:
        alone = compare(expected, expected, language=language).diff
        assert spelling(result.diff, "expected") == spelling(alone, "expected")
        alone = compare(typed, typed, language=language).diff
        assert spelling(result.diff, "typed") == spelling(alone, "typed")
    assert compare(expected, expected, language=language).is_right
    assert not (result.is_near_miss and (result.is_right or result.is_accent_slip))


@pytest.mark.parametrize(
    ("expected", "typed", "is_near"),
    [
        ("cat", "cut", True),
        ("cat", "dut", False),
        ("at", "it", False),
        ("elephant", "elefant", True),
    ],
)
def test_a_near_miss_is_one_letter_of_three_and_two_of_eight(expected, typed, is_near):
    comparison = compare(expected, typed, language="en")
    assert (comparison.is_right, comparison.is_near_miss) == (False, is_near)


def test_signs_alone_are_right_or_wrong_and_have_no_accents():
    for typed, is_right in (("?!", True), ("!?", False)):
        comparison = compare("?!", typed, language="en", accents="warn")
        assert (comparison.is_right, comparison.is_accent_slip) == (is_right, False)


@pytest.mark.parametrize(
    ("expected", "typed", "is_one_off"),
    [
        ("mačka", "maška", True),  # another letter
        ("mačka", "mčka", True),  # one is missing
        ("mačka", "mačkka", True),  # one too many
        ("mačka", "mčaka", True),  # two neighbours swapped
        ("ljubav", "jubav", True),  # a letter of two characters
        ("mačka", "mačka", False),
        ("mačka", "macka", False),  # that is an accent
        ("mačka", "mackka", False),  # and a letter beside
        ("mačka", "muška", False),
        ("butterfly", "buterfli", False),  # a near miss, by two
        ("as", "os", False),  # of so few letters, one makes another word
        ("mačka", "", False),
    ],
)
def test_one_letter_off_is_exactly_one(expected, typed, is_one_off):
    result = compare(expected, typed, language="hr")
    assert result.is_one_letter_off is is_one_off
    assert result.is_near_miss or not is_one_off


def test_accents_that_a_list_ignores_are_no_second_letter():
    assert compare("mačka", "mackka", language="hr", accents="ignore").is_one_letter_off
    assert not compare("mačka", "macka", language="hr", accents="ignore").is_one_letter_off
