"""HTTP API of playing: the state of a session, moves, hints, sounds."""

from __future__ import annotations

import uuid
from typing import Any

from django.http import HttpResponse
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, extend_schema
from rest_framework import status
from rest_framework.exceptions import NotFound, PermissionDenied
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from osmosmjerka.accounts.codes import name_on_device
from osmosmjerka.rest import user_of
from puzzles import access
from puzzles.kinds.base import MoveRefused, SentMove
from puzzles.models import PlaySession, Puzzle
from puzzles.play import selectors
from puzzles.play import services as play
from puzzles.play.serializers import (
    DraftSerializer,
    HintAnswerSerializer,
    HintSerializer,
    MoveAnswerSerializer,
    MoveSerializer,
    PlayStateSerializer,
    RefusalSerializer,
)
from vocab.entries import pictures
from vocab.sentences import said
from vocab.sounds import playback
from vocab.speech.engine import SpeechError

_REFUSALS = {
    400: OpenApiResponse(RefusalSerializer, "The move is invalid in this puzzle."),
    409: OpenApiResponse(RefusalSerializer, "The session is finished."),
}
_SLOW_DOWN = {429: OpenApiResponse(RefusalSerializer, "Too many wrong answers; see Retry-After.")}


class PlayView(APIView):
    """Base of the views for playing: finds the puzzle and the student's own session."""

    scope_to_write = "play"

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        """Refuse requests from another student's page: two students may share a tablet."""
        super().initial(request, *args, **kwargs)
        player = request.headers.get("X-Player")
        if player is not None and player != name_on_device(request.user.pk or 0):
            raise PermissionDenied(_("Someone else is logged in here now."), "other_player")

    def session_of(self, code: str, session: uuid.UUID | None = None) -> PlaySession:
        """Return the student's session with id *session*, by default the last attempt."""
        puzzle = get_object_or_404(
            access.puzzles(self.request.user, "play"), code=code, state=Puzzle.State.READY
        )
        if session is not None:
            return get_object_or_404(puzzle.sessions, pk=session, student=user_of(self.request))
        return play.open_session(puzzle=puzzle, student=user_of(self.request))

    def handle_exception(self, exc: Exception) -> Response:
        if isinstance(exc, MoveRefused):
            return Response({"code": "refused", "message": str(exc)}, status=400)
        if isinstance(exc, play.SessionFinished):
            message = _("This puzzle is finished. Answers no longer count.")
            return Response({"code": "session_finished", "message": message}, status=409)
        if isinstance(exc, play.TooFast):
            seconds = exc.seconds
            return Response(
                {"code": "slow_down", "message": str(exc)},
                status=status.HTTP_429_TOO_MANY_REQUESTS,
                headers={"Retry-After": str(seconds)},
            )
        return super().handle_exception(exc)


class PlayStateView(PlayView):
    @extend_schema(responses=PlayStateSerializer)
    def get(self, request: Request, code: str) -> Response:
        """Return your session of a puzzle; the first call starts it.

        Words that you have not found are not revealed. Returns 404 if you may not play the puzzle.
        """
        return Response(selectors.play_state(self.session_of(code)))


class PlayMoveView(PlayView):
    @extend_schema(
        request=MoveSerializer, responses={200: MoveAnswerSerializer} | _REFUSALS | _SLOW_DOWN
    )
    def post(self, request: Request, code: str) -> Response:
        """Submit an answer: traced `cells` (word search, listen and find) or `tiles` (crossword).

        `item` is the id of the word; in a word search it may be omitted.
        """
        serializer = MoveSerializer(data=request.data)
        serializer.is_valid(raise_exception=True)
        given = serializer.validated_data
        session = self.session_of(code, given.get("session"))
        answer = play.record_move(
            session=session,
            move_id=given["attempt"],
            move=SentMove(
                slot=given.get("item"),
                cells=_cells(given.get("cells")),
                tiles=tuple(given["tiles"]) if given.get("tiles") is not None else None,
            ),
            latency_ms=given.get("latency_ms"),
            answered_at=given.get("answered_at"),
        )
        return Response(
            {
                "outcome": answer.outcome,
                "message": answer.message,
                "wrong_cells": answer.wrong_cells,
                "accent_cells": answer.accent_cells,
                "note": answer.note,
            }
            | _progress(answer.session, answer.placement)
        )


class PlayHintView(PlayView):
    @extend_schema(request=HintSerializer, responses={200: HintAnswerSerializer} | _REFUSALS)
    def post(self, request: Request, code: str) -> Response:
        """Request a hint: the first cell, a letter, or the whole word. The hint is recorded.

        A hint that is sent twice, or shows nothing new, counts once.
        If the clue is a sound, the hint `text` shows its text.
        """
        serializer = HintSerializer(data=request.data)
        serializer.is_valid(raise_exception=True)
        given = serializer.validated_data
        hint = play.take_hint(
            session=self.session_of(code),
            slot=given["item"],
            kind=given["kind"],
            cell=(given["cell"][0], given["cell"][1]) if given.get("cell") else None,
            hint_id=given.get("attempt"),
        )
        return Response(
            {"kind": given["kind"], "cells": hint.cells, "tiles": hint.tiles}
            | _progress(hint.session, hint.placement)
        )


class PlayDraftView(PlayView):
    @extend_schema(request=DraftSerializer, responses={204: None})
    def put(self, request: Request, code: str) -> Response:
        """Save crossword letters that have not been checked yet."""
        serializer = DraftSerializer(data=request.data)
        serializer.is_valid(raise_exception=True)
        play.save_draft(session=self.session_of(code), letters=serializer.validated_data["cells"])
        return Response(status=204)


class PlayFinishView(PlayView):
    @extend_schema(request=None, responses=PlayStateSerializer)
    def post(self, request: Request, code: str) -> Response:
        """Finish the session and return it; words that were not found are shown.

        Such a word counts as missed only if it was tried.
        """
        session = play.finish_session(session=self.session_of(code))
        return Response(selectors.play_state(session))


class PlaySoundView(PlayView):
    @extend_schema(
        parameters=[OpenApiParameter("slow", enum=["1"], description="Speak slowly.")],
        responses={(200, "audio/mpeg"): bytes},
    )
    def get(self, request: Request, code: str, slot: str) -> HttpResponse:
        """Return the sound of a word, if it is the clue or if the word was found.

        Returns 404 if there is no sound or you may not hear it yet.
        """
        session = self.session_of(code)
        placement = get_object_or_404(session.puzzle.placements, slot=slot)
        item = selectors.item_state(session, placement, list(session.moves.all()))
        if item["clue"]["sound"] is None:
            raise NotFound(_("There is no sound for this word yet."))
        vocabulary_list = session.puzzle.vocabulary_list
        try:
            sound = playback.sound_of(
                placement.term,
                vocabulary_list,
                slow=vocabulary_list.is_spoken_slowly or request.query_params.get("slow") == "1",
                entry_id=placement.entry_id,
            )
        except SpeechError as error:
            raise NotFound(said(error.message)) from error
        # All sounds of a puzzle have the same size, so that the size does not reveal a long word.
        placements = list(session.puzzle.placements.all())
        size = playback.largest_file(
            [one.term for one in placements],
            [one.entry_id for one in placements],
            vocabulary_list,
        )
        return playback.sound_response(request, sound, size=size)


class PlayPictureView(PlayView):
    @extend_schema(responses={(200, "image/*"): bytes})
    def get(self, request: Request, code: str, slot: str) -> HttpResponse:
        """Return the picture of a word, if it is the clue or if the word was found.

        Returns 404 if there is no picture or you may not see it yet.
        """
        session = self.session_of(code)
        placement = get_object_or_404(
            session.puzzle.placements.select_related("entry"), slot=slot, entry__isnull=False
        )
        item = selectors.item_state(session, placement, list(session.moves.all()))
        if item["clue"]["picture"] is None:
            raise NotFound(_("There is no picture of this word yet."))
        assert placement.entry is not None  # noqa: S101  (as filtered)
        return pictures.file_response(request, placement.entry, "image")


def _cells(given: list[list[int]] | None) -> tuple[tuple[int, int], ...] | None:
    return None if given is None else tuple((row, col) for row, col in given)


def _progress(session: PlaySession, placement: Any) -> dict[str, Any]:
    moves = list(session.moves.all())
    placements = list(session.puzzle.placements.select_related("entry"))
    return {
        "item": selectors.item_state(session, placement, moves) if placement else None,
        "found": session.found_count,
        "total": len(placements),
        "finished": session.finished_at is not None,
        "summary": selectors.summary(session, placements, moves) if session.finished_at else None,
    }
