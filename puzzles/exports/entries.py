"""The list beside a grid: words to find, clues, lines to write on, or the answers."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from puzzles.exports.data import PlacedWord, PuzzleData


@dataclass(frozen=True, slots=True)
class Entry:
    """An item of the list: its mark and text, a line to write on, or a box to tick."""

    text: str
    mark: str = ""
    is_heading: bool = False
    is_written: bool = False
    is_ticked: bool = False
    picture: bytes | None = None


def entries_for_player(puzzle: PuzzleData) -> Iterator[Entry]:
    """Yield the list for the student; a word that has no clue is its own, except in crosswords."""
    if puzzle.printing.shows == "none":
        return
    if puzzle.hides_letters:
        for heading, placements in by_direction(puzzle):
            yield Entry(heading, is_heading=True)
            for placed in placements:
                text = f"({placed.enumeration})" if placed.picture else clue_of(placed)
                yield Entry(text, str(placed.number), picture=placed.picture)
        return
    listed = (placed for placed in puzzle.placements if not placed.is_bonus)
    for number, placed in enumerate(listed, 1):
        mark = f"{number}."
        if puzzle.shows_words:
            text = placed.word if placed.picture else word_and_clue(placed)
            yield Entry(text, is_ticked=True, picture=placed.picture)
        elif placed.picture:
            yield Entry("", mark, is_written=True, picture=placed.picture)
        elif placed.clue and placed.clue != placed.word:
            yield Entry(placed.clue, mark, is_written=True)
        else:
            yield Entry(placed.word, mark)  # nothing to write down


def entries_for_key(puzzle: PuzzleData) -> Iterator[Entry]:
    """Yield every word with its clue: those of the list, then bonus words with a plus sign."""
    if puzzle.hides_letters:
        for heading, placements in by_direction(puzzle):
            yield Entry(heading, is_heading=True)
            for placed in placements:
                yield Entry(word_and_clue(placed), str(placed.number))
    else:
        listed = (placed for placed in puzzle.placements if not placed.is_bonus)
        for number, placed in enumerate(listed, 1):
            yield Entry(word_and_clue(placed), "" if puzzle.shows_words else f"{number}.")
        for placed in puzzle.placements:
            if placed.is_bonus:
                yield Entry(word_and_clue(placed), "+")


def clue_of(placed: PlacedWord) -> str:
    """Return a crossword's clue and the number of letters; without a clue, only the number."""
    return f"{placed.clue} ({placed.enumeration})".strip()


def word_and_clue(placed: PlacedWord) -> str:
    """Return the word and its clue, if any."""
    has_clue = placed.clue and placed.clue != placed.word
    return f"{placed.word} – {placed.clue}" if has_clue else placed.word


def by_direction(puzzle: PuzzleData) -> Iterator[tuple[str, list[PlacedWord]]]:
    """Yield the label and words of each direction that has words."""
    labels = puzzle.labels
    for direction, heading in (("across", labels.across), ("down", labels.down)):
        placements = [p for p in puzzle.placements if p.direction == direction]
        if placements:
            yield heading, placements
