"""A round of words that a student picked, as from “Your words”; or of today's words.

Its words and its id are in its address, and what was answered in the review history. So a page that
is loaded again goes on where the student was, on any device.
"""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.http import QueryDict
from django.utils.http import urlencode

from osmosmjerka.accounts.models import User
from puzzles.practice import quiz
from puzzles.practice.rounds import MOST_TRIES, Round
from puzzles.withheld import Waiting
from vocab.memory.selectors import know_translations
from vocab.models import Entry, Review, VocabularyList, WordProgress
from vocab.sounds import playback

MOST = 12
# What a student says of a card, and what came of it. "Almost" is right with help.
SAID = {
    "knew": Review.Outcome.RIGHT,
    "almost": Review.Outcome.HINTED,
    "not-yet": Review.Outcome.WRONG,
}
_LONGEST_NUMBER = 18  # of digits that a database can compare


@dataclass(frozen=True, slots=True)
class Picked:
    """Words of a round, as ids of entries, those that are needed most first.

    One that *is_free* changes no due date.
    """

    words: Sequence[int]
    round: uuid.UUID = field(default_factory=uuid.uuid4)
    is_free: bool = False

    @classmethod
    def of(cls, words: Iterable[int], *, is_free: bool = False) -> Picked:
        """Return a new round of some words, at most `MOST`."""
        return cls(list(dict.fromkeys(words))[:MOST], is_free=is_free)

    @classmethod
    def read(cls, sent: QueryDict) -> Picked | None:
        """Return the round of an address, None if it names none. Raises ValueError."""
        if "words" not in sent:
            return None
        named = sent.get("words", "").split("-")[:MOST]
        if any(len(one) > _LONGEST_NUMBER for one in named):
            raise ValueError("too long a number")
        return cls([int(one) for one in named], uuid.UUID(sent.get("round", "")), "free" in sent)

    @property
    def named(self) -> str:
        """The words as an address names them."""
        return "-".join(map(str, self.words))

    @property
    def query(self) -> str:
        """What of an address names this round."""
        free = {"free": "1"} if self.is_free else {}
        return urlencode({"words": self.named, "round": str(self.round)} | free)


def entries_of(picked: Picked, waiting: Waiting) -> list[Entry]:
    """Return the words of a round, in its order; only those that may be asked and told now."""
    found = {one.pk: one for one in quiz.entries_to_review(waiting).filter(pk__in=picked.words)}
    know_translations([*found.values()])
    return [found[key] for key in picked.words if key in found and has_question(found[key])]


def has_question(entry: Entry) -> bool:
    """Return whether a word can be asked: by a meaning, or by its sound."""
    language = entry.vocabulary_list.language
    return bool(entry.translations.all()) or playback.is_speakable(language)


def outcomes(student: User, picked: Picked, mode: Review.Mode) -> dict[int, list[str]]:
    """Return what came of each word in a round, the one that was answered last last."""
    rows = Review.objects.filter(
        student=student, entry__in=picked.words, session=picked.round, mode=mode
    )
    found: dict[int, list[str]] = {}
    for key, outcome in rows.order_by("at", "pk").values_list("entry", "outcome"):
        found[key] = [*found.pop(key, ()), outcome]
    return found


@dataclass(frozen=True, slots=True)
class Result:
    """A word of a round that is over, and what came of it first."""

    entry: Entry
    outcome: str

    @property
    def is_right(self) -> bool:
        return self.outcome == Review.Outcome.RIGHT

    @property
    def is_wrong(self) -> bool:
        return self.outcome == Review.Outcome.WRONG


def results(entries: Iterable[Entry], found: Mapping[int, Sequence[str]]) -> list[Result]:
    """Return what came of the words of a round that were answered."""
    return [Result(one, found[one.pk][0]) for one in entries if one.pk in found]


@dataclass(frozen=True, slots=True)
class End:
    """What a round that is over has brought, and what may come next."""

    results: Sequence[Result]
    today: Round

    @property
    def right(self) -> int:
        return sum(one.is_right for one in self.results)

    @property
    def missed(self) -> Picked | None:
        """The words that were missed, as a round of their own."""
        words = [one.entry.pk for one in self.results if one.is_wrong]
        return Picked.of(words) if words else None


@dataclass(frozen=True, slots=True)
class Deck:
    """Flashcards of picked words, and what the student said of each; counted as by `Round`.

    A word that was missed comes back at the end, until it is known or was asked often enough.
    """

    entries: Sequence[Entry]
    said: Mapping[int, Sequence[str]]

    @property
    def review(self) -> list[int]:
        """The words left, by id."""
        new = [one.pk for one in self.entries if one.pk not in self.said]
        may_ask = {one.pk for one in self.entries}
        return new + [
            key
            for key, came in self.said.items()
            if key in may_ask and came[-1] == Review.Outcome.WRONG and len(came) < MOST_TRIES
        ]

    @property
    def of(self) -> int:
        return len(self.entries)

    @property
    def to_review(self) -> int:
        return len(self.review)

    @property
    def done(self) -> int:
        return self.of - self.to_review


def deck_of(student: User, picked: Picked, waiting: Waiting) -> Deck:
    """Return the flashcards of a round as they are now."""
    return Deck(entries_of(picked, waiting), outcomes(student, picked, Review.Mode.CARD))


def of_today(today: Round) -> Picked:
    """Return a round of the words left today; if none is, of those that were asked today."""
    hidden = today.waiting.withheld
    again = [key for key in today.of_day.again() if key not in hidden]
    return Picked.of(today.review or again)


def for_fun(waiting: Waiting, chosen: VocabularyList | None = None) -> Picked:
    """Return a round of words that the student has met and may be told, when none is to review.

    They are of all lists or of *chosen*, those that were asked longest ago first.
    """
    met = WordProgress.objects.filter(
        student=waiting.moment.student, entry__in=quiz.entries_to_review(waiting)
    ).exclude(entry__in=waiting.in_play)
    if chosen is not None:
        met = met.filter(entry__vocabulary_list=chosen)
    keys = met.order_by("last_at", "entry").values_list("entry", flat=True)
    return Picked.of(keys[:MOST], is_free=True)


def say(
    *,
    student: User,
    entry: Entry,
    said: str,
    attempt: uuid.UUID,
    picked: Picked | None = None,
) -> None:
    """Record what a student said of a flashcard: "knew", "almost" or "not-yet".

    Repeats of an attempt count once. Raises KeyError if something else was said.
    """
    facts: dict[str, Any] = {}
    if picked is not None:
        facts = {"session": picked.round, "is_free_practice": picked.is_free}
    quiz.record(
        student=student,
        entry=entry,
        mode=Review.Mode.CARD,
        outcome=SAID[said],
        source=f"card:{student.pk}:{attempt}",
        is_heard=not entry.translations.all(),
        **facts,
    )
