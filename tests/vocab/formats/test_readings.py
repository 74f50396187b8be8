"""Readings without a column name are recognised: pinyin, kana, phonetic script."""

import pytest

from vocab.formats import delimited

READINGS = {
    "pinyin": "你好\tnǐ hǎo\thello\n谢谢\txièxie\tthank you\n爸爸\tbàba\tdad\n女\tnǚ\twoman",
    "pinyin with numbers": "你好\tni3 hao3\thello\n谢谢\txie4 xie5\tthank you\n爸爸\tba4 ba5\tdad",
    "kana": "食べる\tたべる\tto eat\n猫\tねこ\tcat\nパン\tパン\tbread",
    "phonetic": "enough\t/ɪˈnʌf/\tdosta\nthough\t/ðəʊ/\tiako\ncough\t/kɒf/\tkašalj",
    "reading last": "你好;hello;nǐ hǎo\n谢谢;thank you;xièxie\n爸爸;dad;bàba",
}


@pytest.mark.parametrize("text", READINGS.values(), ids=READINGS)
def test_a_reading_is_no_translation(text):
    parsed = delimited.parse(text)
    first = parsed.rows[0]
    assert first.pronunciation in text.splitlines()[0]
    assert first.pronunciation not in [*first.translations.get("", []), first.term]
    assert first.term == text[: len(first.term)]
    assert sum(len(texts) for texts in first.translations.values()) == 1


@pytest.mark.parametrize(
    "text",
    [
        "你好\thello\thallo\n谢谢\tthank you\tdanke\n爸爸\tdad\tPapa",  # two languages
        "ねこ\tcat\tmačka\nいぬ\tdog\tpas",  # no kanji
        "žena\twoman\tmačka\nmáma\tmum\tmama",  # accents, but no Chinese
        "你好\tnǐ hǎo\n谢谢\txièxie",  # nothing else to be a translation
    ],
)
def test_other_columns_are_no_readings(text):
    assert all(not row.pronunciation for row in delimited.parse(text).rows)
