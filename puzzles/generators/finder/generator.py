"""Listen and find: each word lies once in a row, and can be read nowhere else.

The rules are those of the project's finder. Pure Python is fast enough: a letter is one character
and the board one line of text, which `str.find` can search, and the free places are the bits of
one integer.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from random import Random
from typing import Literal

from puzzles.generators.errors import FewerWords, PuzzleError, check_texts
from puzzles.generators.finder.words import (
    Lexicon,
    Refused,
    Rule,
    choose,
    lexicon_of,
    unused_letters,
)
from puzzles.generators.grid import Grid, Placement, Unplaced
from vocab.message import Sentence, message, messages
from vocab.text import tiles, writes_syllables

MOST_ATTEMPTS = 10
_LONGEST_SIDE = 200
_FEWEST_COLUMNS = 3
_NAMED = 5  # words named in a message for each rule
_FREE, _WALL = ".", "\n"  # both lower than any letter of a lexicon

Difficulty = Literal["easy", "hard"]


@dataclass(frozen=True, slots=True)
class Finder:
    """A finished grid.

    `placements` are in the order in which the words were chosen, their cells first letter first,
    so the columns of a word that lies backwards decrease. `unplaced` are the words that were
    rejected while choosing. `attempts` is the number of grids that were started.
    """

    grid: Grid
    placements: tuple[Placement, ...]
    unplaced: tuple[Unplaced, ...]
    attempts: int


@dataclass(frozen=True, slots=True)
class _Laid:
    """A word on the board: its number in the list, its letters, and its leftmost place."""

    index: int
    spelling: str
    start: int
    is_backwards: bool

    @property
    def cells(self) -> range:
        """Return the places of its letters in the board's text, first letter first."""
        return _cells(self.start, len(self.spelling), self.is_backwards)


def _cells(start: int, length: int, is_backwards: bool) -> range:
    cells = range(start, start + length)
    return cells[::-1] if is_backwards else cells


def generate(
    vocabulary: Sequence[str],
    *,
    words: int = 10,
    rows: int = 10,
    cols: int = 10,
    difficulty: Difficulty = "easy",
    forwards_only: bool = True,
    alphabet: Iterable[str] | None = None,
    language: str | None = None,
    digraphs: bool = True,
    blocklist: Iterable[str] = (),
    rng: Random | None = None,
) -> Finder:
    """Hide *words* words of the list *vocabulary* in the rows of a grid.

    Forwards means in the direction of increasing columns; unless *forwards_only*, each word lies
    backwards with probability one half. The other cells are filled from the *alphabet*, by
    default that of *language*, or from the letters of the words if *difficulty* is "hard". No
    word of the *blocklist* can be read along a row, a column or a diagonal, in either direction,
    unless a word of the list contains it. The same *rng* state and arguments give the same grid;
    without *rng* every call gives another one.

    Returns:
        The grid, *rows* tuples of *cols* tiles, and in it the placement of each word that was
        chosen. Words that were rejected are in `unplaced` with the reason.

    Raises:
        FewerWords: ten attempts failed; `possible` is a number of words that is possible.
        PuzzleError: an argument is invalid.

    Complexity:
        At most ten attempts, each linear in cells times words. The search is our own.
    """
    rng = rng or Random()
    _check(words, rows, cols, difficulty)
    unwanted = list(blocklist)
    check_texts([*vocabulary, *unwanted])
    letters = None if alphabet is None else tuple(alphabet)
    lexicon = lexicon_of(tuple(vocabulary), letters, language, digraphs)
    blocked = _spelled_both_ways(lexicon, unwanted, language, digraphs)
    fewest, left_out = words, list[Refused]()
    for attempt in range(1, MOST_ATTEMPTS + 1):
        chosen, refused = choose(
            lexicon,
            wanted=words,
            longest=cols,
            forwards_only=forwards_only,
            blocked=blocked,
            rng=rng,
        )
        laid = _lay(lexicon, chosen, rows, cols, forwards_only, rng)
        if len(laid) == words:
            free = rows * cols - sum(len(word.spelling) for word in laid)
            filling = _filling(lexicon, chosen, difficulty, free, rng)
            text = _fill(laid, rows, cols, filling)
            unused = unused_letters(lexicon, chosen)
            text = _break_false(text, laid, forwards_only, unused, rng)
            clean = _break_blocked(text, laid, cols, blocked, unused, rng)
            if clean is not None:
                return _finder(lexicon, clean, cols, laid, refused, attempt)
        elif len(laid) < fewest:
            fewest, left_out = len(laid), _left_out(lexicon, chosen, laid, refused, words)
    if fewest == words:
        raise PuzzleError(
            message(
                "No grid was possible without a blocked word in it. Shorten the list of blocked "
                "words."
            )
        )
    sentence = _fewer_words(words, fewest, left_out)
    raise FewerWords(sentence, wanted=words, possible=fewest, refused=left_out)


def _check(words: int, rows: int, cols: int, difficulty: str) -> None:
    if words < 1:
        raise PuzzleError(
            message("“Listen and find” needs at least one word, not {words}.", words=words)
        )
    if not 1 <= rows <= _LONGEST_SIDE:
        raise PuzzleError(
            message(
                "“Listen and find” can have 1 to {most} rows, not {rows}.",
                most=_LONGEST_SIDE,
                rows=rows,
            )
        )
    if not _FEWEST_COLUMNS <= cols <= _LONGEST_SIDE:
        raise PuzzleError(
            message(
                "“Listen and find” can have {least} to {most} columns, not {cols}.",
                least=_FEWEST_COLUMNS,
                most=_LONGEST_SIDE,
                cols=cols,
            )
        )
    if difficulty not in ("easy", "hard"):
        raise PuzzleError(
            message("The difficulty must be “easy” or “hard”, not “{given}”.", given=difficulty)
        )


def _lay(
    lexicon: Lexicon,
    chosen: list[int],
    rows: int,
    cols: int,
    forwards_only: bool,
    rng: Random,
) -> list[_Laid]:
    """Lay the words at random, every place that fits being equally likely.

    Stops at a word without room. The board's text has a wall after each row, so that no word
    crosses from row to row.
    """
    stride = cols + 1
    size = rows * stride
    free = sum(((1 << cols) - 1) << row * stride for row in range(rows))
    laid: list[_Laid] = []
    for index in chosen:
        spelling = lexicon.spellings[index]
        is_backwards = not forwards_only and rng.random() < 0.5
        starts = free
        for step in range(1, len(spelling)):
            starts &= free >> step
        if not starts:
            break
        start = rng.choice([place for place in range(size) if starts >> place & 1])
        laid.append(_Laid(index, spelling, start, is_backwards))
        # The word's own cells and one more on each side.
        free &= ~((1 << len(spelling) + 2) - 1 << start >> 1)
    return laid


def _filling(
    lexicon: Lexicon, chosen: list[int], difficulty: Difficulty, count: int, rng: Random
) -> list[str]:
    """Return *count* letters to fill with.

    In hard mode they are those of the words; a letter that occurs twice is used twice as often. In
    easy mode they are those of the alphabet, all alike. A letter that the alphabet lacks, such as É
    in English, would reveal its word if only words contained it. Therefore it is also used to fill
    the grids that contain such a word. For scripts of syllables, the alphabet has only a few common
    ones: there, half of the filling is made of the words' tiles, each of them at least once.
    """
    of_words = "".join(lexicon.spellings[index] for index in chosen)
    if difficulty == "hard":
        return rng.choices(of_words, k=count)
    own = list(dict.fromkeys(of_words))
    if not writes_syllables(map(lexicon.tile, own)):
        return rng.choices("".join(dict.fromkeys(lexicon.alphabet + of_words)), k=count)
    rng.shuffle(own)
    share = min(count, max(len(own), count // 2))
    letters = [own[number % len(own)] for number in range(share)]
    letters += rng.choices(lexicon.alphabet, k=count - share)
    rng.shuffle(letters)
    return letters


def _fill(laid: list[_Laid], rows: int, cols: int, filling: list[str]) -> str:
    board = [*_FREE * cols, _WALL] * rows
    for word in laid:
        for place, letter in zip(word.cells, word.spelling, strict=True):
            board[place] = letter
    free = [place for place, letter in enumerate(board) if letter == _FREE]
    for place, letter in zip(free, filling, strict=True):
        board[place] = letter
    return "".join(board)


def _break_false(
    text: str, laid: list[_Laid], forwards_only: bool, unused: str, rng: Random
) -> str:
    """Put an unused letter into every place where a word can be read that was not laid there.

    There is always a cell for it: words have gaps between them and none can be read inside
    another, so no false placement consists only of laid cells. Reading a word where it was laid
    is not false, for a palindrome in either direction.
    """
    taken = {cell for word in laid for cell in word.cells}
    for word in laid:
        for letters, is_backwards in _readings(word.spelling, forwards_only):
            # Each search sees earlier repairs, so only what is still wrong is repaired.
            at = text.find(letters)
            while at >= 0:
                if at != word.start:
                    cells = _cells(at, len(letters), is_backwards)
                    spot = next(cell for cell in cells if cell not in taken)
                    text = text[:spot] + rng.choice(unused) + text[spot + 1 :]
                at = text.find(letters, at + 1)
    return text


def _spelled_both_ways(
    lexicon: Lexicon, words: Iterable[str], language: str | None, digraphs: bool
) -> list[str]:
    """Return how *words* can be spelled in a line, forwards and backwards."""
    cuts = (tiles(word, language, digraphs=digraphs) for word in words)
    spelled = [spelling for cut in cuts if (spelling := lexicon.spell(cut))]
    return list(dict.fromkeys(way for word in spelled for way in (word, word[::-1])))


def _break_blocked(
    text: str, laid: list[_Laid], cols: int, blocked: list[str], unused: str, rng: Random
) -> str | None:
    """Put an unused letter into every place where a blocked word can be read.

    Return None if that is impossible, because laid words together form the blocked word or the
    unused letters do.
    """
    if not blocked:
        return text
    taken = {cell for word in laid for cell in word.cells}
    lines = _lines(len(text), cols + 1)
    for _ in range(len(text)):
        reading = _blocked_reading(text, laid, lines, blocked)
        if reading is None:
            return text
        spots = [cell for cell in reading if cell not in taken]
        if not spots:
            return None
        text = text[: spots[0]] + rng.choice(unused) + text[spots[0] + 1 :]
    return None


def _lines(size: int, stride: int) -> list[int]:
    """Return the cells of all rows, columns and diagonals of a board's text, one line of it.

    Each of these goes through the text in steps of one length, and a wall ends it, because the
    column of walls lies between the last column and the first. The last cell is a wall.
    """
    steps = (1, stride, stride + 1, stride - 1)
    runs = (range(first, size, step) for step in steps for first in range(step))
    return [cell for run in runs for cell in (*run, size - 1)]


def _blocked_reading(
    text: str, laid: list[_Laid], lines: list[int], blocked: list[str]
) -> list[int] | None:
    """Return the cells of a blocked word along one of the lines, unless inside a laid word."""
    sheet = "".join([text[cell] for cell in lines])
    for word in blocked:
        at = sheet.find(word)
        while at >= 0:
            cells = lines[at : at + len(word)]
            if not any({*cells} <= {*own.cells} for own in laid):
                return cells
            at = sheet.find(word, at + 1)
    return None


def _readings(spelling: str, forwards_only: bool) -> list[tuple[str, bool]]:
    """Return the possible spellings from left to right, each with whether it is backwards."""
    forwards = (spelling, False)
    return [forwards] if forwards_only else [forwards, (spelling[::-1], True)]


def _finder(
    lexicon: Lexicon,
    text: str,
    cols: int,
    laid: list[_Laid],
    refused: list[Refused],
    attempts: int,
) -> Finder:
    stride = cols + 1
    return Finder(
        grid=tuple(tuple(map(lexicon.tile, row)) for row in text.split(_WALL)[:-1]),
        placements=tuple(
            Placement(lexicon.words[word.index], tuple(divmod(cell, stride) for cell in word.cells))
            for word in laid
        ),
        unplaced=tuple(refused),
        attempts=attempts,
    )


def _left_out(
    lexicon: Lexicon, chosen: list[int], laid: list[_Laid], refused: list[Refused], wanted: int
) -> list[Refused]:
    """Return the words that caused an attempt to have fewer than *wanted* words."""
    left_out = list(refused) if len(chosen) < wanted else []
    reason = message("No row had room for it next to the other words.")
    for index in chosen[len(laid) :]:
        word = lexicon.words[index]
        left_out.append(Refused(word, reason, Rule.NO_ROOM))
        reason = message("It was not tried, because an earlier word did not fit.")
    return left_out


def _fewer_words(wanted: int, possible: int, left_out: list[Refused]) -> Sentence:
    """Return a message with the possible number of words and the rules that exclude the others."""
    by_rule: dict[Rule, list[str]] = {}
    for refused in left_out:
        by_rule.setdefault(refused.rule, []).append(f"“{refused.word}”")
    causes = [_cause(rule, words) for rule, words in by_rule.items()]
    if not causes:
        causes = [message("no more words in the list")]
    if not possible:
        return message(
            "None of these words fits into this grid. Change the list or the size of the "
            "grid. Left out: {causes}.",
            causes=causes,
        )
    return messages(
        # Translators: {count} words are possible, {wanted} were asked for; {causes} are reasons
        # with the words that each of them excludes.
        "Only {count} of the {wanted} words fits. Choose {count} word, or change the list or the "
        "size of the grid. Left out: {causes}.",
        "Only {count} of the {wanted} words fit. Choose {count} words, or change the list or the "
        "size of the grid. Left out: {causes}.",
        possible,
        wanted=wanted,
        causes=causes,
    )


def _cause(rule: Rule, words: list[str]) -> Sentence:
    shown = ", ".join(words[:_NAMED])
    name = message(rule.value)
    if len(words) <= _NAMED:
        # Translators: {rule} is a reason such as “longer than a row”; {words} are the words it
        # keeps out.
        return message("{rule}: {words}", rule=name, words=shown)
    count = len(words) - _NAMED
    return message("{rule}: {words} and {count} more", rule=name, words=shown, count=count)
