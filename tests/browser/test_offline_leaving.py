"""A shared tablet keeps nothing of anybody who has left; see tests.browser.offline for the line."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from osmosmjerka.accounts.auth import cards
from osmosmjerka.accounts.classrooms import services as classes
from osmosmjerka.accounts.models import BrowserSession
from puzzles.models import Move
from tests.browser.conftest import session_of
from tests.browser.offline import (
    ENTRIES,
    answer,
    begin,
    changed,
    kept,
    words_of,
)
from tests.layers import daily
from tests.services import wait_until

# ---- nothing stays on a shared tablet ----


@pytest.fixture
def cards_of_two(student, teacher, classroom):
    mia = classes.add_students(classroom=classroom, names=["Mia"], actor=teacher)[0]
    return cards.issue_cards(students=[student, mia], actor=teacher, classroom=classroom)


def not_me(page):
    page.goto("/")
    page.get_by_role("button", name="Not me").first.click()


def has_nothing(page):
    wait_until(lambda: kept(page) == set())


def test_not_me_removes_all_that_was_kept(visit, line, make_puzzle, student):
    page = begin(visit, make_puzzle(), student)
    assert kept(page)
    not_me(page)
    expect(page.get_by_role("heading", name="Log in")).to_be_visible()
    has_nothing(page)
    line.cut()
    page.goto("/")
    expect(page.get_by_role("heading", name="You are offline")).to_be_visible()
    expect(page.locator("[data-begun]")).to_be_hidden()


@pytest.mark.thorough
def test_without_cleaning_the_entries_stay(visit, make_puzzle, student, monkeypatch):
    """The control of the tests here."""
    changed(monkeypatch, "others.map((name) => caches.delete(name))", "others")
    page = begin(visit, make_puzzle(), student)
    not_me(page)
    expect(page.get_by_role("heading", name="Log in")).to_be_visible()
    page.wait_for_load_state("networkidle")
    assert kept(page)


@pytest.mark.parametrize("is_counted", daily(True, of=[True, False]))
def test_a_page_that_comes_after_not_me_brings_nothing_back(
    is_counted, visit, line, make_puzzle, student, monkeypatch
):
    """Without counting departures it does: the control."""
    if not is_counted:
        changed(monkeypatch, "if (before !== departures) return;", "")
    first, late = make_puzzle(words=4), make_puzzle(words=4)
    page = begin(visit, first, student)
    line.hold(f"/play/{late.code}/")  # its page, and then what its script asks for
    other = page.context.new_page()
    other.evaluate("(address) => { location.href = address; }", f"{page.url}../{late.code}/")
    not_me(page)
    expect(page.get_by_role("heading", name="Log in")).to_be_visible()
    has_nothing(page)
    line.release_one()
    wait_until(lambda: late.title in other.title())
    if is_counted:
        assert kept(page) == set()
    else:
        wait_until(lambda: kept(page))


@pytest.mark.thorough
def test_not_me_without_a_connection_is_told_to_the_server_before_anything_else(
    visit, line, make_puzzle, cards_of_two
):
    puzzle = make_puzzle()
    luka, mia = cards_of_two
    page = begin(visit, puzzle, luka.student)
    placement = words_of(puzzle)[0]
    line.cut()
    answer(page, puzzle, placement)
    expect(page.locator("[data-banner]")).to_contain_text("1 answer")
    page.get_by_role("button", name="Not me").first.click()
    expect(page.get_by_role("heading", name="You are offline")).to_be_visible()
    expect(page.locator("[data-begun]")).to_be_hidden()
    assert kept(page) == set()
    page.goto(f"/play/{puzzle.code}/")  # whoever has the tablet now
    expect(page.get_by_role("heading", name="You are offline")).to_be_visible()
    page.goto("/offline/")
    assert BrowserSession.objects.filter(user=luka.student).exists()

    line.mend()
    expect(page.get_by_role("heading", name="Log in")).to_be_visible()
    assert not BrowserSession.objects.filter(user=luka.student).exists()
    # Mia finds nothing of Luka's; what he found waits for him.
    enter(page, mia)
    page.goto(f"/play/{puzzle.code}/")
    expect(page.locator(".progress-label b")).to_have_text("0")
    assert not Move.objects.exists()
    not_me(page)
    with page.expect_response("**/attempts/") as sent:
        enter(page, luka)
    assert sent.value.ok
    assert Move.objects.get().session.student == luka.student


@pytest.mark.thorough
def test_not_me_counts_though_the_form_is_of_another_log_in(visit, line, make_puzzle, student):
    """The token of the form is no good any more when the line is back."""
    page = begin(visit, make_puzzle(), student)
    line.cut()
    page.get_by_role("button", name="Not me").first.click()
    expect(page.get_by_role("heading", name="You are offline")).to_be_visible()
    page.context.clear_cookies(name="csrftoken")
    line.mend()
    expect(page.get_by_role("heading", name="Log in")).to_be_visible()
    assert not BrowserSession.objects.filter(user=student).exists()


def enter(page, card):
    page.goto(f"/card/#{card.token}")
    expect(page.get_by_role("heading", name=f"Hello, {card.student}")).to_be_visible()


def test_another_student_who_logs_in_gets_nothing_of_the_one_before(
    visit, site, line, make_puzzle, cards_of_two
):
    """Without "Not me", and without a page of log-in: the session of this device is another's."""
    puzzle = make_puzzle()
    luka, mia = cards_of_two
    page = begin(visit, puzzle, luka.student)
    page.context.add_cookies([{**session_of(mia.student), "url": site}])
    page.goto("/")
    expect(page.get_by_role("heading", name="Hello, Mia")).to_be_visible()
    has_nothing(page)
    line.cut()
    page.goto(f"/play/{puzzle.code}/")
    expect(page.get_by_role("heading", name="You are offline")).to_be_visible()


@pytest.mark.parametrize("how", daily("plays on", of=["opens a page", "plays on"]))
def test_who_was_logged_out_elsewhere_leaves_nothing(how, visit, make_puzzle, student):
    puzzle = make_puzzle()
    page = begin(visit, puzzle, student)
    BrowserSession.objects.all().delete()
    if how == "opens a page":
        page.goto(f"/play/{puzzle.code}/")
        expect(page.get_by_role("heading", name="Log in")).to_be_visible()
    else:
        answer(page, puzzle, words_of(puzzle)[0])
        expect(page.locator("[data-banner]")).to_contain_text("You have been logged out")
    has_nothing(page)


def test_what_was_kept_is_not_shown_after_a_school_day(visit, line, make_puzzle, student):
    puzzle = make_puzzle()
    page = begin(visit, puzzle, student)
    line.cut()
    page.evaluate(
        """async (hours) => {
            const [name] = (await caches.keys()).filter((name) => name.startsWith("player-"));
            const seen = new Response(String(Date.now() - hours * 3600 * 1000));
            await (await caches.open(name)).put("/seen", seen);
        }""",
        13,
    )
    page.goto(f"/play/{puzzle.code}/")
    expect(page.get_by_role("heading", name="You are offline")).to_be_visible()
    assert kept(page) == set()


def test_a_teachers_pages_are_never_kept(visit, site, make_puzzle, student, teacher):
    puzzle = make_puzzle()
    page = begin(visit, puzzle, student)
    page.context.add_cookies([{**session_of(teacher), "url": site}])
    for path in ("/", f"/play/{puzzle.code}/", f"/puzzles/{puzzle.code}/", "/classes/"):
        page.goto(path)
        page.wait_for_load_state("networkidle")
    assert {name for name, _path in page.evaluate(ENTRIES)} == {"shell"}
    assert not [path for _name, path in page.evaluate(ENTRIES) if path.startswith("/api/")]
