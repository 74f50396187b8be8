"""What strangers see: a page that is light and for everybody, with a game that they can play."""

from __future__ import annotations

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from osmosmjerka.accounts.models import User
from puzzles.trial.services import _stored
from tests.browser.conftest import DESKTOP, PHONE
from tests.browser.playing import drag_with_finger, drag_with_mouse
from tests.browser.weight import weigh
from tests.layers import daily

MOST_REQUESTS = 15
PLACES = {placed["word"]: placed["cells"] for placed in _stored()["placements"]}


def test_a_stranger_plays_to_the_end_and_again(open_page):
    page = open_page()
    for word, cells in PLACES.items():
        drag_with_mouse(page, cells)
        expect(page.locator("[data-state='found']", has_text=word)).to_be_visible()
    summary = page.get_by_role("dialog", name="All 8 words found")
    summary.get_by_role("link", name="Play again").click()
    expect(page.get_by_text("0 of 8 found")).to_be_visible()


def test_who_signs_up_need_not_know_the_name_of_their_time_zone(open_page, settings):
    settings.REGISTRATION = "open"
    page = open_page("/signup/", timezone_id="Europe/Zagreb")
    page.get_by_label("Display name").fill("Iva")
    page.get_by_label("Username").fill("iva")
    page.get_by_label("E-mail").fill("iva@school.example")
    page.get_by_label("Password").fill("a long and odd sentence")
    page.get_by_role("button", name="Create account").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("Hello, Iva")
    assert User.objects.get(username="iva").school.time_zone == "Europe/Zagreb"


def test_a_finger_finds_a_word_on_a_phone(open_page):
    page = open_page(size=PHONE, has_touch=True, locale="de")
    expect(page.get_by_text("Milch")).to_be_visible()
    drag_with_finger(page, PLACES["leche"])
    expect(page.locator("[data-state='found']", has_text="leche")).to_be_visible()


@pytest.mark.parametrize("language", daily("en", of=["en", "ar"]))
@pytest.mark.parametrize("theme", daily("light", of=["light", "dark"]))
@pytest.mark.parametrize("size", daily(PHONE, of=[PHONE, DESKTOP]), ids=["phone", "desktop"])
def test_axe_finds_nothing_and_no_page_scrolls_sideways(open_page, size, theme, language):
    page = open_page("/help/puzzles/", size=size, color_scheme=theme, locale=language)
    for path in ("/help/", "/help/puzzles/", "/"):
        page.goto(path)
        if path == "/":
            expect(page.locator("[data-grid]")).to_be_visible()
        found = Axe().run(page)
        assert found.violations_count == 0, found.generate_report()
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), path


@pytest.mark.thorough
def test_the_first_page_asks_for_few_files(open_page):
    page = open_page("/healthz", size=PHONE, is_used_again=False)

    def show():
        page.goto("/")
        expect(page.locator("[data-grid]")).to_be_visible()
        page.locator(".kinds").scroll_into_view_if_needed()

    loaded = weigh(page, show)
    assert len(loaded) <= MOST_REQUESTS, "\n".join(each.address for each in loaded)
