"""Practice puzzles of the words that a student should practise today."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from datetime import datetime
from typing import Any

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from osmosmjerka.accounts.models import User
from puzzles.access import lists_of_student
from puzzles.kinds import KINDS
from puzzles.making import services as making
from puzzles.models import Puzzle
from puzzles.practice import plan
from puzzles.untold import words_of_assignments
from vocab.models import Entry, VocabularyList

SIZE = 12
# A smaller puzzle is no game: more words are added to the last ones of a plan.
FEWEST = 6


def lists_by_need(student: User, at: datetime) -> list[VocabularyList]:
    """Return the student's lists, those with the most words left today first, then the newest."""
    left = Counter(
        Entry.objects.filter(pk__in=plan.day_plan(student, at).left).values_list(
            "vocabulary_list", flat=True
        )
    )
    return sorted(lists_of_student(student), key=lambda one: (-left[one.pk], -one.pk))


def words_to_practise(
    student: User,
    vocabulary_list: VocabularyList,
    kind: str,
    at: datetime,
    size: int = SIZE,
    *,
    fewest: int = FEWEST,
) -> list[int]:
    """Return at most *size* entries for a practice puzzle of a kind, the most urgent first.

    These are the words left of today's plan that the kind can ask; if they are less than *fewest*,
    also new words and those that will be forgotten next. Words that an assignment still asks for
    are not in it.
    """
    of_day = plan.Today.of(student, at, vocabulary_list)
    left = of_day.plan().left
    wanted = _askable(kind, left)[:size]
    if len(wanted) < min(size, fewest):
        more = of_day.more(size + len(left))
        wanted = list(dict.fromkeys([*wanted, *_askable(kind, more)]))[: min(size, fewest)]
    return wanted


def _askable(kind: str, keys: Sequence[int]) -> list[int]:
    return [entry.pk for entry in plan.askable(kind, plan.entries_to_ask(keys))]


def words_for_fun(student: User, vocabulary_list: VocabularyList, at: datetime) -> list[int]:
    """Return the words of a list that no assignment still asks for."""
    hidden = words_of_assignments(student, at)
    wanted = vocabulary_list.entries.values_list("pk", flat=True)
    return [key for key in wanted if key not in hidden]


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

    By default *vocabulary_list* is the one with the most words left. *is_free* practice uses any
    words and changes no due date. Words that an assignment still asks for are in neither. A second
    request while the puzzle is being created returns the same puzzle. Raises ValidationError if
    there is nothing to practise.
    """
    at = timezone.now()
    if kind not in KINDS:
        raise ValidationError({"kind": making.unknown_kind(kind)})
    lists = [vocabulary_list] if vocabulary_list else lists_by_need(student, at)
    if vocabulary_list and not lists_of_student(student).filter(pk=vocabulary_list.pk).exists():
        raise ValidationError(_("This is not one of your lists."))
    for chosen in lists:
        entries = (
            words_for_fun(student, chosen, at)
            if is_free
            else words_to_practise(student, chosen, kind, at, size)
        )
        if entries:
            break
    else:
        raise ValidationError(_nothing(student, kind, lists, at))
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


def _nothing(student: User, kind: str, lists: Sequence[VocabularyList], at: datetime) -> str:
    for chosen in lists:
        if any(words_to_practise(student, chosen, other, at) for other in KINDS if other != kind):
            return _("The words left today cannot be asked in this puzzle type. Try another one.")
    if words_of_assignments(student, at):
        return _("Solve the puzzles that your teacher assigned first: they ask for these words.")
    if any(words_for_fun(student, chosen, at) for chosen in lists):
        return _("You have practised all your words today. You can still play for fun.")
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
