"""Export a stored puzzle as a file in one of the export formats."""

from __future__ import annotations

from django.utils.translation import gettext as _

from puzzles.exports import FORMATS, Labels, PlacedWord, Printing, PuzzleData
from puzzles.generators.grid import Unplaced
from puzzles.kinds import KINDS
from puzzles.kinds.base import cells_of
from puzzles.models import Puzzle
from vocab.entries import pictures
from vocab.sentences import said
from vocab.text import direction, word_lengths

USUAL = Printing()


def puzzle_data(puzzle: Puzzle, printing: Printing = USUAL) -> PuzzleData:
    """Return the data of a ready puzzle for the export formats."""
    vocabulary_list = puzzle.vocabulary_list
    language, digraphs = vocabulary_list.language, vocabulary_list.uses_digraphs
    kind = KINDS[puzzle.kind]
    is_pictured = kind.shows_picture_only(puzzle.settings)
    return PuzzleData(
        kind=puzzle.kind,
        title=puzzle.title,
        language=language,
        direction=direction(language),
        rows=len(puzzle.grid),
        cols=len(puzzle.grid[0]),
        grid=tuple(tuple(row) for row in puzzle.grid),
        placements=tuple(
            PlacedWord(
                word=placement.played,
                cells=cells_of(placement),
                clue=kind.printed_clue(placement, puzzle.settings),
                lengths=word_lengths(placement.played, language, digraphs=digraphs),
                number=placement.number,
                direction=placement.direction,
                picture=pictures.for_print(placement.entry)
                if is_pictured and placement.entry
                else None,
            )
            for placement in puzzle.placements.select_related("entry")
        ),
        unplaced=tuple(Unplaced(word["word"], said(word["reason"])) for word in puzzle.unplaced),
        shows_words=kind.shows_words(puzzle.settings),
        labels=Labels(
            # Translators: on a printed puzzle, before the line on which the student writes their
            # name.
            name=_("Name"),
            # Translators: on a printed puzzle, before an empty line.
            date=_("Date"),
            words=_("Words"),
            # Translators: the heading of the horizontal clues of a crossword; “Down” that of the
            # vertical ones.
            across=_("Across"),
            down=_("Down"),
            key=_("Solution"),
        ),
        printing=printing,
    )


def write_puzzle(
    puzzle: Puzzle, format_name: str, *, key: bool = False, printing: Printing = USUAL
) -> bytes:
    """Return the puzzle as a file; raise ExportError if the format cannot contain it."""
    return FORMATS[format_name].write(puzzle_data(puzzle, printing), key=key)
