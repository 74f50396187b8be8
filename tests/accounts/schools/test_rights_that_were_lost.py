"""Losing a right withdraws what it gave out: nobody comes back by a link of their own."""

import re

import pytest
from django.contrib.admin.models import LogEntry
from django.test import Client

from osmosmjerka.accounts import people
from osmosmjerka.accounts.classrooms import services as classes
from osmosmjerka.accounts.models import AuditEntry, Classroom, Invitation, Membership, User
from osmosmjerka.accounts.privacy import services as privacy
from osmosmjerka.accounts.schools import invitations
from tests.accounts.schools.test_school import NEW, link_in


@pytest.fixture
def admin(make_person, school):
    return make_person(User.Role.SCHOOL_ADMIN, school, "iris")


@pytest.fixture
def owner(make_person, school, classroom):
    """A second owner of the class, who loses the right in these tests."""
    person = make_person(User.Role.TEACHER, school, "petra")
    people.join_classroom(classroom=classroom, person=person, role=Membership.Role.OWNER)
    return person


def place_of(person, classroom):
    member = classroom.memberships.get(user=person)
    return f"/classes/{classroom.pk}/members/{member.pk}/"


def class_link(client, classroom, role="owner"):
    return link_in(client.post(f"/classes/{classroom.pk}/invite/", {"role": role}))


def site_admin(make_person):
    return make_person(User.Role.TEACHER, None, "root", is_site_admin=True)


def lose(how, *, by, owner, classroom, make_person, school):
    """Take the right of *owner* to invite to the class; *by* is another owner's client."""
    if how == "removed":
        by.post(f"{place_of(owner, classroom)}remove/")
    elif how == "made a viewer":
        by.post(f"{place_of(owner, classroom)}role/", {"role": "viewer"})
    elif how == "made a co-teacher":
        by.post(f"{place_of(owner, classroom)}role/", {"role": "co_teacher"})
    elif how == "leaves alone":
        own = Client()
        own.force_login(owner)
        own.post(f"{place_of(owner, classroom)}remove/")
    elif how == "account deactivated":
        head = Client()
        head.force_login(make_person(User.Role.SCHOOL_ADMIN, school))
        head.post(f"/schools/{school.pk}/teachers/{owner.pk}/close/")
    elif how == "class archived":
        by.post(f"/classes/{classroom.pk}/archive/")
    elif how == "next year":
        by.post(f"/classes/{classroom.pk}/archive/", {"name": "7b"})
    elif how == "class deleted":
        privacy.erase_classroom(classroom=classroom, actor=None)
    elif how == "deactivated in the admin":
        root = Client()
        root.force_login(site_admin(make_person))
        body = {"username": owner.username, "display_name": "Petra", "role": "teacher",
                "school": school.pk, "email": "", "language": ""}  # fmt: skip
        assert root.post(f"/admin/accounts/user/{owner.pk}/change/", body).status_code == 302
        assert LogEntry.objects.exists()


WAYS = ["removed", "made a viewer", "made a co-teacher", "leaves alone", "account deactivated",
        "class archived", "next year", "class deleted", "deactivated in the admin"]  # fmt: skip


@pytest.mark.parametrize("how", WAYS)
def test_who_may_no_longer_invite_to_a_class_has_no_link_left(
    how, sign_in, teacher, owner, classroom, make_person, school, stranger
):
    link = class_link(sign_in(owner), classroom)
    assert sign_in(stranger).get(link).status_code == 200  # the control
    lose(how, by=sign_in(teacher), owner=owner, classroom=classroom,
         make_person=make_person, school=school)  # fmt: skip
    assert sign_in(stranger).post(link).status_code == 404
    assert Client().post(link, NEW).status_code == 404
    assert not stranger.memberships.exists()
    assert not User.objects.filter(username="iva").exists()
    assert not invitations.still_open().exists()  # withdrawn, not only refused
    if how != "class deleted":
        assert AuditEntry.objects.filter(action="withdrew invitation").count() == 1


@pytest.mark.parametrize("how", ["removed", "leaves alone", "made a viewer"])
def test_who_is_taken_out_does_not_come_back_by_their_own_link(
    how, sign_in, teacher, owner, classroom, make_person, school
):
    own = sign_in(owner)
    link = class_link(own, classroom)
    lose(how, by=sign_in(teacher), owner=owner, classroom=classroom,
         make_person=make_person, school=school)  # fmt: skip
    own.post(link)
    assert not classroom.memberships.filter(user=owner, role="owner").exists()


def test_an_admin_who_becomes_a_teacher_keeps_no_way_into_a_class_of_the_school(
    sign_in, admin, classroom, school, make_person, teacher
):
    """Nor into the school; but what they give out as the owner of a class of their own stays."""
    head, own = make_person(User.Role.SCHOOL_ADMIN, school, "mila"), sign_in(admin)
    mine = people.create_classroom(name="chess", owner=admin)
    links = [class_link(own, classroom), link_in(own.post(f"/schools/{school.pk}/invite/",
                                                          {"role": "school_admin"}))]  # fmt: skip
    kept, others = class_link(own, mine), class_link(sign_in(teacher), classroom)
    sign_in(head).post(f"/schools/{school.pk}/teachers/{admin.pk}/role/", {"role": "teacher"})
    for link in links:
        assert sign_in(admin).post(link).status_code == 404
        assert Client().get(link).status_code == 404
    assert not classroom.memberships.filter(user=admin).exists()
    for link in (kept, others):
        assert Client().get(link).status_code == 200


def test_a_co_teacher_who_loses_nothing_keeps_what_they_gave_out(
    sign_in, teacher, owner, classroom
):
    """The control: another's removal does not withdraw the links of those who stay."""
    link = class_link(sign_in(owner), classroom)
    co = people.join_classroom(
        classroom=classroom, person=User.objects.create(username="x", role="teacher"),
        role=Membership.Role.CO_TEACHER,
    )  # fmt: skip
    sign_in(teacher).post(f"/classes/{classroom.pk}/members/{co.pk}/remove/")
    assert Client().get(link).status_code == 200


@pytest.mark.parametrize("how", WAYS[:5])
def test_a_link_that_was_not_withdrawn_is_refused_all_the_same(
    how, monkeypatch, sign_in, teacher, owner, classroom, make_person, school, stranger
):
    """The second safeguard alone: accepting asks again whether the inviter may invite."""
    link = class_link(sign_in(owner), classroom)
    monkeypatch.setattr(invitations, "withdraw_lost", lambda **given: None)
    monkeypatch.setattr(invitations, "withdraw_all", lambda *given, **named: None)
    lose(how, by=sign_in(teacher), owner=owner, classroom=classroom,
         make_person=make_person, school=school)  # fmt: skip
    assert Invitation.objects.filter(accepted_at=None).exists()
    assert sign_in(stranger).post(link).status_code == 404
    # The control: with both off, the link works.
    monkeypatch.setattr(invitations, "may_still_invite", lambda invitation: True)
    sign_in(stranger).post(link)
    assert classroom.memberships.filter(user=stranger, role="owner").exists()


def test_a_right_that_is_lost_while_the_invitation_is_filled_in_makes_no_account(
    monkeypatch, teacher, owner, classroom, sign_in
):
    _made, token = invitations.invite(
        school=classroom.school, classroom=classroom, role="owner", actor=owner
    )
    found = invitations.open_invitation(token)
    monkeypatch.setattr(invitations, "withdraw_lost", lambda **given: None)
    classes.remove_member(membership=classroom.memberships.get(user=owner), actor=teacher)
    with pytest.raises(invitations.ValidationError):
        invitations.accept_as_new(invitation=found, **NEW)
    assert not User.objects.filter(username="iva").exists()


def test_nobody_is_invited_to_an_archived_class(sign_in, teacher, classroom):
    own, page = sign_in(teacher), f"/classes/{classroom.pk}/"
    assert f"{page}invite/" in own.get(f"{page}people/").content.decode()
    own.post(f"{page}archive/")
    assert f"{page}invite/" not in own.get(f"{page}people/").content.decode()
    said = own.post(f"{page}invite/", {"role": "viewer"}, follow=True).content.decode()
    assert "nobody can be added to it" in said
    assert not Invitation.objects.exists()


def test_who_knows_the_class_code_and_leaves_finds_it_closed(
    sign_in, teacher, owner, classroom, student
):
    """The code stays, as it is printed on the cards; the page says so and offers a new one."""
    Classroom.objects.update(is_join_open=True)
    joining = f"/c/{classroom.join_code}/join/"
    own = sign_in(teacher)
    reply = own.post(f"{place_of(owner, classroom)}remove/", follow=True).content.decode()
    assert "still knows the class code" in reply
    Client().post(joining, {"display_name": "Nobody"})
    assert not User.objects.filter(display_name="Nobody").exists()
    Classroom.objects.update(is_join_open=True)
    # Without a teacher who leaves, it stays open.
    reply = own.post(f"{place_of(student, classroom)}remove/", follow=True).content.decode()
    assert "still knows the class code" not in reply
    Client().post(joining, {"display_name": "Somebody"})
    assert User.objects.filter(display_name="Somebody").exists()


@pytest.mark.parametrize("how", ["removed", "made a viewer", "account deactivated"])
def test_viewing_as_a_student_ends_with_the_right(
    how, sign_in, teacher, owner, classroom, make_person, school, student
):
    own = sign_in(owner)
    own.post(f"/pupils/{student.pk}/view/")
    assert "viewing the pages of Luka" in own.get("/").content.decode()  # the control
    lose(how, by=sign_in(teacher), owner=owner, classroom=classroom,
         make_person=make_person, school=school)  # fmt: skip
    reply = own.get("/", follow=True)
    assert not re.search("viewing the pages|Hello, Luka", reply.content.decode())
