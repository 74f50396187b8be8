"""A new teacher's home page leads to a class that plays, and then gets out of the way."""

import re

import pytest

from osmosmjerka.accounts import people
from osmosmjerka.accounts.models import Membership
from tests.puzzles.assignments.filling import fields_of, sent
from vocab.lists import services as lists

pytestmark = pytest.mark.django_db
HEADING = "Your class can start playing in five minutes"


def page_of(client, path="/"):
    return client.get(path).content.decode()


def ticked(page):
    return page.count("step--done")


def main_button(page):
    """The one step that is asked for next: its address and its label."""
    [found] = re.findall(
        r'<a class="button button--small button--primary" href="([^"]+)">([^<]+)</a>', page
    )
    return found


def test_each_step_ticks_itself_and_leads_to_the_next(client, teacher, make_person, school):
    client.force_login(teacher)
    page = page_of(client)
    assert HEADING in page
    assert ticked(page) == 0
    assert main_button(page) == ("/lists/samples/", "Choose a sample list")

    made = lists.copy_sample(owner=teacher, language="de", translation_language="en")
    page = page_of(client)
    assert ticked(page) == 1
    assert main_button(page) == ("/classes/new/", "Create a class")

    classroom = people.create_classroom(name="5b", owner=teacher)
    address, label = main_button(page_of(client))
    assert (address, label) == (f"/classes/{classroom.pk}/pupils/paste/", "Add students")
    assert client.get(address).status_code == 200

    pupil = make_person("student", school, "pupil")
    people.join_classroom(classroom=classroom, person=pupil, role=Membership.Role.STUDENT)
    page = page_of(client)
    assert ticked(page) == 2
    address, label = main_button(page)
    assert (address, label) == (f"/assign/?vocabulary_list={made.pk}", "Assign")

    assert sent(client, fields_of(client.get(address))).status_code == 302
    assert HEADING not in page_of(client)


def test_what_a_colleague_has_done_is_told_as_a_colleagues(
    client, classroom, make_puzzle, make_person, school
):
    """A co-teacher finds a class with students and assignments, but has no list."""
    make_puzzle()
    new = make_person("teacher", school, "new")
    people.join_classroom(classroom=classroom, person=new, role=Membership.Role.CO_TEACHER)
    client.force_login(new)
    page = page_of(client)
    assert ticked(page) == 2
    assert page.count(f"Done by a colleague: <bdi>{classroom}</bdi>") == 2
    lists.copy_sample(owner=new, language="de", translation_language="en")
    assert HEADING not in page_of(client), "nothing is left to be done"


def test_steps_that_are_hidden_stay_hidden_for_this_teacher_alone(client, teacher, stranger):
    stranger_is_new = stranger
    client.force_login(teacher)
    client.post("/first-steps/hide/")
    page = page_of(client)
    assert HEADING not in page
    assert "Start with a list" in page, "the empty page still says how to begin"
    client.force_login(stranger_is_new)
    assert HEADING in page_of(client)
