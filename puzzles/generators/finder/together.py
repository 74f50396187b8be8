"""The most words that can be hidden together.

Two words exclude each other if one can be read in the other. That is a partial order, so a largest
set without such a pair follows from a largest matching of words with words in them (theorems of
Dilworth and Kőnig): no sets need to be tried.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache


# The ten attempts to lay a grid ask the same, and so does the next puzzle of the list.
@lru_cache(maxsize=8)
def most_together(
    spellings: tuple[str, ...], alphabet: str, forwards_only: bool
) -> tuple[int, ...]:
    """Return the places of as many *spellings* as possible that can be hidden together.

    None of them can be read in another, backwards neither unless *forwards_only*, and at least one
    letter of the *alphabet* is in none. If there are several such sets, it is one of short words.
    """
    best = _largest(dict(enumerate(spellings)), forwards_only)
    if not set(alphabet).issubset("".join(spellings[place] for place in best)):
        return tuple(best)
    best = []
    for letter in alphabet:
        without = {place: word for place, word in enumerate(spellings) if letter not in word}
        if len(without) > len(best):
            best = max(best, _largest(without, forwards_only), key=len)
    return tuple(best)


def _largest(words: Mapping[int, str], forwards_only: bool) -> list[int]:
    """Return the keys of a largest set of *words* of which none can be read in another."""
    key_of: dict[str, int] = {}
    for key, word in words.items():
        key_of.setdefault(_as_read(word, forwards_only), key)
    lengths = sorted(set(map(len, key_of)))
    inside = {
        key: [
            key_of[part]
            for part in dict.fromkeys(_parts(words[key], lengths, forwards_only))
            if key_of.get(part, key) != key
        ]
        for key in key_of.values()
    }
    part_of, whole_of = _matching(inside)
    # A chain of words, each within the next, gives the set one word: its shortest that goes
    # together with the words of the other chains.
    wholes = [key for key in inside if key not in part_of]
    parts: set[int] = set()
    for whole in wholes:
        for part in inside[whole]:
            if part not in parts:
                parts.add(part)
                wholes.append(whole_of[part])
    return [key for key in wholes if key not in parts]


def _as_read(word: str, forwards_only: bool) -> str:
    """Return the same for all words that are read alike."""
    return word if forwards_only else min(word, word[::-1])


def _parts(word: str, lengths: Sequence[int], forwards_only: bool) -> Iterator[str]:
    for length in lengths:
        for start in range(len(word) - length + 1):
            yield _as_read(word[start : start + length], forwards_only)


def _matching(inside: Mapping[int, Sequence[int]]) -> tuple[dict[int, int], dict[int, int]]:
    """Return a largest matching: the part by its whole, and the whole by its part.

    Each word is at most once a whole and at most once a part.
    """
    part_of: dict[int, int] = {}
    whole_of: dict[int, int] = {}
    for start in inside:
        reached_from: dict[int, int] = {}
        queue = [start]
        for whole in queue:
            free: int | None = None
            for part in inside[whole]:
                if part in reached_from:
                    continue
                reached_from[part] = whole
                if part not in whole_of:
                    free = part
                    break
                queue.append(whole_of[part])
            if free is None:
                continue
            # Every whole on the way takes the part by which it was left.
            while free is not None:
                taker = reached_from[free]
                whole_of[free] = taker
                given_up = part_of.get(taker)
                part_of[taker] = free
                free = given_up
            break
    return part_of, whole_of
