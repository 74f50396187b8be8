"""Pages on which teachers listen to words, and change sounds of a word or a whole list."""

from __future__ import annotations

from functools import partial

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from osmosmjerka.web.views import SignedInRequest, refusal_as_message, teacher_required
from vocab import access
from vocab.models import Entry, Pronunciation, VocabularyList
from vocab.sentences import said
from vocab.sounds import playback, recordings, voices
from vocab.sounds import services as sounds
from vocab.sounds.forms import EngineForm, RecordingForm, SpeedsForm, VoiceForm
from vocab.speech.engine import SpeechError


def sounds_context(vocabulary_list: VocabularyList) -> dict[str, object]:
    making, improving = sounds.jobs_of(vocabulary_list)
    return {
        "list": vocabulary_list,
        "making": making,
        "improving": improving,
        "count_silent": partial(playback.count_silent, vocabulary_list),
        "now": timezone.now(),
    }


@teacher_required
@require_safe
def list_sounds(request: SignedInRequest, pk: int) -> HttpResponse:
    """Return the fragment with the progress of the list's sounds; it polls until they exist."""
    vocabulary_list = get_object_or_404(access.vocabulary_lists(request.user, "see"), pk=pk)
    return render(request, "vocab/sounds/_sounds.html", sounds_context(vocabulary_list))


@teacher_required
@require_http_methods(["GET", "POST"])
def list_voice(request: SignedInRequest, pk: int) -> HttpResponse:
    """Choose the voice of a whole list."""
    vocabulary_list = get_object_or_404(access.vocabulary_lists(request.user, "edit"), pk=pk)
    form = VoiceForm(request.POST or None, vocabulary_list=vocabulary_list)
    if request.method == "POST" and form.is_valid():
        try:
            sounds.choose_voice(vocabulary_list=vocabulary_list, **form.cleaned_data)
        except ValidationError as error:
            form.add_error(None, error)
        else:
            messages.success(request, _("The voice was changed. Missing sounds are being created."))
            return redirect("list-voice", pk)
    return render(
        request,
        "vocab/sounds/list_voice.html",
        {
            "form": form,
            "can_speak": bool(voices.engines_for(vocabulary_list.language)),
            **sounds_context(vocabulary_list),
        },
    )


@teacher_required
@require_POST
def list_remake(request: SignedInRequest, pk: int) -> HttpResponse:
    """Create the sounds of a whole list again."""
    vocabulary_list = get_object_or_404(access.vocabulary_lists(request.user, "edit"), pk=pk)
    form = SpeedsForm(request.POST)
    if form.is_valid():
        with refusal_as_message(request):
            sounds.request_all_anew(
                vocabulary_list=vocabulary_list,
                person=request.user,
                speeds=form.cleaned_data["speeds"],
            )
    return redirect("list-voice", pk)


@teacher_required
@require_safe
def entry_audio(request: SignedInRequest, pk: int, speed: str) -> HttpResponse:
    """Play a word of a list to a teacher, as students hear it."""
    entry = get_object_or_404(access.entries(request.user, "see"), pk=pk)
    is_slow = speed == Pronunciation.Speed.SLOW
    try:
        path = playback.sound_of(
            voices.said_of(entry), entry.vocabulary_list, slow=is_slow, entry_id=entry.pk
        )
    except SpeechError as error:
        raise Http404(said(error.message)) from error
    return playback.sound_response(request, path)


@teacher_required
@require_http_methods(["GET", "POST"])
def entry_sound(request: SignedInRequest, pk: int) -> HttpResponse:
    """Show a word's sounds and their origins; change them."""
    wanted: access.ListAction = "edit" if request.method == "POST" else "see"
    entry = get_object_or_404(access.entries(request.user, wanted), pk=pk)
    action = request.POST.get("action", "")
    engine_form = EngineForm(request.POST if action == "engine" else None, entry=entry)
    recording = (request.POST, request.FILES) if action == "recording" else (None, None)
    recording_form = RecordingForm(*recording)
    if request.method == "POST":
        try:
            done = _change_sound(request, entry, action, engine_form, recording_form)
        except ValidationError as error:
            messages.error(request, " ".join(error.messages))
            return redirect("entry-sound", pk)
        if done:
            messages.success(request, done)
            return redirect("entry-sound", pk)
    vocabulary_list = entry.vocabulary_list
    speeds = [
        (speed, label, playback.heard([entry], vocabulary_list, speed=speed).get(entry.pk))
        for speed, label in Pronunciation.Speed.choices
    ]
    return render(
        request,
        "vocab/sounds/entry_sound.html",
        {
            "entry": entry,
            "list": vocabulary_list,
            "speeds": speeds,
            "known": playback.known(entry),
            "engines": voices.engines_for(vocabulary_list.spoken_language),
            "engine_form": engine_form,
            "recording_form": recording_form,
            "has_own": entry.pronunciations.filter(
                origin__in=[Pronunciation.Origin.UPLOADED, Pronunciation.Origin.RECORDED]
            ).exists(),
            "may_edit": access.entries(request.user, "edit").filter(pk=pk).exists(),
        },
    )


def _change_sound(
    request: SignedInRequest,
    entry: Entry,
    action: str,
    engine_form: EngineForm,
    recording_form: RecordingForm,
) -> str | None:
    """Carry out an action; return the message, or None to show the form again."""
    if action == "remake" and request.POST.get("speed") in Pronunciation.Speed.values:
        sounds.request_remake(entry=entry, speed=request.POST["speed"], person=request.user)
        return _("The sound is being created again. Reload this page in a moment to hear it.")
    if action == "engine" and engine_form.is_valid():
        wanted = engine_form.cleaned_data["engine"]
        sounds.choose_engine(entry=entry, engine=wanted, person=request.user)
        return _("The voice was changed.")
    if action == "recording" and recording_form.is_valid():
        given = recording_form.cleaned_data
        recordings.keep_recording(
            entry=entry,
            data=given["sound"].read(),
            speed=given["speed"],
            is_recorded=given["is_recorded"],
        )
        return _("Your sound was saved and is now used.")
    return None
