"""The students of a platform's course as a roster: a preview, then accounts, then undone."""

import re

import pytest
from django.test import Client

from osmosmjerka.accounts.models import RosterImport, User
from puzzles.models import LtiLink, LtiPerson
from tests.puzzles.lti.platform import STAFF

pytestmark = pytest.mark.django_db
ROLE = "http://purl.imsglobal.org/vocab/lis/v2/membership#"


def member(number, name, role="Learner", **more):
    return {"user_id": str(number), "name": name, "roles": [f"{ROLE}{role}"]} | more


@pytest.fixture
def client(moodle, linked, course):
    """The teacher, who came from the course."""
    moodle.members = [
        [
            member(1, "Luka Horvat", given_name="Luka", family_name="Horvat"),
            member(7, "Ana Kos", "Instructor"),
            member(2, "Left Behind", status="Inactive"),
        ],
        [member(3, "Mia Kos"), member(4, "")],
    ]
    client = Client()
    moodle.launch(client, subject="7", role=STAFF)
    return client


def names(classroom):
    members = classroom.memberships.filter(role="student")
    return sorted(members.values_list("user__display_name", flat=True))


def test_the_learners_of_all_pages_are_previewed_added_and_undone(client, classroom, moodle):
    shown = client.get(client.post("/lti/roster/")["Location"])
    page = shown.content.decode()
    assert "Luka H." in page
    assert "Mia K." in page
    assert "Ana K" not in page
    assert "Behind" not in page
    before = names(classroom)  # nobody is added yet
    roster = RosterImport.objects.get()
    [mark] = re.findall(r'name="mark" value="([^"]+)"', page)
    path = f"/classes/{classroom.pk}/pupils/paste/{roster.pk}"
    client.post(f"{path}/add/", {"mark": mark})
    assert names(classroom) == sorted([*before, "Luka H.", "Mia K."])
    student = User.objects.get(display_name="Mia K.")
    # Who comes by a link later is found.
    moodle.launch(Client(), subject="3", name="Mia Kos")
    assert LtiPerson.objects.get(subject="3").user == student
    # A second roster finds who is there, and adds nobody.
    client.post("/lti/roster/")
    assert names(classroom) == sorted([*before, "Luka H.", "Mia K."])
    client.post(f"{path}/undo/")
    assert "Luka H." not in names(classroom)


def test_who_came_by_a_link_before_is_found_by_the_roster(client, classroom, moodle):
    LtiLink.objects.all().delete()
    moodle.launch(Client(), subject="1", name="Luka Horvat")
    page = client.get(client.post("/lti/roster/")["Location"]).content.decode()
    [mark] = re.findall(r'name="mark" value="([^"]+)"', page)
    roster = RosterImport.objects.get()
    client.post(f"/classes/{classroom.pk}/pupils/paste/{roster.pk}/add/", {"mark": mark})
    assert names(classroom).count("Luka H.") == 1
    assert "Luka H. 2" not in names(classroom)


def test_the_token_goes_to_no_other_server(client, moodle, monkeypatch):
    moodle.members = [[member(1, "Luka Horvat")], [member(3, "Mia Kos")]]
    monkeypatch.setattr(moodle, "url", moodle.url.replace("127.0.0.1", "localhost"))
    page = client.get(client.post("/lti/roster/")["Location"]).content.decode()
    assert "Luka H." in page
    assert "Mia K." not in page
    assert ("page", 1) not in moodle.asked


def test_a_platform_that_tells_nothing_is_said(client, moodle, course):
    course.refresh_from_db()
    course.memberships_url = f"{moodle.url}/none"
    course.save()
    answer = client.post("/lti/roster/", follow=True)
    assert b"did not tell its students" in answer.content
