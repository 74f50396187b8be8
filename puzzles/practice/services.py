"""Practice puzzles of the words that a student should practise today."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from osmosmjerka.accounts.models import User
from puzzles.access import Moment
from puzzles.kinds import KINDS
from puzzles.making import services as making
from puzzles.models import Placement, Puzzle
from puzzles.practice import plan
from puzzles.withheld import Waiting
from vocab.models import Entry, VocabularyList

SIZE = 12
# A smaller puzzle is no game: more words are added to the last ones of a plan.
FEWEST = 6


def to_practise(of_day: plan.Today, kind: str, size: int) -> list[int]:
    """Return at most *size* entries for a practice puzzle of a kind, the most urgent first.

    These are the words left of today's plan that the kind can ask; if they are few, also new words
    and those that will be forgotten next; and if they are too few for a puzzle, also words that
    were asked today, or none if even these are too few. Words that an assignment still asks for are
    not in it.
    """
    fewest = min(size, FEWEST)
    wanted = _waiting(of_day, kind, size, fewest)
    if 0 < len(wanted) < fewest:
        wanted = _unique([*wanted, *_askable(kind, of_day.again())])[:fewest]
    return wanted if len(wanted) >= KINDS[kind].fewest_words else []


def words_to_fill(
    student: User,
    vocabulary_list: VocabularyList,
    kind: str,
    at: datetime,
    size: int,
    known: dict[int, Entry] | None = None,
) -> list[int]:
    """Return *size* entries for a puzzle that has to have so many, the most urgent first.

    The list need not be assigned to the student: worksheets are made of any list. To the words that
    `to_practise` gives, it adds more new words than a day's eight, and then words that were
    asked today; fewer only if the list has no others. *known* keeps the entries that were read, by
    id, for other students.
    """
    moment = Moment(student, at)
    if vocabulary_list not in moment.lists:
        moment.lists.append(vocabulary_list)
    of_day = plan.Today.of(moment, vocabulary_list, size)
    wanted = _waiting(of_day, kind, size, size, known)
    if len(wanted) < size:
        wanted = _unique([*wanted, *_askable(kind, of_day.beyond(size), known)])[:size]
    return wanted


def _waiting(
    of_day: plan.Today,
    kind: str,
    size: int,
    fewest: int,
    known: dict[int, Entry] | None = None,
) -> list[int]:
    left = of_day.plan().left
    wanted = _askable(kind, left, known)[:size]
    if len(wanted) < fewest:
        more = of_day.more(size + len(left))
        wanted = _unique([*wanted, *_askable(kind, more, known)])[:fewest]
    return wanted


def _unique(keys: Iterable[int]) -> list[int]:
    return list(dict.fromkeys(keys))


def _askable(kind: str, keys: Sequence[int], known: dict[int, Entry] | None = None) -> list[int]:
    entries = plan.entries_to_ask(keys, known=known)
    return [entry.pk for entry in plan.askable(kind, entries)]


@transaction.atomic
def request_practice(
    *,
    student: User,
    kind: str,
    vocabulary_list: VocabularyList | None = None,
    size: int = SIZE,
    is_free: bool = False,
    settings: dict[str, Any] | None = None,
    seed: int | None = None,
) -> Puzzle:
    """Request a puzzle, of any kind, of words that the student should practise today.

    By default *vocabulary_list* is the one with the most words left that the kind can ask.
    *is_free* practice uses any words and changes no due date. Words that an assignment still asks
    for are in neither. A second request while the puzzle is being created returns the same puzzle.
    Raises ValidationError if there is nothing to practise.
    """
    making.known_kind(kind)
    moment = Moment(student, timezone.now())
    if vocabulary_list and vocabulary_list not in moment.lists:
        raise ValidationError(_("This is not one of your lists."))
    chosen, entries = _chosen(moment, kind, vocabulary_list, size, is_free=is_free)
    waiting = making.waiting_for(
        student, vocabulary_list=chosen, kind=kind, is_free_practice=is_free, adapted_for=None
    )
    if waiting is not None:
        return waiting
    lengths = [len(tiles) for tiles in chosen.entries.values_list("tiles", flat=True)]
    return making.request_puzzle(
        vocabulary_list=chosen,
        kind=kind,
        created_by=student,
        settings=fitting_settings(kind, min(len(entries), size), max(lengths, default=0))
        | (settings or {}),
        seed=seed,
        entries=entries,
        is_free_practice=is_free,
    )


@transaction.atomic
def request_step(*, student: User, kind: str, vocabulary_list: VocabularyList) -> Puzzle:
    """Request a puzzle of a kind for the path of a list.

    It has the words to practise today, or if there are none for the kind, any words, for fun.
    Raises ValidationError if an assignment asks for all of them.
    """
    try:
        return request_practice(student=student, kind=kind, vocabulary_list=vocabulary_list)
    except ValidationError:
        return request_practice(
            student=student, kind=kind, vocabulary_list=vocabulary_list, is_free=True
        )


def words_again(
    moment: Moment, words: Iterable[Placement], waiting: Waiting | None = None
) -> list[Entry]:
    """Return the words of a puzzle that the student of *moment* may play in another one.

    They are still in a list of theirs, and no assignment asks for them.
    """
    hidden = (waiting or Waiting(moment)).of_assignments
    keys = [
        one.entry_id for one in words if one.entry_id is not None and one.entry_id not in hidden
    ]
    entries = plan.entries_to_ask(keys, moment)
    lists = {one.pk for one in moment.lists}
    return [one for one in entries if one.vocabulary_list_id in lists and one.deleted_at is None]


def can_ask(kind: str, entries: Sequence[Entry], of: int) -> bool:
    """Return whether a puzzle of this kind can ask enough of the words of a game *of* so many."""
    fewest = max(KINDS[kind].fewest_words, min(of, FEWEST))
    return len(plan.askable(kind, entries)) >= fewest


@transaction.atomic
def request_again(*, student: User, puzzle: Puzzle, kind: str) -> Puzzle:
    """Request a puzzle, of any kind, of the words of one that the student has finished.

    Raises ValidationError if it is not finished, or if its words cannot be asked in this kind.
    """
    making.known_kind(kind)
    if not puzzle.sessions.filter(student=student, finished_at__isnull=False).exists():
        raise ValidationError(_("Finish the puzzle first."))
    placed = puzzle.placements.all()
    words = words_again(Moment(student, timezone.now()), placed)
    if not can_ask(kind, words, len(placed)):
        raise ValidationError(_("These words cannot be used in this puzzle type. Try another one."))
    return _puzzle_of(student, kind, puzzle.vocabulary_list, plan.askable(kind, words))


@transaction.atomic
def request_picked(*, student: User, kind: str, words: Sequence[int]) -> Puzzle:
    """Request a puzzle of words that the student picked, those that are needed most first.

    A puzzle has words of one list: of that with the most of them among the first `SIZE` that the
    kind can ask. Words that must not be told now are left out. A second request while the puzzle is
    being created returns the same puzzle. Raises ValidationError if too few words are left.
    """
    making.known_kind(kind)
    moment = Moment(student, timezone.now())
    waiting, lists = Waiting(moment), {one.pk for one in moment.lists}
    found = plan.entries_to_ask([key for key in words if key not in waiting.withheld], moment)
    found = plan.askable(kind, [one for one in found if one.vocabulary_list_id in lists])
    if not found:
        raise ValidationError(_("These words cannot be used in this puzzle type. Try another one."))
    counts = Counter(one.vocabulary_list for one in found[:SIZE])
    ((chosen, _count),) = counts.most_common(1)
    entries = [one for one in found if one.vocabulary_list_id == chosen.pk][:SIZE]
    if len(entries) < KINDS[kind].fewest_words:
        raise ValidationError(_("There are too few words for this puzzle type. Try another one."))
    return _puzzle_of(student, kind, chosen, entries)


def _puzzle_of(
    student: User, kind: str, vocabulary_list: VocabularyList, entries: Sequence[Entry]
) -> Puzzle:
    """Request a puzzle of these words of a list, or return that for which the student waits."""
    wanted = [one.pk for one in entries]
    waiting = making.waiting_for(
        student, vocabulary_list=vocabulary_list, kind=kind, entries=wanted
    )
    return waiting or making.request_puzzle(
        vocabulary_list=vocabulary_list,
        kind=kind,
        created_by=student,
        settings=fitting_settings(kind, len(wanted), max(len(one.tiles) for one in entries)),
        entries=wanted,
    )


def _chosen(
    moment: Moment, kind: str, vocabulary_list: VocabularyList | None, size: int, *, is_free: bool
) -> tuple[VocabularyList, list[int]]:
    """Return the list for a practice puzzle and the entries. Raises ValidationError."""
    of_day = plan.Today.of(moment, vocabulary_list, size)
    left = of_day.plan().left
    waiting = plan.entries_to_ask(_unique([*left, *of_day.more(size + len(left))]))
    chosen = vocabulary_list or _most_wanted(plan.askable(kind, waiting), set(left))
    if is_free:
        for one in [chosen] if chosen else moment.lists:
            if entries := of_day.waiting.free_words(one):
                return one, entries
    elif chosen is not None:
        if chosen != vocabulary_list:
            of_day = plan.Today.of(moment, chosen, size, of_day.waiting)
        if entries := to_practise(of_day, kind, size):
            return chosen, entries
    if not is_free and any(plan.askable(other, waiting) for other in KINDS):
        raise ValidationError(
            _("The words left today cannot be used in this puzzle type. Try another one.")
        )
    if of_day.waiting.of_assignments:
        raise ValidationError(
            _("First solve the puzzles that your teacher assigned: they ask for these words.")
        )
    if not is_free and of_day.lists:
        raise ValidationError(
            _("You have practised all your words today. You can still play for fun.")
        )
    raise ValidationError(
        _("No words to practise today. Words return just before you would forget them.")
    )


def _most_wanted(entries: Sequence[Entry], left: set[int]) -> VocabularyList | None:
    """Return the list with the most of these words, those *left* of the plan before others."""
    counts: Counter[VocabularyList] = Counter()
    for entry in entries:
        counts[entry.vocabulary_list] += 1000 if entry.pk in left else 1
    return max(counts, key=lambda one: (counts[one], one.pk), default=None)


def fitting_settings(kind: str, words: int, longest: int = 0) -> dict[str, Any]:
    """Return settings of a kind for this number of words of at most *longest* letters."""
    if kind not in KINDS:
        return {}
    fields = KINDS[kind].settings_form.base_fields
    wanted = {"words": words, "rows": max(words, 8), "cols": max(longest + 2, 10)}
    return {
        name: min(value, getattr(fields[name], "max_value", None) or value)
        for name, value in wanted.items()
        if name in fields
    }
