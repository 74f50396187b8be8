"""How many words a class can produce after twelve weeks, and four weeks later without practice.

    python -m benchmarks.remembering [--students 15] [--seeds 2] [--weeks 12] [--words 300 100 30]
        [--setting all]

The students' memory is not the scheduler's: it is the activation model of Pavlik and Anderson
("Practice and forgetting effects on vocabulary memory", Cognitive Science 29, 2005; used for
choosing what to practise in "Using a model to compute the optimal schedule of practice", Journal of
Experimental Psychology: Applied 14, 2008), with their parameters for vocabulary. Every practice
leaves a trace that decays with time as t^-d, the faster the more active the word was at that
moment, so that spaced practice lasts. The log of the sum is the activation; a logistic of it gives
the chance of recall. Time between days runs at 1/40 of the time within them, as in their fit.

Added here: three ways of asking (recognising in a word search or among four choices, hearing,
producing). A trace counts fully for the way that was practised and in part for the others: about
half of the words learnt receptively can also be produced (Mondria and Wiersma, 2004; Webb, 2005).
Producing helps the other ways fully. A word that was not recalled is shown, and leaves a weaker
trace than recall does (Karpicke and Roediger, 2008). One of four choices is right by chance in one
of four cases, a word in a word search is mostly found by its letters, and a known word is mistyped
now and then. Words and students differ by a normal amount of activation.

Compared, on the same days, with equal numbers of words asked, for the same students and words:

- "plan": `vocab.memory.planning` and `vocab.memory.card` as they are, a word being recognised
  first, then heard, then produced.
- "random": other words at random every day, asked in the same order of ways.
- "Leitner": five boxes of 1, 2, 4, 8 and 16 days, asked in the same order.
- "FSRS, produced": the fsrs package itself, one skill, always asked by producing, no limit for new
  words. "plan, produced" and "random, produced" are also always asked by producing.

Everything is done twice: without and with missed words being asked once more at the end of the day,
as in the quick review. That second time is one more play ("again"), and changes no schedule.

Intervals of the ratio to "random" are a paired bootstrap over students; the words of each class are
taken as they are. The forecasts of `Card.chance` are compared with the model's truth at every
delayed test and at the end, without and with the correction of `vocab.memory.estimates`.
"""

from __future__ import annotations

import argparse
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time, timedelta
from enum import IntEnum
from math import exp, log
from random import Random
from statistics import mean

from fsrs import Card as PackageCard
from fsrs import Rating, Scheduler

from vocab.memory.card import Memory
from vocab.memory.estimates import RECENT, Tests, offset, recalled, shifted
from vocab.memory.evidence import Answer, Mode, Skill
from vocab.memory.planning import WORDS_A_DAY, Candidate, plan

START = date(2026, 9, 7)  # a Monday
LATER = timedelta(weeks=4)
SECONDS_A_PLAY = 15


class Way(IntEnum):
    RECOGNISING = 0
    HEARING = 1
    PRODUCING = 2


WAYS = {
    Mode.WORD_SEARCH: Way.RECOGNISING,
    Mode.CHOSEN: Way.RECOGNISING,
    Mode.FINDER: Way.HEARING,
    Mode.TYPED: Way.PRODUCING,
}


@dataclass(frozen=True, slots=True)
class Setting:
    """A forgetting model. *decay*, *spacing*, *threshold*, *noise* and *nights* (the speed of time
    between days) are those of Pavlik and Anderson (2005): a, c, τ, s and h."""

    name: str = "Pavlik & Anderson 2005"
    decay: float = 0.177
    spacing: float = 0.217
    threshold: float = -0.704
    noise: float = 0.255
    nights: float = 0.025
    transfer: float = 0.5
    shown: float = 0.7  # strength of a trace of a word that was shown, where recall leaves 1
    words_differ: float = 0.3
    students_differ: float = 0.2
    by_letters: float = 0.85
    slips: float = 0.05
    near_slips: float = 0.6  # the part of slips that are one letter or an accent


USUAL = Setting()
SETTINGS = [
    USUAL,
    replace(USUAL, name="little transfer (0.25)", transfer=0.25),
    replace(USUAL, name="much transfer (0.75)", transfer=0.75),
    replace(USUAL, name="slower forgetting (h 0.0125)", nights=0.0125),
    replace(USUAL, name="faster forgetting (h 0.05)", nights=0.05),
    replace(USUAL, name="alike words and students", words_differ=0.1, students_differ=0.05),
    replace(USUAL, name="recall teaches no more than seeing", shown=1.0),
]


class Mind:
    """What a simulated student remembers. Time is in seconds as the model counts them."""

    def __init__(self, setting: Setting, ease: Sequence[float], rng: Random) -> None:
        self.setting = setting
        self.rng = rng
        # What activation must exceed, by word.
        self.threshold = [setting.threshold - one for one in ease]
        self.traces: dict[int, list[tuple[float, float, tuple[float, float, float]]]] = {}
        share = setting.transfer
        self.transfer = ((1.0, share, share), (share, 1.0, share), (1.0, 1.0, 1.0))
        self.now = 0.0

    def sleep(self, days: float) -> None:
        self.now += days * 86_400 * self.setting.nights

    def strength(self, word: int, way: Way) -> float:
        traces = self.traces.get(word, ())
        return sum((shares[way] * (self.now - at) ** -decay for at, decay, shares in traces), 0.0)

    def chance(self, word: int, way: Way = Way.PRODUCING) -> float:
        """Return the chance of recall without guessing."""
        strength = self.strength(word, way)
        if not strength:
            return 0.0
        off = (log(strength) - self.threshold[word]) / self.setting.noise
        return 1 / (1 + exp(-off)) if off > -50 else 0.0

    def ask(self, word: int, mode: Mode) -> tuple[str, bool]:
        """Ask a word, then show it; return the outcome and whether it was a slip."""
        self.now += SECONDS_A_PLAY
        way, setting = WAYS[mode], self.setting
        knows = self.rng.random() < self.chance(word, way)
        strength = 1.0 if knows else setting.shown
        decay = setting.spacing * self.strength(word, way) + setting.decay
        shares = self.transfer[way]
        trace = (self.now - 1, decay, tuple(strength * share for share in shares))
        self.traces.setdefault(word, []).append(trace)  # type: ignore[arg-type]
        if mode == Mode.TYPED:
            if knows and self.rng.random() < setting.slips:
                is_near = self.rng.random() < setting.near_slips
                return "wrong", is_near
            return ("right" if knows else "wrong"), False
        by_chance = 0.25 if mode == Mode.CHOSEN else setting.by_letters
        return ("right" if knows or self.rng.random() < by_chance else "wrong"), False


def kind_for(times: int, rng: Random) -> Mode:
    """Return how a word is asked that was met so often: recognised, then heard, then produced."""
    if times == 0:
        return rng.choice([Mode.WORD_SEARCH, Mode.CHOSEN])
    return Mode.FINDER if times == 1 else Mode.TYPED


@dataclass(frozen=True, slots=True)
class DelayedTest:
    """A forecast, the model's chance of being right unaided, and what happened."""

    on: date
    forecast: float
    truth: float
    is_right: bool


def tests(delayed: Iterable[DelayedTest], until: date) -> Tests:
    """Return the sums of the delayed tests that count on a day, without those of the day itself."""
    recent = [one for one in delayed if until - RECENT <= one.on < until]
    forecasts = [one.forecast for one in recent]
    right = sum(one.is_right for one in recent)
    return Tests(len(recent), right, sum(forecasts), sum(e * (1 - e) for e in forecasts))


class Method(ABC):
    """A way of choosing words. One object is one student's."""

    def __init__(self, words: int, seed: str) -> None:
        self.words = words
        self.rng = Random(seed)
        self.seed = seed
        self.times: dict[int, int] = {}

    @abstractmethod
    def choose(self, on: date, size: int) -> list[int]:
        """Return the words of a day, at most *size*."""

    def mode(self, word: int) -> Mode:
        return kind_for(self.times.get(word, 0), self.rng)

    def take(self, word: int, on: date, mode: Mode, outcome: str, is_slip: bool) -> None:
        self.times[word] = self.times.get(word, 0) + 1

    def forecast(self, word: int, on: date) -> float | None:
        """Return the forecast of a delayed test, None if it is none."""
        return None

    def due(self, on: date) -> int:
        return 0


class Planned(Method):
    def __init__(self, words: int, seed: str) -> None:
        super().__init__(words, seed)
        self.memories = [Memory() for _word in range(words)]

    def choose(self, on: date, size: int) -> list[int]:
        candidates = (Candidate(word, one.card) for word, one in enumerate(self.memories))
        return list(plan(candidates, on, size).words)

    def mode(self, word: int) -> Mode:
        return kind_for(self.memories[word].card.moves, self.rng)

    def take(self, word: int, on: date, mode: Mode, outcome: str, is_slip: bool) -> None:
        super().take(word, on, mode, outcome, is_slip)
        is_heard = WAYS[mode] == Way.HEARING
        skill = Skill.SOUND_TO_FORM if is_heard else Skill.MEANING_TO_FORM
        at = datetime.combine(on, time(10), UTC)
        answer = Answer(at, on, mode, skill, outcome, is_slip=is_slip)
        self.memories[word].take(answer, f"{self.seed}:{word}")

    def forecast(self, word: int, on: date) -> float | None:
        card = self.memories[word].card
        return card.chance(on) if card.gap(on) else None

    def due(self, on: date) -> int:
        cards = (one.card for one in self.memories)
        return sum(card.due_on is not None and card.due_on <= on for card in cards)


class PlannedProduced(Planned):
    def mode(self, word: int) -> Mode:
        return Mode.TYPED


class RandomWords(Method):
    def choose(self, on: date, size: int) -> list[int]:
        return self.rng.sample(range(self.words), min(size, self.words))


class RandomProduced(RandomWords):
    def mode(self, word: int) -> Mode:
        return Mode.TYPED


class Leitner(Method):
    intervals = (1, 2, 4, 8, 16)

    def __init__(self, words: int, seed: str) -> None:
        super().__init__(words, seed)
        self.boxes: dict[int, int] = {}
        self.due_on: dict[int, date] = {}

    def choose(self, on: date, size: int) -> list[int]:
        met = sorted(self.due_on, key=lambda word: (self.due_on[word], word))
        waiting = [word for word in met if self.due_on[word] <= on]
        new = [word for word in range(self.words) if word not in self.due_on]
        return [*waiting, *new, *met[len(waiting) :]][:size]

    def take(self, word: int, on: date, mode: Mode, outcome: str, is_slip: bool) -> None:
        super().take(word, on, mode, outcome, is_slip)
        box = min(self.boxes.get(word, -1) + 1, 4) if outcome == "right" else 0
        self.boxes[word] = box
        self.due_on[word] = on + timedelta(days=self.intervals[box])

    def due(self, on: date) -> int:
        return sum(due <= on for due in self.due_on.values())


class Fsrs(Method):
    def __init__(self, words: int, seed: str) -> None:
        super().__init__(words, seed)
        self.scheduler = Scheduler(learning_steps=(), relearning_steps=(), enable_fuzzing=False)
        self.cards: dict[int, PackageCard] = {}

    def choose(self, on: date, size: int) -> list[int]:
        met = sorted(self.cards, key=lambda word: (self.cards[word].due, word))
        waiting = [word for word in met if self.cards[word].due.date() <= on]
        new = [word for word in range(self.words) if word not in self.cards]
        return [*waiting, *new, *met[len(waiting) :]][:size]

    def mode(self, word: int) -> Mode:
        return Mode.TYPED

    def take(self, word: int, on: date, mode: Mode, outcome: str, is_slip: bool) -> None:
        super().take(word, on, mode, outcome, is_slip)
        card = self.cards.get(word) or PackageCard(card_id=0)
        rating = Rating.Good if outcome == "right" else Rating.Again
        at = datetime.combine(on, time(10), UTC)
        self.cards[word], _log = self.scheduler.review_card(card, rating, at)

    def due(self, on: date) -> int:
        return sum(card.due.date() <= on for card in self.cards.values())


# The plan comes first: the others play as often as it takes.
METHODS: dict[str, Callable[[int, str], Method]] = {
    "plan": Planned,
    "random": RandomWords,
    "plan, produced": PlannedProduced,
    "random, produced": RandomProduced,
    "Leitner": Leitner,
    "FSRS, produced": Fsrs,
}


@dataclass(slots=True)
class Result:
    """One student with one method: words recalled at the end and four weeks later, and so on.

    *plays* is the number of words asked on each day, *again* how many were asked twice. *forecast*
    and *estimate* (with *margin*) are of the words that the student would answer right at the end,
    by the scheduler and after correction; *true_now* is what the model says, and *drawn* a test
    drawn from it.
    """

    now: float
    later: float
    met: int
    due: int
    plays: list[int]
    again: int
    delayed: list[DelayedTest]
    forecast: float = 0.0
    true_now: float = 0.0
    drawn: int = 0
    estimate: float | None = None
    margin: float = 0.0


def study(
    method: Method,
    mind: Mind,
    days: Sequence[int],
    plays: Sequence[int] | None,
    weeks: int,
    *,
    returns: bool,
) -> Result:
    """Let a student practise on days (numbers from 0).

    *plays* is how many words to ask on each, if given; with *returns*, those that were missed are
    asked once more, in addition.
    """
    delayed: list[DelayedTest] = []
    asked: list[int] = []
    again = before = 0
    for number, day in enumerate(days):
        mind.sleep(day - before)
        before = day
        on = START + timedelta(days=day)
        chosen = method.choose(on, plays[number] if plays else WORDS_A_DAY)
        asked.append(len(chosen))
        missed = []
        for word in chosen:
            mode = method.mode(word)
            expected = method.forecast(word, on) if mode == Mode.TYPED else None
            truth = mind.chance(word) * (1 - mind.setting.slips)
            outcome, is_slip = mind.ask(word, mode)
            if expected is not None:
                delayed.append(DelayedTest(on, expected, truth, outcome == "right"))
            method.take(word, on, mode, outcome, is_slip)
            if outcome == "wrong":
                missed.append((word, mode))
        for word, mode in missed if returns else ():
            mind.ask(word, mode)
        again += len(missed) if returns else 0
    end = weeks * 7
    mind.sleep(end - before)
    on = START + timedelta(days=end)
    words = range(method.words)
    now = [mind.chance(word) for word in words]
    result = Result(sum(now), 0.0, len(mind.traces), method.due(on), asked, again, delayed)
    if isinstance(method, Planned):
        met = [word for word in words if method.memories[word].card.last_on]
        chances = [method.memories[word].card.chance(on) for word in met]
        right = [now[word] * (1 - mind.setting.slips) for word in met]
        result.forecast, result.true_now = sum(chances), sum(right)
        result.drawn = sum(mind.rng.random() < one for one in right)
        found = recalled(chances, method.words, tests(delayed, on))
        if found:
            result.estimate, result.margin = found.words, found.margin
    mind.sleep(LATER.days)
    result.later = sum(mind.chance(word) for word in words)
    return result


def a_class(
    setting: Setting, *, students: int, words: int, weeks: int, seed: int, returns: bool
) -> dict[str, list[Result]]:
    """Return the students of one class, by method, in the same order."""
    common = Random(f"class {seed}")
    ease = [common.gauss(0, setting.words_differ) for _word in range(words)]
    results: dict[str, list[Result]] = {name: [] for name in METHODS}
    for student in range(students):
        rng = Random(f"student {seed}:{student}")
        gift = rng.gauss(0, setting.students_differ)
        days = [
            week * 7 + day
            for week in range(weeks)
            for day in sorted(rng.sample(range(5), rng.choice([4, 5])))
        ]
        plays = None
        for name, method in METHODS.items():
            mind = Mind(setting, [gift + each for each in ease], Random(f"mind {seed}:{student}"))
            one = method(words, f"{seed}:{student}")
            result = study(one, mind, days, plays, weeks, returns=returns)
            plays = plays or result.plays
            assert sum(result.plays) <= sum(plays)
            results[name].append(result)
    return results


def ratio_interval(
    ours: Sequence[float], theirs: Sequence[float], draws: int = 1000
) -> tuple[float, float, float]:
    """Return the ratio of means and its 95 % interval, by a bootstrap of pairs."""
    rng = Random(0)
    pairs = list(zip(ours, theirs, strict=True))
    ratios = []
    for _draw in range(draws):
        drawn = rng.choices(pairs, k=len(pairs))
        ratios.append(sum(one for one, _ in drawn) / sum(other for _, other in drawn))
    ratios.sort()
    return sum(ours) / sum(theirs), ratios[round(draws * 0.025)], ratios[round(draws * 0.975) - 1]


def _against(ours: Sequence[float], theirs: Sequence[float]) -> str:
    ratio, low, high = (100 * (one - 1) for one in ratio_interval(ours, theirs))
    return f"{ratio:+4.0f} % ({low:+.0f}…{high:+.0f})"


def report(results: dict[str, list[Result]], words: int) -> None:
    base = results["random"]
    print(
        f"  {'':18}{'recalled':>9} {'against random':>17}{'4 weeks on':>12} "
        f"{'against random':>17}{'met':>7}{'due':>6}{'a day':>8}{'again':>7}"
    )
    for name, found in results.items():
        now = _against([one.now for one in found], [one.now for one in base])
        later = _against([one.later for one in found], [one.later for one in base])
        due = mean(one.due / one.met for one in found)
        plays = mean(mean(one.plays) for one in found)
        again = mean(one.again / len(one.plays) for one in found)
        print(
            f"  {name:18}{mean(one.now for one in found):9.1f} {now:>17}"
            f"{mean(one.later for one in found):12.1f} {later:>17}"
            f"{mean(one.met for one in found):7.0f}"
            f"{f'{due:.0%}' if due else '-':>6}{plays:8.1f}{again:7.1f}"
        )
    _report_forecasts(results["plan"], words)


def _report_forecasts(found: Sequence[Result], words: int) -> None:
    tested = [one for one in found if one.estimate is not None]
    raw, corrected, truth = [], [], []
    for one in found:
        # The offset comes from the weeks before the test, as on a teacher's page.
        offsets: dict[date, float] = {}
        for each in one.delayed:
            if each.on not in offsets:
                offsets[each.on] = offset(tests(one.delayed, each.on))[0]
            raw.append(each.forecast)
            corrected.append(shifted(each.forecast, offsets[each.on]))
            truth.append(each.truth)
    print(
        f"  {len(raw)} delayed tests: forecast {mean(raw):.1%}, corrected {mean(corrected):.1%}, "
        f"truth {mean(truth):.1%}"
    )
    true = mean(one.true_now / one.met for one in found)
    forecast = mean(one.forecast / one.met for one in found)
    estimates = [(one.estimate or 0) / one.met for one in tested]
    off = [abs(e - one.true_now / one.met) for e, one in zip(estimates, tested, strict=True)]
    inside = sum(abs((one.estimate or 0) - one.drawn) <= one.margin for one in tested)
    print(
        f"  words met, at the end: forecast {forecast:.1%}, corrected {mean(estimates):.1%}, "
        f"truth {true:.1%}; a student's error {mean(off):.1%} on average, "
        f"within 5 points for {sum(one <= 0.05 for one in off)} of {len(off)}; "
        f"inside ± margin {inside} of {len(tested)} "
        f"(margin {mean(one.margin for one in tested):.1f} of {words})"
    )


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--students", type=int, default=15)
    parser.add_argument("--seeds", type=int, default=2)
    parser.add_argument("--weeks", type=int, default=12)
    parser.add_argument("--words", type=int, nargs="+", default=[300, 100, 30])
    parser.add_argument("--setting", choices=["usual", "all"], default="usual")
    options = parser.parse_args()
    for setting in SETTINGS if options.setting == "all" else [USUAL]:
        for words in options.words:
            for returns in (False, True):
                print(
                    f"{words} words, {setting.name}, missed words "
                    f"{'return' if returns else 'do not return'}, "
                    f"{options.students} × {options.seeds} students"
                )
                results: dict[str, list[Result]] = {name: [] for name in METHODS}
                for seed in range(options.seeds):
                    found = a_class(
                        setting,
                        students=options.students,
                        words=words,
                        weeks=options.weeks,
                        seed=seed,
                        returns=returns,
                    )
                    for name, some in found.items():
                        results[name] += some
                report(results, words)


if __name__ == "__main__":
    main()
