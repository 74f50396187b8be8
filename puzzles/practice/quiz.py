"""The quick review of due words without a grid: answers are typed, typed by ear, or chosen."""

from __future__ import annotations

import uuid
from dataclasses import dataclass, field
from datetime import datetime
from random import Random
from typing import cast

from django.db.models import QuerySet
from django.utils import timezone

from osmosmjerka.accounts.models import User
from puzzles.access import lists_of_student
from puzzles.practice import services as practice
from puzzles.untold import untold_words, words_in_play
from vocab.memory import reviews
from vocab.models import Entry, Review
from vocab.sounds import playback
from vocab.text import Comparison, compare
from vocab.text.comparison import Accents

CHOICES = 4
MODES = ("chosen", "typed", "heard")


@dataclass(frozen=True, slots=True)
class Question:
    """A question; `attempt` ensures that an answer that is sent twice counts once."""

    entry: Entry
    mode: str
    attempt: uuid.UUID
    left: int = 0
    choices: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Verdict:
    """The result of an answer, letter by letter."""

    entry: Entry
    typed: str
    comparison: Comparison

    @property
    def outcome(self) -> str:
        return Review.Outcome.RIGHT if self.comparison.is_right else Review.Outcome.WRONG


def next_question(
    student: User, rng: Random, mode: str = "", skip: int | None = None
) -> Question | None:
    """Return the next word to ask, the longest overdue first; None if none is due.

    Without a *mode*, new and forgotten words are chosen from four, others are typed or heard.
    *skip* is the word that was asked last: another one comes first if there is one. Words that
    must not be told now (see `puzzles.untold`) are not asked.
    """
    at = timezone.now()
    untold = untold_words(student, at)
    for vocabulary_list in practice.lists_by_need(student, at):
        meet = practice.words_to_meet(student, vocabulary_list, at)
        wanted = [key for key in meet.first(len(meet)) if key not in untold]
        wanted.sort(key=lambda key: key == skip)
        entries = Entry.objects.prefetch_related("translations").select_related("vocabulary_list")
        found = entries.in_bulk(wanted)
        askable = [found[key] for key in wanted if key in found and can_ask(found[key])]
        if askable:
            break
    else:
        return None
    entry = askable[0]
    can_hear = playback.is_speakable(vocabulary_list.language)
    has_meaning = bool(entry.translations.all())
    if mode not in MODES:
        is_weak = entry.pk not in meet.due
        mode = "chosen" if is_weak else rng.choice(["typed", "heard"] if can_hear else ["typed"])
    if mode == "heard" and not can_hear:
        mode = "typed"
    choices = _choices(entry, rng, words_in_play(student, at) | untold) if mode == "chosen" else []
    if len(choices) == 1:
        mode, choices = "typed", []
    if not has_meaning:
        mode = "heard"
    attempt = uuid.UUID(int=rng.getrandbits(128), version=4)
    return Question(entry, mode, attempt, len(askable), choices)


def entries_to_review(student: User, at: datetime) -> QuerySet[Entry]:
    """Return the words that a review may ask and reveal to the student."""
    return (
        Entry.objects.filter(vocabulary_list__in=lists_of_student(student))
        .exclude(pk__in=untold_words(student, at))
        .select_related("vocabulary_list")
    )


def can_ask(entry: Entry) -> bool:
    """Return whether there is a question for the word: a meaning, or its sound."""
    language = entry.vocabulary_list.language
    return bool(entry.translations.all()) or playback.is_speakable(language)


def _choices(entry: Entry, rng: Random, hidden: set[int]) -> list[str]:
    """Return the word among distinct others that do not share any of its meanings."""
    meanings = entry.translations.values("text")
    others = sorted(
        set(
            entry.vocabulary_list.entries.exclude(pk__in=hidden)
            .exclude(key=entry.key)
            .exclude(translations__text__in=meanings)
            .values_list("term", flat=True)
        )
    )
    choices = [*rng.sample(others, min(CHOICES - 1, len(others))), entry.term]
    rng.shuffle(choices)
    return choices


def judge(entry: Entry, given: str, mode: str) -> Verdict:
    """Compare an answer with the word, by its list's rule for accents."""
    vocabulary_list = entry.vocabulary_list
    return Verdict(
        entry,
        given,
        compare(
            entry.term,
            given,
            language=vocabulary_list.language,
            # Choices are spelled by the page, so a different accent means another word.
            accents="strict" if mode == "chosen" else cast(Accents, vocabulary_list.accents),
            digraphs=vocabulary_list.uses_digraphs,
        ),
    )


def answer(
    *,
    student: User,
    entry: Entry,
    mode: str,
    given: str,
    attempt: uuid.UUID,
    latency_ms: int | None = None,
) -> Verdict:
    """Judge an answer and add a review of its skill to the history; repeats count once."""
    given = given.replace("\0", "")[:300]  # databases cannot store NUL
    verdict = judge(entry, given, mode)
    skill = {
        "chosen": Review.Skill.MEANING_TO_FORM,
        "typed": Review.Skill.SPELLING,
        "heard": Review.Skill.SOUND_TO_FORM,
    }[mode]
    reviews.review(
        student=student,
        entry=entry,
        skill=skill,
        outcome=verdict.outcome,
        wrong_tries=int(verdict.outcome == Review.Outcome.WRONG),
        latency_ms=latency_ms,
        at=timezone.now(),
        source=f"review:{student.pk}:{attempt}",
        given="" if verdict.outcome == Review.Outcome.RIGHT else given,
    )
    return verdict
