"""Data retention: archived classes are deleted after the time that their school chose.

They are deleted 30 days after somebody who can keep them was warned, and never before: by an e-mail
that a mail server accepted, or by a notice on a page that an owner or school admin opened.
"""

from __future__ import annotations

import logging
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.core.exceptions import ValidationError
from django.core.mail import EmailMessage
from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from osmosmjerka.accounts import access, audit, languages, mail
from osmosmjerka.accounts.auth import lockout, tokens
from osmosmjerka.accounts.models import BrowserSession, Classroom, Membership, User
from osmosmjerka.accounts.privacy import services as privacy
from osmosmjerka.jobs import ledger
from osmosmjerka.jobs.models import Job

logger = logging.getLogger(__name__)

WARNED_BEFORE = timedelta(days=30)
_LETTER = "a class will be deleted"


def enforce_retention() -> dict[str, int]:
    """Warn of coming deletions, delete what was warned of long enough ago; return counts.

    "mailed" are the classes about which e-mails are being sent, "unwarned" those that should be
    deleted soon, of which nobody could be warned although it was tried.
    """
    now = timezone.now()
    counts = {"mailed": 0, "unwarned": 0, "erased": 0}
    archived = Classroom.objects.exclude(archived_at=None).select_related("school")
    for classroom in archived:
        if not is_ending(classroom, now):
            if warned_at(classroom) is not None:  # the school now keeps it longer: warn again later
                _forget_warning(classroom)
            continue
        if classroom.erasure_warned_at is None:
            # Tomorrow it is tried again, also if a page has warned somebody meanwhile.
            is_mailed, is_in_vain = _mail_warning(classroom)
            counts["mailed"] += is_mailed
            counts["unwarned"] += is_in_vain
        if _is_over(classroom, now):
            counts["erased"] += _erase(classroom, now)
    transaction.on_commit(privacy.forget_traces, robust=True)
    BrowserSession.get_session_store_class().clear_expired()
    tokens.forget_expired()
    return counts | {"forgotten": lockout.forget_old()}


@transaction.atomic
def _erase(classroom: Classroom, at: datetime) -> bool:
    """Erase a class, unless somebody has kept or restored it since it was read."""
    held = Classroom.objects.select_for_update(of=("self",)).select_related("school")
    current = held.filter(pk=classroom.pk).first()
    if current is None or not _is_over(current, at):
        return False
    privacy.erase_classroom(classroom=current, actor=None)
    return True


def _is_over(classroom: Classroom, at: datetime) -> bool:
    """Return whether somebody was warned of the deletion, and its time has come."""
    ends = erased_at(classroom)
    return ends is not None and warned_at(classroom) is not None and at >= ends


def is_ending(classroom: Classroom, at: datetime) -> bool:
    """Return whether an archived class is to be deleted within 30 days, so that people know."""
    if classroom.archived_at is None:
        return False
    return at >= _kept_until(classroom, classroom.archived_at) - WARNED_BEFORE


def warned_at(classroom: Classroom) -> datetime | None:
    """Return when somebody who can keep the class was first warned, or None."""
    times = (classroom.erasure_warned_at, classroom.erasure_seen_at)
    return min((at for at in times if at is not None), default=None)


def erased_at(classroom: Classroom) -> datetime | None:
    """Return when an archived class will be deleted, as far as is known; None if not archived."""
    if classroom.archived_at is None:
        return None
    ends = _kept_until(classroom, classroom.archived_at)
    warned = warned_at(classroom)
    return ends if warned is None else max(ends, warned + WARNED_BEFORE)


@dataclass(frozen=True, slots=True)
class Ending:
    """An archived class that will be deleted soon, as shown to a person who can keep it."""

    classroom: Classroom
    at: datetime


def show_endings(person: User, classrooms: QuerySet[Classroom] | None = None) -> list[Ending]:
    """Return the classes that *person* can keep and that will be deleted soon, for a page.

    Call it only for a page that shows them: the first time it counts as a warning, from which on
    the class is kept for 30 days. *classrooms* limits them.
    """
    now = timezone.now()
    mine = access.classrooms(person, "archive").exclude(archived_at=None).select_related("school")
    if classrooms is not None:
        mine = mine.filter(pk__in=classrooms.values("pk"))
    endings = []
    for classroom in mine.order_by("archived_at"):
        if not is_ending(classroom, now):
            continue
        if classroom.erasure_seen_at is None and _can_be_told(person, classroom):
            _note_seen(classroom, person, now)
        endings.append(Ending(classroom, erased_at(classroom) or now))
    return endings


@transaction.atomic
def keep_classroom(*, classroom: Classroom, actor: User) -> Classroom:
    """Keep an archived class: its retention period starts again. Raises ValidationError."""
    kept = Classroom.objects.exclude(archived_at=None).filter(pk=classroom.pk)
    if not kept.update(archived_at=timezone.now(), erasure_warned_at=None, erasure_seen_at=None):
        raise ValidationError(_("This class is not archived, so it is kept anyway."))
    audit.record(actor, "kept class", classroom)
    classroom.refresh_from_db(fields=["archived_at", "erasure_warned_at", "erasure_seen_at"])
    return classroom


def _kept_until(classroom: Classroom, archived_at: datetime) -> datetime:
    return archived_at + timedelta(days=classroom.school.retention_days)


def _forget_warning(classroom: Classroom) -> None:
    classroom.erasure_warned_at = classroom.erasure_seen_at = None
    classroom.save(update_fields=["erasure_warned_at", "erasure_seen_at"])


def _can_be_told(person: User, classroom: Classroom) -> bool:
    """Return whether it counts that *person* was warned: an owner, or an admin of the school."""
    if person.role == User.Role.SCHOOL_ADMIN and person.school_id == classroom.school_id:
        return True
    return _owners(classroom).filter(pk=person.pk).exists()


def _note_seen(classroom: Classroom, person: User, at: datetime) -> None:
    """Note that a page warned *person*, and when; of two at once, the first counts."""
    unseen = Classroom.objects.filter(Q(erasure_seen_at=None), pk=classroom.pk)
    if unseen.update(erasure_seen_at=at):
        audit.record(None, "warned of erasure", classroom, shown_to=person.pk)
    classroom.refresh_from_db(fields=["erasure_seen_at"])


def _mail_warning(classroom: Classroom) -> tuple[bool, bool]:
    """E-mail those who can keep the class, unless such e-mails are still on their way.

    Return whether e-mails are sent now, and whether it was in vain so far: nobody can be reached,
    or no mail server accepted the e-mails of an earlier day.
    """
    # If the owners have left or have no address, notify the school's admins.
    admins = classroom.school.people.filter(role=User.Role.SCHOOL_ADMIN, is_active=True)
    readers = _reachable(_owners(classroom)) or _reachable(admins)
    sent = ledger.jobs_about(classroom, mail.JOB)
    last = sent.values_list("state", flat=True).first()
    is_under_way = sent.filter(state__in=ledger.UNFINISHED).exists()
    is_mailed = bool(readers) and mail.is_delivering() and not is_under_way
    is_in_vain = not readers or not mail.is_delivering() or last not in {None, Job.State.DONE}
    if is_in_vain:
        logger.log(
            logging.ERROR if warned_at(classroom) is None else logging.INFO,
            "Nobody was warned by e-mail that class %s is to be deleted. It is kept until 30 days "
            "after an e-mail is delivered or a page shows it to an owner or school admin.",
            classroom.pk,
            extra={"classroom": classroom.pk},
        )
    if is_mailed:
        for reader in readers:
            mail.enqueue(_LETTER, reader=reader, subject=classroom, classroom=classroom.pk)
    return is_mailed, is_in_vain


def _note_warned(*, reader: int, classroom: int) -> None:
    """Note that a mail server accepted a warning; of several, the first counts."""
    found = Classroom.objects.select_for_update().filter(pk=classroom, erasure_warned_at=None)
    of_class = found.first()
    if of_class is None or not is_ending(of_class, timezone.now()):
        return  # kept meanwhile: it will be warned of again
    of_class.erasure_warned_at = timezone.now()
    of_class.save(update_fields=["erasure_warned_at"])
    audit.record(None, "warned of erasure", of_class)


@mail.writes(_LETTER, when_accepted=_note_warned)
def _write_warning(*, reader: int, classroom: int) -> EmailMessage | None:
    person = User.objects.select_related("school").filter(pk=reader, is_active=True).first()
    of_class = Classroom.objects.select_related("school").filter(pk=classroom).first()
    if person is None or not person.email or of_class is None:
        return None
    if not is_ending(of_class, timezone.now()):
        return None  # kept meanwhile
    with languages.speaking_to(person):
        subject = _("A class will be deleted in 30 days")
        text = _(
            "The archived class “%(class)s”, and its students who are in no other class, "
            "will be permanently deleted in 30 days. To keep a student, add them to "
            "another class."
        ) % {"class": of_class}
    return EmailMessage(subject, text, to=[person.email])


def _owners(classroom: Classroom) -> QuerySet[User]:
    return User.objects.filter(
        memberships__classroom=classroom, memberships__role=Membership.Role.OWNER, is_active=True
    )


def _reachable(people: QuerySet[User]) -> list[User]:
    return [person for person in people.select_related("school") if person.email]
