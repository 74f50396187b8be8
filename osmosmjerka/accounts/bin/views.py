"""The page of the bin: what was deleted in the last 30 days, to restore in one click."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.core.exceptions import ObjectDoesNotExist, ValidationError
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from osmosmjerka.accounts.bin import services as bin
from osmosmjerka.accounts.models import User
from osmosmjerka.web.requests import page_in
from osmosmjerka.web.undo import undo_tag
from osmosmjerka.web.views import SignedInRequest, teacher_required


def tell_of_bin(request: HttpRequest, text: str, *, undo: tuple[str, int]) -> None:
    """Say that something is in the bin, with a link to it and a button that restores it.

    *undo* is its section and its primary key.
    """
    messages.success(request, text, extra_tags=f"bin {undo_tag(*undo)}")


@teacher_required
@require_safe
def overview(request: SignedInRequest) -> HttpResponse:
    return render(request, "accounts/bin/bin.html", {"sections": bin.contents(request.user)})


@teacher_required
@require_POST
def restore(request: SignedInRequest, section: str, pk: int) -> HttpResponse:
    # Back to the page with the message, if it was undone there.
    page = page_in(request.POST)
    try:
        of, thing = _found(request.user, section, pk)
        bin.restore(of, thing, request.user)
    except Http404:
        if not page:
            raise
        # “Undo” was pressed twice, or late.
        messages.info(
            request, _("This is no longer in the bin. It may already have been restored.")
        )
    except ValidationError as error:
        messages.error(request, " ".join(error.messages))
    else:
        messages.success(request, _("“%(name)s” was restored.") % {"name": thing})
    return redirect(page or "bin")


@teacher_required
@require_POST
def erase(request: SignedInRequest, section: str, pk: int) -> HttpResponse:
    """Remove a person of the bin for good; confirmed by typing the username."""
    try:
        of, thing = bin.find_erasable(request.user, section, pk)
    except ObjectDoesNotExist:
        raise Http404 from None
    assert isinstance(thing, User)  # noqa: S101  (only people can be removed before their time)
    if request.POST.get("username", "").strip() != thing.username:
        messages.error(request, _("To confirm, type the username exactly as shown."))
    else:
        bin.erase(of, thing, request.user)
        messages.success(request, _("The student and all their data were permanently deleted."))
    return redirect("bin")


def _found(person: User, section: str, pk: int) -> tuple[bin.BinSection, Any]:
    try:
        return bin.find(person, section, pk)
    except ObjectDoesNotExist:
        raise Http404 from None
