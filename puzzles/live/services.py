"""Class games: open one, join, start, pause, end; for what players do then, see `live.moves`.

Each call locks the game's row, checks and acts; what others see counts its version. So two answers
of a team are taken one after the other, and unique constraints hold even without the lock. Nothing
of a game is in memory only: a process that is killed loses nothing that was answered.
"""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from datetime import datetime, timedelta
from random import SystemRandom

from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from osmosmjerka.accounts.access import classrooms
from osmosmjerka.accounts.models import Classroom, User
from puzzles.goals.services import nicknames_without
from puzzles.kinds import KINDS
from puzzles.live import course, rules
from puzzles.live.state import state_of
from puzzles.making import services as making
from puzzles.models import LiveGame, LiveMove, LivePlayer, Puzzle
from puzzles.practice.services import fitting_settings
from vocab.models import Entry, VocabularyList

KINDS_OF = {LiveGame.Mode(kind.live_mode): slug for slug, kind in KINDS.items()}
MOST_GAMES_A_SCHOOL = 12
USUAL_WORDS = {LiveGame.Mode.RACE: 12, LiveGame.Mode.LISTEN: 10, LiveGame.Mode.TOGETHER: 12}
OFFERED_NICKNAMES = 4
# How long results are kept; guests are forgotten after rules.OPEN_FOR.
KEPT_FOR = timedelta(days=30)


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
        game = course.locked(game)
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
        game = course.locked(game)
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
    course.changed(game)
    return player


# What the teacher does --------------------------------------------------------------------


@transaction.atomic
def start(game: LiveGame) -> LiveGame:
    """Start a game whose puzzle is ready. Has no effect on one that was started.

    Raises ValidationError if the puzzle is not ready.
    """
    game = course.locked(game)
    if game.state == LiveGame.State.LOBBY:
        if game.puzzle.state != Puzzle.State.READY:
            raise ValidationError(_("The puzzle is not ready yet."))
        now = timezone.now()
        game.state, game.started_at, game.is_made = LiveGame.State.RUNNING, now, True
        if game.mode == LiveGame.Mode.LISTEN:
            game.round = 1
        course.set_clock(game, now)
        course.changed(game)
    return game


@transaction.atomic
def pause(game: LiveGame) -> LiveGame:
    """Pause a game that is running: its time stands still, and no answer is taken."""
    game = course.locked(game)
    if game.state == LiveGame.State.RUNNING:
        game.state = LiveGame.State.PAUSED
        if game.ends_at is not None:
            left = game.ends_at - timezone.now()
            game.left_seconds, game.ends_at = max(0.0, left.total_seconds()), None
        course.changed(game)
    return game


@transaction.atomic
def resume(game: LiveGame) -> LiveGame:
    """Let a paused game go on, with the time that was left."""
    game = course.locked(game)
    if game.state == LiveGame.State.PAUSED:
        game.state = LiveGame.State.RUNNING
        if game.left_seconds is not None:
            game.ends_at = timezone.now() + timedelta(seconds=game.left_seconds)
            game.left_seconds = None
        course.changed(game)
    return game


@transaction.atomic
def end(game: LiveGame) -> LiveGame:
    """End a game. Has no effect on one that has ended."""
    game = course.locked(game)
    if game.ended_at is None:
        course.end_now(game)
    return game


@transaction.atomic
def skip(game: LiveGame, slot: str | None = None) -> LiveGame:
    """Show a word to everybody, so that nobody has to find it: in Listen, the one that is asked.

    Two teachers may skip the same word at once: in Listen, one that is no longer asked is left.
    Raises ValidationError if there is no such word to skip now.
    """
    game = course.locked(game)
    now = timezone.now()
    state = state_of(game, now)
    word = state.asked if slot is None else course.word_in(state, slot)
    if word is None or game.state not in (LiveGame.State.RUNNING, LiveGame.State.PAUSED):
        raise ValidationError(_("There is no word to skip now."))
    if state.is_listen:
        if word == state.asked:
            course.next_round(state, now)
    elif word.pk not in state.skipped:
        course.changed(game)
        course.note_move(
            game, None, word, uuid.uuid4(), LiveMove.Outcome.SKIPPED, version=game.version
        )
        course.end_if_done(game, now)
    return game


@transaction.atomic
def shuffle(game: LiveGame) -> LiveGame:
    """Deal the players into new teams. Raises ValidationError once the game has started."""
    game = course.locked(game)
    if game.state != LiveGame.State.LOBBY:
        raise ValidationError(_("Teams can be shuffled before the game starts."))
    players = list(game.players.filter(removed_at=None))
    teams = rules.dealt([player.pk for player in players], game.team_count, SystemRandom())
    for player in players:
        player.team = teams[player.pk]
    LivePlayer.objects.bulk_update(players, ["team"])
    course.changed(game)
    return game


@transaction.atomic
def move_player(player: LivePlayer, team: int) -> None:
    """Put a player into another team. Raises ValidationError if there is no such team."""
    game = course.locked(player.game)
    if not 1 <= team <= game.team_count:
        raise ValidationError(_("There is no such team."))
    if game.players.filter(pk=player.pk).exclude(team=team).update(team=team):
        course.changed(game)


@transaction.atomic
def remove_player(player: LivePlayer, *, is_removed: bool = True) -> None:
    """Take a player out of the game, or let them back in. What they found stays found."""
    game = course.locked(player.game)
    change = game.players.filter(pk=player.pk, removed_at__isnull=is_removed)
    if change.update(removed_at=timezone.now() if is_removed else None):
        course.changed(game)


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
