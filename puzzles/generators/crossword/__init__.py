"""The crossword generator: arrange words in a grid where every run is a word. Public names."""

from puzzles.generators.crossword.generator import generate, warm_up
from puzzles.generators.crossword.puzzle import Crossword, Direction, PlacedWord, Scoring
from puzzles.generators.crossword.words import families, needs_islands
from puzzles.generators.errors import CrosswordError
from puzzles.generators.grid import Placement, Unplaced

__all__ = [
    "Crossword",
    "CrosswordError",
    "Direction",
    "PlacedWord",
    "Placement",
    "Scoring",
    "Unplaced",
    "families",
    "generate",
    "needs_islands",
    "warm_up",
]
