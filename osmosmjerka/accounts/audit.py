"""The activity log: who did what to whom. Names are looked up when the log is displayed."""

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

# How the log's page describes each action.
ACTIONS: dict[str, StrPromise] = {
    "signed up": _("signed up"),
    "invited": _("invited a teacher to"),
    "withdrew invitation": _("cancelled an invitation:"),
    "accepted invitation": _("accepted an invitation"),
    "created class": _("created the class"),
    "changed class": _("changed the class settings of"),
    "reset class code": _("created a new class code for"),
    "archived class": _("archived the class"),
    "warned of erasure": _("warned that the class will be deleted:"),
    "erased class": _("permanently deleted the class"),
    "created pupil": _("added the student"),
    "joined class": _("joined with the class code:"),
    "added to class": _("added to a class:"),
    "removed from class": _("removed from a class:"),
    "changed role": _("changed the role in the class of"),
    "renamed pupil": _("renamed the student"),
    "issued card": _("created a login card for"),
    "moved pupil": _("moved the student"),
    "merged pupil": _("merged another account into"),
    "exported data": _("exported the data of"),
    "erased person": _("permanently deleted the person"),
    "viewed as": _("viewed the pages of"),
    "changed school": _("changed the school settings"),
    "set second step": _("turned on two-step verification for:"),
    "added passkey": _("added a passkey for"),
    "removed passkey": _("removed a passkey of"),
    "reset second step": _("reset two-step verification for:"),
    "changed account": _("changed the account of"),
    "made account": _("created the account of"),
    "changed school role": _("changed the school role of"),
    "closed account": _("deactivated the account of"),
    "opened account": _("reactivated the account of"),
    "changed password": _("changed the password:"),
    "removed second step": _("turned off two-step verification for:"),
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
    """Append what *actor* did to *subject*; None is the site itself. *detail* contains no names."""
    return AuditEntry.objects.create(
        actor_id=actor.pk if actor else None,
        action=action,
        subject_kind=subject._meta.model_name or "",
        subject_id=subject.pk,
        school=school,
        detail=detail,
    )


def words_of(entry: AuditEntry) -> str:
    """Return the description of an entry's action, or its name if an older release wrote it."""
    return str(ACTIONS.get(entry.action, entry.action))
