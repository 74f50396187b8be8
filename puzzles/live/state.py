"""A class game at one version: who plays, what each team found, what a player may know of it.

A game is played as any other: `play.games.Game` judges and tells it, with the moves of a team, or
in Listen of one player.
"""

from __future__ import annotations

import copy
import uuid
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property, lru_cache
from typing import Any

from django.db.models import Exists, OuterRef, Q

from osmosmjerka.accounts.models import Membership
from puzzles.live import rules
from puzzles.models import LiveGame, LiveMove, LivePlayer, Move, Placement, PlaySession, Puzzle
from puzzles.play.games import Address, Board, Game, Played, board_of
from vocab.models import Entry
from vocab.sounds import playback

_OUTCOMES = {
    LiveMove.Outcome.FOUND: Move.Outcome.FOUND,
    LiveMove.Outcome.WRONG: Move.Outcome.WRONG,
    LiveMove.Outcome.HINT: Move.Outcome.HINT,
    LiveMove.Outcome.SKIPPED: Move.Outcome.REVEALED,
}


@dataclass(frozen=True, slots=True)
class Standing:
    """How a team is doing: words found, in Listen points, and when it found the last word."""

    number: int
    players: int
    found: int
    points: int
    whole_at: datetime | None

    @property
    def is_whole(self) -> bool:
        return self.whole_at is not None


@dataclass
class LiveState:
    """A game with its players, without those who were removed, and its moves in order.

    Of the moves, those that no other player sees may be missing. Devices of a whole class read one
    state, so what takes long is worked out once.
    """

    game: LiveGame
    players: dict[uuid.UUID, LivePlayer]
    moves: list[LiveMove]
    at: datetime
    told: dict[Any, list[dict[str, Any]]] = field(default_factory=dict)

    @property
    def board(self) -> Board:
        """The puzzle, which must be ready."""
        return board_of(self.game.puzzle.code)

    @property
    def is_listen(self) -> bool:
        return self.game.mode == LiveGame.Mode.LISTEN

    @cached_property
    def words(self) -> list[Placement]:
        """The words that are asked so far: in Listen one a round, otherwise all."""
        if not self.is_listen:
            return list(self.board.words)
        if not self.game.round:  # the puzzle may not be ready yet
            return []
        by_slot = {word.slot: word for word in self.board.words}
        order = rules.in_order(sorted(by_slot), self.game.code)
        return [by_slot[slot] for slot in order[: self.game.round]]

    @property
    def asked(self) -> Placement | None:
        """The word of the round in Listen."""
        words = self.words if self.is_listen else []
        return words[-1] if words else None

    @property
    def skipped(self) -> set[int | None]:
        """The words that the teacher skipped, as ids of placements."""
        return {move.placement_id for move in self.moves if move.outcome == "skipped"}

    def found_by(self, team: int) -> set[int | None]:
        """Return the words that a team found together, as ids of placements."""
        return {
            move.placement_id
            for move in self.moves
            if move.outcome == "found" and move.for_team == team
        }

    def is_done(self, team: int) -> bool:
        """Return whether nothing is left for a team to find."""
        done = self.found_by(team) | self.skipped
        return all(word.pk in done for word in self.board.words)

    def is_here(self, player: LivePlayer) -> bool:
        return player.here_at > self.at - rules.HERE_FOR

    def holder_of(self, slot: str) -> LivePlayer | None:
        """Return who answers for a word of Together: one of those who are here."""
        here = {str(one.pk): one for one in self.players.values() if self.is_here(one)}
        word = next(word for word in self.board.words if word.slot == slot)
        passed = sum(
            move.outcome == "passed" and move.placement_id == word.pk for move in self.moves
        )
        holder = rules.holder(slot, here, passed)
        return here[holder] if holder else None

    @cached_property
    def holders(self) -> dict[str, LivePlayer]:
        """Who answers for each word of Together that is left, by slot."""
        done = self.found_by(1) | self.skipped
        left = [word.slot for word in self.board.words if word.pk not in done]
        return {slot: one for slot in left if (one := self.holder_of(slot)) is not None}

    def finds_of(self, word: Placement) -> list[LiveMove]:
        """Return the moves that found a word."""
        return [
            move for move in self.moves if move.outcome == "found" and move.placement_id == word.pk
        ]

    def finds_of_round(self) -> list[LiveMove]:
        """Return the finds of the word that is asked in Listen, by players who still play."""
        finds = self.finds_of(self.asked) if self.asked else []
        return [move for move in finds if move.player_id in self.players]

    def is_round_done(self) -> bool:
        """Return whether all who are here found the word that is asked."""
        found = {move.player_id for move in self.finds_of_round()}
        here = [one.pk for one in self.players.values() if self.is_here(one)]
        return bool(found) and all(player in found for player in here)

    @cached_property
    def standings(self) -> list[Standing]:
        """How the teams are doing, by their number."""
        sizes = Counter(player.team for player in self.players.values())
        return [
            Standing(
                team,
                sizes[team],
                self._found(team),
                self._points(team) if self.is_listen else self._found(team),
                self._whole_at(team),
            )
            for team in range(1, self.game.team_count + 1)
        ]

    def view(self, player: LivePlayer) -> Game:
        """Return the game as one player plays it."""
        fixed = fixed_of(self.game.code)
        puzzle = copy.copy(fixed.puzzle)
        session = PlaySession(
            pk=player.pk, puzzle=puzzle, started_at=self.game.started_at or self.at
        )
        return Game(
            session,
            tuple(self.words),
            [one for move in self.moves if (one := self._as_seen_by(player, move)) is not None]
            + self._told(player),
            address=Address("live", self.game.code),
            _entries=fixed.entries,
            _speakable=fixed.speakable,
        )

    def _as_seen_by(self, player: LivePlayer, move: LiveMove) -> Played | None:
        is_own = move.player_id == player.pk
        is_of_team = not self.is_listen and move.for_team == player.team
        if move.outcome not in _OUTCOMES:
            return None
        if not (is_own or is_of_team or move.outcome == "skipped"):
            return None
        # A player who changed teams leaves the words behind.
        if move.outcome == "found" and not self.is_listen and not is_of_team:
            return None
        outcome = _OUTCOMES[LiveMove.Outcome(move.outcome)]
        return Played(move.placement_id, move.client_id, outcome, move.answer, move.at)

    def _told(self, player: LivePlayer) -> list[Played]:
        """Return the words of past rounds that the player did not find: they are shown."""
        if not self.is_listen:
            return []
        own = {
            move.placement_id
            for move in self.moves
            if move.outcome in ("found", "skipped") and move.player_id in (player.pk, None)
        }
        at = self.game.started_at or self.at
        return [
            Played(word.pk, uuid.uuid5(player.pk, word.slot), Move.Outcome.REVEALED, {}, at)
            for word in self.words[:-1]
            if word.pk not in own
        ]

    def _found(self, team: int) -> int:
        if not self.is_listen:
            return len(self.found_by(team))
        members = {one.pk for one in self.players.values() if one.team == team}
        found = {
            move.placement_id
            for move in self.moves
            if move.outcome == "found" and move.player_id in members
        }
        return len(found)

    def _points(self, team: int) -> int:
        members = [one for one in self.players.values() if one.team == team]
        total = 0
        for number, word in enumerate(self.words, 1):
            present = {one.pk for one in members if one.joined_round <= number}
            finds = [move for move in self.finds_of(word) if move.player_id in present]
            early = sum(bool(move.answer.get("is_early")) for move in finds)
            total += rules.round_points(early, len(finds) - early, len(present))
        return total

    def _whole_at(self, team: int) -> datetime | None:
        if self.is_listen or self.game.started_at is None or not self.is_done(team):
            return None
        finds = [move.at for move in self.moves if move.for_team == team]
        return max(finds, default=None)


@dataclass(frozen=True, slots=True)
class Fixed:
    """What of a game's puzzle does not change while it is played; all threads share it."""

    puzzle: Puzzle
    speakable: set[int | None]
    entries: dict[int, Entry]


@lru_cache(maxsize=64)
def fixed_of(code: str) -> Fixed:
    """Return the fixed part of the game with this code."""
    game = LiveGame.objects.select_related("puzzle__vocabulary_list").get(code=code)
    board = board_of(game.puzzle.code)
    puzzle = copy.copy(board.puzzle)
    puzzle.vocabulary_list = vocabulary_list = game.puzzle.vocabulary_list
    entries = {word.entry_id for word in board.words if word.entry_id is not None}
    has_voice = playback.is_speakable(vocabulary_list.language)
    speakable: set[int | None] = set(entries if has_voice else playback.recorded(entries))
    pictures = Entry.everything.filter(pk__in=entries).order_by().only("image")
    return Fixed(puzzle, speakable, {entry.pk: entry for entry in pictures})


def state_of(game: LiveGame, at: datetime, *, of: LivePlayer | None = None) -> LiveState:
    """Return a game's state at a moment; with *of*, also what only this player did."""
    seen = ~Q(version=0) if of is None else ~Q(version=0) | Q(player=of)
    return LiveState(
        game,
        {player.pk: player for player in playing(game)},
        list(game.moves.filter(seen).order_by("pk")),
        at,
    )


def playing(game: LiveGame) -> Iterable[LivePlayer]:
    """Return those who play: neither removed, nor students who left the class or may not log in."""
    in_class = Membership.objects.filter(
        classroom=game.classroom_id, user=OuterRef("student"), role=Membership.Role.STUDENT
    )
    is_student = Exists(in_class) & Q(student__is_active=True)
    return game.players.filter(Q(student=None) | is_student, removed_at=None)
