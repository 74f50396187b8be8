"""The crossword generator: arrange words in a criss-cross grid where every run is a word.

>>> from random import Random
>>> puzzle = generate(["cat", "tea", "eat"], rng=Random(1))
>>> len(puzzle.placements), puzzle.unplaced
(3, ())
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from random import Random
from typing import TYPE_CHECKING, Literal

from puzzles.generators.crossword.puzzle import (
    DIRECTIONS,
    Crossword,
    LaidWord,
    Scoring,
    does_not_continue,
    without_place,
)
from puzzles.generators.crossword.words import Term, largest_family, sort_words
from puzzles.generators.errors import CrosswordError, check_texts
from puzzles.generators.grid import Cell, Unplaced
from vocab.message import Sentence, message, messages, one_after_another
from vocab.text import crossword_tiles

if TYPE_CHECKING:
    from puzzles.generators.crossword.board import Board
    from puzzles.generators.crossword.lexicon import Lexicon


def generate(
    words: Sequence[str],
    *,
    rows: int | None = None,
    cols: int | None = None,
    beam_width: int | None = None,
    seconds: float | None = None,
    on_better: Callable[[Crossword], None] | None = None,
    objective: Literal["words"] | Scoring = "words",
    rng: Random | None = None,
    language: str | None = None,
    digraphs: bool = True,
    pinned: Collection[str] = (),
    banned: Collection[str] = (),
    walls: Iterable[Cell] = (),
    touching: bool = True,
    symmetric: bool = False,
    should_stop: Callable[[], bool] | None = None,
    start_from: Crossword | None = None,
    threads: int = 2,
    islands: bool = False,
) -> Crossword:
    """Arrange as many *words* as possible across and down, connected; every run is a listed word.

    Without *rows* and *cols* the board is as large as the words need, and if possible no side is
    longer than one and a half times the other. Cells in *walls* stay empty. *pinned* words have
    priority over all others, *banned* ones are left out. *touching* allows words side by side if
    every run that they form is also a word. A *symmetric* crossword looks the same after half a
    turn; its words come in pairs of equal length, except those through the middle, and other words
    of the list are left out.

    The search runs for *seconds*, or for a fixed effort that depends on the list; in the second
    case the same *rng* state and arguments give the same crossword. Without *rng* every call gives
    another one. *should_stop* is called several times a second; *on_better* is called with every
    better crossword. *start_from* continues from a crossword of the same words and board. A board
    of given size is first filled by a beam search of *beam_width*; None chooses widths that the
    time allows. *objective* "words" ranks by words, then by cells in two words, then by letters; a
    `Scoring` by points.

    With *islands*, words that cannot be joined to the others form further crosswords on the same
    board, down to single words, with an empty cell between them. A symmetric crossword or one with
    walls cannot have them.

    Returns:
        The grid, a tuple of rows, each a tuple of tiles or None for cells without a letter, and the
        placement of each word, with number and direction. Words that are not in the grid are in
        `unplaced` with the reason.

    Raises:
        CrosswordError: no word can be laid, or an argument is invalid.

    Complexity:
        To find the best is NP-hard (Gower and Wilkerson, R-by-C Crozzle, 1996), so the search ends
        with *seconds*, or after steps proportional to about the square of the words. Sources of the
        methods are in `crossword.board` and `crossword.anneal`.
    """
    rng = rng or Random()
    cut = partial(crossword_tiles, language=language, digraphs=digraphs)
    words, pinned, banned = (_texts(given) for given in (words, pinned, banned))
    walls = tuple(walls)
    _check_board(rows, cols, symmetric, walls)
    if islands and (symmetric or walls):
        raise CrosswordError(
            message("A crossword of several parts cannot be symmetrical or have blocked squares.")
        )
    _check_search(objective, beam_width, seconds, threads)
    _check_wishes(words, cut, pinned, banned)
    board = _BoardRules(rows, cols, walls, touching, symmetric)
    deadline = None if seconds is None else time.monotonic() + seconds
    effort = _Effort(objective, beam_width, threads, deadline, should_stop, on_better, start_from)
    terms, refused = sort_words(words, cut=cut, pinned=pinned, banned=banned, rows=rows, cols=cols)
    if not terms:
        raise CrosswordError(_nothing_to_lay(refused))
    if islands:
        from puzzles.generators.crossword.islands import grow_islands

        return grow_islands(
            terms,
            refused,
            partial(
                generate,
                beam_width=beam_width,
                objective=objective,
                rng=rng,
                language=language,
                digraphs=digraphs,
                touching=touching,
                should_stop=should_stop,
                threads=threads,
            ),
            rows=rows,
            cols=cols,
            seconds=seconds,
            on_better=on_better,
            start_from=start_from,
        )
    terms, strangers = largest_family(terms)
    return _search(terms, refused + strangers, cut, board, effort, rng)


@dataclass(frozen=True, slots=True)
class _BoardRules:
    """What the board of a crossword is to be like; see `generate`."""

    rows: int | None
    cols: int | None
    walls: tuple[Cell, ...]
    touching: bool
    symmetric: bool

    @property
    def is_free(self) -> bool:
        """Whether a side is as long as the words need."""
        return self.rows is None or self.cols is None

    def with_a_middle(self, size: tuple[int, int], terms: Sequence[Term]) -> tuple[int, int]:
        """Return *size* with its free side adjusted so that a word can lie across the middle."""
        height, width = size
        if self.cols is not None:
            return (height + (self.rows is None and height % 2 == width % 2 == 0)), width
        is_wide_odd = height % 2 == 0 or any(len(term.tiles) % 2 for term in terms)
        return height, width + (width % 2 != is_wide_odd)


@dataclass(frozen=True, slots=True)
class _Effort:
    """How to search, and who is told; see `generate`."""

    objective: Literal["words"] | Scoring
    beam_width: int | None
    threads: int
    deadline: float | None
    should_stop: Callable[[], bool] | None
    on_better: Callable[[Crossword], None] | None
    start_from: Crossword | None


def _search(
    terms: Sequence[Term],
    refused: Sequence[Unplaced],
    cut: Callable[[str], tuple[str, ...]],
    rules: _BoardRules,
    effort: _Effort,
    rng: Random,
) -> Crossword:
    """Return one crossword of *terms*, which letters link."""
    # The engine is compiled code: do not load it for callers that only need the classes above.
    from puzzles.generators.crossword import board as boards
    from puzzles.generators.crossword import plan as planning
    from puzzles.generators.crossword.lexicon import compile_lexicon
    from puzzles.generators.crossword.search import Limits, Searcher, search

    rows, cols, threads = rules.rows, rules.cols, effort.threads
    scoring = effort.objective if isinstance(effort.objective, Scoring) else None
    lexicon = compile_lexicon(
        [term.tiles for term in terms],
        [term.is_pinned for term in terms],
        scoring.crossing if scoring else {},
    )
    plan = planning.plan_search(
        word=scoring.word if scoring else None,
        is_free=rules.is_free,
        is_compact=rows is None and cols is None,
        touching=rules.touching,
        symmetric=rules.symmetric,
        beam_width=None if effort.beam_width is None else math.ceil(effort.beam_width / threads),
    )
    iterations = planning.effort(terms, is_free=rules.is_free)
    limits = Limits(iterations, effort.deadline, effort.should_stop)
    tell = (
        partial(_tell, effort.on_better, terms, refused, rows, cols) if effort.on_better else None
    )
    best: Board | None = None
    for size in planning.board_sizes(terms, rows, cols, symmetric=rules.symmetric):
        height, width = rules.with_a_middle(size, terms) if rules.symmetric else size
        board = boards.empty_board(height, width, len(terms), rules.walls)
        if effort.start_from is not None:
            _lay_again(board, lexicon, terms, effort.start_from, cut)
        searchers = [Searcher(lexicon, board, rng.getrandbits(63), plan) for _ in range(threads)]
        found = search(searchers, plan, limits, tell)
        if best is None or found.tally[boards.WORDS] > best.tally[boards.WORDS]:
            best = found
        if best.tally[boards.WORDS] == len(terms) or limits.are_reached():
            break
    assert best is not None  # noqa: S101
    if not best.tally[boards.WORDS]:
        raise CrosswordError(
            messages(
                "The {count} word does not fit into a crossword of this size and shape. Change it "
                "or add more.",
                "None of the {count} words fits into a crossword of this size and shape. Change "
                "the words or add more.",
                len(terms),
            )
        )
    return _crossword(best, terms, refused, rows, cols)


def warm_up() -> None:
    """Compile the search, or load it from the cache, so that no user waits for it."""
    generate(["cat", "tea", "eat", "act"], rows=4, cols=4, beam_width=2, rng=Random(1))


def _tell(
    on_better: Callable[[Crossword], None],
    terms: Sequence[Term],
    refused: Sequence[Unplaced],
    rows: int | None,
    cols: int | None,
    board: Board,
) -> None:
    if (board.start >= 0).any():
        on_better(_crossword(board, terms, refused, rows, cols))


def _texts(given: Iterable[str]) -> tuple[str, ...]:
    """Return the words; raise a `CrosswordError` for an item that is not text."""
    if isinstance(given, str):
        raise CrosswordError(message("Give a list of words, not the text “{word}”.", word=given))
    words = tuple(given)
    check_texts(words, CrosswordError)
    return words


def _check_board(
    rows: int | None, cols: int | None, symmetric: bool, walls: Sequence[Cell]
) -> None:
    """Raise a `CrosswordError` if the board is invalid."""
    if rows is not None and not (isinstance(rows, int) and 2 <= rows <= 200):
        raise CrosswordError(
            message("A crossword can have 2 to 200 rows, not {rows}.", rows=repr(rows))
        )
    if cols is not None and not (isinstance(cols, int) and 2 <= cols <= 200):
        raise CrosswordError(
            message("A crossword can have 2 to 200 columns, not {cols}.", cols=repr(cols))
        )
    if symmetric and rows is not None and cols is not None and not (rows % 2 or cols % 2):
        raise CrosswordError(
            message(
                "A symmetrical crossword needs an odd number of rows or columns, not {rows} × "
                "{cols}.",
                rows=rows,
                cols=cols,
            )
        )
    if walls and (rows is None or cols is None):
        raise CrosswordError(message("Blocked squares need a fixed number of rows and columns."))
    cells = {(row, col) for row in range(rows or 0) for col in range(cols or 0)}
    for wall in walls:
        if wall not in cells:
            raise CrosswordError(
                message(
                    "The blocked square {wall} is not a (row, column) of a {rows} × {cols} grid; "
                    "both count from 0.",
                    wall=repr(wall),
                    rows=rows or 0,
                    cols=cols or 0,
                )
            )


def _check_search(
    objective: object, beam_width: int | None, seconds: float | None, threads: int
) -> None:
    """Raise a `CrosswordError` if the options of the search are invalid."""
    if objective != "words" and not isinstance(objective, Scoring):
        raise CrosswordError(
            message(
                "The objective must be “words” or a Scoring, not {given}.", given=repr(objective)
            )
        )
    if beam_width is not None and not (isinstance(beam_width, int) and beam_width >= 1):
        raise CrosswordError(
            message("The beam width must be at least 1, not {given}.", given=repr(beam_width))
        )
    if seconds is not None and not (isinstance(seconds, int | float) and seconds > 0):
        raise CrosswordError(
            message(
                "The search time must be more than 0 seconds, not {given}.", given=repr(seconds)
            )
        )
    if not (isinstance(threads, int) and threads >= 1):
        raise CrosswordError(
            message("The search needs at least 1 thread, not {given}.", given=repr(threads))
        )


def _check_wishes(
    words: Sequence[str],
    cut: Callable[[str], tuple[str, ...]],
    pinned: Collection[str],
    banned: Collection[str],
) -> None:
    """Raise a `CrosswordError` that names a pinned word that is banned or not in the list."""
    listed = {cut(word) for word in words}
    unusable = {cut(word) for word in banned}
    for word in pinned:
        if cut(word) in unusable:
            raise CrosswordError(
                message("“{word}” is both included and excluded. Choose one.", word=word)
            )
        if cut(word) not in listed:
            raise CrosswordError(
                message(
                    "“{word}” must be included but is not in the list. Add it to the list, or do "
                    "not include it.",
                    word=word,
                )
            )


def _nothing_to_lay(refused: Sequence[Unplaced]) -> Sentence:
    if not refused:
        return message("The list is empty. A crossword needs at least one word.")
    reasons = [
        # Translators: {reason} is a whole sentence.
        message("“{word}”: {reason}", word=entry.word, reason=entry.reason)
        for entry in refused[:3]
    ]
    return messages(
        # Translators: {reasons} are whole sentences.
        "The {count} word cannot be placed. {reasons}",
        "None of the {count} words can be placed. {reasons}",
        len(refused),
        reasons=one_after_another(reasons),
    )


def _lay_again(
    board: Board,
    lexicon: Lexicon,
    terms: Sequence[Term],
    crossword: Crossword,
    cut: Callable[[str], tuple[str, ...]],
) -> None:
    """Write an earlier crossword onto *board*, in its middle if the size is free."""
    from puzzles.generators.crossword.board import REFUSED, fits, lay, new_scratch

    width = int(board.step[1])
    height = board.letters.size // width
    down = max(0, (height - 2 - len(crossword.grid)) // 2)
    right = max(0, (width - 2 - len(crossword.grid[0])) // 2)
    scratch = new_scratch(board.letters.size)
    index_of = {term.tiles: index for index, term in enumerate(terms)}
    for placement in crossword.placements:
        index = index_of.get(cut(placement.word))
        row, col = placement.cells[0]
        start = (row + down + 1) * width + col + right + 1
        way = DIRECTIONS.index(placement.direction)
        outside = placement.cells[-1][0] + down > height - 3 or placement.cells[-1][1] > width - 3
        if index is None or outside or fits(lexicon, board, index, start, way)[0] == REFUSED:
            raise does_not_continue(placement.word)
        lay(lexicon, board, scratch, index, start, way)


def _crossword(
    board: Board,
    terms: Sequence[Term],
    refused: Sequence[Unplaced],
    rows: int | None,
    cols: int | None,
) -> Crossword:
    """Read a board: crop it to its words if its size was free."""
    width = int(board.step[1])
    words: list[LaidWord] = []
    for index, term in enumerate(terms):
        start = int(board.start[index])
        if start >= 0:
            way = int(board.direction[index])
            step = int(board.step[way])
            line = range(start, start + step * len(term.tiles), step)
            cells = tuple((place // width - 1, place % width - 1) for place in line)
            words.append(LaidWord(term.word, term.tiles, cells, DIRECTIONS[way]))
    top = 0 if rows is not None else min(word.cells[0][0] for word in words)
    left = 0 if cols is not None else min(word.cells[0][1] for word in words)
    moved = [
        replace(word, cells=tuple((row - top, col - left) for row, col in word.cells))
        for word in words
    ]
    laid = {word.tiles for word in words}
    left_over = without_place(term.word for term in terms if term.tiles not in laid)
    return Crossword.of(moved, (*refused, *left_over), rows=rows, cols=cols)
