"""What importing a school's file would change: a list of changes. Reads and writes nothing.

The same file and the same school give the same changes, so what an admin has seen can be compared
with what would be done now; and a file that was imported gives none.
"""

from __future__ import annotations

import hashlib
from collections import Counter, defaultdict
from dataclasses import dataclass, field

from django.utils.translation import gettext as _

from osmosmjerka.accounts import codes
from osmosmjerka.accounts.classrooms.roster import Line
from osmosmjerka.accounts.classrooms.roster_plan import Alike, Known, is_named
from osmosmjerka.accounts.classrooms.school_file import Person, Place, Problem, SchoolFile
from osmosmjerka.accounts.models import Classroom, RosterLine

Did = RosterLine.Did
_ONEROSTER, _NUMBER = "oneroster", "number"


@dataclass(frozen=True, slots=True)
class KnownPerson:
    """A student or teacher of the school. *ids* are what other programs call them: source, id."""

    pk: int
    name: str
    is_student: bool
    is_in_bin: bool = False
    is_active: bool = True
    email: str = ""
    ids: tuple[tuple[str, str], ...] = ()

    def id_of(self, source: str) -> str:
        """Return what a program calls the person, "" if it does not know them."""
        return next((value for name, value in self.ids if name == source), "")


@dataclass(frozen=True, slots=True)
class School:
    """A school as it is. *roles* are those of its people in its running classes, by class.

    Archived classes and those in the bin are among its classes, but not running.
    """

    classes: list[Classroom]
    people: dict[int, KnownPerson]
    roles: dict[int, dict[int, str]]
    # The ids of the teachers who wait for an invitation, or were invited, from an earlier file.
    invited: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Options:
    """What an admin ticked: end what a bulk file no longer has, and take over its names."""

    ends_missing: bool = False
    renames: bool = False


@dataclass(frozen=True, slots=True)
class Change:
    """A change to a person or class. *person* and *classroom* are ids in the file.

    The keys are None for what the import creates first. *after* is the name that it gives,
    *classes* are those of a teacher who is invited: their ids, and whether they own them.
    """

    did: str
    line: int = 0
    person: str = ""
    person_pk: int | None = None
    classroom: str = ""
    classroom_pk: int | None = None
    before: str = ""
    after: str = ""
    role: str = ""
    email: str = ""
    number: str = ""
    is_move: bool = False
    classes: tuple[tuple[str, bool], ...] = ()


@dataclass(slots=True)
class Plan:
    """What would change, what is skipped, and what the file lacks: those stay as they are."""

    changes: list[Change] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    missing_classes: list[str] = field(default_factory=list)
    missing_people: list[str] = field(default_factory=list)
    titles: dict[str, str] = field(default_factory=dict)

    @property
    def mark(self) -> str:
        """A text that differs for plans that differ."""
        return hashlib.sha256(repr(self.changes).encode()).hexdigest()

    @property
    def counts(self) -> dict[str, int]:
        """How many changes of each type there are; who joins and leaves is also told by role."""
        return dict(Counter(map(kind_of, self.changes)))


@dataclass(slots=True)
class OfClass:
    """How many changes concern one class, and what becomes of the class: "" if it stays."""

    title: str
    did: str = ""
    before: str = ""
    new: int = 0
    joining: int = 0
    leaving: int = 0
    teachers: int = 0


def by_class(made: Plan) -> list[OfClass]:
    """Return what changes in each class, in the order in which the changes name them."""
    found: dict[str, OfClass] = {}
    for change in made.changes:
        if not change.classroom:
            continue
        title = made.titles.get(change.classroom) or change.before or change.classroom
        of = found.setdefault(change.classroom, OfClass(title))
        if change.did == Did.JOINED and change.role != "student":
            of.teachers += 1
        elif change.did == Did.JOINED and change.person_pk is None:
            of.new += 1
        elif change.did == Did.JOINED:
            of.joining += 1
        elif change.did == Did.LEFT:
            of.leaving += 1
        else:
            of.did, of.before = change.did, change.before
    return list(found.values())


def kind_of(change: Change) -> str:
    """Return the type of a change, for counting."""
    if change.did in {Did.CREATED, Did.JOINED, Did.LEFT, Did.KNOWN}:
        of = "student" if change.role == "student" else "teacher"
        did = str(change.did)
        if change.is_move:
            did = "moved" if change.did == Did.JOINED else "moved_from"
        elif change.did == Did.JOINED and change.person_pk is None:
            did = "placed"  # who is created anyway
        return f"{of}_{did}"
    return str(change.did)


def plan(file: SchoolFile, school: School, options: Options, *, most_students: int) -> Plan:
    """Return what importing *file* would change; a class holds *most_students* at most."""
    return _Planner(file, school, options, most_students).made


class _Planner:
    def __init__(
        self, file: SchoolFile, school: School, options: Options, most_students: int
    ) -> None:
        self.file, self.school, self.options = file, school, options
        self.most_students = most_students
        self.made = Plan(problems=list(file.problems))
        self.ends = options.ends_missing and not file.is_delta
        # Of the classes that the file may change: their keys, None for new ones.
        self.pks: dict[str, int | None] = {}
        self.unusable: set[str] = set()
        self.people: dict[str, KnownPerson | None] = {}
        self.rows: dict[str, Person] = {}
        self.skipped: set[str] = set()
        self.wanted: dict[str, dict[str, Place]] = defaultdict(dict)
        self.over: dict[str, dict[str, Place]] = defaultdict(dict)
        self._classes()
        self._places()
        self._people()
        self._memberships()

    def _add(self, did: str, **told: object) -> None:
        self.made.changes.append(Change(did, **told))  # type: ignore[arg-type]

    def _refuse(self, file: str, line: int, why: str) -> None:
        self.made.problems.append(Problem(file, line, why))

    def _classes(self) -> None:
        known = {each.roster_id: each for each in self.school.classes if each.roster_id}
        free: dict[str, list[Classroom]] = defaultdict(list)
        for each in self.school.classes:
            if not each.roster_id and _is_running(each):
                free[codes.folded(each.name)].append(each)
        for row in self.file.classes:
            self.made.titles[row.id] = row.title
            own = known.get(row.id)
            if row.is_gone:
                self.unusable.add(row.id)
                if own is not None and _is_running(own):
                    self._close(own, row.line)
            elif own is not None and not _is_running(own):
                self.unusable.add(row.id)
                self._refuse(
                    "classes.csv",
                    row.line,
                    _("This class is in the bin. Restore it there.")
                    if own.deleted_at is not None
                    else _("This class is archived. Restore it first."),
                )
            elif own is not None:
                self.pks[row.id] = own.pk
                if own.name != row.title:
                    self._add(
                        Did.RENAMED_CLASS,
                        line=row.line,
                        classroom=row.id,
                        classroom_pk=own.pk,
                        before=own.name,
                        after=row.title,
                    )
            elif len(alike := free.get(codes.folded(row.title), [])) == 1:
                same = alike.pop()
                self.pks[row.id] = same.pk
                self._add(
                    Did.SAME_CLASS,
                    line=row.line,
                    classroom=row.id,
                    classroom_pk=same.pk,
                    after=same.name,
                )
            else:
                self.pks[row.id] = None
                self._add(Did.NEW_CLASS, line=row.line, classroom=row.id, after=row.title)
        for roster_id, own in known.items():
            if roster_id in self.made.titles or not _is_running(own):
                continue
            self.made.titles[roster_id] = own.name
            if self.file.is_delta:
                self.pks[roster_id] = own.pk
            elif self.ends:
                self._close(own, 0)
            else:
                self.made.missing_classes.append(own.name)

    def _close(self, own: Classroom, line: int) -> None:
        self._add(
            Did.CLOSED_CLASS,
            line=line,
            classroom=own.roster_id,
            classroom_pk=own.pk,
            before=own.name,
        )

    def _places(self) -> None:
        by_id = {
            value: each
            for each in self.school.people.values()
            for source, value in each.ids
            if source == _ONEROSTER
        }
        self.by_id = by_id
        rows = {row.id: row for row in self.file.people}
        for place in self.file.places:
            if place.classroom in self.unusable:
                continue
            is_known = place.person in rows or (self.file.is_delta and place.person in by_id)
            if place.classroom in self.pks and is_known:
                into = self.over if place.is_gone else self.wanted
                into[place.person][place.classroom] = place
            elif not place.is_gone:
                if place.classroom not in self.pks:
                    said = _("No class has the sourcedId “%(id)s”.") % {"id": place.classroom[:80]}
                else:
                    said = _("No person has the sourcedId “%(id)s”.") % {"id": place.person[:80]}
                self._refuse("enrollments.csv", place.line, said)

    def _people(self) -> None:
        by_number: dict[str, list[KnownPerson]] = defaultdict(list)
        by_email: dict[str, list[KnownPerson]] = defaultdict(list)
        for each in self.school.people.values():
            if each.is_student and (number := each.id_of(_NUMBER)):
                by_number[number].append(each)
            if not each.is_student and each.email and each.is_active:
                by_email[each.email.casefold()].append(each)
        # Ids come first: a row without one must not take the student whom another row means.
        claimed = {self.by_id[row.id].pk for row in self.file.people if row.id in self.by_id}
        alike: dict[str, Alike] = {}
        listed: set[int] = set()
        for row in self.file.people:
            self.rows[row.id] = row
            own = self.by_id.get(row.id)
            if own is None and row.number:
                own = self._only(by_number[row.number], claimed)
            if own is None and row.email:
                own = self._only(by_email[row.email.casefold()], claimed)
            if own is None and row.role == "student" and not row.is_gone:
                own = self._namesake(row, claimed, alike)
            if own is not None:
                claimed.add(own.pk)
                if own.pk in listed:  # two accounts that were merged
                    self.skipped.add(row.id)
                    self._refuse("users.csv", row.line, _("An earlier line is the same person."))
                    continue
                listed.add(own.pk)
            self.people[row.id] = own
            self._person(row, own)
        for place_of in (self.wanted, self.over):
            for person in place_of:
                if person not in self.rows and person not in self.people:
                    self.people[person] = self.by_id[person]
                    if self.by_id[person].is_in_bin:
                        self.skipped.add(person)

    def _only(self, found: list[KnownPerson], claimed: set[int]) -> KnownPerson | None:
        """Return who is found alone, and is not known by another id of OneRoster."""
        if len(found) != 1 or found[0].pk in claimed or found[0].id_of(_ONEROSTER):
            return None
        return found[0]

    def _namesake(
        self, row: Person, claimed: set[int], alike: dict[str, Alike]
    ) -> KnownPerson | None:
        """Return a student of one of the row's classes who has its name."""
        line = Line(row.line, row.name, row.shown, {_ONEROSTER: row.id})
        for classroom in self.wanted.get(row.id, {}):
            pk = self.pks[classroom]
            if pk is None:
                continue
            if classroom not in alike:
                members = (self.school.people.get(each) for each in self.school.roles.get(pk, {}))
                alike[classroom] = Alike(
                    Known(each.pk, each.name, True, True, sources=frozenset(dict(each.ids)))
                    for each in members
                    if each is not None and each.is_student
                )
            if found := alike[classroom].take(line, claimed):
                return self.school.people[found.pk]
        return None

    def _person(self, row: Person, own: KnownPerson | None) -> None:
        """Say what becomes of a row's account; its classes come later."""
        problem = ""
        if own is not None and row.role and own.is_student != (row.role == "student"):
            problem = _("This person has an account with another role.")
        elif own is not None and own.is_in_bin:
            problem = "" if row.is_gone else _("This student is in the bin. Restore them there.")
            self.skipped.add(row.id)
        elif own is not None and not own.is_active and not row.is_gone:
            problem = _("This account is deactivated.")
        if problem:
            self.skipped.add(row.id)
            self._refuse("users.csv", row.line, problem)
        if row.id in self.skipped:
            return
        told = {"line": row.line, "person": row.id, "role": row.role}
        if row.is_gone:
            if own is None:
                self.skipped.add(row.id)
            elif own.is_student:
                self.skipped.add(row.id)
                self._add(Did.BINNED, **told | {"role": "student"}, person_pk=own.pk)
            return
        if own is None and row.role == "student":
            self._add(Did.CREATED, **told, after=row.shown, number=row.number)
        elif own is None:
            self.skipped.add(row.id)
            if row.id not in self.school.invited:
                classes = tuple(
                    (each.classroom, each.is_primary)
                    for each in self.wanted.get(row.id, {}).values()
                )
                self._add(Did.INVITE, **told, after=row.name[:80], email=row.email, classes=classes)
        elif not own.id_of(_ONEROSTER):
            self._add(
                Did.KNOWN,
                **told,
                person_pk=own.pk,
                before=own.name,
                after=row.shown,
                number="" if own.id_of(_NUMBER) else row.number,
            )
        is_renamed = self.options.renames and own is not None and own.is_student
        if own is not None and is_renamed and not is_named(own.name, row.shown):
            self._add(Did.RENAMED, **told, person_pk=own.pk, before=own.name, after=row.shown)

    def _memberships(self) -> None:
        # Of each person the classes of the file in which they are now.
        now: dict[int, dict[str, str]] = defaultdict(dict)
        sizes: dict[str, int] = defaultdict(int)
        owners: dict[str, int] = defaultdict(int)
        for classroom, pk in self.pks.items():
            for pk_of, role in self.school.roles.get(pk or 0, {}).items():
                now[pk_of][classroom] = role
                sizes[classroom] += role == "student"
                owners[classroom] += role == "owner"
        for person, own in self.people.items():
            if person in self.skipped:
                continue
            row = self.rows.get(person)
            held = now.get(own.pk, {}) if own is not None else {}
            wanted = self.wanted.get(person, {})
            is_student = own.is_student if own is not None else True
            if row is not None and row.is_gone:
                wanted = {}
            joins = [each for each in wanted if each not in held]
            leaves = [each for each in self.over.get(person, {}) if each in held]
            if row is not None and (row.is_gone or not self.file.is_delta):
                extra = [each for each in held if each not in wanted]
                is_moved = is_student and bool(joins)
                if row.is_gone or self.ends or is_moved:
                    leaves += [each for each in extra if each not in leaves]
                elif is_student and own is not None:
                    self.made.missing_people += [
                        f"{own.name} · {self.made.titles[each]}" for each in extra
                    ]
            leaves = [each for each in leaves if each not in wanted]
            is_move = is_student and own is not None and bool(joins) and bool(leaves)
            for classroom in leaves:
                if held[classroom] == "owner":
                    if owners[classroom] < 2:
                        continue  # a class always has an owner
                    owners[classroom] -= 1
                sizes[classroom] -= is_student
                self._leave(own, person, classroom, held[classroom], is_move=is_move)
            for classroom in joins:
                place = wanted[classroom]
                if (place.role == "student") != is_student:
                    said = _("This person has an account with another role.")
                    self._refuse("enrollments.csv", place.line, said)
                    continue
                sizes[classroom] += is_student
                if is_student and sizes[classroom] > self.most_students:
                    self._refuse("enrollments.csv", place.line, _("The class is full."))
                    continue
                self._add(
                    Did.JOINED,
                    line=place.line,
                    person=person,
                    person_pk=own.pk if own is not None else None,
                    classroom=classroom,
                    classroom_pk=self.pks[classroom],
                    role=role_of(place.is_primary) if not is_student else "student",
                    is_move=is_move,
                )
        if not self.file.is_delta:
            self._missing(now)

    def _missing(self, now: dict[int, dict[str, str]]) -> None:
        """Say who is known by an id of OneRoster, but not in the file."""
        listed = {own.pk for own in self.people.values() if own is not None}
        for pk, held in now.items():
            own = self.school.people.get(pk)
            if own is None or pk in listed or not own.id_of(_ONEROSTER) or own.is_in_bin:
                continue
            for classroom, role in held.items():
                if self.ends and role != "owner":
                    self._leave(own, own.id_of(_ONEROSTER), classroom, role)
                else:
                    self.made.missing_people.append(f"{own.name} · {self.made.titles[classroom]}")

    def _leave(
        self,
        own: KnownPerson | None,
        person: str,
        classroom: str,
        role: str,
        *,
        is_move: bool = False,
    ) -> None:
        self._add(
            Did.LEFT,
            person=person,
            person_pk=own.pk if own is not None else None,
            classroom=classroom,
            classroom_pk=self.pks[classroom],
            role=role,
            is_move=is_move,
        )


def _is_running(classroom: Classroom) -> bool:
    return classroom.archived_at is None and classroom.deleted_at is None


def role_of(is_primary: bool) -> str:
    """Return the role in the class of a teacher, who may be its primary one."""
    return "owner" if is_primary else "co_teacher"
