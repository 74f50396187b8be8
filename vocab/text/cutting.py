"""Cut text into tiles, each of which fills one square of a grid.

The rules:

- A tile is a grapheme cluster (Unicode Standard Annex 29): a consonant cluster with its vowel
  sign in Hindi, a consonant with its marks in Thai, a syllable block in Korean, one kana (small
  ones and the long mark too) in Japanese. Where Unicode parts what a reader sees as one letter, it
  is one tile: any mark stays with its letter (Burmese ကား), and the consonants of a conjunct stay
  together (Sinhala ශ්‍රී, Kannada ಕ್ಷ, Gurmukhi ੜ੍ਹ).
- A digraph that the language counts as one letter is one tile, if the list is set so. If it is
  not, the letters of a Korean or Devanagari syllable are tiles of their own: 닭 is ㄷ ㅏ ㄹ ㄱ,
  बिल्ली is ब् इ ल् ल् ई.
- Letters are capitals as the language writes them: Turkish i is İ, ß is ẞ, Greek loses its
  accents and keeps or gains the dialytika (Μάιος is ΜΑΪΟΣ), Georgian stays as it is.
- Marks that help to read and are no part of ordinary spelling are left out: Arabic short vowels
  and tatweel, Hebrew points, stress over Russian vowels, length over Latin ones. Forms of hamza,
  and Hebrew's final letters, stay as they are written; a crossword has no final letters.
- Spaces, hyphens, apostrophes, other punctuation, symbols and emoji are not in the grid.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import lru_cache
from itertools import zip_longest
from unicodedata import normalize

import regex

from vocab.text.languages import has_dotless_i, primary
from vocab.text.normal import CURSIVE, MARKS, TYPOGRAPHY, fold_case, normal_form

_SERBO_CROATIAN = "dž lj nj"
_DIGRAPHS: dict[str, str] = {
    "bs": _SERBO_CROATIAN,
    "cnr": _SERBO_CROATIAN,
    "hr": _SERBO_CROATIAN,
    "sh": _SERBO_CROATIAN,
    "sr": _SERBO_CROATIAN,
    "br": "c'h ch",
    "cs": "ch",
    "cy": "ch dd ff ng ll ph rh th",
    "fil": "ng",
    "hu": "dzs cs dz gy ly ny sz ty zs",
    "mt": "għ ie",
    "nl": "ij",
    "sk": "ch dz dž",
    "sq": "dh gj ll nj rr sh th xh zh",
    "tl": "ng",
    "uz": "ch gʻ oʻ sh",
}

# Where the two letters meet by accident, mostly at the seam of a compound. Each pattern matches
# only the first of them. No such list is complete; these cover what school lists contain.
_SOUTH_SLAVIC_SEAMS = (
    r"n(?<=\bin)(?=j(?:ek|ic))",  # in-jekcija, in-jicirati
    r"n(?<=\bkon)(?=ju[gn])",  # kon-jugacija, kon-junktiv
    r"n(?<=van)(?=jezi)",  # izvan-jezični
    r"d(?<=\b(?:na|o|po|pre)d)(?=ž(?!ak))",  # nad-živjeti; not odžak
)
_SEAMS: dict[str, tuple[str, ...]] = {
    "bs": _SOUTH_SLAVIC_SEAMS,
    "cnr": _SOUTH_SLAVIC_SEAMS,
    "hr": _SOUTH_SLAVIC_SEAMS,
    "sh": _SOUTH_SLAVIC_SEAMS,
    "sr": _SOUTH_SLAVIC_SEAMS,
    "cy": (
        r"n(?<=\b(?:ba|da|lla|llo|pe)n)(?=g)",  # Ban-gor, dan-gos, Llan-gollen, llon-gyfarch
        r"r(?<=\b(?:a|pa)r)(?=h)",  # ar-holiad, par-hau
    ),
    "hu": (
        r"z(?=s[áé]g)",  # igaz-ság, köz-ség
        r"z(?=sz)",  # méz-színű
    ),
    "nl": (
        r"i(?=j(?:ect|urk))",  # bi-jectie, mini-jurk
        r"i(?<=\bski)(?=j)",  # ski-jas
    ),
    "sk": (r"d(?<=\b(?:na|o|po|pre)d)(?=[zž])",),  # od-znak, pod-zemie
}

# Languages whose script writes syllables, which their schools also spell letter by letter.
_JAMO_LANGUAGES = frozenset({"ko"})
_VARNA_LANGUAGES = frozenset(
    ["awa", "bho", "brx", "doi", "hi", "kok", "mai", "mr", "ne", "new", "sa"]
)

# The letters of a syllable block (Unicode Standard, section 3.12), each as it stands alone. A final
# of two consonants is two letters; a doubled one and a compound vowel are one.
_INITIALS = "ㄱㄲㄴㄷㄸㄹㅁㅂㅃㅅㅆㅇㅈㅉㅊㅋㅌㅍㅎ"
_VOWELS = "ㅏㅐㅑㅒㅓㅔㅕㅖㅗㅘㅙㅚㅛㅜㅝㅞㅟㅠㅡㅢㅣ"
_FINALS = "ㄱㄲㄳㄴㄵㄶㄷㄹㄺㄻㄼㄽㄾㄿㅀㅁㅂㅄㅅㅆㅇㅈㅊㅋㅌㅍㅎ"
_CLUSTERS = {
    **{"ㄳ": "ㄱㅅ", "ㄵ": "ㄴㅈ", "ㄶ": "ㄴㅎ", "ㅄ": "ㅂㅅ", "ㄺ": "ㄹㄱ", "ㄻ": "ㄹㅁ"},
    **{"ㄼ": "ㄹㅂ", "ㄽ": "ㄹㅅ", "ㄾ": "ㄹㅌ", "ㄿ": "ㄹㅍ", "ㅀ": "ㄹㅎ"},
}
_JAMO: dict[int, str] = {
    **{0x1100 + number: letter for number, letter in enumerate(_INITIALS)},
    **{0x1161 + number: letter for number, letter in enumerate(_VOWELS)},
    **{0x11A8 + number: _CLUSTERS.get(letter, letter) for number, letter in enumerate(_FINALS)},
    **{ord(cluster): letters for cluster, letters in _CLUSTERS.items()},
}

# A Devanagari consonant has the vowel of its sign; without a sign it has अ, and with a virama none.
_VOWEL_OF_SIGN = dict(zip("ािीुूृॄॢॣॅॆेैॉॊोौ", "आइईउऊऋॠऌॡऍऎएऐऑऒओऔ", strict=True))
_CONSONANT = r"[\u0915-\u0939\u0978-\u097F]\u093C?"
_SYLLABLE = regex.compile(
    rf"(?P<consonant>{_CONSONANT})(?P<vowel>\u094D|[{''.join(_VOWEL_OF_SIGN)}])?"
)

# Scripts with a letter for every sound, and those with letters for consonants only. All others
# write syllables or words.
_ALPHABETS = (
    r"\p{Latn}\p{Grek}\p{Cyrl}\p{Armn}\p{Geor}\p{Copt}\p{Glag}\p{Goth}\p{Tfng}\p{Mong}\p{Nkoo}"
    r"\p{Adlm}\p{Rohg}\p{Olck}\p{Osge}\p{Lisu}\u1100-\u11FF\u3131-\u318E"
)
_CONSONANT_SCRIPTS = r"\p{Hebr}\p{Arab}\p{Syrc}\p{Samr}\p{Mand}"
_OUTSIDE_ALPHABETS = regex.compile(rf"[\p{{L}}--[\p{{Zyyy}}\p{{Zinh}}{_ALPHABETS}]]", regex.V1)
_SYLLABIC = regex.compile(
    rf"[\p{{L}}--[\p{{Zyyy}}\p{{Zinh}}{_ALPHABETS}{_CONSONANT_SCRIPTS}]]", regex.V1
)

_APOSTROPHES = "'‘’ʼʻ`"
_SPELLINGS: dict[str, tuple[tuple[str, str], ...]] = {
    "br": tuple((f"{c}{a}{h}", f"{c}'{h}") for c in "cC" for h in "hH" for a in _APOSTROPHES),
    "fa": (("ي", "ی"), ("ى", "ی"), ("ك", "ک")),  # typed on an Arabic keyboard
    "haw": tuple((a, "ʻ") for a in _APOSTROPHES),
    "lt": (("i̇", "i"), ("j̇", "j"), ("į̇", "į")),  # the dot kept under an accent
    "ro": (("ş", "ș"), ("ţ", "ț"), ("Ş", "Ș"), ("Ţ", "Ț")),  # cedilla for comma, an old font's
    "uz": tuple((f"{letter}{a}", f"{letter}ʻ") for letter in "oOgG" for a in _APOSTROPHES),
}
_OKINA_LANGUAGES = frozenset({"haw"})

# Ligatures, wide and presentation forms of ordinary letters.
_COMPATIBLE = regex.compile(
    r"[\u00AA\u00BA\u0132\u0133\u013F\u0140\u0149\u01C4-\u01CC\u01F1-\u01F3"
    r"\uFB00-\uFDFF\uFE70-\uFEFF\uFF01-\uFF9F\p{No}]+"
)
_READING_AIDS = regex.compile(
    r"[\u0591-\u05BD\u05BF\u05C1\u05C2\u05C4\u05C5\u05C7"  # Hebrew points and cantillation
    r"\u0610-\u061A\u0640\u064B-\u0652\u0656-\u065E\u0670"  # Arabic short vowels, tatweel
    r"\u06D6-\u06DC\u06DF-\u06E4\u06E7\u06E8\u06EA-\u06ED\u08D3-\u08E1\u08E3-\u08FF"
    r"\p{Me}\p{Variation_Selector}]"
    rf"|(?<=[{CURSIVE}]{MARKS})[\u200C\u200D]"
    r"|(?<=[аеёиоуыэюяієїѣАЕЁИОУЫЭЮЯІЄЇѢ])[\u0300\u0301]"
)
_LATIN_LENGTH = regex.compile(r"(?<=[aeiouyAEIOUY])[\u0304\u0306]")
# A vowel and a tone mark above or below the same letter look alike in either order, and so do ำ and
# its two parts. Thai and Lao.
_TONE_BEFORE_VOWEL = regex.compile(
    r"([\u0E48-\u0E4B\u0EC8-\u0ECB])([\u0E31\u0E34-\u0E3A\u0E47\u0EB1\u0EB4-\u0EBB])"
)
_SPLIT_AM = regex.compile(
    r"[\u0E4D\u0ECD](?P<tone>[\u0E48-\u0E4B\u0EC8-\u0ECB]?)(?P<aa>[\u0E32\u0EB2])"
    r"|(?P<tone>[\u0E48-\u0E4B\u0EC8-\u0ECB])[\u0E4D\u0ECD](?P<aa>[\u0E32\u0EB2])"
    r"|(?P<am>[\u0E33\u0EB3])(?P<tone>[\u0E48-\u0E4B\u0EC8-\u0ECB])"
)

# A cluster of Unicode, and what it lacks of a letter: marks (26 of Burmese, some of Tai Tham and
# Ahom), and the next consonant of a conjunct in scripts whose viramas Unicode lets end a cluster.
# In Sinhala, only a joiner makes a conjunct.
_CLUSTER = (
    r"\X(?:[\p{M}\u200C\u200D]+"
    r"|(?<=[\u0A4D\u0CCD]\u200D?|\u0DCA\u200D|\u200D\u0DCA)(?=[\p{Guru}\p{Knda}\p{Sinh}])\X)*"
)

# Only letters and numbers make a tile; apostrophes that Unicode counts as letters do not.
_LETTER = regex.compile(r"[[\p{L}\p{N}]--[\u02B9-\u02D1\u02EE]]", regex.V1)
_LETTER_OR_OKINA = regex.compile(r"[[\p{L}\p{N}]--[\u02B9\u02BA\u02BC-\u02D1\u02EE]]", regex.V1)
_BETWEEN_WORDS = regex.compile(r"[\s\p{Pd}/・·]+")

_ORDINARY_FORMS = str.maketrans("ךםןףץ", "כמנפצ")

_GREEK = regex.compile(r"\p{Greek}")
# An accent on the first of two vowels shows that they are not a diphthong; in capitals, which have
# no accents, the dialytika shows it.
_GREEK_HIATUS = regex.compile(
    r"(?<=[αεηιουω][\u0313\u0314]?[\u0300\u0301\u0342])[ιυ](?!\p{M})", regex.I
)
_GREEK_ACCENT = regex.compile(
    rf"(?<=\p{{Greek}}{MARKS})[\u0300\u0301\u0304\u0306\u0313\u0314\u0342]"
)
_MKHEDRULI = {capital: capital - 0x1C90 + 0x10D0 for capital in range(0x1C90, 0x1CC0)}


@dataclass(frozen=True, slots=True)
class _Rules:
    """The spelling and cutting rules of one language."""

    language: str
    spellings: tuple[tuple[str, str], ...]
    cut: regex.Pattern[str]
    letter: regex.Pattern[str]
    split: Callable[[str], str] | None
    """Write the letters of syllables one after another; None if syllables stay whole."""


@lru_cache(maxsize=256)
def _rules(language: str, digraphs: bool) -> _Rules:
    letters = _DIGRAPHS.get(language, "").split() if digraphs else []
    split = None if digraphs else _splitter(language)
    # If a mark follows the second letter, it belongs to that letter, so the two are not a digraph.
    alternatives = [*_SEAMS.get(language, ()), *(f"{digraph}(?!\\p{{M}})" for digraph in letters)]
    # A sign is its own piece, so that its cluster does not include a vowel that begins the next
    # word.
    if split is _as_varnas:
        # Otherwise a virama would join two consonants, even across a sign in the wrong place.
        alternatives += [rf"{_CONSONANT}\u094D", r"\p{M}"]
    cut = "|".join([*alternatives, r"[\p{Z}\p{P}\p{S}]", _CLUSTER])
    return _Rules(
        language=language,
        spellings=_SPELLINGS.get(language, ()),
        cut=regex.compile(cut, regex.IGNORECASE if letters else 0),
        letter=_LETTER_OR_OKINA if language in _OKINA_LANGUAGES else _LETTER,
        split=split,
    )


def tiles(text: str, language: str | None = None, *, digraphs: bool = True) -> tuple[str, ...]:
    """Cut *text* into the tiles of its grid form: capitals, no spaces or punctuation.

    *language* is a BCP-47 tag; it determines digraphs and how letters are capitalised, and may be
    unknown. Without *digraphs*, every digraph is two tiles, and so are the letters of a Korean or
    Devanagari syllable. The result is empty if *text* has no letter or digit. See the rules at the
    top of this module.
    """
    rules = _rules(primary(language), digraphs)
    return _cut(_capitals(_spelling(text, rules), rules.language), rules)


def crossword_tiles(
    text: str, language: str | None = None, *, digraphs: bool = True
) -> tuple[str, ...]:
    """Cut *text* as `tiles` does, but without Hebrew's final letters, as its crosswords are.

    The last letter of a word may be in the middle of one that crosses it, and has to look right in
    both.
    """
    return tuple(map(without_finals, tiles(text, language, digraphs=digraphs)))


def without_finals(text: str) -> str:
    """Return *text* with the ordinary form of each of Hebrew's final letters."""
    return text.translate(_ORDINARY_FORMS)


def small_tiles(
    text: str, language: str | None = None, *, digraphs: bool = True, signs: str = ""
) -> tuple[str, ...]:
    """Cut *text* as `tiles` does, but into case-folded letters that keep Greek accents.

    One of the *signs* between two letters stays with the first of them: м' in м'яч.
    """
    rules = _rules(primary(language), digraphs)
    return _cut(fold_case(_spelling(text, rules), language), rules, signs)


def word_lengths(
    text: str, language: str | None = None, *, digraphs: bool = True
) -> tuple[int, ...]:
    """Return the number of tiles of each word, as in a crossword clue: (3, 5).

    Spaces, hyphens and slashes separate words; apostrophes do not. The sum is the number of tiles.
    """
    words = _BETWEEN_WORDS.split(normal_form(text))
    lengths = (len(tiles(word, language, digraphs=digraphs)) for word in words)
    return tuple(length for length in lengths if length)


def lengths_in_squares(
    text: str, squares: int, language: str | None = None, *, digraphs: bool = True
) -> tuple[int, ...]:
    """Return the number of squares of each word of *text* in a grid where it has so many in all.

    These are its `word_lengths`, unless the grid has it in other tiles: in a puzzle of another
    program, or because its list was changed since. Then nothing says where a word ends.
    """
    lengths = word_lengths(text, language, digraphs=digraphs)
    return lengths if sum(lengths) == squares else (squares,)


def fewest_tiles(cut: Iterable[str]) -> int:
    """Return how many tiles a word in the script of these tiles needs to be hidden in a grid.

    Two letters of an alphabet occur in any grid by chance. Where a tile is a syllable, a whole word
    or a consonant whose vowel is not written, two of them make an ordinary word.
    """
    return 2 if any(map(_OUTSIDE_ALPHABETS.search, cut)) else 3


def writes_syllables(cut: Iterable[str]) -> bool:
    """Return whether a tile is a syllable or a word of its script; such words share few tiles."""
    return any(map(_SYLLABIC.search, cut))


def has_digraphs(language: str | None) -> bool:
    """Return whether the language has optional digraphs, or syllables that can be spelled out."""
    return primary(language) in _DIGRAPHS or splits_syllables(language)


def splits_syllables(language: str | None) -> bool:
    """Return whether `tiles` without digraphs spells syllables of the language by letters."""
    return _splitter(primary(language)) is not None


def is_varna_language(language: str | None) -> bool:
    """Return whether the language is written in Devanagari, with varnas as its letters."""
    return primary(language) in _VARNA_LANGUAGES


def digraphs_of(language: str | None) -> tuple[str, ...]:
    """Return the language's digraphs as tiles, in capitals."""
    return tuple(_DIGRAPHS.get(primary(language), "").upper().split())


def seams_of(language: str | None) -> tuple[str, ...]:
    """Return the language's seams as patterns that mean the same in JavaScript.

    Each matches a letter that is no digraph with the next one. They are the same for every word, so
    they reveal none.
    """
    # In JavaScript, \b knows only the letters from A to Z.
    return tuple(seam.replace(r"\b", r"(?<!\p{L})") for seam in _SEAMS.get(primary(language), ()))


def _cut(text: str, rules: _Rules, signs: str = "") -> tuple[str, ...]:
    is_letter = rules.letter.search
    pieces = rules.cut.findall(text)
    if not signs:
        return tuple(piece for piece in pieces if is_letter(piece))
    found: list[str] = []
    for piece, following in zip_longest(pieces, pieces[1:], fillvalue=""):
        if is_letter(piece):
            found.append(piece)
        elif (sign := piece.translate(TYPOGRAPHY)) in signs and found and is_letter(following):
            found[-1] += sign
    return tuple(found)


def _spelling(text: str, rules: _Rules) -> str:
    """Return the letters of ordinary spelling, without reading aids."""
    text = normal_form(text)
    if text.isascii() and not rules.spellings:
        return text
    text = _COMPATIBLE.sub(lambda match: normalize("NFKC", match[0]), text)
    text = _READING_AIDS.sub("", text)
    if rules.language == "la":
        text = normalize("NFC", _LATIN_LENGTH.sub("", normalize("NFD", text)))
    text = _SPLIT_AM.sub(_joined_am, _TONE_BEFORE_VOWEL.sub(r"\2\1", text))
    for written, meant in rules.spellings:
        text = text.replace(written, meant)
    return rules.split(text) if rules.split else text


def _joined_am(found: regex.Match[str]) -> str:
    am = found["am"] or {"\u0e32": "\u0e33", "\u0eb2": "\u0eb3"}[found["aa"]]
    return f"{found['tone']}{am}"


def _splitter(language: str) -> Callable[[str], str] | None:
    if language in _JAMO_LANGUAGES:
        return _as_jamo
    return _as_varnas if language in _VARNA_LANGUAGES else None


def _as_jamo(text: str) -> str:
    return normalize("NFC", normalize("NFD", text).translate(_JAMO))


def _as_varnas(text: str) -> str:
    # Joiners choose between forms of a conjunct, whose letters stand apart here.
    return _SYLLABLE.sub(_varnas_of, text.replace("\u200c", "").replace("\u200d", ""))


def _varnas_of(found: regex.Match[str]) -> str:
    vowel = found["vowel"] or ""
    return f"{found['consonant']}\u094d{_VOWEL_OF_SIGN.get(vowel, '' if vowel else 'अ')}"


def _capitals(text: str, language: str) -> str:
    if has_dotless_i(language):
        text = text.replace("i̇", "i").replace("i", "İ")
    if text.isascii():
        return text.upper()
    if _GREEK.search(text):
        text = _GREEK_HIATUS.sub("\\g<0>\u0308", normalize("NFD", text))
        text = _GREEK_ACCENT.sub("", text)
    text = text.replace("ß", "ẞ").replace("և", "եվ").upper().translate(_MKHEDRULI)
    return normalize("NFC", text)
