"""Lessons of so many minutes: which puzzles are played, how long a word takes, what is answered."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta
from random import Random

from benchmarks.remembering.minds import DAY, Mind, Way
from benchmarks.remembering.pickers import Picker
from vocab.memory.evidence import Mode

START = date(2026, 9, 7)  # a Monday
LATER = timedelta(weeks=4)
WORDS_A_PUZZLE = 12
MOST_AFTER_A_SEARCH = 60.0
MOST_TRIES = 3

WAYS = {
    Mode.WORD_SEARCH: Way.RECOGNISING,
    Mode.CHOSEN: Way.RECOGNISING,
    Mode.FINDER: Way.HEARING,
    Mode.HEARD: Way.HEARING,
    Mode.CROSSWORD: Way.PRODUCING,
    Mode.TYPED: Way.PRODUCING,
}
# Seconds a word, and the chance to answer a word that is not known: letters help in a puzzle.
# Assumed, not measured.
SECONDS = {
    Mode.WORD_SEARCH: 20.0, Mode.FINDER: 15.0, Mode.CROSSWORD: 25.0, Mode.CHOSEN: 6.0,
    Mode.HEARD: 11.0, Mode.TYPED: 11.0,
}  # fmt: skip
BY_CHANCE = {Mode.WORD_SEARCH: 0.85, Mode.FINDER: 0.85, Mode.CHOSEN: 0.25}
SLIPS, NEAR = 0.05, 0.6  # known words that are mistyped, and how many of these by one letter
PUZZLES = {
    Way.RECOGNISING: Mode.WORD_SEARCH,
    Way.HEARING: Mode.FINDER,
    Way.PRODUCING: Mode.CROSSWORD,
}
QUESTIONS = {Way.RECOGNISING: Mode.CHOSEN, Way.HEARING: Mode.HEARD, Way.PRODUCING: Mode.TYPED}


@dataclass(slots=True)
class Lesson:
    """One student's lesson on a day, until its *seconds* are used up."""

    mind: Mind
    picker: Picker
    rng: Random
    on: date
    now: float
    seconds: float
    words: Iterator[int]
    tries: Counter[int] = field(default_factory=Counter)
    plays: int = 0

    def next(self, count: int = WORDS_A_PUZZLE) -> list[int]:
        """Return the next words to ask that were not asked yet."""
        found = []
        for word in self.words:
            if not self.tries[word]:
                found.append(word)
            if len(found) == count:
                break
        return found

    def ask(self, word: int, mode: Mode) -> bool:
        """Ask a word; return whether it was right."""
        self.seconds -= SECONDS[mode]
        self.now += SECONDS[mode]
        knows = self.rng.random() < self.mind.chance(word, WAYS[mode], self.now)
        self.mind.practise(word, WAYS[mode], self.now, knew=knows)
        is_right, is_slip = knows or self.rng.random() < BY_CHANCE.get(mode, 0.0), False
        if knows and mode not in BY_CHANCE and self.rng.random() < SLIPS:
            is_right, is_slip = False, self.rng.random() < NEAR
        self.picker.take(word, self.on, mode, is_right=is_right, is_slip=is_slip)
        self.tries[word] += 1
        self.plays += 1
        return is_right

    def puzzle(self, mode: Mode, words: Iterable[int]) -> list[int]:
        """Play a puzzle; return the words that were missed."""
        return [word for word in words if self.seconds > 0 and not self.ask(word, mode)]

    def review(self, words: Iterable[int]) -> None:
        """Ask words without a grid; those that are missed return at the end."""
        again = list(words)
        while again and self.seconds > 0:
            asked, again = again, []
            for word in asked:
                if self.seconds <= 0:
                    return
                if not self.ask(word, self.question(word)) and self.tries[word] < MOST_TRIES:
                    again.append(word)

    def question(self, word: int) -> Mode:
        return QUESTIONS[self.picker.stage(word, self.on)]


def by_chance(lesson: Lesson) -> None:
    """Play the four kinds of practice at random."""
    while lesson.seconds > 0 and (words := lesson.next()):
        mode = lesson.rng.choice([*PUZZLES.values(), None])
        if mode is None:
            lesson.review(words)
        else:
            lesson.puzzle(mode, words)


def word_searches(lesson: Lesson) -> None:
    while lesson.seconds > 0 and (words := lesson.next()):
        lesson.puzzle(Mode.WORD_SEARCH, words)


def offered(lesson: Lesson) -> None:
    """Play what the product offers: two puzzles of the kind that most words need, then the review.

    After a word search, its missed and new words are asked once, for a minute.
    """
    puzzles = 0
    while lesson.seconds > 0 and (words := lesson.next()):
        if puzzles == 2:
            lesson.review(words)
            continue
        puzzles += 1
        stages = {word: lesson.picker.stage(word, lesson.on) for word in words}
        ((most, _count),) = Counter(stages.values()).most_common(1)
        missed = lesson.puzzle(PUZZLES[most], words)
        if most == Way.RECOGNISING:
            until = lesson.seconds - MOST_AFTER_A_SEARCH
            for word in words:
                is_asked = word in missed or stages[word] == Way.RECOGNISING
                if is_asked and lesson.seconds > max(0, until):
                    lesson.ask(word, Mode.TYPED)


def quick_review(lesson: Lesson) -> None:
    while lesson.seconds > 0 and (words := lesson.next()):
        lesson.review(words)


MIXES: dict[str, Callable[[Lesson], None]] = {
    "by chance": by_chance,
    "word searches": word_searches,
    "offer": offered,
    "quick review": quick_review,
}


@dataclass(frozen=True, slots=True)
class Learnt:
    """One student at the end: words that they produce, then and four weeks later; words met."""

    now: float
    later: float
    met: int
    plays: int


def study(
    mind: Mind, picker: Picker, mix: str, days: Sequence[int], weeks: int, minutes: float, seed: str
) -> Learnt:
    """Let a student practise on days, counted from 0, for so many minutes each."""
    rng = Random(f"lessons {seed}")
    met: set[int] = set()
    plays = 0
    for day in days:
        on = START + timedelta(days=day)
        lesson = Lesson(mind, picker, rng, on, day * DAY, minutes * 60, iter(picker.choose(on)))
        MIXES[mix](lesson)
        met |= lesson.tries.keys()
        plays += lesson.plays
    end = weeks * 7 * DAY
    now, later = (
        sum(mind.chance(word, Way.PRODUCING, at) for word in range(picker.words))
        for at in (end, end + LATER.days * DAY)
    )
    return Learnt(now, later, len(met), plays)
