"""The quick review of today's words without a grid: answers are typed, typed by ear, or chosen."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from random import Random
from typing import Any, cast

import regex
from django.db.models import QuerySet
from django.utils import timezone

from osmosmjerka.accounts.models import User
from puzzles.practice import plan
from puzzles.practice.rounds import Round
from puzzles.withheld import Waiting
from vocab.memory import reviews
from vocab.models import Entry, Review, VocabularyList, WordProgress
from vocab.sounds import playback
from vocab.text import Comparison, direction, keyboard_for, match_key
from vocab.text.answers import compare_answer, right_answers
from vocab.text.comparison import Accents
from vocab.text.cutting import small_tiles

CHOICES = 4
# With fewer wrong ones, half of all guesses would be right: the word is typed instead.
_FEWEST_WRONG = 2
MODES = ("chosen", "heard", "typed")  # by `plan.Stage`
# Choices are drawn from so many words, from a random place on.
_DRAWN_FROM = 40
_HAN = regex.compile(r"\p{Han}")
_KANA = regex.compile(r"[\p{Hiragana}\p{Katakana}ー・\s]+")
# An alphabet of more signs (Chinese, Korean, Hindi) is none that keys could write.
_MOST_KEYS = 40


@dataclass(frozen=True, slots=True)
class Question:
    """A question; `attempt` ensures that an answer that is sent twice counts once."""

    entry: Entry
    mode: str
    attempt: uuid.UUID
    choices: Sequence[str] = field(default_factory=list)

    @property
    def letters(self) -> list[str]:
        """The letters of the language that a keyboard may lack; they reveal no word."""
        vocabulary_list = self.entry.vocabulary_list
        language = vocabulary_list.language
        keys = keyboard_for([self.entry.tiles], language, digraphs=False)
        small = dict.fromkeys("".join(small_tiles(key, language)) for key in keys)
        letters = [letter for letter in small if letter and not letter.isascii()]
        return letters if len(letters) <= _MOST_KEYS else []

    @property
    def direction(self) -> str:
        """The direction of these letters, "ltr" or "rtl"."""
        return direction(self.entry.vocabulary_list.language)


@dataclass(frozen=True, slots=True)
class Verdict:
    """The result of an answer, letter by letter.

    *is_slip* means that it is wrong only by an accent or one letter, even if that is accepted.
    """

    entry: Entry
    typed: str
    comparison: Comparison
    is_slip: bool = False

    @property
    def outcome(self) -> str:
        return Review.Outcome.RIGHT if self.comparison.is_right else Review.Outcome.WRONG


def next_question(
    today: Round, rng: Random, mode: str = "", *, may_hear: bool = True, later: int = 0
) -> Question | None:
    """Return the next word of a round to ask; None if none is left that can be asked.

    Without a *mode*, it is chosen from four, heard or typed by `plan.stage_of`. Without *may_hear*,
    words that would be heard are typed. The word *later*, which was told just now, comes last.
    """
    moment = today.of_day.moment
    words = [key for key in today.review if key != later] or today.review
    entry = next(iter(plan.entries_to_ask(words[:1], moment)), None)
    if entry is None:
        return None
    can_hear = playback.is_speakable(entry.vocabulary_list.language)
    if mode not in MODES:
        progress = WordProgress.objects.filter(student=moment.student, entry=entry)
        mode = MODES[plan.stage_of(progress.values(*plan.STAGE).first(), today.on)]
        if mode == "heard" and not may_hear:
            mode = "typed"
    if not entry.translations.all():
        mode = "heard"
    elif mode == "heard" and not can_hear:
        mode = "typed"
    hidden = today.waiting.in_play | today.waiting.withheld
    attempt = uuid.UUID(int=rng.getrandbits(128), version=4)
    return question_about(entry, mode, rng, hidden, attempt, moment.lists)


def question_about(
    entry: Entry,
    mode: str,
    rng: Random,
    hidden: set[int],
    attempt: uuid.UUID,
    lists: Sequence[VocabularyList],
) -> Question:
    """Return a question about a word; one that would be chosen is typed if there are few others.

    The words that are *hidden*, as ids of entries, are not offered as choices. *lists* are those of
    the student: where the word's own has too few others, lists of the same languages have more.
    """
    choices = _choices(entry, rng, hidden, lists) if mode == "chosen" else []
    if mode == "chosen" and len(choices) <= _FEWEST_WRONG:
        mode, choices = "typed", []
    return Question(entry, mode, attempt, choices)


def missed(student: User, attempt: uuid.UUID, waiting: Waiting) -> Verdict | None:
    """Return the verdict on a wrong answer of the student; None if there is none to tell now."""
    review = Review.objects.filter(
        source=source_of(student, attempt),
        outcome=Review.Outcome.WRONG,
        entry__in=entries_to_review(waiting),
    ).first()
    if review is None:
        return None
    entry = entries_to_review(waiting).get(pk=review.entry_id)
    return judge(entry, review.given, review.mode)


def take_back(student: User, attempt: uuid.UUID) -> Review | None:
    """Take back the student's last answer, which was a typo; None if that is not possible."""
    source = source_of(student, attempt)
    return reviews.take_back(student=student, source=source, at=timezone.now())


def entries_to_review(waiting: Waiting) -> QuerySet[Entry]:
    """Return the words that a review may ask and reveal to the student."""
    return (
        Entry.objects.filter(vocabulary_list__in=waiting.moment.lists)
        .exclude(pk__in=waiting.withheld)
        .select_related("vocabulary_list")
    )


def _choices(
    entry: Entry, rng: Random, hidden: set[int], lists: Sequence[VocabularyList]
) -> list[str]:
    """Return the word among distinct others that do not share any of its meanings.

    They are drawn from some words of the list, so that a long list costs no more than a short one;
    where these are too few, from those of the other *lists* of the same languages.
    """
    own = entry.vocabulary_list
    alike = [
        one
        for one in lists
        if one != own
        and one.language == own.language
        and one.translation_languages == own.translation_languages
    ]
    others: list[str] = []
    for words in (own.entries.all(), Entry.objects.filter(vocabulary_list__in=alike)):
        if wanted := CHOICES - 1 - len(others):
            drawn = sorted(_other_words(entry, words, rng, hidden) - {*others})
            others += rng.sample(drawn, min(wanted, len(drawn)))
    choices = [*others, entry.term]
    rng.shuffle(choices)
    return choices


def _other_words(entry: Entry, words: QuerySet[Entry], rng: Random, hidden: set[int]) -> set[str]:
    """Return some of these words, from a random place on, that may be choices beside a word."""
    meanings = [translation.text for translation in entry.translations.all()]
    words = words.order_by("pk")
    keys = words.values_list("pk", flat=True)
    # One step each into an index; the greatest and the least of all would read the list.
    first, last = keys.first() or 0, keys.last() or 0
    start = rng.randint(first, last)
    may_be = (
        words.exclude(pk__in=hidden)
        .exclude(key=entry.key)
        .exclude(translations__text__in=meanings)
        .values_list("term", flat=True)
    )
    drawn = list(may_be.filter(pk__gte=start)[:_DRAWN_FROM])
    if len(drawn) < _DRAWN_FROM:
        drawn += may_be.filter(pk__lt=start)[: _DRAWN_FROM - len(drawn)]
    return set(drawn) - {entry.term}


def judge(entry: Entry, given: str, mode: str) -> Verdict:
    """Compare an answer with the word, by its list's rule for accents.

    What differs from it is not accepted if it is another word of the list.
    """
    vocabulary_list = entry.vocabulary_list
    comparison = compare_answer(
        entry.term,
        given,
        language=vocabulary_list.language,
        rules=vocabulary_list.playing_rules,
        others=_other_answers(entry),
        # Choices are spelled by the page, so a different accent means another word.
        accents="strict" if mode == "chosen" else cast(Accents, vocabulary_list.accents),
        digraphs=vocabulary_list.uses_digraphs,
    )
    is_close = comparison.is_accent_slip or comparison.is_one_letter_off
    if (is_close or comparison.is_right) and _is_another_word(entry, given):
        wrong = replace(comparison, is_right=False, is_accent_slip=False)
        return Verdict(entry, given, wrong)
    return Verdict(entry, given, comparison, is_slip=is_close and mode != "chosen")


def _other_answers(entry: Entry) -> list[str]:
    """Return the forms chosen for this entry, and how its kanji are read."""
    is_kana = _KANA.fullmatch(entry.pronunciation) and _HAN.search(entry.term)
    return [*entry.answers, *([entry.pronunciation] if is_kana else [])]


def _is_another_word(entry: Entry, given: str) -> bool:
    vocabulary_list = entry.vocabulary_list
    key = match_key(given, vocabulary_list.language)
    right = right_answers(
        entry.term, vocabulary_list.language, frozenset(vocabulary_list.playing_rules)
    )
    if key in {match_key(one, vocabulary_list.language) for one in (*entry.answers, *right)}:
        return False
    return vocabulary_list.entries.filter(key=key).exclude(pk=entry.pk).exists()


def answer(
    *,
    student: User,
    entry: Entry,
    mode: str,
    given: str,
    attempt: uuid.UUID,
    gives_up: bool = False,
    latency_ms: int | None = None,
) -> Verdict:
    """Judge an answer and add it to the history; repeats count once.

    A student who *gives_up* is told the word, and has missed it.
    """
    given = "" if gives_up else given.replace("\0", "")[:300]  # databases cannot store NUL
    verdict = judge(entry, given, mode)
    is_wrong = verdict.outcome == Review.Outcome.WRONG
    record(
        student=student,
        entry=entry,
        mode=Review.Mode(mode),
        outcome=verdict.outcome,
        source=source_of(student, attempt),
        is_heard=mode == "heard",
        wrong_tries=int(is_wrong and bool(given.strip())),
        is_slip=verdict.is_slip,
        latency_ms=latency_ms,
        given=given if is_wrong else "",
    )
    return verdict


def source_of(student: User, attempt: uuid.UUID) -> str:
    """Return the source under which `answer` adds an attempt of the student to the history."""
    return f"review:{student.pk}:{attempt}"


def record(
    *,
    student: User,
    entry: Entry,
    mode: Review.Mode,
    outcome: str,
    source: str,
    is_heard: bool = False,
    **facts: Any,
) -> None:
    """Add an answer without a puzzle to the history: of the quick review, a card or a match.

    What has the same *source* counts once; *facts* are others of `reviews.GivenAnswer`.
    """
    reviews.review(
        student=student,
        entry=entry,
        mode=mode,
        skill=Review.Skill.SOUND_TO_FORM if is_heard else Review.Skill.MEANING_TO_FORM,
        outcome=outcome,
        at=timezone.now(),
        source=source,
        **facts,
    )
