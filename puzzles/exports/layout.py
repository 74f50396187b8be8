"""Lay out a puzzle, or its key, on pages: title, largest possible grid, words or clues."""

from __future__ import annotations

import math

from puzzles.exports import lettering
from puzzles.exports.board import Board
from puzzles.exports.data import TEXT_SIZES, PuzzleData
from puzzles.exports.entries import entries_for_key, entries_for_player
from puzzles.exports.shapes import Page, Text
from puzzles.exports.sheet import GAP, MARGIN, Sheet
from puzzles.exports.wordlist import WordList

_TITLE = 7.0
_HEAD_LINE = 3.8
_INSTRUCTION = 4.6
_LARGEST_CELL = 15.0
# Prefer smaller letters in the list to a grid below the first share of what fits the width, and
# a list that continues on the next page to a grid below the second; below the first if all is to
# be large.
_GRID_SHOULD_BE = 0.85
_GRID_MUST_BE = 0.6


def pages(puzzle: PuzzleData, *, is_key: bool, is_endless: bool = False) -> list[Page]:
    """Return the pages for the student, or those with the answers; long lists continue on pages.

    *is_endless* puts everything on one page, longer than the paper if necessary.
    """
    sheet = Sheet(puzzle)
    top = _draw_head(sheet, is_key=is_key) + GAP
    board = Board.of(puzzle)
    entries = list(entries_for_key(puzzle) if is_key else entries_for_player(puzzle))
    widest = min(_LARGEST_CELL, sheet.inner_width / board.cols)
    for size in TEXT_SIZES[puzzle.printing.text]:
        words = WordList(entries, size, sheet.inner_width)
        cell = min(widest, (sheet.bottom - top - GAP - words.height()) / board.rows)
        if cell >= _GRID_SHOULD_BE * widest:
            break
    if cell < (_GRID_SHOULD_BE if puzzle.printing.text == "large" else _GRID_MUST_BE) * widest:
        cell = min(widest, (sheet.bottom - top) / board.rows)
    board.draw(sheet, top, cell, is_key=is_key)
    top += board.rows * cell + GAP
    finished = []
    while True:
        end = words.draw(sheet, top, math.inf if is_endless else sheet.bottom)
        if not words.blocks:
            break
        finished.append(sheet.finish())
        sheet, top = Sheet(puzzle), MARGIN
    finished.append(sheet.finish(max(sheet.height, end + MARGIN)))
    return finished


def texts(page: Page) -> list[str]:
    """Return all texts of *page*."""
    return [shape.text for shape in page.shapes if isinstance(shape, Text)]


def _draw_head(sheet: Sheet, *, is_key: bool) -> float:
    """Write the title and, for the student, a line for name and date, and what to do.

    Return where they end.
    """
    labels = sheet.puzzle.labels
    title = f"{sheet.puzzle.title} – {labels.key}" if is_key else sheet.puzzle.title
    y, room = MARGIN, sheet.inner_width
    for line in lettering.wrap(title, room / _TITLE):
        y += 1.2 * _TITLE
        sheet.write(MARGIN, y, line, _TITLE)
    if is_key:
        return y
    y += 8
    for label, start, end in (
        (labels.name, 0.0, 0.62 * room),
        (labels.date, 0.66 * room, room),
    ):
        sheet.write(MARGIN + start, y, label, _HEAD_LINE)
        after = lettering.width(label) * _HEAD_LINE + 2
        sheet.rule(MARGIN + start + after, MARGIN + end, y + 0.5)
    instruction = sheet.puzzle.printing.instruction
    for line in lettering.wrap(instruction, room / _INSTRUCTION) if instruction else ():
        y += 1.6 * _INSTRUCTION
        sheet.write(MARGIN, y, line, _INSTRUCTION)
    return y
