"""Who may see and do what; a stranger's object answers 404, as though it were not there."""

from datetime import timedelta
from typing import get_args

import pytest
from django.core.exceptions import ValidationError
from django.utils import timezone

from osmosmjerka.accounts import people
from osmosmjerka.accounts.access import (
    CLASSROOM_ACTIONS,
    STUDENT_ACTIONS,
    TEACHER_ACTIONS,
    classroom_actions,
    classrooms,
    schools,
    students,
    teachers,
)
from osmosmjerka.accounts.bin import services as bin
from osmosmjerka.accounts.classrooms import services as classes
from osmosmjerka.accounts.models import Membership, User
from osmosmjerka.accounts.privacy import services as privacy
from puzzles.access import PuzzleAction, crossword_searches, puzzles, sessions
from puzzles.assignments import services as assignments
from puzzles.making import services as making
from puzzles.play import services as play
from tests.puzzles.searches.helpers import begin_search
from vocab.access import LIST_ACTIONS, entries, imports, list_actions, vocabulary_lists
from vocab.imports import services as starting
from vocab.lists import sharing

Role = User.Role
PUZZLE_ACTIONS = get_args(PuzzleAction)


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
    "lead games": {"owner", "co-teacher", "site admin"},
    "assign": {"owner", "co-teacher", "school admin", "site admin"},
    "manage people": {"owner", "co-teacher", "school admin", "site admin"},
    "archive": {"owner", "school admin", "site admin"},
    "delete": {"owner", "school admin", "site admin"},
}


@pytest.mark.parametrize("action", sorted(CLASSROOM_ACTIONS))
def test_who_may_do_what_with_a_class(action, everybody, classroom):
    may = {who for who, person in everybody.items() if classroom in classrooms(person, action)}
    assert may == MAY_ON_CLASS[action]
    of_one = {
        who for who, person in everybody.items() if action in classroom_actions(person, classroom)
    }
    assert of_one == MAY_ON_CLASS[action]


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


@pytest.mark.parametrize("visibility", ["private", "school", "public"])
def test_all_that_one_may_do_with_a_list_is_asked_at_once(
    visibility, everybody, animals, make_person, school, other_school
):
    animals.visibility = visibility
    animals.save()
    for number, may_edit in enumerate([False, True, False, True]):
        shared_with = make_person(Role.TEACHER, (school, other_school)[number // 2])
        sharing.share_list(vocabulary_list=animals, teacher=shared_with, may_edit=may_edit)
        everybody[f"shared {number}"] = shared_with
    for who, person in everybody.items():
        by_table = {
            action for action in LIST_ACTIONS if animals in vocabulary_lists(person, action)
        }
        assert list_actions(person, animals) == by_table, who


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


ADMINS = {"school admin", "site admin"}
OF_THE_CLASS = {"owner", "co-teacher"} | ADMINS
IS_FOR_ONE_CLASS = {"reset card", "rename", "add to class"}  # what the teachers of one may do


def of_the_class(action):
    """Return who may do that with a student of this class; co-teachers, if it can be undone."""
    return OF_THE_CLASS - ({"co-teacher"} if action == "erase for good" else set())


def who_may(everybody, student, action, **bin):
    return {who for who, p in everybody.items() if student in students(p, action, **bin)}


@pytest.mark.parametrize("action", sorted(STUDENT_ACTIONS))
def test_who_may_do_what_with_a_student(action, everybody, student, make_person, school):
    colleague = everybody["colleague"]
    chess = people.create_classroom(name="chess", owner=colleague)
    theirs, of_no_class = everybody["other student"], make_person(Role.STUDENT, school)
    people.join_classroom(classroom=chess, person=theirs, role=Membership.Role.STUDENT)
    assert who_may(everybody, student, action) == of_the_class(action)
    assert who_may(everybody, theirs, action) == ADMINS | {"colleague"}
    assert who_may(everybody, of_no_class, action) == ADMINS
    # Who only looks at the other class of a student does not speak for it.
    people.join_classroom(classroom=chess, person=everybody["owner"], role=Membership.Role.VIEWER)
    people.join_classroom(classroom=chess, person=student, role=Membership.Role.STUDENT)
    every_teacher = OF_THE_CLASS | {"colleague"}
    assert who_may(everybody, student, action) == (
        every_teacher if action in IS_FOR_ONE_CLASS else ADMINS
    ), "of two classes"
    bin.put(chess, colleague)
    assert who_may(everybody, student, action) == of_the_class(action), (
        "a class in the bin does not count"
    )
    # A place of a teacher in a class makes nobody its student.
    chess = people.create_classroom(name="chess", owner=colleague)
    people.join_classroom(classroom=chess, person=student, role=Membership.Role.VIEWER)
    assert who_may(everybody, student, action) == of_the_class(action)


@pytest.mark.parametrize("action", sorted(STUDENT_ACTIONS))
def test_a_student_in_the_bin_is_there_for_the_same_people_and_nowhere_else(
    action, everybody, student, teacher
):
    assert who_may(everybody, student, action, is_binned=True) == set()
    privacy.delete_student(person=student, actor=teacher)
    assert who_may(everybody, student, action) == set()
    assert who_may(everybody, student, action, is_binned=True) == of_the_class(action)


@pytest.mark.parametrize("action", sorted(STUDENT_ACTIONS))
def test_whose_student_of_another_school_it_is(
    action, everybody, classroom, make_person, other_school
):
    """Who joined with the class code stays a student of their own school alone."""
    guest = make_person(Role.STUDENT, other_school)
    people.join_classroom(classroom=classroom, person=guest, role=Membership.Role.STUDENT)
    assert who_may(everybody, guest, action) == {"strange admin", "site admin"}


@pytest.mark.parametrize("action", sorted(STUDENT_ACTIONS))
def test_nobody_but_a_site_admin_reaches_an_account_that_is_closed_or_has_no_school(
    action, everybody, classroom, make_person, student
):
    without = make_person(Role.STUDENT)
    everybody |= {"teacher without school": make_person(Role.TEACHER),
                  "admin without school": make_person(Role.SCHOOL_ADMIN)}  # fmt: skip
    people.join_classroom(classroom=classroom, person=without, role=Membership.Role.STUDENT)
    assert who_may(everybody, without, action) == {"site admin"}
    student.is_active = False
    student.save()
    assert who_may(everybody, student, action) == set()


def test_a_teacher_and_a_site_admin_are_nobodys_students(everybody, classroom, school):
    colleague, root = everybody["colleague"], everybody["site admin"]
    root.role, root.school = Role.STUDENT, school
    root.save()
    for person in (colleague, root):
        people.join_classroom(classroom=classroom, person=person, role=Membership.Role.STUDENT)
        for action in STUDENT_ACTIONS:
            assert who_may(everybody, person, action) == set()


@pytest.mark.parametrize("action", sorted(TEACHER_ACTIONS))
def test_who_may_do_what_with_a_teacher(action, everybody, make_person, school):
    """Nobody to themselves or to who runs the site; a school's admin to its own teachers."""
    staff = make_person(Role.TEACHER, school)
    staff.is_staff = True
    staff.save()
    second = make_person(Role.SCHOOL_ADMIN, school)
    second.is_superuser = True
    second.save()
    everybody["without school"] = make_person(Role.TEACHER)
    everybody["admin without school"] = make_person(Role.SCHOOL_ADMIN)
    admin = everybody["school admin"]

    def who(one):
        return {name for name, person in everybody.items() if one in teachers(person, action)}

    assert who(everybody["colleague"]) == ADMINS
    assert who(everybody["stranger"]) == {"strange admin", "site admin"}
    assert who(everybody["without school"]) == {"site admin"}
    assert who(admin) == {"site admin"}
    assert who(everybody["gone"]) == ADMINS, "a closed account can be changed"
    for nobodys in (everybody["site admin"], second, staff, everybody["student"]):
        assert who(nobodys) == set()


def test_who_may_administer_a_school(everybody, school, other_school, make_person):
    everybody["admin without school"] = make_person(Role.SCHOOL_ADMIN)
    for one, admin in ((school, "school admin"), (other_school, "strange admin")):
        may = {who for who, person in everybody.items() if one in schools(person, "administer")}
        assert may == {admin, "site admin"}


def test_who_was_a_site_admin_and_is_gone_may_nothing(everybody, student, classroom, animals):
    root = everybody["site admin"]
    root.is_active = False
    root.save()
    assert not classrooms(root, "see").exists()
    assert not students(root, "export").exists()
    assert not schools(root, "administer").exists()
    assert not teachers(root, "close account").exists()
    assert animals not in vocabulary_lists(root, "see")


@pytest.mark.parametrize("action", sorted(CLASSROOM_ACTIONS))
def test_a_class_in_the_bin_is_there_for_the_same_people_and_nowhere_else(
    action, everybody, classroom, teacher
):
    def who(**of):
        return {who for who, p in everybody.items() if classroom in classrooms(p, action, **of)}

    assert who(is_binned=True) == set()
    bin.put(classroom, teacher)
    assert who() == set()
    assert who(is_binned=True) == MAY_ON_CLASS[action]


@pytest.mark.parametrize("action", sorted(LIST_ACTIONS))
def test_a_list_in_the_bin_is_there_for_the_same_people_and_nowhere_else(
    action, everybody, animals, teacher
):
    def who(**of):
        return {who for who, p in everybody.items() if animals in vocabulary_lists(p, action, **of)}

    assert who(is_binned=True) == set()
    bin.put(animals, teacher)
    assert who() == set()
    assert who(is_binned=True) == MAY_ON_LIST["private", action]
    type(animals).everything.update(purged_at=animals.deleted_at)
    assert who(is_binned=True) == set(), "what is removed for good comes back to nobody"


def test_who_may_see_and_undo_an_import(everybody, animals, teacher):
    """Whoever may edit the list, not who may only see it."""
    animals.visibility = "public"
    animals.save()
    for who, may_edit in (("viewer", False), ("stranger", True)):
        sharing.share_list(vocabulary_list=animals, teacher=everybody[who], may_edit=may_edit)
    import_ = starting.start_import(
        vocabulary_list=animals, created_by=teacher, text="vidra\totter"
    )
    may = {who for who, person in everybody.items() if import_ in imports(person)}
    assert may == {"owner", "stranger", "site admin"}
    of_list = {who for who, p in everybody.items() if entries(p, "edit").exists()}
    assert of_list == may


@pytest.mark.parametrize("visibility", ["private", "school", "public"])
def test_a_list_of_nobodys_school_is_shared_with_no_school(visibility, animals, make_person):
    """Two people without a school are not of one school."""
    type(animals).objects.update(school=None, visibility=visibility)
    for role in (Role.TEACHER, Role.SCHOOL_ADMIN):
        person = make_person(role)
        for action in LIST_ACTIONS:
            is_public = visibility == "public" and action in {"see", "make puzzles"}
            assert (animals in vocabulary_lists(person, action)) is is_public


@pytest.mark.parametrize("action", sorted(MAY_ON_PUZZLE))
def test_a_puzzle_in_the_bin_is_restored_by_who_made_it(action, everybody, make_puzzle, teacher):
    puzzle = make_puzzle()

    def who(**of):
        return {who for who, p in everybody.items() if puzzle in puzzles(p, action, **of)}

    assert who(is_binned=True) == set()
    bin.put(puzzle, teacher)
    assert who() == set()
    assert {"owner", "site admin"} <= who(is_binned=True)
    if action == "manage":
        assert who(is_binned=True) == {"owner", "site admin"}


def test_a_puzzle_that_its_class_was_not_given_is_its_teachers_alone(
    everybody, animals, teacher, make_person, school
):
    puzzle = making.request_puzzle(vocabulary_list=animals, kind="finder", created_by=teacher)
    for action in ("manage", "see", "agree", "play"):
        may = {who for who, person in everybody.items() if puzzle in puzzles(person, action)}
        # To play, it is enough to see its list.
        of_list = {"school admin"} if action == "play" else set()
        assert may == {"owner", "site admin"} | of_list, action


def test_who_asked_for_a_puzzle_agrees_to_fewer_words_and_manages_nothing(
    everybody, make_puzzle, student
):
    own = making.request_another(puzzle=make_puzzle("finder"), person=student, changes={})
    for action, may in (
        ("agree", {"student", "site admin"}),
        ("manage", {"site admin"}),
        ("see", {"site admin"}),
    ):
        assert {who for who, p in everybody.items() if own in puzzles(p, action)} == may, action
    assert own in puzzles(student, "play")
    assert own not in puzzles(everybody["other student"], "play")


def test_a_puzzle_is_played_by_the_class_only_when_it_is_ready(make_puzzle, student):
    puzzle = make_puzzle()
    assert puzzle in puzzles(student, "play")
    puzzle.state = puzzle.State.FAILED
    puzzle.save()
    assert puzzle not in puzzles(student, "play")


def test_one_puzzle_by_its_code_is_for_whom_it_is_among_all(
    everybody, make_puzzle, animals, teacher, student
):
    closed, begun, later, binned = (make_puzzle(seed=seed) for seed in range(4))
    play.open_session(puzzle=begun, student=student)
    for puzzle in (closed, begun):
        assignments.close(assignment=puzzle.assignments.get())
    later.assignments.update(opens_at=timezone.now() + timedelta(days=1))
    bin.put(binned, teacher)
    given = make_puzzle("finder")
    own = making.request_another(puzzle=given, person=student, changes={})
    alone = making.request_puzzle(vocabulary_list=animals, kind="finder", created_by=teacher)
    for action in PUZZLE_ACTIONS:
        for who, person in everybody.items():
            among_all = {*puzzles(person, action)}
            for puzzle in (closed, begun, later, binned, given, own, alone):
                by_code = {*puzzles(person, action, code=puzzle.code)}
                assert by_code == among_all & {puzzle}, (action, who)
    # The control: to the student, some are given and some are not.
    assert {*puzzles(student, "play")} == {begun, given, own}


def test_a_crossword_search_is_its_teachers_as_long_as_they_may_use_the_list(
    everybody, animals, teacher, stranger
):
    animals.visibility = "public"
    animals.save()
    search, theirs = begin_search(animals, teacher), begin_search(animals, stranger)

    def who(one, **of):
        return {who for who, p in everybody.items() if one in crossword_searches(p, **of)}

    assert who(search) == {"owner", "site admin"}
    assert who(theirs) == {"stranger", "site admin"}
    assert who(search, is_binned=True) == set()
    animals.visibility = "private"
    animals.save()
    assert who(theirs) == {"site admin"}
    bin.put(search, teacher)
    assert who(search) == set()
    assert who(search, is_binned=True) == {"owner", "site admin"}
    for person in everybody.values():
        person.role = Role.STUDENT  # also who searched as a teacher
    everybody["site admin"].is_superuser = False
    assert who(search, is_binned=True) == set()


def test_what_is_played_is_followed_only_by_teachers_of_a_class_with_the_student(
    everybody, make_puzzle, student, make_person, school, teacher
):
    """The same puzzle in two classes: each teacher follows their own students."""
    puzzle = make_puzzle()
    colleague = everybody["colleague"]
    chess = people.create_classroom(name="chess", owner=colleague)
    theirs = everybody["other student"]
    people.join_classroom(classroom=chess, person=theirs, role=Membership.Role.STUDENT)
    assignments.give(puzzle=puzzle, classrooms=[chess], created_by=colleague)
    session, other = (play.open_session(puzzle=puzzle, student=each) for each in (student, theirs))

    def who(one):
        return {who for who, person in everybody.items() if one in sessions(person)}

    assert who(session) == OF_THE_CLASS | {"viewer", "student"}
    assert who(other) == ADMINS | {"colleague", "other student"}
    # A teacher's place in the class is no student's.
    tried = play.open_session(puzzle=puzzle, student=everybody["viewer"])
    assert who(tried) == {"viewer", "site admin"}
    bin.put(puzzle, teacher)
    assert who(session) == set()


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


def test_a_student_needs_neither_e_mail_nor_real_name(classroom, teacher):
    pupil = classes.create_student(
        classroom=classroom,
        display_name="Bumblebee",
        username="bee-12",
        password="honey-comb",
        actor=teacher,
    )
    assert (pupil.email, pupil.role) == ("", Role.STUDENT)
    assert str(pupil) == pupil.get_full_name() == pupil.get_short_name() == "Bumblebee"


def test_a_class_needs_a_school(make_person):
    with pytest.raises(ValidationError, match="not belong to a school"):
        people.create_classroom(name="x", owner=make_person(Role.TEACHER, None))
