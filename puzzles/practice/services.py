"""Practice puzzles: which words a student should review now, and a puzzle of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import Max, Min
from django.utils import timezone
from django.utils.translation import gettext as _

from osmosmjerka.accounts.models import User
from puzzles.access import lists_of_student
from puzzles.kinds import KINDS
from puzzles.making import services as making
from puzzles.models import Puzzle
from puzzles.untold import words_of_assignments
from vocab.models import Entry, Review, VocabularyList, WordProgress

SIZE = 12


@dataclass(frozen=True, slots=True)
class WordsToMeet:
    """Entry ids of one list by the reason to review them, the most urgent first."""

    due: tuple[int, ...] = ()
    lapsed: tuple[int, ...] = ()
    new: tuple[int, ...] = ()

    def __len__(self) -> int:
        return len(self.due) + len(self.lapsed) + len(self.new)

    def first(self, size: int, *, pinned: Iterable[int] = ()) -> list[int]:
        """Return at most *size* entries: those a teacher pinned, then due, lapsed and new ones."""
        wanted = dict.fromkeys([*pinned, *self.due, *self.lapsed, *self.new])
        return list(wanted)[:size]


def due_counts(student: User, at: datetime) -> Counter[int]:
    """Return for each list of the student how many of its words are due at *at*."""
    due = (
        WordProgress.objects.filter(
            student=student,
            due_at__lte=at,
            entry__vocabulary_list__in=lists_of_student(student),
            entry__deleted_at=None,
        )
        .values_list("entry__vocabulary_list", "entry")
        .distinct()
    )
    return Counter(list_id for list_id, _entry in due)


def words_to_meet(
    student: User, vocabulary_list: VocabularyList, at: datetime | None = None
) -> WordsToMeet:
    """Return the words of a list that the student should review at *at* (default: now).

    Overdue words come first, longest overdue before others; then words that were forgotten and
    are not known again; then words never asked, in the list's order. A word that was only seen
    is new: seeing it is not recalling it.
    """
    at = at or timezone.now()
    met = {
        row["entry"]: row
        for row in WordProgress.objects.filter(
            student=student, entry__vocabulary_list=vocabulary_list, entry__deleted_at=None
        )
        .exclude(skill=Review.Skill.FORM)
        .exclude(due_at=None)
        .values("entry")
        .annotate(due=Min("due_at"), forgotten=Max("lapses"), days=Min("stability"))
    }
    due = sorted((row["due"], key) for key, row in met.items() if row["due"] <= at)
    late = {key for _due, key in due}
    lapsed = sorted(
        (row["days"], key)
        for key, row in met.items()
        if key not in late and row["forgotten"] and row["days"] < 7
    )
    new = Entry.objects.filter(vocabulary_list=vocabulary_list).exclude(pk__in=met)
    return WordsToMeet(
        tuple(key for _due, key in due),
        tuple(key for _days, key in lapsed),
        tuple(new.values_list("pk", flat=True)),
    )


def lists_by_need(student: User, at: datetime) -> list[VocabularyList]:
    """Return the student's lists, those with the most due words first, then the newest."""
    lists = list(lists_of_student(student))
    counts = due_counts(student, at)
    return sorted(lists, key=lambda one: (-counts[one.pk], -one.pk))


def words_to_practise(
    student: User, vocabulary_list: VocabularyList, at: datetime, *, is_free: bool = False
) -> list[int]:
    """Return the entries that a practice puzzle may contain, the most urgent first.

    Words that an assignment still asks for are not among them. *is_free* allows all other words.
    """
    if is_free:
        wanted = list(vocabulary_list.entries.values_list("pk", flat=True))
    else:
        meet = words_to_meet(student, vocabulary_list, at)
        wanted = meet.first(len(meet))
    hidden = words_of_assignments(student, at)
    return [key for key in wanted if key not in hidden]


def best_list(student: User, at: datetime, *, is_free: bool = False) -> VocabularyList | None:
    """Return the list with the most due words; if none, the newest that has words to practise."""
    lists = lists_by_need(student, at)
    return next(
        (one for one in lists if words_to_practise(student, one, at, is_free=is_free)), None
    )


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
    """Request a puzzle of the student's due and weak words, of any kind.

    By default *vocabulary_list* is the one with the most due words. *is_free* practice uses any
    words and changes no due date. Words that an assignment still asks for are in neither. A second
    request while the puzzle is being created returns the same puzzle. Raises ValidationError if
    there is nothing to practise.
    """
    at = timezone.now()
    chosen = vocabulary_list or best_list(student, at) or best_list(student, at, is_free=is_free)
    if chosen is None:
        raise ValidationError(_nothing(student, at))
    if not lists_of_student(student).filter(pk=chosen.pk).exists():
        raise ValidationError(_("This is not one of your lists."))
    entries = words_to_practise(student, chosen, at, is_free=is_free)
    if not entries and (is_free or not words_to_practise(student, chosen, at, is_free=True)):
        raise ValidationError(_nothing(student, at))
    if not entries:
        raise ValidationError(
            _("No words in this list are due for review. You can still play for fun.")
        )
    if not is_free:
        entries = entries[:size]
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
        # Translators: the title of a puzzle made for practising the words of a list.
        title=_("Practice: %(list)s") % {"list": chosen.title},
        seed=seed,
        entries=entries,
        is_free_practice=is_free,
    )


def _nothing(student: User, at: datetime) -> str:
    if words_of_assignments(student, at):
        return _("Solve the puzzles that your teacher assigned first: they ask for these words.")
    return _("Nothing to practise right now. Come back tomorrow.")


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
