"""What a kind of puzzle is to the rest of the product.

Page, API, task and command reach the kinds through the registry and know none by name.
"""

from __future__ import annotations

import itertools
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any, ClassVar, Protocol

from django import forms
from django.utils.translation import gettext as _

from puzzles.generators.grid import Cell, Grid, Unplaced
from puzzles.generators.grid import Placement as PlacedWord
from puzzles.models import Placement, Puzzle
from vocab.models import Entry, Review


class GeneratedPlacement(Protocol):
    """What every generator's placement has."""

    @property
    def word(self) -> str: ...
    @property
    def cells(self) -> tuple[Cell, ...]: ...


@dataclass(frozen=True, slots=True)
class Slot:
    """A word that was placed, by its index among the words that were given."""

    index: int
    cells: tuple[Cell, ...]
    number: int | None = None
    direction: str = ""
    echoes: tuple[tuple[Cell, ...], ...] = ()


@dataclass(frozen=True, slots=True)
class Layout:
    """What a kind made of some words."""

    grid: Grid
    slots: Sequence[Slot]
    unplaced: Sequence[tuple[str, str]] = ()
    grids_tried: int = 1


@dataclass(frozen=True, slots=True)
class SentMove:
    """What a player hands in: traced cells, or letters typed into a placement's cells."""

    slot: str | None = None
    cells: tuple[Cell, ...] | None = None
    tiles: tuple[str, ...] | None = None
    was_heard: bool = False  # the clue was a sound, which another word may have too


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a move is worth. Without a placement nothing was found.

    A check asks about some letters of a word only; it is help, not a move at the word.
    *accent_cells* are right but for an accent, where the list wants that to be said.
    """

    placement: Placement | None = None
    wrong_cells: tuple[Cell, ...] = field(default=())
    accent_cells: tuple[Cell, ...] = field(default=())
    is_check: bool = False


class MoveRefused(ValueError):
    """A move that is none in this puzzle: cells off the grid, an unknown slot."""


@dataclass(frozen=True, slots=True)
class FromWords:
    """What is asked for when a puzzle is made of words alone, without a list.

    What is None is left to the generator. *size* is (rows, columns); *seconds* bound a search.
    """

    words: list[str]
    language: str | None
    size: tuple[int, int] | None
    seconds: float | None
    rng: Random


@dataclass(frozen=True, slots=True)
class MadeOfWords:
    """What a generator made of words alone."""

    grid: Grid
    placements: Sequence[PlacedWord]
    unplaced: Sequence[Unplaced]


class Kind(ABC):
    """A kind of puzzle: its settings, its generator, its clues and its rule for a move."""

    slug: ClassVar[str]
    name: ClassVar[Any]
    description: ClassVar[Any]
    queue: ClassVar[str] = "default"
    settings_form: ClassVar[type[forms.Form]]
    # The settings that a player may change for the next puzzle of the same list; None: the
    # player cannot ask for a next one.
    player_settings: ClassVar[tuple[str, ...] | None] = None
    # Whether the generator chooses its words from the whole ordered list by rules of its own.
    chooses_words: ClassVar[bool] = False
    # The page on which a teacher watches how such a puzzle is made, and chooses; by its list.
    maker_page: ClassVar[str | None] = None
    # Whether a player gets the letters of the grid, or fills them in.
    shows_letters: ClassVar[bool] = True
    # Whether a puzzle that is made of words alone lists them below the grid.
    shows_words_on_paper: ClassVar[bool] = False
    # Whether making one is a search that may be given seconds.
    is_searched: ClassVar[bool] = False

    def is_heard(self, settings: dict[str, Any]) -> bool:
        """Return whether clues are heard; a word without sound falls back to text."""
        return False

    def why_not(self, entry: Entry, settings: dict[str, Any]) -> str | None:
        """Return why *entry* cannot be in a puzzle of this kind, or None when it can."""
        return None

    @abstractmethod
    def generate(
        self,
        words: Sequence[str],
        *,
        language: str,
        digraphs: bool,
        settings: dict[str, Any],
        blocklist: Sequence[str],
        rng: Random,
    ) -> Layout:
        """Make a puzzle of *words* in which none of the *blocklist* is read.

        Raises a PuzzleError that names the word and the cause.
        """

    @abstractmethod
    def make(self, request: FromWords) -> MadeOfWords:
        """Make a puzzle of words alone, by the generator's own defaults.

        Raises a PuzzleError that names the word and the cause.
        """

    def shows_words(self, settings: dict[str, Any]) -> bool:
        """Return whether the player is given the words themselves, as on paper."""
        return False

    @abstractmethod
    def clue(self, placement: Placement, settings: dict[str, Any]) -> str | None:
        """Return the clue's text, or None when the clue is a sound."""

    def shows_picture(self, settings: dict[str, Any]) -> bool:
        """Return whether a clue comes with the entry's picture, if it has one."""
        return False

    def shows_picture_only(self, settings: dict[str, Any]) -> bool:
        """Return whether a picture stands for the clue, where the entry has one."""
        return False

    def clue_without_sound(self, placement: Placement, settings: dict[str, Any]) -> str:
        """Return what is read where a clue that is heard cannot be, or is not wanted."""
        return placement.term

    def printed_clue(self, placement: Placement, settings: dict[str, Any]) -> str:
        """Return the clue on paper."""
        return " · ".join(placement.translations)

    @abstractmethod
    def judge(self, move: SentMove, placements: Sequence[Placement], puzzle: Puzzle) -> Verdict:
        """Hold *move* against the stored placements; raise AttemptRefused when it is none."""

    @abstractmethod
    def skills(self, settings: dict[str, Any], *, was_heard: bool) -> tuple[Review.Skill, ...]:
        """Return which skills a find in this kind shows."""

    def public_grid(self, puzzle: Puzzle) -> list[list[str | None]]:
        """Return the grid as a player may load it."""
        if self.shows_letters:
            return puzzle.grid
        return [[None if tile is None else "" for tile in row] for row in puzzle.grid]


def traced_cells(move: SentMove, puzzle: Puzzle) -> tuple[Cell, ...]:
    """Return the move's cells; refuse none, cells off the grid, and what is no straight line."""
    cells = move.cells
    if not cells:
        raise MoveRefused(_("Select a word: send the squares from its first letter to its last."))
    rows, cols = len(puzzle.grid), len(puzzle.grid[0])
    for row, col in cells:
        if not (0 <= row < rows and 0 <= col < cols):
            raise MoveRefused(
                _("Row %(row)s, column %(column)s is outside this %(rows)s × %(columns)s grid.")
                % {"row": row + 1, "column": col + 1, "rows": rows, "columns": cols}
            )
    steps = {(b[0] - a[0], b[1] - a[1]) for a, b in itertools.pairwise(cells)}
    if len(steps) > 1 or any(max(abs(r), abs(c)) != 1 for r, c in steps):
        raise MoveRefused(_("The squares must be in one straight line without gaps."))
    return cells


def cells_of(placement: Placement) -> tuple[Cell, ...]:
    return tuple((row, col) for row, col in placement.cells)


def echoes_of(placement: Placement) -> list[tuple[Cell, ...]]:
    return [tuple((row, col) for row, col in cells) for cells in placement.echoes]


def placement_in(slot: str | None, placements: Sequence[Placement]) -> Placement:
    """Return the placement that *slot* names; refuse a slot of another puzzle."""
    for placement in placements:
        if placement.slot == slot:
            return placement
    raise MoveRefused(_("Choose a word of this puzzle first."))


def indexes_of(words: Sequence[str], placed: Sequence[GeneratedPlacement]) -> list[int]:
    """Return for each placement which of *words* it is, each of them once."""
    free: dict[str, list[int]] = {}
    for index, word in reversed(list(enumerate(words))):
        free.setdefault(word, []).append(index)
    return [free[placement.word].pop() for placement in placed]
