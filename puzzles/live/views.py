"""Pages of class games: open one, the projector with its controls, results, a player's page."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from datetime import timedelta
from typing import Any

from django.core.exceptions import ValidationError
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from osmosmjerka.accounts.access import classrooms
from osmosmjerka.accounts.auth.card_sheet import qr_svg
from osmosmjerka.accounts.models import Classroom
from osmosmjerka.accounts.selectors import students_of
from osmosmjerka.db.collation import Alphabetical
from osmosmjerka.web.requests import ids_in, with_query
from osmosmjerka.web.views import SignedInRequest, refusal_as_message, teacher_required
from puzzles.live import entrance, selectors, services, tokens
from puzzles.live.forms import NewGameForm
from puzzles.live.state import LiveState, Standing
from puzzles.making import choice
from puzzles.models import LiveGame, LivePlayer, Puzzle
from puzzles.wrong_tokens import TooManyWrong
from vocab.access import vocabulary_lists
from vocab.message import unpacked
from vocab.models import VocabularyList

# Teachers ---------------------------------------------------------------------------------


@teacher_required
@require_safe
def choose_class(request: SignedInRequest) -> HttpResponse:
    """Let a teacher choose which class plays a list, or words of it; the only one is not asked."""
    led = classrooms(request.user, "lead games").filter(archived_at=None)
    found = list(led.order_by(Alphabetical("name"), "pk"))
    if len(found) == 1:
        page = reverse("live-new", args=[found[0].pk])
        return redirect(with_query(page, request.GET.urlencode()))
    return render(request, "puzzles/live/choose_class.html", {"classrooms": found})


@teacher_required
@require_http_methods(["GET", "POST"])
def new_game(request: SignedInRequest, pk: int) -> HttpResponse:
    """Open a game for a class: which game, and which words."""
    led = classrooms(request.user, "lead games").filter(archived_at=None)
    classroom = get_object_or_404(led.select_related("school"), pk=pk)
    lists = vocabulary_lists(request.user, "make puzzles").order_by("-pk")
    asked = request.POST if request.method == "POST" else request.GET
    ticked = ids_in(asked.getlist("entry"))
    if request.method == "POST":
        get_object_or_404(lists, pk=next(iter(ids_in([asked.get("list", "")])), 0))
    form = NewGameForm(lists, request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid():
        wanted = form.cleaned_data
        is_listen = wanted["mode"] == LiveGame.Mode.LISTEN
        try:
            game = services.open_game(
                classroom=classroom,
                actor=request.user,
                mode=wanted["mode"],
                vocabulary_list=wanted["list"],
                entries=ticked or _words(classroom, wanted["list"], wanted["which"]),
                words=len(ticked) or wanted["words"],
                team_count=wanted["teams"] or 1,
                seconds=wanted["seconds_a_word" if is_listen else "seconds"],
                allows_guests=wanted["allows_guests"],
                is_heard_on_board=wanted["is_heard_on_board"],
            )
            return redirect("live-board", game.code)
        except ValidationError as error:
            form.add_error(None, error)
    elif not form.is_bound:
        form.initial["list"] = next(iter(ids_in([asked.get("list", "")])), None)
    return render(
        request,
        "puzzles/live/new_game.html",
        {
            "classroom": classroom,
            "form": form,
            "ticked": ticked,
            "earlier": classroom.live_games.exclude(started_at=None)
            .filter(puzzle__deleted_at=None)
            .select_related("puzzle")[:5],
            "going_on": classroom.live_games.filter(ended_at=None).first(),
        },
        status=400 if form.is_bound else 200,
    )


def _words(classroom: Classroom, vocabulary_list: VocabularyList, which: str) -> list[int]:
    """Return the ids of the entries that a game may ask; none: all of the list.

    Raises ValidationError if there is no such word, and says why.
    """
    if which in ("", choice.ALL):
        return []
    students = students_of(classroom)
    entries = choice.chosen(vocabulary_list, which, students=students)
    if not entries.exists():
        why = choice.explained(vocabulary_list, which, students=students, is_empty=True)
        raise ValidationError({"which": why or _("The list has no such words.")})
    return list(entries.values_list("pk", flat=True))


def _led(request: SignedInRequest, code: str) -> LiveGame:
    return get_object_or_404(selectors.games_led(request.user), code=code)


@teacher_required
@never_cache
@require_safe
def board(request: SignedInRequest, code: str) -> HttpResponse:
    """Show the class its game, with the teacher's controls; the changing part is asked for."""
    game = _led(request, code)
    state = selectors.current(code)
    if state is None:  # it is closed
        return redirect("live-results", code)
    version = f"{state.game.version}-{sum(map(state.is_here, state.players.values()))}"
    is_part = "HX-Request" in request.headers
    if is_part and request.GET.get("version") == version:
        return HttpResponse(status=204)
    told = selectors.told_to_board(state, timezone.now())
    address = request.build_absolute_uri(reverse("live-play", args=[code]))
    context = {
        "classroom": game.classroom,
        "game": state.game,
        "told": told,
        "teams": _teams(state),
        "reason": unpacked(state.game.puzzle.reason)
        if state.game.puzzle.state == Puzzle.State.FAILED
        else "",
        "found": sum(one.found for one in state.standings),
        "winners": selectors.best_of(state.standings),
        "here": sum(map(state.is_here, state.players.values())),
        "host": request.get_host(),
        "enter": reverse("live-enter"),
        "address": address,
        "qr": qr_svg(address) if state.game.started_at is None else "",
        "sounds": _sounds(state, told),
        "best_time": _clock(selectors.best_time(state.game)),
        "time_taken": _clock(selectors.time_of(state.game)),
        "poll": f"{request.path}?version={version}",
    }
    template = "puzzles/live/_board.html" if is_part else "puzzles/live/board.html"
    return render(request, template, context)


def _teams(state: LiveState) -> list[dict[str, Any]]:
    """Return the teams with their sign, name, players and how far they are."""
    return [
        _team(one)
        | {"players": [player for player in state.players.values() if player.team == one.number]}
        for one in state.standings
    ]


def _clock(time: timedelta | None) -> str:
    """Return a time as a clock shows it, "4:05"; "" for None."""
    return "" if time is None else f"{int(time.total_seconds()) // 60}:{time.seconds % 60:02}"


def _team(one: Standing) -> dict[str, Any]:
    sign, name = selectors.TEAMS[one.number - 1]
    return {"number": one.number, "sign": sign, "name": name, "standing": one}


def _sounds(state: LiveState, told: dict[str, Any]) -> dict[str, str]:
    """Return where the projector's sounds are, by the word."""
    slots = [word["id"] for word in told["last"]]
    if told.get("asked"):
        slots.append(told["asked"])
    code = state.game.code
    return {slot: reverse("api:live-board-sound", args=[code, slot]) for slot in slots}


@teacher_required
@require_POST
def command(request: SignedInRequest, code: str) -> HttpResponse:
    """Do what a button of the projector's page says, and show the page again."""
    game = _led(request, code)
    orders: dict[str, Callable[[LiveGame], object]] = {
        "start": services.start,
        "pause": services.pause,
        "resume": services.resume,
        "skip": lambda game: services.skip(game, request.POST.get("item") or None),
        "shuffle": services.shuffle,
        "end": services.end,
    }
    wanted = request.POST.get("do", "")
    with refusal_as_message(request):
        if wanted in orders:
            orders[wanted](game)
        else:
            _change_player(game, request)
    selectors.forget(code)
    back = "live-players" if "player" in request.POST else "live-board"
    return redirect(back, code)


def _change_player(game: LiveGame, request: SignedInRequest) -> None:
    try:
        key = uuid.UUID(request.POST.get("player", ""))
    except ValueError:
        raise Http404 from None
    player = get_object_or_404(game.players.select_related("game"), pk=key)
    if request.POST.get("do") == "move":
        services.move_player(player, next(iter(ids_in([request.POST.get("team", "")])), 0))
    else:
        services.remove_player(player, is_removed=request.POST.get("do") == "remove")


@teacher_required
@require_safe
def players(request: SignedInRequest, code: str) -> HttpResponse:
    """Show who plays, to move them to another team or remove them."""
    game = _led(request, code)
    return render(
        request,
        "puzzles/live/players.html",
        {
            "classroom": game.classroom,
            "game": game,
            "players": game.players.select_related("student").order_by(
                "team", Alphabetical("name"), "pk"
            ),
            "teams": [
                (number, selectors.TEAMS[number - 1][1]) for number in range(1, game.team_count + 1)
            ],
        },
    )


@teacher_required
@require_safe
def results(request: SignedInRequest, code: str) -> HttpResponse:
    """Show what the class found and missed; the missed words are assigned with two clicks."""
    game = _led(request, code)
    found = selectors.results_of(game)
    return render(
        request,
        "puzzles/live/results.html",
        {
            "classroom": game.classroom,
            "game": game,
            "results": found,
            "teams": [_team(one) for one in found.standings],
            "missed": [one.word.entry_id for one in found.missed if one.word.entry_id],
        },
    )


# Players ----------------------------------------------------------------------------------


@never_cache
@require_http_methods(["GET", "POST"])
def enter(request: HttpRequest) -> HttpResponse:
    """Ask for the code that the projector shows."""
    code = "".join(filter(str.isalnum, request.POST.get("code", ""))).upper()
    context: dict[str, Any] = {"code": code}
    status = 200
    if request.method == "POST":
        try:
            if entrance.game_by_code(request, code) is not None:
                return redirect("live-play", code)
            context["is_wrong"] = True
        except TooManyWrong:
            context["is_too_often"] = True
            status = 429
    return render(request, "puzzles/live/enter.html", context, status=status)


@never_cache
@require_http_methods(["GET", "POST"])
def play(request: HttpRequest, code: str) -> HttpResponse:
    """Show a player's page: the way in, the lobby, the board, the end."""
    try:
        game = entrance.game_by_code(request, code)
    except TooManyWrong:
        return render(request, "puzzles/live/enter.html", {"is_too_often": True}, status=429)
    if game is None:
        return render(request, "puzzles/live/enter.html", {"is_wrong": True}, status=404)
    if not request.user.is_anonymous and request.user.is_teacher:
        return redirect("live-board", code)
    player, refused = _player(request, game)
    if player is None:
        context = {
            "game": game,
            "refused": refused,
            "nicknames": services.offered_nicknames(game) if game.allows_guests else [],
            "join_code": game.classroom.join_code,
        }
        return render(request, "puzzles/live/join.html", context)
    response = render(request, *_page_of(game, player))
    tokens.remember(response, request, player)
    return response


def _player(request: HttpRequest, game: LiveGame) -> tuple[LivePlayer | None, str]:
    """Return who the device plays for, or None and why it may not."""
    try:
        if not request.user.is_anonymous:
            if hasattr(request, "viewed_by"):
                return None, _("You are viewing this student’s pages, so you cannot play.")
            return services.join(game=game, student=request.user), ""
        known = tokens.player_in(request, game.code)
        guests = game.players.filter(student=None, removed_at=None).select_related("game")
        guest = known and guests.filter(pk=known).first()
        if guest:
            return guest, ""
        if request.method == "POST":
            return services.join_as_guest(game=game, name=request.POST.get("name", "")), ""
    except services.JoinRefused as error:
        return None, " ".join(error.messages)
    return None, ""


def _page_of(game: LiveGame, player: LivePlayer) -> tuple[str, dict[str, Any]]:
    """Return the template of a player's page, and what it shows."""
    sign, name = selectors.TEAMS[player.team - 1]
    context: dict[str, Any] = {
        "game": game,
        "me": player,
        "sign": sign,
        "team": name,
        "team_names": [{"sign": one, "name": str(label)} for one, label in selectors.TEAMS],
        "poll_url": reverse("api:live-state", args=[game.code]),
        "player": tokens.player_on_device(player),
    }
    if game.ended_at is not None:
        seen = selectors.view_for(game, player.pk)
        own = game.moves.filter(player=player, outcome="found").select_related("placement")
        context["found"] = [move.placement for move in own] if seen else []
        return "puzzles/live/over.html", context
    if game.started_at is None:
        return "puzzles/live/lobby.html", context
    context |= {
        "puzzle": game.puzzle,
        "state_url": reverse("api:live-play", args=[game.code]),
        "is_quiet": game.mode == LiveGame.Mode.LISTEN and game.is_heard_on_board,
    }
    return "puzzles/live/play.html", context
