"""The one thing that a student should do next. Pure."""

from __future__ import annotations

from enum import StrEnum

# With fewer words left, an assignment is the better next thing to do.
FEWEST_FIRST = 4


class Step(StrEnum):
    """What the large button on a student's home page does."""

    GO_ON = "go on"
    GO_ON_PRACTISING = "go on practising"
    PRACTISE = "practise"
    REVIEW = "review"
    START = "start"
    DONE = "done"
    FUN = "fun"
    NOTHING = "nothing"


def next_step(
    *,
    has_begun: bool,
    has_assignment: bool,
    has_open_practice: bool,
    has_met_words: bool,
    left: int,
    is_offered: bool,
    may_review: bool,
    has_practised: bool,
    can_practise: bool,
) -> Step:
    """Return what comes next.

    A puzzle that was begun comes first. Then words that would be forgotten, if there are enough:
    who has met no word yet has nothing to forget, and the other words may wait in an assignment.
    """
    if has_begun:
        return Step.GO_ON
    is_short = not has_met_words or left < FEWEST_FIRST
    if has_assignment and is_short:
        return Step.START
    if left and has_open_practice:
        return Step.GO_ON_PRACTISING
    if left and is_offered:
        return Step.PRACTISE
    if left and may_review:
        return Step.REVIEW
    if has_assignment:
        return Step.START
    if has_open_practice:
        return Step.GO_ON_PRACTISING
    if has_practised:
        return Step.DONE
    return Step.FUN if can_practise else Step.NOTHING
