"""Export a puzzle as one SVG page. It uses the fonts of the viewer and loads no resources."""

from __future__ import annotations

from osmosmjerka.paper import svg
from osmosmjerka.paper.shapes import Box, Line, Shape, Text
from osmosmjerka.paper.sheet import MARGIN, Sheet
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


def write_to_measure(puzzle: PuzzleData, *, key: bool = False) -> bytes:
    """Return the same as `write` on a page that ends below its last line, for a screen."""
    page = pages(puzzle, is_key=key, is_endless=True)[0]
    height = max(map(_lowest, page.shapes)) + MARGIN / 2
    frame = (0.0, 0.0, page.width, height)
    return svg.draw(page, frame, title=puzzle.title, language=puzzle.language)


def _lowest(shape: Shape) -> float:
    match shape:
        case Text():
            return shape.y
        case Line():
            return max(shape.y1, shape.y2)
        case Box():
            return shape.y + shape.height
    return 0.0  # all others are within the grid, or beside the list


def write_solved_grid(puzzle: PuzzleData) -> bytes:
    """Return the grid alone with its answers, as a picture of what such a puzzle looks like."""
    board, sheet, cell, edge = Board.of(puzzle), Sheet(direction=puzzle.direction), 10.0, 1.0
    board.draw(sheet, edge, cell, is_key=True)
    width, height = board.cols * cell + 2 * edge, board.rows * cell + 2 * edge
    frame = ((sheet.width - width) / 2, 0.0, width, height)
    return svg.draw(sheet.finish(), frame, title=puzzle.title, language=puzzle.language)
