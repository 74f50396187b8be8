"""The people of the demo school have names in no language; their roles are in the page's."""

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
