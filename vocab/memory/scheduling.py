"""When to review a word, by FSRS with the fsrs package. Pure: (state, rating, at) → state.

Finding a word that one can see is not recalling it. Therefore finding a plainly visible word (skill
"form") and free practice are counted but do not change the schedule; see `Memory.take`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from fsrs import Card, Rating, Scheduler, State

# No fuzz: replaying the history must rebuild every schedule exactly.
_SCHEDULER = Scheduler(enable_fuzzing=False)

# Nothing that a game measures distinguishes an easy answer from a lucky one, so Easy is not used.
_RATINGS = {"right": Rating.Good, "hinted": Rating.Hard, "wrong": Rating.Again}

# A word counts as known if the chance of recalling it after so many days is nine in ten.
KNOWN_DAYS = 7.0


@dataclass(slots=True)
class Memory:
    """What one student remembers of one word in one skill, updated with each review."""

    reviews: int = 0
    right: int = 0
    hinted: int = 0
    wrong: int = 0
    lapses: int = 0
    schedule: dict[str, Any] = field(default_factory=dict)
    last_at: datetime | None = None

    def take(
        self, outcome: str, at: datetime, *, moves_schedule: bool, after_wrong: bool = False
    ) -> None:
        """Count a review; with *moves_schedule*, also update when the word is due.

        A right answer *after_wrong* attempts is rated like one with a hint: it may be a guess.
        """
        self.reviews += 1
        setattr(self, outcome, getattr(self, outcome) + 1)
        self.last_at = at
        if moves_schedule:
            was_learned = self.schedule.get("state") == State.Review.value
            self.lapses += outcome == "wrong" and was_learned
            rated = "hinted" if after_wrong and outcome == "right" else outcome
            self.schedule = reviewed(self.schedule, rated, at)

    @property
    def stability(self) -> float | None:
        """The number of days after which the chance of recall is nine in ten."""
        return self.schedule.get("stability")

    @property
    def is_known(self) -> bool:
        return (self.stability or 0) >= KNOWN_DAYS


def reviewed(state: dict[str, Any], outcome: str, at: datetime) -> dict[str, Any]:
    """Return the schedule's state after a review.

    *state* is the result of an earlier call, or {} for a new word. *outcome* is "right", "hinted"
    (right with help, which counts for less) or "wrong"; *at* is aware, in UTC.
    """
    card = Card.from_dict(state) if state else Card(card_id=0, due=at)  # type: ignore[arg-type]
    card, _log = _SCHEDULER.review_card(card, _RATINGS[outcome], at)
    return dict(card.to_dict())


def due_at(state: dict[str, Any]) -> datetime | None:
    """Return when the word is due, or None if it has no schedule."""
    return datetime.fromisoformat(state["due"]) if state else None


# FSRS-6's forgetting curve; the last of the scheduler's parameters determines its shape.
_DECAY = -_SCHEDULER.parameters[20]
_FACTOR = 0.9 ** (1 / _DECAY) - 1


def recall_chance(stability: float | None, last_at: datetime | None, at: datetime) -> float:
    """Return the expected chance of recall at *at*, 0…1; 0 for a word never recalled."""
    if stability is None or last_at is None:
        return 0.0
    days: float = max(0, (at - last_at).days)
    return float((1 + _FACTOR * days / stability) ** _DECAY)
