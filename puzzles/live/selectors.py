"""What is told of a class game: to a player, to the projector, to its teachers afterwards."""

from __future__ import annotations

import time
import uuid
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from datetime import time as time_of_day
from typing import Any

from django.db.models import Count, Exists, OuterRef, QuerySet, Subquery
from django.db.models.functions import Coalesce
from django.utils import timezone
from django.utils.translation import pgettext_lazy

from osmosmjerka.accounts.access import Person, classrooms
from osmosmjerka.accounts.models import Classroom
from puzzles.live import course, rules
from puzzles.live.state import LiveState, Standing, state_of
from puzzles.models import LiveGame, LiveMove, LivePlayer, Placement
from puzzles.play import selectors as play
from puzzles.play.games import Game
from vocab.memory.rules import zone_of

# A state is kept in the process for this time, so that a class that asks at once asks once.
KEPT_FOR = 0.25  # seconds
READ_AGAIN = 5.0  # seconds
_MOST_KEPT = 256
LAST_FOUND = 5

# Translators: names of teams, each with its sign. A team is "Team Sun".
TEAMS = (
    ("sun", pgettext_lazy("team", "Sun")),
    ("moon", pgettext_lazy("team", "Moon")),
    ("star", pgettext_lazy("team", "Star")),
    ("cloud", pgettext_lazy("team", "Cloud")),
    ("comet", pgettext_lazy("team", "Comet")),
    ("planet", pgettext_lazy("team", "Planet")),
    ("rocket", pgettext_lazy("team", "Rocket")),
    ("rainbow", pgettext_lazy("team", "Rainbow")),
)


def games_led(person: Person) -> QuerySet[LiveGame]:
    """Return the class games that *person* may lead: those of the classes they teach."""
    classes = classrooms(person, "lead games").filter(archived_at=None)
    led = LiveGame.objects.filter(classroom__in=classes, puzzle__deleted_at=None)
    return led.select_related("puzzle__vocabulary_list", "classroom__school")


def played_since(classroom: Classroom, since: date) -> list[LiveGame]:
    """Return the games that a class has played since a day where it is, the newest first."""
    begins = datetime.combine(since, time_of_day.min, tzinfo=zone_of(classroom.school))
    games = LiveGame.objects.filter(classroom=classroom, started_at__gte=begins)
    return list(games.filter(puzzle__deleted_at=None).select_related("puzzle"))


def games_now(classes: Collection[Classroom]) -> list[LiveGame]:
    """Return the games that classes play now or are about to play, the newest first."""
    if not classes:
        return []
    games = LiveGame.objects.filter(
        classroom__in=classes,
        ended_at=None,
        created_at__gt=timezone.now() - rules.OPEN_FOR,
        puzzle__deleted_at=None,
    )
    return list(games.select_related("classroom").order_by("-created_at"))


def open_game(code: str) -> LiveGame | None:
    """Return the game with the code that players type, unless it is closed."""
    games = LiveGame.objects.filter(
        code=code.strip().upper(),
        created_at__gt=timezone.now() - rules.OPEN_FOR,
        classroom__archived_at=None,
        classroom__deleted_at=None,
        puzzle__deleted_at=None,
    )
    return games.select_related("puzzle", "classroom__school").first()


@dataclass(slots=True)
class _Kept:
    """A state that was read at some time, and until when nobody asks whether it is the newest."""

    state: LiveState
    read_at: float
    until: float


_kept: dict[str, _Kept] = {}


def current(code: str) -> LiveState | None:
    """Return the state of a game as it was at most KEPT_FOR ago; None if it is closed.

    Who is here, and whether the game is closed, may be as old as READ_AGAIN.
    """
    now = time.monotonic()
    kept = _kept.get(code)
    if kept is not None and kept.until > now:
        return kept.state
    if kept is not None and kept.read_at > now - READ_AGAIN and _is_newest(kept.state):
        kept.until = now + KEPT_FOR
        return kept.state
    game = open_game(code)
    if game is None:
        return None
    at = timezone.now()
    if course.is_due(game, at):
        game = course.advance(code)
    state = state_of(game, at)
    if len(_kept) >= _MOST_KEPT:
        _kept.clear()
    _kept[code] = _Kept(state, now, now + KEPT_FOR)
    return state


def _is_newest(state: LiveState) -> bool:
    game = state.game
    if not game.is_made or course.is_due(game, timezone.now()):
        return False
    return LiveGame.objects.filter(pk=game.pk, version=game.version).exists()


def forget(code: str) -> None:
    """Read the game anew when it is asked for next: it has just changed."""
    _kept.pop(code, None)


def ask_after() -> int:
    """Return after how many ms a player's device asks again, by how many this process answers."""
    return rules.ask_after(sum(len(kept.state.players) for kept in list(_kept.values())))


def told_to(state: LiveState, player: LivePlayer, since: int, at: datetime) -> dict[str, Any]:
    """Return what a player's device is told: what changed since a version that it knows.

    In Listen the words of the last two rounds come each time; a device that missed more asks for
    everything.
    """
    told = _common(state, at) | {
        "team": player.team,
        "name": player.name,
        "items": [],
        "holders": {},
    }
    if state.game.started_at is None:
        return told
    # What a team found is the same for all of it.
    key = (player.pk if state.is_listen else player.team, since)
    if key not in state.told:
        view = state.view(player)
        words = state.words[-2:] if state.is_listen else _changed_words(state, player, since)
        state.told[key] = [play.item_state(view, word) for word in words]
    told["items"] = state.told[key]
    if state.game.mode == LiveGame.Mode.TOGETHER:
        told["holders"] = {
            slot: "" if holder.pk == player.pk else holder.name
            for slot, holder in state.holders.items()
        }
    return told


def _changed_words(state: LiveState, player: LivePlayer, since: int) -> list[Placement]:
    changed = {
        move.placement_id
        for move in state.moves
        if move.version > since
        and (
            move.outcome == "skipped" or (move.outcome == "found" and move.for_team == player.team)
        )
    }
    return [word for word in state.words if word.pk in changed]


def told_to_board(state: LiveState, at: datetime) -> dict[str, Any]:
    """Return what the projector shows: no word that a team could still read there and find."""
    is_listen = state.is_listen
    return _common(state, at) | {
        "players": [
            {
                "id": str(player.pk),
                "name": player.name,
                "team": player.team,
                "is_guest": player.student_id is None,
                "is_here": state.is_here(player),
            }
            for player in state.players.values()
        ],
        "found_now": len(state.finds_of_round()) if is_listen else None,
        "asked": state.asked.slot if is_listen and state.asked else None,
        "last": [_word(state, word) for word in _told_words(state)[-LAST_FOUND:]],
        "grid": _grid(state) if state.game.mode == LiveGame.Mode.TOGETHER else None,
    }


def _told_words(state: LiveState) -> list[Placement]:
    """Return the words that may be shown to all, the last one last."""
    if state.game.started_at is None:
        return []
    if state.is_listen:
        return state.words if state.game.ended_at else state.words[:-1]
    by_key = {word.pk: word for word in state.board.words}
    teams = {player.team for player in state.players.values()}
    found = [state.found_by(team) for team in teams]
    shared = set.intersection(*found) if found else set()
    shown = shared | state.skipped
    order = [move.placement_id for move in state.moves if move.placement_id in shown]
    latest = {key: index for index, key in enumerate(order)}
    told = [by_key[key] for key in sorted(latest, key=lambda key: latest[key]) if key]
    if state.game.ended_at is not None:
        told = [word for word in state.board.words if word not in told] + told
    return told


def heard_on_board(state: LiveState) -> list[Placement]:
    """Return the words whose sound the projector may play: those it shows, and the one asked."""
    asked = [state.asked] if state.asked and state.game.ended_at is None else []
    return _told_words(state) + asked


def _grid(state: LiveState) -> list[list[str | None]] | None:
    """Return the crossword as far as it is filled; None before it starts."""
    if state.game.started_at is None:
        return None
    grid: list[list[str | None]] = [
        [None if tile is None else "" for tile in row] for row in state.board.puzzle.grid
    ]
    for word in _told_words(state):
        for (row, col), tile in zip(word.cells, word.tiles, strict=True):
            grid[row][col] = tile
    return grid


def _word(state: LiveState, word: Placement) -> dict[str, Any]:
    return {"id": word.slot, "term": word.term, "translations": word.translations}


def _standing(one: Standing) -> dict[str, Any]:
    return {
        "number": one.number,
        "players": one.players,
        "found": one.found,
        "points": one.points,
        "is_whole": one.is_whole,
    }


def _common(state: LiveState, at: datetime) -> dict[str, Any]:
    game = state.game
    is_ready = game.puzzle.state == game.puzzle.State.READY
    left = game.left_seconds if game.ends_at is None else (game.ends_at - at).total_seconds()
    return {
        "version": game.version,
        "state": game.state,
        "puzzle": game.puzzle.state,
        "mode": game.mode,
        "round": game.round,
        "total": len(state.board.words) if is_ready else 0,
        "seconds_left": None if left is None else max(0.0, round(left, 1)),
        "ask_after": rules.ASK_AFTER,
        "teams": [_standing(one) for one in state.standings],
    }


@dataclass(frozen=True, slots=True)
class WordResult:
    """How many teams, or in Listen players, found a word of a game, of how many that were asked."""

    word: Placement
    found: int
    asked: int

    @property
    def is_missed(self) -> bool:
        return self.found * 2 < self.asked or self.found == 0


@dataclass(frozen=True, slots=True)
class Results:
    """A game for its teachers: how the teams did, and each word."""

    game: LiveGame
    standings: list[Standing]
    words: list[WordResult]
    players: list[LivePlayer]

    @property
    def missed(self) -> list[WordResult]:
        """The words that most did not find."""
        return [one for one in self.words if one.is_missed]


def best_of(standings: Sequence[Standing]) -> list[Standing]:
    """Return the teams with the most points, of equal ones those that were whole first."""
    rank = max(((one.points, _quick(one)) for one in standings), default=None)
    return [one for one in standings if (one.points, _quick(one)) == rank and one.points]


def _quick(one: Standing) -> float:
    return -one.whole_at.timestamp() if one.whole_at else float("-inf")


def time_of(game: LiveGame) -> timedelta | None:
    """Return how long a class took to fill its crossword; None before, and for other games."""
    if game.mode != LiveGame.Mode.TOGETHER or not game.started_at or not game.ended_at:
        return None
    return game.ended_at - game.started_at


def best_time(game: LiveGame) -> timedelta | None:
    """Return how quickly the class has filled a crossword of as many words; None if never."""
    if game.mode != LiveGame.Mode.TOGETHER:
        return None
    earlier = LiveGame.objects.filter(
        classroom=game.classroom_id,
        mode=game.mode,
        puzzle__settings__words=game.puzzle.settings["words"],
        started_at__lt=game.created_at,
        ended_at__isnull=False,
    ).annotate(left=_words_left())
    times = earlier.filter(left=0).values_list("started_at", "ended_at")
    return min((ended - started for started, ended in times if started and ended), default=None)


def _words_left() -> Coalesce:
    """Return the number of words of a game's puzzle that nobody found."""
    found = LiveMove.objects.filter(
        game=OuterRef(OuterRef("pk")), placement=OuterRef("pk"), outcome=LiveMove.Outcome.FOUND
    )
    words = Placement.objects.filter(~Exists(found), puzzle=OuterRef("puzzle")).order_by()
    counted = words.values("puzzle").annotate(count=Count("pk")).values("count")
    return Coalesce(Subquery(counted), 0)


def results_of(game: LiveGame) -> Results:
    """Return the results of a game, also while it is played."""
    state = state_of(game, timezone.now())
    if game.started_at is None:
        return Results(game, state.standings, [], list(state.players.values()))
    words = []
    for number, word in enumerate(state.words, 1):
        if state.is_listen:
            asked = sum(one.joined_round <= number for one in state.players.values())
        else:
            asked = len({player.team for player in state.players.values()})
        words.append(WordResult(word, len(state.finds_of(word)), asked))
    return Results(game, state.standings, words, list(state.players.values()))


def view_for(game: LiveGame, player: uuid.UUID) -> tuple[LiveState, LivePlayer, Game] | None:
    """Return the game as one player plays it now, with their own hints; None if they do not play.

    Before it starts, and after its end, there is no view of it either.
    """
    who = LivePlayer.objects.filter(pk=player, game=game).first()
    if who is None or game.started_at is None:
        return None
    state = state_of(game, timezone.now(), of=who)
    if player not in state.players:
        return None
    return state, state.players[player], state.view(state.players[player])
