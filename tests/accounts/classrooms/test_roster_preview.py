"""Rosters as a teacher adds them: the preview says what is kept, and one click undoes it."""

import re
from datetime import timedelta

import pytest
from django.utils import timezone

from osmosmjerka.accounts import people
from osmosmjerka.accounts.auth import cards
from osmosmjerka.accounts.classrooms import roster_imports
from osmosmjerka.accounts.classrooms import services as classes
from osmosmjerka.accounts.models import ExternalId, RosterImport, RosterLine, User
from osmosmjerka.accounts.privacy import services as privacy
from tests.accounts.classrooms.helpers import add_names, confirm, open_preview, outcomes
from vocab.memory import reviews

NAMES = "Ana Horvat\nMia Kos\nŽeljko Horvat"
USERS = "sourcedId,status,role,givenName,familyName\n"


def oneroster(*rows):
    return {"names": USERS + "\n".join(rows), "shorten": "on"}


def names_of(classroom):
    students = classroom.members.filter(role="student").order_by("pk")
    return [student.display_name for student in students]


@pytest.fixture
def own(sign_in, teacher):
    return sign_in(teacher)


def test_nothing_is_written_before_add(own, classroom):
    reply = open_preview(own, classroom, {"names": NAMES, "shorten": "on"})
    page = reply.content.decode()
    assert "3 new students" in page
    assert names_of(classroom) == ["Luka"]
    # What the box shortens is shown, so nobody loses a name unseen.
    assert "Željko Horvat" in page
    assert "Željko H." in page
    confirm(own, reply)
    assert names_of(classroom) == ["Luka", "Ana H.", "Mia K.", "Željko H."]


def test_only_another_student_makes_a_name_get_a_number(own, classroom, teacher):
    teacher.display_name = "Eva"
    teacher.save()
    add_names(own, classroom, {"names": "Eva"})
    assert names_of(classroom) == ["Luka", "Eva"]
    [nika] = classes.add_students(classroom=classroom, names=["Nika"], actor=teacher)
    assert nika.display_name == "Nika"
    [second] = classes.add_students(classroom=classroom, names=["Eva"], actor=teacher)
    assert second.display_name == "Eva 2"


def test_a_discarded_preview_leaves_nothing(own, classroom):
    reply = open_preview(own, classroom, {"names": NAMES})
    own.post(f"{reply.request['PATH_INFO']}discard/")
    assert names_of(classroom) == ["Luka"]
    assert not RosterImport.objects.exists()


@pytest.mark.parametrize("shorten", [{"shorten": "on"}, {}])
def test_the_same_names_again_add_nobody(own, classroom, shorten):
    for _again in range(2):
        add_names(own, classroom, {"names": NAMES} | shorten)
    assert len(names_of(classroom)) == 4
    # Nor do they when the surnames are cut this time and were not, or the other way round.
    other = {} if shorten else {"shorten": "on"}
    reply = open_preview(own, classroom, {"names": NAMES} | other)
    assert {outcome for _line, outcome, _name in outcomes(reply)} == {"alike"}
    confirm(own, reply)
    assert len(names_of(classroom)) == 4


def test_without_the_comparison_the_same_names_double(own, classroom, monkeypatch):
    """The control."""
    monkeypatch.setattr(
        "osmosmjerka.accounts.classrooms.roster_plan.Alike.take", lambda *_line: None
    )
    for _again in range(2):
        add_names(own, classroom, {"names": NAMES})
    assert len(names_of(classroom)) == 7


def test_two_students_of_one_name_are_told_apart_when_they_come_again(own, classroom):
    names = {"names": "Ana Horvat\nAna Horvatić", "shorten": "on"}
    for _again in range(2):
        add_names(own, classroom, names)
    assert names_of(classroom) == ["Luka", "Ana H.", "Ana H. 2"]


def test_a_namesake_can_be_another_student(own, classroom):
    add_names(own, classroom, {"names": "Eva"})
    reply = open_preview(own, classroom, {"names": "Eva\neva"})
    assert outcomes(reply) == [(1, "alike", "Eva 2"), (2, "repeated", "eva 3")]
    assert "The same student as Eva" in reply.content.decode()
    confirm(own, reply, {2: "other"})
    assert names_of(classroom) == ["Luka", "Eva", "eva 3"]


def test_what_is_promised_is_kept_with_any_choice(own, classroom):
    """Each name is written as the preview said, whatever is chosen for the other lines."""
    body = {"names": "Luka\nMia\nMia\nMia K\nMia K"}
    for choices in ({}, {1: "other"}, {3: "other"}, {1: "other", 3: "other", 5: "other"}):
        reply = open_preview(own, classroom, body)
        promised = {line: name for line, outcome, name in outcomes(reply) if outcome == "new"}
        promised |= {
            line: name for line, _outcome, name in outcomes(reply) if choices.get(line) == "other"
        }
        page = confirm(own, reply, choices)
        assert names_of(classroom) == ["Luka", *(promised[line] for line in sorted(promised))]
        own.post(re.search(r'action="(/classes/[^"]+/undo/)"', page).group(1))
        assert names_of(classroom) == ["Luka"]


def test_a_colleague_who_was_quicker_is_noticed(own, classroom, teacher):
    reply = open_preview(own, classroom, {"names": NAMES})
    classes.add_students(classroom=classroom, names=["Ana Horvat"], actor=teacher)
    page = confirm(own, reply)
    assert "The class has changed" in page
    assert "2 new students" in page
    assert names_of(classroom) == ["Luka", "Ana Horvat"]


def test_without_the_mark_the_colleagues_students_double(own, classroom, teacher, monkeypatch):
    """The control: had the preview been carried out as it was shown."""
    reply = open_preview(own, classroom, {"names": "Eva"})
    seen = reply.context["preview"]
    classes.add_students(classroom=classroom, names=["Eva"], actor=teacher)
    monkeypatch.setattr(roster_imports, "preview", lambda **_asked: seen)
    confirm(own, reply)
    assert names_of(classroom) == ["Luka", "Eva", "Eva 2"]


def test_adding_twice_adds_once(own, classroom):
    reply = open_preview(own, classroom, {"names": NAMES})
    for _click in range(2):
        confirm(own, reply)
    assert len(names_of(classroom)) == 4


def test_a_class_that_would_be_too_large_says_so_and_adds_nobody(own, classroom, monkeypatch):
    monkeypatch.setattr(classes, "MAX_STUDENTS", 3)
    assert "at most 3 students" in add_names(own, classroom, {"names": NAMES})
    assert names_of(classroom) == ["Luka"]
    assert RosterImport.objects.get().state == RosterImport.State.WAITING


# OneRoster


def test_a_sync_knows_renames_and_misses(own, classroom):
    add_names(
        own, classroom, oneroster("s1,active,student,Ana,Horvat", "s2,active,student,Mia,Kos")
    )
    synced = oneroster(
        "s1,active,student,Ana,Babić", "s2,tobedeleted,student,Mia,Kos", "s3,,student,Ivo,Ivić"
    )
    reply = open_preview(own, classroom, synced)
    assert outcomes(reply) == [(2, "changed", "Ana B."), (3, "refused", ""), (4, "new", "Ivo I.")]
    # Who is gone from the file is told, and never removed.
    assert reply.context["preview"].missing == ["Luka", "Mia K."]
    confirm(own, reply)
    assert names_of(classroom) == ["Luka", "Ana B.", "Mia K.", "Ivo I."]
    again = open_preview(own, classroom, synced)
    assert [outcome for _line, outcome, _name in outcomes(again)] == ["known", "refused", "known"]


def test_a_rename_can_be_declined(own, classroom):
    add_names(own, classroom, oneroster("s1,active,student,Ana,Horvat"))
    reply = open_preview(own, classroom, oneroster("s1,active,student,Ana,Babić"))
    confirm(own, reply, {2: "keep"})
    assert names_of(classroom) == ["Luka", "Ana H."]


def test_students_of_one_name_are_held_apart_by_their_ids(own, classroom):
    twins = oneroster("s1,active,student,Ana,Horvat", "s2,active,student,Ana,Horvat")
    for _again in range(2):
        add_names(own, classroom, twins)
    assert names_of(classroom) == ["Luka", "Ana H.", "Ana H. 2"]


def test_an_id_is_given_to_a_student_who_was_pasted_before(own, classroom):
    add_names(own, classroom, {"names": "Ana Horvat", "shorten": "on"})
    add_names(own, classroom, oneroster("s1,active,student,Ana,Horvat"))
    assert ExternalId.objects.get().user.display_name == "Ana H."
    reply = open_preview(own, classroom, oneroster("s1,active,student,Ana,Babić"))
    assert outcomes(reply) == [(2, "changed", "Ana B.")]


@pytest.mark.parametrize("column", ["Database ID (UUID)", "ID number", "Student ID", "IDENTIFIER"])
def test_ids_of_other_programs_are_stored(own, classroom, column):
    for name in ("Ana", "Anamarija"):
        add_names(own, classroom, {"names": f"{column},Full name\n7,{name}"})
    assert names_of(classroom) == ["Luka", "Anamarija"]


def test_a_student_of_another_own_class_joins_this_one(own, classroom, teacher):
    other = people.create_classroom(name="chess", owner=teacher)
    body = oneroster("s1,active,student,Ana,Horvat")
    add_names(own, classroom, body)
    reply = open_preview(own, other, body)
    assert outcomes(reply) == [(2, "returning", "Ana H.")]
    confirm(own, reply)
    assert User.objects.filter(display_name="Ana H.").count() == 1
    assert names_of(other) == ["Ana H."]


def test_nobody_takes_a_colleagues_student_by_an_id(own, classroom, make_person, school, sign_in):
    """Ids are easy to guess, and who has a student in a class may print their card."""
    body = oneroster("s1,active,student,Ana,Horvat")
    add_names(own, classroom, body)
    colleague = make_person(User.Role.TEACHER, school)
    chess = people.create_classroom(name="chess", owner=colleague)
    theirs = sign_in(colleague)
    reply = open_preview(theirs, chess, body)
    assert outcomes(reply) == [(2, "foreign", "")]
    assert "another class of your school" in reply.content.decode()
    confirm(theirs, reply)
    assert names_of(chess) == []
    assert User.objects.filter(display_name="Ana H.").count() == 1
    # The control: the school's admin may.
    admin = sign_in(make_person(User.Role.SCHOOL_ADMIN, school))
    assert outcomes(open_preview(admin, chess, body)) == [(2, "returning", "Ana H.")]


def test_ids_are_of_one_school(own, classroom, stranger, sign_in):
    body = oneroster("s1,active,student,Ana,Horvat")
    add_names(own, classroom, body)
    foreign = people.create_classroom(name="1a", owner=stranger)
    theirs = sign_in(stranger)
    assert outcomes(open_preview(theirs, foreign, body)) == [(2, "new", "Ana H.")]
    add_names(theirs, foreign, body)
    assert ExternalId.objects.count() == 2


def test_a_student_in_the_bin_is_neither_doubled_nor_fetched(own, classroom, teacher):
    body = oneroster("s1,active,student,Ana,Horvat")
    add_names(own, classroom, body)
    ana = User.objects.get(display_name="Ana H.")
    privacy.delete_student(person=ana, actor=teacher)
    reply = open_preview(own, classroom, body)
    assert outcomes(reply) == [(2, "refused", "")]
    assert "in the bin" in reply.content.decode()
    confirm(own, reply)
    assert User.objects.filter(display_name__startswith="Ana H.").count() == 1
    assert not classroom.memberships.filter(user=ana).exists()


# Undo


def undo(client, page):
    return client.post(
        re.search(r'action="(/classes/[^"]+/undo/)"', page).group(1), follow=True
    ).content.decode()


def test_undo_removes_who_was_added_and_turns_names_back(own, classroom, teacher):
    add_names(own, classroom, oneroster("s1,active,student,Ana,Horvat"))
    other = people.create_classroom(name="chess", owner=teacher)
    add_names(own, other, oneroster("s2,active,student,Mia,Kos"))
    page = add_names(
        own,
        classroom,
        oneroster(
            "s1,active,student,Ana,Babić", "s2,active,student,Mia,Kos", "s3,active,student,Ivo,I"
        ),
    )
    assert sorted(names_of(classroom)) == ["Ana B.", "Ivo I", "Luka", "Mia K."]
    told = undo(own, page)
    assert "2 students removed" in told
    assert names_of(classroom) == ["Luka", "Ana H."]
    assert names_of(other) == ["Mia K."]
    assert not User.objects.filter(display_name="Ivo I").exists()
    assert set(ExternalId.objects.values_list("value", flat=True)) == {"s1", "s2"}


def test_undo_keeps_the_accounts_that_were_used(client, own, classroom, teacher):
    page = add_names(own, classroom, {"names": "Eva\nMia"})
    eva = User.objects.get(display_name="Eva")
    card = cards.issue_cards(students=[eva], actor=teacher, classroom=classroom)[0]
    client.post("/card/", {"token": card.token})
    told = undo(own, page)
    assert "because their accounts have been used: Eva." in told
    assert names_of(classroom) == ["Luka"]
    assert User.objects.filter(pk=eva.pk).exists()
    assert not User.objects.filter(display_name="Mia").exists()  # the control: never logged in


def test_undo_keeps_what_a_student_learnt_without_a_login(own, classroom, animals):
    page = add_names(own, classroom, {"names": "Eva"})
    eva = User.objects.get(display_name="Eva")
    reviews.review(
        student=eva,
        entry=animals.entries.first(),
        mode="word-search",
        skill="form",
        outcome="right",
        source="a test",
        at=timezone.now(),
    )
    undo(own, page)
    assert User.objects.filter(pk=eva.pk).exists()
    assert not eva.memberships.exists()


def test_undo_leaves_a_name_that_was_changed_since(own, classroom, teacher):
    add_names(own, classroom, oneroster("s1,active,student,Ana,Horvat"))
    page = add_names(own, classroom, oneroster("s1,active,student,Ana,Babić"))
    eva = User.objects.get(display_name="Ana B.")
    classes.rename_student(student=eva, actor=teacher, display_name="Anči")
    undo(own, page)
    assert names_of(classroom) == ["Luka", "Anči"]


def test_undo_leaves_who_was_moved_on(own, classroom, teacher):
    page = add_names(own, classroom, {"names": "Eva"})
    other = people.create_classroom(name="chess", owner=teacher)
    eva = User.objects.filter(display_name="Eva")
    classes.move_students(students=eva, origin=classroom, target=other, actor=teacher)
    assert "No longer in this class" in undo(own, page)
    assert names_of(other) == ["Eva"]


def test_undo_is_offered_for_30_days_and_once(own, classroom):
    page = add_names(own, classroom, {"names": "Eva"})
    RosterImport.objects.update(added_at=timezone.now() - timedelta(days=31))
    assert "/undo/" not in own.get(f"/classes/{classroom.pk}/people/").content.decode()
    assert "can no longer be undone" in undo(own, page)
    assert names_of(classroom) == ["Luka", "Eva"]
    RosterImport.objects.update(added_at=timezone.now() - timedelta(days=29))
    assert "can no longer be undone" not in undo(own, page)
    assert "can no longer be undone" in undo(own, page)


# Privacy


def test_after_adding_only_what_undo_needs_is_kept(own, classroom):
    open_preview(own, classroom, {"names": "Filipa Horvatinčić", "shorten": "on"})
    assert RosterLine.objects.filter(name="Filipa Horvatinčić").exists()
    add_names(own, classroom, {"names": "Ema Filipović", "shorten": "on"})
    assert not RosterLine.objects.filter(name__contains="Filipović").exists()


def test_previews_go_after_a_day_and_undo_after_a_month(own, classroom):
    reply = open_preview(own, classroom, {"names": "Eva"})
    RosterImport.objects.update(created_at=timezone.now() - timedelta(hours=25))
    add_names(own, classroom, {"names": "Mia"})
    roster_imports.purge()
    assert own.get(reply.request["PATH_INFO"]).status_code == 404
    assert RosterImport.objects.count() == 1
    RosterImport.objects.update(created_at=timezone.now() - timedelta(days=32))
    roster_imports.purge()
    assert not RosterImport.objects.exists()
    assert not RosterLine.objects.exists()


def test_an_erased_student_is_in_no_roster(own, classroom, teacher):
    body = oneroster("s1,active,student,Ana,Horvat")
    add_names(own, classroom, body)
    open_preview(own, classroom, oneroster("s1,active,student,Anamarija,Babić"))
    open_preview(own, classroom, {"names": "Ana Horvat\nMia Kos", "shorten": "on"})
    eva = User.objects.get(display_name="Ana H.")
    told = privacy.personal_data(eva)
    assert len(told["accounts.rosterline"]) == 3
    assert told["accounts.externalid"][0]["value"] == "s1"
    privacy.erase_person(person=eva, actor=teacher)
    left = list(RosterLine.objects.values_list("name", flat=True))
    assert left == ["Mia Kos"]  # the control: others' lines stay
    assert not ExternalId.objects.exists()
