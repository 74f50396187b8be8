"""Two models of a student's memory that are not the scheduler's, and differ from each other.

Both know three ways of asking: recognising a word (in a word search, among four choices), hearing
it, and producing it. About half of what is learnt by recognising can also be produced (Mondria and
Wiersma, 2004; Webb, 2005).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum
from math import exp, log
from random import Random

from fsrs import Rating

from vocab.memory.scheduling import DEFAULT, Model, recall_chance, step

DAY = 86_400


class Way(IntEnum):
    RECOGNISING = 0
    HEARING = 1
    PRODUCING = 2


@dataclass(frozen=True, slots=True)
class Person:
    """A student and the words: *gift* and each word's *ease* are normal, with a mean of 0."""

    gift: float
    ease: Sequence[float]


class Mind(ABC):
    """What one student remembers. Time is in seconds."""

    def __init__(self, person: Person, transfer: float) -> None:
        self.person, self.transfer = person, transfer

    @abstractmethod
    def chance(self, word: int, way: Way, now: float) -> float:
        """Return the chance of knowing a word, 0…1, without guessing."""

    @abstractmethod
    def practise(self, word: int, way: Way, now: float, *, knew: bool) -> None:
        """Let the student meet a word that they knew, or that they were told."""


class Activation(Mind):
    """Every meeting leaves a trace that decays, the faster the more active the word was then.

    Pavlik and Anderson, "Practice and forgetting effects on vocabulary memory" (Cognitive Science
    29, 2005), with their parameters for vocabulary. Nights run at 1/40 of the time in a lesson, as
    in their fit. A word that was told leaves a weaker trace than recall does (Karpicke and
    Roediger, 2008). A trace counts in part for other ways of asking; producing counts fully.
    """

    DECAY, SPACING, THRESHOLD, NOISE, NIGHTS, TOLD = 0.177, 0.217, -0.704, 0.255, 0.025, 0.7
    GIFTS, EASES = 0.2, 0.3

    def __init__(self, person: Person, transfer: float) -> None:
        super().__init__(person, transfer)
        self.traces: dict[int, list[tuple[float, float, tuple[float, float, float]]]] = {}
        self.shares = (1.0, transfer, transfer), (transfer, 1.0, transfer), (1.0, 1.0, 1.0)

    def chance(self, word: int, way: Way, now: float) -> float:
        strength = self._strength(word, way, now)
        if not strength:
            return 0.0
        ease = self.GIFTS * self.person.gift + self.EASES * self.person.ease[word]
        off = (log(strength) - self.THRESHOLD + ease) / self.NOISE
        return 1 / (1 + exp(-off)) if off > -50 else 0.0

    def practise(self, word: int, way: Way, now: float, *, knew: bool) -> None:
        strength = 1.0 if knew else self.TOLD
        decay = self.SPACING * self._strength(word, way, now) + self.DECAY
        recognising, hearing, producing = (strength * one for one in self.shares[way])
        self.traces.setdefault(word, []).append((now, decay, (recognising, hearing, producing)))

    def _strength(self, word: int, way: Way, now: float) -> float:
        clock = self._clock
        return sum(
            float(shares[way] * (clock(now - at) + 1.0) ** -decay)
            for at, decay, shares in self.traces.get(word, ())
        )

    def _clock(self, seconds: float) -> float:
        """Return a time as the model counts it: lessons are short, so all of it is nights."""
        return seconds if seconds < DAY / 2 else seconds * self.NIGHTS


class Stability(Mind):
    """A word has one stability, which grows by recall and hardly by being told: FSRS's kind.

    FSRS-6 with its published parameters, but with the steepest decay that it allows (0.8), so that
    students forget faster than the scheduler believes. A word's first meeting counts as a miss:
    nobody knew it. Producing is as hard as recognising a word of a quarter of the stability.
    """

    DECAY, EASIER = 0.8, (1.0, 0.5, 0.25)
    GIFTS, EASES = 0.4, 0.4

    def __init__(self, person: Person, transfer: float) -> None:
        super().__init__(person, transfer)
        self.model = Model((*DEFAULT.parameters[:20], self.DECAY))
        self.words: dict[int, tuple[float, float, float]] = {}  # stability, difficulty, last met

    def chance(self, word: int, way: Way, now: float) -> float:
        if word not in self.words:
            return 0.0
        stability, _difficulty, last = self.words[word]
        return self._chance(stability * self.EASIER[way] * self._ease(word), now - last)

    def practise(self, word: int, way: Way, now: float, *, knew: bool) -> None:
        share = 1.0 if way == Way.PRODUCING else self.transfer
        rating = Rating.Good if knew else Rating.Again
        if word not in self.words:
            first = step(None, None, 0, Rating.Again, self.model)
            self.words[word] = first.stability * (1.0 + share), first.difficulty, now
            return
        stability, difficulty, last = self.words[word]
        days = int((now - last) / DAY + 0.5)
        after = step(stability, difficulty, days, rating, self.model)
        grown = stability * (after.stability / stability) ** share
        self.words[word] = grown, after.difficulty, now

    def _ease(self, word: int) -> float:
        return exp(self.GIFTS * self.person.gift + self.EASES * self.person.ease[word])

    def _chance(self, stability: float, seconds: float) -> float:
        return recall_chance(stability, int(seconds / DAY + 0.5), self.model)


MINDS: dict[str, type[Mind]] = {"activation": Activation, "stability": Stability}


def people(rng: Random, students: int, words: int, *, gift: float = 0.0) -> list[Person]:
    """Return the students of a class, who learn the same words; *gift* is their mean."""
    ease = [rng.gauss(0, 1) for _word in range(words)]
    return [Person(rng.gauss(gift, 1), ease) for _student in range(students)]
