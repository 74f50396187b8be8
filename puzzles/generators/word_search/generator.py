"""The word search generator: words in eight directions that cross each other.

>>> from random import Random
>>> puzzle = generate(["apple", "pear", "plum"], rng=Random(1))
>>> sorted(placement.word for placement in puzzle.placements)
['apple', 'pear', 'plum']
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING, Literal, TypeVar

from puzzles.generators.errors import WordSearchError, check_texts
from puzzles.generators.grid import LONGEST_WORD, Grid, Placement, Unplaced
from puzzles.generators.word_search.words import Entry, prepare
from vocab.message import Sentence, message, messages, one_after_another
from vocab.text import alphabet_for, tiles

if TYPE_CHECKING:
    from puzzles.generators.word_search.fill import Fill
    from puzzles.generators.word_search.layout import Budget, Frame, Layout
    from puzzles.generators.word_search.masks import Silhouette

Direction = tuple[int, int]
"""The step from one letter to the next: rows down, columns onwards, as the script is read."""
Effort = Literal["instant", "normal", "best"]
Difficulty = Literal["easy", "medium", "hard"]

RIGHT: Direction = (0, 1)
DOWN: Direction = (1, 0)
DOWN_RIGHT: Direction = (1, 1)
DOWN_LEFT: Direction = (1, -1)
LEFT: Direction = (0, -1)
UP: Direction = (-1, 0)
UP_LEFT: Direction = (-1, -1)
UP_RIGHT: Direction = (-1, 1)

# In the order in which the engine numbers them.
ALL_DIRECTIONS: tuple[Direction, ...] = (
    RIGHT, DOWN, DOWN_RIGHT, DOWN_LEFT, LEFT, UP, UP_LEFT, UP_RIGHT,
)  # fmt: skip
BEGINNER_DIRECTIONS: tuple[Direction, ...] = (RIGHT, DOWN)
FORWARD_DIRECTIONS: tuple[Direction, ...] = (RIGHT, DOWN, DOWN_RIGHT, UP_RIGHT)

LARGEST_SIDE = LONGEST_WORD
_Choice = TypeVar("_Choice", bound=str)


@dataclass(frozen=True, slots=True)
class WordSearch:
    """A finished word search. Placements and unplaced words are in the order of the list."""

    grid: Grid
    placements: tuple[Placement, ...]
    unplaced: tuple[Unplaced, ...]
    echoes: tuple[Placement, ...] = ()
    """Other places where a word can be read because other words of the list contain it."""
    message: tuple[str, ...] = ()
    """The tiles of the hidden message, one to each cell that no word uses, in reading order."""


@dataclass(frozen=True, slots=True)
class _Level:
    directions: tuple[Direction, ...]
    fill: Fill
    room: float
    """The least number of cells per letter at the automatic size."""


_LEVELS: dict[Difficulty, _Level] = {
    "easy": _Level(BEGINNER_DIRECTIONS, "even", 2.0),
    "medium": _Level(FORWARD_DIRECTIONS, "frequency", 1.6),
    "hard": _Level(ALL_DIRECTIONS, "own", 0.0),
}

LONGEST_MESSAGE = 60
"""The most tiles of a hidden message."""
_MOST_SHARED = 0.5
"""The greatest share of the words' tiles that crossings are expected to save."""
_USUALLY_SHARED = 0.15
"""The share that makes a grid with a hidden message neither empty nor hard to find."""
_MOST_FRAMES = 24
"""How many outlines are tried for a hidden message."""
_CLOSE, _LOOSEST = 0.97, 4.0
"""The least and the greatest area of a shape for that of the square with the same words."""
_FINELY = 1.4
"""Up to this area, for the least, the sizes of a shape are tried in small steps."""


_DENSEST = 0.7
"""Cells per letter; lists that could be packed more densely are too rare to try for."""

# Work beyond settling which words have a place: steps per tile for a list of one tile, the most
# steps, and how many searches do that in parallel. The steps per tile grow with the square root of
# the number of tiles, because there are more words to fit together.
_WORK: dict[Effort, tuple[int, int, int]] = {
    "instant": (0, 0, 1),
    "normal": (3_600, 80_000_000, 2),
    "best": (1_000_000, 600_000_000, 2),
}


def generate(
    words: Iterable[str],
    *,
    size: int | tuple[int, int] | None = None,
    directions: Iterable[Direction] = ALL_DIRECTIONS,
    language: str | None = None,
    rng: Random | None = None,
    effort: Effort | float = "normal",
    difficulty: Difficulty | None = None,
    fill: Fill | None = None,
    blocklist: Iterable[str] = (),
    digraphs: bool = True,
    shape: Silhouette | None = None,
    hidden: str = "",
) -> WordSearch:
    """Create a word search in which each word can be read exactly once in eight directions.

    *size* is a side or (rows, cols), at most 60 each; without it the grid grows until all words
    fit. *effort* is a name, whose result is the same on any machine, or a budget in milliseconds.
    *difficulty* limits the directions and determines filling and room. *fill* is "even",
    "frequency" or "own" (see `fill.fill_weights`). A word of the *blocklist* can never be read,
    unless a listed word contains it. Words stay in the *shape*; cells outside are None. The letters
    left over spell the *hidden* message, exactly: there is no filling, and all words are placed.

    The same *rng* state and arguments give the same puzzle, unless *effort* is a time; without
    *rng* every call gives another one.

    Returns:
        The grid, a tuple of rows, each a tuple of tiles, and in it the placement of each word.
        Words that are not in the grid are in `unplaced` with the reason. A word that can be read in
        a longer one, or backwards in one of the same length, is placed there if that direction is
        allowed, otherwise it is not placed; if several words contain it, the other places are
        `echoes`.

    Raises:
        WordSearchError: the size, the directions, the effort or the difficulty is invalid, no word
            can be placed, or no grid leaves over the message.

    Complexity:
        The steps of `effort="normal"` are proportional to the number of tiles to the power of 1.5,
        at most 80 million; those of "instant" are as many as it takes to lay all words. The method
        and its source are in `word_search.anneal`.
    """
    from puzzles.generators.word_search.fill import FILLS, fill_weights
    from puzzles.generators.word_search.layout import filled_grid, lay_out, spell_out

    rng = rng or Random()
    listed, unwanted = list(words), list(blocklist)
    if not (language is None or isinstance(language, str)):
        raise WordSearchError(
            message("The language must be a code such as “en”, not {given}.", given=repr(language))
        )
    check_texts([*listed, *unwanted, hidden], WordSearchError)
    blocked = [cut for cut in (tiles(w, language, digraphs=digraphs) for w in unwanted) if cut]
    entries, refused = prepare(listed, language, digraphs, blocked)
    # Translators: “difficulty”, “filling” and “effort” fill {what} in “{given} is not a valid
    # {what}”.
    level = _LEVELS[_one_of(_LEVELS, difficulty, message("difficulty"))] if difficulty else None
    policy = _one_of(FILLS, fill or (level.fill if level else "frequency"), message("filling"))
    allowed = _allowed(directions, level)
    budget = _budget(effort)
    frames = _frames(size, entries, level, shape)
    entries = _fitting(entries, frames[-1].shape, allowed, refused)
    if not entries:
        raise WordSearchError(_nothing_to_place(refused))
    text = _cut_message(hidden, language, digraphs=digraphs)
    grid: Grid | None = None
    if text:
        fitting = _frames_for(text, entries, None if size is None else frames[0], allowed, shape)
        spelt = spell_out(entries, blocked, text, fitting, allowed, rng)
        if spelt is None:
            raise WordSearchError(_no_room_for(text))
        layout, grid = spelt
    else:
        layout = lay_out(entries, blocked, frames, allowed, budget, rng)
    placed = [entry for entry in entries if entry in layout.cells]
    refused += [
        Unplaced(entry.word, _without_a_place(entry, layout))
        for entry in entries
        if entry not in layout.cells
    ]
    if grid is None:
        cuts = [entry.tiles for entry in placed]
        alphabet = alphabet_for(cuts, language, digraphs=digraphs)
        weights = fill_weights(cuts, alphabet, language, policy)
        grid = filled_grid(layout, blocked, weights, alphabet, rng)
    return WordSearch(
        grid,
        tuple(Placement(entry.word, layout.cells[entry]) for entry in placed),
        _in_order_of(listed, refused),
        tuple(Placement(entry.word, cells) for entry, cells in layout.echoes),
        text,
    )


def _cut_message(hidden: str, language: str | None, *, digraphs: bool) -> tuple[str, ...]:
    text = tiles(hidden, language, digraphs=digraphs)
    if len(text) > LONGEST_MESSAGE:
        raise WordSearchError(
            message(
                "The hidden message has {count} letters; it can have at most {most}.",
                count=len(text),
                most=LONGEST_MESSAGE,
            )
        )
    return text


def _no_room_for(text: Sequence[str]) -> Sentence:
    return messages(
        "No grid was found in which exactly the {count} letter of the hidden message is left over. "
        "Make the message longer, use other or fewer words, or allow more directions.",
        "No grid was found in which exactly the {count} letters of the hidden message are left "
        "over. Make the message longer or shorter, use other or fewer words, or allow more "
        "directions.",
        len(text),
    )


def _without_a_place(entry: Entry, layout: Layout) -> Sentence:
    if entry in layout.backwards:
        return message(
            "“{word}” appears in “{other}”, but only backwards, and that direction is not allowed.",
            word=entry.word,
            other=layout.backwards[entry].word,
        )
    rows, cols = layout.frame.shape
    return message(
        "No place was found for “{word}” in a {rows} × {cols} grid without a word appearing twice.",
        word=entry.word,
        rows=rows,
        cols=cols,
    )


def _one_of(choices: Collection[_Choice], given: _Choice, what: Sentence) -> _Choice:
    if given not in choices:
        raise WordSearchError(
            message(
                "“{given}” is not a valid {what}. Choose one of: {choices}.",
                given=given,
                what=what,
                choices=", ".join(choices),
            )
        )
    return given


def _allowed(directions: Iterable[Direction], level: _Level | None) -> list[int]:
    """Return the engine's numbers of the directions that both caller and level allow."""
    if not isinstance(directions, Iterable):
        raise WordSearchError(
            message(
                "The directions must come from ALL_DIRECTIONS, not {given}.", given=repr(directions)
            )
        )
    directions = list(directions)
    for direction in directions:
        if direction not in ALL_DIRECTIONS:
            raise WordSearchError(
                message(
                    "{given} is not a direction. Choose from ALL_DIRECTIONS.", given=str(direction)
                )
            )
    wanted = set(directions)
    if level is not None:
        wanted &= set(level.directions)
    if not wanted:
        raise WordSearchError(
            message("No direction is left to place words in. Allow at least one.")
        )
    return [number for number, step in enumerate(ALL_DIRECTIONS) if step in wanted]


def _budget(effort: Effort | float) -> Budget:
    from puzzles.generators.word_search.layout import Budget

    if isinstance(effort, str):
        # More effort begins with the same search as less, so that it never places fewer words.
        least = Budget(*_WORK["normal"]) if effort == "best" else None
        return Budget(*_WORK[_one_of(_WORK, effort, message("effort"))], least=least)
    if isinstance(effort, bool) or not isinstance(effort, int | float):
        raise WordSearchError(
            message(
                "The effort must be one of {choices} or a number of milliseconds, not {given}.",
                choices=", ".join(_WORK),
                given=repr(effort),
            )
        )
    if not 0 <= effort < math.inf:
        raise WordSearchError(
            message(
                "A time limit of {given} milliseconds is not possible. Give 0 or more.",
                given=str(effort),
            )
        )
    return Budget(seconds=effort / 1000)


def _frames(
    size: int | tuple[int, int] | None,
    entries: Sequence[Entry],
    level: _Level | None,
    shape: Silhouette | None,
) -> list[Frame]:
    """Return the outlines to try one after another."""
    from puzzles.generators.word_search.layout import Frame

    if size is not None:
        rows, cols = _sides(size)
        if not (1 <= rows <= LARGEST_SIDE and 1 <= cols <= LARGEST_SIDE):
            raise WordSearchError(
                message(
                    "A grid of {rows} × {cols} is not possible; each side can be 1 to {most}.",
                    rows=rows,
                    cols=cols,
                    most=LARGEST_SIDE,
                )
            )
        return [Frame(rows, cols, shape.cells(rows, cols) if shape else None)]
    lengths = [len(entry.tiles) for entry in entries]
    side = min(_smallest_side(lengths, level.room if level else 0.0), LARGEST_SIDE)
    if shape is not None:
        least = _CLOSE * side**2
        return _shaped(shape, least, _LOOSEST * side**2, finely_to=_FINELY * least)
    return [Frame(side, side) for side in range(side, LARGEST_SIDE + 1)]


def _shaped(shape: Silhouette, least: float, most: float, *, finely_to: float) -> list[Frame]:
    """Return the sizes of *shape* with *least* to *most* cells, smallest first; at least one.

    Up to *finely_to* cells they grow in small steps.
    """
    from puzzles.generators.word_search.layout import Frame

    found: dict[tuple[int, int], Frame] = {}
    wide = shape.aspect**0.5
    # By half cells and each side rounded both ways, so that areas grow by little at first.
    half, largest = 2 * math.isqrt(int(least)), 0
    while largest <= most and half < 4 * LARGEST_SIDE:
        high, long = half / 2 / wide, half / 2 * wide
        sizes = {(r, c) for r in (int(high), math.ceil(high)) for c in (int(long), math.ceil(long))}
        for rows, cols in sorted(sizes):
            if rows * cols < least or not (rows <= LARGEST_SIDE and cols <= LARGEST_SIDE):
                continue
            frame = Frame.around(shape.cells(rows, cols))
            largest = max(largest, frame.area)
            if least <= frame.area <= most:
                found[frame.shape] = frame
        half += 1 if largest < finely_to else 4
    if not found:
        raise WordSearchError(
            message("The words do not fit into this shape. Use fewer words or another shape.")
        )
    return sorted(found.values(), key=lambda frame: (frame.area, frame.shape))


def _frames_for(
    text: Sequence[str],
    entries: Sequence[Entry],
    given: Frame | None,
    directions: Sequence[int],
    shape: Silhouette | None,
) -> list[Frame]:
    """Return the outlines in which *text* may be left over, the most promising first."""
    from puzzles.generators.word_search.layout import Frame
    from puzzles.generators.word_search.words import nest

    roots, _nested = nest(entries)
    size, longest = (f(len(entry.tiles) for entry in roots) for f in (sum, max))
    if given is not None:
        frames = [given]
    elif shape is not None:
        # All sizes: only a few of them have nearly as many squares as the words need.
        most = size + len(text)
        frames = _shaped(shape, most - _MOST_SHARED * size, most, finely_to=most)
    else:
        sides = range(2, LARGEST_SIDE + 1)
        frames = [Frame(rows, cols) for rows in sides for cols in sides]

    def saved(frame: Frame) -> int:
        return size + len(text) - frame.area

    def strangeness(frame: Frame) -> float:
        uneven = abs(math.log(frame.cols / frame.rows)) if shape is None else 0.0
        return abs(saved(frame) / size - _USUALLY_SHARED) + uneven / 2

    fitting = [
        frame
        for frame in frames
        if 0 <= saved(frame) <= _MOST_SHARED * size and _reach(frame.shape, directions) >= longest
    ]
    return sorted(fitting, key=strangeness)[:_MOST_FRAMES]


def _sides(size: object) -> tuple[int, int]:
    match size:
        case bool():
            pass
        case int():
            return size, size
        case (int(rows), int(cols)):
            return rows, cols
    raise WordSearchError(
        message(
            "The size must be one whole number or two (rows, cols), not {given}.", given=repr(size)
        )
    )


def _smallest_side(lengths: Sequence[int], room: float) -> int:
    """Return the side to begin with: the more words, the further it exceeds the longest."""
    if not lengths:
        return 1
    longest, count = max(lengths), len(lengths)
    factor = 1.5 if count <= 5 else 1.8 if count <= 10 else 2.0
    by_length = math.ceil(sum(lengths) / count * factor)
    side = min(max(longest + 1, by_length), longest + 5)
    return max(side, math.ceil(math.sqrt(max(room, _DENSEST) * sum(lengths))))


def _fitting(
    entries: Sequence[Entry],
    shape: tuple[int, int],
    directions: Sequence[int],
    refused: list[Unplaced],
) -> list[Entry]:
    """Return the entries for which some line of the grid is long enough; refuse the others."""
    rows, cols = shape
    reach = _reach(shape, directions)
    refused += [
        Unplaced(
            entry.word,
            messages(
                "“{word}” has {count} letter; a line of this grid ({rows} × {cols}) holds at "
                "most {reach}.",
                "“{word}” has {count} letters; a line of this grid ({rows} × {cols}) holds at "
                "most {reach}.",
                len(entry.tiles),
                word=entry.word,
                rows=rows,
                cols=cols,
                reach=reach,
            ),
        )
        for entry in entries
        if len(entry.tiles) > reach
    ]
    return [entry for entry in entries if len(entry.tiles) <= reach]


def _reach(shape: tuple[int, int], directions: Sequence[int]) -> int:
    """Return the length of the longest line."""
    rows, cols = shape
    return max(
        min(rows if down else LARGEST_SIDE, cols if right else LARGEST_SIDE)
        for down, right in (ALL_DIRECTIONS[number] for number in directions)
    )


def _nothing_to_place(refused: Sequence[Unplaced]) -> Sentence:
    if not refused:
        return message("There are no words to make a word search from.")
    reasons = [unplaced.reason for unplaced in refused[:3]]
    if len(refused) <= 3:
        return message(
            "None of the words can be placed in the grid. {reasons}",
            reasons=one_after_another(reasons),
        )
    return message(
        "None of the words can be placed in the grid. {reasons} And {count} more.",
        reasons=one_after_another(reasons),
        count=len(refused) - 3,
    )


def _in_order_of(listed: Sequence[str], refused: Sequence[Unplaced]) -> tuple[Unplaced, ...]:
    place = {word: i for i, word in reversed(list(enumerate(listed)))}
    return tuple(sorted(refused, key=lambda unplaced: place[unplaced.word]))


def directions_of(difficulty: Difficulty) -> tuple[Direction, ...]:
    """Return the directions in which words run at a level."""
    return _LEVELS[difficulty].directions


def warm_up() -> None:
    """Compile the inner loops, or load the compiled code from the cache."""
    generate(["apple", "pear", "plum"], rng=Random(0), effort="instant")
