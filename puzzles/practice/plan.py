"""A student's plan for today: which words to practise, what is left, in which kind of puzzle."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any

from django.db.models import prefetch_related_objects

from puzzles.access import Moment
from puzzles.kinds import KINDS
from puzzles.practice import candidates
from puzzles.practice.candidates import AskedWord, MayAsk, WordsOfWeek, silent
from puzzles.withheld import Waiting
from vocab.memory import planning
from vocab.memory.planning import WORDS_A_DAY, Candidate, Stage
from vocab.memory.rules import today
from vocab.memory.selectors import know_translations
from vocab.models import Entry, Review, Translation, VocabularyList, WordProgress
from vocab.sounds import playback

# So many words are offered to a student who goes on after the plan.
MORE = 12


@dataclass(frozen=True, slots=True)
class DayPlan:
    """The words of the day, those not asked yet, and those missed today and not yet right again.

    Ids of entries, the most urgent first.
    """

    words: Sequence[int]
    left: Sequence[int]
    missed: Sequence[int]


@dataclass(frozen=True, slots=True)
class Today:
    """What a plan is made of: a student's words on one day, as they were when it began.

    *asked* are those that were asked since, and *list_of* has the list of each word.
    """

    moment: Moment
    waiting: Waiting
    may: MayAsk
    size: int
    words: Sequence[Candidate]
    asked: Sequence[AskedWord]
    list_of: Mapping[int, int]

    @classmethod
    def of(
        cls,
        moment: Moment,
        vocabulary_list: VocabularyList | None = None,
        more: int = 0,
        waiting: Waiting | None = None,
        on: date | None = None,
    ) -> Today:
        """Return the words of the day, enough of them for a plan and for *more* after it.

        *on* is the day, if it is not that of *moment*: a later one, as far as it is known now.
        """
        student, on = moment.student, on or today(moment.student, moment.at)
        waiting = waiting or Waiting(moment)
        lists = [
            one for one in moment.lists if vocabulary_list is None or one.pk == vocabulary_list.pk
        ]
        pks = [one.pk for one in lists]
        size = words_a_day(moment)
        most = size + max(more, MORE)
        of_week = WordsOfWeek.of(moment)
        may = MayAsk(student.pk, pks, silent(lists), waiting.of_assignments, on)
        words, list_of = [], {}
        done = candidates.asked(may)
        for one in done:
            words.append(Candidate(one.entry, one.before, one.entry in of_week.words, True))
            list_of[one.entry] = one.vocabulary_list
        for other in candidates.others(may, of_week, most):
            words.append(Candidate(other.entry, other.card, other.entry in of_week.words))
            list_of[other.entry] = other.vocabulary_list
        return cls(moment, waiting, may, size, words, done, list_of)

    def plan(self) -> DayPlan:
        """Return the plan of the day, which stays the same while lists and assignments do.

        Words that an open assignment asks for are not in it until they are found there.
        """
        made = planning.plan(self.words, self.on, self.size)
        missed = [one for one in self.asked if one.missed_on == self.on]
        missed.sort(key=lambda one: one.last_at)
        return DayPlan(made.words, made.left, [one.entry for one in missed])

    def tomorrow(self) -> int:
        """Return how many words the next day's plan has, if nothing else is asked before it."""
        lists = self._lists
        vocabulary_list = lists[0] if len(lists) == 1 < len(self.moment.lists) else None
        next_day = self.on + timedelta(days=1)
        of_day = Today.of(self.moment, vocabulary_list, waiting=self.waiting, on=next_day)
        return len(of_day.plan().words)

    def more(self, size: int) -> list[int]:
        """Return words for after the plan, at most *size*; no word is asked twice a day."""
        rest = [one for one in self.words if not one.is_done]
        return list(planning.plan(rest, self.on, size, is_early=True).words)

    def again(self) -> list[int]:
        """Return the words that were asked on that day already."""
        return [one.entry for one in self.asked]

    def beyond(self, size: int) -> list[int]:
        """Return words for a puzzle that has too few others: new ones, then today's once more."""
        return [*candidates.new_words(self.may, 2 * size), *self.again()]

    def with_question(self, keys: Collection[int]) -> set[int]:
        """Return those of these words that have a question: a meaning, or a sound."""
        if not self.may.silent:
            return {*keys}
        asking = [key for key in keys if self.list_of[key] in self.may.silent]
        meant = set(
            Translation.objects.filter(entry__in=asking).order_by().values_list("entry", flat=True)
        )
        return {key for key in keys if self.list_of[key] not in self.may.silent or key in meant}

    @property
    def on(self) -> date:
        """The day."""
        return self.may.on

    @property
    def lists(self) -> Sequence[int]:
        """The ids of the lists, newest first."""
        return self.may.lists

    @property
    def _lists(self) -> list[VocabularyList]:
        return [one for one in self.moment.lists if one.pk in self.lists]


def words_a_day(moment: Moment) -> int:
    """Return how many words the student's classes expect of them a day: the most of any class."""
    return max((one.words_a_day for one in moment.classes), default=WORDS_A_DAY)


@dataclass(frozen=True, slots=True)
class Offer:
    """The kind of puzzle that suits most of the words left, and how many of them it can ask."""

    kind: str
    words: int


def offer(keys: Collection[int], moment: Moment) -> Offer | None:
    """Return which kind suits most of these words of a student; None if no kind can ask any."""
    if not keys:
        return None
    entries = entries_to_ask(keys, moment)
    rows = WordProgress.objects.filter(student=moment.student, entry__in=keys)
    progress = {row.pop("entry"): row for row in rows.values("entry", *STAGE)}
    on = today(moment.student, moment.at)
    wanted = Counter(_kind_for(progress.get(entry.pk), entry, on) for entry in entries)
    can = {
        slug: count if (count := len(askable(slug, entries))) >= kind.fewest_words else 0
        for slug, kind in KINDS.items()
    }
    best = max(KINDS, key=lambda slug: (bool(can[slug]), min(wanted[slug], can[slug]), can[slug]))
    return Offer(best, can[best]) if can[best] else None


def _kind_for(known: dict[str, Any] | None, entry: Entry, on: date) -> str:
    kinds = list(KINDS)  # from the easiest way of asking to the hardest
    stage = stage_of(known, on)
    if stage == Stage.HEAR and not playback.is_speakable(entry.vocabulary_list.language):
        return kinds[-1]
    return kinds[stage]


# What `stage_of` needs to know of a word.
STAGE = ("right", "state__ways", "missed_on")


def stage_of(known: dict[str, Any] | None, on: date) -> Stage:
    """Return how to ask a word of which `STAGE` is *known* on a day; None if it is new."""
    if known is None:
        return Stage.RECOGNISE
    was_heard = Review.Skill.SOUND_TO_FORM in known["state__ways"]
    return planning.stage(known["right"], was_heard, known["missed_on"], on)


def entries(keys: Collection[int]) -> list[Entry]:
    """Return these entries, in any order."""
    return list(Entry.objects.filter(pk__in=keys).order_by())


def entries_to_ask(
    keys: Collection[int], moment: Moment | None = None, known: dict[int, Entry] | None = None
) -> list[Entry]:
    """Return entries in the order of *keys*, with what kinds need to know of them.

    Lists that were read already are those of *moment*, and entries those that are *known* by id;
    these others are added to.
    """
    known = {} if known is None else known
    read = {one.pk: one for one in entries([key for key in keys if key not in known])}
    know_translations([*read.values()])
    if moment is not None:
        moment.know_lists(read.values())
    else:
        prefetch_related_objects(list(read.values()), "vocabulary_list")
    known |= read
    return [known[key] for key in keys if key in known]


def askable(kind: str, entries: Iterable[Entry]) -> list[Entry]:
    """Return the entries that a puzzle of this kind can ask, so that an answer counts."""
    return KINDS[kind].askable(entries, KINDS[kind].default_settings())
