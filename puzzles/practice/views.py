"""The pages of the quick review."""

from __future__ import annotations

import secrets
import uuid
from random import Random

from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from osmosmjerka.web.requests import ids_in
from osmosmjerka.web.views import SignedInRequest, signed_in
from puzzles.access import Moment
from puzzles.practice import quiz, rounds
from puzzles.untold import Waiting
from vocab.models import Entry, VocabularyList
from vocab.sounds import playback
from vocab.speech.engine import SpeechError


@signed_in
@require_http_methods(["GET", "POST"])
def review(request: SignedInRequest) -> HttpResponse:
    """Ask for a word of today's; judge an answer, and ask the next or explain what was wrong."""
    if not request.user.is_student:
        raise Http404
    moment = Moment(request.user, timezone.now())
    waiting = Waiting(moment)
    chosen = chosen_list(moment, request.GET)
    verdict = None
    if request.method == "POST":
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
        context["can_hear"] = playback.is_speakable(verdict.entry.vocabulary_list.language)
        return render(request, "puzzles/practice/wrong.html", context)
    rng = Random(secrets.randbits(64))
    question = quiz.next_question(
        today, rng, request.GET.get("mode", ""), may_hear="silent" not in request.GET
    )
    if question is None:
        context["reason"] = rounds.why_nothing(today)
        context["gained"] = rounds.gained(today)
        return render(request, "puzzles/practice/end.html", context)
    return render(request, "puzzles/practice/review.html", context | {"question": question})


def _judged(request: SignedInRequest, waiting: Waiting) -> quiz.Verdict:
    mode = request.POST.get("mode", "")
    try:
        attempt = uuid.UUID(request.POST.get("attempt", ""))
        pk = int(request.POST.get("entry", ""))
    except ValueError as error:
        raise Http404 from error
    if mode not in quiz.MODES:
        raise Http404
    return quiz.answer(
        student=request.user,
        entry=get_object_or_404(quiz.entries_to_review(waiting), pk=pk),
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
        entry.term,
        entry.vocabulary_list,
        slow=entry.vocabulary_list.is_spoken_slowly,
        entry_id=entry.pk,
    )
    return playback.sound_response(request, sound)
