"""What a student remembers of one word, answer by answer. Pure.

A word has one schedule, whatever the ways in which it is asked, and it moves once a day. Within a
day the first answer counts, with one exception: having to produce the word shows more than finding
it, so the first test of the day replaces an earlier find, though it bridges no days then, because
the word had just been in view. What is asked again later that day, as a missed word is, changes
nothing.
"""

from __future__ import annotations

from dataclasses import dataclass, field, fields, replace
from datetime import date, timedelta
from enum import IntEnum
from typing import Any

from fsrs import Rating

from vocab.memory.evidence import Answer, Evidence, evidence
from vocab.memory.scheduling import DEFAULT, Model, fuzzed, recall_chance, step

# Days until a word is asked again: while it was never right on an earlier day, and at least from
# then on, also after a miss. Found by `benchmarks.remembering`: who asks weak words at once repeats
# a few of them for ever, and an equal wait teaches more.
FIRST_WAIT, WAIT = 2, 8
# FSRS trusts finds and choices. A date is at most so many times as far away as recall has bridged.
MOST_OF_PROVEN = 2
# A due word gives way to new words for a day more for so many days on which it was right. Otherwise
# who only plays word searches, which prove nothing, would never begin the rest of a long list.
RIGHT_FOR_A_DAY = 3
# A word that is forgotten so often after it was learnt rests, and the teacher is told.
LAPSES_OF_A_LEECH = 4
REST = timedelta(days=7)


class Level(IntEnum):
    """How well a word is known. All but the first two have been shown by unaided recall."""

    NEW = 0
    LEARNING = 1
    SLIPPING = 2
    DAYS = 3
    WEEKS = 4
    MONTHS = 5


# The days that an unaided recall must have bridged.
BRIDGED = {Level.DAYS: 3, Level.WEEKS: 14, Level.MONTHS: 30}
KNOWN_DAYS = BRIDGED[Level.DAYS]


@dataclass(frozen=True, slots=True)
class Card:
    """The schedule and the level of a word. Days are days of study; see `vocab.memory.days`."""

    stability: float | None = None
    difficulty: float | None = None
    last_on: date | None = None
    due_on: date | None = None
    urgent_on: date | None = None
    """The day from which it comes before new words."""
    streak: int = 0
    """On how many days it was right without help, since it was wrong last."""
    moves: int = 0
    lapses: int = 0
    bridged: int = 0
    """The most days after which it was recalled unaided, since it was forgotten last."""
    is_slipping: bool = False
    learnt_on: date | None = None
    """When it was first answered right."""
    known_since: date | None = None
    """Since when it is known for days or longer."""
    rests_until: date | None = None

    @property
    def level(self) -> Level:
        if self.stability is None:
            return Level.NEW
        if self.is_slipping:
            return Level.SLIPPING
        return max((level for level, days in BRIDGED.items() if self.bridged >= days),
                   default=Level.LEARNING)  # fmt: skip

    @property
    def is_known(self) -> bool:
        return self.level >= Level.DAYS

    def is_due(self, on: date) -> bool:
        return self.due_on is not None and self.due_on <= on

    def is_urgent(self, on: date) -> bool:
        """Return whether it comes before new words on a day."""
        return self.is_due(on) and (self.urgent_on is None or self.urgent_on <= on)

    def rests(self, on: date) -> bool:
        return self.rests_until is not None and on < self.rests_until

    def chance(self, on: date, model: Model = DEFAULT) -> float:
        """Return the expected chance of recall on a day, 0…1."""
        return recall_chance(
            self.stability, (on - self.last_on).days if self.last_on else None, model
        )

    def gap(self, on: date) -> int | None:
        """Return the days since the word was last met; None for a new word."""
        return max(0, (on - self.last_on).days) if self.last_on else None


def moved(
    card: Card,
    shown: Evidence,
    on: date,
    seed: str,
    model: Model = DEFAULT,
    *,
    was_in_view: bool = False,
) -> Card:
    """Return the card after the answer that counts on a day; *seed* names student and word.

    *was_in_view* is true if the word was met earlier that day: then recall bridges no days.
    """
    gap = card.gap(on) or 0
    taken = step(card.stability, card.difficulty, gap, shown.rating, model)
    is_miss = shown.rating == Rating.Again
    is_lapse = is_miss and card.learnt_on is not None and card.learnt_on < on
    lapses = card.lapses + is_lapse
    rests_until = on + REST if is_lapse and lapses >= LAPSES_OF_A_LEECH else None
    stability = taken.stability
    if shown.is_wrong and card.stability is not None:
        # A word misheard is graded Hard, with which FSRS would lengthen the interval.
        stability = min(stability, card.stability)
    bridged, is_slipping = card.bridged, card.is_slipping
    if is_miss:
        bridged, is_slipping = 0, is_slipping or card.is_known
    elif shown.is_recall:
        bridged = max(bridged, 0 if was_in_view else gap)
        is_slipping = is_slipping and bridged < KNOWN_DAYS
    interval = fuzzed(taken.interval, seed)
    due_on = on + timedelta(days=_wait(card, shown, on, interval, bridged))
    if shown.is_wrong and card.due_on is not None and card.due_on > on:
        due_on = min(due_on, card.due_on)  # asked early: a miss makes no date later
    streak = 0 if shown.is_wrong else card.streak + shown.is_unaided
    after = replace(
        card,
        stability=stability,
        difficulty=taken.difficulty,
        last_on=on,
        due_on=due_on,
        urgent_on=due_on + timedelta(days=streak // RIGHT_FOR_A_DAY),
        streak=streak,
        moves=card.moves + 1,
        lapses=lapses,
        bridged=bridged,
        is_slipping=is_slipping,
        learnt_on=card.learnt_on or (None if shown.is_wrong else on),
        rests_until=rests_until,
    )
    return replace(after, known_since=(card.known_since or on) if after.is_known else None)


def _wait(card: Card, shown: Evidence, on: date, interval: int, bridged: int) -> int:
    """Return in how many days the word is asked again; *interval* is what FSRS says."""
    if card.learnt_on is None or card.learnt_on == on:
        return FIRST_WAIT
    if shown.is_wrong:
        return WAIT
    return min(max(interval, WAIT), max(WAIT, MOST_OF_PROVEN * bridged))


@dataclass(slots=True)
class Knowing:
    """Facts of one way of knowing a word: they decide nothing, they are shown.

    *gap* is the most days after which it was right without help.
    """

    asked: int = 0
    right: int = 0
    last_on: str = ""
    gap: int = 0


@dataclass(slots=True)
class Counts:
    """How often a word was asked, on how many occasions that count, and with what result.

    *delayed* counts first tests at least a day after the word was last met, *recalled* those of
    them that were right without help.
    """

    asked: int = 0
    right: int = 0
    helped: int = 0
    wrong: int = 0
    delayed: int = 0
    recalled: int = 0


@dataclass(slots=True)
class Taken:
    """What taking one answer meant.

    *is_evidence* is true if it shows anything, and *moves* if it is the day's answer that counts.
    *gap* is the days since the word was last met and *expected* the forecast chance of recall then;
    both are None for a new word, and unless the answer is the first of its day.
    """

    is_evidence: bool = False
    moves: bool = False
    gap: int | None = None
    expected: float | None = None


@dataclass(slots=True)
class Memory:
    """One student's memory of one word, updated with each answer in order.

    *before* and *counts_before* are what was remembered when the day of *card.last_on* began.
    *was_test* says whether that day's answer was a test or a miss, which no later one replaces,
    *was_told* whether the word was missed by ear, so that only a miss by meaning replaces that.
    *typo_on* is the day on which a typo was taken back: the word was told then.
    *missed_on* is the day on which it was missed and not yet right again, *tries* how often it was
    asked on the card's last day.
    """

    card: Card = field(default_factory=Card)
    before: Card = field(default_factory=Card)
    counts: Counts = field(default_factory=Counts)
    counts_before: Counts = field(default_factory=Counts)
    ways: dict[str, Knowing] = field(default_factory=dict)
    was_test: bool = False
    was_told: bool = False
    typo_on: date | None = None
    tries: int = 0
    missed_on: date | None = None

    def take(self, answer: Answer, seed: str, model: Model = DEFAULT) -> Taken:
        """Take the next answer; *seed* names student and word."""
        shown = evidence(answer)
        if shown is None:
            if answer.is_taken_back:
                self.typo_on = answer.day
            return Taken()
        # A clock that was set back, or a move to the west, does not undo a day.
        on = max(answer.day, self.card.last_on or answer.day)
        is_first = on != self.card.last_on
        if is_first:
            self.before, self.counts_before = self.card, replace(self.counts)
            self.tries = 0
        self._know(shown, on, self.before.gap(on))
        self.tries += 1
        is_miss = answer.outcome == "wrong"
        self.missed_on = on if is_miss else None
        if not is_first and not self._replaces(shown):
            return Taken(is_evidence=True)
        gap = self.before.gap(on)
        is_fresh = is_first and self.typo_on != on
        taken = Taken(is_evidence=True, moves=True)
        if is_fresh and gap is not None:
            taken.gap, taken.expected = gap, self.before.chance(on, model)
        self.was_test = shown.is_test or shown.rating == Rating.Again
        self.was_told = shown.is_wrong
        self.card = moved(self.before, shown, on, seed, model, was_in_view=not is_fresh)
        self.counts = replace(self.counts_before)
        self._count(shown, gap if is_fresh else None)
        return taken

    def _replaces(self, shown: Evidence) -> bool:
        """Whether an answer counts instead of the day's first one."""
        if self.was_test:
            return False
        return shown.rating == Rating.Again if self.was_told else shown.is_test

    def _count(self, shown: Evidence, gap: int | None) -> None:
        counts = self.counts
        counts.asked += 1
        if shown.is_unaided:
            counts.right += 1
        elif shown.is_wrong:
            counts.wrong += 1
        else:
            counts.helped += 1
        # After a find on the same day, the word has just been seen: that is no delayed recall.
        if gap and shown.is_test:
            counts.delayed += 1
            counts.recalled += shown.is_unaided

    def _know(self, shown: Evidence, on: date, gap: int | None) -> None:
        is_fresh = on != self.card.last_on
        for skill in shown.skills:
            way = self.ways.setdefault(skill, Knowing())
            if way.last_on == on.isoformat():
                continue
            way.asked += 1
            way.last_on = on.isoformat()
            if shown.is_unaided:
                way.right += 1
                way.gap = max(way.gap, (gap or 0) if is_fresh else 0)


_CARD, _KNOWING = ([one.name for one in fields(kind)] for kind in (Card, Knowing))
_DAYS = {"last_on", "due_on", "urgent_on", "learnt_on", "known_since", "rests_until"}


def card_to_json(card: Card) -> dict[str, Any]:
    """Return a card in a form that JSON can store; see `card_from_json`."""
    written = {name: value for name in _CARD if (value := getattr(card, name))}
    return {name: value.isoformat() if name in _DAYS else value for name, value in written.items()}


def card_from_json(stored: dict[str, Any]) -> Card:
    """Return the card that `card_to_json` wrote."""
    read: dict[str, Any] = {
        name: date.fromisoformat(value) if name in _DAYS else value
        for name, value in stored.items()
        if name in _CARD
    }
    return Card(**read)


def ways_to_json(ways: dict[str, Knowing]) -> dict[str, Any]:
    return {
        skill: {name: getattr(way, name) for name in _KNOWING}
        for skill, way in sorted(ways.items())
    }


def ways_from_json(stored: dict[str, Any]) -> dict[str, Knowing]:
    return {skill: Knowing(**way) for skill, way in stored.items()}
