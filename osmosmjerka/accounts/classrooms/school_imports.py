"""A whole school from a OneRoster file: preview, import in one transaction, undo for 30 days.

An import is all or nothing: rows with problems are skipped, as the preview says, and everything
else is written in one transaction by a job. Undoing goes back change by change, the last first, in
small transactions: one that is interrupted goes on where it stopped.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import asdict
from datetime import date, datetime
from typing import Any

from django.contrib.auth.hashers import make_password
from django.core.exceptions import ObjectDoesNotExist, ValidationError
from django.db import transaction
from django.db.models import Model, QuerySet
from django.db.models.functions import Lower
from django.dispatch import receiver
from django.utils import timezone
from django.utils.translation import gettext as _

from osmosmjerka.accounts import access, audit, codes
from osmosmjerka.accounts.bin import services as bin
from osmosmjerka.accounts.classrooms import services as classes
from osmosmjerka.accounts.classrooms.roster_imports import UNDO, PreviewChanged
from osmosmjerka.accounts.classrooms.school_file import SchoolFile
from osmosmjerka.accounts.classrooms.school_plan import (
    Change,
    Did,
    KnownPerson,
    Options,
    Plan,
    plan,
    role_of,
)
from osmosmjerka.accounts.classrooms.school_plan import School as SchoolNow
from osmosmjerka.accounts.models import (
    AuditEntry,
    Classroom,
    ExternalId,
    Invitation,
    Membership,
    RosterImport,
    RosterLine,
    School,
    User,
)
from osmosmjerka.accounts.people import join_classroom, tell_apart
from osmosmjerka.accounts.privacy import services as privacy
from osmosmjerka.accounts.schools import invitations
from osmosmjerka.jobs import ledger
from osmosmjerka.jobs.ledger import JobRun
from osmosmjerka.jobs.models import Job

JOB = "accounts.school_roster"
State = RosterImport.State
_STUDENT, _OWNER = Membership.Role.STUDENT, Membership.Role.OWNER
# Rows in one statement, and changes that are undone in one transaction.
_AT_ONCE = 500
_UNDO_AT_ONCE = 100


def begin(
    *, school: School, file: SchoolFile, actor: User, options: Options | None = None
) -> RosterImport:
    """Save what was read as a preview; nothing is changed yet."""
    return RosterImport.objects.create(
        school=school,
        created_by=actor,
        lists_everybody=not file.is_delta,
        school_file=file.as_json(),
        options=asdict(options or Options()),
    )


def preview(roster: RosterImport) -> Plan:
    """Return what importing a file would change now."""
    file = SchoolFile.from_json(roster.school_file or SchoolFile().as_json())
    now = _as_it_is(_school(roster))
    return plan(file, now, Options(**roster.options), most_students=classes.MAX_STUDENTS)


def _school(roster: RosterImport) -> School:
    if roster.school is None:
        raise ValueError(f"{roster} is of a class, not of a school.")
    return roster.school


def _as_it_is(school: School) -> SchoolNow:
    """Return the school's classes and people. Nobody of another school is among its people."""
    ids: dict[int, list[tuple[str, str]]] = defaultdict(list)
    found = ExternalId.objects.filter(school=school).order_by("pk")
    for user, source, value in found.values_list("user", "source", "value"):
        ids[user].append((source, value))
    people = {
        pk: KnownPerson(
            pk, name, role == User.Role.STUDENT, binned is not None, active, email, tuple(ids[pk])
        )
        for pk, name, role, binned, active, email in User.objects.filter(school=school)
        .order_by("pk")
        .values_list("pk", "display_name", "role", "deleted_at", "is_active", "email")
    }
    found_classes = list(Classroom.everything.filter(school=school).order_by("pk"))
    roles: dict[int, dict[int, str]] = defaultdict(dict)
    places = Membership.objects.filter(classroom__school=school, classroom__archived_at=None)
    for classroom, user, role in places.order_by("pk").values_list("classroom", "user", "role"):
        roles[classroom][user] = role
    invited = RosterLine.objects.filter(roster__school=school, did=Did.INVITE)
    waiting = {ids.get("oneroster", "") for ids in invited.values_list("ids", flat=True)}
    return SchoolNow(found_classes, people, dict(roles), frozenset(waiting))


@transaction.atomic
def request_import(*, roster: RosterImport, actor: User, mark: str) -> Job:
    """Import in the background what the preview with this *mark* says.

    Raises PreviewChanged if the school has changed since, or the import began already.
    """
    waiting = RosterImport.objects.filter(pk=roster.pk, state=State.WAITING)
    if preview(roster).mark != mark or not waiting.update(state=State.ADDING, mark=mark):
        raise PreviewChanged
    return _enqueue(roster, "add", mark[:16], actor)


@transaction.atomic
def request_undo(*, roster: RosterImport, actor: User) -> Job:
    """Undo an import in the background. Raises `ValidationError` if it can no longer be undone."""
    School.objects.select_for_update().get(pk=_school(roster).pk)
    if not undoable(_school(roster)).filter(pk=roster.pk).update(state=State.UNDOING):
        raise ValidationError(_("This can no longer be undone."))
    return _enqueue(roster, "undo", "", actor)


def _enqueue(roster: RosterImport, what: str, mark: str, actor: User) -> Job:
    return ledger.enqueue(
        JOB,
        key=f"school-roster:{roster.pk}:{what}:{mark}",
        arguments={"roster": roster.pk, "what": what, "actor": actor.pk},
        owner=actor,
        subject=roster,
    )


def undoable(school: School) -> QuerySet[RosterImport]:
    """Return the last import of the school if it is not older than 30 days.

    Earlier ones follow when it is undone: what a file says is compared with all that came before.
    """
    added = school.rosters.filter(state__in=[State.ADDED, State.ADDING, State.UNDOING])
    last = added.order_by("-added_at", "-pk").values_list("pk", flat=True).first()
    since = timezone.now() - UNDO
    return school.rosters.filter(pk=last or 0, state=State.ADDED, added_at__gt=since)


def run(run: JobRun) -> None:
    """Import or undo, as a job was asked to."""
    roster = RosterImport.objects.select_related("school").get(pk=run.arguments["roster"])
    actor = User.objects.get(pk=run.arguments["actor"])
    if run.arguments["what"] == "undo":
        _undo_in_steps(run, roster, actor)
        return
    run.report(10)
    with run.finishing():
        carry_out(roster=roster, actor=actor)


def when_failed(job: Job) -> None:
    """Show the preview again, or the import that was to be undone."""
    rosters = RosterImport.objects.filter(pk=job.arguments["roster"])
    rosters.filter(state=State.ADDING).update(state=State.WAITING)
    rosters.filter(state=State.UNDOING).update(state=State.ADDED)


@transaction.atomic
def carry_out(*, roster: RosterImport, actor: User) -> bool:
    """Do what a confirmed preview says; return False if the school has changed since.

    Then nothing is changed, and the preview is shown again.
    """
    # Two imports of a school come one after the other, and the second sees what the first did.
    school = School.objects.select_for_update().get(pk=_school(roster).pk)
    now = RosterImport.objects.select_for_update().filter(pk=roster.pk, state=State.ADDING).first()
    if now is None:
        return False
    may = access.schools(actor, "administer").filter(pk=school.pk).exists()
    what = preview(now)
    if not may or what.mark != now.mark:
        RosterImport.objects.filter(pk=now.pk).update(state=State.WAITING)
        return False
    _Writer(school, now, actor).write(what)
    RosterImport.objects.filter(pk=now.pk).update(
        state=State.ADDED, added_at=timezone.now(), school_file=None, counts=what.counts
    )
    audit.record(actor, "imported school", school, roster=now.pk)
    return True


def import_now(*, roster: RosterImport, actor: User) -> Plan:
    """Import a preview at once, without a job; return what was done."""
    with transaction.atomic():
        what = preview(roster)
        RosterImport.objects.filter(pk=roster.pk).update(state=State.ADDING, mark=what.mark)
        if not carry_out(roster=roster, actor=actor):
            raise PreviewChanged
    return what


class _Writer:
    """Writes the changes of a plan, in few statements for many people."""

    def __init__(self, school: School, roster: RosterImport, actor: User) -> None:
        self.school, self.roster, self.actor = school, roster, actor
        self.log: list[AuditEntry] = []
        self.lines: list[RosterLine] = []
        self.ids: list[ExternalId] = []
        self.classes: dict[str, Classroom] = {}
        self.made: dict[str, User] = {}

    def write(self, what: Plan) -> None:
        by_did: dict[str, list[Change]] = defaultdict(list)
        for change in what.changes:
            by_did[change.did].append(change)
        self.people = User.objects.in_bulk(
            {change.person_pk for change in what.changes if change.person_pk is not None}
        )
        pks = {change.classroom_pk for change in what.changes if change.classroom_pk is not None}
        self.running = Classroom.objects.in_bulk(pks)
        self._change_classes(by_did)
        self._leave(by_did[Did.LEFT])
        self._bin(by_did[Did.BINNED])
        self._name_and_create(by_did)
        self._join(by_did[Did.JOINED])
        for change in by_did[Did.KNOWN]:
            person = self.people[change.person_pk or 0]
            self._note(change, person, before=change.before[:100])
            self._know(change, person)
        for change in by_did[Did.INVITE]:
            line = self._note(change, None)
            line.place = {"classes": [list(each) for each in change.classes]}
            line.ids = {"oneroster": change.person}
        # Last: closing a class does not touch who is in it.
        for change in by_did[Did.CLOSED_CLASS]:
            closed = self.running[change.classroom_pk or 0]
            classes.archive_classroom(classroom=closed, actor=self.actor)
            self._note(change, None, classroom=closed, before=change.before)
        ExternalId.objects.bulk_create(self.ids, batch_size=_AT_ONCE)
        RosterLine.objects.bulk_create(self.lines, batch_size=_AT_ONCE)
        audit.record_all(self.log)

    def _note(
        self,
        change: Change,
        person: User | None,
        *,
        classroom: Classroom | None = None,
        before: str = "",
        after: str = "",
    ) -> RosterLine:
        line = RosterLine(
            roster=self.roster,
            line=change.line,
            did=change.did,
            student=person,
            classroom=classroom,
            before=before,
            after=after or change.after,
        )
        self.lines.append(line)
        return line

    def _know(self, change: Change, person: User) -> None:
        for source, value in (("oneroster", change.person), ("number", change.number)):
            if value and not (source == "number" and value in self.numbers):
                self.ids.append(
                    ExternalId(
                        school=self.school,
                        source=source,
                        value=value,
                        user=person,
                        roster=self.roster,
                    )
                )
                if source == "number":
                    self.numbers.add(value)

    def _change_classes(self, by_did: Mapping[str, list[Change]]) -> None:
        self.owners = self._owners(by_did[Did.JOINED])
        for change in by_did[Did.NEW_CLASS]:
            made = Classroom.objects.create(
                school=self.school, name=change.after, roster_id=change.classroom
            )
            self.classes[change.classroom] = made
            # A class always has an owner: its teacher, or until they come who imports it.
            if change.classroom not in self.owners:
                Membership.objects.create(classroom=made, user=self.actor, role=_OWNER)
            self._note(change, None, classroom=made)
            self.log.append(audit.entry(self.actor, "created class", made))
        for change in by_did[Did.SAME_CLASS] + by_did[Did.RENAMED_CLASS]:
            found = self.running[change.classroom_pk or 0]
            found.roster_id = change.classroom
            if change.did == Did.RENAMED_CLASS:
                found.name = change.after
                self.log.append(audit.entry(self.actor, "changed class", found))
            found.save(update_fields=["name", "roster_id"])
            self._note(change, None, classroom=found, before=change.before)

    def _owners(self, joins: list[Change]) -> dict[str, str]:
        """Return of each new class the teacher who owns it, by their ids in the file."""
        owners: dict[str, str] = {}
        for change in sorted(joins, key=lambda change: change.role != _OWNER):
            if change.classroom_pk is None and change.role != _STUDENT:
                owners.setdefault(change.classroom, change.person)
        return owners

    def _leave(self, leaving: list[Change]) -> None:
        held = {
            (place.user_id, place.classroom_id): place
            for place in Membership.objects.filter(classroom__in=self.running)
        }
        gone = []
        for change in leaving:
            place = held[change.person_pk or 0, change.classroom_pk or 0]
            person = self.people[place.user_id]
            classroom = self.running[place.classroom_id]
            line = self._note(change, person, classroom=classroom)
            line.place = {
                "role": place.role,
                "until": place.until.isoformat() if place.until else None,
                "joined_at": place.joined_at.isoformat(),
            }
            gone.append(place.pk)
            self.log.append(
                audit.entry(self.actor, "removed from class", person, classroom=classroom)
            )
        for some in _parts(gone):
            Membership.objects.filter(pk__in=some).delete()
        for change in leaving:
            if change.role != _STUDENT:
                person = self.people[change.person_pk or 0]
                invitations.withdraw_lost(person=person, actor=self.actor)

    def _bin(self, gone: list[Change]) -> None:
        for change in gone:
            person = self.people[change.person_pk or 0]
            privacy.delete_student(person=person, actor=self.actor)
            self._note(change, person)

    def _name_and_create(self, by_did: Mapping[str, list[Change]]) -> None:
        """Create students and rename them, so that none has a classmate's name."""
        self.numbers = set(
            ExternalId.objects.filter(school=self.school, source="number").values_list(
                "value", flat=True
            )
        )
        names = _Taken(self.school)
        joins: dict[Any, list[Any]] = defaultdict(list)
        for change in by_did[Did.JOINED]:
            if change.role == _STUDENT:
                joins[change.person_pk or change.person].append(
                    change.classroom_pk or change.classroom
                )
        renamed = {change.person_pk: change for change in by_did[Did.RENAMED]}
        changed = []
        for pk in dict.fromkeys([*renamed, *(key for key in joins if isinstance(key, int))]):
            person = self.people[pk or 0]
            before = person.display_name
            wanted = renamed[pk].after if pk in renamed else before
            person.display_name = names.move(pk, before, wanted, joins.get(pk, []))
            if person.display_name != before:
                changed.append(person)
                self._note(
                    Change(Did.RENAMED, renamed[pk].line if pk in renamed else 0),
                    person,
                    before=before,
                    after=person.display_name,
                )
                self.log.append(audit.entry(self.actor, "renamed pupil", person))
        User.objects.bulk_update(changed, ["display_name"], batch_size=_AT_ONCE)
        new = by_did[Did.CREATED]
        students = [
            User(
                username=username,
                display_name=names.add(change.after, joins[change.person]),
                role=User.Role.STUDENT,
                school=self.school,
                password=make_password(None),
            )
            for change, username in zip(
                new, _free_usernames(len(new), self.school.language or "en"), strict=True
            )
        ]
        User.objects.bulk_create(students, batch_size=_AT_ONCE)
        for change, student in zip(new, students, strict=True):
            self.made[change.person] = student
            self._note(change, student, after=student.display_name)
            self._know(change, student)
            self.log.append(audit.entry(self.actor, "created pupil", student))

    def _join(self, joins: list[Change]) -> None:
        places = []
        for change in joins:
            person = (
                self.made[change.person]
                if change.person_pk is None
                else self.people[change.person_pk]
            )
            role, is_new = change.role, change.classroom_pk is None
            if is_new and self.owners.get(change.classroom) == change.person:
                role = _OWNER
            classroom = (
                self.classes[change.classroom] if is_new else self.running[change.classroom_pk or 0]
            )
            places.append(Membership(classroom=classroom, user=person, role=role))
            self._note(change, person, classroom=classroom)
            if change.person_pk is not None:
                self.log.append(
                    audit.entry(self.actor, "added to class", person, classroom=classroom)
                )
        Membership.objects.bulk_create(places, batch_size=_AT_ONCE)


class _Taken:
    """The names of the students in each running class of a school."""

    def __init__(self, school: School) -> None:
        self._names: dict[Any, set[str]] = defaultdict(set)
        self._classes: dict[int, list[Any]] = defaultdict(list)
        places = Membership.objects.filter(
            classroom__school=school, classroom__archived_at=None, role=_STUDENT
        )
        for classroom, user, name in places.values_list("classroom", "user", "user__display_name"):
            self._names[classroom].add(codes.folded(name))
            self._classes[user].append(classroom)

    def add(self, name: str, into: Iterable[Any]) -> str:
        """Return a student's name, with a number if it is taken in one of these classes."""
        into = list(into)
        shown = codes.free_name(name, set().union(*(self._names[each] for each in into)))
        for each in into:
            self._names[each].add(codes.folded(shown))
        return shown

    def move(self, pk: int | None, before: str, name: str, into: Iterable[Any]) -> str:
        """Return the name of a student who is renamed, or comes into more classes."""
        held = self._classes[pk or 0]
        for each in held:
            self._names[each].discard(codes.folded(before))
        return self.add(name, [*held, *into])


def _free_usernames(count: int, language: str) -> list[str]:
    """Return generated usernames that are free, each once."""
    found: dict[str, None] = {}
    while len(found) < count:
        some = {codes.new_username(language) for _index in range(min(count - len(found), _AT_ONCE))}
        taken = User.objects.annotate(low=Lower("username")).filter(low__in=some)
        some -= set(taken.values_list("low", flat=True))
        found |= dict.fromkeys(some)
    return list(found)[:count]


def _parts(keys: list[Any]) -> Iterable[list[Any]]:
    return (keys[start : start + _AT_ONCE] for start in range(0, len(keys), _AT_ONCE))


# Undoing


def _undo_in_steps(run: JobRun, roster: RosterImport, actor: User) -> None:
    whole = roster.lines.count() or 1
    while (left := roster.lines.count()) > 0:
        run.report(100 * (whole - left) // whole)
        with run.holding():
            undo_some(roster=roster, actor=actor)
    with run.finishing():
        roster.external_ids.all().delete()
        RosterImport.objects.filter(pk=roster.pk).update(state=State.UNDONE)
        audit.record(actor, "undid school import", _school(roster), roster=roster.pk)


@transaction.atomic
def undo_some(*, roster: RosterImport, actor: User) -> None:
    """Undo the last changes of an import, and forget them."""
    School.objects.select_for_update().get(pk=_school(roster).pk)
    lines = list(
        roster.lines.select_related("student", "classroom").order_by("-pk")[:_UNDO_AT_ONCE]
    )
    for line in lines:
        _BACK.get(Did(line.did), _nothing)(line, actor)
    # Last: the lines that took these students into classes are undone before.
    created = [line.student for line in lines if line.did == Did.CREATED and line.student]
    _take_back_students(created, actor)
    RosterLine.objects.filter(pk__in=[line.pk for line in lines]).delete()


def _nothing(line: RosterLine, actor: User) -> None:
    """Undo what left no trace but an id, or an invitation that nobody accepted.

    Students who were created are taken back together.
    """
    if line.invitation is not None:
        invitations.withdraw(invitation=line.invitation, actor=actor)


def _take_back_students(students: list[User], actor: User) -> None:
    """Delete students who were created, unless somebody used the account or it is in a class."""
    places = Membership.everything.filter(user__in=students)
    placed = set(places.values_list("user", flat=True))
    privacy.erase_unused(
        people=[one for one in students if one.last_login is None and one.pk not in placed],
        actor=actor,
    )


def _take_out(line: RosterLine, actor: User) -> None:
    places = Membership.objects.filter(classroom=line.classroom, user=line.student)
    if line.student is not None and line.classroom is not None and places.delete()[0]:
        audit.record(actor, "removed from class", line.student, classroom=line.classroom)
        if line.student.is_teacher:
            invitations.withdraw_lost(person=line.student, actor=actor)
            _give_owner(line.classroom, actor)


def _give_owner(classroom: Classroom, actor: User) -> None:
    owners = Membership.objects.filter(classroom=classroom, role=_OWNER)
    if not owners.exists():
        Membership.everything.update_or_create(
            classroom=classroom, user=actor, defaults={"role": _OWNER, "until": None}
        )


def _bring_back(line: RosterLine, actor: User) -> None:
    """Give a person the place back that they left, as it was."""
    if line.student is None or line.classroom is None:
        return
    until = line.place["until"]
    place, is_new = Membership.everything.get_or_create(
        classroom=line.classroom,
        user=line.student,
        defaults={
            "role": line.place["role"],
            "until": date.fromisoformat(until) if until else None,
        },
    )
    if is_new:
        since = datetime.fromisoformat(line.place["joined_at"])
        Membership.everything.filter(pk=place.pk).update(joined_at=since)
        if line.student.is_student:
            tell_apart(line.student)
        audit.record(actor, "added to class", line.student, classroom=line.classroom)


def _rename_back(line: RosterLine, actor: User) -> None:
    if line.student is not None and line.student.display_name == line.after:
        classes.restore_name(student=line.student, actor=actor, display_name=line.before)


def _restore_student(line: RosterLine, actor: User) -> None:
    if line.student is None or line.student.deleted_at is None:
        return
    try:
        bin.restore(*bin.find(actor, "students", line.student.pk), actor)
    except (ObjectDoesNotExist, ValidationError):
        return  # it stays in the bin, from which it can be restored by hand


def _take_back_class(line: RosterLine, actor: User) -> None:
    """Put a class into the bin that was created, unless students are in it now."""
    made = line.classroom
    if made is None or made.deleted_at is not None:
        return
    if not made.memberships.filter(role=_STUDENT).exists():
        classes.delete_classroom(classroom=made, actor=actor)
    Classroom.everything.filter(pk=made.pk).update(roster_id="")


def _forget_class(line: RosterLine, actor: User) -> None:
    if line.classroom is not None:
        Classroom.everything.filter(pk=line.classroom.pk).update(roster_id="")


def _rename_class_back(line: RosterLine, actor: User) -> None:
    if line.classroom is None:
        return
    renamed = Classroom.everything.filter(pk=line.classroom.pk, name=line.after)
    if renamed.update(name=line.before):
        audit.record(actor, "changed class", line.classroom)


def _open_class(line: RosterLine, actor: User) -> None:
    if line.classroom is not None and line.classroom.archived_at is not None:
        classes.restore_archived(classroom=line.classroom, actor=actor)


_BACK = {
    Did.JOINED: _take_out,
    Did.LEFT: _bring_back,
    Did.RENAMED: _rename_back,
    Did.BINNED: _restore_student,
    Did.NEW_CLASS: _take_back_class,
    Did.SAME_CLASS: _forget_class,
    Did.RENAMED_CLASS: _rename_class_back,
    Did.CLOSED_CLASS: _open_class,
}


# Teachers without an account


def to_invite(school: School) -> QuerySet[RosterLine]:
    """Return the teachers of imported files who have no account here, by name."""
    lines = RosterLine.objects.filter(roster__school=school, roster__state=State.ADDED)
    return lines.filter(did=Did.INVITE).select_related("invitation").order_by("after", "pk")


@transaction.atomic
def invite(*, line: RosterLine, actor: User) -> str:
    """Invite a teacher of a file to the school; return the token, which is shown once.

    The person who accepts gets the teacher's classes. An earlier link of the line no longer works.
    """
    if line.invitation is not None:
        invitations.withdraw(invitation=line.invitation, actor=actor)
    school = _school(line.roster)
    made, token = invitations.invite(school=school, role=User.Role.TEACHER, actor=actor)
    RosterLine.objects.filter(pk=line.pk).update(invitation=made)
    return token


@receiver(invitations.accepted, dispatch_uid="osmosmjerka.accounts.school_imports")
def _give_classes(
    sender: type[Model], person: User, invitation: Invitation, **_kwargs: object
) -> None:
    """Give a teacher who accepts an invitation the id and the classes of their line."""
    for line in invitation.roster_lines.select_related("roster").filter(did=Did.INVITE):
        ExternalId.objects.get_or_create(
            school=invitation.school,
            source=ExternalId.Source.ONEROSTER,
            value=line.ids["oneroster"],
            defaults={"user": person, "roster": line.roster},
        )
        for roster_id, is_primary in line.place["classes"]:
            classroom = Classroom.objects.filter(
                school=invitation.school, roster_id=roster_id, archived_at=None
            ).first()
            if classroom is None:
                continue
            join_classroom(classroom=classroom, person=person, role=role_of(is_primary))
            audit.record(person, "added to class", person, classroom=classroom)
            RosterLine.objects.create(
                roster=line.roster,
                line=line.line,
                did=Did.JOINED,
                student=person,
                classroom=classroom,
            )
        line.delete()


def forget_previews(student: User) -> None:
    """Delete the previews of files in which a student may be who is being erased."""
    if student.school is not None:
        student.school.rosters.filter(state=State.WAITING).delete()
