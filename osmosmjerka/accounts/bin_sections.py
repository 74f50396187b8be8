"""The classes and students in the bin."""

from __future__ import annotations

from functools import partial

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
            rows=partial(access.classrooms, action="delete", is_binned=True),
            bring_back=_bring_class_back,
            erase=classes.erase_deleted_classroom,
        )
    )
    bin.register(
        bin.BinSection(
            name="students",
            label=_("Students"),
            model=User,
            rows=partial(access.students, action="erase", is_binned=True),
            bring_back=_bring_student_back,
            erase=lambda student, actor: privacy.erase_person(person=student, actor=actor),
            detail=lambda student: student.username,
            erasable=partial(access.students, action="erase for good", is_binned=True),
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


def _bring_class_back(classroom: Classroom, actor: User) -> None:
    tell_students_apart(classroom)
    audit.record(actor, "restored class", classroom)


def _bring_student_back(student: User, actor: User) -> None:
    User.objects.filter(pk=student.pk).update(is_active=True)
    privacy.split_students(gone=student)
    tell_apart(student)
    audit.record(actor, "restored person", student)
