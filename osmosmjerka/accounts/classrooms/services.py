"""Classes: change, archive, add students, move and rename them; for pages and the API."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from osmosmjerka.accounts import access, audit, codes
from osmosmjerka.accounts.auth.cards import PaperCard, issue_cards
from osmosmjerka.accounts.bin import services as bin
from osmosmjerka.accounts.models import (
    Classroom,
    JoinRequest,
    Membership,
    User,
    new_join_code,
)
from osmosmjerka.accounts.people import (
    clean_display_name,
    create_classroom,
    create_person,
    free_username,
    join_classroom,
    tell_apart,
    tell_students_apart,
)
from osmosmjerka.accounts.schools import invitations
from osmosmjerka.accounts.selectors import by_name, colleagues_of

MAX_STUDENTS = 300
_STUDENT, _SUBSTITUTE = Membership.Role.STUDENT, Membership.Role.SUBSTITUTE
# The roles of teachers in a class, with their names.
TEACHERS = [choice for choice in Membership.Role.choices if choice[0] != _STUDENT]


@transaction.atomic
def add_students(*, classroom: Classroom, names: Iterable[str], actor: User | None) -> list[User]:
    """Create a pseudonymous account for each display name and add it to the class."""
    names = list(names)
    refuse_when_full(classroom, len(names))  # also locks it against concurrent calls
    return [add_student(classroom=classroom, name=name, actor=actor) for name in names]


@transaction.atomic
def add_student(*, classroom: Classroom, name: str, actor: User | None) -> User:
    """Create a pseudonymous account with this display name and add it to the class."""
    username = free_username(classroom.language_of_cards)
    return _new_student(classroom, actor, display_name=name, username=username)


@transaction.atomic
def create_student(
    *,
    classroom: Classroom,
    display_name: str,
    username: str,
    password: str,
    actor: User,
) -> User:
    """Create a student's account with a password and add it to the class, which may be full."""
    refuse_when_full(classroom)
    return _new_student(
        classroom, actor, display_name=display_name, username=username, password=password
    )


def _new_student(classroom: Classroom, actor: User | None, **account: str) -> User:
    student = create_person(role=User.Role.STUDENT, school=classroom.school, **account)
    join_classroom(classroom=classroom, person=student, role=_STUDENT)
    audit.record(actor, "created pupil", student, classroom=classroom)
    return student


@transaction.atomic
def join_by_code(*, classroom: Classroom, person: User) -> Membership:
    """Add a logged-in student to one more class; the student's other classes stay."""
    refuse_when_closed(classroom)
    refuse_when_full(classroom)
    if not person.is_student:
        raise ValidationError(_("Teachers join a class by invitation, not with the class code."))
    membership = join_classroom(classroom=classroom, person=person, role=_STUDENT)
    audit.record(person, "joined class", person, classroom=classroom)
    return membership


@transaction.atomic
def join_as_new_student(*, classroom: Classroom, name: str) -> tuple[User, PaperCard]:
    """Create an account and a card for a new student who has the code of an open class."""
    refuse_when_closed(classroom)
    student = add_students(classroom=classroom, names=[name], actor=None)[0]
    card = issue_cards(students=[student], actor=None, classroom=classroom)[0]
    return student, card


def students_for_cards(
    *, classroom: Classroom, actor: User, which: str = "", chosen: Iterable[int] = ()
) -> list[User]:
    """Return the students of a class to whom *actor* may give new cards, sorted by name.

    *which* is "all", "missing" (who have no card) or "never" (who never logged in); otherwise they
    are those *chosen* by their ids. Raises `ValidationError` if there is nobody.
    """
    students = access.students(actor, "reset card").filter(
        memberships__classroom=classroom, memberships__role=_STUDENT
    )
    if which == "missing":
        students = students.filter(card=None)
    elif which == "never":
        students = students.filter(last_login=None)
    elif which != "all":
        students = students.filter(pk__in=list(chosen))
    found = sorted(students.distinct(), key=by_name())
    if not found:
        raise ValidationError(_("Choose students of your school to print cards for."))
    return found


def open_for_joining(classroom: Classroom) -> bool:
    return classroom.is_join_open and classroom.archived_at is None


@transaction.atomic
def update_classroom(
    *,
    classroom: Classroom,
    actor: User,
    name: str | None = None,
    is_join_open: bool | None = None,
    uses_pictures: bool | None = None,
    card_language: str | None = None,
    words_a_day: int | None = None,
) -> Classroom:
    """Change the class's name, how students join, their cards, and how many words they practise.

    What is None stays as it is.
    """
    wanted = {
        "name": name,
        "is_join_open": is_join_open,
        "uses_pictures": uses_pictures,
        "card_language": card_language,
        "words_a_day": words_a_day,
    }
    changes = {field: value for field, value in wanted.items() if value is not None}
    for field, value in changes.items():
        setattr(classroom, field, value)
    classroom.full_clean(exclude=["school"])
    # Nothing else: a colleague may have archived the class, or changed its code, meanwhile.
    classroom.save(update_fields=list(changes))
    if is_join_open is False:
        _end_waiting(classroom)
    audit.record(actor, "changed class", classroom)
    return classroom


@transaction.atomic
def reset_join_code(*, classroom: Classroom, actor: User) -> Classroom:
    """Give the class a new code; the old one stops working."""
    classroom.join_code = new_join_code()
    classroom.save(update_fields=["join_code"])
    _end_waiting(classroom)
    audit.record(actor, "reset class code", classroom)
    return classroom


def rename_student(*, student: User, actor: User, display_name: str) -> User:
    """Give a student another display name; raises `ValidationError` if it has no letters."""
    return restore_name(student=student, actor=actor, display_name=clean_display_name(display_name))


@transaction.atomic
def restore_name(*, student: User, actor: User, display_name: str) -> User:
    """Give a student a display name that they had before, whatever is in it."""
    student.display_name = codes.visible(display_name)
    student.full_clean(exclude=["password"])
    student.save(update_fields=["display_name"])
    tell_apart(student)
    audit.record(actor, "renamed pupil", student)
    return student


@transaction.atomic
def add_to_class(*, student: User, classroom: Classroom, actor: User) -> Membership:
    """Add a student of the school to one more of its classes; do nothing if they are there."""
    if student.school_id != classroom.school_id:
        raise ValidationError(_("Students can only be moved within their own school."))
    hold(classroom)
    there = classroom.memberships.filter(user=student).first()
    if there is not None:
        return there
    refuse_when_full(classroom)
    membership = join_classroom(classroom=classroom, person=student, role=_STUDENT)
    audit.record(actor, "added to class", student, classroom=classroom)
    return membership


@transaction.atomic
def move_students(
    *, students: Iterable[User], origin: Classroom, target: Classroom, actor: User
) -> int:
    """Move students to another class of the same school, with everything they learned."""
    if origin.school_id != target.school_id:
        raise ValidationError(_("Students can only be moved within their own school."))
    leaving = list(
        origin.memberships.filter(user__in=list(students), role=_STUDENT).select_related("user")
    )
    refuse_when_full(target, len(leaving))
    for membership in leaving:
        student = membership.user
        membership.delete()
        join_classroom(classroom=target, person=student, role=_STUDENT)
        audit.record(
            actor, "moved pupil", student, school=target.school, origin=origin.pk, target=target.pk
        )
    return len(leaving)


@transaction.atomic
def remove_member(*, membership: Membership, actor: User) -> None:
    """Remove a member from a class. The account stays; a class always keeps an owner.

    A teacher who is removed still knows the class code. It stays, because it is printed on the
    students' cards, but joining is closed until somebody opens it again.
    """
    classroom = membership.classroom
    hold(classroom)
    membership.refresh_from_db(fields=["role"])  # a colleague may have made them the only owner
    if membership.role == Membership.Role.OWNER:
        _refuse_without_owner(membership)
    membership.delete()
    if membership.role != _STUDENT:
        Classroom.objects.filter(pk=classroom.pk).update(is_join_open=False)
        invitations.withdraw_lost(person=membership.user, actor=actor)
    audit.record(actor, "removed from class", membership.user, classroom=classroom)


@transaction.atomic
def add_teacher(
    *, classroom: Classroom, person: User, role: str, actor: User, until: date | None = None
) -> Membership:
    """Add a colleague of the school to the class as a co-teacher or substitute, also until a day.

    A teacher whose last day has passed is added like anybody else.
    """
    if role not in {Membership.Role.CO_TEACHER, _SUBSTITUTE}:
        raise ValidationError(_("Choose a role."))
    if classroom.archived_at is not None:
        raise ValidationError(_("This class is archived, so nobody can be added to it."))
    until = _last_day(role, until, classroom)
    hold(classroom)
    if not colleagues_of(classroom).filter(pk=person.pk).exists():
        raise ValidationError(not_a_colleague())
    membership, _created = Membership.everything.update_or_create(
        classroom=classroom, user=person, defaults={"role": role, "until": until}
    )
    audit.record(actor, "added to class", person, classroom=classroom, role=role)
    return membership


def not_a_colleague() -> str:
    """Say why somebody cannot be added to a class as a teacher."""
    return _("Choose a teacher of your school who is not in this class.")


def _last_day(role: str, until: date | None, classroom: Classroom) -> date | None:
    """Return the last day of a place, an owner has none; raise `ValidationError` if it is past."""
    if role == Membership.Role.OWNER or until is None:
        return None
    if until < classroom.school.today():
        raise ValidationError(_("The last day is in the past."))
    return until


@transaction.atomic
def set_role(
    *, membership: Membership, role: str, actor: User, until: date | None = None
) -> Membership:
    """Make a teacher of the class its owner; or its co-teacher, substitute or viewer until a day.

    Without a day, their place lasts until somebody removes them.
    """
    teachers = dict(TEACHERS)
    hold(membership.classroom)
    membership.refresh_from_db(fields=["role"])  # a colleague may have made them the only owner
    if role not in teachers or membership.role not in teachers or membership.user.is_student:
        raise ValidationError(
            _("Teachers cannot become students of a class, or students its teachers.")
        )
    if membership.role == Membership.Role.OWNER and role != Membership.Role.OWNER:
        _refuse_without_owner(membership)
    membership.role, membership.until = role, _last_day(role, until, membership.classroom)
    membership.save(update_fields=["role", "until"])
    invitations.withdraw_lost(person=membership.user, actor=actor)
    audit.record(actor, "changed role", membership.user, classroom=membership.classroom, role=role)
    return membership


@transaction.atomic
def archive_classroom(*, classroom: Classroom, actor: User) -> bool:
    """Archive the class: nobody joins, students no longer see its puzzles, teachers still do.

    Return whether this call did it. Of two concurrent calls, one does.
    """
    now = timezone.now()
    is_first = Classroom.objects.filter(pk=classroom.pk, archived_at=None).update(
        archived_at=now, is_join_open=False
    )
    if is_first:
        classroom.archived_at, classroom.is_join_open = now, False
        open_ones = invitations.still_open().filter(classroom=classroom)
        invitations.withdraw_all(open_ones, actor=actor)
        _end_waiting(classroom)
        audit.record(actor, "archived class", classroom)
    return bool(is_first)


@transaction.atomic
def restore_archived(*, classroom: Classroom, actor: User) -> Classroom:
    """Take a class out of the archive: students see its puzzles again, and it is not deleted.

    Nobody can join it until that is turned on again, and its invitations stay withdrawn. Raises
    `ValidationError` if it is not archived.
    """
    archived = Classroom.objects.exclude(archived_at=None).filter(pk=classroom.pk)
    if not archived.update(archived_at=None, erasure_warned_at=None, erasure_seen_at=None):
        raise ValidationError(_("This class is not archived."))
    classroom.refresh_from_db(fields=["archived_at", "erasure_warned_at", "erasure_seen_at"])
    tell_students_apart(classroom)
    audit.record(actor, "restored archived class", classroom)
    return classroom


@transaction.atomic
def delete_classroom(*, classroom: Classroom, actor: User) -> None:
    """Put a class into the bin. Its students keep their accounts and what they learned."""
    if bin.put(classroom, actor):
        audit.record(actor, "deleted class", classroom)


def erase_deleted_classroom(classroom: Classroom, actor: User | None) -> None:
    """Remove a class of the bin for good; its students stay."""
    audit.record(actor, "erased class", classroom)
    classroom.delete()


@transaction.atomic
def start_next_year(*, classroom: Classroom, name: str, actor: User) -> Classroom:
    """Archive the class and create the next one with the same teachers and students.

    Substitutes and who has a last day stay behind: they were asked for some days of this year.
    """
    if not archive_classroom(classroom=classroom, actor=actor):
        raise ValidationError(_("This class is already archived."))
    memberships = list(classroom.memberships.filter(user__is_active=True).select_related("user"))
    owner = next((m.user for m in memberships if m.role == Membership.Role.OWNER), actor)
    following = create_classroom(name=name, owner=owner, school=classroom.school, actor=actor)
    following.uses_pictures = classroom.uses_pictures
    following.card_language = classroom.card_language
    following.words_a_day = classroom.words_a_day
    following.save(update_fields=["uses_pictures", "card_language", "words_a_day"])
    for membership in memberships:
        if membership.role == _SUBSTITUTE or membership.until is not None:
            continue
        join_classroom(classroom=following, person=membership.user, role=membership.role)
    return following


def _end_waiting(classroom: Classroom) -> None:
    """Send away who waits to be let in."""
    classroom.join_requests.filter(state=JoinRequest.State.WAITING).delete()


def refuse_when_closed(classroom: Classroom) -> None:
    """Raise `ValidationError` unless students can join the class with its code now."""
    if not open_for_joining(classroom):
        raise ValidationError(_("You cannot join this class right now. Ask your teacher."))


def refuse_when_full(classroom: Classroom, more: int = 1) -> None:
    """Lock the class; raise `ValidationError` if it has no place for so many more students."""
    hold(classroom)
    if classroom.memberships.filter(role=_STUDENT).count() + more > MAX_STUDENTS:
        raise ValidationError(
            ngettext(
                "A class can have at most %(limit)s student.",
                "A class can have at most %(limit)s students.",
                MAX_STUDENTS,
            )
            % {"limit": MAX_STUDENTS}
        )


def _refuse_without_owner(membership: Membership) -> None:
    """Raise `ValidationError` for the only owner of a class, which is held."""
    others = membership.classroom.memberships.filter(role=Membership.Role.OWNER)
    if not others.exclude(pk=membership.pk).exists():
        raise ValidationError(_("A class needs an owner. Make someone else the owner first."))


def hold(classroom: Classroom) -> Classroom:
    """Lock the members of a class until this transaction ends; return the class as it is now."""
    return Classroom.objects.select_for_update().get(pk=classroom.pk)
