"""A word list compiled into arrays: letters as numbers and an index of every substring.

The index answers the only question of the search: which words contain this run of letters, and
where? It is the same question for a single letter on the board and for a run that two
neighbouring words form.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int32]


class Lexicon(NamedTuple):
    """Words as arrays; letters are numbered from 1, substrings by their node in a trie."""

    letters: Ints
    """The letters of all words, one word after the other."""
    first: Ints
    """Word → the index of its first letter in `letters`; one more item marks the end."""
    child: Ints
    """(node, letter) → the node of the substring with this letter added, 0 if no word has it."""
    occurrence_first: Ints
    """Node → the start of its occurrences in the two lists below; one more item marks the end."""
    occurrence_word: Ints
    occurrence_offset: Ints
    points: Ints
    """Letter → the points of a cell in which two words share it."""
    pinned: Ints
    """Word → 1 if it must be in the grid, otherwise 0."""


def compile_lexicon(
    words: Sequence[tuple[str, ...]],
    pinned: Sequence[bool],
    points: Mapping[str, int],
) -> Lexicon:
    """Number the tiles of *words* and index all their substrings."""
    number = {tile: i for i, tile in enumerate(sorted({t for word in words for t in word}), 1)}
    coded = [[number[tile] for tile in word] for word in words]
    children: list[dict[int, int]] = [{}]
    occurrences: list[list[tuple[int, int]]] = [[]]
    for index, word in enumerate(coded):
        for offset in range(len(word)):
            node = 0
            for letter in word[offset:]:
                if letter not in children[node]:
                    children[node][letter] = len(children)
                    children.append({})
                    occurrences.append([])
                node = children[node][letter]
                occurrences[node].append((index, offset))
    child = np.zeros((len(children), len(number) + 1), np.int32)
    for node, followers in enumerate(children):
        for letter, follower in followers.items():
            child[node, letter] = follower
    flat = np.array([pair for pairs in occurrences for pair in pairs], np.int32).reshape(-1, 2)
    letter_points = np.zeros(len(number) + 1, np.int32)
    for tile, letter in number.items():
        letter_points[letter] = points.get(tile, 0)
    return Lexicon(
        letters=np.array([letter for word in coded for letter in word], np.int32),
        first=np.cumsum([0, *map(len, coded)]).astype(np.int32),
        child=child,
        occurrence_first=np.cumsum([0, *map(len, occurrences)]).astype(np.int32),
        occurrence_word=flat[:, 0].copy(),
        occurrence_offset=flat[:, 1].copy(),
        points=letter_points,
        pinned=np.array(pinned, np.int32),
    )
