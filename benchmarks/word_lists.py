"""The word lists for benchmarks; they are stored outside the project."""

from __future__ import annotations

import json
import math
import os
from argparse import ArgumentParser
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class WordList:
    """A named list of words."""

    name: str
    group: str
    words: tuple[str, ...]

    @property
    def letters(self) -> int:
        """The number of letters of all words together."""
        return sum(map(len, self.words))

    def side(self, cells_a_letter: float) -> int:
        """Return the side of a square with this many cells per letter; at least a word's length."""
        side = math.ceil(math.sqrt(cells_a_letter * self.letters))
        return max(side, *map(len, self.words))


def add_folder_argument(parser: ArgumentParser) -> None:
    """Add the option for the folder of the lists."""
    parser.add_argument(
        "--lists",
        type=Path,
        default=Path(os.environ.get("OSMOSMJERKA_BENCH", "../shared/bench")),
        help="folder with lists_dev.json (default: $OSMOSMJERKA_BENCH or ../shared/bench)",
    )


def read_lists(folder: Path) -> list[WordList]:
    """Return the lists of *folder*, in their order."""
    path = folder / "lists_dev.json"
    if not path.exists():
        raise SystemExit(f"There is no {path}. Say with --lists where the word lists are.")
    return [
        WordList(entry["id"], entry["group"], tuple(entry["words"]))
        for entry in json.loads(path.read_text())["lists"]
    ]


def of_size(lists: Sequence[WordList], words: int) -> list[WordList]:
    """Return the English lists of this number of words."""
    return [word_list for word_list in lists if word_list.group == f"N{words}"]
