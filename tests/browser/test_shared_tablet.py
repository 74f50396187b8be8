"""Two students on one tablet: what one found without connection is never sent as the other."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from osmosmjerka.accounts.auth import cards
from osmosmjerka.accounts.classrooms import services as classes
from puzzles.models import Move
from tests.browser.conftest import PHONE
from tests.browser.playing import drag_with_mouse

STORED = (
    "JSON.stringify(Object.entries(localStorage)) + JSON.stringify(Object.entries(sessionStorage))"
)


@pytest.fixture
def two(student, teacher, classroom):
    """Cards of Luka and Mia, who share a tablet."""
    mia = classes.add_students(classroom=classroom, names=["Mia"], actor=teacher)[0]
    return cards.issue_cards(students=[student, mia], actor=teacher, classroom=classroom)


def enter(page, card):
    page.goto(f"/card/#{card.token}")
    expect(page.get_by_role("heading", name=f"Hello, {card.student}")).to_be_visible()


def trace(page, placement):
    drag_with_mouse(page, [tuple(place) for place in placement.cells])


def test_finds_that_wait_are_sent_as_whose_they_are(open_page, make_puzzle, two):
    puzzle = make_puzzle()
    placement = puzzle.placements.first()
    luka, mia = two
    page = open_page("/login/", size=PHONE)
    enter(page, luka)
    page.goto(f"/play/{puzzle.code}/")
    expect(page.locator("[data-grid]")).to_be_visible()
    page.route("**/attempts/", lambda route: route.abort())
    trace(page, placement)
    expect(page.locator("[data-banner]")).to_contain_text("You are offline")

    # Mia logs in in another tab, while Luka's page is still open: his page sends nothing as her.
    other = page.context.new_page()
    enter(other, mia)
    page.unroute("**/attempts/")
    page.evaluate("dispatchEvent(new Event('online'))")
    expect(page.locator("[data-banner]")).to_contain_text("saved on this device and will be sent")
    other.goto(f"/play/{puzzle.code}/")
    expect(other.locator(".progress-label")).to_contain_text("0 of")
    assert not Move.objects.exists()

    # Nothing on the tablet tells of either but what Luka still has to send.
    other.goto("/")
    other.get_by_role("button", name="Not me").click()
    expect(other.get_by_role("heading", name="Log in")).to_be_visible()
    kept = other.evaluate(STORED)
    assert "outbox" in kept
    secrets = (str(luka.student), luka.student.username, str(mia.student), luka.token)
    for told in (*secrets, placement.term):
        assert told not in kept
    page.close()

    # Mia's first page leaves it alone; Luka's sends it, as his, without the puzzle being opened.
    enter(other, mia)
    other.wait_for_load_state("networkidle")
    assert "outbox" in other.evaluate(STORED)
    assert not Move.objects.exists()
    with other.expect_response("**/attempts/") as sent:
        enter(other, luka)
    assert sent.value.ok
    assert Move.objects.get().session.student == luka.student
    other.goto(f"/play/{puzzle.code}/")
    expect(other.locator(".progress-label")).to_contain_text("1 of")
    assert "outbox" not in other.evaluate(STORED)
