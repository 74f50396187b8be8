"""The interface of a kind of puzzle.

Pages, API, tasks and commands use the kinds through the registry and name none of them.
"""

from __future__ import annotations

import itertools
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from random import Random
from typing import Any, ClassVar, TypeVar

from django import forms
from django.utils.formats import number_format
from django.utils.translation import gettext as _

from puzzles.generators.grid import Cell, Grid, Unplaced
from puzzles.generators.grid import Placement as PlacedWord
from puzzles.models import Placement, Puzzle
from vocab.message import message, messages
from vocab.models import Entry, Review

Placed = TypeVar("Placed", bound=PlacedWord)


@dataclass(frozen=True, slots=True)
class Slot:
    """A placed word, by its index among the given words."""

    index: int
    cells: tuple[Cell, ...]
    number: int | None = None
    direction: str = ""
    echoes: tuple[tuple[Cell, ...], ...] = ()


@dataclass(frozen=True, slots=True)
class Layout:
    """What a kind generated from some words."""

    grid: Grid
    slots: Sequence[Slot]
    unplaced: Sequence[Unplaced] = ()
    grids_tried: int = 1


@dataclass(frozen=True, slots=True)
class Parts:
    """The least number of parts of a puzzle, and the words that cannot be beside the others.

    *left_out* has the reason by the word's place.
    """

    count: int = 1
    left_out: Mapping[int, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Turn:
    """One of the turns in which a long search creates a puzzle, because others wait meanwhile."""

    should_stop: Callable[[], bool]
    so_far: dict[str, Any] = field(default_factory=dict)
    """What the last turn left; empty in the first."""


class TurnYielded(Exception):
    """A search stopped for others; *so_far* can be stored as JSON and continues it."""

    def __init__(self, so_far: dict[str, Any]) -> None:
        super().__init__()
        self.so_far = so_far


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """A request for a puzzle of *words*, in which no word of the *blocklist* can be read.

    A kind that is searched raises TurnYielded if *turn* says that others wait and there is more to
    search.
    """

    words: Sequence[str]
    language: str
    digraphs: bool
    settings: dict[str, Any]
    blocklist: Sequence[str] = ()
    rng: Random = field(default_factory=Random)
    turn: Turn | None = None


@dataclass(frozen=True, slots=True)
class SentMove:
    """A student's move: traced cells, or letters typed into a placement's cells."""

    slot: str | None = None
    cells: tuple[Cell, ...] | None = None
    tiles: tuple[str, ...] | None = None
    was_heard: bool = False  # the clue was a sound; another word may sound the same


class Miss(StrEnum):
    """Why a move found nothing, as far as it may be said."""

    NO_WORD = "no word"
    NOT_IT = "not it"
    OTHER_WORD = "other word"
    BACKWARDS = "backwards"


@dataclass(frozen=True, slots=True)
class Verdict:
    """The result of a move. Without a placement nothing was found, and *miss* says why.

    A check asks only about some letters of a word; it is help, not an answer.
    *accent_cells* are right except for an accent, if the list is set to report that.
    """

    placement: Placement | None = None
    miss: Miss = Miss.NO_WORD
    wrong_cells: tuple[Cell, ...] = field(default=())
    accent_cells: tuple[Cell, ...] = field(default=())
    is_check: bool = False


@dataclass(frozen=True, slots=True)
class HiddenMessage:
    """A text that the letters left over spell, and their cells in reading order."""

    text: str
    cells: tuple[Cell, ...]


class MoveRefused(ValueError):
    """A move that is invalid in this puzzle: cells off the grid, an unknown slot."""


class Kind(ABC):
    """A kind of puzzle: its settings, its generator, its clues and its rule for a move.

    One object of it serves all threads, so it has no state of its own.
    """

    __slots__ = ()

    slug: ClassVar[str]
    name: ClassVar[Any]
    description: ClassVar[Any]
    # What students do with the words in it, as a button says it: they see, hear or type them.
    way: ClassVar[Any]
    # The class game in which it is played; see `puzzles.models.LiveGame.Mode`.
    live_mode: ClassVar[str]
    # What a worksheet tells the student to do, unless the teacher writes something else.
    instruction: ClassVar[Any]
    queue: ClassVar[str] = "default"
    settings_form: ClassVar[type[forms.Form]]
    # The settings that a student can change for the next puzzle of the same list; None: students
    # cannot request a next one.
    player_settings: ClassVar[tuple[str, ...] | None] = None
    # The settings that a puzzle of one student's own words does not have: they need words that
    # the teacher knows and can change.
    settings_for_all: ClassVar[tuple[str, ...]] = ()
    # Whether the generator chooses words from the whole ordered list by its own rules.
    chooses_words: ClassVar[bool] = False
    # The page on which a teacher watches the search and chooses a result, by list.
    maker_page: ClassVar[str | None] = None
    # Whether a student sees the letters of the grid or fills them in.
    shows_letters: ClassVar[bool] = True
    # Whether some of its words are asked once when a game is over: a find proves no recall.
    asks_words_after: ClassVar[bool] = False
    # Whether creating one is a search that can be limited in seconds.
    is_searched: ClassVar[bool] = False
    # Whether puzzles from files of other programs, in which students see the letters or not, are
    # of this kind.
    takes_files: ClassVar[bool] = False

    @property
    def fewest_words(self) -> int:
        """The fewest words of which a puzzle can be made."""
        field = self.settings_form.base_fields["words"]
        return int(getattr(field, "min_value", None) or 1)

    def fewest_letters(self, tiles: Sequence[str]) -> int:
        """Return the fewest letters of a word that it can ask, in the script of *tiles*."""
        return 2

    def default_settings(self) -> dict[str, Any]:
        fields = self.settings_form.base_fields
        return {name: field.initial for name, field in fields.items()}

    def told(self, settings: dict[str, Any]) -> list[tuple[str, str]]:
        """Return each setting's name and value in words; without sizes, which the grid shows."""
        told = []
        for name, asked in self.settings_form.base_fields.items():
            value = settings.get(name)
            if name in ("words", "rows", "cols") or value in (None, "", []):
                continue
            if isinstance(asked, forms.MultipleChoiceField):
                shown = ", ".join(str(label) for each, label in _choices(asked) if each in value)
            elif isinstance(asked, forms.ChoiceField):
                shown = str(dict(_choices(asked)).get(value, value))
            elif isinstance(asked, forms.BooleanField):
                shown = _("Yes") if value else _("No")
            elif isinstance(value, str):
                shown = value
            else:
                shown = number_format(value)
            told.append((str(asked.label), shown))
        return told

    def settings_of_own_words(self, settings: dict[str, Any]) -> dict[str, Any]:
        """Return the settings of a puzzle of one student's own words."""
        usual = self.default_settings()
        return settings | {name: usual[name] for name in self.settings_for_all if name in settings}

    def settings_of_file(
        self, words: int, *, has_clues: bool, message: str = "", bonus: int = 0
    ) -> dict[str, Any]:
        """Return the settings of a puzzle from a file with so many words, with clues or without.

        *message* is what the letters left over spell, and *bonus* the number of words besides.
        """
        field = self.settings_form.base_fields["words"]
        most = int(getattr(field, "max_value", None) or words)
        wanted = max(self.fewest_words, min(words, most))
        return self.default_settings() | {"words": wanted}

    def is_heard(self, settings: dict[str, Any]) -> bool:
        """Return whether clues are heard; a word without sound uses text instead."""
        return False

    def why_not(self, entry: Entry, settings: dict[str, Any]) -> str | None:
        """Return why there is no clue for *entry*, or None if there is one."""
        return None

    def why_unfit(self, entry: Entry, settings: dict[str, Any]) -> str | None:
        """Return why *entry* cannot be in a puzzle of this kind, or None if it can.

        When a puzzle is created, its generator says what is too short.
        """
        count, least = len(entry.tiles), self.fewest_letters(entry.tiles)
        if not count:
            return message("It contains no letters.")
        if count >= least:
            return self.why_not(entry, settings)
        return messages(
            "It has {count} letter but needs at least {least}.",
            "It has {count} letters but needs at least {least}.",
            count,
            least=least,
        )

    def parts(self, request: Request) -> Parts:
        """Return into how many parts the puzzle falls at least, and what is left out."""
        return Parts()

    def askable(self, entries: Iterable[Entry], settings: dict[str, Any]) -> list[Entry]:
        """Return the entries that a puzzle of this kind can ask so that the answer counts.

        An answer does not count if the word itself has to be shown; see `vocab.memory.evidence`.
        """
        return [entry for entry in entries if self.why_unfit(entry, settings) is None]

    @abstractmethod
    def generate(self, request: Request) -> Layout:
        """Generate a puzzle.

        Raises a PuzzleError that names the word and the cause, or TurnYielded; see Request.
        """

    def shows_words(self, settings: dict[str, Any]) -> bool:
        """Return whether the student sees the words themselves, as on paper."""
        return False

    @abstractmethod
    def clue(self, placement: Placement, settings: dict[str, Any]) -> str | None:
        """Return the clue's text, or None if the clue is a sound."""

    def shows_picture(self, settings: dict[str, Any]) -> bool:
        """Return whether a clue comes with the entry's picture, if it has one."""
        return False

    def shows_picture_only(self, settings: dict[str, Any]) -> bool:
        """Return whether the entry's picture, if it has one, replaces the clue."""
        return False

    def clue_without_sound(self, placement: Placement, settings: dict[str, Any]) -> str:
        """Return the text to show if a clue that is heard cannot be played or is not wanted."""
        return placement.played

    def printed_clue(self, placement: Placement, settings: dict[str, Any]) -> str:
        """Return the clue for print."""
        return " · ".join(placement.translations)

    @abstractmethod
    def judge(self, move: SentMove, placements: Sequence[Placement], puzzle: Puzzle) -> Verdict:
        """Compare *move* with the stored placements; raise MoveRefused if it is invalid.

        If it fits several placements equally well, it is taken for the first of them.
        """

    @abstractmethod
    def skill(self, settings: dict[str, Any], *, was_heard: bool) -> Review.Skill:
        """Return what a word of this kind is found by: its meaning, its sound, or its letters."""

    def public_settings(self, puzzle: Puzzle) -> dict[str, Any]:
        """Return the settings as students may see them."""
        return puzzle.settings

    def message_words(self, settings: dict[str, Any]) -> tuple[str, ...]:
        """Return the words of the message that the letters left over spell."""
        return ()

    def bonus_words(self, settings: dict[str, Any]) -> int:
        """Return how many words are hidden besides those to find."""
        return 0

    def hidden_message(
        self, puzzle: Puzzle, placements: Sequence[Placement]
    ) -> HiddenMessage | None:
        """Return the message that is left over once all *placements* are found, if there is one."""
        return None

    def public_grid(self, puzzle: Puzzle) -> list[list[str | None]]:
        """Return the grid as students may see it."""
        if self.shows_letters:
            return puzzle.grid
        return [[None if tile is None else "" for tile in row] for row in puzzle.grid]


def _choices(field: forms.ChoiceField) -> list[tuple[Any, Any]]:
    return [(value, label) for value, label in field.choices]  # type: ignore[misc,union-attr]


def traced_cells(move: SentMove, puzzle: Puzzle) -> tuple[Cell, ...]:
    """Return the move's cells; refuse an empty move, cells off the grid, and crooked lines."""
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


def indexed(words: Sequence[str], placed: Sequence[Placed]) -> list[tuple[int, Placed]]:
    """Return each placement after the index of its word in *words*, using each index once."""
    free: dict[str, list[int]] = {}
    for index, word in reversed(list(enumerate(words))):
        free.setdefault(word, []).append(index)
    return [(free[placement.word].pop(), placement) for placement in placed]
