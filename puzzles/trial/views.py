"""The first page, for people without an account."""

from __future__ import annotations

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import pgettext
from django.views.decorators.http import require_safe

from osmosmjerka.accounts.codes import name_on_device
from osmosmjerka.accounts.schools.setup import is_needed as is_site_new
from puzzles.guests import cookies
from puzzles.guests.services import game_of
from puzzles.kinds import KINDS
from puzzles.play.ending import ending_of
from puzzles.trial.services import LANGUAGE, NAME, trial_puzzle


def first_page(request: HttpRequest) -> HttpResponse:
    """Show what this is, and let strangers play: each time a new game."""
    response = render(
        request,
        "puzzles/trial/first_page.html",
        {
            "puzzle": trial_puzzle().puzzle,
            "language": LANGUAGE,
            "kinds": KINDS.values(),
            "registration": settings.REGISTRATION,
            "is_being_set_up": is_site_new(),
            "state_url": reverse("api:trial"),
            "summary_url": reverse("trial-summary"),
            "player": name_on_device(0),  # nobody's
        },
    )
    cookies.forget(response, NAME)
    return response


@require_safe
def trial_summary(request: HttpRequest) -> HttpResponse:
    """Return the summary of a visitor's game that is over, as a part of the first page."""
    game = game_of(trial_puzzle(), cookies.state_in(request, NAME))
    if not game.is_over:
        raise Http404
    context = {
        "puzzle": game.puzzle,
        "ending": ending_of(game),
        "next_url": reverse("home"),
        "next_label": pgettext("trial", "Play again"),
    }
    return render(request, "puzzles/play/_summary.html", context)
