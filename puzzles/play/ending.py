"""The end of a game for its student's page: what they did, word by word."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from puzzles.album.looks import EMPTY, Place
from puzzles.models import Placement
from puzzles.play.games import Game
from puzzles.play.helping import HELPS
from puzzles.play.selectors import picture_url, sound_url


@dataclass(frozen=True, slots=True)
class EndedWord:
    """A word of a game that is over; *place* is that in the album of its student."""

    word: Placement
    is_found: bool
    is_helped: bool
    is_shown: bool
    sound: str | None
    picture: str | None
    place: Place = EMPTY
    has_risen: bool = False

    @property
    def translations(self) -> str:
        return " · ".join(self.word.translations)


@dataclass(frozen=True, slots=True)
class Ending:
    """A game that is over: the words that were found, then those that were not."""

    game: Game
    found: Sequence[EndedWord]
    others: Sequence[EndedWord]
    bonus: Sequence[EndedWord] = ()
    bonus_missed: Sequence[EndedWord] = ()

    @property
    def total(self) -> int:
        return len(self.game.words)

    @property
    def hidden_message(self) -> str:
        """What the letters left over spell, or ""."""
        hidden = self.game.hidden_message
        return hidden.text if hidden else ""

    @property
    def helped(self) -> int:
        """How many words were found with a hint."""
        return sum(one.is_helped for one in self.found)


def ending_of(game: Game) -> Ending:
    """Return the end of a game that is over."""
    words = [_ended(game, word) for word in game.words]
    return Ending(
        game,
        [one for one in words if one.is_found],
        [one for one in words if not one.is_found and (one.is_shown or game.is_told(one.word))],
        [_ended(game, word) for word in game.bonus_found],
        [_ended(game, word) for word in game.bonus_missed],
    )


def _ended(game: Game, word: Placement) -> EndedWord:
    outcomes = {move.outcome for move in game.moves_of(word)}
    return EndedWord(
        word,
        is_found=not outcomes.isdisjoint(("found", "bonus")),
        is_helped=not outcomes.isdisjoint(HELPS),
        is_shown="revealed" in outcomes,
        sound=sound_url(game, word) if game.is_speakable(word) else None,
        picture=picture_url(game, word),
    )
