"""Choose the words of a listen and find grid; give the rule that excludes each of the others."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from itertools import chain
from random import Random

from puzzles.generators.errors import PuzzleError
from puzzles.generators.finder.together import most_together
from puzzles.generators.grid import Unplaced
from vocab.message import Sentence, message, messages
from vocab.text import alphabet, alphabet_for, fewest_tiles, tiles

# Above the characters that the board itself uses, however many letters there are.
_FIRST_LETTER = 0x40


class Rule(StrEnum):
    """Why a word is not in a finder."""

    # Translators: reasons for leaving words out; each stands before a colon and the words.
    TOO_SHORT = message("fewer than 3 letters")
    ONE_LETTER = message("only one letter")
    TOO_LONG = message("longer than a row")
    REPEATED = message("the same letters as another word in the puzzle")
    NESTED = message("contained in another word of the puzzle, or containing one")
    NO_LETTER_LEFT = message("would use up all letters of the alphabet")
    NO_ROOM = message("no room in the rows")
    BLOCKED = message("blocked word")


@dataclass(frozen=True, slots=True)
class Refused(Unplaced):
    """A word that is not in the finder, with the rule that excludes it."""

    rule: Rule


@dataclass(frozen=True, slots=True)
class Lexicon:
    """A vocabulary in which every tile is one character, so that plain text search works on it.

    `spellings` are the words in this form, in the list's order; `alphabet` the letters to fill
    with.
    """

    words: tuple[str, ...]
    spellings: tuple[str, ...]
    alphabet: str
    tiles: tuple[str, ...]

    def tile(self, letter: str) -> str:
        """Return the tile that *letter* stands for."""
        return self.tiles[ord(letter) - _FIRST_LETTER]

    def spell(self, cut: Sequence[str]) -> str | None:
        """Spell tiles with one character each; None if one of them is in no grid of these words."""
        if not all(tile in self.tiles for tile in cut):
            return None
        return "".join(chr(_FIRST_LETTER + self.tiles.index(tile)) for tile in cut)


# Split a list only once: this takes much longer than creating a grid of ten of its words.
@lru_cache(maxsize=8)
def lexicon_of(
    words: tuple[str, ...],
    given: tuple[str, ...] | None,
    language: str | None,
    digraphs: bool,
) -> Lexicon:
    """Spell *words* with one character per tile.

    Unless the alphabet is *given*, it is that of *language*, or of the script of the words if
    this is not the usual script of the language.
    """
    cut = [tiles(word, language, digraphs=digraphs) for word in words]
    if given is None:
        letters = _alphabet_of(cut, language, digraphs)
    else:
        letters = tuple(_one_tile(letter, language, digraphs) for letter in given)
    if not letters:
        raise PuzzleError(message("The alphabet is empty; letters are needed to fill the grid."))
    used = tuple(dict.fromkeys(chain(letters, *cut)))
    written = {tile: chr(_FIRST_LETTER + number) for number, tile in enumerate(used)}
    return Lexicon(
        words=words,
        spellings=tuple("".join(written[tile] for tile in word) for word in cut),
        alphabet="".join(written[tile] for tile in dict.fromkeys(letters)),
        tiles=used,
    )


def _alphabet_of(
    cut: Sequence[Sequence[str]], language: str | None, digraphs: bool
) -> tuple[str, ...]:
    letters = alphabet(language, digraphs=digraphs)
    in_script = alphabet_for(cut, language, digraphs=digraphs)
    return letters if set(letters) <= set(in_script) else in_script


def _one_tile(letter: str, language: str | None, digraphs: bool) -> str:
    cut = tiles(letter, language, digraphs=digraphs)
    if len(cut) != 1:
        raise PuzzleError(
            message(
                "“{letter}” is not a single letter. Give the alphabet as single letters, and the "
                "language if some are digraphs.",
                letter=letter,
            )
        )
    return cut[0]


def unused_letters(lexicon: Lexicon, chosen: Sequence[int]) -> str:
    """Return the letters of the alphabet that are in none of the chosen words."""
    used = set().union(*(lexicon.spellings[index] for index in chosen))
    return "".join(letter for letter in lexicon.alphabet if letter not in used)


def choose(
    lexicon: Lexicon,
    *,
    wanted: int,
    longest: int,
    forwards_only: bool,
    blocked: Collection[str] = (),
    rng: Random,
) -> tuple[list[int], list[Refused]]:
    """Return the list indexes of the words chosen, in order, and the words refused.

    Each choice starts at a random place and goes forward, wrapping around the end of the list, to
    the next possible word. If all others are refused before there are *wanted* words, they are
    drawn from a largest set of words that go together: only if that is too small, fewer are chosen.
    """
    count = len(lexicon.spellings)
    chosen: list[int] = []
    # A word that was refused once stays refused, because words are only added.
    refused = {
        index: Refused(lexicon.words[index], message("It is a blocked word."), Rule.BLOCKED)
        for index, spelling in enumerate(lexicon.spellings)
        if spelling in blocked
    }
    unused = set(lexicon.alphabet)
    while len(chosen) + len(refused) < count and len(chosen) < wanted:
        start = rng.randrange(count)
        for index in chain(range(start, count), range(start)):
            if index in chosen or index in refused:
                continue
            refusal = _refusal(lexicon, index, chosen, unused, longest, forwards_only)
            if refusal is None:
                chosen.append(index)
                unused.difference_update(lexicon.spellings[index])
                break
            refused[index] = refusal
    if len(chosen) < wanted:
        together = _most_together(lexicon, longest, forwards_only, blocked)
        if len(together) > len(chosen):
            chosen = rng.sample(together, min(wanted, len(together)))
            kept_out = [one for one in refused.values() if one.rule is Rule.BLOCKED]
            others = [i for i in range(count) if lexicon.spellings[i] not in blocked]
            left = _left_over(lexicon, chosen, others, longest, forwards_only)
            return chosen, [*kept_out, *left.values()]
    return chosen, list(refused.values())


def left_over(
    words: Sequence[str],
    *,
    wanted: int,
    cols: int,
    forwards_only: bool,
    language: str | None = None,
    digraphs: bool = True,
) -> dict[int, Refused]:
    """Return which words are left over if fewer than *wanted* can be in one grid, by their places.

    None are if that many can be: then chance decides.
    """
    if not words:
        return {}
    lexicon = lexicon_of(tuple(words), None, language, digraphs)
    chosen = _most_together(lexicon, cols, forwards_only, ())
    if len(chosen) >= wanted:
        return {}
    return _left_over(lexicon, chosen, range(len(words)), cols, forwards_only)


def _left_over(
    lexicon: Lexicon, chosen: list[int], among: Iterable[int], longest: int, forwards_only: bool
) -> dict[int, Refused]:
    """Return which of the words at the indexes *among* cannot join those chosen, and why."""
    unused = set(unused_letters(lexicon, chosen))
    refusals = {
        index: _refusal(lexicon, index, chosen, unused, longest, forwards_only)
        for index in among
        if index not in chosen
    }
    return {index: refusal for index, refusal in refusals.items() if refusal is not None}


def _most_together(
    lexicon: Lexicon, longest: int, forwards_only: bool, blocked: Collection[str]
) -> list[int]:
    """Return the list indexes of a largest set of words that can be in one grid."""
    letters = set(lexicon.alphabet)
    fit = [
        index
        for index, spelling in enumerate(lexicon.spellings)
        if spelling not in blocked
        and _refusal(lexicon, index, [], letters, longest, forwards_only) is None
    ]
    spellings = tuple(lexicon.spellings[index] for index in fit)
    return [fit[place] for place in most_together(spellings, lexicon.alphabet, forwards_only)]


def _refusal(
    lexicon: Lexicon,
    index: int,
    chosen: list[int],
    unused: set[str],
    longest: int,
    forwards_only: bool,
) -> Refused | None:
    """Return why the word at *index* cannot join the chosen ones, or None if it can."""
    word, spelling = lexicon.words[index], lexicon.spellings[index]
    length = len(spelling)
    least = fewest_tiles(map(lexicon.tile, spelling))
    if length < least:
        reason = messages(
            "It has {count} letter but needs at least {least}.",
            "It has {count} letters but needs at least {least}.",
            length,
            least=least,
        )
        return Refused(word, reason, Rule.TOO_SHORT if least == 3 else Rule.ONE_LETTER)
    if length > longest:
        reason = messages(
            "It has {count} letter, but a row has room for only {longest}.",
            "It has {count} letters, but a row has room for only {longest}.",
            length,
            longest=longest,
        )
        return Refused(word, reason, Rule.TOO_LONG)
    for other in chosen:
        conflict = _conflict(spelling, other, lexicon, forwards_only)
        if conflict is not None:
            rule, sentence = conflict
            return Refused(word, sentence, rule)
    if unused.issubset(spelling):
        reason = message("With it, the words would use every letter of the alphabet.")
        return Refused(word, reason, Rule.NO_LETTER_LEFT)
    return None


def _conflict(
    spelling: str, index: int, lexicon: Lexicon, forwards_only: bool
) -> tuple[Rule, Sentence] | None:
    """Return the rule by which a word and the one at *index* exclude each other, and a sentence.

    If words can be found backwards, RATS would be found in STAR, whatever the filling.
    """
    other, word = lexicon.spellings[index], lexicon.words[index]
    if spelling == other:
        return Rule.REPEATED, message(
            "It has the same letters as “{word}”, which is in the puzzle.", word=word
        )
    if spelling in other:
        return Rule.NESTED, message(
            "It is contained in “{word}”, which is in the puzzle.", word=word
        )
    if other in spelling:
        return Rule.NESTED, message("It contains “{word}”, which is in the puzzle.", word=word)
    if forwards_only:
        return None
    backwards = spelling[::-1]
    if backwards in other:
        return Rule.NESTED, message(
            "Read backwards, it is contained in “{word}”, which is in the puzzle.", word=word
        )
    if other in backwards:
        return Rule.NESTED, message(
            "It contains “{word}”, read backwards, which is in the puzzle.", word=word
        )
    return None
