"""Sort the words of a crossword: which can be laid at all, and why others cannot."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from functools import partial

from puzzles.generators.grid import LONGEST_WORD, Unplaced
from vocab.message import message, messages
from vocab.text import crossword_tiles, tiles, writes_syllables


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

    *cut* splits a word into its tiles. The first may include words that share no letters.
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
    return terms, refused


def families_of(terms: Sequence[Term]) -> list[list[Term]]:
    """Return the groups of words that letters link, directly or through others."""
    families: list[tuple[set[str], list[Term]]] = []
    for term in terms:
        linked = [family for family in families if not family[0].isdisjoint(term.tiles)]
        letters = set(term.tiles).union(*(family[0] for family in linked))
        members = [member for family in linked for member in family[1]]
        families = [family for family in families if family not in linked]
        families.append((letters, [*members, term]))
    return [members for _, members in families]


def largest_family(terms: Sequence[Term]) -> tuple[list[Term], list[Unplaced]]:
    """Keep the largest group of words linked by letters, with as many pinned words as possible."""
    if not terms:
        return [], []
    largest = max(families_of(terms), key=lambda f: (sum(term.is_pinned for term in f), len(f)))
    chosen = {term.tiles for term in largest}
    reason = message("It shares no letters with the other words, directly or through others.")
    strangers = [Unplaced(term.word, reason) for term in terms if term.tiles not in chosen]
    return [term for term in terms if term.tiles in chosen], strangers


def families(
    words: Sequence[str], *, language: str | None = None, digraphs: bool = True
) -> list[list[str]]:
    """Return the groups of *words* that can be joined in one crossword, the largest first.

    There are at least as many islands as groups; a group of one word cannot be linked to any other.
    Words that no crossword can contain are in none.
    """
    cut = partial(crossword_tiles, language=language, digraphs=digraphs)
    terms = sort_words(words, cut=cut, pinned=(), banned=(), rows=None, cols=None)[0]
    groups = [[term.word for term in family] for family in families_of(terms)]
    return sorted(groups, key=len, reverse=True)


def needs_islands(
    words: Sequence[str], *, language: str | None = None, digraphs: bool = True
) -> bool:
    """Return whether the script of most words has so many tiles that words often share none."""
    cut = [tiles(word, language, digraphs=digraphs) for word in words]
    return sum(map(writes_syllables, cut)) * 2 > len(cut)
