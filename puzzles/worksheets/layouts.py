"""Grids that are printed and not played: other grids of the same words, or of a student's own.

No list, page or student has them, so they are no puzzles of the database: a set of worksheets keeps
what is needed to draw them, to enter their results, and nothing else.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from puzzles.generators.errors import FewerWords, PuzzleError
from puzzles.generators.grid import Grid
from puzzles.kinds import KINDS
from puzzles.kinds.base import Kind, Layout, Request, Turn
from puzzles.making import services as making
from puzzles.models import Placement, Puzzle
from vocab.entries.selectors import blocked_words, forms_of
from vocab.message import message
from vocab.models import Entry

# How often another grid of the same words is begun, until all of them are in it.
MOST_TRIES = 8
# How long one grid of a set is searched: a class does not wait for its best crosswords.
SECONDS = 0.3
_KEPT = (
    "term", "playing_form", "spoken_form", "translations", "tiles", "cells", "number", "direction",
    "sentence", "hint", "is_bonus",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Drawn:
    """A grid and its words; neither they nor their puzzle are stored."""

    puzzle: Puzzle
    placements: Sequence[Placement]


def like(puzzle: Puzzle, *, grid: Any, seed: int = 0, **changes: Any) -> Puzzle:
    """Return a puzzle of the same list, type and settings, not saved."""
    given: dict[str, Any] = {"settings": puzzle.settings, "title": puzzle.title} | changes
    made = Puzzle(kind=puzzle.kind, code=puzzle.code, seed=seed, grid=grid, **given)
    made.vocabulary_list = puzzle.vocabulary_list
    return made


def another_grid(
    puzzle: Puzzle, placements: Sequence[Placement], seed: int, unlike: Sequence[Any] = ()
) -> Drawn:
    """Return another grid of exactly these words, if possible none of *unlike*.

    A crossword of few words has few good grids. Raises PuzzleError if none is found.
    """
    kind, vocabulary_list = KINDS[puzzle.kind], puzzle.vocabulary_list
    blocklist = forms_of(blocked_words(vocabulary_list))
    words = {"words": sum(not one.is_bonus for one in placements)}
    found: Layout | None = None
    for number in range(MOST_TRIES):
        # The longer a search, the more likely it ends in one of the few best grids.
        halvings = number + min(len(unlike).bit_length(), 3)
        settings = _quick(kind, puzzle.settings, SECONDS / 2**halvings) | words
        try:
            layout = kind.generate(
                Request(
                    words=[placement.played for placement in placements],
                    language=vocabulary_list.language,
                    digraphs=vocabulary_list.uses_digraphs,
                    settings=settings,
                    blocklist=blocklist,
                    rng=Random(f"{seed}:{number}"),
                    turn=Turn(lambda: False),
                )
            )
        except FewerWords:
            continue
        if len(layout.slots) == len(placements):
            found = layout
            if _rows(layout.grid) not in unlike:
                break
    if found is None:
        raise PuzzleError(
            message("No other grid was found for the same words. Print the same puzzle for all.")
        )
    made = []
    for slot in found.slots:
        of_word = placements[slot.index]
        copy = Placement(
            entry_id=of_word.entry_id, **{name: getattr(of_word, name) for name in _KEPT}
        )
        copy.cells = [list(cell) for cell in slot.cells]
        copy.tiles = [found.grid[row][col] or "" for row, col in slot.cells]
        copy.number, copy.direction = slot.number, slot.direction
        made.append(copy)
    return Drawn(like(puzzle, grid=_rows(found.grid)), made)


def grid_of_words(
    puzzle: Puzzle, wanted: Sequence[int], others: Sequence[int], words: int, seed: int
) -> Drawn:
    """Return a grid of *words* words: the entries *wanted*, and some of the *others* if needed.

    Raises PuzzleError if they are too few for this type of puzzle.
    """
    kind = KINDS[puzzle.kind]
    own = kind.settings_of_own_words(puzzle.settings)
    settings = _quick(kind, own, SECONDS) | {"words": words}
    entries = list(dict.fromkeys([*wanted[:words], *others]))
    drawn = like(
        puzzle, grid=[], seed=seed, settings=settings, entries=entries, pinned=wanted[:words]
    )
    work = making.prepare(drawn)
    layout = work.lay_out(Turn(lambda: False))
    placements = making.placements_of(drawn, layout, work.words, bonus=len(work.bonus))
    return Drawn(like(puzzle, grid=_rows(layout.grid)), placements)


def _quick(kind: Kind, settings: dict[str, Any], seconds: float) -> dict[str, Any]:
    if not kind.is_searched:
        return settings
    return settings | {"seconds": min(seconds, settings.get("seconds") or seconds)}


def _rows(grid: Grid) -> list[list[str | None]]:
    return [list(row) for row in grid]


def as_json(drawn: Drawn) -> dict[str, Any]:
    """Return a grid and its words in a form that JSON can store."""
    words = [
        {name: getattr(one, name) for name in _KEPT} | {"entry": one.entry_id}
        for one in drawn.placements
    ]
    return {"grid": drawn.puzzle.grid, "words": words}


def from_json(puzzle: Puzzle, stored: dict[str, Any]) -> Drawn:
    """Return what `as_json` stored, of a sheet like *puzzle*."""
    placements = [placement_from_json(word) for word in stored["words"]]
    return Drawn(like(puzzle, grid=stored["grid"]), placements)


def attach_entries(placements: Sequence[Placement]) -> None:
    """Read the entries of all words at once; None for those that are gone."""
    entries = Entry.everything.in_bulk({one.entry_id for one in placements if one.entry_id})
    for one in placements:
        one.entry = entries.get(one.entry_id or 0)


def placement_from_json(word: dict[str, Any]) -> Placement:
    return Placement(entry_id=word["entry"], **{name: word[name] for name in _KEPT})
