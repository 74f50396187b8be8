"""The words after numbers in Arabic and Croatian have the form that the numbers demand.

Arabic: 3–10 take the plural, 11–99 the accusative singular, 100 and more the genitive singular.
1 and 2 are said by the noun itself, so no number stands beside them.
Croatian: 1, 21, 31 … take the singular, 2–4 the genitive singular, 5 and more the genitive plural.
After a preposition with the genitive, 1, 21, 31 … take the genitive too.
"""

import re

import pytest

from tests.site.catalogues import DOMAINS, catalogue

_GAP = r"(?:%\(\w+\)s|%d|\{\w+\})"
# Python counts the vowel signs of Arabic as no part of a word.
_WORD = r"[\w\u064b-\u0652]+"
# A gap before “one column” is a label: “in line {line} one column”.
_BEFORE_A_WORD = re.compile(rf"(?:(\w+) )?{_GAP}(?:</?\w+>)? (?=({_WORD})\b)(?!{_WORD} واحدة?\b)")
# Python demands a %d in every form.
_IN_BRACKETS = re.compile(rf"\((?!%d){_GAP}\)")

# After 3–10, after 11–99, after 100 and more.
ARABIC = [
    ("كلمات", "كلمة", "كلمة"), ("طلاب", "طالبًا", "طالب"), ("إجابات", "إجابة", "إجابة"),
    ("واجبات", "واجبًا", "واجب"), ("أيام", "يومًا", "يوم"), ("دقائق", "دقيقة", "دقيقة"),
    ("ثوانٍ", "ثانية", "ثانية"), ("أحرف", "حرفًا", "حرف"), ("أسطر", "سطرًا", "سطر"),
    ("سطور", "سطرًا", "سطر"), ("ألغاز", "لغزًا", "لغز"), ("مرات", "مرة", "مرة"),
    ("محاولات", "محاولة", "محاولة"), ("أسماء", "اسمًا", "اسم"), ("ملفات", "ملفًا", "ملف"),
    ("أعمدة", "عمودًا", "عمود"), ("وسوم", "وسمًا", "وسم"), ("بطاقات", "بطاقة", "بطاقة"),
    ("مراجعات", "مراجعة", "مراجعة"), ("طلبات", "طلبًا", "طلب"), ("رموز", "رمزًا", "رمز"),
]  # fmt: skip
# A noun of these that is the first half of a compound has no accusative: “11 day of rest”.
_COMPOUNDS = ("يوم تدريب", "يوم راحة", "ملف وسائط", "لغز كلمات", "حرف تحتاج")

# The nominative and accusative singular, the genitive singular and the genitive plural.
CROATIAN = [
    ("dan dan", "dana", "dana"), ("riječ riječ", "riječi", "riječi"),
    ("učenik učenika", "učenika", "učenika"), ("zadatak zadatak", "zadatka", "zadataka"),
    ("minuta minutu", "minute", "minuta"), ("sekunda sekundu", "sekunde", "sekundi"),
    ("znak znak", "znaka", "znakova"), ("redak redak", "retka", "redaka"),
    ("slovo slovo", "slova", "slova"), ("odgovor odgovor", "odgovora", "odgovora"),
    ("pokušaj pokušaj", "pokušaja", "pokušaja"), ("zagonetka zagonetku", "zagonetke", "zagonetki"),
    ("poruka poruku", "poruke", "poruka"), ("oznaka oznaku", "oznake", "oznaka"),
    ("stupac stupac", "stupca", "stupaca"), ("zahtjev zahtjev", "zahtjeva", "zahtjeva"),
    ("kartica karticu", "kartice", "kartica"), ("bajt bajt", "bajta", "bajtova"),
]  # fmt: skip
_WITH_GENITIVE = {"od", "do", "prije", "nakon", "bez", "iz"}
_WITH_ANOTHER_CASE = {"s", "u", "o"}


def arabic_faults(forms):
    """Yield what is wrong in the six *forms* of a sentence."""
    singulars = {noun for row in ARABIC for noun in row[1:]}
    for text in forms[1:3]:
        if _IN_BRACKETS.search(text):
            yield f"the number is said twice: {text}"
        if any(noun in singulars for _before, noun in _BEFORE_A_WORD.findall(text)):
            yield f"1 and 2 are said by the noun alone: {text}"
    for form, text in enumerate(forms[3:]):
        for found in _BEFORE_A_WORD.finditer(text):
            allowed = {row[form] for row in ARABIC if found[2] in row}
            compound = text.startswith(_COMPOUNDS, found.start(2))
            if allowed and found[2] not in allowed and not compound:
                yield f"{found[2]}: {text}"


def croatian_faults(forms):
    """Yield what is wrong in the three *forms* of a sentence."""
    for form, text in enumerate(forms):
        for before, noun in _BEFORE_A_WORD.findall(text):
            rows = [row for row in CROATIAN if noun in " ".join(row).split()]
            if before in _WITH_ANOTHER_CASE:
                continue
            asked = 1 if form == 0 and before in _WITH_GENITIVE else form
            if rows and not any(noun in row[asked].split() for row in rows):
                yield f"{noun}: {text}"


FAULTS = {"ar": arabic_faults, "hr": croatian_faults}


@pytest.mark.parametrize("domain", DOMAINS)
@pytest.mark.parametrize("language", FAULTS)
def test_the_word_after_a_number_has_its_form(language, domain):
    plurals = [message for message in catalogue(language, domain) if message.pluralizable]
    assert len(plurals) > 5
    found = [fault for message in plurals for fault in FAULTS[language](message.string)]
    assert found == []


@pytest.mark.parametrize("domain", DOMAINS)
def test_a_noun_that_is_in_no_table_changes_after_ten_too(domain):
    """In Arabic no noun has one form for 3–10 and for 11–99."""
    alike = []
    for message in catalogue("ar", domain):
        if message.pluralizable:
            few, many = (_BEFORE_A_WORD.findall(text) for text in message.string[3:5])
            alike += [m[1] for f, m in zip(few, many, strict=False) if f[1] == m[1]]
    # Verbs, prepositions and the like, which the number does not govern, or another number does.
    assert {*alike} <= {
        "من", "آخرون", "ينتظرون", "يلعبون", "بمساعدة", "بتلميح", "هو", "بيانات", "مجددًا", "هرتز",
        "على", "عند", "غيرها", "و",
    }  # fmt: skip


_GOOD = {
    "ar": [
        "لا كلمات",
        "كلمة واحدة",
        "كلمتان",
        "%(count)s كلمات",
        "%(count)s كلمة",
        "%(count)s كلمة",
    ],
    "hr": ["%(count)s riječ", "%(count)s riječi", "%(count)s riječi"],
}


@pytest.mark.parametrize(
    ("language", "form", "text"),
    [
        ("ar", 3, "%(count)s كلمة"),
        ("ar", 3, "وُجدت 2 من %(count)s طالب"),
        ("ar", 1, "كلمة واحدة (%(count)s)"),
        ("ar", 2, "%(count)s كلمة"),
        ("ar", 4, "%(count)s طالب"),
        ("ar", 5, "%(count)s يومًا"),
        ("hr", 0, "više od %(count)s dan"),
        ("hr", 0, "%(count)s riječi"),
        ("hr", 1, "%(count)s zadataka"),
        ("hr", 2, "%(count)s minute"),
    ],
)
def test_the_control_finds_a_wrong_form(language, form, text):
    forms = list(_GOOD[language])
    assert [*FAULTS[language](forms)] == []
    forms[form] = text
    assert [*FAULTS[language](forms)]
