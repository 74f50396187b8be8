"""The activity log: who did what to whom. Names are looked up when it is read."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from django.utils.translation import gettext_lazy as _

from osmosmjerka.accounts.models import AuditEntry, Classroom, Invitation, School, User

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise as StrPromise

Action = Literal[
    "signed up",
    "invited",
    "withdrew invitation",
    "accepted invitation",
    "created class",
    "changed class",
    "reset class code",
    "archived class",
    "warned of erasure",
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
    "erased person",
    "viewed as",
    "changed school",
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
]

# What the log's page says of each.
ACTIONS: dict[str, StrPromise] = {
    "signed up": _("signed up"),
    "invited": _("invited a teacher to"),
    "withdrew invitation": _("withdrew an invitation:"),
    "accepted invitation": _("accepted an invitation"),
    "created class": _("made the class"),
    "changed class": _("changed the class"),
    "reset class code": _("made a new class code for"),
    "archived class": _("archived the class"),
    "warned of erasure": _("was warned that the class will be erased:"),
    "erased class": _("erased the class"),
    "created pupil": _("added the pupil"),
    "joined class": _("joined by class code:"),
    "added to class": _("put into a class:"),
    "removed from class": _("took out of a class:"),
    "changed role": _("changed the place in a class of"),
    "renamed pupil": _("renamed the pupil"),
    "issued card": _("made a login card for"),
    "moved pupil": _("moved the pupil"),
    "merged pupil": _("merged another account into"),
    "exported data": _("exported the data of"),
    "erased person": _("erased the person"),
    "viewed as": _("looked at the pages of"),
    "changed school": _("changed the school"),
    "set second step": _("set up a second step of log-in:"),
    "added passkey": _("added a passkey for"),
    "removed passkey": _("removed a passkey of"),
    "reset second step": _("reset the second step of log-in:"),
    "changed account": _("changed the account of"),
    "made account": _("made the account of"),
    "changed school role": _("changed the role in the school of"),
    "closed account": _("closed the account of"),
    "opened account": _("opened the account again of"),
    "changed password": _("changed the password:"),
    "removed second step": _("removed the second step of log-in:"),
}

Subject = User | Classroom | School | Invitation


def record(
    *,
    actor: User | None,
    action: Action,
    subject: Subject,
    school: School | None,
    **detail: int | str,
) -> AuditEntry:
    """Append what *actor* (None: the site itself) did to *subject*; *detail* holds no names."""
    return AuditEntry.objects.create(
        actor_id=actor.pk if actor else None,
        action=action,
        subject_kind=subject._meta.model_name or "",
        subject_id=subject.pk,
        school=school,
        detail=detail,
    )


def words_of(entry: AuditEntry) -> str:
    """Return what an entry of the log says was done; an action of an older release by its name."""
    return str(ACTIONS.get(entry.action, entry.action))
