"""The classes and students in the bin."""

from __future__ import annotations

from django.db.models import QuerySet
from django.utils.translation import gettext_lazy as _

from osmosmjerka.accounts import access, audit
from osmosmjerka.accounts.bin import services as bin
from osmosmjerka.accounts.classrooms import services as classes
from osmosmjerka.accounts.models import Classroom, User
from osmosmjerka.accounts.people import tell_apart, tell_students_apart
from osmosmjerka.accounts.privacy import services as privacy


def register() -> None:
    bin.register(
        bin.BinSection(
            name="classes",
            label=_("Classes"),
            model=Classroom,
            rows=_classes,
            bring_back=_bring_class_back,
            erase=classes.erase_deleted_classroom,
        )
    )
    bin.register(
        bin.BinSection(
            name="students",
            label=_("Students"),
            model=User,
            rows=_students,
            bring_back=_bring_student_back,
            erase=_erase_student,
            detail=lambda student: student.username,
            erasable=_erasable_students,
            who_erases=_(
                "Only the owner of the class or a school admin can delete a student permanently "
                "before that."
            ),
            what_goes=_(
                "Everything that the student did is deleted. Their worksheets are removed from "
                "sets of worksheets; the other students keep theirs, with their solutions."
            ),
        )
    )


def _classes(person: User) -> QuerySet[Classroom]:
    return access.classrooms(person, "delete", is_binned=True)


def _bring_class_back(classroom: Classroom, actor: User) -> None:
    tell_students_apart(classroom)
    audit.record(actor, "restored class", classroom)


def _students(person: User) -> QuerySet[User]:
    return access.students(person, "erase", is_binned=True)


def _erasable_students(person: User) -> QuerySet[User]:
    return access.students(person, "erase for good", is_binned=True)


def _bring_student_back(student: User, actor: User) -> None:
    User.objects.filter(pk=student.pk).update(is_active=True)
    privacy.split_students(gone=student)
    tell_apart(student)
    audit.record(actor, "restored person", student)


def _erase_student(student: User, actor: User | None) -> None:
    privacy.erase_person(person=student, actor=actor)
