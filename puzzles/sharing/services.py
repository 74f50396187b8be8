"""Share a list or a puzzle by a link, until it ends; for pages and the API."""

from __future__ import annotations

import copy
from datetime import datetime, timedelta

from django.conf import settings
from django.core.exceptions import ValidationError
from django.db import models, transaction
from django.db.models import Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from osmosmjerka.accounts import audit, codes
from osmosmjerka.accounts.access import Person
from osmosmjerka.accounts.models import User
from osmosmjerka.db.deletable import KEPT
from puzzles import access
from puzzles.guests.services import GuestPuzzle
from puzzles.models import Puzzle, ShareLink
from puzzles.play.games import Address, board_of
from puzzles.school_year import end_of_school_year
from vocab.access import vocabulary_lists
from vocab.lists import sharing
from vocab.memory.rules import zone_of
from vocab.models import VocabularyList

MOST = 100  # that work, per teacher


class Lasting(models.TextChoices):
    """How long a link works."""

    DAY = "day", gettext_lazy("1 day")
    WEEK = "week", gettext_lazy("1 week")
    MONTH = "month", gettext_lazy("30 days")
    YEAR = "year", gettext_lazy("until the end of the school year")


_DAYS = {Lasting.DAY: 1, Lasting.WEEK: 7, Lasting.MONTH: 30}


def is_on() -> bool:
    """Return whether the site has links at all."""
    return bool(settings.SHARE_LINKS != "off")


def may_open(person: Person) -> bool:
    """Return whether *person* may open links that work: everybody, or teachers of the site."""
    if settings.SHARE_LINKS == "colleagues":
        return isinstance(person, User) and person.is_active and person.is_teacher
    return is_on()


def _end_of(lasts: str, person: User, now: datetime) -> datetime:
    if lasts == Lasting.YEAR:
        return end_of_school_year(now, zone_of(person.school))
    return now + timedelta(days=_DAYS[Lasting(lasts)])


@transaction.atomic
def create(
    *,
    actor: User,
    vocabulary_list: VocabularyList | None = None,
    puzzle: Puzzle | None = None,
    lasts: str = Lasting.MONTH,
    may_copy: bool = False,
) -> tuple[ShareLink, str]:
    """Return a link to a list or to a puzzle, and its token, which is shown once.

    Raises ValidationError if the site has no links, the puzzle is not ready, or there are too many.
    """
    if not is_on():
        raise ValidationError(_("Links are turned off on this site."))
    if lasts not in Lasting.values:
        raise ValidationError(_("Choose how long the link works."))
    if puzzle is not None and puzzle.state != Puzzle.State.READY:
        raise ValidationError(_("The puzzle is not ready yet."))
    User.objects.select_for_update().get(pk=actor.pk)  # two at once must not pass the limit
    if links_of(actor).count() >= MOST:
        raise ValidationError(
            ngettext(
                "You already have %(limit)s link. End it first.",
                "You already have %(limit)s links. End one first.",
                MOST,
            )
            % {"limit": MOST}
        )
    token = codes.new_token()
    link = ShareLink.objects.create(
        vocabulary_list=vocabulary_list,
        puzzle=puzzle,
        token_hash=_hash(token),
        made_by=actor,
        until=_end_of(lasts, actor, timezone.now()),
        may_copy=may_copy and vocabulary_list is not None,
    )
    audit.record(actor, "created share link", actor, link=link.pk)
    return link, token


@transaction.atomic
def end(*, link: ShareLink, actor: User) -> None:
    """End a link at once. A second call has no effect."""
    ended = ShareLink.objects.filter(pk=link.pk, revoked_at=None).update(revoked_at=timezone.now())
    if ended:
        audit.record(actor, "ended share link", actor, link=link.pk)


@transaction.atomic
def copy_list(*, link: ShareLink, actor: User) -> VocabularyList:
    """Copy the list of a link that works. Raises ValidationError if it must not be copied."""
    if not link.may_copy or link.vocabulary_list is None:
        raise ValidationError(_("This list may not be copied."))
    made = sharing.copy_list(original=link.vocabulary_list, owner=actor)
    audit.record(actor, "copied shared list", actor, link=link.pk)
    return made


def links_of(person: User) -> QuerySet[ShareLink]:
    """Return the links of *person* that have not ended, the newest first."""
    return ShareLink.objects.filter(
        made_by=person, revoked_at=None, until__gt=timezone.now()
    ).select_related("vocabulary_list", "puzzle")


def stored(token: str) -> ShareLink | None:
    """Return the link with this token, or None; it may have ended."""
    return (
        ShareLink.objects.select_related(
            "made_by__school", "vocabulary_list", "puzzle__vocabulary_list"
        )
        .filter(token_hash=_hash(token))
        .first()
    )


def is_working(link: ShareLink) -> bool:
    """Return whether a link shows something: it has not ended, and its maker could make it now.

    That they could not if what it shows is in the bin or another's, or if their account was
    deactivated.
    """
    if link.revoked_at is not None or link.until <= timezone.now():
        return False
    if link.puzzle_id is None:
        shared = vocabulary_lists(link.made_by, "share")
        return shared.filter(share_links=link, owner__is_active=True).exists()
    made = access.puzzles(link.made_by, "manage").filter(
        share_links=link,
        state=Puzzle.State.READY,
        created_by__is_active=True,
        vocabulary_list__deleted_at=None,
    )
    return made.exists()


def guest_puzzle(link: ShareLink, token: str) -> GuestPuzzle:
    """Return the puzzle of a link as guests play it: they are not told its code."""
    assert link.puzzle is not None  # noqa: S101  (the caller checked this)
    board = board_of(link.puzzle.code)
    puzzle = copy.copy(board.puzzle)
    puzzle.code, puzzle.title = token, link.puzzle.title
    puzzle.vocabulary_list = link.puzzle.vocabulary_list
    return GuestPuzzle(
        f"link-{link.pk}", puzzle, board.words, board.bonus, Address("shared", token)
    )


def forget_old() -> int:
    """Delete links that ended 30 days ago; return how many."""
    then = timezone.now() - KEPT
    old = ShareLink.objects.filter(Q(until__lt=then) | Q(revoked_at__lt=then))
    deleted, _by_model = old.delete()
    return deleted


def _hash(token: str) -> str:
    # 160 random bits: nobody guesses them, so a fast hash is enough.
    return codes.keyed_hash("share.link", token)
