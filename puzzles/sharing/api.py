"""HTTP API of a puzzle that is shared by a link: that of guests, and its sounds and pictures."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework.exceptions import NotFound, Throttled
from rest_framework.request import Request

from osmosmjerka.rest.schema import VERSION
from osmosmjerka.rest.serializers import read_query
from puzzles import wrong_tokens
from puzzles.guests import api as guests
from puzzles.guests.services import GuestPuzzle
from puzzles.models import Placement
from puzzles.play import selectors
from puzzles.play.games import Game
from puzzles.play.serializers import HowSpokenSerializer
from puzzles.play.sounds import picture_response, sound_response
from puzzles.sharing import services
from puzzles.sharing.entrance import LinkEnded, open_link


class SharedView(guests.GuestView):
    """Base of the views of a shared puzzle."""

    def guest_puzzle(self) -> GuestPuzzle:
        token = self.kwargs["token"]
        link = open_link(self.request, token)
        if link.puzzle is None:
            raise LinkEnded
        return services.guest_puzzle(link, token)

    def handle_exception(self, exc: Exception) -> Any:
        if isinstance(exc, LinkEnded):
            return super().handle_exception(NotFound(_("This link has ended.")))
        if isinstance(exc, wrong_tokens.TooManyWrong):
            return super().handle_exception(Throttled(wrong_tokens.WITHIN))
        return super().handle_exception(exc)

    def finalize_response(self, request: Request, response: Any, *args: Any, **kwargs: Any) -> Any:
        response = super().finalize_response(request, response, *args, **kwargs)
        response["X-Robots-Tag"] = "noindex, nofollow"
        response.setdefault("Cache-Control", "no-store, private")
        return response


class SharedStateView(SharedView, guests.GuestStateView):
    pass


class SharedMoveView(SharedView, guests.GuestMoveView):
    pass


class SharedHintView(SharedView, guests.GuestHintView):
    pass


class SharedFinishView(SharedView, guests.GuestFinishView):
    pass


class SharedSoundView(SharedView):
    asks = {"get": [HowSpokenSerializer, VERSION]}

    @extend_schema(responses={(200, "audio/mpeg"): bytes})
    def get(self, request: Request, token: str, slot: str) -> HttpResponse:
        """Return the sound of a word, if it is the clue or if the word was found."""
        is_slow = "slow" in read_query(request, HowSpokenSerializer)
        game = self.seen()
        word = _word_with(game, slot, "sound")
        return sound_response(request, word, game.vocabulary_list, game.words, is_slow=is_slow)


class SharedPictureView(SharedView):
    asks = {"get": [VERSION]}

    @extend_schema(responses={(200, "image/*"): bytes})
    def get(self, request: Request, token: str, slot: str) -> HttpResponse:
        """Return the picture of a word, if it is the clue or if the word was found."""
        return picture_response(request, _word_with(self.seen(), slot, "picture"))


def _word_with(game: Game, slot: str, what: str) -> Placement:
    """Return a word whose sound or picture the guest may have."""
    word = game.word_in(slot)
    if word is None or selectors.item_state(game, word)["clue"][what] is None:
        raise NotFound
    return word
