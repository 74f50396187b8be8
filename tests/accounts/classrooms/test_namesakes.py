"""Students of a class have different names, on whichever way they come into it."""

import pytest

from osmosmjerka.accounts import people
from osmosmjerka.accounts.bin import services as bin
from osmosmjerka.accounts.classrooms import joining, roster, roster_imports, services
from osmosmjerka.accounts.models import JoinRequest, Membership, User
from osmosmjerka.accounts.privacy import services as privacy

pytestmark = pytest.mark.django_db
HERE = "Ana Žgur"


@pytest.fixture
def one_is_here(classroom, teacher):
    classroom.is_join_open = True
    classroom.save()
    return services.add_students(classroom=classroom, names=[HERE], actor=teacher)[0]


@pytest.fixture
def other_class(teacher):
    return people.create_classroom(name="7c", owner=teacher)


def of_name(name, classroom, teacher):
    return services.add_students(classroom=classroom, names=[name], actor=teacher)[0]


def added(name, classroom, other, teacher):
    services.add_students(classroom=classroom, names=[name], actor=teacher)


def created(name, classroom, other, teacher):
    services.create_student(
        classroom=classroom, display_name=name, username="ana7", password="kvaka-mačka-9",
        actor=teacher,
    )  # fmt: skip


def joined_as_new(name, classroom, other, teacher):
    joining.join(classroom=classroom, name=name)


def joined_with_code(name, classroom, other, teacher):
    services.join_by_code(classroom=classroom, person=of_name(name, other, teacher))


def let_in(name, classroom, other, teacher):
    waiting = JoinRequest.objects.create(classroom=classroom, name=name)
    joining.accept(classroom=classroom, requests=[waiting.pk], actor=teacher)


def moved(name, classroom, other, teacher):
    student = of_name(name, other, teacher)
    services.move_students(students=[student], origin=other, target=classroom, actor=teacher)


def added_to_class(name, classroom, other, teacher):
    student = of_name(name, other, teacher)
    services.add_to_class(student=student, classroom=classroom, actor=teacher)


def renamed(name, classroom, other, teacher):
    student = of_name("Mia", classroom, teacher)
    services.rename_student(student=student, actor=teacher, display_name=name)


def merged(name, classroom, other, teacher):
    gone = of_name("Mia", classroom, teacher)
    kept = of_name(name, other, teacher)
    privacy.merge_students(kept=kept, gone=gone, actor=teacher)


def read_from_a_roster(name, classroom, other, teacher):
    read = roster.Roster([roster.Line(1, name, name)], ignored_columns=[])
    made = roster_imports.begin(classroom=classroom, roster=read, actor=teacher)
    seen = roster_imports.preview(roster=made, actor=teacher)
    roster_imports.add(roster=made, actor=teacher, mark=seen.mark, choices={1: "other"})


def restored_from_the_bin(name, classroom, other, teacher):
    student = of_name("Mia", classroom, teacher)
    privacy.delete_student(person=student, actor=teacher)
    User.objects.filter(pk=student.pk).update(display_name=name)
    bin.restore(*bin.find(teacher, "students", student.pk), teacher)


def in_a_class_that_is_restored(name, classroom, other, teacher):
    student = of_name("Mia", other, teacher)
    services.add_to_class(student=student, classroom=classroom, actor=teacher)
    User.objects.filter(pk=student.pk).update(display_name=name)
    services.archive_classroom(classroom=classroom, actor=teacher)
    services.restore_archived(classroom=classroom, actor=teacher)


WAYS = [
    added, created, joined_as_new, joined_with_code, let_in, moved, added_to_class, renamed,
    merged, read_from_a_roster, restored_from_the_bin, in_a_class_that_is_restored,
]  # fmt: skip


def names_in(classroom):
    places = classroom.memberships.filter(role=Membership.Role.STUDENT).order_by("pk")
    return set(places.values_list("user__display_name", flat=True)) - {"Luka"}


@pytest.mark.parametrize("way", WAYS)
def test_who_has_the_name_of_a_classmate_gets_a_number(
    way, one_is_here, classroom, other_class, teacher
):
    way(HERE, classroom, other_class, teacher)
    assert names_in(classroom) == {HERE, f"{HERE} 2"}
    one_is_here.refresh_from_db()
    assert one_is_here.display_name == HERE, "who was here first keeps the name"


def test_without_the_number_both_have_the_name(
    one_is_here, classroom, other_class, teacher, monkeypatch
):
    """Control."""
    monkeypatch.setattr(people, "tell_apart", lambda _student: None)
    moved(HERE, classroom, other_class, teacher)
    assert names_in(classroom) == {HERE}


@pytest.mark.parametrize("way", [added, moved, renamed])
def test_another_name_stays_as_it_is(way, one_is_here, classroom, other_class, teacher):
    """Control."""
    way("Ana Žgura", classroom, other_class, teacher)
    assert names_in(classroom) == {HERE, "Ana Žgura"}


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("ANA ŽGUR", "ANA ŽGUR 2"),
        ("ana zgur", "ana zgur 2"),
        ("AnaŽgur", "AnaŽgur 2"),
        ("Ana-Zgur", "Ana-Zgur 2"),
        ("Ana Žgur 2", "Ana Žgur 2"),
    ],
)
def test_names_are_the_same_if_they_are_the_same_at_the_login_page(
    name, shown, one_is_here, classroom, other_class, teacher
):
    moved(name, classroom, other_class, teacher)
    assert names_in(classroom) == {HERE, shown}


def test_a_third_and_a_long_name_get_the_next_number(classroom, other_class, teacher):
    long = "Ž" * 80
    for name in ("Ana", "Ana", long, long):
        moved(name, classroom, other_class, teacher)
    moved("Ana", classroom, other_class, teacher)
    assert names_in(classroom) == {"Ana", "Ana 2", "Ana 3", long, f"{long[:75]} 2"}


def test_the_same_student_of_two_accounts_keeps_the_name_when_they_are_merged(
    one_is_here, classroom, other_class, teacher
):
    kept = of_name(HERE, other_class, teacher)
    privacy.merge_students(kept=kept, gone=one_is_here, actor=teacher)
    kept.refresh_from_db()
    assert kept.display_name == HERE
    bin.restore(*bin.find(teacher, "students", one_is_here.pk), teacher)
    assert names_in(classroom) == {HERE}
