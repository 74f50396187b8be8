"""Rosters: read into a preview, add what the preview promised, undo it for 30 days."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import timedelta

from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from osmosmjerka.accounts import access, codes
from osmosmjerka.accounts.classrooms import services as classes
from osmosmjerka.accounts.classrooms.roster import Line, Roster
from osmosmjerka.accounts.classrooms.roster_plan import Id, Item, Known, fingerprint, plan
from osmosmjerka.accounts.models import (
    Classroom,
    ExternalId,
    Membership,
    RosterImport,
    RosterLine,
    User,
)
from osmosmjerka.accounts.privacy import services as privacy
from osmosmjerka.accounts.selectors import by_name

UNDO = timedelta(days=30)
# A preview holds full names that nobody has decided to keep.
PREVIEW = timedelta(days=1)
_STUDENT = Membership.Role.STUDENT
_Did = RosterLine.Did


class PreviewChanged(Exception):
    """The class or school has changed since the preview: adding would not do what it says."""


@dataclass(frozen=True, slots=True)
class Preview:
    """What adding would do. *missing* are students of the class who are not in the file."""

    items: list[Item]
    missing: list[str]
    mark: str

    @property
    def counts(self) -> dict[str, int]:
        """Return how many lines have each outcome."""
        return dict(Counter(item.outcome for item in self.items))


@dataclass(slots=True)
class Undone:
    """How many accounts undoing deleted, and the names of who was treated otherwise."""

    deleted: int = 0
    taken_out: list[str] = field(default_factory=list)
    elsewhere: list[str] = field(default_factory=list)
    renamed: list[str] = field(default_factory=list)


@transaction.atomic
def begin(*, classroom: Classroom, roster: Roster, actor: User) -> RosterImport:
    """Save what was read as a preview; nobody is added yet."""
    made = RosterImport.objects.create(
        classroom=classroom,
        created_by=actor,
        ignored_columns=roster.ignored_columns,
        file_classes=roster.classes,
        file_class=_class_of_file(classroom, roster),
        lists_everybody=roster.lists_everybody,
    )
    RosterLine.objects.bulk_create(
        RosterLine(
            roster=made,
            line=line.number,
            name=line.name,
            shown=line.shown,
            ids=line.ids,
            file_classes=list(line.classes),
            problem=line.problem,
        )
        for line in roster.lines
    )
    return made


def _class_of_file(classroom: Classroom, roster: Roster) -> str:
    """Return the id of the only class in the file, or of the only one with the class's name."""
    titles = roster.classes
    wanted = codes.folded(classroom.name)
    fitting = [each for each in titles if codes.folded(titles[each]) == wanted]
    for found in (list(titles), fitting):
        if len(found) == 1:
            return found[0]
    return ""


def choose_class(*, roster: RosterImport, chosen: str) -> None:
    """Choose which class of a OneRoster file is added."""
    if chosen not in roster.file_classes:
        raise ValidationError(_("Choose a class from the file."))
    RosterImport.objects.filter(pk=roster.pk, state=RosterImport.State.WAITING).update(
        file_class=chosen
    )


def preview(*, roster: RosterImport, actor: User) -> Preview:
    """Return what adding the roster to its class would do now."""
    lines = [
        Line(each.line, each.name, each.shown, each.ids, tuple(each.file_classes), each.problem)
        for each in roster.lines.all()
        if not roster.file_classes or roster.file_class in each.file_classes
    ]
    members, by_id = _known(class_of(roster), lines, actor)
    items = plan(lines, members=members, by_id=by_id)
    found = {item.student for item in items}
    missing = [member.name for member in members if member.pk not in found]
    return Preview(items, missing if roster.lists_everybody else [], fingerprint(items))


def _known(
    classroom: Classroom, lines: Iterable[Line], actor: User
) -> tuple[list[Known], dict[Id, Known]]:
    """Return the class's students by name, and students by the ids of the lines."""
    places = classroom.memberships.filter(role=_STUDENT).select_related("user")
    people = {place.user_id: place.user for place in places}
    inside = set(people)
    values = {value for line in lines for value in line.ids.values()}
    theirs = ExternalId.objects.filter(school=classroom.school_id).filter(
        Q(value__in=values) | Q(user__in=inside)
    )
    found: dict[int, dict[str, str]] = {}
    for external in theirs.select_related("user"):
        people.setdefault(external.user_id, external.user)
        found.setdefault(external.user_id, {})[external.source] = external.value
    reached = set(
        access.students(actor, "add to class").filter(pk__in=people).values_list("pk", flat=True)
    )
    known = {
        pk: Known(
            pk,
            person.display_name,
            is_in_class=pk in inside,
            may_change=pk in reached,
            is_in_bin=person.deleted_at is not None,
            sources=frozenset(found.get(pk, ())),
        )
        for pk, person in people.items()
    }
    members = [known[person.pk] for person in sorted(people.values(), key=by_name())]
    return (
        [member for member in members if member.is_in_class],
        {each: known[pk] for pk, ids in found.items() for each in ids.items()},
    )


@transaction.atomic
def add(*, roster: RosterImport, actor: User, mark: str, choices: Mapping[int, str]) -> list[User]:
    """Do what the preview with this *mark* says; return the new students.

    *choices* answer for lines, by their numbers; see `roster_plan.CHOICES`. Raises `PreviewChanged`
    if the class has changed since, and `ValidationError` if it would be too large.
    """
    classes.hold(class_of(roster))
    roster = RosterImport.objects.select_related("classroom__school").get(pk=roster.pk)
    if roster.state != RosterImport.State.WAITING:
        raise PreviewChanged
    seen = preview(roster=roster, actor=actor)
    if seen.mark != mark:
        raise PreviewChanged
    todo = [(item, _chosen(item, choices)) for item in seen.items]
    joining = sum(did in (_Did.CREATED, _Did.JOINED) for _item, did in todo)
    classes.refuse_when_full(class_of(roster), joining)
    ids = {line.line: line.ids for line in roster.lines.all()}
    roster.lines.all().delete()
    made = []
    for item, did in todo:
        student = _carry_out(roster, item, did, actor)
        if student is not None:
            _save_ids(roster, student, ids[item.line])
            if did == _Did.CREATED:
                made.append(student)
    RosterImport.objects.filter(pk=roster.pk).update(
        state=RosterImport.State.ADDED, added_at=timezone.now(), file_classes={}, file_class=""
    )
    return made


def _chosen(item: Item, choices: Mapping[int, str]) -> str:
    """Return what is to be done for a line, after the teacher's choice."""
    choice = choices.get(item.line, "")
    choice = choice if choice in item.choices else next(iter(item.choices), "")
    if item.outcome == "new" or choice == "other":
        return _Did.CREATED
    if item.outcome == "returning":
        return _Did.JOINED
    return _Did.RENAMED if choice == "rename" else _Did.NOTHING


def _carry_out(roster: RosterImport, item: Item, did: str, actor: User) -> User | None:
    """Create, add or rename the student of a line; return them, or None if there is nobody."""
    before = ""
    if did == _Did.CREATED:
        student = classes.add_student(classroom=class_of(roster), name=item.name, actor=actor)
    elif item.student is None:
        return None
    else:
        student = User.objects.get(pk=item.student)
        before = student.display_name
        if did == _Did.JOINED:
            classes.add_to_class(student=student, classroom=class_of(roster), actor=actor)
        elif did == _Did.RENAMED:
            classes.rename_student(student=student, actor=actor, display_name=item.name)
    if did != _Did.NOTHING:
        RosterLine.objects.create(
            roster=roster,
            line=item.line,
            student=student,
            did=did,
            before=before,
            after=student.display_name,
        )
    return student


def _save_ids(roster: RosterImport, student: User, ids: Mapping[str, str]) -> None:
    for source, value in ids.items():
        ExternalId.objects.get_or_create(
            school=class_of(roster).school,
            source=source,
            value=value,
            defaults={"user": student, "roster": roster},
        )


@transaction.atomic
def add_at_once(
    *, classroom: Classroom, roster: Roster, actor: User, choices: Mapping[int, str]
) -> tuple[RosterImport, list[Item]]:
    """Add the students of a roster without showing a preview; return what was done line by line.

    The outcomes of the lines are those of a preview, with the students who were created. Raises
    `ValidationError` if the class would be too large.
    """
    classes.hold(classroom)
    made = begin(classroom=classroom, roster=roster, actor=actor)
    seen = preview(roster=made, actor=actor)
    add(roster=made, actor=actor, mark=seen.mark, choices=choices)
    created = dict(made.lines.exclude(student=None).values_list("line", "student"))
    return made, [
        replace(item, student=created.get(item.line, item.student)) for item in seen.items
    ]


def class_of(roster: RosterImport) -> Classroom:
    """Return the class of a roster. Raises ValueError if it is of a whole school."""
    if roster.classroom is None:
        raise ValueError(f"{roster} is of a school, not of a class.")
    return roster.classroom


def discard(*, roster: RosterImport) -> None:
    """Delete a preview, of a class or a school."""
    RosterImport.objects.filter(pk=roster.pk, state=RosterImport.State.WAITING).delete()


def undoable(classroom: Classroom) -> QuerySet[RosterImport]:
    """Return what was added to the class in the last 30 days, newest first.

    A file with nothing new changed nothing, so there is nothing to undo.
    """
    has_changed = Exists(RosterLine.objects.filter(roster=OuterRef("pk"))) | Exists(
        ExternalId.objects.filter(roster=OuterRef("pk"))
    )
    return classroom.rosters.filter(
        has_changed, state=RosterImport.State.ADDED, added_at__gt=timezone.now() - UNDO
    ).order_by("-added_at", "-pk")


@transaction.atomic
def undo(*, roster: RosterImport, actor: User) -> Undone:
    """Remove the students who were added and give back the names that were changed.

    Accounts that the roster created are deleted if nobody has used them; others stay. Names that
    were changed again since stay. Raises `ValidationError` if it is undone already or too old.
    """
    classroom = class_of(roster)
    classes.hold(classroom)
    if not undoable(classroom).filter(pk=roster.pk).exists():
        raise ValidationError(_("This can no longer be undone."))
    done = Undone()
    for line in list(roster.lines.select_related("student")):
        student = line.student
        if student is None:
            continue
        if line.did == _Did.RENAMED:
            if student.display_name == line.after:
                classes.restore_name(student=student, actor=actor, display_name=line.before)
                done.renamed.append(line.before)
            continue
        may_delete = line.did == _Did.CREATED and student.last_login is None
        _take_out(student, classroom, actor, done, may_delete=may_delete)
    roster.external_ids.all().delete()
    roster.lines.all().delete()
    RosterImport.objects.filter(pk=roster.pk).update(state=RosterImport.State.UNDONE)
    return done


def remove_all(*, classroom: Classroom, students: Iterable[User], actor: User) -> Undone:
    """Take students out of the class; delete the accounts that did nothing and are in no other."""
    done = Undone()
    with transaction.atomic():
        classes.hold(classroom)
        for student in students:
            _take_out(student, classroom, actor, done, may_delete=True)
    return done


def _take_out(
    student: User, classroom: Classroom, actor: User, done: Undone, *, may_delete: bool
) -> None:
    place = student.memberships.filter(classroom=classroom, role=_STUDENT).first()
    if place is None:
        done.elsewhere.append(str(student))
        return
    # A class in the bin may come back, with its students.
    is_only_here = not Membership.everything.filter(user=student).exclude(pk=place.pk).exists()
    if may_delete and is_only_here and not privacy.has_done_anything(student):
        privacy.erase_person(person=student, actor=actor)
        done.deleted += 1
        return
    classes.remove_member(membership=place, actor=actor)
    done.taken_out.append(str(student))


def purge() -> int:
    """Delete previews that nobody confirmed, and what can no longer be undone; return how many."""
    now = timezone.now()
    old = Q(state=RosterImport.State.WAITING, created_at__lt=now - PREVIEW)
    old |= Q(created_at__lt=now - UNDO - PREVIEW)
    gone, _by_model = RosterImport.objects.filter(old).delete()
    return gone
