"""Lay out puzzles, or their keys, on pages: head, a large grid, and words or clues.

A puzzle is laid out on a *sheet*, which is a page, or a half or a quarter of one.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from osmosmjerka.paper import lettering, lines
from osmosmjerka.paper.shapes import GREY, Line, Page, moved
from osmosmjerka.paper.sheet import PAPERS, Sheet
from puzzles.exports.board import Board
from puzzles.exports.data import PuzzleData
from puzzles.exports.entries import Entry, entries_for_key, entries_for_player
from puzzles.exports.foot import Foot
from puzzles.exports.head import Head
from puzzles.exports.measures import Measures, measures_of
from puzzles.exports.wordlist import WordList

_LARGEST_CELL, _LARGEST_LARGE_CELL = 15.0, 20.0
# To write in, a square of a centimetre is enough, and less than six millimetres is too narrow.
_LARGEST_TO_WRITE_IN, _LEAST_TO_WRITE_IN = 10.0, 6.0
# In large print, so many millimetres make letters of 8 mm.
_LEAST_LARGE_CELL = 14.8
# Prefer smaller letters in the list to a grid below the first share of the largest one, and a list
# that continues on the next page to a grid below the second.
_GRID_SHOULD_BE = 0.85
_GRID_MUST_BE = 0.6
# A list beside the grid must make it larger by this to be better than one below.
_WORTH_GOING_BESIDE = 1.1
_NARROWEST_LIST = 11.0  # ems


def pages(puzzle: PuzzleData, *, is_key: bool, is_endless: bool = False) -> list[Page]:
    """Return the pages for the student, or those with the answers; long lists continue on pages.

    *is_endless* puts everything on one page, longer than the paper if necessary.
    """
    return pages_of([puzzle], is_key=is_key, is_endless=is_endless)


def pages_of(
    puzzles: Sequence[PuzzleData], *, is_key: bool, is_endless: bool = False
) -> list[Page]:
    """Return the pages of *puzzles*, all printed as the first: so many sheets share a page.

    A single puzzle fills its page with copies, unless it is one student's. Its key takes a page of
    its own.
    """
    printing = puzzles[0].printing
    is_alone = len(puzzles) == 1 and (is_key or not printing.student)
    per_page = 1 if is_key and is_alone else printing.per_page
    measures = measures_of(printing, per_page)

    def quality(place: _Place) -> tuple[bool, float]:
        first = _Sheets(puzzles[0], place, measures, is_key=is_key)
        return not first.continues, first.cell

    places = _places(printing.paper, per_page)
    place = places[0] if len(places) == 1 else max(places, key=quality)
    sheets = [
        page
        for puzzle in puzzles
        for page in _Sheets(puzzle, place, measures, is_key=is_key).pages(is_endless=is_endless)
        for _ in range(per_page if is_alone else 1)
    ]
    if per_page == 1:
        return sheets
    return [
        _shared(sheets[start : start + per_page], place, is_rtl=puzzles[0].is_mirrored)
        for start in range(0, len(sheets), per_page)
    ]


@dataclass(frozen=True, slots=True)
class _Place:
    """The part of a page that one sheet takes, if so many are beside and below each other."""

    width: float
    height: float
    across: int = 1
    down: int = 1


def _places(paper: str, per_page: int) -> list[_Place]:
    """Return the ways to put *per_page* sheets on a page."""
    width, height = PAPERS[paper]
    if per_page == 1:
        return [_Place(width, height)]
    if per_page == 2:
        return [_Place(width, height / 2, down=2), _Place(height / 2, width, across=2)]
    return [_Place(width / 2, height / 2, across=2, down=2)]


def _shared(sheets: Sequence[Page], place: _Place, *, is_rtl: bool) -> Page:
    """Return a page of *sheets*, with dashed lines along which to cut."""
    height = max(sheet.height for sheet in sheets)
    page = Sheet(place.across * place.width, place.down * height)
    for number, sheet in enumerate(sheets):
        row, column = divmod(number, place.across)
        if is_rtl:
            column = place.across - 1 - column
        page.shapes += [moved(shape, column * place.width, row * height) for shape in sheet.shapes]
    cuts = [(0.0, row * height, page.width, row * height) for row in range(1, place.down)]
    for column in range(1, place.across):
        cuts.append((column * place.width, 0.0, column * place.width, page.height))
    page.shapes += [Line(*ends, stroke=0.2, colour=GREY, dash=2.0) for ends in cuts]
    return page.finish()


def _without_lost_emoji(puzzle: PuzzleData) -> PuzzleData:
    """Return the puzzle without the emoji that no font for print has.

    So a clue of nothing else counts as missing, and an SVG shows what a PDF shows.
    """
    printable = lettering.printable
    instruction = printable(puzzle.printing.instruction)
    return replace(
        puzzle,
        title=printable(puzzle.title),
        placements=tuple(replace(p, clue=printable(p.clue)) for p in puzzle.placements),
        printing=replace(puzzle.printing, instruction=instruction),
    )


class _Sheets:
    """A puzzle on as many sheets as it needs.

    *cell* is the side of its squares; *continues* says whether the list needs another sheet.
    """

    def __init__(
        self, puzzle: PuzzleData, place: _Place, measures: Measures, *, is_key: bool
    ) -> None:
        self._puzzle = puzzle = _without_lost_emoji(puzzle.as_printed())
        self._place, self._measures, self._is_key = place, measures, is_key
        self._sheet = self._new_sheet()
        self._top = Head(self._sheet, puzzle, measures).draw(is_key=is_key) + measures.gap
        self._board = Board.of(puzzle)
        self._foot = Foot(puzzle, measures, self._sheet.inner_width, is_key=is_key)
        self._fit(list(entries_for_key(puzzle) if is_key else entries_for_player(puzzle)))

    def _new_sheet(self) -> Sheet:
        place = self._place
        return Sheet(place.width, place.height, self._puzzle.direction, self._measures.margin)

    def _fit(self, entries: Sequence[Entry]) -> None:
        """Choose the size of the squares and of the list, and whether that is beside the grid."""
        puzzle, sheet, board = self._puzzle, self._sheet, self._board
        is_large = puzzle.printing.text == "large"
        # Below a head of absurd length the page grows.
        room = max(sheet.bottom - self._top - self._foot.height, 0.3 * sheet.height)
        largest = _LARGEST_LARGE_CELL if is_large else _LARGEST_CELL
        if puzzle.hides_letters and not is_large:
            largest = _LARGEST_TO_WRITE_IN
        widest = min(largest, sheet.inner_width / board.cols)
        best = min(widest, room / board.rows)
        least = _GRID_MUST_BE * best
        if is_large:
            least = min(_LEAST_LARGE_CELL, best)
        elif puzzle.hides_letters:
            least = max(least, min(_LEAST_TO_WRITE_IN, best))
        sizes = self._measures.clues if puzzle.hides_letters else self._measures.words
        self._is_beside = self.continues = False
        for size in sizes:
            self._is_beside = False
            self._words = self._list(entries, size, sheet.margin, sheet.inner_width)
            below = self._words.height() + (self._measures.gap if entries else 0.0)
            self.cell = min(widest, (room - below) / board.rows)
            if not is_large and puzzle.printing.columns <= 1:
                self._try_beside(entries, size, best, room)
            if self.cell >= (least if is_large else _GRID_SHOULD_BE * best):
                return
        if self.cell < least:  # the list continues on the next page, in letters of good size
            self.cell, self._is_beside, self.continues = best, False, True
            size = sizes[len(sizes) // 2]
            self._words = self._list(entries, size, sheet.margin, sheet.inner_width)

    def _list(self, entries: Sequence[Entry], size: float, start: float, room: float) -> WordList:
        gap, columns = self._measures.gap, self._puzzle.printing.columns
        return WordList(entries, size, start=start, room=room, gap=gap, columns=columns)

    def _try_beside(
        self, entries: Sequence[Entry], size: float, best: float, height: float
    ) -> None:
        """Put the list beside the grid if that makes the grid larger."""
        cell, gap = best, 1.5 * self._measures.gap
        while entries and cell > max(_WORTH_GOING_BESIDE * self.cell, _GRID_MUST_BE * best):
            grid = self._board.cols * cell
            room = self._sheet.inner_width - grid - gap
            if room >= _NARROWEST_LIST * size:
                words = self._list(entries, size, self._sheet.margin + grid + gap, room)
                if words.height() <= height:
                    self.cell, self._words, self._is_beside = cell, words, True
                    return
            cell *= 0.95

    def pages(self, *, is_endless: bool) -> list[Page]:
        """Draw the sheets."""
        sheet, top, gap = self._sheet, self._top, self._measures.gap
        inline = sheet.margin if self._is_beside else None
        self._board.draw(sheet, top, self.cell, is_key=self._is_key, inline=inline)
        end = top + self._board.rows * self.cell
        if self._is_beside:
            end = max(end, self._words.draw(sheet, top, math.inf, may_wait=False))
        end = self._foot.draw(sheet, end)
        finished = []
        while self._words.blocks:
            bottom = math.inf if is_endless else sheet.bottom
            end = max(
                end, self._words.draw(sheet, end + gap, bottom, may_wait=sheet is self._sheet)
            )
            if self._words.blocks:
                finished.append(sheet.finish())
                sheet = self._new_sheet()
                end = self._draw_running_head(sheet)
        finished.append(sheet.finish(max(sheet.height, end + sheet.margin)))
        return finished

    def _draw_running_head(self, sheet: Sheet) -> float:
        """Write whose page it is if it comes loose; return where that ends."""
        puzzle, size = self._puzzle, self._measures.head
        # The title is last, because what does not fit on the line is left out.
        parts = [puzzle.labels.key] if self._is_key else []
        parts += [puzzle.printing.version, puzzle.printing.student, puzzle.title]
        text = " – ".join(part for part in parts if part)
        line = lines.wrap(text, sheet.inner_width / size)[0]
        sheet.write(sheet.margin, sheet.margin + size, line, size, colour=GREY)
        return sheet.margin + size
