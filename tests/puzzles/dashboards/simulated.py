"""Classes whose truth is known, which forget by a model that is not the one that schedules.

Each class has 30 students and 60 words, and plays for five weeks: five students stop playing before
the end, five forget much faster than the others, five fall behind because they begin to practise
rarely and little after three weeks, and 15 are fine.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import date, datetime, time, timedelta
from random import Random
from zoneinfo import ZoneInfo

from puzzles.dashboards.monday import PACE_DAYS, WEEK, Reason, Standing
from vocab.memory import planning
from vocab.memory.card import LAPSES_OF_A_LEECH, Memory
from vocab.memory.estimates import RECENT, Recalled, Tests, recalled
from vocab.memory.evidence import Answer, Mode, Skill
from vocab.memory.planning import Candidate

STUDENTS, WORDS, DAYS, WORDS_A_DAY = 30, 60, 35, 24
TROUBLED = 5  # of each kind
ZONE = ZoneInfo("Europe/Zagreb")
TODAY = date(2026, 3, 9)  # a Monday
SLIP = 0.03
SLOW_PLAYS, SLOW_WORDS = 0.35, 6


@dataclass(slots=True)
class Learner:
    """A student and the truth about them.

    *trouble* is the reason for which the page should name them, None if they are fine. *ability*
    multiplies how long they remember; *stops* and *slows* are how many days before the end they
    stop, or begin to practise only a few words, rarely.
    """

    key: int
    trouble: Reason | None = None
    ability: float = 1.0
    plays: float = 0.65
    share: float = 0.9
    stops: int = 0
    slows: int = 0
    strength: dict[int, float] = field(default_factory=dict)
    last: dict[int, int] = field(default_factory=dict)

    def chance(self, word: int, day: int, ease: float) -> float:
        """Return the true chance of recall: a power law of the days since the word was met."""
        if word not in self.strength:
            return 0.0
        away = day - self.last[word]
        return float((1 + away / (3 * self.strength[word] * ease)) ** -1.2)

    def meet(self, word: int, day: int, chance: float, *, is_right: bool) -> None:
        """Let an answer strengthen or weaken what is remembered."""
        before = self.strength.get(word)
        if before is None:
            self.strength[word] = 2.0 * self.ability
        elif is_right:
            self.strength[word] = before * (1 + 2.5 * self.ability * (1.05 - chance))
        else:
            self.strength[word] = max(0.7 * self.ability, before * 0.6)
        self.last[word] = day


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


def learners(rng: Random) -> list[Learner]:
    """Return a class: who stopped, who forgets fast, who is behind, and who is fine, in order."""
    found = []
    for key in range(STUDENTS):
        one = Learner(key, ability=rng.lognormvariate(0, 0.15), plays=rng.uniform(0.5, 0.8))
        one.share = rng.uniform(0.8, 1.0)
        kind = key % STUDENTS // TROUBLED
        if kind == 0:
            one.trouble, one.stops = Reason.QUIET, rng.randint(8, 16)
        elif kind == 1:
            one.trouble, one.ability = Reason.RECALLS_LESS, 0.3 * one.ability
        elif kind == 2:
            one.trouble, one.slows = Reason.BEHIND, rng.randint(14, 18)
        found.append(one)
    return found


@dataclass(slots=True)
class Played:
    """A class after five weeks: its students, every answer, and what was forecast of each word."""

    learners: list[Learner]
    ease: list[float]
    answers: list[Given] = field(default_factory=list)
    memories: dict[tuple[int, int], Memory] = field(default_factory=dict)
    tests: dict[int, list[tuple[int, float, bool]]] = field(default_factory=dict)
    days: dict[int, dict[int, int]] = field(default_factory=dict)

    def asked_now(self, one: Learner, rng: Random) -> int:
        """Return how many of all words the student would recall if they were asked now."""
        chances = [one.chance(word, DAYS, ease) for word, ease in enumerate(self.ease)]
        return sum(rng.random() < chance * (1 - SLIP) for chance in chances)


def play(rng: Random) -> Played:
    """Play a class for five weeks, by the plan of each day."""
    played = Played(learners(rng), [rng.lognormvariate(0, 0.3) for _word in range(WORDS)])
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
    for word in words[:wanted]:
        chance = one.chance(word, day, played.ease[word])
        is_new = memories[word].card.last_on is None
        mode = Mode.WORD_SEARCH if is_new else rng.choice(
            [Mode.TYPED, Mode.TYPED, Mode.CROSSWORD, Mode.WORD_SEARCH]
        )  # fmt: skip
        is_easy = mode == Mode.WORD_SEARCH
        is_right = rng.random() < (0.97 if is_easy else chance * (1 - SLIP))
        given = Given(one.key, word, day, mode, is_right)
        taken = memories[word].take(given.answer(), f"{one.key}:{word}")
        if taken.gap and taken.expected is not None and not is_easy:
            played.tests.setdefault(one.key, []).append((day, taken.expected, is_right))
        one.meet(word, day, chance, is_right=is_right)
        played.answers.append(given)
        done[day] = done.get(day, 0) + 1


def standings(played: Played) -> Iterator[Standing]:
    """Yield what the page knows of each student, from the answers alone."""
    for one in played.learners:
        done = played.days.get(one.key, {})
        lately = [count for day, count in done.items() if day > DAYS - PACE_DAYS]
        memories = [played.memories.get((one.key, word), Memory()) for word in range(WORDS)]
        last = max(done, default=None)
        yield Standing(
            one.key,
            TODAY - timedelta(days=DAYS),
            last_on=None if last is None else TODAY - timedelta(days=DAYS - last),
            played=sum(day > DAYS - WEEK.days for day in done),
            due=sum(
                bool(memory.card.due_on and memory.card.due_on <= TODAY) for memory in memories
            ),
            pace=sum(lately) / len(lately) if lately else None,
            forgotten=sum(
                memory.card.lapses >= LAPSES_OF_A_LEECH and not memory.card.is_known
                for memory in memories
            ),
            recalls=_estimate(
                memories,
                [
                    (expected, is_right)
                    for day, expected, is_right in played.tests.get(one.key, [])
                    if day >= DAYS - RECENT.days
                ],
            ),
        )


def _estimate(memories: list[Memory], seen: list[tuple[float, bool]]) -> Recalled | None:
    tests = Tests(
        len(seen),
        sum(is_right for _expected, is_right in seen),
        sum(expected for expected, _is_right in seen),
        sum(expected * (1 - expected) for expected, _is_right in seen),
    )
    met = [one.card for one in memories if one.counts.right or one.counts.helped]
    return recalled([card.chance(TODAY) for card in met], WORDS, tests)


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
