"""A normal form for texts that look the same, and keys for matching and searching."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING
from unicodedata import normalize

import regex

from vocab.text.languages import has_dotless_i

if TYPE_CHECKING:
    import icu

# Scripts whose letters join, or stack through a virama: there the two joiners are part of the
# spelling.
CURSIVE = r"\p{Arab}\p{Syrc}\p{Mong}\p{Nkoo}\p{Mand}\p{Adlm}\p{Rohg}"
_STACKING = (
    r"\p{Deva}\p{Beng}\p{Guru}\p{Gujr}\p{Orya}\p{Taml}\p{Telu}\p{Knda}\p{Mlym}\p{Sinh}"
    r"\p{Khmr}\p{Mymr}\p{Tibt}\p{Java}\p{Bali}"
)
_JOINING = f"[{CURSIVE}{_STACKING}]"

# Controls, format characters, lone surrogates and fillers: invisible, but often pasted. Kept at
# this point are joiners (handled below), the tags of flags, and Arabic number signs.
_INVISIBLE = regex.compile(
    r"[[\p{Cc}\p{Cf}\p{Cs}\u034F\u115F\u1160\u17B4\u17B5\u3164\uFFA0]"
    r"--[\u200C\u200D\u0600-\u0605\u06DD\u070F\u0890\u0891\u08E2\U000E0020-\U000E007F]]+",
    regex.V1,
)
_JOINERS = regex.compile(r"([\u200C\u200D])[\u200C\u200D]*")
# Limited, because nobody puts nine marks on a letter, and a thousand would take quadratic time.
MARKS = r"\p{M}{0,8}"
# A non-joiner matters between two such letters; a joiner also at the end of a word (older
# Malayalam) and inside an emoji.
_IDLE_JOINER = regex.compile(
    rf"(?<!{_JOINING}{MARKS})\u200C|\u200C(?!{_JOINING})"
    rf"|(?<!{_JOINING}{MARKS})"
    r"(?<!\p{Extended_Pictographic}[\uFE0F\p{Emoji_Modifier}]{0,8})\u200D"
    r"|(?<=[\p{Extended_Pictographic}\uFE0F\p{Emoji_Modifier}])\u200D"
    r"(?!\p{Extended_Pictographic})"
)

# What keyboards and word processors use for the same apostrophe, hyphen or quotation mark.
TYPOGRAPHY = str.maketrans(
    {"’": "'", "‘": "'", "ʼ": "'", "`": "'", "´": "'", "‐": "-", "‑": "-"}
    | dict.fromkeys("“”„«»", '"')
)

# Letters that readers who ignore accents take for others, though Unicode does not decompose them.
_PLAIN_LETTERS = str.maketrans(
    {"đ": "d", "ð": "d", "ł": "l", "ø": "o", "ħ": "h", "ŧ": "t", "ı": "i", "ŋ": "n"}
    | {"ß": "ss", "æ": "ae", "œ": "oe", "þ": "th"}
    | {"ى": "ي", "ی": "ي", "ک": "ك", "ة": "ه", "ٱ": "ا", "ـ": None}
    | dict(zip("ךםןףץ", "כמנפצ", strict=True))
    | {"\u200c": None, "\u200d": None, "׳": "'", "״": '"'}
    # The nukta, which print often lacks, and candrabindu, for which it often has the anusvara.
    | {"\u093c": None, "\u0a3c": None, "\u0abc": None, "ँ": "ं", "ઁ": "ં"}
    | {chr(katakana): chr(katakana - 0x60) for katakana in range(0x30A1, 0x30F7)}
)
_HAN = regex.compile(r"\p{Han}")
# ङ् before क ख ग घ, ञ् before च छ ज झ, and so on, after a letter that can bear the anusvara.
_CLASS_NASAL = regex.compile(
    r"(?<=[\u0904-\u0939\u093C\u093E-\u094C\u0958-\u0961\u0972-\u097F])"
    r"(?:ङ्(?=[क-घ])|ञ्(?=[च-झ])|ण्(?=[ट-ढ])|न्(?=[त-ध])|म्(?=[प-भ]))"
)
# Accents, tone marks and vowel points; not the vowel signs of Indic and Thai script, nor the marks
# that make й, ї, ў, ѓ, ќ separate letters.
_ACCENTS = regex.compile(
    r"[[\p{Inherited}\p{Arab}\p{Hebr}\p{Syrc}]&&\p{Mn}--[\u3099\u309A\u0653-\u0655]]"
    r"(?<![иу]\u0306|і\u0308|[гк]\u0301)"
    r"|(?<=[اوي])[\u0653-\u0655]",
    regex.V1,
)


def normal_form(text: str) -> str:
    """Return *text* in NFC, on one line with single spaces, without invisible characters.

    Accents, case and punctuation stay. Zero-width joiners and non-joiners stay where they are part
    of the spelling (Persian می‌خواهم, Sinhala ශ්‍රී) and inside emoji.
    """
    text = " ".join(text.split())
    if text.isascii() and text.isprintable():
        return text
    text = _INVISIBLE.sub("", normalize("NFC", text))
    if "\u200c" in text or "\u200d" in text:
        text = _IDLE_JOINER.sub("", _JOINERS.sub(r"\1", text))
    # Again, because a removed character may have separated a letter and its accent, or two spaces.
    return " ".join(normalize("NFC", text).split())


def fold_case(text: str, language: str | None = None) -> str:
    """Return *text* without differences of case, with ß distinct from ss, in NFC."""
    if has_dotless_i(language):
        text = text.replace("İ", "i").replace("I", "ı")
    folded = normalize("NFD", text.replace("ẞ", "ß")).split("ß")
    return normalize("NFC", "ß".join(part.casefold() for part in folded))


def lowercase(text: str, language: str | None = None) -> str:
    """Return *text* in small letters, for reading: ß stays, and Turkish I is ı.

    A Greek sigma is final at the end of a word, and ordinary if it stands alone as in a grid.
    """
    text = normalize("NFC", text)
    if has_dotless_i(language):
        text = text.replace("İ", "i").replace("I", "ı")
    return normalize("NFC", text.lower())


def match_key(text: str, language: str | None = None) -> str:
    """Return the key by which two terms of a list are the same: ignores case and typography.

    Accents count: "resume" and "résumé" are two terms, and so are "Masse" and "Maße". *language*
    only matters if it has both i and ı (Turkish, Azerbaijani).
    """
    return normal_form(fold_case(normal_form(text), language).translate(TYPOGRAPHY))


def search_key(text: str) -> str:
    """Return the key to search by: ignores case, accents, vowel points and joiners.

    "Łódź" is found by "lodz", "أحمد" by "احمد", "ёлка" by "елка", हिन्दी by हिंदी, ネコ by ねこ, 學
    by 学; й and и stay two letters, and the vowel signs of Indic and Thai script stay.
    """
    decomposed = normalize("NFKD", match_key(text)).casefold()
    plain = _ACCENTS.sub("", with_anusvara(decomposed).translate(_PLAIN_LETTERS))
    if _HAN.search(plain):
        plain = str(_traditional_to_simplified().transliterate(plain))
    return " ".join(normalize("NFC", plain).split())


def with_anusvara(text: str) -> str:
    """Return *text* with the anusvara for each nasal before a consonant of its own class."""
    return _CLASS_NASAL.sub("ं", text)


@lru_cache(maxsize=1)
def _traditional_to_simplified() -> icu.Transliterator:
    """Return ICU's table of characters, which is made from the variants in Unicode's Unihan."""
    import icu  # large, and needed for Chinese characters only

    return icu.Transliterator.createInstance("Traditional-Simplified")
