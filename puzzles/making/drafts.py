"""Drafts: the grid that a puzzle will have, before it is created."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from concurrent.futures import TimeoutError as TookTooLong
from dataclasses import dataclass, field
from threading import Semaphore
from typing import Any

from django.core.exceptions import ValidationError

from puzzles.generators.errors import FewerWords, PuzzleError
from puzzles.kinds import KINDS
from puzzles.kinds.base import Turn
from puzzles.making import services as making
from puzzles.models import Placement, Puzzle
from vocab.models import VocabularyList
from vocab.sentences import said

# A page waits for no more words, and no longer, than that: it can be shown without a grid.
MOST_WORDS = 60
SECONDS = 1.0
# One at a time in each process, so that drafts never take more than one processor from the pages.
_drawing = ThreadPoolExecutor(1, thread_name_prefix="draft")
_is_free = Semaphore(1)


@dataclass(frozen=True, slots=True)
class Draft:
    """A puzzle that is not saved, with its grid and placements; or why it cannot be created.

    One that *is_late* may be there in a moment: the first in a process loads the generators.
    """

    puzzle: Puzzle | None = None
    placements: Sequence[Placement] = field(default_factory=list)
    reason: str = ""
    is_late: bool = False


def draft(
    *,
    vocabulary_list: VocabularyList,
    kind: str,
    settings: dict[str, Any],
    seed: int,
    entries: Sequence[int],
) -> Draft:
    """Return the puzzle that `making.request_puzzle` creates of the same arguments.

    The generators count steps, not seconds, so that the same seed gives the same grid again; a
    kind that is searched for some seconds, and one that takes too long here, has no draft. Raises
    ValidationError if a setting is wrong.
    """
    if KINDS[kind].is_searched or len(entries) > MOST_WORDS:
        return Draft()
    puzzle = Puzzle(
        vocabulary_list=vocabulary_list,
        kind=kind,
        settings=making.clean_settings(KINDS[kind], settings),
        seed=seed,
        entries=list(entries),
    )
    work = making.prepare(puzzle)
    if not 0 < len(work.chosen) <= MOST_WORDS:
        return Draft()
    # Nobody waits in a queue: the threads that answer pages are few.
    if not _is_free.acquire(blocking=False):
        return Draft(is_late=True)
    drawn = _drawing.submit(work.lay_out, Turn(lambda: False))
    drawn.add_done_callback(lambda _drawn: _is_free.release())
    try:
        layout = drawn.result(SECONDS)
    except TookTooLong:
        return Draft(is_late=True)
    except PuzzleError as error:
        is_smaller = isinstance(error, FewerWords) and error.possible  # which its page offers
        return Draft() if is_smaller else Draft(reason=error.sentence)
    puzzle.grid = [list(row) for row in layout.grid]
    puzzle.state = Puzzle.State.READY
    placements = making.placements_of(puzzle, layout, work.words, bonus=len(work.bonus))
    return Draft(puzzle, [placement for placement in placements if not placement.is_bonus])


def refuse_impossible(**wanted: Any) -> None:
    """Raise ValidationError with the reason if the `draft` of *wanted* cannot be created.

    What has no draft, or a late one, is not known to be impossible.
    """
    if reason := draft(**wanted).reason:
        raise ValidationError(said(reason))
