"""Permissions on classes, students, schools and teachers, as tables.

Pages, the API, the admin and exports all use these functions. Each returns a queryset of the
objects that the person may use. Anything else is not found (404) rather than forbidden (403), so
that nobody learns that it exists.
"""

from __future__ import annotations

from typing import Literal

from django.contrib.auth.models import AnonymousUser
from django.db.models import Exists, OuterRef, Q, QuerySet, Subquery
from django.utils import timezone

from osmosmjerka.accounts.models import Classroom, Membership, School, User

Person = User | AnonymousUser

ClassroomAction = Literal[
    "see", "play", "see progress", "lead games", "assign", "manage people", "archive", "delete"
]
StudentAction = Literal[
    "reset card", "rename", "add to class", "export", "erase", "erase for good", "merge", "view as"
]
SchoolAction = Literal["administer", "block words"]
TeacherAction = Literal["reset second step", "close account", "change role"]

_OWNER, _CO_TEACHER = Membership.Role.OWNER, Membership.Role.CO_TEACHER
_SUBSTITUTE, _VIEWER = Membership.Role.SUBSTITUTE, Membership.Role.VIEWER
_STUDENT = Membership.Role.STUDENT

# action: (roles in the class that allow it, whether it is allowed to the school's admin). A
# teacher's role allows nothing any more after its last day: see `_lasting`.
CLASSROOM_ACTIONS: dict[ClassroomAction, tuple[frozenset[str], bool]] = {
    "see": (frozenset({_OWNER, _CO_TEACHER, _SUBSTITUTE, _VIEWER, _STUDENT}), True),
    "play": (frozenset({_STUDENT}), False),
    "see progress": (frozenset({_OWNER, _CO_TEACHER, _SUBSTITUTE, _VIEWER}), True),
    "lead games": (frozenset({_OWNER, _CO_TEACHER, _SUBSTITUTE}), False),
    "assign": (frozenset({_OWNER, _CO_TEACHER}), True),
    "manage people": (frozenset({_OWNER, _CO_TEACHER}), True),
    "archive": (frozenset({_OWNER}), True),
    "delete": (frozenset({_OWNER}), True),
}


def classrooms(
    person: Person, action: ClassroomAction, *, is_binned: bool = False
) -> QuerySet[Classroom]:
    """Return the classes on which *person* may carry out *action* (a key of the table).

    With *is_binned*, return those in the bin instead, as if they were not there.
    """
    classes, members = Classroom.objects.all(), Membership.objects.all()
    if is_binned:
        classes = Classroom.everything.exclude(deleted_at=None)
        members = Membership.everything.all()
    roles, is_for_school_admin = CLASSROOM_ACTIONS[action]
    if not isinstance(person, User) or not person.is_active:
        return classes.none()
    if person.is_superuser:
        return classes
    if person.is_student:
        roles = roles & {_STUDENT}
    held = members.filter(user=person, role__in=roles)
    if roles - {_OWNER, _STUDENT}:  # who have no last day
        held = held.filter(_lasting(person))
    may = Q(pk__in=held.values("classroom"))
    if (
        is_for_school_admin
        and person.role == User.Role.SCHOOL_ADMIN
        and person.school_id is not None
    ):
        may |= Q(school_id=person.school_id)
    return classes.filter(may)


def is_offered_to_assign(person: Person) -> bool:
    """Return whether pages offer *person* to assign: a class allows it, or they have none yet."""
    if classrooms(person, "assign").filter(archived_at=None).exists():
        return True
    return not classrooms(person, "see progress").filter(archived_at=None).exists()


def _lasting(person: User) -> Q:
    """Return the condition for *person*'s places that have not ended: teachers may have a last day.

    It ends where the person's school is, at midnight.
    """
    today = person.school.today() if person.school else timezone.localdate()
    return Q(until=None) | Q(until__gte=today)


def places(person: User) -> QuerySet[Membership]:
    """Return the places that *person* has in classes now, without those that have ended."""
    held = Membership.objects.filter(user=person)
    return held if person.is_student else held.filter(_lasting(person))


def endable_places(person: User, classroom: Classroom) -> QuerySet[Membership]:
    """Return the places in a class that *person* may end.

    Who manages its people may end those of students and their own; who may archive it, all.
    """
    may = classroom_actions(person, classroom)
    held = classroom.memberships.all()
    if "archive" in may:
        return held
    if "manage people" in may:
        return held.filter(Q(role=_STUDENT) | Q(user=person))
    return held.none()


def with_roles(classes: QuerySet[Classroom], person: User) -> QuerySet[Classroom]:
    """Annotate classes with the *role* that a person has in each now, or None."""
    held = places(person).filter(classroom=OuterRef("pk")).order_by()
    return classes.annotate(role=Subquery(held.values("role")[:1]))


def classroom_actions(person: Person, classroom: Classroom) -> set[ClassroomAction]:
    """Return the actions that *person* may carry out on a class: the whole table in one query."""
    if not isinstance(person, User) or not person.is_active:
        return set()
    if person.is_superuser:
        return set(CLASSROOM_ACTIONS)
    held = places(person).filter(classroom=classroom)
    role = held.order_by().values_list("role", flat=True).first()
    if person.is_student and role != _STUDENT:
        return set()
    is_own_school = (
        person.role == User.Role.SCHOOL_ADMIN
        and person.school_id is not None
        and person.school_id == classroom.school_id
    )
    return {
        action
        for action, (roles, is_for_school_admin) in CLASSROOM_ACTIONS.items()
        if role in roles or (is_own_school and is_for_school_admin)
    }


# action: (what the teacher must be allowed to do with the student's classes, whether one of them
# is enough). If not, it must be all of them: what reveals or ends everything concerns all of the
# student's teachers. What cannot be undone is for owners, as the deletion of the class is.
STUDENT_ACTIONS: dict[StudentAction, tuple[ClassroomAction, bool]] = {
    "reset card": ("manage people", True),
    "rename": ("manage people", True),
    "add to class": ("manage people", True),
    "export": ("manage people", False),
    "erase": ("manage people", False),
    "erase for good": ("delete", False),
    "merge": ("manage people", False),
    "view as": ("manage people", False),
}

# action: the roles in the school that allow it. Site admins may do everything; nobody else may do
# any of this.
SCHOOL_ACTIONS: dict[SchoolAction, frozenset[str]] = {
    "administer": frozenset({User.Role.SCHOOL_ADMIN}),
    "block words": frozenset({User.Role.TEACHER, User.Role.SCHOOL_ADMIN}),
}

# action: whether it is allowed to the school's own admin, on its teachers. Nobody may do it to
# themselves or to a site admin.
TEACHER_ACTIONS: dict[TeacherAction, bool] = {
    "reset second step": True,
    "close account": True,
    "change role": True,
}


def students(person: Person, action: StudentAction, *, is_binned: bool = False) -> QuerySet[User]:
    """Return the students on whom *person* may carry out *action* (a key of the table).

    Teachers and school admins reach only students of their own school, even in a class that a
    student of another school has joined with its code. With *is_binned*, return those in the bin
    instead, as if they were not there.
    """
    of_class, is_one_class_enough = STUDENT_ACTIONS[action]
    everybody = User.objects.filter(role=User.Role.STUDENT, is_superuser=False)
    if is_binned:
        everybody = everybody.exclude(deleted_at=None)
    else:
        everybody = everybody.filter(is_active=True)
    if not isinstance(person, User) or not person.is_active or not person.is_teacher:
        return everybody.none()
    if person.is_superuser:
        return everybody
    if person.school_id is None:
        return everybody.none()
    everybody = everybody.filter(school_id=person.school_id)
    if person.role == User.Role.SCHOOL_ADMIN:
        return everybody
    learns_in = Membership.everything.filter(
        user=OuterRef("pk"), role=_STUDENT, classroom__deleted_at=None
    )
    managed = learns_in.filter(classroom__in=classrooms(person, of_class))
    if is_one_class_enough:
        return everybody.filter(Exists(managed))
    foreign = learns_in.exclude(classroom__in=classrooms(person, of_class))
    return everybody.filter(Exists(managed), ~Exists(foreign))


def schools(person: Person, action: SchoolAction) -> QuerySet[School]:
    """Return the schools on which *person* may carry out *action* (a key of the table)."""
    if not isinstance(person, User) or not person.is_active:
        return School.objects.none()
    if person.is_superuser:
        return School.objects.all()
    if person.role in SCHOOL_ACTIONS[action] and person.school_id:
        return School.objects.filter(pk=person.school_id)
    return School.objects.none()


def may_found_school(person: User) -> bool:
    """Return whether *person* may create a school for themselves: a site admin who has none."""
    return person.is_active and person.is_superuser and person.school_id is None


def teachers(person: Person, action: TeacherAction) -> QuerySet[User]:
    """Return the teachers on whom *person* may carry out *action* (a key of the table)."""
    everybody = User.objects.exclude(role=User.Role.STUDENT).filter(
        is_superuser=False, is_staff=False
    )
    if not isinstance(person, User) or not person.is_active:
        return everybody.none()
    everybody = everybody.exclude(pk=person.pk)
    if person.is_superuser:
        return everybody
    if TEACHER_ACTIONS[action] and person.role == User.Role.SCHOOL_ADMIN and person.school_id:
        return everybody.filter(school_id=person.school_id)
    return everybody.none()
