"""The pages of the quick review."""

from __future__ import annotations

import secrets
import uuid
from random import Random

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from osmosmjerka.http import SignedInRequest, signed_in
from puzzles.practice import quiz
from vocab.models import Entry
from vocab.sounds import playback
from vocab.speech.engine import SpeechError


@signed_in
@require_http_methods(["GET", "POST"])
def review(request: SignedInRequest) -> HttpResponse:
    """Ask for one due word; judge an answer, show it letter by letter, and ask the next."""
    if not request.user.is_student:
        raise Http404
    verdict = None
    if request.method == "POST":
        mode = request.POST.get("mode", "")
        try:
            attempt = uuid.UUID(request.POST.get("attempt", ""))
            pk = int(request.POST.get("entry", ""))
        except ValueError as error:
            raise Http404 from error
        if mode not in quiz.MODES:
            raise Http404
        entries = quiz.entries_to_review(request.user, timezone.now())
        verdict = quiz.answer(
            student=request.user,
            entry=get_object_or_404(entries, pk=pk),
            mode=mode,
            given=request.POST.get("answer", ""),
            attempt=attempt,
        )
    question = quiz.next_question(
        request.user,
        Random(secrets.randbits(64)),
        request.GET.get("mode", ""),
        skip=verdict.entry.pk if verdict else None,
    )
    return render(
        request, "puzzles/practice/review.html", {"question": question, "verdict": verdict}
    )


@signed_in
@require_safe
def review_sound(request: SignedInRequest, pk: int) -> HttpResponse:
    """Return the sound of a word that is asked by sound."""
    entry = get_object_or_404(quiz.entries_to_review(request.user, timezone.now()), pk=pk)
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
