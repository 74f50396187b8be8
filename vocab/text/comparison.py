"""Compare what a student typed with the expected answer, letter by letter.

Some words have several correct spellings by rule. These are equal:

- in Hindi and its relatives a nasal before a consonant of its own class, and the anusvara: हिन्दी,
  हिंदी;
- Greek capitals with an accent and without: ΘΑΛΑΣΣΑ for θάλασσα;
- Serbian in its two scripts, and Vietnamese with the tone of òa, òe and ùy over either vowel;
- conjuncts with a joiner and without.

Others differ as accents do: katakana from hiragana, small kana from full ones, traditional from
simplified Chinese characters, Hindi without nukta, and Ukrainian, French or Catalan words without
their apostrophe or raised dot. A letter of its own, such as Spanish ñ or Swedish ö, is never n or
o, unless the list ignores accents.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from itertools import product, zip_longest
from operator import itemgetter
from typing import Literal, get_args
from unicodedata import normalize

import regex

from vocab.text.cutting import is_varna_language, small_tiles
from vocab.text.languages import primary
from vocab.text.normal import match_key, normal_form, search_key, with_anusvara

Accents = Literal["strict", "warn", "ignore"]
Verdict = Literal["right", "accent", "wrong", "missing", "extra"]

# How people spell a letter that their keyboard lacks.
_SPELT_OUT = {"ä": "ae", "ö": "oe", "ü": "ue", "å": "aa", "ø": "oe", "đ": "dj", "ĳ": "ij"}

# Letters that are no others with an accent: whoever writes the other one writes another word.
_NORDIC = "åäöæø"
_OWN_LETTERS = {
    **dict.fromkeys(["ast", "es", "eu", "fil", "gl", "tl"], "ñ"),
    **dict.fromkeys(["da", "fi", "nb", "nn", "no", "sv"], _NORDIC),
    "et": "äöõü",
    "is": "æðöþ",
}
# Signs inside a word that its spelling requires, in these languages.
_SIGNS = {**dict.fromkeys(["be", "fr", "it", "nl", "oc", "uk"], "'"), "ca": "'·"}

# Languages with two scripts, of which both are right. Capitals need no rows of their own.
_IN_LATIN = {
    **dict(zip("абвгдђежзијклмнопрстћуфхцчшѓќѕ", "abvgdđežzijklmnoprstćufhcčšđćz", strict=True)),
    **{"љ": "lj", "њ": "nj", "џ": "dž"},
}
_TO_LATIN = str.maketrans(
    _IN_LATIN | {cyrillic.upper(): latin.title() for cyrillic, latin in _IN_LATIN.items()}
)
_TWO_SCRIPTS = frozenset(["bs", "cnr", "sh", "sr"])
# Vietnamese writes the tone of oa, oe and uy at the end of a syllable over either vowel, and there
# also i or y after these consonants.
_FIRST_VOWEL_TONE = regex.compile(
    r"(o)([\u0300\u0301\u0303\u0309\u0323])([ae])|(u)([\u0300\u0301\u0303\u0309\u0323])(y)", regex.I
)
_LONG_I = regex.compile(r"(?<=\b[hklmst])y(?=[\u0300\u0301\u0303\u0309\u0323]?\b)", regex.I)

_GREEK = regex.compile(r"\p{Greek}")
_TONOS = regex.compile(r"[\u0300\u0301\u0304\u0306\u0313\u0314\u0342\u0345]")
_DIALYTIKA = "\u0308"

_SMALL_KANA = str.maketrans("ぁぃぅぇぉっゃゅょゎゕゖ", "あいうえおつやゆよわかけ")

_COST: dict[Verdict, float] = {"right": 0, "accent": 0.25, "wrong": 1, "missing": 1, "extra": 1}


@dataclass(frozen=True, slots=True)
class TileDiff:
    """One step of the comparison: the expected letter, the typed one, and the verdict.

    *expected* is "" for an extra letter, *typed* for a missing one; *typed* has two letters where
    one was spelled out (ae for ä). Letters are lowercase.
    """

    expected: str
    typed: str
    verdict: Verdict


# With more pairs of letters than this, answers are compared position by position: a page that
# somebody pastes into the answer's field must not cost seconds.
_MOST_PAIRS = 40_000


@dataclass(frozen=True, slots=True)
class Comparison:
    """How a typed answer relates to the expected one.

    `is_right` follows the list's accent rule. `is_accent_slip` is true if only accents differ and
    the rule cares: with "warn" in addition to `is_right`, with "strict" instead of it.
    `is_near_miss` is true for a wrong answer that is wrong by about a letter, `is_one_letter_off`
    if it is wrong by exactly one: such an answer shows that the word is remembered.
    `is_article_slip` is true if an article is missing, added or that of another gender
    (`vocab.text.answers`).
    """

    is_right: bool
    is_accent_slip: bool
    is_near_miss: bool
    is_one_letter_off: bool
    diff: tuple[TileDiff, ...]
    is_article_slip: bool = False


def compare(
    expected: str,
    typed: str,
    *,
    language: str | None = None,
    accents: Accents = "strict",
    digraphs: bool = True,
) -> Comparison:
    """Compare a typed answer with the expected one; case, spaces and punctuation do not matter.

    Nor do vowel points and stress marks, which `tiles` leaves out. A wrong answer is a near miss if
    at most one letter in four (always allowing one) is wrong, missing, extra or swapped with its
    neighbour, and three or more letters are expected. It is one letter off if that is so of exactly
    one letter and no accent is wrong, except with "ignore". Raises ValueError for an unknown accent
    rule.
    """
    if accents not in get_args(Accents):
        raise ValueError(f"“{accents}” is not an accent rule: use strict, warn or ignore.")
    tag = primary(language)
    cut = partial(small_tiles, language=language, digraphs=digraphs, signs=_SIGNS.get(tag, ""))
    wanted, given = cut(expected), cut(typed)
    if not digraphs and given == (*wanted, "अ"):
        # In a square for one letter, a consonant is typed without its virama.
        given = given[:1] if len(wanted) == 1 else given
    if not wanted:
        # Only signs are expected ("?!", an emoji): then the signs are the answer.
        is_same = match_key(expected, language) == match_key(typed, language)
        return Comparison(is_same, False, False, False, ())
    rule = _Rule(
        own_letters="" if accents == "ignore" else _OWN_LETTERS.get(tag, ""),
        in_greek_capitals=_is_in_greek_capitals(expected) or _is_in_greek_capitals(typed),
    )
    cost, diff = _align(wanted, given, rule)
    if cost:
        # If both are spelled alike, less may differ; otherwise the word is shown as it is spelled.
        alike, other = (cut(_in_one_spelling(text, tag)) for text in (expected, typed))
        if (alike, other) != (wanted, given):
            cost, diff = min((cost, diff), _align(alike, other, rule), key=itemgetter(0))
    verdicts = {step.verdict for step in diff}
    is_same = verdicts == {"right"}
    differs_in_accents = verdicts <= {"right", "accent"} and not is_same
    slips = sum(step.verdict == "accent" for step in diff)
    is_one_off = cost - slips * _COST["accent"] == 1 and (accents == "ignore" or not slips)
    return Comparison(
        is_right=is_same or (differs_in_accents and accents != "strict"),
        is_accent_slip=differs_in_accents and accents != "ignore",
        is_near_miss=(
            not is_same
            and not differs_in_accents
            and len(wanted) >= 3
            and int(cost) <= max(1, len(wanted) // 4)
        ),
        is_one_letter_off=is_one_off and len(wanted) >= 3,
        diff=diff,
    )


@dataclass(frozen=True, slots=True)
class _Rule:
    """When two letters are the same, and when they differ only by an accent."""

    own_letters: str
    in_greek_capitals: bool

    def verdict(self, wanted: str, given: str) -> Verdict:
        """Return "right", "accent" or "wrong"."""
        if wanted == given or (self.in_greek_capitals and _is_same_capital(wanted, given)):
            return "right"
        is_like_another = wanted[:1] not in self.own_letters and given[:1] not in self.own_letters
        return "accent" if is_like_another and _plain(wanted) == _plain(given) else "wrong"


@lru_cache(maxsize=4096)
def _plain(tile: str) -> str:
    """Return the letter without its accent, or without what is like one."""
    return search_key(tile).translate(_SMALL_KANA).rstrip("'·") or tile


def _is_in_greek_capitals(text: str) -> bool:
    return bool(_GREEK.search(text)) and text == text.upper() != text.lower()


def _is_same_capital(wanted: str, given: str) -> bool:
    """Return whether two small Greek letters have the same capital.

    Capitals may have a dialytika where the small letter has none: Μάιος is ΜΑΪΟΣ.
    """
    wanted, given = (_TONOS.sub("", normalize("NFD", tile)) for tile in (wanted, given))
    return wanted in (given, given.replace(_DIALYTIKA, ""))


def _in_one_spelling(text: str, language: str) -> str:
    """Return *text* in one of the spellings that are right by rule in the language."""
    if is_varna_language(language):
        text = with_anusvara(normal_form(text))
    if language in _TWO_SCRIPTS:
        text = text.translate(_TO_LATIN)
    if language == "vi":
        text = _FIRST_VOWEL_TONE.sub(r"\1\4\3\6\2\5", normalize("NFD", text))
        text = normalize("NFC", _LONG_I.sub("i", text))
    return text.replace("\u200c", "").replace("\u200d", "")


def _align(
    wanted: Sequence[str], given: Sequence[str], rule: _Rule
) -> tuple[float, tuple[TileDiff, ...]]:
    """Return the cost and the steps of the cheapest way from *wanted* to *given*.

    The restricted Damerau-Levenshtein distance, with a small cost for an accent, and one letter may
    match two (ß and ss).
    """
    if len(wanted) * len(given) > _MOST_PAIRS:
        pairs = list(zip_longest(wanted, given, fillvalue=""))
        steps = tuple(_step(expected, typed, rule) for expected, typed in pairs)
        return sum(_COST[step.verdict] for step in steps), steps
    moves = _cheapest_moves(wanted, given, rule)
    steps_backwards: list[TileDiff] = []
    i, j = len(wanted), len(given)
    while i or j:
        back_i, back_j = moves[i, j][1:]
        if (back_i, back_j) == (2, 2):
            for behind in (1, 2):
                swapped = TileDiff(wanted[i - behind], given[j - behind], "wrong")
                steps_backwards.append(swapped)
        else:
            expected = "".join(wanted[i - back_i : i])
            steps_backwards.append(_step(expected, given[j - back_j : j], rule))
        i, j = i - back_i, j - back_j
    return moves[len(wanted), len(given)][0], tuple(reversed(steps_backwards))


def _cheapest_moves(
    wanted: Sequence[str], given: Sequence[str], rule: _Rule
) -> dict[tuple[int, int], tuple[float, int, int]]:
    """Return, for i letters wanted and j given, the cost and how many of each came last."""
    verdicts = {pair: rule.verdict(*pair) for pair in product(set(wanted), set(given))}
    best: dict[tuple[int, int], tuple[float, int, int]] = {(0, 0): (0, 0, 0)}
    for i in range(len(wanted) + 1):
        for j in range(len(given) + 1):
            ways: list[tuple[float, int, int]] = []
            if i and j:
                verdict = verdicts[wanted[i - 1], given[j - 1]]
                ways.append((best[i - 1, j - 1][0] + _COST[verdict], 1, 1))
            if i:
                ways.append((best[i - 1, j][0] + _COST["missing"], 1, 0))
            if j:
                ways.append((best[i, j - 1][0] + _COST["extra"], 0, 1))
            if i and j > 1 and _is_spelt_out(wanted[i - 1], given[j - 2 : j]):
                ways.append((best[i - 1, j - 2][0] + _COST["accent"], 1, 2))
            if i > 1 and j > 1 and wanted[i - 2 : i] == given[j - 2 : j][::-1]:
                ways.append((best[i - 2, j - 2][0] + _COST["wrong"], 2, 2))
            if ways:
                best[i, j] = min(ways, key=itemgetter(0))
    return best


def _is_spelt_out(wanted: str, pair: Sequence[str]) -> bool:
    return "".join(pair) in (search_key(wanted), _SPELT_OUT.get(wanted))


def _step(expected: str, typed: str | Sequence[str], rule: _Rule) -> TileDiff:
    typed = "".join(typed)
    verdict: Verdict
    if not typed:
        verdict = "missing"
    elif not expected:
        verdict = "extra"
    elif _SPELT_OUT.get(expected) == typed:
        verdict = "accent"
    else:
        verdict = rule.verdict(expected, typed)
    return TileDiff(expected, typed, verdict)
