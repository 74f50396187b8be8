"""What a student can do at a moment, and which of it comes next."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from enum import StrEnum

from puzzles.access import Moment
from puzzles.assignments import selectors as assignments_selectors
from puzzles.assignments.selectors import ToDo
from puzzles.home.paths import path_of
from puzzles.kinds import KINDS
from puzzles.models import PlaySession, Puzzle
from puzzles.practice import plan, rounds
from puzzles.practice.plan import Offer
from puzzles.practice.rounds import Gained, Round
from vocab.memory import selectors as memory
from vocab.memory.days import begins_at
from vocab.memory.rules import zone_of
from vocab.memory.selectors import Days
from vocab.models import VocabularyList

# With fewer words left, an assignment is the better next thing to do.
FEWEST_FIRST = 4
# In equal minutes the quick review teaches twice as many words as puzzles (benchmarks.remembering).
PUZZLES_BEFORE_A_REVIEW = 2
_NEVER = datetime.max.replace(tzinfo=UTC)


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
    has_played_enough: bool,
) -> Step:
    """Return what comes next.

    A puzzle that was begun comes first. Then words that would be forgotten, if there are enough:
    who has met no word yet has nothing to forget, and the other words may wait in an assignment.
    After two puzzles a day, the quick review teaches more than a third one.
    """
    if has_begun:
        return Step.GO_ON
    is_short = not has_met_words or left < FEWEST_FIRST
    if has_assignment and is_short:
        return Step.START
    if left and has_open_practice:
        return Step.GO_ON_PRACTISING
    if left and is_offered and not (may_review and has_played_enough):
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


@dataclass(frozen=True)
class Now:
    """What a student can do now, as templates name it.

    *first* is the assignment that *step* starts or continues, if it does; *todo* are the others,
    that due first first. *offer* is the puzzle that suits today's words, of the list *offered*.
    """

    today: Round
    days: Days
    step: Step
    first: ToDo | None
    todo: Sequence[ToDo]
    done: Sequence[ToDo]
    open_practice: Puzzle | None
    offer: Offer | None
    offered: VocabularyList | None
    gained: Gained | None


def now_of(moment: Moment, chosen: VocabularyList | None = None) -> Now:
    """Return what the student of *moment* can do, with the words of all lists or of *chosen*."""
    student = moment.student
    today = rounds.round_at(moment, chosen)
    together = today.of_one_list
    offer = plan.offer(together, moment)
    days = memory.days_of_student(student, today.on)
    given = assignments_selectors.assignments_of_student(student, moment)
    given.sort(key=_next_first)
    todo = [line for line in given if not line.is_finished]
    open_practice = rounds.open_practice(today.waiting)
    gained = rounds.gained(today)
    step = next_step(
        has_begun=any(line.session for line in todo),
        has_assignment=bool(todo),
        has_open_practice=open_practice is not None,
        has_met_words=bool(days.met),
        left=len(today.left),
        is_offered=offer is not None,
        may_review=bool(today.review),
        has_practised=gained is not None,
        can_practise=bool(today.lists),
        has_played_enough=bool(offer and today.review) and _has_played_enough(moment, today.on),
    )
    first = todo.pop(0) if step in (Step.GO_ON, Step.START) else None
    offered = today.list_of(together[0]) if together else None
    # Who knows no word yet, and whose teacher assigned nothing, takes the path of the list.
    is_beginner = not given and not days.known_today
    if step == Step.PRACTISE and offered is not None and is_beginner:
        offer = _step_of_path(moment, offered, together) or offer
    return Now(
        today=today,
        days=days,
        step=step,
        first=first,
        todo=todo,
        done=[line for line in given if line.is_finished],
        open_practice=open_practice,
        offer=offer,
        offered=offered,
        gained=gained,
    )


def _step_of_path(moment: Moment, of: VocabularyList, keys: Collection[int]) -> Offer | None:
    """Return the first step of a list's path without a star, if it can ask enough of some words."""
    first = next((one.kind for one in path_of(moment.student, of) if not one.stars), None)
    if first is None:
        return None
    words = plan.askable(first.slug, plan.entries_to_ask(keys, moment))
    return Offer(first.slug, len(words)) if len(words) >= first.fewest_words else None


def _has_played_enough(moment: Moment, on: date) -> bool:
    """Return whether the student has finished as many puzzles on a day as come before a review."""
    student = moment.student
    ended = PlaySession.objects.filter(
        student=student, finished_at__gte=begins_at(on, zone_of(student.school))
    )
    return ended.count() >= PUZZLES_BEFORE_A_REVIEW


_EASIEST_FIRST = list(KINDS)


def _next_first(line: ToDo) -> tuple[bool, datetime, int, datetime, int]:
    """Sort what was begun first, then by due date; what is due together, the easiest first.

    A word is seen before it is heard, and heard before it is typed.
    """
    assignment = line.assignment
    return (
        line.session is None,
        assignment.due_at or _NEVER,
        _EASIEST_FIRST.index(assignment.puzzle.kind),
        assignment.created_at,
        assignment.pk,
    )
