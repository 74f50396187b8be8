"""The demo school: names in no language, and two weeks of practice for its teacher to see."""

import pytest

from osmosmjerka.accounts.models import User
from puzzles.management.commands import load_demo
from tests.conftest import PASSWORD

pytestmark = pytest.mark.django_db


def test_the_people_of_the_demo_have_names_without_a_role_in_english(sign_in):
    load_demo.load(PASSWORD)
    names = {person.username: person.display_name for person in User.objects.all()}
    assert names["ana"] == "Ana"
    assert all(name.isalpha() for name in names.values())
    ana = User.objects.get(username="ana")
    ana.language = "hr"
    ana.save()
    page = sign_in(ana).get(f"/classes/{ana.classrooms.get().pk}/people/").text
    assert "(teacher)" not in page


def test_the_demo_shows_whom_to_help_and_with_what(sign_in):
    load_demo.load(PASSWORD)
    page = " ".join(sign_in(User.objects.get(username="ana")).get("/").text.split())
    assert "never logged in" in page, "Ivan"
    assert "nothing for 10 days" in page, "Petra"
    shared = page[page.index("Words the class gets wrong") :]
    assert "None yet" not in shared
    assert sign_in(User.objects.get(username="luka")).get("/").context["days"].known_today > 0
