"""The pages of learning platforms: those of school admins, and those that follow a launch."""

from __future__ import annotations

import pytest
from django.test import Client
from playwright.sync_api import expect

from osmosmjerka.accounts.models import User
from puzzles.lti.services import Arrival
from puzzles.lti.views import CAME
from puzzles.models import LtiCourse, LtiGrade, LtiLink, LtiPerson, LtiPlatform
from tests.browser.axe import has_no_violations
from tests.browser.conftest import DESKTOP, PHONE

CASES = [
    ("phone", PHONE | {"height": 664}, "dark", "ar"),
    ("desktop", DESKTOP, "light", "en"),
]


@pytest.fixture
def link(make_puzzle, school, teacher, student, classroom):
    """An activity of a course that is the class, with a grade that was refused."""
    platform = LtiPlatform.objects.create(
        school=school, name="Moodle", issuer="https://moodle.example", client_id="tool",
        auth_url="https://moodle.example/auth", token_url="https://moodle.example/token",
        keys_url="https://moodle.example/keys",
    )  # fmt: skip
    LtiPerson.objects.create(platform=platform, subject="7", user=teacher)
    course = LtiCourse.objects.create(
        deployment=platform.deployments.create(deployment_id="1"), context_id="c",
        title="Engleski 6b", classroom=classroom, memberships_url="https://moodle.example/m",
    )  # fmt: skip
    assignment = make_puzzle().assignments.get()
    link = LtiLink.objects.create(course=course, resource_link_id="l", assignment=assignment)
    LtiGrade.objects.create(link=link, student=student, state="refused", reason="changed")
    return link


def session_of(person, arrival=None):
    client = Client()
    client.force_login(person)
    if arrival is not None:
        session = client.session
        session[CAME] = arrival.as_dict()
        session.save()
    return {"name": "sessionid", "value": client.cookies["sessionid"].value}


@pytest.mark.thorough
@pytest.mark.parametrize(("name", "size", "theme", "language"), CASES)
def test_axe_finds_nothing_and_all_is_seen(
    name, size, theme, language, open_page, link, teacher, school, classroom, make_person
):
    admin = make_person(User.Role.SCHOOL_ADMIN, school)
    User.objects.update(language=language)
    platform = link.course.deployment.platform
    came = Arrival(
        platform.pk, person=teacher.pk, subject="7", course=link.course_id, link=link.pk,
        return_url="https://moodle.example/return",
    )  # fmt: skip
    shown = [
        (admin, None, f"/schools/{school.pk}/platforms/"),
        (teacher, came, "/lti/class/"),
        (teacher, came, "/lti/choose/"),
    ]
    for person, arrival, path in shown:
        page = open_page("/offline/", size=size, color_scheme=theme)
        site = page.url.removesuffix("offline/")
        page.context.add_cookies([session_of(person, arrival) | {"url": site}])
        assert page.goto(path).status == 200
        seen(page, path)
    page.locator("input[type=radio]").first.check()
    page.locator("main .button--primary").click()
    expect(page.locator("input[name=JWT]")).to_be_attached()
    seen(page, "the way back")


def seen(page, path):
    has_no_violations(page)
    assert page.locator("main h1").count() == 1, path
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), path
    assert page.locator("main .button--primary").count() == 1, path
    for table in page.locator(".table-wrap").all():  # all that it holds is seen
        assert table.evaluate("wrap => wrap.scrollWidth <= wrap.clientWidth"), path
