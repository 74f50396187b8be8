"""Erasing and merging concern the one account that was meant, wherever it is, and nobody else."""

import dataclasses
import io
import json
import zipfile

import pytest
from django.contrib.admin.models import CHANGE, LogEntry
from django.contrib.contenttypes.models import ContentType

from osmosmjerka.accounts import audit, people
from osmosmjerka.accounts.auth import cards, tokens
from osmosmjerka.accounts.bin import services as bin
from osmosmjerka.accounts.models import (
    ApiToken,
    AuditEntry,
    BrowserSession,
    Classroom,
    ExternalId,
    JoinRequest,
    Membership,
    RosterImport,
    RosterLine,
    School,
    User,
)
from osmosmjerka.accounts.privacy import services as privacy
from osmosmjerka.jobs.models import Job
from puzzles.assignments import services as assignments
from puzzles.models import Puzzle
from puzzles.practice import services as practice
from tests.accounts.bin.test_bin import whole_house
from tests.accounts.privacy.test_privacy import SQLITE_ONLY
from tests.puzzles.practice.test_practice import find_all, made, remember

pytestmark = [pytest.mark.django_db, pytest.mark.database]
STUDENT = User.Role.STUDENT


def join(classroom, *persons, role="student"):
    for person in persons:
        people.join_classroom(classroom=classroom, person=person, role=role)


def is_there(person):
    return User.objects.filter(pk=person.pk).exists()


def is_in_bin(person):
    return User.objects.filter(pk=person.pk, is_active=False).exclude(deleted_at=None).exists()


def logged(action):
    return AuditEntry.objects.filter(action=action)


@pytest.fixture
def twin(make_person, school, classroom):
    """A second account of the student, in the same class."""
    twin = make_person(STUDENT, school, "luka-2")
    join(classroom, twin)
    return twin


# Erasing a class.


def test_with_a_class_only_students_go_who_are_in_no_other(
    classroom, student, teacher, make_person, school, other_school
):
    """Not a guest of another school, nor who is in a class that may come back, nor a teacher."""
    chess, binned, foreign = (
        people.create_classroom(name=name, owner=teacher, school=of)
        for name, of in (("chess", school), ("old", school), ("foreign", other_school))
    )
    of_two, of_binned, deleted, also, of_none = (make_person(STUDENT, school) for _each in range(5))
    guest, viewer = make_person(STUDENT, other_school), make_person(User.Role.TEACHER, school)
    join(classroom, of_two, of_binned, deleted, guest, also)
    join(classroom, viewer, role="viewer")
    join(chess, of_two)
    join(binned, of_binned)
    join(foreign, guest)
    bin.put(binned, teacher)
    privacy.delete_student(person=deleted, actor=teacher)
    assert privacy.erase_classroom(classroom=classroom, actor=teacher) == 2
    assert not Classroom.everything.filter(name="6b").exists()
    there = {person.pk for person in (teacher, viewer, of_two, of_binned, deleted, guest, of_none)}
    assert set(User.objects.values_list("pk", flat=True)) == there
    [entry] = logged("erased class")
    assert (entry.actor_id, entry.school, entry.detail) == (teacher.pk, school, {"students": 2})
    assert entry.subject_id is not None
    assert {each.subject_id for each in logged("erased person")} == {student.pk, also.pk}


def test_a_guest_of_another_school_stays_although_they_are_in_no_other_class(
    classroom, teacher, student, make_person, other_school
):
    guest = make_person(STUDENT, other_school)
    join(classroom, guest)
    assert privacy.erase_classroom(classroom=classroom, actor=teacher) == 1
    assert is_there(guest)
    assert not is_there(student)


def test_who_has_a_students_place_but_is_a_teacher_now_stays(classroom, teacher, student):
    student.role = User.Role.TEACHER
    student.save()
    assert privacy.erase_classroom(classroom=classroom, actor=teacher) == 0
    assert is_there(student)


def test_a_teachers_place_elsewhere_is_no_other_class_of_a_student(
    classroom, teacher, student, school
):
    chess = people.create_classroom(name="chess", owner=teacher)
    join(chess, student, role="viewer")
    assert privacy.erase_classroom(classroom=classroom, actor=teacher) == 1
    assert not is_there(student)


# Deleting a student.


def delete_student(student, twin, classroom, actor):
    privacy.delete_student(person=student, actor=actor)


def erase_person(student, twin, classroom, actor):
    privacy.erase_person(person=student, actor=actor)


def erase_classroom(student, twin, classroom, actor):
    privacy.erase_classroom(classroom=classroom, actor=actor)


def merge_students(student, twin, classroom, actor):
    privacy.merge_students(kept=student, gone=twin, actor=actor)


def test_a_student_is_deleted_once_and_a_teacher_never(student, teacher, school):
    with pytest.raises(ValueError, match="no student"):
        privacy.delete_student(person=teacher, actor=teacher)
    assert is_there(teacher)
    for _time in range(2):
        privacy.delete_student(person=student, actor=teacher)
    [entry] = logged("deleted person")
    assert (entry.actor_id, entry.subject_id, entry.school) == (teacher.pk, student.pk, school)
    student.refresh_from_db()
    assert (student.is_active, student.deleted_by) == (False, teacher)


def test_a_card_of_a_deleted_student_is_worth_nothing_even_to_a_program(
    student, teacher, classroom, sign_in, client
):
    card = cards.issue_cards(students=[student], actor=teacher, classroom=classroom)[0]
    pupil = sign_in(student)
    privacy.delete_student(person=student, actor=teacher)
    assert pupil.get("/words/").status_code == 302
    client.post("/card/", {"token": card.token})
    assert client.get("/words/").status_code == 302


def test_whoever_is_deleted_is_logged_out_everywhere(student, teacher, sign_in):
    tokens.create(person=student, scope="play")
    sign_in(student).get("/")
    assert BrowserSession.objects.filter(user=student).exists()
    privacy.delete_student(person=student, actor=teacher)
    assert not ApiToken.objects.exists()
    assert not BrowserSession.objects.filter(user=student).exists()


@pytest.mark.parametrize(
    ("deed", "last"),
    [
        (delete_student, "deleted person"),
        (erase_person, "erased person"),
        (erase_classroom, "erased class"),
        (merge_students, "merged pupil"),
    ],
)
def test_what_fails_halfway_has_done_nothing(
    deed, last, student, twin, teacher, classroom, animals, monkeypatch
):
    remember(twin, animals.entries.first(), 1)
    record = audit.record

    def fail(actor, action, subject, **about):
        if action == last:
            raise RuntimeError("the disk is full")
        record(actor, action, subject, **about)

    before = whole_house()
    monkeypatch.setattr(audit, "record", fail)
    with pytest.raises(RuntimeError):
        deed(student, twin, classroom, teacher)
    assert whole_house() == before
    monkeypatch.undo()
    deed(student, twin, classroom, teacher)
    assert whole_house() != before


def test_the_log_still_says_what_was_done_with_an_account_that_is_erased(
    student, teacher, classroom
):
    """By its number, which leads to nobody."""
    cards.issue_cards(students=[student], actor=teacher, classroom=classroom)
    pk = student.pk
    privacy.erase_person(person=student, actor=teacher)
    assert {entry.action for entry in AuditEntry.objects.filter(subject_id=pk)} >= {
        "issued card",
        "erased person",
    }


@pytest.mark.parametrize("deed", [erase_person, erase_classroom])
def test_what_is_erased_is_erased_although_the_database_cannot_tidy_up(
    deed, transactional_db, student, twin, classroom, teacher, monkeypatch
):
    def fail():
        raise RuntimeError("the disk is full")

    monkeypatch.setattr(privacy, "forget_traces", fail)
    deed(student, twin, classroom, teacher)
    assert not is_there(student)


# Merging two accounts.


def test_a_student_is_not_merged_with_themselves_or_with_a_teacher(student, teacher, classroom):
    for kept, gone in ((student, student), (student, teacher), (teacher, student)):
        with pytest.raises(ValueError, match="Two different students"):
            privacy.merge_students(kept=kept, gone=gone, actor=teacher)
    assert is_there(student) and is_there(teacher)


def test_a_merged_account_brings_its_classes_and_its_number_of_the_school(
    student, twin, teacher, school, make_person, sign_in
):
    chess, foreign = (
        people.create_classroom(name=name, owner=teacher) for name in ("chess", "foreign")
    )
    other = make_person(STUDENT, school)
    join(chess, twin)
    join(foreign, other)
    for person, value in ((twin, "s1"), (other, "s2")):
        ExternalId.objects.create(school=school, user=person, source="oneroster", value=value)
    sign_in(teacher).post(f"/pupils/{student.pk}/merge/", {"username": twin.username})
    assert is_in_bin(twin)
    places = student.memberships.values_list("classroom__name", "role")
    assert set(places) == {("6b", "student"), ("chess", "student")}
    assert ExternalId.objects.get(value="s1").user == student
    assert ExternalId.objects.get(value="s2").user == other
    [entry] = logged("merged pupil")
    assert (entry.actor_id, entry.subject_id, entry.school) == (teacher.pk, student.pk, school)
    assert entry.detail == {"other": twin.pk}


@pytest.mark.parametrize("is_in_both", [False, True])
def test_a_merged_account_is_in_a_class_again_that_was_in_the_bin(
    is_in_both, student, twin, teacher, sign_in
):
    chess = people.create_classroom(name="chess", owner=teacher)
    join(chess, twin, *([student] if is_in_both else []))
    client = sign_in(teacher)
    client.post(f"/classes/{chess.pk}/delete/")
    client.post(f"/pupils/{student.pk}/merge/", {"username": twin.username})
    assert is_in_bin(twin)
    client.post(f"/bin/classes/{chess.pk}/restore/")
    assert "Luka" in client.get(f"/classes/{chess.pk}/people/").content.decode()
    assert Membership.objects.get(classroom=chess, user=student).role == "student"


def test_a_merged_account_brings_its_practice_of_a_list_that_is_in_the_bin(
    student, twin, teacher, animals, make_puzzle, sign_in
):
    make_puzzle()
    for entry in animals.entries.all():
        remember(twin, entry, 20, 19.99)
    own = made(practice.request_practice(student=twin, kind="word-search", size=6, seed=4))
    client = sign_in(teacher)
    client.post(f"/lists/{animals.pk}/delete/")
    client.post(f"/pupils/{student.pk}/merge/", {"username": twin.username})
    client.post(f"/bin/lists/{animals.pk}/restore/")
    assert Puzzle.objects.get(pk=own.pk).created_by == student


def test_an_assignment_for_a_merged_account_stays_for_that_student_alone(
    student, twin, teacher, classroom, make_person, school, make_puzzle, sign_in
):
    other = make_person(STUDENT, school)
    join(classroom, other)
    puzzle = make_puzzle()
    assignments.change(assignment=puzzle.assignments.get(), chosen_students=[twin])
    sign_in(teacher).post(f"/pupils/{student.pk}/merge/", {"username": twin.username})
    for person, status in ((student, 200), (other, 404)):
        assert sign_in(person).get(f"/play/{puzzle.code}/").status_code == status


@pytest.mark.parametrize("chosen", ["student", "both"])
def test_an_assignment_for_a_student_who_is_erased_does_not_become_the_whole_classs(
    chosen, student, twin, teacher, classroom, make_person, school, make_puzzle, sign_in
):
    """It is archived; one that others were chosen for too stays theirs."""
    other = make_person(STUDENT, school)
    join(classroom, other)
    puzzle = make_puzzle()
    people_ = [student] if chosen == "student" else [student, twin]
    assignments.change(assignment=puzzle.assignments.get(), chosen_students=people_)
    client = sign_in(teacher)
    client.post(f"/pupils/{student.pk}/erase/")
    client.post(f"/bin/students/{student.pk}/erase/", {"username": student.username})
    assert not is_there(student)
    for person, is_given in ((other, False), (twin, chosen == "both")):
        assert (sign_in(person).get(f"/play/{puzzle.code}/").status_code == 200) is is_given
    assert (puzzle.assignments.get().state == "archived") is (chosen == "student")


# What an export holds.


def exported(client, path="/me/data/"):
    with zipfile.ZipFile(io.BytesIO(client.post(path).content)) as archive:
        return json.loads(archive.read("data.json"))


def test_an_export_holds_only_what_the_logs_say_of_this_person(
    student, teacher, twin, make_person, school, sign_in
):
    """Things of other types can have the same number as a person."""
    other = people.create_classroom(name="other", owner=teacher)
    other.pk = student.pk
    audit.record(teacher, "changed class", other)
    audit.record(teacher, "renamed pupil", twin)
    of_people = ContentType.objects.get_for_model(User)
    of_classes = ContentType.objects.get_for_model(Classroom)
    # Who: whom. The student themselves has no admin; but an account could have been one.
    for by, kind, pk, name in (
        (teacher, of_people, student.pk, "of the student"),
        (student, of_classes, teacher.pk, "by the student"),
        (teacher, of_people, twin.pk, "of another"),
        (teacher, of_classes, student.pk, "of a class"),
    ):
        LogEntry.objects.create(
            user=by, content_type=kind, object_id=pk, object_repr=name, action_flag=CHANGE
        )
    School.objects.get_or_create(pk=student.pk)  # as for other tables, of nobody
    data = exported(sign_in(student))
    of_nobody = {label for label, of in privacy.declarations().items() if of.person is None}
    assert of_nobody.isdisjoint(data)
    assert {row["action"] for row in data["accounts.auditentry"]} == {"exported data"}
    told = {row["object_repr"] for row in data["admin.logentry"]}
    assert told == {"of the student", "by the student"}
    privacy.erase_person(person=student, actor=teacher)
    left = set(LogEntry.objects.values_list("object_repr", flat=True))
    assert left == {"of another", "of a class"}


def test_an_export_tells_of_a_puzzle_what_its_player_may_know(
    student, teacher, animals, make_puzzle, sign_in
):
    """A student's own puzzle is still to be solved; a teacher knows what they made."""
    make_puzzle()
    for entry in animals.entries.all():
        remember(student, entry, 20, 19.99)
    own = made(practice.request_practice(student=student, kind="word-search", size=6, seed=4))
    for solved in (False, True):
        [told] = exported(sign_in(student))["puzzles.puzzle"]
        assert told["code"] == own.code
        for name in ("grid", "seed", "entries", "unplaced", "reason"):
            assert (told[name] == "(not told yet)") is not solved, name
        met = exported(sign_in(student))["vocab.review"]
        assert ("(not told yet)" in {row["entry__term"] for row in met}) is not solved
        if not solved:
            find_all(own, student)
    for told in exported(sign_in(teacher))["puzzles.puzzle"]:
        assert "(not told yet)" not in told.values()


@pytest.mark.parametrize("state", ["queued", "running", "done", "failed"])
def test_an_export_tells_no_result_of_a_job(state, student, monkeypatch):
    """What a search has so far are the answers of a puzzle that is still being made."""
    Job.objects.create(
        kind="test", key="test", owner=student, state=state, arguments={"puzzle": 7},
        result={"words": ["krokodil"], "best": {"grid": [["K", "R"]]}},
    )  # fmt: skip

    def exported():
        (job,) = privacy.personal_data(student)["jobs.job"]
        return job["result"]

    assert exported() == privacy.WITHHELD
    declared = privacy.declarations()["jobs.job"]
    monkeypatch.setitem(privacy._declared, "jobs.job", dataclasses.replace(declared, secret=()))
    assert "krokodil" in str(exported()), "the control"


def test_no_export_holds_what_lets_somebody_in(student, teacher, classroom, sign_in):
    cards.issue_cards(students=[student], actor=teacher, classroom=classroom)
    data = exported(sign_in(student))
    for table, names in {
        "accounts.user": ("password", "credential_stamp"),
        "accounts.logincard": ("token_hash", "words_hash", "pictures_hash"),
        "accounts.browsersession": ("session_key", "session_data"),
    }.items():
        for name in names:
            assert {row[name] for row in data[table]} == {"(kept secret)"}, name


def test_an_account_is_no_deed_and_a_review_is_one(
    student, teacher, school, animals, classroom, sign_in
):
    """What others noted of a student, and how the student logs in, is nothing they did."""
    sign_in(student).get("/")
    cards.issue_cards(students=[student], actor=teacher, classroom=classroom)
    tokens.create(person=student, scope="play")
    ExternalId.objects.create(school=school, user=student, source="oneroster", value="s1")
    JoinRequest.objects.create(classroom=classroom, name="Luka", student=student)
    roster = RosterImport.objects.create(classroom=classroom, created_by=student)
    RosterLine.objects.create(roster=roster, line=1, name="Luka", shown="Luka", student=student)
    assert not privacy.has_done_anything(student)
    remember(student, animals.entries.first(), 1)
    assert privacy.has_done_anything(student)


def test_an_export_holds_the_lines_of_rosters_that_are_this_students(
    student, twin, teacher, stranger, classroom, school, sign_in
):
    """Previews in their classes with their name, and those with their number of the school."""
    ExternalId.objects.create(school=school, user=student, source="oneroster", value="s1")
    ExternalId.objects.create(school=school, user=student, source="edupoint", value="77")
    chess = people.create_classroom(name="chess", owner=teacher)
    foreign = people.create_classroom(name="foreign", owner=stranger)
    number = {"oneroster": "s1"}
    for name, of, about in (
        ("preview of the class", classroom, {"shown": "LUKA"}),
        ("preview of another class", chess, {"shown": "Luka"}),
        ("preview of another name", classroom, {"shown": "Mia"}),
        ("done to another", classroom, {"shown": "Luka", "student": twin}),
        ("done to this student", chess, {"shown": "Mia", "student": student}),
        ("preview with the number", chess, {"ids": number}),
        ("preview with the other number", chess, {"ids": {"edupoint": "77"}}),
        ("number in another school", foreign, {"ids": number}),
        ("number of another", chess, {"ids": number, "student": twin}),
        ("another number", chess, {"ids": {"oneroster": "s2"}}),
        ("another sort of number", chess, {"ids": {"isced": "s1"}}),
    ):
        roster = RosterImport.objects.create(classroom=of, created_by=teacher)
        RosterLine.objects.create(roster=roster, line=1, name=name, **about)
    data = exported(sign_in(student))
    theirs = {"preview of the class", "done to this student", "preview with the number",
              "preview with the other number"}  # fmt: skip
    assert {row["name"] for row in data["accounts.rosterline"]} == theirs
    lines = RosterLine.objects.count()
    privacy.erase_person(person=student, actor=teacher)
    assert RosterLine.objects.count() == lines - 4
    assert theirs.isdisjoint(RosterLine.objects.values_list("name", flat=True))


@SQLITE_ONLY
def test_only_a_busy_database_is_warned_of(transactional_db, caplog, student):
    privacy.forget_traces()
    assert not caplog.records
