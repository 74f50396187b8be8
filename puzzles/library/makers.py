"""Make a puzzle of each kind from words alone, with the options that its generator has."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from functools import partial
from random import Random
from typing import Any, Literal

from puzzles.exports.data import PuzzleData
from puzzles.generators.errors import FewerWords, PuzzleError
from puzzles.generators.grid import Generated, Unplaced
from puzzles.library.puzzle import KINDS, NotAllWords, Puzzle, require_extra
from vocab.text import canonical_language, tiles
from vocab.text import direction as direction_of

Words = Iterable[str] | Iterable[tuple[str, str]] | Mapping[str, str]
"""Words; or words with a clue or translation each, as pairs or {word: clue}."""
Size = int | tuple[int, int] | None
"""The side of a square grid, or (rows, columns); None leaves it to the words."""
Items = list[tuple[str, str]]
Maker = Callable[[list[str], str | None, Random, bool], Generated]

# Rows and columns of one step, by the point of the compass to which a word runs on paper.
DIRECTIONS = {
    "E": (0, 1), "SE": (1, 1), "S": (1, 0), "SW": (1, -1),
    "W": (0, -1), "NW": (-1, -1), "N": (-1, 0), "NE": (-1, 1),
}  # fmt: skip
_USUAL_WORDS, _USUAL_SIDE = 10, 10  # of listen and find


def word_search(
    words: Words,
    *,
    language: str | None = None,
    size: Size = None,
    difficulty: Literal["easy", "medium", "hard"] | None = None,
    directions: Iterable[str] = (),
    shape: Literal["heart", "circle", "star", "diamond"] | None = None,
    message: str = "",
    count: int | None = None,
    require_all: bool = False,
    seed: int | None = None,
    title: str = "Word search",
) -> Puzzle:
    """Hide words in a grid of letters, in up to eight directions, crossing each other.

    Words are lifted and laid again where they share most letters, and what is worse is accepted
    less and less: ruin and recreate with simulated annealing (Schrimpf et al., Record breaking
    optimization results using the ruin and recreate principle, 2000).

    Args:
        words: The words, or pairs of a word and its translation.
        language: Their language, a tag such as "hr": it decides what one letter is, and which
            letters fill the grid.
        size: At most 60 × 60. None: as large as the words need.
        difficulty: "easy" has words to the right and down, "medium" none backwards, "hard" all.
        directions: Points of the compass on paper, such as ["E", "S"]; none means those of the
            difficulty.
        shape: The outline of the grid. Needs the extra `shapes`.
        message: What the letters that no word uses spell, in reading order.
        count: Use so many of the words, chosen at random.
        require_all: Raise NotAllWords if a word finds no place.
        seed: The same seed, words and options make the same puzzle on every machine.
        title: What stands above the grid.

    Returns:
        The puzzle. Words without a place are in its `unplaced`, each with the reason.

    Raises:
        PuzzleError: an argument is invalid, no word fits, or no grid leaves over the message.

    Complexity:
        Steps grow with the number of letters to the power of 1.5, up to a fixed limit: about 0.02 s
        for 20 words and 0.25 s for 200. The first call in a process loads compiled code.
    """

    def make(texts: list[str], tag: str | None, rng: Random, takes_all: bool) -> Generated:
        from puzzles.generators import word_search as generator
        from puzzles.generators.word_search import masks

        wishes: dict[str, Any] = {}
        if steps := _steps(directions, tag):
            wishes["directions"] = steps
        if difficulty:
            wishes["difficulty"] = difficulty
        if shape:
            if shape not in masks.SHAPES:
                known = ", ".join(masks.SHAPES)
                raise PuzzleError(f"“{shape}” is not a shape. Known are {known}.")
            require_extra("shapes", ["PIL"], "A shape")
            wishes["shape"] = masks.silhouette(shape)
        return generator.generate(texts, size=size, language=tag, rng=rng, hidden=message, **wishes)

    return _make(KINDS[0], make, words, language, count, require_all, seed, title, message)


def listen_and_find(
    words: Words,
    *,
    language: str | None = None,
    size: Size = _USUAL_SIDE,
    difficulty: Literal["easy", "hard"] | None = None,
    forwards_only: bool = True,
    count: int | None = None,
    require_all: bool = False,
    seed: int | None = None,
    title: str = "Listen and find",
) -> Puzzle:
    """Hide each word once in a row of a grid, to be heard and found.

    Words are chosen and laid at random; the other letters are changed where a word could be read a
    second time. The search is our own.

    Args:
        words: The words, or pairs of a word and its translation.
        language: Their language, as in `word_search`.
        size: At most 30 × 30.
        difficulty: With "hard" the other letters are those of the words.
        forwards_only: Whether no word is written backwards.
        count: So many of the words; None: ten, or as many as there is room for.
        require_all: Raise NotAllWords if a word finds no place; takes all words, not ten.
        seed: As in `word_search`.
        title: What stands above the grid.

    Returns:
        The puzzle; `unplaced` has the words without a place.

    Raises:
        PuzzleError: an argument is invalid, or no word fits a row.

    Complexity:
        At most ten attempts for each number of words, each linear in cells times words:
        milliseconds.
    """

    def make(texts: list[str], tag: str | None, rng: Random, takes_all: bool) -> Generated:
        from puzzles.generators import finder

        rows, cols = _sides(size) or (_USUAL_SIDE, _USUAL_SIDE)
        wanted = len(texts) if takes_all else min(_USUAL_WORDS, len(texts))
        generate = partial(
            finder.generate,
            texts,
            rows=rows,
            cols=cols,
            difficulty=difficulty or "easy",
            forwards_only=forwards_only,
            language=tag,
            rng=rng,
        )
        refused: dict[str, Unplaced] = {}
        while True:
            try:
                made = generate(words=wanted)
                break
            except FewerWords as error:
                if not error.possible:
                    raise
                wanted = min(wanted - 1, error.possible)
                refused |= {left_out.word: left_out for left_out in error.refused}
        if not refused:
            return made
        told = {one.word for one in made.placements} | {one.word for one in made.unplaced}
        crowded_out = "The list and the board have no room for it beside the others."
        more = (
            refused.get(word) or Unplaced(word, crowded_out) for word in texts if word not in told
        )
        return replace(made, unplaced=(*made.unplaced, *more))

    return _make(KINDS[1], make, words, language, count, require_all, seed, title)


def crossword(
    words: Words,
    *,
    language: str | None = None,
    size: Size = None,
    seconds: float | None = None,
    count: int | None = None,
    require_all: bool = False,
    seed: int | None = None,
    title: str = "Crossword",
) -> Puzzle:
    """Lay words across and down so that they cross; every run of letters is one of the words.

    Parts of the crossword are removed and laid anew (ruin and recreate, as in `word_search`); on a
    board of given size a beam search comes first. That each new run must be a word of the list is
    an idea of jigsaw by Franz Korntner. Words that share no letter with the others, directly or
    through others, are left out.

    Args:
        words: Pairs of a word and its clue, or {word: clue}; a word without a clue is asked by its
            number of letters.
        language: Their language, as in `word_search`.
        size: None: as large as the words need.
        seconds: How long to search; None: an effort by the number of words, which makes the same
            crossword from the same seed.
        count: Use so many of the words, chosen at random.
        require_all: Raise NotAllWords if a word finds no place.
        seed: As in `word_search`.
        title: What stands above the grid.

    Returns:
        The puzzle; each of its `words` has *number* and *direction* ("across" or "down").

    Raises:
        PuzzleError: an argument is invalid, or no word can be laid.

    Complexity:
        Without *seconds*, the work grows with the square of the words: about 0.1 s for 20 words,
        3 s for 100.
    """

    def make(texts: list[str], tag: str | None, rng: Random, takes_all: bool) -> Generated:
        from puzzles.generators import crossword as generator

        rows, cols = _sides(size) or (None, None)
        islands = generator.needs_islands(texts, language=tag)
        return generator.generate(
            texts, rows=rows, cols=cols, seconds=seconds, language=tag, rng=rng, islands=islands
        )

    return _make(KINDS[2], make, words, language, count, require_all, seed, title)


MAKERS: dict[str, Callable[..., Puzzle]] = dict(
    zip(KINDS, (word_search, listen_and_find, crossword), strict=True)
)


def _make(
    kind: str,
    make: Maker,
    words: Words,
    language: str | None,
    count: int | None,
    require_all: bool,
    seed: int | None,
    title: str,
    message: str = "",
) -> Puzzle:
    items = _items(words)
    try:
        tag = canonical_language(language) if language else None
    except ValueError as error:
        raise PuzzleError(str(error)) from error
    seed = secrets.randbits(32) if seed is None else seed
    rng = Random(seed)
    if count is not None:
        if not 0 < count <= len(items):
            raise PuzzleError(f"{count} words cannot be chosen: there are {len(items)}.")
        chosen = set(rng.sample(range(len(items)), count))
        items = [item for place, item in enumerate(items) if place in chosen]
    made = make([word for word, _ in items], tag, rng, require_all or count is not None)
    data = PuzzleData.from_generated(
        kind, made, items, title=title, language=tag, shows_words=kind == KINDS[0]
    )
    data = replace(
        data,
        message=tuple(message.split()) if tiles(message, None) else (),
        unplaced=tuple(Unplaced(left_out.word, left_out.reason) for left_out in made.unplaced),
    )

    def again(seed: int, words: Items) -> Puzzle:
        return _make(kind, make, words, tag, None, True, seed, title, message)

    puzzle = Puzzle(data, seed, again=again)
    if require_all and len(puzzle.words) < len(items):
        raise NotAllWords(puzzle, len(items))
    return puzzle


def _items(words: Words) -> Items:
    """Return (word, clue or "") of each word."""
    if isinstance(words, str):
        raise PuzzleError(f"Give the words as a list, as in {words.split()!r}, not as one text.")
    given = words.items() if isinstance(words, Mapping) else words
    items: Items = []
    for number, item in enumerate(given, 1):
        match item:
            case str():
                items.append((item, ""))
            case (str() as word, str() as clue):
                items.append((word, clue))
            case _:
                raise PuzzleError(
                    f"Word {number} must be text, or a pair of word and clue, not {item!r}."
                )
    if not items:
        raise PuzzleError("There are no words.")
    return items


def _sides(size: Size) -> tuple[int, int] | None:
    return (size, size) if isinstance(size, int) else size


def _steps(directions: Iterable[str], language: str | None) -> list[tuple[int, int]]:
    """Return the steps in a grid whose columns run as the language is read."""
    names = [name.strip().upper() for name in directions]
    if unknown := [name for name in names if name not in DIRECTIONS]:
        raise PuzzleError(f"“{unknown[0]}” is not a direction. Known are {', '.join(DIRECTIONS)}.")
    turn = -1 if language and direction_of(language) == "rtl" else 1
    return [(down, turn * right) for down, right in map(DIRECTIONS.__getitem__, names)]
