"""A teacher chooses an assignment for a course; Open edX's platform reads what comes back."""

import html
import re

import pytest
from django.test import Client

from osmosmjerka.accounts.models import Membership
from puzzles.models import Assignment, LtiLink
from tests.puzzles.assignments import filling
from tests.puzzles.lti.platform import CLAIM, STAFF

pytestmark = pytest.mark.django_db
KIND = "LtiDeepLinkingRequest"


@pytest.fixture
def chosen(make_puzzle, course):
    return make_puzzle().assignments.get()


def test_what_a_teacher_chose_is_read_by_the_platform_and_opens_for_students(
    moodle, linked, chosen
):
    client = Client()
    claims, state = moodle.message(client, subject="7", role=STAFF, kind=KIND)
    settings = "https://purl.imsglobal.org/spec/lti-dl/claim/deep_linking_settings"
    claims[settings]["data"] = "csrf:42"
    answer = moodle.post(client, moodle.signed(claims), state)
    assert answer["Location"] == "/lti/choose/"
    page = client.get("/lti/choose/").content.decode()
    assert chosen.puzzle.title in page
    page = client.post("/lti/choose/", {"assignment": chosen.pk})
    assert f"form-action {moodle.url}" in page["Content-Security-Policy"].replace("'self' ", "")
    assert f'action="{moodle.url}/return"' in page.content.decode()
    [token] = re.findall(r'name="JWT" value="([^"]+)"', page.content.decode())
    [item] = moodle.edx.check_and_decode_deep_linking_token(token)
    assert item["window"] == {"targetName": "_blank"}
    assert item["lineItem"]["scoreMaximum"] == 100
    told = moodle.edx.tool_jwt.validate_and_decode(token)
    assert told["aud"] == [moodle.url]
    assert told["https://purl.imsglobal.org/spec/lti-dl/claim/data"] == "csrf:42"
    assert told[f"{CLAIM}deployment_id"] == "1"
    answer = moodle.launch(Client(), subject="1", custom=item["custom"])
    assert answer["Location"] == f"/play/{chosen.puzzle.code}/"


def test_an_activity_that_was_placed_by_hand_gets_its_assignment_from_a_teacher(
    moodle, linked, chosen
):
    client = Client()
    assert moodle.launch(client, subject="7", role=STAFF)["Location"] == "/lti/choose/"
    client.post("/lti/choose/", {"assignment": chosen.pk})
    assert LtiLink.objects.get().assignment == chosen
    assert moodle.launch(client, subject="7", role=STAFF)["Location"].endswith(
        f"/assignments/{chosen.pk}/"
    )


def test_a_teacher_chooses_list_type_and_settings_for_a_course(
    moodle, linked, course, animals, classroom
):
    client = Client()
    moodle.launch(client, subject="7", role=STAFF, kind=KIND)
    [new] = re.findall(
        r'href="([^"]+)">Create a new assignment', client.get("/lti/choose/").content.decode()
    )
    fields = filling.fields_of(client.get(html.unescape(new)))
    assert fields["classroom"] == [str(classroom.pk)]
    fields = filling.shown(client, fields, kind="crossword")
    answer = client.post("/assign/", fields, follow=True)
    assert answer.redirect_chain == [("/lti/choose/", 302)]
    made = Assignment.objects.get()
    assert made.puzzle.kind == "crossword"
    assert answer.context["form"].initial == {"assignment": str(made.pk)}
    page = client.post("/lti/choose/", {"assignment": made.pk}).content.decode()
    [token] = re.findall(r'name="JWT" value="([^"]+)"', page)
    [item] = moodle.edx.check_and_decode_deep_linking_token(token)
    assert item["custom"] == {"assignment": str(made.pk)}


@pytest.mark.parametrize("page", ["https://evil.example/", "//evil.example/", "evil"])
def test_after_an_assignment_nobody_is_led_to_another_site(sign_in, teacher, animals, page):
    shown = sign_in(teacher).get("/assign/", {"next": page})
    assert shown.status_code == 200
    assert not shown.context["next"]


def test_students_do_not_choose_what_a_course_gets(moodle, linked, chosen):
    answer = moodle.launch(Client(), subject="1", kind=KIND)
    assert answer.status_code == 403


def test_who_may_not_assign_in_the_class_does_not_choose(moodle, linked, chosen, teacher):
    client = Client()
    moodle.launch(client, subject="7", role=STAFF, kind=KIND)
    assert client.get("/lti/choose/").status_code == 200  # the control
    Membership.objects.filter(user=teacher).update(role=Membership.Role.VIEWER)
    assert client.get("/lti/choose/").status_code == 404
    assert client.post("/lti/choose/", {"assignment": chosen.pk}).status_code == 404


def test_an_assignment_of_another_class_is_not_offered(moodle, linked, chosen, course, stranger):
    from osmosmjerka.accounts import people
    from osmosmjerka.accounts.models import Classroom

    other = people.create_classroom(name="other", owner=linked.user)
    client = Client()
    moodle.launch(client, subject="7", role=STAFF, kind=KIND)
    course.classroom = Classroom.objects.get(pk=other.pk)
    course.save()
    page = client.post("/lti/choose/", {"assignment": chosen.pk})
    assert b"JWT" not in page.content
