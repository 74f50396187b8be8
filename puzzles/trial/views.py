"""The first page, for people without an account."""

from __future__ import annotations

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse

from osmosmjerka.accounts.codes import name_on_device
from puzzles.kinds import KINDS
from puzzles.trial import services as trials
from puzzles.trial.api import COOKIE


def first_page(request: HttpRequest) -> HttpResponse:
    """Show what this is, and let strangers play: each time a new game."""
    response = render(
        request,
        "puzzles/trial/first_page.html",
        {
            "puzzle": trials.game_of(trials.begin()).puzzle,
            "language": trials.LANGUAGE,
            "kinds": KINDS.values(),
            "registration": settings.REGISTRATION,
            "state_url": reverse("api:trial"),
            "player": name_on_device(0),  # nobody's
        },
    )
    response.delete_cookie(COOKIE)
    return response
