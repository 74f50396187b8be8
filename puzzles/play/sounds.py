"""Responses with a word's sound or picture, which tell nothing of words that are not found."""

from __future__ import annotations

from collections.abc import Iterable

from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from rest_framework.exceptions import NotFound
from rest_framework.request import Request

from puzzles.models import Placement
from vocab.entries import pictures
from vocab.models import Entry, VocabularyList
from vocab.sentences import said
from vocab.sounds import playback
from vocab.speech.engine import SpeechError


def sound_response(
    request: HttpRequest | Request,
    word: Placement,
    vocabulary_list: VocabularyList,
    words: Iterable[Placement],
    *,
    is_slow: bool,
) -> HttpResponse:
    """Return the sound of one of a puzzle's *words*. Raises NotFound if it cannot be spoken.

    All sounds of a puzzle have the same size, so that the size does not reveal a long word.
    """
    try:
        sound = playback.sound_of(
            word.spoken,
            vocabulary_list,
            slow=vocabulary_list.is_spoken_slowly or is_slow,
            entry_id=word.entry_id,
        )
    except SpeechError as error:
        raise NotFound(said(error.message)) from error
    size = playback.largest_file(
        [one.spoken for one in words], [one.entry_id for one in words], vocabulary_list
    )
    return playback.sound_response(request, sound, size=size)


def picture_response(request: HttpRequest | Request, word: Placement) -> HttpResponse:
    """Return the picture of a word that has one."""
    if word.entry_id is None:
        raise NotFound(_("There is no picture of this word yet."))
    entry = Entry.everything.get(pk=word.entry_id)
    return pictures.file_response(request, entry, "image")
