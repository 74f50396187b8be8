"""Choose the words of a puzzle: by tag or by what a class knows; and see which suit a kind."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Any

from django.db.models import Count, F, FloatField, QuerySet, Sum
from django.db.models.functions import Cast
from django.utils import timezone
from django.utils.translation import gettext as _

from osmosmjerka.accounts.models import User
from puzzles.kinds import KINDS, Kind
from puzzles.kinds.base import Request
from puzzles.making.services import usable
from vocab.entries.selectors import blocked_words, find_entries
from vocab.memory.selectors import KNOWN
from vocab.message import packed
from vocab.models import BlockedWord, Entry, VocabularyList, WordProgress
from vocab.text import splits_syllables
from vocab.text.languages import primary

ALL, TICKED, FOUND, UNKNOWN, HARDEST, NEW = "all", "ticked", "found", "unknown", "hardest", "new"
TAG, PART_OF_SPEECH = "tag:", "pos:"
RECENT = timedelta(days=7)
# More words than that are not “the hardest”.
MOST_HARDEST = 30
# So many answers without a mistake are added to each word's: one mistake in one answer is chance.
_DOUBT = 4
_SPARE = 50
LETTERS, READINGS = "letters", "readings"
_WITH_READINGS = ("zh", "ja")  # the pronunciation of a word is pinyin or kana
# A crossword of more parts is rather a list of words in boxes.
_FEW_PARTS = 2


def chosen(
    vocabulary_list: VocabularyList,
    which: str,
    *,
    students: Collection[User] = (),
    found: dict[str, str] | None = None,
) -> QuerySet[Entry]:
    """Return the entries of a list that are meant.

    *which* is one of the constants of this module but TICKED; a tag or part of speech follows its
    prefix. *students* are those whose knowledge counts, and *found* the arguments of
    `find_entries`.
    """
    entries = vocabulary_list.entries.all()
    if which == FOUND:
        return find_entries(vocabulary_list, **(found or {}))
    if which == NEW:
        return entries.filter(created_at__gte=timezone.now() - RECENT)
    if which == UNKNOWN:
        return entries.exclude(pk__in=_known(vocabulary_list, students))
    if which == HARDEST:
        return entries.filter(pk__in=_hardest(vocabulary_list, students))
    if which.startswith(TAG):
        return find_entries(vocabulary_list, tag=which.removeprefix(TAG))
    if which.startswith(PART_OF_SPEECH):
        return find_entries(vocabulary_list, part_of_speech=which.removeprefix(PART_OF_SPEECH))
    return entries


def explained(
    vocabulary_list: VocabularyList, which: str, *, students: Collection[User], is_empty: bool
) -> str:
    """Return why a choice by knowledge has no words, or all of them, and what to do; "" otherwise.

    *which* and *students* are those of `chosen`, and *is_empty* says whether it has no words.
    """
    if which not in (UNKNOWN, HARDEST):
        return ""
    if not _progress(vocabulary_list, students).filter(asked__gt=0).exists():
        if which == UNKNOWN:
            return _("No student has practised words of this list yet, so these are all its words.")
        return _(
            "No student has practised words of this list yet, so none is known to be hard. Assign "
            "a puzzle of all its words first."
        )
    if not is_empty:
        return ""
    if which == UNKNOWN:
        return _("The class knows all words of this list. Choose other words.")
    return _("No student has made a mistake in words of this list yet. Choose other words.")


def suggested(
    vocabulary_list: VocabularyList,
    which: str,
    number: int,
    kind: Kind,
    *,
    students: Collection[User] = (),
    found: dict[str, str] | None = None,
) -> tuple[list[Entry], list[Entry]]:
    """Return at most *number* of the entries that `chosen` returns, most needed first.

    The hardest words of *students* come first, those that they know last; otherwise the list's
    order decides. Also return those that would be among them if they suited the *kind* of puzzle.
    """
    entries = chosen(vocabulary_list, which, students=students, found=found)
    keys = list(entries.values_list("pk", flat=True))
    hardest = _hardest(vocabulary_list, students) if students else []
    known = set(_known(vocabulary_list, students)) if students else set()
    rank = {key: place for place, key in enumerate(hardest)}
    keys.sort(key=lambda key: (rank.get(key, len(rank)), key in known))
    # Most words suit: in a long list, not all are looked at.
    looked_at = keys[: 2 * number + _SPARE]
    read = vocabulary_list.entries.prefetch_related("translations").in_bulk(looked_at)
    settings, blocked = kind.default_settings(), blocked_words(vocabulary_list)
    fit: list[Entry] = []
    unfit: list[Entry] = []
    for key in looked_at:
        if len(fit) == number:
            break
        suits, _others = usable([read[key]], kind.why_unfit, settings, blocked)
        (fit if suits else unfit).append(read[key])
    return fit, unfit


def _progress(
    vocabulary_list: VocabularyList, students: Collection[User]
) -> QuerySet[WordProgress]:
    return WordProgress.objects.filter(
        student__in=students, entry__vocabulary_list=vocabulary_list
    ).order_by()


def _known(vocabulary_list: VocabularyList, students: Collection[User]) -> list[int]:
    """Return the words that at least half of the students know."""
    known = _progress(vocabulary_list, students).filter(level__gte=KNOWN)
    counted = known.values("entry").annotate(knowers=Count("pk"))
    most = counted.filter(knowers__gte=max(1, (len(students) + 1) // 2))
    return list(most.values_list("entry", flat=True))


def _hardest(vocabulary_list: VocabularyList, students: Collection[User]) -> list[int]:
    """Return the words with the greatest share of wrong answers."""
    rows = (
        _progress(vocabulary_list, students)
        .values("entry")
        .annotate(misses=Sum("wrong"), answers=Sum("asked"))
        .filter(misses__gt=0)
        .annotate(share=Cast(F("misses"), FloatField()) / (F("answers") + _DOUBT))
        .order_by("-share", "entry")
    )
    return [row["entry"] for row in rows[:MOST_HARDEST]]


@dataclass(frozen=True, slots=True)
class Unsuitable:
    """A word that a kind of puzzle cannot use, why, and the kinds that can."""

    word: str
    reason: str
    others: Sequence[Kind]


@dataclass(frozen=True, slots=True)
class Suitability:
    """How many of some words a kind of puzzle can use, and which it cannot.

    The puzzle has at least so many *parts*, because not all words can be joined. *joined_by* says
    what joins them: LETTERS instead of syllables, READINGS instead of characters, or "".
    """

    usable: int
    unsuitable: Sequence[Unsuitable]
    parts: int = 1
    joined_by: str = ""


def suitability(
    vocabulary_list: VocabularyList,
    entries: Iterable[Entry],
    kind: Kind,
    settings: dict[str, Any],
) -> Suitability:
    """Return which of *entries* suit a kind of puzzle, before one is created."""
    entries = list(entries)
    blocked = blocked_words(vocabulary_list)
    fit, left_out = usable(entries, kind.why_unfit, settings, blocked)
    request = Request(
        words=[entry.played for entry in fit],
        language=vocabulary_list.language,
        digraphs=vocabulary_list.uses_digraphs,
        settings=settings,
    )
    joined = kind.parts(request)
    left_out += [
        {"word": fit[place].term, "reason": packed(reason)}
        for place, reason in joined.left_out.items()
    ]
    by_word = {entry.term: entry for entry in entries}
    others = [other for other in KINDS.values() if other is not kind]
    return Suitability(
        len(fit) - len(joined.left_out),
        [
            Unsuitable(
                one["word"],
                one["reason"],
                [other for other in others if _suits(by_word[one["word"]], other, blocked)],
            )
            for one in left_out
        ],
        joined.count,
        _what_joins(kind, request, fit, joined.count),
    )


def _what_joins(kind: Kind, request: Request, entries: Sequence[Entry], parts: int) -> str:
    """Return what puts words in a few parts that fall into more as they are, or ""."""
    readings = [entry.pronunciation for entry in entries]
    if request.digraphs and splits_syllables(request.language):
        how, other = LETTERS, replace(request, digraphs=False)
    elif primary(request.language) in _WITH_READINGS and all(readings):
        how, other = READINGS, replace(request, words=readings)
    else:
        return ""
    is_better = parts > 1 and kind.parts(other).count <= min(_FEW_PARTS, parts - 1)
    return how if is_better else ""


def _suits(entry: Entry, kind: Kind, blocked: Iterable[BlockedWord]) -> bool:
    return bool(usable([entry], kind.why_unfit, kind.default_settings(), blocked)[0])
