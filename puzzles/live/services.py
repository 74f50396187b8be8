"""Class games: open one, join, start, pause, answer, end.

Each call locks the game's row, checks and acts; what others see counts its version. So two answers
of a team are taken one after the other, and unique constraints hold even without the lock. Nothing
of a game is in memory only: a process that is killed loses nothing that was answered.
"""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from random import SystemRandom
from typing import Any

from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from osmosmjerka.accounts.access import classrooms
from osmosmjerka.accounts.models import Classroom, User
from osmosmjerka.jobs import ledger
from puzzles.goals.services import nicknames_without
from puzzles.kinds import KINDS
from puzzles.kinds.base import MoveRefused, SentMove, Verdict
from puzzles.live import rules
from puzzles.live.state import LiveState, state_of
from puzzles.making import services as making
from puzzles.models import LiveGame, LiveMove, LivePlayer, Placement, Puzzle
from puzzles.play.games import Game
from puzzles.play.services import (
    Answer,
    SessionFinished,
    given_answer,
    hold_back,
    was_heard_by,
)
from puzzles.practice.services import fitting_settings
from vocab.memory import reviews
from vocab.models import Entry, VocabularyList

KINDS_OF = {LiveGame.Mode(kind.live_mode): slug for slug, kind in KINDS.items()}
MOST_GAMES_A_SCHOOL = 12
USUAL_WORDS = {LiveGame.Mode.RACE: 12, LiveGame.Mode.LISTEN: 10, LiveGame.Mode.TOGETHER: 12}
MISSED = "puzzles.live_missed"
OFFERED_NICKNAMES = 4
# How long results are kept; guests are forgotten after rules.OPEN_FOR.
KEPT_FOR = timedelta(days=30)


class NotPlaying(Exception):
    """The player was removed, or left the class."""


class Paused(Exception):
    """The game is paused, or has not started: the same answer may be sent again later."""


class JoinRefused(ValidationError):
    """The person may not join this game; the message says why."""


@transaction.atomic
def open_game(
    *,
    classroom: Classroom,
    actor: User,
    mode: str,
    vocabulary_list: VocabularyList,
    entries: Sequence[int] = (),
    words: int | None = None,
    team_count: int = 2,
    seconds: int = 0,
    allows_guests: bool = False,
    is_heard_on_board: bool = True,
) -> LiveGame:
    """Open a game for players to join, while its puzzle is made in the background.

    *entries* are the ids of the list's entries that it may ask, by default all; *words* is how
    many. A game of the class that was not ended is ended. Raises ValidationError if the settings
    fit no puzzle, or if the school plays too many games.
    """
    Classroom.objects.select_for_update(of=("self",)).get(pk=classroom.pk)
    for earlier in LiveGame.objects.filter(classroom=classroom, ended_at=None):
        end(earlier)
    going_on = LiveGame.objects.filter(classroom__school=classroom.school_id, ended_at=None)
    going_on = going_on.filter(created_at__gt=timezone.now() - rules.OPEN_FOR)
    if going_on.count() >= MOST_GAMES_A_SCHOOL:
        raise ValidationError(
            ngettext(
                "Your school plays %(count)s class game already. Wait until it has ended.",
                "Your school plays %(count)s class games already. Wait until one has ended.",
                MOST_GAMES_A_SCHOOL,
            )
            % {"count": MOST_GAMES_A_SCHOOL}
        )
    mode = LiveGame.Mode(mode)
    usable = Entry.objects.filter(vocabulary_list=vocabulary_list)
    if entries:
        usable = usable.filter(pk__in=entries)
    asked = KINDS[KINDS_OF[mode]].askable(usable, KINDS[KINDS_OF[mode]].default_settings())
    least = KINDS[KINDS_OF[mode]].fewest_words
    if len(asked) < least:
        raise ValidationError(
            ngettext(
                "This game needs at least %(count)s word that it can ask. Choose more words.",
                "This game needs at least %(count)s words that it can ask. Choose more words.",
                least,
            )
            % {"count": least}
        )
    count = min(words or USUAL_WORDS[mode], len(asked))
    puzzle = making.request_puzzle(
        vocabulary_list=vocabulary_list,
        kind=KINDS_OF[mode],
        created_by=actor,
        settings=fitting_settings(KINDS_OF[mode], count, max(len(entry.tiles) for entry in asked)),
        entries=making.random_order([entry.pk for entry in asked]),
    )
    game = LiveGame(
        classroom=classroom,
        puzzle=puzzle,
        created_by=actor,
        mode=mode,
        team_count=1 if mode == LiveGame.Mode.TOGETHER else team_count,
        seconds=seconds,
        allows_guests=allows_guests,
        is_heard_on_board=is_heard_on_board,
    )
    game.clean_fields(exclude={"code", "started_at", "ends_at", "left_seconds", "ended_at"})
    game.save()
    return game


def join(*, game: LiveGame, student: User) -> LivePlayer:
    """Let a student of the class play, and return who they are in the game.

    Who was there gets the same place back. Raises JoinRefused.
    """
    with transaction.atomic():
        game = _locked(game)
        classes = classrooms(student, "play").filter(pk=game.classroom_id)
        if not student.is_student or not classes.exists():
            raise JoinRefused(_("This game is for another class."))
        earlier = game.players.filter(student=student).first()
        if earlier is not None:
            if earlier.removed_at is not None:
                raise JoinRefused(_("Your teacher removed you from this game."))
            return earlier
        return _joined(game, student, str(student))


def join_as_guest(*, game: LiveGame, name: str) -> LivePlayer:
    """Let a guest play under one of the nicknames that are offered. Raises JoinRefused."""
    with transaction.atomic():
        game = _locked(game)
        if not game.allows_guests:
            raise JoinRefused(_("This game is for students of the class. Log in first."))
        if name not in free_nicknames(game):
            raise JoinRefused(_("Choose one of the nicknames offered."))
        return _joined(game, None, name)


def free_nicknames(game: LiveGame) -> list[str]:
    """Return the nicknames that nobody in the game has."""
    return nicknames_without(game.players.values_list("name", flat=True))


def offered_nicknames(game: LiveGame) -> list[str]:
    """Return some free nicknames for one guest to choose from."""
    free = free_nicknames(game)
    return SystemRandom().sample(free, min(len(free), OFFERED_NICKNAMES))


def _joined(game: LiveGame, student: User | None, name: str) -> LivePlayer:
    """Add a player to the smallest team. The game must be locked."""
    if game.ended_at is not None:
        raise JoinRefused(_("This game is over."))
    teams = list(game.players.filter(removed_at=None).values_list("team", flat=True))
    if len(teams) >= rules.MOST_PLAYERS:
        raise JoinRefused(
            ngettext(
                "This game has its %(count)s player already.",
                "This game has its %(count)s players already.",
                rules.MOST_PLAYERS,
            )
            % {"count": rules.MOST_PLAYERS}
        )
    player = LivePlayer.objects.create(
        game=game,
        student=student,
        name=name,
        team=rules.smallest_team(teams, game.team_count),
        # A word that is half asked counts for nobody who was not there.
        joined_round=game.round + 1,
    )
    _changed(game)
    return player


# What the teacher does --------------------------------------------------------------------


@transaction.atomic
def start(game: LiveGame) -> LiveGame:
    """Start a game whose puzzle is ready. Has no effect on one that was started.

    Raises ValidationError if the puzzle is not ready.
    """
    game = _locked(game)
    if game.state == LiveGame.State.LOBBY:
        if game.puzzle.state != Puzzle.State.READY:
            raise ValidationError(_("The puzzle is not ready yet."))
        now = timezone.now()
        game.state, game.started_at, game.is_made = LiveGame.State.RUNNING, now, True
        if game.mode == LiveGame.Mode.LISTEN:
            game.round = 1
        _set_clock(game, now)
        _changed(game)
    return game


@transaction.atomic
def pause(game: LiveGame) -> LiveGame:
    """Pause a game that is running: its time stands still, and no answer is taken."""
    game = _locked(game)
    if game.state == LiveGame.State.RUNNING:
        game.state = LiveGame.State.PAUSED
        if game.ends_at is not None:
            left = game.ends_at - timezone.now()
            game.left_seconds, game.ends_at = max(0.0, left.total_seconds()), None
        _changed(game)
    return game


@transaction.atomic
def resume(game: LiveGame) -> LiveGame:
    """Let a paused game go on, with the time that was left."""
    game = _locked(game)
    if game.state == LiveGame.State.PAUSED:
        game.state = LiveGame.State.RUNNING
        if game.left_seconds is not None:
            game.ends_at = timezone.now() + timedelta(seconds=game.left_seconds)
            game.left_seconds = None
        _changed(game)
    return game


@transaction.atomic
def end(game: LiveGame) -> LiveGame:
    """End a game. Has no effect on one that has ended."""
    game = _locked(game)
    if game.ended_at is None:
        _end(game)
    return game


@transaction.atomic
def skip(game: LiveGame, slot: str | None = None) -> LiveGame:
    """Show a word to everybody, so that nobody has to find it: in Listen, the one that is asked.

    Raises ValidationError if there is no such word to skip now.
    """
    game = _locked(game)
    now = timezone.now()
    state = state_of(game, now)
    word = state.asked if slot is None else _word(state, slot)
    if word is None or game.state not in (LiveGame.State.RUNNING, LiveGame.State.PAUSED):
        raise ValidationError(_("There is no word to skip now."))
    if state.is_listen:
        _next_round(state, now)
    elif word.pk not in state.skipped:
        _changed(game)
        _note(game, None, word, uuid.uuid4(), LiveMove.Outcome.SKIPPED, version=game.version)
        _end_if_done(game, now)
    return game


@transaction.atomic
def shuffle(game: LiveGame) -> LiveGame:
    """Deal the players into new teams. Raises ValidationError once the game has started."""
    game = _locked(game)
    if game.state != LiveGame.State.LOBBY:
        raise ValidationError(_("Teams can be shuffled before the game starts."))
    players = list(game.players.filter(removed_at=None))
    teams = rules.dealt([player.pk for player in players], game.team_count, SystemRandom())
    for player in players:
        player.team = teams[player.pk]
    LivePlayer.objects.bulk_update(players, ["team"])
    _changed(game)
    return game


@transaction.atomic
def move_player(player: LivePlayer, team: int) -> None:
    """Put a player into another team. Raises ValidationError if there is no such team."""
    game = _locked(player.game)
    if not 1 <= team <= game.team_count:
        raise ValidationError(_("There is no such team."))
    if game.players.filter(pk=player.pk).exclude(team=team).update(team=team):
        _changed(game)


@transaction.atomic
def remove_player(player: LivePlayer, *, is_removed: bool = True) -> None:
    """Take a player out of the game, or let them back in. What they found stays found."""
    game = _locked(player.game)
    change = game.players.filter(pk=player.pk, removed_at__isnull=is_removed)
    if change.update(removed_at=timezone.now() if is_removed else None):
        _changed(game)


# What players do --------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Move:
    """A move that is being judged, with what is known of the game before it."""

    state: LiveState
    player: LivePlayer
    game: Game
    client_id: uuid.UUID
    sent: SentMove
    latency_ms: int | None

    def note(self, word: Placement | None, outcome: LiveMove.Outcome, **answer: Any) -> None:
        """Record it; what others see is found by the game's new version."""
        is_seen = outcome in (LiveMove.Outcome.FOUND, LiveMove.Outcome.PASSED)
        if is_seen:
            _changed(self.state.game)
        move = _note(
            self.state.game,
            self.player,
            word,
            self.client_id,
            outcome,
            answer={
                "cells": self.sent.cells and [list(cell) for cell in self.sent.cells],
                "tiles": self.sent.tiles and list(self.sent.tiles),
            }
            | answer,
            version=self.state.game.version if is_seen else 0,
            for_team=None if self.state.is_listen else self.player.team,
        )
        self.state.moves.append(move)


def record_move(
    *,
    player: uuid.UUID,
    move_id: uuid.UUID,
    move: SentMove,
    latency_ms: int | None = None,
) -> Answer:
    """Judge a player's move and record it; what a student finds is added to the review history.

    The same *move_id* again returns the same answer and counts once. Raises MoveRefused for an
    invalid move, NotPlaying, Paused, SessionFinished if the game is over, and TooFast after many
    wrong moves.
    """
    with transaction.atomic():
        state, me = _entered(player)
        game = state.view(me)
        earlier = next((one for one in state.moves if one.client_id == move_id), None)
        if earlier is not None:
            return replace(_same_answer(game, earlier), is_repeated=True)
        _refuse_unless_running(state.game)
        hold_back(game)
        _refuse_unless_asked(state, me, move)
        judged = replace(move, was_heard=was_heard_by(game, move.slot))
        verdict = game.kind.judge(judged, game.left_first, game.puzzle)
        if verdict.is_check:
            raise MoveRefused(_("Type the whole word."))
        one = _Move(state, me, game, move_id, move, latency_ms)
        if verdict.placement is None:
            return _missed(one, verdict)
        if verdict.placement.pk in game.solved:
            return Answer("already", game, verdict.placement, asked_for=move.slot)
        return _found(one, verdict)


def pass_on(*, player: uuid.UUID, slot: str, move_id: uuid.UUID) -> LiveState:
    """Give a word of Together to the next player. Raises as `record_move` does."""
    with transaction.atomic():
        state, me = _entered(player)
        if any(one.client_id == move_id for one in state.moves):
            return state
        _refuse_unless_running(state.game)
        move = SentMove(slot=slot)
        _refuse_unless_asked(state, me, move)
        if state.game.mode != LiveGame.Mode.TOGETHER:
            raise MoveRefused(_("Words can be passed on in Together only."))
        one = _Move(state, me, state.view(me), move_id, move, None)
        one.note(_word(state, slot), LiveMove.Outcome.PASSED)
        return state


def read_word(*, player: uuid.UUID, slot: str, move_id: uuid.UUID) -> tuple[Game, Placement]:
    """Show the text of the word that is asked in Listen, to who cannot hear it; it counts as help.

    Raises as `record_move` does.
    """
    with transaction.atomic():
        state, me = _entered(player)
        game = state.view(me)
        word = state.asked
        if word is None or word.slot != slot:
            raise MoveRefused(_("Choose a word of this puzzle first."))
        if not any(one.client_id == move_id for one in state.moves):
            _refuse_unless_running(state.game)
            one = _Move(state, me, game, move_id, SentMove(slot=slot), None)
            one.note(word, LiveMove.Outcome.HINT, kind="text")
        return state.view(me), word


def _entered(player: uuid.UUID) -> tuple[LiveState, LivePlayer]:
    """Return the state of a player's game, which is locked, and the player in it."""
    of = LivePlayer.objects.filter(pk=player).select_related("game").first()
    if of is None:
        raise NotPlaying
    now = timezone.now()
    game = _advance(_locked(of.game), now)
    state = state_of(game, now, of=of)
    if player not in state.players:
        raise NotPlaying
    return state, state.players[player]


def _refuse_unless_running(game: LiveGame) -> None:
    if game.ended_at is not None:
        raise SessionFinished
    if game.state != LiveGame.State.RUNNING:
        raise Paused


def _refuse_unless_asked(state: LiveState, player: LivePlayer, move: SentMove) -> None:
    """Refuse an answer to a word of an earlier round, or to one that another player holds."""
    if state.is_listen and (state.asked is None or move.slot != state.asked.slot):
        raise MoveRefused(_("The time for this word is over."))
    if state.game.mode == LiveGame.Mode.TOGETHER:
        _word(state, move.slot)
        holder = state.holder_of(str(move.slot))
        if holder is not None and holder.pk != player.pk:
            raise MoveRefused(_("%(player)s has this word.") % {"player": holder.name})


def _found(move: _Move, verdict: Verdict) -> Answer:
    word, state = verdict.placement, move.state
    assert word is not None  # noqa: S101  (the caller checked this)
    slips = [list(cell) for cell in verdict.accent_cells]
    move.note(
        word,
        LiveMove.Outcome.FOUND,
        **({"accent_cells": slips} if slips else {}),
        **({"is_early": _is_early(state)} if state.is_listen else {}),
    )
    _remember(move, word)
    if state.is_listen:
        if state.is_round_done():
            _next_round(state, state.at)
    else:
        _end_if_done(state.game, state.at)
    return Answer(
        "found",
        state.view(move.player),
        word,
        accent_cells=verdict.accent_cells,
        asked_for=move.sent.slot,
    )


def _missed(move: _Move, verdict: Verdict) -> Answer:
    word = move.game.word_in(move.sent.slot)
    wrong = [list(cell) for cell in verdict.wrong_cells]
    move.note(word, LiveMove.Outcome.WRONG, wrong_cells=wrong, miss=verdict.miss.value)
    if move.state.game.mode == LiveGame.Mode.TOGETHER and word is not None:
        tries = sum(
            one.outcome == "wrong"
            and one.placement_id == word.pk
            and one.player_id == move.player.pk
            for one in move.state.moves
        )
        if tries % rules.WRONG_BEFORE_PASSED == 0:
            passed = replace(move, client_id=uuid.uuid5(move.client_id, "passed"))
            passed.note(word, LiveMove.Outcome.PASSED)
    return Answer("wrong", move.game, wrong_cells=verdict.wrong_cells, miss=verdict.miss)


def _remember(move: _Move, word: Placement) -> None:
    """Add a word that a student found to the review history: an answer of the puzzle's kind."""
    student = move.player.student
    if student is None or not student.is_student:
        return
    given = given_answer(_alone(move), word, move.state.at, latency_ms=move.latency_ms)
    if given is not None:
        reviews.record(student=student, answers=[given])


def _alone(move: _Move) -> Game:
    """Return the game with this player's moves only: what others did is no answer of theirs."""
    own = [one for one in move.state.moves if one.player_id == move.player.pk]
    return replace(move.state, moves=own).view(move.player)


def _is_early(state: LiveState) -> bool:
    game = state.game
    if not game.seconds or game.ends_at is None:
        return True
    return (game.ends_at - state.at).total_seconds() >= game.seconds * rules.EARLY


def _same_answer(game: Game, move: LiveMove) -> Answer:
    word = next((word for word in game.words if word.pk == move.placement_id), None)
    wrong, slips = (
        tuple((row, col) for row, col in move.answer.get(name, ()))
        for name in ("wrong_cells", "accent_cells")
    )
    if move.outcome == LiveMove.Outcome.FOUND:
        return Answer("found", game, word, accent_cells=slips)
    return Answer("wrong", game, wrong_cells=wrong)


def _word(state: LiveState, slot: str | None) -> Placement:
    for word in state.board.words:
        if word.slot == slot:
            return word
    raise MoveRefused(_("Choose a word of this puzzle first."))


# How a game goes on by itself -------------------------------------------------------------


def advance(code: str) -> LiveGame:
    """Do what the clock of a game asks for: end it, or ask the next word. Returns the game.

    No timer and no job does this, but whoever looks at the game next: of several processes, one.
    """
    with transaction.atomic():
        return _advance(_locked(LiveGame.objects.get(code=code)), timezone.now())


def is_due(game: LiveGame, at: datetime) -> bool:
    """Return whether `advance` has something to do."""
    if game.ended_at is not None:
        return False
    return _is_too_old(game, at) or _is_made_now(game) or _is_time_over(game, at)


def _is_too_old(game: LiveGame, at: datetime) -> bool:
    return game.created_at + rules.OPEN_FOR <= at


def _is_made_now(game: LiveGame) -> bool:
    return not game.is_made and game.puzzle.state != Puzzle.State.QUEUED


def _is_time_over(game: LiveGame, at: datetime) -> bool:
    is_running = game.state == LiveGame.State.RUNNING
    return is_running and game.ends_at is not None and game.ends_at <= at


def _advance(game: LiveGame, at: datetime) -> LiveGame:
    if game.ended_at is not None:
        return game
    if _is_too_old(game, at) or game.puzzle.state == Puzzle.State.FAILED:
        _end(game)
    elif _is_made_now(game):
        game.is_made = True
        _changed(game)
    elif _is_time_over(game, at):
        if game.mode == LiveGame.Mode.LISTEN:
            _next_round(state_of(game, at), at)
        else:
            _end(game)
    return game


def _next_round(state: LiveState, at: datetime) -> None:
    game = state.game
    if game.round >= len(state.board.words):
        _end(game)
        return
    game.round += 1
    game.left_seconds = game.seconds or None
    if game.state == LiveGame.State.RUNNING:
        _set_clock(game, at)
    _changed(game)


def _set_clock(game: LiveGame, at: datetime) -> None:
    game.left_seconds = None
    game.ends_at = at + timedelta(seconds=game.seconds) if game.seconds else None


def _end_if_done(game: LiveGame, at: datetime) -> None:
    state = state_of(game, at)
    teams = {player.team for player in state.players.values()}
    if all(state.is_done(team) for team in teams):
        _end(game)


def _end(game: LiveGame) -> None:
    game.state, game.ended_at = LiveGame.State.ENDED, timezone.now()
    game.ends_at = game.left_seconds = None
    _changed(game)
    ledger.enqueue(
        MISSED,
        key=f"{MISSED}:{game.pk}",
        arguments={"game": game.pk},
        owner=game.created_by,
        subject=game,
    )


def remember_missed(game: int) -> int:
    """Add the words that students tried and did not find to the review history; return how many.

    It may run twice: an answer has its source, and counts once.
    """
    ended = LiveGame.objects.select_related("puzzle").filter(pk=game).first()
    if ended is None or ended.ended_at is None or ended.started_at is None:
        return 0
    count = 0
    students = ended.players.exclude(student=None).select_related("student")
    for player in students:
        own = list(ended.moves.filter(player=player).order_by("pk"))
        state = LiveState(ended, {player.pk: player}, own, ended.ended_at)
        view = state.view(player)
        found = {one.placement_id for one in own if one.outcome == "found"}
        tried = {one.placement_id for one in own if one.outcome == "wrong"} - found
        given = [
            given_answer(view, word, ended.ended_at, is_left=True)
            for word in view.words
            if word.pk in tried
        ]
        answers = [one for one in given if one is not None]
        if answers and player.student is not None:
            count += len(reviews.record(student=player.student, answers=answers))
    return count


def forget_old() -> int:
    """Delete guests of games that are closed, and games long past; return how many games."""
    now = timezone.now()
    closed = now - rules.OPEN_FOR
    for game in LiveGame.objects.filter(ended_at=None, created_at__lte=closed):
        end(game)
    guests = Q(student=None, game__ended_at__isnull=False, game__created_at__lte=closed)
    LivePlayer.objects.filter(guests).delete()
    old = LiveGame.objects.filter(ended_at__lte=now - KEPT_FOR)
    count = old.count()
    old.delete()
    return count


def note_here(player: LivePlayer, at: datetime) -> None:
    """Note that a player's device asks, at most once in a while: it is presence, not truth."""
    if player.here_at > at - rules.HERE_FOR / 2:
        return
    player.here_at = at  # of the state that is kept: the device's next question need not write
    LivePlayer.objects.filter(pk=player.pk).update(here_at=at)


def _locked(game: LiveGame) -> LiveGame:
    """Return the game as it is once its row is locked, until the transaction ends."""
    held = LiveGame.objects.select_for_update(of=("self",)).select_related("puzzle", "classroom")
    return held.get(pk=game.pk)


def _changed(game: LiveGame) -> None:
    """Save the game with its next version, by which all devices learn of the change."""
    game.version += 1
    game.save()


def _note(
    game: LiveGame,
    player: LivePlayer | None,
    word: Placement | None,
    client_id: uuid.UUID,
    outcome: LiveMove.Outcome,
    *,
    answer: dict[str, Any] | None = None,
    version: int = 0,
    for_team: int | None = None,
) -> LiveMove:
    return LiveMove.objects.create(
        game=game,
        player=player,
        for_team=for_team if outcome == LiveMove.Outcome.FOUND else None,
        placement=word,
        client_id=client_id,
        version=version,
        outcome=outcome,
        answer=answer or {},
    )
