"""Text of unknown encoding: Unicode if it is, else in the code page that makes words of it. Pure.

Nearly all bytes are letters in each of the old code pages, so a page is a guess, which people must
be told of. code_pages.toml says which pages and letters a language has.
"""

from __future__ import annotations

import codecs
import re
import tomllib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from unicodedata import category, normalize

import regex
from babel import Locale

_GROUPS: dict[str, dict[str, str]] = tomllib.loads(
    Path(__file__).with_suffix(".toml").read_text(encoding="utf-8")
)
_PAGES = {group: table.pop("pages").split() for group, table in _GROUPS.items()}
PAGES = tuple(dict.fromkeys(page for pages in _PAGES.values() for page in pages))
ENCODINGS = ("utf-8", "utf-16", *PAGES)
"""What can be chosen, by Python's names."""

# What Windows writes under the names of these standards has more characters (WHATWG Encoding).
_CODECS = {"shift_jis": "cp932", "euc-kr": "cp949", "big5": "cp950"}
_ALSO_CALLED = {
    "ascii": "cp1252",
    "gb2312": "gb18030",
    "gbk": "gb18030",
    "cp932": "shift_jis",
    "cp949": "euc-kr",
    "cp950": "big5",
    "big5hkscs": "big5",
    "tis-620": "cp874",
    "iso8859-11": "cp874",
    "utf-8-sig": "utf-8",
}
_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
# How many bytes are looked at from the first letter that is not English, and how many are judged.
_SEARCHED, _JUDGED = 200_000, 20_000


class DecodingError(ValueError):
    """The encoding is not known, and *line* is 0, or it cannot read this *line*."""

    def __init__(self, encoding: str, line: int = 0) -> None:
        super().__init__(encoding, line)
        self.encoding, self.line = encoding, line


@dataclass(frozen=True, slots=True)
class Decoded:
    """A text without its byte-order mark, its encoding, and whether that was guessed."""

    text: str
    encoding: str
    is_guess: bool = False

    @property
    def example(self) -> str:
        """Return the first words with other letters than English ones, to be looked at."""
        words = re.finditer(r"[^\W\d_]{1,30}", self.text)
        found = dict.fromkeys(word[0] for word in words if not word[0].isascii())
        return ", ".join(list(found)[:3])


def decode(data: bytes, languages: Iterable[str] = (), encoding: str | None = None) -> Decoded:
    """Decode a text; without an *encoding*, it is guessed.

    *languages* are the tags of those in which it probably is. Raises `DecodingError`.
    """
    if encoding:
        name = canonical(encoding)
        if name is None:
            raise DecodingError(encoding)
    else:
        name = _unicode(data)
    is_guess = name is None
    page = name or guess_page(data, languages)
    codec = _CODECS.get(page, page)
    if page == "utf-16" and not data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        # In most texts more high bytes than low bytes are zero.
        codec = "utf-16-be" if data[0::2].count(0) > data[1::2].count(0) else "utf-16-le"
    try:
        text = data.decode(codec)
    except UnicodeDecodeError as error:
        before = data[: error.start].decode(codec, "replace")
        line = before.count("\n") + 1 if "\n" in before else before.count("\r") + 1
        raise DecodingError(page, line) from None
    if page == "cp1258":  # which has Vietnamese marks apart from their letters
        text = normalize("NFC", text)
    return Decoded(text.removeprefix("\ufeff"), page, is_guess)


def canonical(encoding: str) -> str | None:
    """Return the name of `ENCODINGS` for any name of an encoding, or None if it is not read."""
    try:
        name = codecs.lookup(encoding.strip()).name
    except (LookupError, ValueError):
        return None
    return _names().get(name) or _ALSO_CALLED.get(name)


@lru_cache(maxsize=1)
def _names() -> Mapping[str, str]:
    return {codecs.lookup(encoding).name: encoding for encoding in ENCODINGS}


def choices(shown_in: str) -> list[tuple[str, str]]:
    """Return `ENCODINGS` with their names for people: “Croatian · Polish · Czech… (cp1250)”."""
    found = {encoding: encoding.upper() for encoding in ENCODINGS}
    for group, pages in _PAGES.items():
        names = " · ".join(
            str(Locale.parse(tag, sep="-").get_display_name(shown_in))
            for tag in list(_GROUPS[group])[:4]
        )
        for page in pages:
            if found[page] == page.upper():
                found[page] = f"{names} ({page})"
    return list(found.items())


def _unicode(data: bytes) -> str | None:
    """Return which form of Unicode *data* is surely in, or None."""
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            return encoding
    start = data[:_SEARCHED]
    if start.count(0) * 4 > len(start):
        return "utf-16"
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return None
    return "utf-8"


def guess_page(data: bytes, languages: Iterable[str] = ()) -> str:
    """Return the likeliest code page of a text that is not in Unicode.

    Each page is tried with the letters of each language. One of *languages* is preferred if it is
    about as likely as any other; where none is, the library charset-normalizer decides, which needs
    a longer text.
    """
    first = re.search(rb"[\x80-\xff]", data)
    start = max(0, first.start() - 100) if first else 0
    begin = data[start : start + _SEARCHED]
    lines = (line for line in begin.splitlines() if not line.isascii())
    sample = b"\n".join(lines)[:_JUDGED]
    hinted = {tag.lower() for tag in languages} | {
        tag.partition("-")[0].lower() for tag in languages
    }
    best, own = (0.0, ""), (0.0, "")
    for language, page, score in _scores(sample):
        if score > best[0]:
            best = (score, page)
        if language.lower() in hinted and score > own[0]:
            own = (score, page)
    if own[0] > 0.7 * best[0]:
        return own[1]
    if best[1]:
        return best[1]
    try:
        import charset_normalizer  # slow to load, and for languages without a table of ours
    except ModuleNotFoundError:  # the generators alone do without it
        return "cp1252"
    found = charset_normalizer.from_bytes(sample, cp_isolation=list(PAGES)).best()
    likeliest = canonical(found.encoding) if found else None
    return likeliest if likeliest in PAGES else "cp1252"


def _scores(sample: bytes) -> Iterator[tuple[str, str, float]]:
    """Yield languages with the pages they come in, and how well *sample* reads so."""
    central = _centrality(sample)
    favoured = _CENTRAL_PAGES if central > 0 else _WESTERN_PAGES
    readings: dict[str, _Reading | None] = {}
    for group, pages in _PAGES.items():
        for language in _GROUPS[group]:
            weights = _weights(language)
            for page in pages:
                if page not in readings:
                    readings[page] = _read(sample, page)
                if reading := readings[page]:
                    # The usual page, unless another one is clearly better.
                    score = reading.score(weights) * (1 if page == pages[0] else 0.95)
                    if page in favoured:
                        score += abs(central)
                    yield language, page, score


# Beside words in any language.
_PUNCTUATION = frozenset("“”„‚‘’‹›«»–—…·•©®°§№€£×¿¡ª\xa0、。，；：（）「」・　")
# A letter of another script within an English word, and a capital letter behind another letter.
_MIXED = regex.compile(
    r"[a-z][\u0370-\u1dff\u3041-\ud7af]|[\u0370-\u1dff\u3041-\ud7af][a-z]", regex.IGNORECASE
)
_CAPITAL_INSIDE = regex.compile(r"(?<=\p{Ll})\p{Lu}")
_CAPITALS = regex.compile(r"(?<=\p{L})(?=[^A-Z])\p{Lu}")
_RUN = regex.compile(r"[\xc0-\u024f]{3,}")


@dataclass(frozen=True, slots=True)
class _Reading:
    """A sample in one page: how often each character comes, and what is odd about its words."""

    counts: Mapping[str, int]
    size: int
    oddity: float

    def score(self, weights: Mapping[str, float]) -> float:
        """Return the sum over its characters: *weights* of a language's letters, less the rest."""
        total = -self.oddity
        for char, count in self.counts.items():
            weight = weights.get(char) or weights.get(char.lower())
            if weight is None:
                kind = category(char)
                weight = 0 if char in _PUNCTUATION else -1 if kind[0] in "LM" else -2
            total += self.size * count * weight
        return total


def _read(sample: bytes, page: str) -> _Reading | None:
    codec = _CODECS.get(page, page)
    try:
        # The sample may end within a character.
        text = codecs.getincrementaldecoder(codec)().decode(sample)
    except UnicodeDecodeError:
        return None
    text = normalize("NFC", text)
    odd = 2 * len(_MIXED.findall(text)) + len(_CAPITAL_INSIDE.findall(text))
    odd += sum(map(len, _RUN.findall(text)))
    counts = Counter(char for char in text if char > "\x7f")
    size = 2 if page in ("shift_jis", "euc-jp", "euc-kr", "gb18030", "big5") else 1
    return _Reading(counts, size, odd + len(_CAPITALS.findall(text)) / 4)


# The rows of the standards whose characters are frequent, and what else is a letter.
_FREQUENT = {
    "ja": ("euc_jp", (0xA4, 0xA5, *range(0xB0, 0xD0)), "々ー"),
    "ko": ("euc_kr", range(0xB0, 0xC9), ""),
    "zh": ("gb2312", range(0xB0, 0xD8), ""),
    "zh-Hant": ("big5", range(0xA4, 0xC7), ""),
}


@lru_cache(maxsize=64)
def _weights(language: str) -> Mapping[str, float]:
    """Return the letters of a language: 1 for the most frequent ones, less for the others."""
    if language in _FREQUENT:
        codec, rows, also = _FREQUENT[language]
        codes = (bytes((row, cell)) for row in rows for cell in range(0x40, 0xFF))
        return dict.fromkeys("".join(code.decode(codec, "ignore") for code in codes) + also, 1.0)
    letters = next(table[language] for table in _GROUPS.values() if language in table)
    return {letter: 1 - place / len(letters) / 2 for place, letter in enumerate(letters)}


_CENTRAL_PAGES, _WESTERN_PAGES = ("cp1250", "iso-8859-2"), ("cp1252", "iso-8859-1", "iso-8859-15")
# Written as cp1252 reads them. V and C are a vowel and a consonant that both pages share, < and >
# the beginning and the end of a word.
_CLASSES = {"V": "[aeiouyáéíóúýäöüâôîë]", "C": "[bcdfghjklmnpqrstvwxzšžçß]"}


def _pattern(contexts: str) -> re.Pattern[str]:
    """Compile contexts such as `C.è.C`: the letters before, the letter, the letters after."""
    parts = []
    for context in contexts.split():
        before, letter, behind = (_CLASSES.get(part, part) for part in context.split("."))
        left = r"(?<!\w)" if before == "<" else f"(?<={before})" if before else ""
        right = r"(?!\w)" if behind == ">" else f"(?={behind})" if behind else ""
        parts.append(left + letter + right)
    return re.compile("|".join(parts))


# Signs in the Western page and letters in the Central one: ą ł ż ź ş ľ Ą Ł Ż beside a letter.
_SURELY_CENTRAL = re.compile(
    r"(?<=[^\W\d])[¹³¿ºª¾¼¥£¯](?=[^\W\d])|(?<=[^\W\d_])[¹³¿¾](?!\w)|(?<!\w)[³£¯¾](?=[^\W\d])|ÿ(?=\w)"
)
_CENTRAL = _pattern(
    r"""
    V.è.V V.è.> <.è.V C.è.V [aeou].è.C <.è.[lmrtv] V.æ.V V.æ.> <.æ.V <.æ.[mw] [ê¹œnj].æ.
    k.æ. V.ø. C.ø.V <.ø.V p.ø.> .ê.[bckdgpszjńñ¿] .ê.> i.ê.t .ñ.C .ñ.> .œ.[^ui] .ð. .þ.
    .ã.[^oe] .ã.> .õ.[^e] .õ.> [fghjkny].û. .û.[nvzrg] [^d].û.> .ù.\w .ì.\w [bmnptv].ì.>
    [aeoáéù].ò.> .ò.C <.ï. V.ï.> V.ï.[kt] C.à.C C.å.[žš]
    """
)
_WESTERN = _pattern(
    r"""
    C.è.C [bcdfghjlpqstvz].è.> <.è.> i.è.[cmrstv] é.è.C C.æ.C <.æ.[bglnr] [rtln].æ.> C.ø.C
    <.ø.C [bcdfghjklmnqrstvz].ø.> <.ø.> [bfmrtvu].ê.[tmlvrpn] <.ê.t [rmul].ê.s c.ê.> .ñ.V
    .œ.[ui] .ã.[oe] [hç].ã.> .õ.e [oasdrml].û.[trlc] [io].ù.> [sltd].ì.> [iu].ò.> C.ò.>
    [aeou].ï.[nsflrvmd] C.à.> <.à. V.à. .å. <.¿.V <.¿.[cdhpq]
    """
)


def _centrality(data: bytes) -> int:
    """Return how much rather *data* is Central European (cp1250) than Western (cp1252).

    Below 0, it is rather Western. The two differ in about thirty letters. Each is judged by its
    neighbours: the byte that is è or č is between consonants in French (père) and beside a vowel in
    Croatian (kuča, riječ).
    """
    text = data.decode("cp1252", "replace").lower()
    # Bytes used by only one of the pages: ť and Ź, ƒ and ˆ.
    central = 3 * sum(map(data.count, (b"\x8d", b"\x8f", b"\x9d")))
    western = 3 * sum(map(data.count, (b"\x83", b"\x88", b"\x98")))
    central += 3 * len(_SURELY_CENTRAL.findall(text)) + len(_CENTRAL.findall(text))
    return central - western - len(_WESTERN.findall(text))
