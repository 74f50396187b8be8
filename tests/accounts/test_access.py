"""Who may see and do what; a stranger's object answers 404, as though it were not there."""

import json

import pytest

from osmosmjerka.accounts import people
from osmosmjerka.accounts.access import CLASSROOM_ACTIONS, classrooms
from osmosmjerka.accounts.models import Membership, User
from puzzles.access import puzzles, sessions
from puzzles.play import services as play
from vocab.access import LIST_ACTIONS, vocabulary_lists

Role = User.Role


@pytest.fixture
def everybody(make_person, teacher, student, stranger, school, other_school, classroom, db):
    """Return people by who they are to the class 6b of the first school."""
    co_teacher, viewer = make_person(Role.TEACHER, school), make_person(Role.TEACHER, school)
    people.join_classroom(classroom=classroom, person=co_teacher, role=Membership.Role.CO_TEACHER)
    people.join_classroom(classroom=classroom, person=viewer, role=Membership.Role.VIEWER)
    site_admin = make_person(Role.SCHOOL_ADMIN)
    site_admin.is_superuser = True
    site_admin.save()
    gone = make_person(Role.TEACHER, school)
    people.join_classroom(classroom=classroom, person=gone, role=Membership.Role.CO_TEACHER)
    gone.is_active = False
    gone.save()
    return {
        "owner": teacher,
        "co-teacher": co_teacher,
        "viewer": viewer,
        "colleague": make_person(Role.TEACHER, school),
        "student": student,
        "other student": make_person(Role.STUDENT, school),
        "school admin": make_person(Role.SCHOOL_ADMIN, school),
        "stranger": stranger,
        "strange admin": make_person(Role.SCHOOL_ADMIN, other_school),
        "site admin": site_admin,
        "gone": gone,
    }


MAY_ON_CLASS = {
    "see": {"owner", "co-teacher", "viewer", "student", "school admin", "site admin"},
    "play": {"student", "site admin"},
    "see progress": {"owner", "co-teacher", "viewer", "school admin", "site admin"},
    "assign": {"owner", "co-teacher", "school admin", "site admin"},
    "manage people": {"owner", "co-teacher", "school admin", "site admin"},
    "archive": {"owner", "school admin", "site admin"},
    "delete": {"owner", "school admin", "site admin"},
}


@pytest.mark.parametrize("action", sorted(CLASSROOM_ACTIONS))
def test_who_may_do_what_with_a_class(action, everybody, classroom):
    may = {who for who, person in everybody.items() if classroom in classrooms(person, action)}
    assert may == MAY_ON_CLASS[action]


COLLEAGUES = {"owner", "co-teacher", "viewer", "colleague", "school admin", "site admin"}
TEACHERS = COLLEAGUES | {"stranger", "strange admin"}
MAY_ON_LIST = {
    ("private", "see"): {"owner", "school admin", "site admin"},
    ("private", "make puzzles"): {"owner", "school admin", "site admin"},
    ("school", "see"): COLLEAGUES,
    ("school", "make puzzles"): COLLEAGUES,
    ("public", "see"): TEACHERS,
    ("public", "make puzzles"): TEACHERS,
    **{
        (level, action): {"owner", "site admin"}
        for level in ("private", "school", "public")
        for action in ("edit", "share", "move out")
    },
    **{
        (level, "delete"): {"owner", "school admin", "site admin"}
        for level in ("private", "school", "public")
    },
}


@pytest.mark.parametrize("visibility", ["private", "school", "public"])
@pytest.mark.parametrize("action", sorted(LIST_ACTIONS))
def test_who_may_do_what_with_a_list(visibility, action, everybody, animals):
    animals.visibility = visibility
    animals.save()
    may = {who for who, p in everybody.items() if animals in vocabulary_lists(p, action)}
    assert may == MAY_ON_LIST[visibility, action]


MAY_ON_PUZZLE = {
    "manage": {"owner", "site admin"},
    "see": {"owner", "co-teacher", "viewer", "school admin", "site admin"},
    "play": {"owner", "co-teacher", "viewer", "student", "school admin", "site admin"},
}


@pytest.mark.parametrize("action", sorted(MAY_ON_PUZZLE))
def test_who_may_do_what_with_a_puzzle(action, everybody, make_puzzle):
    puzzle = make_puzzle()
    may = {who for who, person in everybody.items() if puzzle in puzzles(person, action)}
    assert may == MAY_ON_PUZZLE[action]


def test_who_may_follow_a_students_session(everybody, make_puzzle, student):
    session = play.open_session(puzzle=make_puzzle(), student=student)
    may = {who for who, person in everybody.items() if session in sessions(person)}
    assert may == {"owner", "co-teacher", "viewer", "student", "school admin", "site admin"}


def test_a_teacher_of_another_class_of_the_student_does_not_follow_this_one(
    make_person, make_puzzle, school, student
):
    other = make_person(Role.TEACHER, school)
    second = people.create_classroom(name="chess", owner=other)
    people.join_classroom(classroom=second, person=student, role=Membership.Role.STUDENT)
    session = play.open_session(puzzle=make_puzzle(), student=student)
    assert session not in sessions(other)


def test_a_student_who_joins_a_second_class_stays_in_the_first(
    make_person, school, student, classroom
):
    second = people.create_classroom(name="chess", owner=make_person(Role.TEACHER, school))
    people.join_classroom(classroom=second, person=student, role=Membership.Role.STUDENT)
    people.join_classroom(classroom=second, person=student, role=Membership.Role.OWNER)
    assert set(classrooms(student, "see")) == {classroom, second}
    assert student.memberships.get(classroom=second).role == Membership.Role.STUDENT


def test_a_student_with_a_teachers_place_in_a_class_gains_nothing_by_it(student, classroom):
    student.memberships.update(role=Membership.Role.OWNER)
    assert not classrooms(student, "see progress").exists()


def test_pages_and_api_answer_404_to_a_stranger(sign_in, stranger, animals, classroom, make_puzzle):
    puzzle = make_puzzle()
    client = sign_in(stranger)
    for method, path in [
        ("get", f"/lists/{animals.pk}/"),
        ("post", f"/lists/{animals.pk}/"),
        ("post", f"/lists/{animals.pk}/delete/"),
        ("get", f"/lists/{animals.pk}/puzzles/new/"),
        ("get", f"/classes/{classroom.pk}/"),
        ("get", f"/classes/{classroom.pk}/pupils/new/"),
        ("get", f"/puzzles/{puzzle.code}/"),
        ("get", f"/puzzles/{puzzle.code}/progress/"),
        ("post", f"/puzzles/{puzzle.code}/assign/"),
        ("get", f"/play/{puzzle.code}/"),
        ("get", f"/api/lists/{animals.pk}/"),
        ("patch", f"/api/lists/{animals.pk}/"),
        ("delete", f"/api/lists/{animals.pk}/"),
        ("get", f"/api/puzzles/{puzzle.code}/"),
        ("delete", f"/api/puzzles/{puzzle.code}/"),
        ("get", f"/api/play/{puzzle.code}/"),
        ("post", f"/api/play/{puzzle.code}/finish/"),
        ("put", f"/api/play/{puzzle.code}/draft/"),
        ("get", f"/api/play/{puzzle.code}/sound/{puzzle.placements.first().slot}/"),
    ]:
        body = {"cells": {}} if path.endswith("draft/") else {}
        reply = getattr(client, method)(
            path,
            **({} if method == "get" else {"data": json.dumps(body)}),
            **({} if method == "get" else {"content_type": "application/json"}),
        )
        assert reply.status_code == 404, (method, path)


@pytest.mark.parametrize("path", ["/lists/", "/lists/new/", "/classes/", "/classes/new/"])
def test_teachers_pages_do_not_exist_for_a_student(path, sign_in, student):
    assert sign_in(student).get(path).status_code == 404


def test_who_is_not_logged_in_is_sent_to_the_login_page(client, make_puzzle):
    puzzle = make_puzzle()
    reply = client.get(f"/play/{puzzle.code}/")
    assert reply.status_code == 302
    assert reply.url == f"/login/?next=/play/{puzzle.code}/"
    assert client.get("/api/puzzles/").status_code in {401, 403}


def test_a_student_needs_neither_e_mail_nor_real_name(classroom):
    pupil = people.create_student(
        classroom=classroom, display_name="Bumblebee", username="bee-12", password="honey-comb"
    )
    assert (pupil.email, pupil.role) == ("", Role.STUDENT)
    assert str(pupil) == pupil.get_full_name() == pupil.get_short_name() == "Bumblebee"


def test_a_class_needs_a_school(make_person):
    with pytest.raises(ValueError, match="no school"):
        people.create_classroom(name="x", owner=make_person(Role.TEACHER, None))
