"""The site of benchmarks.api_fuzz: the demo school, and several of everything else.

Several, because requests also delete, close and undo.
"""

from __future__ import annotations

from io import BytesIO
from typing import Any

from django.db.models import F
from PIL import Image

from osmosmjerka.accounts import people
from osmosmjerka.accounts.classrooms import joining, roster_imports
from osmosmjerka.accounts.classrooms.roster import parse_roster
from osmosmjerka.accounts.models import (
    Classroom,
    Invitation,
    JoinRequest,
    Membership,
    RosterImport,
    School,
    User,
)
from osmosmjerka.accounts.schools import invitations
from osmosmjerka.jobs import ledger
from osmosmjerka.jobs.models import Job
from puzzles.assignments import services as assignments
from puzzles.exports import FORMATS, Printing
from puzzles.making import services as making
from puzzles.management.commands.load_demo import load
from puzzles.models import Assignment, CrosswordSearch, Puzzle, WorksheetSet
from puzzles.searches import services as searches
from puzzles.worksheets import services as worksheets
from vocab.entries import bulk, pictures
from vocab.formats import EXPORTS
from vocab.imports import services as imports
from vocab.lists import services as lists
from vocab.lists import sharing
from vocab.models import BulkEdit, Import, VocabularyList

SEVERAL = 5


def fill(password: str) -> dict[str, list[Any]]:
    """Fill the site; return values that exist, by name."""
    load(password)
    ana, marko = User.objects.get(username="ana"), User.objects.get(username="marko")
    classroom = Classroom.objects.get()
    for number in range(SEVERAL):
        _make_class(number, classroom, ana, marko)
    words = VocabularyList.objects.earliest("pk")
    for number in range(SEVERAL):
        _fill_once(number, words, ana, marko, classroom)
    run_jobs()
    for import_ in Import.objects.order_by("pk")[:SEVERAL]:
        imports.apply_import(import_=import_)
    for search in CrosswordSearch.objects.all():
        searches.stop(search=search)
    for puzzle in Puzzle.objects.filter(state=Puzzle.State.READY).order_by("pk")[:SEVERAL]:
        worksheets.request_set(
            puzzle=puzzle, created_by=ana, content="versions", versions=2, printing=Printing()
        )
        run_jobs()
    return _values(password)


def _make_class(number: int, first: Classroom, ana: User, marko: User) -> None:
    """Make a class with students of its own and those of the *first* one, and what waits there."""
    made = people.create_classroom(name=f"Class {number}", owner=ana)
    made.is_join_open = True
    made.save()
    people.join_classroom(classroom=made, person=marko, role=Membership.Role.CO_TEACHER)
    for student in User.objects.filter(memberships__classroom=first, role=User.Role.STUDENT):
        people.join_classroom(classroom=made, person=student, role=Membership.Role.STUDENT)
    teacher = people.create_person(
        username=f"teacher-{number}", display_name=f"Teacher {number}", role=User.Role.TEACHER,
        school=first.school, password=None,
    )  # fmt: skip
    people.join_classroom(classroom=made, person=teacher, role=Membership.Role.VIEWER)
    for name in ("Jan", "Eva", "Noa"):
        joining.join(classroom=made, name=f"{name} {number}")
    invitations.invite(school=first.school, classroom=made, role="viewer", actor=ana)
    invitations.invite(
        school=first.school, role="teacher", actor=User.objects.get(username="ravnateljica")
    )
    roster_imports.begin(classroom=made, roster=parse_roster(f"Iva {number}"), actor=ana)
    JoinRequest.objects.create(classroom=made, name=f"Visitor {number}")


def _fill_once(
    number: int, words: VocabularyList, ana: User, marko: User, classroom: Classroom
) -> None:
    copied = sharing.copy_list(original=words, owner=ana)
    sharing.share_list(vocabulary_list=copied, teacher=marko, may_edit=True)
    for kind in ("word-search", "finder", "crossword"):
        assignments.give(
            vocabulary_list=copied, kind=kind, created_by=ana, classrooms=[classroom], seed=number
        )
        making.request_puzzle(
            vocabulary_list=words, kind=kind, created_by=ana, seed=SEVERAL + number
        )
        run_jobs()  # so that there are not too many in preparation
    for text in (f"riba{number}\tfish\n", f"sova{number}\towl\n"):
        imports.start_import(vocabulary_list=words, created_by=ana, text=text)
    entries = list(words.entries.values_list("pk", flat=True))
    bulk.change_many(
        vocabulary_list=words, person=ana, action="tag", entries=[entries[number]],
        tag=f"tag {number}",
    )  # fmt: skip
    made = BytesIO()
    Image.new("RGB", (40, 40), "red").save(made, "PNG")
    entry = words.entries.get(pk=entries[number])
    pictures.keep_picture(entry=entry, data=made.getvalue(), name="red.png")
    searches.request_search(
        vocabulary_list=words, created_by=ana, wishes={"seconds": 5, "words": 6}, seed=number
    )
    run_jobs()
    binned = lists.create_list(
        owner=ana, title=f"Old {number}", language="hr", translation_languages=["en"]
    )
    lists.delete_list(vocabulary_list=binned, actor=ana)


def run_jobs() -> None:
    """Run all jobs that wait, as a worker does."""
    while waiting := list(Job.objects.filter(state=Job.State.QUEUED).values_list("pk", flat=True)):
        for job in waiting:
            ledger.run_job(str(job))


def _values(password: str) -> dict[str, list[Any]]:
    words = VocabularyList.objects.earliest("pk")
    puzzles = Puzzle.objects.filter(state=Puzzle.State.READY)
    # First those that students play as well.
    puzzles = puzzles.order_by(F("assignments").asc(nulls_last=True), "pk")
    entries = list(words.entries.values_list("pk", flat=True))
    # Not those who ask: whose account is closed can ask nothing any more.
    teachers = User.objects.filter(role=User.Role.TEACHER).exclude(username="ana")
    students = User.objects.filter(role=User.Role.STUDENT).exclude(username="luka")
    invited = Invitation.objects.all()
    gone = VocabularyList.everything.exclude(deleted_at=None)
    return {
        "binned": list(gone.values_list("pk", flat=True)),
        "list": list(VocabularyList.objects.values_list("pk", flat=True)),
        "entry": entries[:12],
        "puzzle": list(puzzles.values_list("code", flat=True)),
        "assignment": list(Assignment.objects.values_list("pk", flat=True)),
        "class": list(Classroom.objects.values_list("pk", flat=True)),
        "import": list(Import.objects.values_list("pk", flat=True)),
        "edit": [str(pk) for pk in BulkEdit.objects.values_list("pk", flat=True)],
        "search": list(CrosswordSearch.objects.values_list("code", flat=True)),
        "worksheet set": list(WorksheetSet.objects.values_list("pk", flat=True)),
        "teacher": list(teachers.values_list("pk", flat=True)),
        "student": list(students.values_list("pk", flat=True)),
        "username": list(teachers.values_list("username", flat=True)),
        "password": [password],
        "school": list(School.objects.values_list("pk", flat=True)),
        "roster": list(RosterImport.objects.values_list("pk", flat=True)),
        "class invitation": list(invited.exclude(classroom=None).values_list("pk", flat=True)),
        "school invitation": list(invited.filter(classroom=None).values_list("pk", flat=True)),
        "export": sorted(EXPORTS),
        "format": sorted(FORMATS),
        "drawer": ["lists", "puzzles", "students", "classes"],
        "slot": ["0", "1", "2"],
        "speed": ["normal", "slow"],
        "which": ["worksheets", "solutions"],
    }
