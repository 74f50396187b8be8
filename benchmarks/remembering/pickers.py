"""Ways to choose the words of a day. One object is one student's."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from datetime import UTC, date, datetime, time, timedelta
from random import Random

from fsrs import Card, Rating, Scheduler

from benchmarks.remembering.minds import Way
from vocab.memory.card import Memory
from vocab.memory.evidence import Answer, Mode, Skill
from vocab.memory.planning import WORDS_A_DAY, Candidate, plan, stage


class Picker(ABC):
    """*memories* are what the product knows of each word; it decides how a word is asked."""

    def __init__(self, words: int, seed: str) -> None:
        self.words, self.seed = words, seed
        self.rng = Random(seed)
        self.memories = [Memory() for _word in range(words)]

    @abstractmethod
    def choose(self, on: date) -> Sequence[int]:
        """Return all words in the order in which to ask them on a day."""

    def stage(self, word: int, on: date) -> Way:
        """Return how a word should be asked, as the product asks it whoever chose the word."""
        memory = self.memories[word]
        was_heard = Skill.SOUND_TO_FORM in memory.ways
        return Way(stage(memory.counts.right, was_heard, memory.missed_on, on))

    def take(self, word: int, on: date, mode: Mode, *, is_right: bool, is_slip: bool) -> None:
        is_heard = mode in {Mode.FINDER, Mode.HEARD}
        skill = Skill.SOUND_TO_FORM if is_heard else Skill.MEANING_TO_FORM
        at = datetime.combine(on, time(10), UTC)
        answer = Answer(at, on, mode, skill, "right" if is_right else "wrong", is_slip=is_slip)
        self.memories[word].take(answer, f"{self.seed}:{word}")


class Planned(Picker):
    """The product's plan and its schedule."""

    def choose(self, on: date) -> Sequence[int]:
        words = [Candidate(word, one.card) for word, one in enumerate(self.memories)]
        first = list(plan(words, on).words)
        more = [one for one in words if one.key not in first]
        return [*first, *plan(more, on, 4 * WORDS_A_DAY, is_early=True).words]


class AtRandom(Picker):
    def choose(self, on: date) -> Sequence[int]:
        return self.rng.sample(range(self.words), self.words)


class Boxes(Picker, ABC):
    """Words that are due, those that fell due first first, then new ones, then the next to be."""

    def __init__(self, words: int, seed: str) -> None:
        super().__init__(words, seed)
        self.due_on: dict[int, date] = {}
        self.last_on: dict[int, date] = {}

    def choose(self, on: date) -> Sequence[int]:
        met = sorted(self.due_on, key=lambda word: (self.due_on[word], word))
        waiting = [word for word in met if self.due_on[word] <= on]
        new = [word for word in range(self.words) if word not in self.due_on]
        return [*waiting, *new, *met[len(waiting) :]]

    def take(self, word: int, on: date, mode: Mode, *, is_right: bool, is_slip: bool) -> None:
        super().take(word, on, mode, is_right=is_right, is_slip=is_slip)
        if self.last_on.get(word) != on:
            self.last_on[word] = on
            self.due_on[word] = self.next_day(word, on, is_right=is_right)

    @abstractmethod
    def next_day(self, word: int, on: date, *, is_right: bool) -> date:
        """Return when the word is due again after the first answer of a day."""


class Leitner(Boxes):
    INTERVALS = (1, 2, 4, 8, 16)

    def __init__(self, words: int, seed: str) -> None:
        super().__init__(words, seed)
        self.boxes: dict[int, int] = {}

    def next_day(self, word: int, on: date, *, is_right: bool) -> date:
        box = self.boxes[word] = min(self.boxes.get(word, -1) + 1, 4) if is_right else 0
        return on + timedelta(days=self.INTERVALS[box])


class Fsrs(Boxes):
    """The fsrs package alone."""

    def __init__(self, words: int, seed: str) -> None:
        super().__init__(words, seed)
        self.scheduler = Scheduler(learning_steps=(), relearning_steps=(), enable_fuzzing=False)
        self.cards: dict[int, Card] = {}

    def next_day(self, word: int, on: date, *, is_right: bool) -> date:
        card = self.cards.get(word) or Card(card_id=0)
        rating = Rating.Good if is_right else Rating.Again
        at = datetime.combine(on, time(10), UTC)
        self.cards[word], _log = self.scheduler.review_card(card, rating, at)
        return self.cards[word].due.date()


PICKERS: dict[str, type[Picker]] = {
    "plan": Planned,
    "random": AtRandom,
    "Leitner": Leitner,
    "FSRS": Fsrs,
}
