"""The pages of the quick review, of flashcards and of matching."""

from __future__ import annotations

import secrets
import uuid
from random import Random

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from osmosmjerka.accounts.codes import name_on_device
from osmosmjerka.web.requests import ids_in
from osmosmjerka.web.views import SignedInRequest, signed_in, student_required
from puzzles.access import Moment
from puzzles.album.selectors import places_of
from puzzles.album.services import newly_complete
from puzzles.practice import matching, picked, plan, quiz, rounds
from puzzles.practice.picked import Deck, End, Picked
from puzzles.practice.quiz import Question
from puzzles.practice.rounds import Reason, Round
from puzzles.withheld import Waiting
from vocab.models import Entry, VocabularyList
from vocab.sounds import playback, voices
from vocab.speech.engine import SpeechError

# In the session: a round of matching, and the words of it matched after a wrong try.
MATCHED_LATE = "matched_late"


@student_required
@require_http_methods(["GET", "POST"])
def review(request: SignedInRequest) -> HttpResponse:
    """Ask for a word of today's; judge an answer, and ask the next or explain what was wrong."""
    moment = Moment(request.user, timezone.now())
    waiting = Waiting(moment)
    chosen = chosen_list(moment, request.GET)
    verdict = None
    if request.method == "POST":
        if "typo" in request.POST:
            return _take_back(request)
        if "retyped" in request.POST:
            verdict = _missed(request, waiting)
            if quiz.judge(verdict.entry, request.POST["retyped"], "typed").comparison.is_right:
                return redirect(request.get_full_path())
        else:
            verdict = _judged(request, waiting)
        waiting = waiting.after_an_answer()
    today = rounds.round_at(moment, chosen, number(request.GET, "more"), waiting)
    context: dict[str, object] = {
        "verdict": verdict,
        "today": today,
        "lists": moment.lists,
        "chosen": chosen,
    }
    if verdict and not verdict.comparison.is_right:
        context |= {
            "can_hear": playback.is_speakable(verdict.entry.vocabulary_list.language),
            "missed": Question(verdict.entry, request.POST.get("mode", ""), _attempt(request)),
            "retyped": request.POST.get("retyped"),
        }
        return render(request, "puzzles/practice/wrong.html", context)
    rng = Random(secrets.randbits(64))
    question = quiz.next_question(
        today,
        rng,
        request.GET.get("mode", ""),
        may_hear="silent" not in request.GET,
        later=number(request.GET, "later"),
    )
    if question is None:
        context |= _end_of(request, today)
        return render(request, "puzzles/practice/end.html", context)
    return render(request, "puzzles/practice/review.html", context | {"question": question})


def _take_back(request: SignedInRequest) -> HttpResponse:
    """Take back an answer that was a typo, say so, and ask the word again after the others."""
    query = request.GET.copy()
    typo = quiz.take_back(request.user, _attempt(request))
    if typo is not None:
        query["later"] = str(typo.entry_id)
        messages.success(request, _("Undone. The word comes again at the end."))
    else:
        messages.info(request, _("Only your last answer can be undone, and only right away."))
    return redirect(f"{request.path}?{query.urlencode()}")


def _attempt(request: SignedInRequest) -> uuid.UUID:
    try:
        return uuid.UUID(request.POST.get("attempt", ""))
    except ValueError as error:
        raise Http404 from error


def _missed(request: SignedInRequest, waiting: Waiting) -> quiz.Verdict:
    """Return the verdict on an answer of the student's that was wrong; nothing is recorded."""
    verdict = quiz.missed(request.user, _attempt(request), waiting)
    if verdict is None:
        raise Http404
    return verdict


def _judged(request: SignedInRequest, waiting: Waiting) -> quiz.Verdict:
    mode = request.POST.get("mode", "")
    attempt = _attempt(request)
    if mode not in quiz.MODES:
        raise Http404
    return quiz.answer(
        student=request.user,
        entry=_entry_of(waiting, number(request.POST, "entry")),
        mode=mode,
        given=request.POST.get("answer", ""),
        gives_up="give_up" in request.POST,
        attempt=attempt,
    )


def chosen_list(moment: Moment, sent: QueryDict) -> VocabularyList | None:
    """Return the list that was sent as `list`, None for all; 404 if it is not the student's."""
    pk = number(sent, "list")
    return list_of(moment, pk) if pk else None


def list_of(moment: Moment, pk: int) -> VocabularyList:
    """Return a list from which the student learns; 404 if it is not theirs."""
    found = next((one for one in moment.lists if one.pk == pk), None)
    if found is None:
        raise Http404
    return found


def number(sent: QueryDict, name: str) -> int:
    """Return a number that was sent, 0 if there is none."""
    return next(iter(ids_in([sent.get(name, "")])), 0)


@signed_in
@require_safe
def review_sound(request: SignedInRequest, pk: int) -> HttpResponse:
    """Return the sound of a word that is asked by sound."""
    waiting = Waiting(Moment(request.user, timezone.now()))
    entry = get_object_or_404(quiz.entries_to_review(waiting), pk=pk)
    try:
        return sound_of_question(request, entry)
    except SpeechError as error:
        raise Http404(_("There is no sound for this word yet.")) from error


def sound_of_question(request: HttpRequest, entry: Entry) -> HttpResponse:
    """Return the sound of a word that is asked by sound. Raises SpeechError if there is none."""
    sound = playback.sound_of(
        voices.said_of(entry),
        entry.vocabulary_list,
        slow=entry.vocabulary_list.is_spoken_slowly,
        entry_id=entry.pk,
    )
    return playback.sound_response(request, sound)


@student_required
@require_http_methods(["GET", "POST"])
def cards(request: SignedInRequest) -> HttpResponse:
    """Show one side of a flashcard; record what the student says of it and go on.

    The word is not on the page before it is asked for. Without picked words, the cards are those of
    today's plan; if that has none for now, those of other words that the student has met, for fun.
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
        if rounds.why_nothing(deck) != Reason.DONE and not deck.review:
            other = picked.for_fun(waiting, chosen)
            if other.words:
                return redirect(f"{request.path}?{other.query}")
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
        context |= _end_of(request, deck)
    return render(request, "puzzles/practice/card_end.html", context)


def _asked(request: SignedInRequest) -> tuple[Waiting, Picked | None, VocabularyList | None]:
    """Return what a student asks for; 404 for others, and for what is not theirs."""
    moment = Moment(request.user, timezone.now())
    try:
        of_round = Picked.read(request.GET) or Picked.read(request.POST)
    except ValueError as error:
        raise Http404 from error
    return Waiting(moment), of_round, chosen_list(moment, request.GET)


def _end_of(request: SignedInRequest, today: Round) -> dict[str, object]:
    """Return what the end of today's words says."""
    gained = rounds.gained(today)
    end: dict[str, object] = {"reason": rounds.why_nothing(today), "gained": gained}
    # What a teacher sees in a student's name is not told to the student by it.
    if gained and gained.risen and not hasattr(request, "viewed_by"):
        lists = {one.entry.vocabulary_list_id for one in gained.risen}
        albums = [
            (one, places_of(today.waiting, one))
            for one in today.of_day.moment.lists
            if one.pk in lists
        ]
        end["completed"] = newly_complete(request.user, albums)
    return end


def _say(request: SignedInRequest, waiting: Waiting, of_round: Picked | None) -> None:
    try:
        picked.say(
            student=request.user,
            entry=_entry_of(waiting, number(request.POST, "entry")),
            said=request.POST.get("said", ""),
            attempt=_attempt(request),
            picked=of_round,
        )
    except (KeyError, ValueError) as error:
        raise Http404 from error


def _entry_of(waiting: Waiting, pk: int) -> Entry:
    return get_object_or_404(quiz.entries_to_review(waiting), pk=pk)


@student_required
@require_http_methods(["GET", "POST"])
def match(request: SignedInRequest) -> HttpResponse:
    """Show words and meanings to match; judge a pair, as JSON.

    Without picked words, redirect to a round of today's; if these are too few, to one of other
    words that the student has met, for fun.
    """
    waiting, of_round, chosen = _asked(request)
    if of_round is None:
        today = rounds.round_at(waiting.moment, chosen, waiting=waiting)
        of_round = picked.of_today(today)
        if len(of_round.words) < matching.FEWEST_ON_BOARD:
            other = picked.for_fun(waiting, chosen)
            of_round = other if len(other.words) > len(of_round.words) else of_round
        if request.method == "GET" and of_round.words:
            return redirect(f"{request.path}?{of_round.query}")
    late = _matched_late(request, of_round)
    game = matching.game_of(request.user, of_round, waiting, late)
    if request.method == "POST":
        return _pair_judged(request, game, late)
    board = game.board
    context: dict[str, object] = {
        "today": game,
        "board": board,
        "picked": of_round,
        "player": name_on_device(request.user.pk),
    }
    if board is not None:
        return render(request, "puzzles/practice/match.html", context)
    today = rounds.round_at(waiting.moment, waiting=waiting)
    if game.of:
        context["end"] = End(picked.results(game.entries, game.found), today)
    else:
        context |= _end_of(request, today) | {"today": today, "is_too_few": bool(of_round.words)}
    return render(request, "puzzles/practice/match_end.html", context)


def _matched_late(request: SignedInRequest, of_round: Picked) -> list[int]:
    kept = request.session.get(MATCHED_LATE) or {}
    return list(kept.get("words", ())) if kept.get("round") == str(of_round.round) else []


def _pair_judged(request: SignedInRequest, game: matching.Game, late: list[int]) -> HttpResponse:
    judgement = matching.judge(
        student=request.user,
        game=game,
        word=request.POST.get("word", ""),
        meaning=request.POST.get("meaning", ""),
    )
    if judgement is None:
        raise Http404
    entry, is_right = judgement
    key = entry.pk
    if is_right and key in game.found and key not in game.matched:
        kept = {"round": str(game.picked.round), "words": [*late, key]}
        request.session[MATCHED_LATE] = kept
    # The game as it is now.
    matched = {*game.matched, *([key] if is_right else [])}
    here = game.board.words if game.board else ()
    return JsonResponse(
        {
            "is_right": is_right,
            "left": sum(one.entry.pk not in matched for one in here),
            "done": (done := sum(one.pk in matched for one in game.entries)),
            "label": _("%(done)s of %(total)s done, %(left)s left")
            % {"done": done, "total": game.of, "left": game.of - done},
        }
    )
