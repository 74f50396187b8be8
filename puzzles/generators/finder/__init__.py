"""The generator of listen and find: each word lies once in a row. Public names."""

from puzzles.generators.finder.generator import MOST_ATTEMPTS, Difficulty, Finder, generate
from puzzles.generators.finder.words import left_over
from puzzles.generators.grid import Placement

__all__ = ["MOST_ATTEMPTS", "Difficulty", "Finder", "Placement", "generate", "left_over"]
