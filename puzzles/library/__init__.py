"""Puzzles from words, for other programs: one function a kind, and what can be done with a puzzle.

It is published as `osmosmjerka-puzzles`, without the site and without Django; docs/library.md shows
how to use it.
"""

from puzzles.exports.data import ExportError, Printing
from puzzles.generators.errors import PuzzleError
from puzzles.library.makers import crossword, listen_and_find, word_search
from puzzles.library.puzzle import MissingExtra, NotAllWords, Puzzle

__all__ = [
    "ExportError",
    "MissingExtra",
    "NotAllWords",
    "Printing",
    "Puzzle",
    "PuzzleError",
    "crossword",
    "listen_and_find",
    "word_search",
]
