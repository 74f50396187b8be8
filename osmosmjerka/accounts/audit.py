"""The activity log: who did what to whom. Names are looked up when the log is displayed."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Literal

from django.utils.translation import gettext_lazy as _

from osmosmjerka.accounts.models import AuditEntry, Classroom, Invitation, School, User

if TYPE_CHECKING:
    from django_stubs_ext import StrPromise

Action = Literal[
    "signed up",
    "invited",
    "withdrew invitation",
    "accepted invitation",
    "created class",
    "changed class",
    "reset class code",
    "archived class",
    "restored archived class",
    "warned of erasure",
    "deleted class",
    "restored class",
    "kept class",
    "erased class",
    "created pupil",
    "joined class",
    "added to class",
    "removed from class",
    "changed role",
    "renamed pupil",
    "issued card",
    "moved pupil",
    "merged pupil",
    "exported data",
    "deleted person",
    "restored person",
    "erased person",
    "viewed as",
    "created school",
    "changed school",
    "changed blocked words",
    "imported school",
    "added webhook",
    "removed webhook",
    "turned on webhook",
    "turned off webhook",
    "undid school import",
    "set second step",
    "added passkey",
    "removed passkey",
    "reset second step",
    "changed account",
    "made account",
    "changed school role",
    "closed account",
    "opened account",
    "changed password",
    "removed second step",
    "ended session",
    "ended sessions",
    "created token",
    "revoked token",
    "set pupil password",
    "removed pupil password",
    "unlocked account",
    "retried job",
    "created share link",
    "ended share link",
    "copied shared list",
    "created parent link",
    "ended parent link",
    "opened parent link",
    "added sign-in service",
    "changed sign-in service",
    "removed sign-in service",
    "connected school account",
    "disconnected school account",
    "connected platform",
    "switched platform",
    "removed platform",
    "linked platform",
    "unlinked platform",
    "connected course",
]

# How the log's page describes each action: whole sentences, so that translators can reorder them.
ACTIONS: dict[str, StrPromise] = {
    # Translators: the activity log. %(actor)s is a person or “Osmosmjerka”, the site itself;
    # %(subject)s is a person, class, school or invitation, as the sentence says. The gender of
    # the person is not known.
    "signed up": _("%(actor)s signed up."),
    "invited": _("%(actor)s invited a teacher: %(subject)s."),
    "withdrew invitation": _("%(actor)s cancelled an invitation: %(subject)s."),
    "accepted invitation": _("%(actor)s accepted an invitation."),
    "created class": _("%(actor)s created the class %(subject)s."),
    "changed class": _("%(actor)s changed the settings of the class %(subject)s."),
    "reset class code": _("%(actor)s created a new class code for %(subject)s."),
    "archived class": _("%(actor)s archived the class %(subject)s."),
    "restored archived class": _("%(actor)s restored the class %(subject)s from the archive."),
    "warned of erasure": _("%(actor)s warned that the class %(subject)s will be deleted."),
    "deleted class": _("%(actor)s deleted the class %(subject)s."),
    "restored class": _("%(actor)s restored the class %(subject)s from the bin."),
    "kept class": _("%(actor)s kept the archived class %(subject)s for longer."),
    "erased class": _("%(actor)s permanently deleted the class %(subject)s."),
    "created pupil": _("%(actor)s added the student %(subject)s."),
    "joined class": _("%(actor)s joined a class with the class code."),
    "added to class": _("%(actor)s added %(subject)s to a class."),
    "removed from class": _("%(actor)s removed %(subject)s from a class."),
    "changed role": _("%(actor)s changed the role of %(subject)s in a class."),
    "renamed pupil": _("%(actor)s renamed the student %(subject)s."),
    "issued card": _("%(actor)s created a login card for %(subject)s."),
    "moved pupil": _("%(actor)s moved the student %(subject)s to another class."),
    "merged pupil": _("%(actor)s merged another account into the account of %(subject)s."),
    "exported data": _("%(actor)s exported the data of %(subject)s."),
    "deleted person": _("%(actor)s deleted the account of %(subject)s."),
    "restored person": _("%(actor)s restored the account of %(subject)s from the bin."),
    "erased person": _("%(actor)s permanently deleted the account of %(subject)s."),
    "viewed as": _("%(actor)s viewed the pages of %(subject)s."),
    "created school": _("%(actor)s created the school %(subject)s."),
    "changed school": _("%(actor)s changed the settings of the school %(subject)s."),
    "changed blocked words": _("%(actor)s changed the blocked words of the school %(subject)s."),
    "imported school": _("%(actor)s imported a OneRoster file into the school %(subject)s."),
    "undid school import": _(
        "%(actor)s undid the import of a OneRoster file into the school %(subject)s."
    ),
    "added webhook": _("%(actor)s added a webhook to the school %(subject)s."),
    "removed webhook": _("%(actor)s deleted a webhook of the school %(subject)s."),
    "turned on webhook": _("%(actor)s turned on a webhook of the school %(subject)s."),
    "turned off webhook": _("%(actor)s turned off a webhook of the school %(subject)s."),
    "set second step": _("%(actor)s turned on two-step verification."),
    "added passkey": _("%(actor)s added a passkey."),
    "removed passkey": _("%(actor)s removed a passkey."),
    "reset second step": _("%(actor)s turned off two-step verification for %(subject)s."),
    "changed account": _("%(actor)s changed the account of %(subject)s."),
    "made account": _("%(actor)s created the account of %(subject)s."),
    "changed school role": _("%(actor)s changed the role of %(subject)s in the school."),
    "closed account": _("%(actor)s deactivated the account of %(subject)s."),
    "opened account": _("%(actor)s reactivated the account of %(subject)s."),
    "changed password": _("%(actor)s set a new password."),
    "removed second step": _("%(actor)s turned off two-step verification."),
    "ended session": _("%(actor)s logged out another device."),
    "ended sessions": _("%(actor)s logged out on all devices."),
    "created token": _("%(actor)s created an API token."),
    "revoked token": _("%(actor)s revoked an API token."),
    "set pupil password": _("%(actor)s set a password for the student %(subject)s."),
    "removed pupil password": _("%(actor)s removed the password of the student %(subject)s."),
    "unlocked account": _("%(actor)s unlocked the account of %(subject)s."),
    "retried job": _("%(actor)s started a failed background task again."),
    "created share link": _("%(actor)s created a link to a list or a puzzle."),
    "ended share link": _("%(actor)s ended a link to a list or a puzzle."),
    "copied shared list": _("%(actor)s copied a list that was shared by a link."),
    "created parent link": _("%(actor)s created a link for the parents of %(subject)s."),
    "ended parent link": _("%(actor)s ended the link for the parents of %(subject)s."),
    "opened parent link": _("Somebody opened the link for the parents of %(subject)s."),
    "added sign-in service": _("%(actor)s added a sign-in service to the school %(subject)s."),
    "changed sign-in service": _("%(actor)s changed a sign-in service of the school %(subject)s."),
    "removed sign-in service": _(
        "%(actor)s removed a sign-in service from the school %(subject)s."
    ),
    "connected school account": _(
        "%(actor)s connected the account of %(subject)s with a school account."
    ),
    "disconnected school account": _(
        "%(actor)s disconnected the account of %(subject)s from a school account."
    ),
    "connected platform": _("%(actor)s connected a learning platform with the school %(subject)s."),
    "switched platform": _(
        "%(actor)s switched a learning platform of the school %(subject)s on or off."
    ),
    "removed platform": _("%(actor)s removed a learning platform from the school %(subject)s."),
    "linked platform": _(
        "%(actor)s linked the account of %(subject)s with one on a learning platform."
    ),
    "unlinked platform": _(
        "%(actor)s unlinked the account of %(subject)s from a learning platform."
    ),
    "connected course": _(
        "%(actor)s connected a course of a learning platform with the class %(subject)s."
    ),
}
_SITE = "Osmosmjerka"

Subject = User | Classroom | School | Invitation


def record(
    actor: User | None,
    action: Action,
    subject: Subject,
    *,
    school: School | None = None,
    classroom: Classroom | None = None,
    **detail: int | str,
) -> AuditEntry:
    """Append what *actor* did to *subject*; None is the site itself. *detail* contains no names.

    The entry is in the log of *school*: by default that of *classroom*, else that of *subject*.
    """
    made = entry(actor, action, subject, school=school, classroom=classroom, **detail)
    made.save(force_insert=True)
    return made


def record_all(entries: Iterable[AuditEntry]) -> None:
    """Append many entries at once, which `entry` made."""
    AuditEntry.objects.bulk_create(entries, batch_size=500)


def entry(
    actor: User | None,
    action: Action,
    subject: Subject,
    *,
    school: School | None = None,
    classroom: Classroom | None = None,
    **detail: int | str,
) -> AuditEntry:
    """Return an entry as `record` appends it, not saved."""
    if classroom is not None:
        detail["classroom"] = classroom.pk
    if school is None:
        place = classroom or subject
        school = place if isinstance(place, School) else place.school
    return AuditEntry(
        actor_id=actor.pk if actor else None,
        action=action,
        subject_kind=subject._meta.model_name or "",
        subject_id=subject.pk,
        school=school,
        detail=detail,
    )


def sentence_of(entry: AuditEntry, *, actor: object, subject: object) -> str:
    """Return what an entry of the log says; no *actor* is the site itself."""
    return str(ACTIONS[entry.action]) % {"actor": actor or _SITE, "subject": subject}
