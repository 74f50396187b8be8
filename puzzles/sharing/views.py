"""Pages of links: those of their makers, and what others see by them."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import ValidationError
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import pgettext
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from osmosmjerka.accounts.codes import name_on_device
from osmosmjerka.web.views import SignedInRequest, teacher_required
from puzzles import access
from puzzles.guests import cookies
from puzzles.guests.services import game_of
from puzzles.link_pages import closed, ended, too_many_wrong
from puzzles.models import Puzzle, ShareLink
from puzzles.play.ending import ending_of
from puzzles.sharing import services
from puzzles.sharing.entrance import LinkEnded, open_link
from puzzles.sharing.forms import LinkForm
from puzzles.wrong_tokens import TooManyWrong
from vocab.access import vocabulary_lists
from vocab.entries import selectors as entries
from vocab.imports.views import exported
from vocab.models import VocabularyList
from vocab.rows import convert
from vocab.sounds import playback, voices
from vocab.speech.engine import SpeechError

WORDS_A_PAGE = 100
FILE_FORMAT = "delimited"

# For teachers -----------------------------------------------------------------------------


@teacher_required
@require_safe
def links(request: SignedInRequest) -> HttpResponse:
    """Show a teacher all their links that work."""
    return _links(request, services.links_of(request.user))


@teacher_required
@require_http_methods(["GET", "POST"])
def list_links(request: SignedInRequest, pk: int) -> HttpResponse:
    """Show the links to a list, and create one."""
    shared = get_object_or_404(vocabulary_lists(request.user, "share"), pk=pk)
    return _links_to(request, vocabulary_list=shared)


@teacher_required
@require_http_methods(["GET", "POST"])
def puzzle_links(request: SignedInRequest, code: str) -> HttpResponse:
    """Show the links to a puzzle, and create one."""
    made = access.puzzles(request.user, "manage").select_related("vocabulary_list")
    return _links_to(request, puzzle=get_object_or_404(made, code=code))


def _links_to(
    request: SignedInRequest,
    *,
    vocabulary_list: VocabularyList | None = None,
    puzzle: Puzzle | None = None,
) -> HttpResponse:
    form = LinkForm(request.POST or None, is_list=puzzle is None)
    address = ""
    if request.method == "POST" and form.is_valid():
        try:
            _link, token = services.create(
                actor=request.user,
                vocabulary_list=vocabulary_list,
                puzzle=puzzle,
                **form.cleaned_data,
            )
        except ValidationError as error:
            form.add_error(None, error)
        else:
            address = request.build_absolute_uri(reverse("shared", args=[token]))
    of_it = services.links_of(request.user).filter(vocabulary_list=vocabulary_list, puzzle=puzzle)
    return _links(
        request,
        of_it,
        form=form,
        address=address,
        list=vocabulary_list,
        puzzle=puzzle,
        about=puzzle or vocabulary_list,
    )


def _links(request: SignedInRequest, found: Any, **more: Any) -> HttpResponse:
    response = render(
        request,
        "puzzles/sharing/links.html",
        {"links": found, "site": settings.SHARE_LINKS, **more},
    )
    response["Cache-Control"] = "no-store, private"
    return response


@teacher_required
@require_POST
def link_end(request: SignedInRequest, pk: int) -> HttpResponse:
    """End one of a teacher's own links."""
    link = get_object_or_404(ShareLink.objects.filter(made_by=request.user), pk=pk)
    services.end(link=link, actor=request.user)
    messages.success(request, _("The link has ended."))
    return redirect("links")


# For whoever has a link --------------------------------------------------------------------


def _by_link(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Give a view the link of a token; without one that works, only say that it has ended."""

    @wraps(view)
    def opened(request: HttpRequest, token: str, **kwargs: Any) -> HttpResponse:
        if settings.SHARE_LINKS == "colleagues" and not request.user.is_authenticated:
            # Also for a wrong one, so that nobody learns which there are.
            return closed(redirect_to_login(request.get_full_path()))
        try:
            return closed(view(request, open_link(request, token), token, **kwargs))
        except LinkEnded:
            is_for_others = services.is_on() and not services.may_open(request.user)
            return ended(request, is_for_teachers=is_for_others)
        except TooManyWrong:
            return too_many_wrong(request)

    return opened


@require_safe
@_by_link
def shared(request: HttpRequest, link: ShareLink, token: str) -> HttpResponse:
    """Show a list, or let a guest play a puzzle; “again” begins a new game."""
    if link.puzzle is None:
        return _shared_list(request, link, token)
    of = services.guest_puzzle(link, token)
    if "again" in request.GET:
        response: HttpResponse = redirect("shared", token)
        cookies.forget(response, of.name)
        return response
    context = {
        "puzzle": of.puzzle,
        "state_url": reverse("api:shared", args=[token]),
        "summary_url": reverse("shared-summary", args=[token]),
        "player": name_on_device(request.user.pk or 0),
        "is_guest": True,
    }
    return render(request, "puzzles/play/play.html", context)


def _shared_list(request: HttpRequest, link: ShareLink, token: str) -> HttpResponse:
    assert link.vocabulary_list is not None  # noqa: S101  (by the table's constraint)
    every = entries.find_entries(link.vocabulary_list).prefetch_related("translations")
    page = Paginator(every, WORDS_A_PAGE).get_page(request.GET.get("page"))
    for entry in page:
        entry.vocabulary_list = link.vocabulary_list
    heard = {entry.pk for entry in playback.speakable(page)}
    return render(
        request,
        "puzzles/sharing/list.html",
        {
            "list": link.vocabulary_list,
            "token": token,
            "page": page,
            "size": page.paginator.count,
            "rows": [(entry, entry.pk in heard) for entry in page],
            "may_copy": link.may_copy,
            "is_teacher": request.user.is_authenticated and request.user.is_teacher,
        },
    )


@require_safe
@_by_link
def shared_summary(request: HttpRequest, link: ShareLink, token: str) -> HttpResponse:
    """Return the summary of a guest's game that is over, as a part of its page."""
    if link.puzzle is None:
        raise Http404
    of = services.guest_puzzle(link, token)
    game = game_of(of, cookies.state_in(request, of.name))
    if not game.is_over:
        raise Http404
    context = {
        "puzzle": game.puzzle,
        "ending": ending_of(game),
        "next_url": f"{reverse('shared', args=[token])}?again",
        "next_label": pgettext("trial", "Play again"),
    }
    return render(request, "puzzles/play/_summary.html", context)


@require_safe
@_by_link
def shared_sound(request: HttpRequest, link: ShareLink, token: str, pk: int) -> HttpResponse:
    """Play a word of a shared list."""
    if link.vocabulary_list is None:
        raise Http404
    entry = get_object_or_404(link.vocabulary_list.entries.all(), pk=pk)
    entry.vocabulary_list = link.vocabulary_list
    try:
        file = playback.sound_of(
            voices.said_of(entry),
            link.vocabulary_list,
            slow=link.vocabulary_list.is_spoken_slowly,
            entry_id=entry.pk,
        )
    except SpeechError as error:
        raise Http404 from error
    return playback.sound_response(request, file)


@require_safe
@_by_link
def shared_words(request: HttpRequest, link: ShareLink, token: str) -> HttpResponse:
    """Return the words of a shared list as a file, if they may be copied."""
    if link.vocabulary_list is None or not link.may_copy:
        raise Http404
    data = convert.export_list(link.vocabulary_list, format=FILE_FORMAT)
    return exported(link.vocabulary_list.title, FILE_FORMAT, data)


@teacher_required
@require_POST
def shared_copy(request: SignedInRequest, token: str) -> HttpResponse:
    """Copy a shared list for a teacher who is logged in."""
    try:
        made = services.copy_list(link=open_link(request, token), actor=request.user)
    except (LinkEnded, TooManyWrong) as error:
        raise Http404 from error
    except ValidationError as error:
        messages.error(request, " ".join(error.messages))
        return redirect("shared", token)
    messages.success(request, _("This is your own copy. The original stays unchanged."))
    return redirect("list", made.pk)
