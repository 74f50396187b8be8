"""The pages of flashcards and of matching."""

from __future__ import annotations

import uuid

from django.http import Http404, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from osmosmjerka.web.views import SignedInRequest, signed_in
from puzzles.access import Moment
from puzzles.practice import matching, picked, plan, quiz, rounds
from puzzles.practice.picked import Deck, End, Picked
from puzzles.practice.rounds import Round
from puzzles.practice.views import chosen_list, number
from puzzles.untold import Waiting
from vocab.models import Entry, VocabularyList
from vocab.sounds import playback

# In the session: a round of matching, and the words of it matched after a wrong try.
MATCHED_LATE = "matched_late"


@signed_in
@require_http_methods(["GET", "POST"])
def cards(request: SignedInRequest) -> HttpResponse:
    """Show one side of a flashcard; record what the student says of it and go on.

    The word is not on the page before it is asked for. Without picked words, the cards are those of
    today's plan.
    """
    waiting, of_round, chosen = _asked(request)
    if request.method == "POST":
        _say(request, waiting, of_round)
        query = request.GET.copy()
        query.pop("show", None)
        return redirect(f"{request.path}?{query.urlencode()}")
    deck: Deck | Round
    if of_round:
        deck = picked.deck_of(request.user, of_round, waiting)
    else:
        deck = rounds.round_at(waiting.moment, chosen, number(request.GET, "more"), waiting)
    context: dict[str, object] = {
        "today": deck,
        "lists": [] if of_round else waiting.moment.lists,
        "chosen": chosen,
        "picked": of_round,
    }
    shown = number(request.GET, "show")
    keys = [shown] if shown in deck.review else deck.review[:1]
    entry = next(iter(plan.entries_to_ask(keys, waiting.moment)), None)
    if entry is not None:
        context["entry"] = entry
        context["is_shown"] = entry.pk == shown
        context["can_hear"] = playback.is_speakable(entry.vocabulary_list.language)
        context["attempt"] = uuid.uuid4()
        return render(request, "puzzles/practice/card.html", context)
    if isinstance(deck, Deck):
        results = picked.results(deck.entries, deck.said)
        context["end"] = End(results, rounds.round_at(waiting.moment, waiting=waiting))
    else:
        context |= _end_of(deck)
    return render(request, "puzzles/practice/card_end.html", context)


def _asked(request: SignedInRequest) -> tuple[Waiting, Picked | None, VocabularyList | None]:
    """Return what a student asks for; 404 for others, and for what is not theirs."""
    if not request.user.is_student:
        raise Http404
    moment = Moment(request.user, timezone.now())
    try:
        of_round = Picked.read(request.GET) or Picked.read(request.POST)
    except ValueError as error:
        raise Http404 from error
    return Waiting(moment), of_round, chosen_list(moment, request.GET)


def _end_of(today: Round) -> dict[str, object]:
    """Return what the end of today's words says."""
    return {"reason": rounds.why_nothing(today), "gained": rounds.gained(today)}


def _say(request: SignedInRequest, waiting: Waiting, of_round: Picked | None) -> None:
    try:
        attempt = uuid.UUID(request.POST.get("attempt", ""))
        entry = _entry_of(waiting, int(request.POST.get("entry", "")))
        picked.say(
            student=request.user,
            entry=entry,
            said=request.POST.get("said", ""),
            attempt=attempt,
            picked=of_round,
        )
    except (KeyError, ValueError) as error:
        raise Http404 from error


def _entry_of(waiting: Waiting, pk: int) -> Entry:
    return get_object_or_404(quiz.entries_to_review(waiting), pk=pk)


@signed_in
@require_http_methods(["GET", "POST"])
def match(request: SignedInRequest) -> HttpResponse:
    """Show words and meanings to match; judge a pair, as JSON.

    Without picked words, redirect to a round of today's.
    """
    waiting, of_round, chosen = _asked(request)
    if of_round is None:
        today = rounds.round_at(waiting.moment, chosen, waiting=waiting)
        of_round = picked.of_today(today)
        if request.method == "GET" and of_round.words:
            return redirect(f"{request.path}?{of_round.query}")
    late = _matched_late(request, of_round)
    game = matching.game_of(request.user, of_round, waiting, late)
    if request.method == "POST":
        return _judged(request, game, late)
    board = game.board
    context: dict[str, object] = {"today": game, "board": board, "picked": of_round}
    if board is not None:
        return render(request, "puzzles/practice/match.html", context)
    today = rounds.round_at(waiting.moment, waiting=waiting)
    if game.of:
        context["end"] = End(picked.results(game.entries, game.found), today)
    else:
        context |= _end_of(today) | {"today": today, "is_too_few": bool(of_round.words)}
    return render(request, "puzzles/practice/match_end.html", context)


def _matched_late(request: SignedInRequest, of_round: Picked) -> list[int]:
    kept = request.session.get(MATCHED_LATE) or {}
    return list(kept.get("words", ())) if kept.get("round") == str(of_round.round) else []


def _judged(request: SignedInRequest, game: matching.Game, late: list[int]) -> HttpResponse:
    judgement = matching.judge(
        student=request.user,
        game=game,
        word=request.POST.get("word", ""),
        meaning=request.POST.get("meaning", ""),
    )
    if judgement is None:
        raise Http404
    key = judgement.entry.pk
    if judgement.is_right and key in game.found and key not in game.matched:
        kept = {"round": str(game.picked.round), "words": [*late, key]}
        request.session[MATCHED_LATE] = kept
    # The game as it is now.
    matched = {*game.matched, *([key] if judgement.is_right else [])}
    here = game.board.words if game.board else ()
    return JsonResponse(
        {
            "is_right": judgement.is_right,
            "left": sum(one.entry.pk not in matched for one in here),
            "done": (done := sum(one.pk in matched for one in game.entries)),
            "label": _("%(done)s of %(total)s done, %(left)s left")
            % {"done": done, "total": game.of, "left": game.of - done},
        }
    )
