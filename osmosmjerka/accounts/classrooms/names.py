"""The given name and the surname in a student's name.

If surnames are to be shortened, no surname may stay in full by mistake: where it is not sure what
belongs to the given name, only its first word is taken. names.toml has frequent surnames.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import regex

# Words that are no name without the next one.
_WITH_NEXT = frozenset(("عبد", "أبو", "ابو", "أم", "ام", "بنت", "abd", "abdul", "abu", "umm"))
_SURNAMES = {
    name: words.split()
    for name, words in tomllib.loads(
        Path(__file__).with_suffix(".toml").read_text(encoding="utf-8")
    ).items()
}
_VIETNAMESE = frozenset(_SURNAMES["vietnamese"])
_HUNGARIAN = frozenset(_SURNAMES["hungarian"])
_ENDINGS = tuple(_SURNAMES["endings"])
_OF_TWO = frozenset(_SURNAMES["of_two"])
# The text that these read has single spaces only, lest they take the square of its length.
_NUMBERED = regex.compile(r"^\W*[0-9]{1,3}(?:[.)] ?| )(?=\D)")
# A number or a class.
_NO_NAME = regex.compile(r"^[\W\d]*$|^[0-9]{1,2}[.\-]? ?[^\W\d]$")
# A class behind a name, and a date or a year with what follows: “Ana Kos (rođ. 12. 3. 2013.)”.
_CLASS = regex.compile(r" [(\[]?[0-9]{1,2}[.\-]? ?[a-hA-H][)\]]?$")
_DATE = regex.compile(
    r"\b\d{1,4} ?[./\-] ?\d{1,2} ?[./\-] ?\d{1,4}|\b\d{1,2}\.? [^\W\d]{1,12}\.? \d{4}\b"
    r"|\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6}\.? \d{1,2}\b"
    r"|(?<!\d)\d{4}(?!\d)|\b\d{1,2}[./]\d{1,2}\.?(?!\d)",
    regex.IGNORECASE,
)
# “born” or “geb.” before a date, and a mark.
_BORN = regex.compile(
    r"(?:^|[ ,;:(\[*])(?:[^\W\d]{1,9}\.(?: ?[^\W\d]{1,3}\.)?|born|born on|dob|né le|née le)$",
    regex.IGNORECASE,
)
_MARKS = " \t,;:()[]*†–-"
_EAST_ASIAN = regex.compile(r"[\p{Han}\p{Hangul}\p{Hiragana}\p{Katakana}々ー]+")
_KANA = regex.compile(r"[\p{Hiragana}\p{Katakana}]")
_BRACKETS = regex.compile(r"[(\[（][^)\]）]*[)\]）]?")
_MOST_WORDS = 6
# More than any name, so that one which is too long is told.
_LONGEST = 2_500
_WORD = regex.compile(r"\p{L}")


@dataclass(frozen=True, slots=True)
class Name:
    """A name as it was written, with its given name and surname.

    Without *is_sure*, the surname cannot be told from the given name.
    """

    whole: str
    given: str
    family: str = ""
    is_sure: bool = True

    @property
    def shortened(self) -> str:
        """The given name and the first letter of the surname, “Ana H.”, if it is not all of it."""
        if not self.family or _EAST_ASIAN.match(self.family):
            return self.given
        words = self.family.split()
        main = next((word for word in words if word[0].isupper()), words[0])
        letter = _WORD.search(main)
        initial = "" if letter is None else letter[0] if len(self.family) == 1 else f"{letter[0]}."
        return f"{self.given} {initial}".strip()


def split(text: str, order: str = "", *, is_japanese: bool = False) -> Name:
    """Find the given name and the surname in a whole name: “Horvat, Ana”, “Ana HORVAT”.

    *order* is "given" or "family" if it is known which comes first.
    """
    text = " ".join(text.split())
    family, comma, given = text.partition(",")
    if comma and given.strip() and "," not in given:
        return Name(f"{given.strip()} {family.strip()}", given.strip(), family.strip())
    words = [w for w in _BRACKETS.sub(" ", text).replace("・", " ").split() if _WORD.search(w)]
    if not words:
        return Name(text, text)
    if len(words) == 1:
        return _undivided(text, words[0], is_japanese) if order != "given" else Name(text, text)
    capitals = [word for word in words if len(word) > 1 and word.isupper() and "." not in word]
    if 0 < len(capitals) < len(words):
        others = [word for word in words if word not in capitals]
        return Name(text, " ".join(others), " ".join(capitals))
    is_foreign = "・" in text  # in katakana, as it is spoken
    starts_with_family = (_EAST_ASIAN.fullmatch(words[0]) and not is_foreign) or words[
        0
    ].casefold() in _VIETNAMESE
    if order == "family" or (not order and starts_with_family):
        return Name(text, " ".join(words[1:]), words[0])
    given = words[0]
    if given.casefold() in _WITH_NEXT and len(words) > 2:
        given += " " + words[1]
    return Name(text, given, words[-1])


def name_in(cell: str) -> str:
    """Return the name in a cell, "" for a number, a class, a date or an address.

    Numbers before a name are removed, and addresses, classes and dates of birth behind it.
    """
    text = " ".join(cell[:_LONGEST].split())
    if _NO_NAME.search(text):
        return ""
    if "@" in text:
        words = text.replace("<", " <").replace("(", " (").split()
        text = " ".join(word for word in words if "@" not in word)
    text = _NUMBERED.sub("", text)
    if date := _DATE.search(text):
        text = _BORN.sub("", text[: date.start()].rstrip(_MARKS)).rstrip(_MARKS)
    text = _CLASS.sub("", text.strip(" ,;:")).strip()
    return "" if _NO_NAME.search(text) else text


def order_of(texts: Iterable[str]) -> str:
    """Return "family" if surnames seem to come first in these whole names, else "" (not known)."""
    first = last = 0
    for text in texts:
        words = text.casefold().split()
        if len(words) > 1 and "," not in text:
            first += _is_like_surname(words[0])
            last += _is_like_surname(words[-1])
    return "family" if first > last else ""


def _is_like_surname(word: str) -> bool:
    return word in _HUNGARIAN or word in _VIETNAMESE or (len(word) > 4 and word.endswith(_ENDINGS))


def shortenings(text: str) -> Iterator[str]:
    """Yield every short form of a whole name, whichever of its words are the surname."""
    words = text.split()[:_MOST_WORDS]
    yield split(text).shortened
    for place in range(1, len(words)):
        given, family = words[:place], words[place:]
        yield f"{' '.join(given)} {family[0][0]}."
        yield f"{' '.join(given)} {family[-1][0]}."
        yield f"{' '.join(family)} {given[0][0]}."


def _undivided(text: str, word: str, is_japanese: bool) -> Name:
    """Divide a name without a space; only Chinese and Korean surnames are sure enough."""
    if not _EAST_ASIAN.fullmatch(word) or len(word) < 2:
        return Name(text, text)
    if _KANA.search(word) or is_japanese:
        # A short name in kana is a given name.
        return Name(text, text, is_sure=len(word) < 6 and not regex.search(r"\p{Han}", word))
    length = 2 if word[:2] in _OF_TWO and len(word) > 2 else 1
    return Name(text, word[length:], word[:length], is_sure=len(word) - length < 3)
