"""Compare what a student typed with the expected answer, letter by letter."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import zip_longest
from operator import itemgetter
from typing import Literal, get_args

from vocab.text.cutting import small_tiles
from vocab.text.normal import match_key, search_key

Accents = Literal["strict", "warn", "ignore"]
Verdict = Literal["right", "accent", "wrong", "missing", "extra"]

# How people spell a letter that their keyboard lacks.
_SPELT_OUT = {"ä": "ae", "ö": "oe", "ü": "ue", "å": "aa", "ø": "oe", "đ": "dj", "ĳ": "ij"}

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
    """

    is_right: bool
    is_accent_slip: bool
    is_near_miss: bool
    is_one_letter_off: bool
    diff: tuple[TileDiff, ...]


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
    wanted = small_tiles(expected, language, digraphs=digraphs)
    given = small_tiles(typed, language, digraphs=digraphs)
    if not wanted:
        # Only signs are expected ("?!", an emoji): then the signs are the answer.
        is_same = match_key(expected, language) == match_key(typed, language)
        return Comparison(is_same, False, False, False, ())
    cost, diff = _align(wanted, given)
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


def _align(wanted: Sequence[str], given: Sequence[str]) -> tuple[float, tuple[TileDiff, ...]]:
    """Return the cost and the steps of the cheapest way from *wanted* to *given*.

    The restricted Damerau-Levenshtein distance, with a small cost for an accent, and one letter may
    match two (ß and ss).
    """
    if len(wanted) * len(given) > _MOST_PAIRS:
        pairs = list(zip_longest(wanted, given, fillvalue=""))
        steps = tuple(_step(expected, typed) for expected, typed in pairs)
        return sum(_COST[step.verdict] for step in steps), steps
    moves = _cheapest_moves(wanted, given)
    steps_backwards: list[TileDiff] = []
    i, j = len(wanted), len(given)
    while i or j:
        back_i, back_j = moves[i, j][1:]
        if (back_i, back_j) == (2, 2):
            for behind in (1, 2):
                swapped = TileDiff(wanted[i - behind], given[j - behind], "wrong")
                steps_backwards.append(swapped)
        else:
            steps_backwards.append(_step("".join(wanted[i - back_i : i]), given[j - back_j : j]))
        i, j = i - back_i, j - back_j
    return moves[len(wanted), len(given)][0], tuple(reversed(steps_backwards))


def _cheapest_moves(
    wanted: Sequence[str], given: Sequence[str]
) -> dict[tuple[int, int], tuple[float, int, int]]:
    """Return, for i letters wanted and j given, the cost and how many of each came last."""
    plain_wanted = [search_key(tile) for tile in wanted]
    plain_given = [search_key(tile) for tile in given]
    best: dict[tuple[int, int], tuple[float, int, int]] = {(0, 0): (0, 0, 0)}
    for i in range(len(wanted) + 1):
        for j in range(len(given) + 1):
            ways: list[tuple[float, int, int]] = []
            if i and j:
                is_same = wanted[i - 1] == given[j - 1]
                is_accent = plain_wanted[i - 1] == plain_given[j - 1]
                verdict: Verdict = "right" if is_same else "accent" if is_accent else "wrong"
                ways.append((best[i - 1, j - 1][0] + _COST[verdict], 1, 1))
            if i:
                ways.append((best[i - 1, j][0] + _COST["missing"], 1, 0))
            if j:
                ways.append((best[i, j - 1][0] + _COST["extra"], 0, 1))
            if i and j > 1 and _is_spelt_out(wanted[i - 1], plain_wanted[i - 1], given[j - 2 : j]):
                ways.append((best[i - 1, j - 2][0] + _COST["accent"], 1, 2))
            if i > 1 and j > 1 and wanted[i - 2 : i] == given[j - 2 : j][::-1]:
                ways.append((best[i - 2, j - 2][0] + _COST["wrong"], 2, 2))
            if ways:
                best[i, j] = min(ways, key=itemgetter(0))
    return best


def _is_spelt_out(wanted: str, plain: str, pair: Sequence[str]) -> bool:
    typed = "".join(pair)
    return typed in (plain, _SPELT_OUT.get(wanted))


def _step(expected: str, typed: str | Sequence[str]) -> TileDiff:
    typed = "".join(typed)
    if expected == typed:
        verdict: Verdict = "right"
    elif not typed:
        verdict = "missing"
    elif not expected:
        verdict = "extra"
    elif search_key(expected) == search_key(typed) or _SPELT_OUT.get(expected) == typed:
        verdict = "accent"
    else:
        verdict = "wrong"
    return TileDiff(expected, typed, verdict)
