"""A stored puzzle, or a layout that is not stored, as the data that export formats write."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from django.utils.translation import gettext as _

from puzzles.exports import FORMATS, Labels, PlacedWord, Printing, PuzzleData
from puzzles.generators.grid import Unplaced
from puzzles.kinds import KINDS
from puzzles.kinds.base import Kind, cells_of
from puzzles.models import Placement, Puzzle
from vocab.entries import pictures
from vocab.sentences import said
from vocab.text import direction, lengths_in_squares

USUAL = Printing()


@dataclass(frozen=True, slots=True)
class Shown:
    """What paper shows of a word: a *clue*, and perhaps a *picture* that replaces it.

    *lacks* says what is printed instead of what was asked for: "" nothing else, "translation",
    "word" the word itself, or "length" only the number of its letters.
    """

    clue: str
    picture: bytes | None = None
    lacks: str = ""


def shown(
    kind: Kind, puzzle: Puzzle, placement: Placement, shows: str, *, is_drawn: bool = True
) -> Shown:
    """Return what paper shows of a word if the list says *shows*, see `Printing`.

    Unless *is_drawn*, it says only whether there is a picture, which is quick.
    """
    settings = puzzle.settings
    translations = " · ".join(placement.translations)
    if shows in ("usual", "none"):
        is_pictured = kind.shows_picture_only(settings)
        picture = _picture(placement, is_pictured, is_drawn=is_drawn)
        return Shown(kind.printed_clue(placement, settings), picture)
    if shows == "words":
        return Shown("")
    picture = _picture(placement, shows == "pictures", is_drawn=is_drawn)
    wanted = {
        "translations": translations,
        "definitions": placement.hint,
        "examples": placement.sentence,
    }.get(shows, "")
    if wanted or picture:
        return Shown(wanted or translations or kind.printed_clue(placement, settings), picture)
    if translations:
        return Shown(translations, lacks="translation")
    if kind.shows_letters:
        return Shown(placement.played, lacks="word")
    # In a crossword the word itself would be its answer.
    other = kind.printed_clue(placement, settings) or placement.sentence or placement.hint
    return Shown(other, lacks="" if other else "length")


def shows_words(kind: Kind, puzzle: Puzzle, shows: str) -> bool:
    """Return whether the list on paper has the words themselves."""
    return shows == "words" or (shows == "usual" and kind.shows_words(puzzle.settings))


def _picture(placement: Placement, is_wanted: bool, *, is_drawn: bool) -> bytes | None:
    if not is_wanted or placement.entry is None:
        return None
    if not is_drawn:
        return b"not drawn" if placement.entry.image else None
    return pictures.for_print(placement.entry)


def placements_to_print(puzzle: Puzzle) -> list[Placement]:
    """Return the words of a stored puzzle, bonus words too, with what `puzzle_data` needs."""
    return list(Placement.everything.filter(puzzle=puzzle).select_related("entry"))


def puzzle_data(
    puzzle: Puzzle, printing: Printing = USUAL, placements: Sequence[Placement] | None = None
) -> PuzzleData:
    """Return the data of a ready puzzle for the export formats.

    *placements* are its words, if it is not stored or if they were read already.
    """
    vocabulary_list = puzzle.vocabulary_list
    language = vocabulary_list.language
    kind = KINDS[puzzle.kind]
    words = placements_to_print(puzzle) if placements is None else placements
    return PuzzleData(
        kind=puzzle.kind,
        title=puzzle.title,
        language=language,
        direction=direction(language),
        rows=len(puzzle.grid),
        cols=len(puzzle.grid[0]),
        grid=tuple(tuple(row) for row in puzzle.grid),
        placements=tuple(_placed(kind, puzzle, words, printing.shows)),
        unplaced=tuple(Unplaced(word["word"], said(word["reason"])) for word in puzzle.unplaced),
        shows_words=shows_words(kind, puzzle, printing.shows),
        labels=labels(),
        printing=printing,
        message=kind.message_words(puzzle.settings),
        bonus=sum(placement.is_bonus for placement in words),
    )


def _placed(
    kind: Kind, puzzle: Puzzle, placements: Sequence[Placement], shows: str
) -> Iterator[PlacedWord]:
    language = puzzle.vocabulary_list.language
    digraphs = puzzle.vocabulary_list.uses_digraphs
    for placement in placements:
        of_word = shown(kind, puzzle, placement, shows)
        yield PlacedWord(
            word=placement.played,
            cells=cells_of(placement),
            clue=of_word.clue,
            lengths=lengths_in_squares(
                placement.played, len(placement.cells), language, digraphs=digraphs
            ),
            number=placement.number,
            direction=placement.direction,
            picture=of_word.picture,
            is_bonus=placement.is_bonus,
        )


def labels() -> Labels:
    """Return what is written beside a puzzle, in the language of the person who prints it."""
    return Labels(
        # Translators: on a printed puzzle, before the line on which the student writes their
        # name.
        name=_("Name"),
        # Translators: on a printed puzzle, before an empty line.
        class_=_("Class"),
        # Translators: on a printed puzzle, before an empty line.
        date=_("Date"),
        # Translators: the heading of the horizontal clues of a crossword; “Down” that of the
        # vertical ones.
        across=_("Across"),
        down=_("Down"),
        key=_("Solution"),
        # Translators: on a printed puzzle, beside a QR code.
        play=_("Play it here"),
        # Translators: on a printed word search, before blanks for a hidden message.
        message=_("The letters left over spell"),
        # Translators: on a printed word search, below the list; the number is not always one.
        bonus=_("More words to find: {count}"),
    )


def grid_of(puzzle: Puzzle, *, has_answers: bool) -> dict[str, Any]:
    """Return a ready puzzle as data: its grid in the order of reading, size and direction.

    Without *has_answers*, all that tells a word's place is None, and squares that students fill in
    are empty. The first column is where a line of the script begins.
    """
    kind, language = KINDS[puzzle.kind], puzzle.vocabulary_list.language
    grid = puzzle.grid if has_answers else kind.public_grid(puzzle)
    return {
        "code": puzzle.code,
        "kind": puzzle.kind,
        "title": puzzle.title,
        "language": language,
        "direction": direction(language),
        "rows": len(grid),
        "cols": len(grid[0]),
        "grid": grid,
        "placements": _answers(kind, puzzle) if has_answers else None,
        "message": " ".join(kind.message_words(puzzle.settings)) if has_answers else None,
    }


def _answers(kind: Kind, puzzle: Puzzle) -> list[dict[str, Any]]:
    return [
        {
            "word": placement.played,
            "term": placement.term,
            "translations": placement.translations,
            "clue": kind.printed_clue(placement, puzzle.settings),
            "cells": placement.cells,
            "number": placement.number,
            "direction": placement.direction or None,
            "bonus": placement.is_bonus,
        }
        for placement in placements_to_print(puzzle)
    ]


def write_puzzle(
    puzzle: Puzzle,
    format_name: str,
    *,
    key: bool = False,
    is_key_only: bool = False,
    printing: Printing = USUAL,
) -> bytes:
    """Return the puzzle as a file, with *key* including its answers, or with *is_key_only* these.

    Raises ExportError if the format cannot contain it. Formats of data have the usual clues,
    whatever a worksheet shows.
    """
    file_format = FORMATS[format_name]
    words = placements_to_print(puzzle)
    if file_format.has_answers:
        printing = replace(printing, shows="usual")
    data = puzzle_data(puzzle, printing, words)
    return file_format.write_solution(data) if is_key_only else file_format.write(data, key=key)
