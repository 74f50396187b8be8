"""Two people change one thing at once: a service writes what it was asked to, and nothing else.

Each service gets an object that was read before a colleague changed every other column.
"""

import io
from datetime import timedelta

import pytest
from django.core.exceptions import ValidationError
from django.db import models
from django.utils import timezone
from PIL import Image

from osmosmjerka.accounts import people
from osmosmjerka.accounts.classrooms import services as classes
from osmosmjerka.accounts.models import Classroom, Membership, School, User
from osmosmjerka.accounts.schools import services as schools
from osmosmjerka.accounts.schools import teachers
from puzzles.assignments import services as assignments
from puzzles.making import services as making
from puzzles.models import Assignment, Puzzle
from vocab.entries import pictures
from vocab.lists import services as lists
from vocab.sounds import services as sounds

pytestmark = [pytest.mark.django_db, pytest.mark.database]


def red():
    made = io.BytesIO()
    Image.new("RGB", (8, 8), "red").save(made, "PNG")
    return made.getvalue()


def another(field, value):
    """Return another value of a column that a colleague may have written; None for most keys."""
    if field.is_relation or field.unique or field.choices or field.name in UNTOUCHED:
        return None
    if isinstance(field, models.BooleanField):
        return not value
    if isinstance(field, models.DateTimeField):
        return timezone.now() - timedelta(days=3)
    if isinstance(field, models.IntegerField):
        return (value or 0) + 7
    if isinstance(field, models.FileField):
        return "media/colleague.png"
    if isinstance(field, models.EmailField):
        return "colleague@school.example"
    if isinstance(field, models.CharField | models.TextField):
        return f"{value}~"[: field.max_length]
    return None


# Some values are not free; what is in the bin is no service's any more.
UNTOUCHED = {"language", "kind", "deleted_at"}


def change_the_rest(row, asked):
    """Change every column of a row in the database that is not *asked*; return the new values."""
    told = {
        field.name: another(field, getattr(row, field.name))
        for field in row._meta.concrete_fields
        if field.name not in asked
    }
    told = {name: value for name, value in told.items() if value is not None}
    type(row)._base_manager.filter(pk=row.pk).update(**told)
    return told


def undone(row, service, asked):
    """Return the columns in which a colleague's change is lost once *service* has run."""
    told = change_the_rest(row, asked)
    assert told
    service(row)
    stored = type(row)._base_manager.get(pk=row.pk)
    return {name for name, value in told.items() if getattr(stored, name) != value}


@pytest.fixture
def rows(make_puzzle, classroom, teacher, student, animals, school, make_person):
    """Return the rows of each shared model by a name, read now."""
    puzzle = make_puzzle()
    colleague = make_person(User.Role.TEACHER, school)
    make_person(User.Role.SCHOOL_ADMIN, school)
    people.join_classroom(classroom=classroom, person=colleague, role="co_teacher")
    failed = making.request_puzzle(vocabulary_list=animals, kind="word-search", created_by=teacher)
    Puzzle.objects.filter(pk=failed.pk).update(state="failed", offer=4)
    return {
        "assignment": Assignment.objects.get(puzzle=puzzle),
        "class": classroom,
        "school": School.objects.get(pk=school.pk),
        "list": animals,
        "entry": animals.entries.first(),
        "teacher": User.objects.get(pk=colleague.pk),
        "student": User.objects.get(pk=student.pk),
        "failed puzzle": Puzzle.objects.get(pk=failed.pk),
        "membership": Membership.objects.get(user=colleague),
    }


def update_school(school):
    school.name = "New"
    schools.update_school(school=school, actor=None, changed=["name"])


def restore_class(classroom):
    Classroom.objects.filter(pk=classroom.pk).update(archived_at=timezone.now())
    classes.restore_archived(classroom=classroom, actor=None)


def update_classroom(actor):
    return lambda row: classes.update_classroom(
        classroom=row, actor=actor, name="7b", is_join_open=False, uses_pictures=False,
        card_language="pl",
    )  # fmt: skip


LATER = timezone.now() + timedelta(days=1)
SETTINGS = {"name", "is_join_open", "uses_pictures", "card_language"}
VOICE = {"voice_engine", "accent", "is_spoken_slowly", "sounds_version"}
# What is asked: the row, the service, and the columns that it is to write.
ASKED = {
    "change": ("assignment", lambda row: assignments.change(assignment=row, is_draft=True),
               {"is_draft"}),
    "schedule": ("assignment", lambda row: assignments.change(assignment=row, closes_at=LATER),
                 {"closes_at"}),
    "close": ("assignment", lambda row: assignments.close(assignment=row), {"closes_at"}),
    "archive": ("assignment", lambda row: assignments.archive(assignment=row), {"archived_at"}),
    "restore": ("assignment", lambda row: assignments.restore(assignment=row), {"archived_at"}),
    "class settings": ("class", update_classroom(None), SETTINGS),
    "class code": ("class", lambda row: classes.reset_join_code(classroom=row, actor=None),
                   {"join_code"}),
    "archive class": ("class", lambda row: classes.archive_classroom(classroom=row, actor=None),
                      {"archived_at", "is_join_open"}),
    "restore class": ("class", restore_class,
                      {"archived_at", "erasure_warned_at", "erasure_seen_at"}),
    "school": ("school", update_school, {"name"}),
    "list": ("list", lambda row: lists.update_list(vocabulary_list=row, title="New"),
             {"title", "search", "updated_at"}),
    "voice": ("list", lambda row: sounds.choose_voice(
        vocabulary_list=row, engine="", accent="", is_spoken_slowly=True), VOICE | {"updated_at"}),
    "picture": ("entry", lambda row: pictures.keep_picture(
        entry=row, data=red(), name="red.png"), {"image", "updated_at"}),
    "no picture": ("entry", lambda row: pictures.remove_picture(
        entry=row, person=row.vocabulary_list.owner), {"image", "updated_at"}),
    "rename student": ("student", lambda row: classes.rename_student(
        student=row, actor=None, display_name="New"), {"display_name"}),
    "role": ("membership", lambda row: classes.set_role(
        membership=row, role="viewer", actor=None), {"role"}),
    "school role": ("teacher", lambda row: teachers.set_school_role(
        person=row, role="school_admin", actor=None), {"role", "credential_stamp"}),
    "close account": ("teacher", lambda row: teachers.close_account(person=row, actor=None),
                      {"is_active", "credential_stamp"}),
    "open account": ("teacher", lambda row: teachers.open_account(person=row, actor=None),
                     {"is_active"}),
    "own language": ("teacher", lambda row: people.choose_language(person=row, language="pl"),
                     {"language"}),
    "own account": ("teacher", lambda row: people.change_own_account(
        person=row, display_name="New", email="new@x.example"),
                    {"display_name", "email", "credential_stamp"}),
    "fewer words": ("failed puzzle", lambda row: making.accept_fewer(puzzle=row),
                    {"settings", "state", "reason", "offer"}),
}  # fmt: skip


@pytest.mark.parametrize("what", ASKED)
def test_a_service_writes_only_what_it_was_asked_to(what, rows):
    name, service, asked = ASKED[what]
    assert undone(rows[name], service, asked) == set()


@pytest.mark.parametrize("name", ["assignment", "class", "school", "list", "entry", "student"])
def test_a_row_that_is_saved_as_a_whole_undoes_a_colleagues_change(name, rows):
    """The control."""
    assert undone(rows[name], lambda row: row.save(), {"updated_at"})


def test_what_is_archived_stays_archived_though_a_colleague_saves_the_form(
    make_puzzle, teacher, student, classroom, sign_in, monkeypatch
):
    """As on the page: read by one, archived by the other, then saved by the first."""
    assignment = make_puzzle().assignments.get()
    change = assignments.change

    def archived_meanwhile(**wanted):
        assignments.archive(assignment=Assignment.objects.get(pk=assignment.pk))
        return change(**wanted)

    monkeypatch.setattr(assignments, "change", archived_meanwhile)
    path = f"/classes/{classroom.pk}/assignments/{assignment.pk}/edit/"
    sent = {"attempts": 3, "counting": "best", "chosen_students": [student.pk]}
    assert sign_in(teacher).post(path, sent).status_code == 302
    assignment.refresh_from_db()
    assert (assignment.attempts, assignment.state) == (3, "archived")


def test_a_puzzle_that_is_merged_while_it_is_made_stays_with_its_student(
    animals, teacher, student, make_person, school, monkeypatch
):
    """The search takes seconds; what happens to the row meanwhile is not undone."""
    from osmosmjerka.jobs import ledger

    puzzle = making.request_puzzle(vocabulary_list=animals, kind="word-search", created_by=teacher)
    write = making.write_placements

    def merged_meanwhile(*arguments, **others):
        Puzzle.objects.filter(pk=puzzle.pk).update(created_by=student, title="Renamed")
        write(*arguments, **others)

    monkeypatch.setattr(making, "write_placements", merged_meanwhile)
    ledger.run_job(str(making.job_of(puzzle).pk))
    puzzle.refresh_from_db()
    assert (puzzle.state, puzzle.created_by, puzzle.title) == ("ready", student, "Renamed")


@pytest.mark.parametrize("how", ["role", "remove"])
def test_a_class_keeps_an_owner_though_the_one_who_changes_roles_read_others(
    how, classroom, teacher, school, make_person
):
    colleague = make_person(User.Role.TEACHER, school)
    people.join_classroom(classroom=classroom, person=colleague, role="co_teacher")
    stale = classroom.memberships.get(user=colleague)
    for person, role in ((colleague, "owner"), (teacher, "viewer")):
        membership = classroom.memberships.get(user=person)
        classes.set_role(membership=membership, role=role, actor=teacher)
    with pytest.raises(ValidationError, match="needs an owner"):
        if how == "role":
            classes.set_role(membership=stale, role="viewer", actor=teacher)
        else:
            classes.remove_member(membership=stale, actor=teacher)
