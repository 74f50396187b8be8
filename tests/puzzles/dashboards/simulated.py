"""Classes whose truth is known, which forget by models that are not the one that schedules.

Each class has 30 students and 60 words, and plays for five weeks: five students stop playing before
the end, five forget much faster than the others, five fall behind because they begin to practise
rarely and little after three weeks, and 15 are fine. `GIFTS` has three classes: one that forgets
fast, a usual one, and one that remembers well.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, fields
from datetime import date, datetime, time, timedelta
from functools import cache
from math import hypot
from random import Random
from typing import Any
from zoneinfo import ZoneInfo

from benchmarks.remembering.lessons import BY_CHANCE, WAYS
from benchmarks.remembering.minds import DAY, MINDS, Mind, Person, Way
from puzzles.dashboards.monday import PACE_DAYS, WEEK, Reason, Standing
from vocab.memory import planning
from vocab.memory.card import LAPSES_OF_A_LEECH, Memory
from vocab.memory.estimates import RECENT, REMAINING_ERROR, Recalled, Tests, Word, habit, recalled
from vocab.memory.evidence import Answer, Mode, Skill
from vocab.memory.planning import Candidate

STUDENTS, WORDS, DAYS, WORDS_A_DAY = 30, 60, 35, 24
TROUBLED = 5  # of each kind
ZONE = ZoneInfo("Europe/Zagreb")
TODAY = date(2026, 3, 9)  # a Monday
SLIP = 0.03
SLOW_PLAYS, SLOW_WORDS = 0.35, 6
# In standard deviations of a gift: of each class, among its students, of who forgets faster.
GIFTS = {"slow": -1.5, "usual": 0.0, "quick": 1.5}
GIFT_SPREAD, FORGETS = 0.5, -2.5
TRANSFER = 0.5
SECONDS = 15
# What share of words is met in a word search again: in a class that likes to type, or to search.
SEARCHES = {"typing": 0.25, "mixing": 0.5, "searching": 0.75}
TESTS = {Mode.TYPED, Mode.CROSSWORD}
COMPARED_WEEKS = 4  # as in recall.WEEKS


@dataclass(slots=True)
class Learner:
    """A student and the truth about them.

    *trouble* is the reason for which the page should name them, None if they are fine. *stops* and
    *slows* are how many days before the end they stop, or begin to practise only a few words,
    rarely.
    """

    key: int
    mind: Mind
    plays: float
    share: float
    trouble: Reason | None = None
    stops: int = 0
    slows: int = 0

    def knows(self, word: int) -> float:
        """Return the true chance of recall if the word were asked now, at the end."""
        return self.mind.chance(word, Way.PRODUCING, DAYS * DAY) * (1 - SLIP)


@dataclass(frozen=True, slots=True)
class Given:
    """An answer of a student to a word, *day* days after the class began."""

    student: int
    word: int
    day: int
    mode: Mode
    is_right: bool

    @property
    def at(self) -> datetime:
        on = TODAY - timedelta(days=DAYS - self.day)
        # Each word a few seconds after the one before, so that answers have an order.
        seconds = timedelta(seconds=self.word)
        return datetime.combine(on, time(12), ZONE) + seconds

    def answer(self) -> Answer:
        return Answer(
            self.at, self.at.date(), self.mode, Skill.MEANING_TO_FORM,
            "right" if self.is_right else "wrong",
        )  # fmt: skip


@dataclass(frozen=True, slots=True)
class Test:
    """A delayed test: what was forecast, after how many days, and what came of it."""

    student: int
    word: int
    day: int
    gap: int
    expected: float
    is_right: bool

    def taken(self) -> Tests:
        """Return the test as estimates take it."""
        weeks = (DAYS - self.day) / 7
        return Tests(Word(self.expected, self.gap, weeks), 1, int(self.is_right))


def learners(rng: Random, mind: str, gift: float) -> list[Learner]:
    """Return a class: who stopped, who forgets fast, who is behind, and who is fine, in order."""
    ease = [rng.gauss(0, 1) for _word in range(WORDS)]
    found = []
    for key in range(STUDENTS):
        kind = key % STUDENTS // TROUBLED
        own = rng.gauss(gift, GIFT_SPREAD) + (FORGETS if kind == 1 else 0)
        one = Learner(
            key, MINDS[mind](Person(own, ease), TRANSFER), rng.uniform(0.5, 0.8),
            rng.uniform(0.8, 1.0),
        )  # fmt: skip
        if kind == 0:
            one.trouble, one.stops = Reason.QUIET, rng.randint(8, 16)
        elif kind == 1:
            one.trouble = Reason.RECALLS_LESS
        elif kind == 2:
            one.trouble, one.slows = Reason.BEHIND, rng.randint(14, 18)
        found.append(one)
    return found


@dataclass(slots=True)
class Played:
    """A class after five weeks: its students, every answer, and every delayed test."""

    learners: list[Learner]
    searches: float
    answers: list[Given] = field(default_factory=list)
    memories: dict[tuple[int, int], Memory] = field(default_factory=dict)
    tests: list[Test] = field(default_factory=list)
    days: dict[int, dict[int, int]] = field(default_factory=dict)

    @property
    def difficulty(self) -> list[float]:
        """How hard each word truly is in this class."""
        return [-ease for ease in self.learners[0].mind.person.ease]

    def misses(self) -> dict[int, tuple[int, int]]:
        """Return, by word that was missed, how many of how many delayed tests."""
        counts: dict[int, tuple[int, int]] = {}
        for test in self.tests:
            missed, count = counts.get(test.word, (0, 0))
            counts[test.word] = missed + (not test.is_right), count + 1
        return {word: found for word, found in counts.items() if found[0]}


def asked_now(one: Learner, rng: Random) -> int:
    """Return how many of all words the student would recall if they were asked now."""
    return sum(rng.random() < one.knows(word) for word in range(WORDS))


@cache
def play(mind: str, kind: str, likes: str, seed: int) -> Played:
    """Play a class for five weeks, by the plan of each day; nothing may change what it returns."""
    rng = Random(f"{mind} {kind} {likes} {seed}")
    played = Played(learners(rng, mind, GIFTS[kind]), SEARCHES[likes])
    for day in range(DAYS):
        for one in played.learners:
            is_slow = day >= DAYS - one.slows
            if day < DAYS - one.stops and rng.random() < (SLOW_PLAYS if is_slow else one.plays):
                _play_day(played, one, day, SLOW_WORDS if is_slow else WORDS_A_DAY, rng)
    return played


def _play_day(played: Played, one: Learner, day: int, most: int, rng: Random) -> None:
    on = TODAY - timedelta(days=DAYS - day)
    memories = [played.memories.setdefault((one.key, word), Memory()) for word in range(WORDS)]
    candidates = [Candidate(word, memory.card) for word, memory in enumerate(memories)]
    words = planning.plan(candidates, on, WORDS_A_DAY).words
    wanted = min(most, round(one.share * len(words)))
    done = played.days.setdefault(one.key, {})
    for place, word in enumerate(words[:wanted]):
        memory, now = memories[word], day * DAY + place * SECONDS
        mode = rng.choice([Mode.TYPED, Mode.TYPED, Mode.CROSSWORD])
        if memory.card.last_on is None or rng.random() < played.searches:
            mode = Mode.WORD_SEARCH
        knew = rng.random() < one.mind.chance(word, WAYS[mode], now)
        one.mind.practise(word, WAYS[mode], now, knew=knew)
        is_right = knew or rng.random() < BY_CHANCE.get(mode, 0.0)
        if mode in TESTS and rng.random() < SLIP:
            is_right = False
        given = Given(one.key, word, day, mode, is_right)
        taken = memory.take(given.answer(), f"{one.key}:{word}")
        if taken.gap and taken.expected is not None and mode in TESTS:
            played.tests.append(Test(one.key, word, day, taken.gap, taken.expected, is_right))
        played.answers.append(given)
        done[day] = done.get(day, 0) + 1


def standings(played: Played) -> Iterator[Standing]:
    """Yield what the page knows of each student, from the answers alone."""
    estimates = estimated(played)
    lately_tested: dict[int, list[bool]] = {one.key: [] for one in played.learners}
    for test in played.tests:
        if DAYS - test.day <= 7 * COMPARED_WEEKS:
            lately_tested[test.student].append(test.is_right)
    for one in played.learners:
        done = played.days.get(one.key, {})
        lately = [count for day, count in done.items() if day > DAYS - PACE_DAYS]
        memories = memories_of(played, one)
        last = max(done, default=None)
        yield Standing(
            one.key,
            TODAY - timedelta(days=DAYS),
            last_on=None if last is None else TODAY - timedelta(days=DAYS - last),
            played=sum(day > DAYS - WEEK.days for day in done),
            due=sum(memory.card.is_urgent(TODAY) for memory in memories),
            pace=sum(lately) / len(lately) if lately else None,
            forgotten=sum(
                memory.card.lapses >= LAPSES_OF_A_LEECH and not memory.card.is_known
                for memory in memories
            ),
            recalls=estimates[one.key],
            tests=len(lately_tested[one.key]),
            recalled=sum(lately_tested[one.key]),
        )


def memories_of(played: Played, one: Learner) -> list[Memory]:
    return [played.memories.get((one.key, word), Memory()) for word in range(WORDS)]


def met(played: Played, one: Learner) -> list[Word]:
    """Return the words that were right at least once, as they are now."""
    return [
        Word(memory.card.chance(TODAY), memory.card.gap(TODAY) or 0)
        for memory in memories_of(played, one)
        if memory.counts.right or memory.counts.helped
    ]


def estimated(played: Played) -> list[Recalled | None]:
    """Return the estimate of each student."""
    recent: dict[int, list[Tests]] = {one.key: [] for one in played.learners}
    for test in played.tests:
        if DAYS - test.day <= RECENT.days:
            recent[test.student].append(test.taken())
    of_class = habit(test for tests in recent.values() for test in tests)
    return [recalled(met(played, one), WORDS, recent[one.key], of_class) for one in played.learners]


def merge(one: Any, other: Any) -> None:
    """Add each number of another."""
    for fact in fields(one):
        setattr(one, fact.name, getattr(one, fact.name) + getattr(other, fact.name))


@dataclass(slots=True)
class Ranges:
    """How often the truth lies in the range that is given for it."""

    students: int = 0
    inside: int = 0
    classes: int = 0
    classes_inside: int = 0
    inside_alone: int = 0
    """The classes whose sum would lie in its range even if no error were common to a class."""
    too_many: float = 0.0
    """By how many words the estimates of all students are too high, together."""

    def add(self, truth: Sequence[int], found: Sequence[Recalled | None]) -> None:
        """Add a class; students without an estimate are left out."""
        known = [(true, one) for true, one in zip(truth, found, strict=True) if one]
        off = sum(one.words - true for true, one in known)
        self.students += len(known)
        self.inside += sum(abs(one.words - true) <= one.margin for true, one in known)
        self.classes += 1
        alone = hypot(*(one.margin for _true, one in known))
        # What remains wrong is common to a class: its students met the same words in the same way.
        common = 1.96 * REMAINING_ERROR * WORDS * len(known)
        self.inside_alone += abs(off) <= alone
        self.classes_inside += abs(off) <= hypot(alone, common)
        self.too_many += off

    @property
    def share(self) -> float:
        return self.inside / self.students

    @property
    def share_of_classes(self) -> float:
        return self.classes_inside / self.classes

    @property
    def share_alone(self) -> float:
        return self.inside_alone / self.classes


def tau(order: Sequence[int], difficulty: Sequence[float]) -> float:
    """Return Kendall's tau between an order of words, the hardest first, and the truth."""
    pairs = [(one, other) for place, one in enumerate(order) for other in order[place + 1 :]]
    right = sum(difficulty[one] > difficulty[other] for one, other in pairs)
    return 2 * right / len(pairs) - 1


@dataclass(slots=True)
class Score:
    """Whom a page named, against the truth."""

    named: int = 0
    right: int = 0
    troubled: int = 0
    by_reason: int = 0

    def add(self, truth: dict[int, Reason | None], found: dict[int, set[Reason]]) -> None:
        troubled = {key for key, trouble in truth.items() if trouble}
        self.named += len(found)
        self.right += len(troubled & set(found))
        self.troubled += len(troubled)
        self.by_reason += sum(truth[key] in found.get(key, set()) for key in troubled)

    @property
    def precision(self) -> float:
        return self.right / max(1, self.named)

    @property
    def recall(self) -> float:
        return self.right / max(1, self.troubled)

    @property
    def recall_of_reasons(self) -> float:
        return self.by_reason / max(1, self.troubled)


def truth_of(played: Played) -> dict[int, Reason | None]:
    return {one.key: one.trouble for one in played.learners}
