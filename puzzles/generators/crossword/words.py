"""Sort the words of a crossword: which can be laid at all, and why others cannot."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass

from puzzles.generators.grid import LONGEST_WORD, Unplaced
from vocab.message import message, messages


@dataclass(frozen=True, slots=True)
class Term:
    """A word that can be laid: as given, and split into tiles."""

    word: str
    tiles: tuple[str, ...]
    is_pinned: bool


def sort_words(
    words: Sequence[str],
    *,
    cut: Callable[[str], tuple[str, ...]],
    pinned: Collection[str],
    banned: Collection[str],
    rows: int | None,
    cols: int | None,
) -> tuple[list[Term], list[Unplaced]]:
    """Return the words that can be laid, and those that cannot with the reasons.

    *cut* splits a word into its tiles.
    """
    must = {cut(word) for word in pinned}
    never = {cut(word) for word in banned}
    longest = None if rows is None or cols is None else max(rows, cols)
    terms: list[Term] = []
    refused: list[Unplaced] = []
    seen: dict[tuple[str, ...], str] = {}
    for word in words:
        letters = cut(word)
        if not letters:
            reason = message("It contains no letters.")
        elif len(letters) == 1:
            reason = message("It has only one letter; a crossword word needs at least two.")
        elif letters in never:
            reason = message("It is excluded from this crossword.")
        elif letters in seen:
            reason = message(
                "It is in the list twice: “{word}” has the same letters.", word=seen[letters]
            )
        elif len(letters) > LONGEST_WORD:
            reason = messages(
                "It has {count} letter; a word can have at most {most}.",
                "It has {count} letters; a word can have at most {most}.",
                len(letters),
                most=LONGEST_WORD,
            )
        elif longest is not None and len(letters) > longest:
            reason = messages(
                "It has {count} letter, but the grid has room for only {longest}.",
                "It has {count} letters, but the grid has room for only {longest}.",
                len(letters),
                longest=longest,
            )
        else:
            seen[letters] = word
            terms.append(Term(word, letters, letters in must))
            continue
        refused.append(Unplaced(word, reason))
    return _largest_family(terms, refused)


def _largest_family(
    terms: list[Term], refused: list[Unplaced]
) -> tuple[list[Term], list[Unplaced]]:
    """Keep the largest group of words linked by letters, with as many pinned words as possible."""
    families: list[tuple[set[str], list[int]]] = []
    for index, term in enumerate(terms):
        linked = [family for family in families if not family[0].isdisjoint(term.tiles)]
        letters = set(term.tiles).union(*(family[0] for family in linked))
        members = [member for family in linked for member in family[1]]
        families = [family for family in families if family not in linked]
        families.append((letters, [*members, index]))
    if not families:
        return [], refused
    largest = max(families, key=lambda f: (sum(terms[i].is_pinned for i in f[1]), len(f[1])))
    chosen = set(largest[1])
    strangers = [
        Unplaced(
            term.word,
            message("It shares no letters with the other words, directly or through others."),
        )
        for index, term in enumerate(terms)
        if index not in chosen
    ]
    return [term for i, term in enumerate(terms) if i in chosen], refused + strangers
