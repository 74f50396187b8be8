"""Export a puzzle as one SVG page. It uses the fonts of the viewer and loads no resources."""

from __future__ import annotations

from osmosmjerka.paper import svg
from puzzles.exports.board import Board
from puzzles.exports.data import PuzzleData
from puzzles.exports.layout import pages


def write(puzzle: PuzzleData, *, key: bool = False) -> bytes:
    """Return the puzzle, or with *key* its answers, as an SVG page of at least A4."""
    page = pages(puzzle, is_key=key, is_endless=True)[0]
    return svg.draw(page, title=puzzle.title, language=puzzle.language)


def write_solution(puzzle: PuzzleData) -> bytes:
    """Return the answers alone as an SVG page."""
    return write(puzzle, key=True)


def write_solved_grid(puzzle: PuzzleData) -> bytes:
    """Return the grid alone with its answers, as a picture of what such a puzzle looks like."""
    board, sheet, cell, edge = Board.of(puzzle), puzzle.new_sheet(), 10.0, 1.0
    board.draw(sheet, edge, cell, is_key=True)
    width, height = board.cols * cell + 2 * edge, board.rows * cell + 2 * edge
    frame = ((sheet.width - width) / 2, 0.0, width, height)
    return svg.draw(sheet.finish(), frame, title=puzzle.title, language=puzzle.language)
