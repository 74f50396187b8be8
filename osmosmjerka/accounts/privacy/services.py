"""Personal data: which tables hold it, and how it is exported, deleted or kept.

Each app declares its models at startup; a test fails for a model that is not declared.
"""

from __future__ import annotations

import io
import json
import logging
import zipfile
from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import Any, Literal

from django.apps import apps
from django.core.exceptions import ValidationError
from django.core.serializers.json import DjangoJSONEncoder
from django.db import connection, transaction
from django.db.models import Model, Q
from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.translation import gettext as _

from osmosmjerka.accounts import audit
from osmosmjerka.accounts.bin import services as bin
from osmosmjerka.accounts.models import (
    Classroom,
    ExternalId,
    Identity,
    Membership,
    User,
)
from osmosmjerka.accounts.people import join_classroom

logger = logging.getLogger(__name__)

Fate = Literal["erase", "keep"]
# From a row to its user: a lookup, or a function that returns the condition if there is no single
# lookup.
Way = str | Callable[[User], Q]


@dataclass(frozen=True, slots=True)
class Declared:
    """What is declared of a model: how its rows lead to a person, and what happens to them."""

    label: str
    person: Way | None
    on_erase: Fate
    why: str
    secret: tuple[str, ...]
    also: tuple[str, ...]

    @property
    def model(self) -> type[Model]:
        return apps.get_model(self.label)

    def rows_of(self, person: User) -> Any:
        """Return the rows that belong to *person*."""
        if self.person is None:
            return self.model._base_manager.none()
        if callable(self.person):
            return self.model._base_manager.filter(self.person(person))
        return self.model._base_manager.filter(  # the bin's rows too
            **{self.person or "pk": person if self.person else person.pk}
        )


# Databases limit the number of parameters in one statement.
_KEYS_AT_ONCE = 5_000
WITHHELD = "(kept secret)"
NOT_YET = "(not told yet)"

_declared: dict[str, Declared] = {}
# What others create for a person, or what logging in leaves.
_OF_ACCOUNT = {
    "accounts.User",
    "accounts.Membership",
    "accounts.ApiToken",
    "accounts.BrowserSession",
    "accounts.LoginCard",
    "accounts.ExternalId",
    "accounts.Identity",
    "puzzles.LtiPerson",
    "accounts.RosterLine",
    "accounts.RosterImport",
    "accounts.JoinRequest",
    "accounts.WebhookDelivery",
    "puzzles.WorksheetSet",
}
_held_back: dict[str, tuple[tuple[str, ...], Callable[[User], Q]]] = {}
_before_erasure: list[Callable[[User], None]] = []
# What an account gave another one when they were merged: keys of rows by model.
MovedRows = dict[str, list[Any]]
_mergers: dict[
    str, tuple[Callable[[User, User], MovedRows], Callable[[User, User, MovedRows], None]]
] = {}


def declare(
    label: str,
    *,
    person: Way | None,
    on_erase: Fate = "erase",
    why: str = "",
    secret: tuple[str, ...] = (),
    also: tuple[str, ...] = (),
) -> None:
    """Declare whose the rows of the model *label* are and what happens to them on deletion.

    *person* is the lookup from a row to its user: "" for the user itself, None if rows belong to
    nobody; then *why* explains it. *secret* fields are exported as “kept secret”; *also* are
    lookups beyond the row that make its export readable.
    """
    if on_erase == "keep" and not why:
        raise ValueError(f"Say why rows of {label} are kept.")
    _declared[label.lower()] = Declared(label, person, on_erase, why, secret, also)


def hold_back(label: str, *, fields: tuple[str, ...], rows: Callable[[User], Q]) -> None:
    """Export *fields* of the model *label* as “not told yet” to students in some of their rows.

    *rows* returns the condition for these rows: the answers of a puzzle that a student can still
    play. *fields* may contain lookups that were declared as *also*.
    """
    _held_back[label.lower()] = (fields, rows)


def on_merge(
    app: str,
    *,
    merge: Callable[[User, User], MovedRows],
    split: Callable[[User, User, MovedRows], None],
) -> None:
    """Register what an app does when accounts are merged, and when that is undone.

    *merge* gives the first account the rows of the second and returns their keys. *split* gives
    the rows with these keys that the first account has back to the second.
    """
    _mergers[app] = (merge, split)


def give(model: type[Model], field: str, giver: User, taker: User) -> list[Any]:
    """Make *taker* the person of all rows of *giver*, named by *field*; return their keys."""
    rows = model._base_manager.filter(**{field: giver})
    keys = list(rows.values_list("pk", flat=True))
    rows.update(**{field: taker})
    return keys


def give_back(model: type[Model], field: str, keys: list[Any], taker: User, giver: User) -> None:
    """Make *taker* the person of those rows with these keys that are *giver*'s."""
    for start in range(0, len(keys), _KEYS_AT_ONCE):
        some = keys[start : start + _KEYS_AT_ONCE]
        model._base_manager.filter(pk__in=some, **{field: giver}).update(**{field: taker})


def before_erasure(prepare: Callable[[User], None]) -> None:
    """Register a function that is called with a student before their account is erased.

    For what would mean something else without the student.
    """
    if prepare not in _before_erasure:
        _before_erasure.append(prepare)


@transaction.atomic
def merge_students(*, kept: User, gone: User, actor: User) -> None:
    """Merge two accounts of one student: *kept* gets everything, *gone* goes into the bin.

    Restoring *gone* from there undoes it, in case they were not the same student.
    """
    if kept == gone or not (kept.is_student and gone.is_student):
        raise ValueError("Two different students are needed.")
    delete_student(person=gone, actor=actor)  # first: the two often have the same name
    joined = []
    for membership in Membership.everything.filter(user=gone).select_related("classroom"):
        if not Membership.everything.filter(user=kept, classroom=membership.classroom).exists():
            joined.append(membership.classroom_id)
        join_classroom(classroom=membership.classroom, person=kept, role=Membership.Role.STUDENT)
    ids = give(ExternalId, "user", gone, kept)
    own = Identity.objects.filter(user=kept).values("provider")  # a service has one of a person
    others = Identity.objects.filter(user=gone).exclude(provider__in=own)
    identities = list(others.values_list("pk", flat=True))
    give_back(Identity, "user", identities, kept, gone)
    given = {app: merge(kept, gone) for app, (merge, _split) in _mergers.items()}
    gone.merged = {
        "into": kept.pk, "joined": joined, "ids": ids, "identities": identities, "given": given
    }  # fmt: skip
    gone.save(update_fields=["merged"])
    audit.record(actor, "merged pupil", kept, other=gone.pk)


@transaction.atomic
def split_students(*, gone: User) -> None:
    """Undo a merge when *gone* is restored: it gets everything back that *kept* got from it.

    Raises ValidationError if *kept* was merged as well since, and has to be restored first.
    """
    merged = gone.merged
    if merged is None:
        return
    kept = User.objects.select_for_update().filter(pk=merged["into"]).first()
    if kept is not None and kept.merged is not None:
        raise ValidationError(
            _(
                "This account was merged with that of %(name)s, which is in the bin, too. "
                "Restore that one first."
            )
            % {"name": kept}
        )
    if kept is not None:
        give_back(ExternalId, "user", merged["ids"], gone, kept)
        give_back(Identity, "user", merged.get("identities", []), gone, kept)
        for app, (_merge, split) in _mergers.items():
            split(kept, gone, merged["given"][app])
        Membership.everything.filter(user=kept, classroom__in=merged["joined"]).delete()
    gone.merged = None
    gone.save(update_fields=["merged"])


def has_done_anything(person: User) -> bool:
    """Return whether any table holds something that *person* did, not only their account.

    Where one is known, and how one logs in, is no deed.
    """
    return any(declared.rows_of(person).exists() for declared in _of_deeds())


def _of_deeds() -> list[Declared]:
    """Return the tables whose rows somebody made, not only got with an account."""
    return [
        declared
        for declared in _declared.values()
        if declared.person and declared.on_erase == "erase" and declared.label not in _OF_ACCOUNT
    ]


def declarations() -> dict[str, Declared]:
    return dict(_declared)


def personal_data(person: User) -> dict[str, list[dict[str, Any]]]:
    """Return every field of every row that is declared to belong to *person*, by model.

    The file is handed to the person, whoever exports it: what they must not be told yet is not
    in it.
    """
    data = {}
    for label, declared in sorted(_declared.items()):
        model = declared.model
        names = [field.attname for field in model._meta.concrete_fields]
        fields, keys = _not_yet(label, declared, person)
        lines = []
        for row in declared.rows_of(person).values(*names, *declared.also):
            row |= dict.fromkeys(declared.secret, WITHHELD)
            if row[model._meta.pk.attname] in keys:
                row |= dict.fromkeys(fields, NOT_YET)
            lines.append(row)
        if lines:
            data[label] = lines
    return data


def _not_yet(label: str, declared: Declared, person: User) -> tuple[tuple[str, ...], set[Any]]:
    """Return the fields of a model that are held back, and the keys of the rows concerned."""
    if label not in _held_back or not person.is_student:
        return (), set()
    fields, rows = _held_back[label]
    held = declared.rows_of(person).filter(rows(person))
    return fields, set(held.values_list("pk", flat=True))


def export_person(*, person: User, actor: User) -> bytes:
    """Return a ZIP file of all data of *person*: data.json for programs, data.html for people."""
    audit.record(actor, "exported data", person)
    data = personal_data(person)
    sections = [
        (apps.get_model(label)._meta.verbose_name_plural, rows[0], [row.values() for row in rows])
        for label, rows in data.items()
    ]
    page = render_to_string(
        "accounts/privacy/export.html",
        {"person": person, "sections": sections, "now": timezone.now()},
    )
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(
            "data.json", json.dumps(data, cls=DjangoJSONEncoder, ensure_ascii=False, indent=2)
        )
        archive.writestr("data.html", page)
    return file.getvalue()


@transaction.atomic
def delete_student(*, person: User, actor: User) -> None:
    """Put a student's account into the bin: it cannot log in and no page shows it."""
    if not person.is_student:
        raise ValueError(f"{person} is no student: teachers' accounts are deactivated.")
    if bin.put(person, actor):
        person.is_active = False
        person.save(update_fields=["is_active"])
        person.end_access()
        audit.record(actor, "deleted person", person)


@transaction.atomic
def erase_person(*, person: User, actor: User | None) -> None:
    """Delete a student's account permanently, with every row declared to be deleted with it."""
    if not person.is_student:
        raise ValueError(f"{person} is no student: a teacher's lists and classes are others' too.")
    _erase(person, actor)
    transaction.on_commit(forget_traces, robust=True)


@transaction.atomic
def erase_unused(*, people: Collection[User], actor: User | None) -> None:
    """Permanently delete those students who have done nothing: see `has_done_anything`.

    Each table is asked once for all of them, so that thousands take minutes.
    """
    used: set[int] = set()
    for declared in _of_deeds():
        if callable(declared.person):
            used |= {person.pk for person in people if declared.rows_of(person).exists()}
        else:
            to_person = declared.person or "pk"
            rows = declared.model._base_manager.filter(**{f"{to_person}__in": people})
            used |= set(rows.values_list(to_person, flat=True))
    unused = [person for person in people if person.pk not in used]
    for person in unused:
        for prepare in _before_erasure:
            prepare(person)
    for declared in _declared.values():
        if declared.label not in _OF_ACCOUNT or not declared.person:
            continue
        if callable(declared.person):
            for person in unused:
                declared.rows_of(person).delete()
        else:
            declared.model._base_manager.filter(**{f"{declared.person}__in": unused}).delete()
    audit.record_all([audit.entry(actor, "erased person", person) for person in unused])
    User.objects.filter(pk__in=[person.pk for person in unused]).delete()
    transaction.on_commit(forget_traces, robust=True)


@transaction.atomic
def erase_classroom(*, classroom: Classroom, actor: User | None) -> int:
    """Delete a class and its students who are in no other; return how many students."""
    # A class in the bin may come back, with its students.
    places = Membership.everything.filter(role=Membership.Role.STUDENT)
    elsewhere = places.exclude(classroom=classroom).values("user")
    leaving = User.objects.filter(
        deleted_at=None,  # the bin has its own time
        pk__in=places.filter(classroom=classroom).values("user"),
        role=User.Role.STUDENT,
        school_id=classroom.school_id,
    ).exclude(pk__in=elsewhere)
    students = list(leaving)
    for student in students:
        _erase(student, actor)
    audit.record(actor, "erased class", classroom, students=len(students))
    classroom.delete()
    transaction.on_commit(forget_traces, robust=True)
    return len(students)


def _erase(person: User, actor: User | None) -> None:
    """Delete a student with every row declared to be deleted with them."""
    for prepare in _before_erasure:
        prepare(person)
    for declared in _declared.values():
        if declared.on_erase == "erase" and declared.person:
            declared.rows_of(person).delete()
    audit.record(actor, "erased person", person)
    person.delete()


def forget_traces() -> None:
    """Remove from SQLite's write-ahead file what was deleted from the database.

    Call it after the commit, once for many deletions. `secure_delete` overwrites rows in the
    database's own file, but the write-ahead file keeps older pages until it is emptied. Other
    connections that are reading make it wait; then the daily job tries again.
    """
    if connection.vendor != "sqlite":
        return
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        is_busy, _pages, _moved = cursor.fetchone()
    if is_busy:
        logger.warning("SQLite's write-ahead file could not be emptied after a deletion")


def _named_in_log(person: User) -> Q:
    """Return the condition for a person's entries in the log: as the actor or as the subject."""
    return Q(actor_id=person.pk) | Q(subject_kind="user", subject_id=person.pk)


def _named_in_admin(person: User) -> Q:
    """Return the condition for a person in the admin's own log, which stores names."""
    is_of_people = Q(content_type__app_label="accounts", content_type__model="user")
    return Q(user=person) | is_of_people & Q(object_id=str(person.pk))


def _named_in_rosters(person: User) -> Q:
    """Return the condition for a person's lines: what was done to them, or previews of a class."""
    previews = Q(
        student=None,
        roster__classroom__in=Classroom.objects.filter(memberships__user=person),
        shown__iexact=person.display_name,
    )
    known = Q()
    for external in person.external_ids.all():
        same = {f"ids__{external.source}": external.value}
        known |= Q(student=None, roster__classroom__school=external.school_id, **same)
    return Q(student=person) | previews | known


def declare_own() -> None:
    """Declare the models of this app, of the job ledger, and of Django itself."""
    declare("accounts.User", person="", secret=("password", "credential_stamp"))
    # Before what leads to its lines: rows are deleted in this order.
    declare("accounts.RosterLine", person=_named_in_rosters)
    declare("accounts.Membership", person="user", also=("classroom__name",))
    declare(
        "accounts.LoginCard",
        person="user",
        secret=("token_hash", "words_hash", "pictures_hash"),
    )
    declare("accounts.Passkey", person="user", secret=("credential_id", "credential"))
    declare("accounts.Invitation", person="invited_by", secret=("token_hash",))
    declare("accounts.ApiToken", person="user", secret=("token_hash",))
    declare("accounts.BrowserSession", person="user", secret=("session_key", "session_data"))
    declare("accounts.ExternalId", person="user")
    declare("accounts.Identity", person="user", also=("provider__name",))
    declare(
        "accounts.RosterImport",
        person="created_by",
        secret=("school_file",),  # other people's names
        also=("classroom__name", "school__name"),
    )
    declare("accounts.Webhook", person="made_by", secret=("secret",))
    declare("accounts.WebhookDelivery", person="student", also=("webhook__url",))
    declare("accounts.JoinRequest", person="student", also=("classroom__name",))
    # What a job has so far may be the answers of a puzzle: the grid that a search goes on from.
    declare("jobs.Job", person="owner", secret=("result",))
    declare("otp_totp.TOTPDevice", person="user", secret=("key",))
    declare("otp_static.StaticDevice", person="user")
    declare("otp_static.StaticToken", person="device__user", secret=("token",))
    declare("admin.LogEntry", person=_named_in_admin)
    declare(
        "accounts.AuditEntry",
        person=_named_in_log,
        on_erase="keep",
        why="Numbers only; after an erasure they lead to nobody.",
    )
    nobody = {
        "accounts.School": "A school is no person.",
        "accounts.IdentityProvider": "A service of a school is no person.",
        "accounts.Classroom": "A class is its teachers’; who is in it is a membership.",
        "accounts.FailedLogin": "A keyed hash and a count; gone within a week.",
        "jobs.WorkerHeartbeat": "Machines.",
        "jobs.OutsideService": "Machines.",
        "contenttypes.ContentType": "Names of tables.",
        "auth.Permission": "Names of rights.",
        "auth.Group": "Not used.",
    }
    for label, why in nobody.items():
        declare(label, person=None, on_erase="keep", why=why)
