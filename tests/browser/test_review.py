"""The quick review on a phone: letters that a keyboard lacks, not knowing, and going on."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from puzzles.assignments import services as assignments
from tests.browser.axe import has_no_violations
from tests.puzzles.practice.test_practice import remember
from tests.services import wait_until
from vocab.models import Review

SMALL_PHONE = {"width": 390, "height": 664}


@pytest.fixture
def due(make_puzzle, animals, student):
    """Two words are due, "mačka" first."""
    assignments.close(assignment=make_puzzle(words=4).assignments.get())
    animals.entries.exclude(term__in=["mačka", "slon"]).delete()
    cat, elephant = animals.entries.get(term="mačka"), animals.entries.get(term="slon")
    remember(student, cat, 60)
    remember(student, elephant, 20)
    return cat, elephant


def is_fine(page):
    has_no_violations(page)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def is_in_view(page, locator):
    box = locator.bounding_box()
    return box["y"] >= 0 and box["y"] + box["height"] <= page.viewport_size["height"]


def test_a_phone_writes_a_word_with_the_letter_keys_and_says_what_it_does_not_know(
    due, open_page, student
):
    page = open_page("/review/?mode=typed", person=student, size=SMALL_PHONE)
    expect(page.get_by_text("0 of 2 done, 2 left")).to_be_visible()
    field = page.get_by_label("Your answer")
    expect(field).to_be_focused()
    key = page.get_by_role("toolbar", name="Letters").get_by_role("button", name="č")
    size = key.bounding_box()
    assert min(size["width"], size["height"]) >= 44
    give_up = page.get_by_role("button", name="I don’t know")
    assert is_in_view(page, give_up)
    is_fine(page)
    page.keyboard.type("maka")
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowLeft")
    key.click()
    expect(field).to_have_value("mačka")
    expect(field).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.get_by_text("1 of 2 done, 1 left")).to_be_visible()
    expect(page.get_by_role("status").filter(has_text="Correct.")).to_contain_text("mačka")
    give_up.click()
    expect(page.get_by_role("heading", name="The word is:")).to_be_visible()
    expect(page.get_by_text("slon", exact=True)).to_be_visible()
    expect(page.get_by_label("Your answer")).to_have_count(0)
    once = page.get_by_label("Type the word once")
    expect(once).to_be_focused()
    assert is_in_view(page, page.get_by_role("button", name="Continue"))
    is_fine(page)
    page.keyboard.type("sln")
    page.keyboard.press("Enter")
    expect(page.get_by_role("alert")).to_contain_text("Not the same yet")
    is_fine(page)
    page.keyboard.type("slon")
    page.keyboard.press("Enter")
    expect(page.get_by_text("1 of 2 done, 1 left")).to_be_visible()
    page.get_by_label("Your answer").fill("slon")
    page.get_by_role("button", name="Check").click()
    expect(page.get_by_role("heading", name="You have done all of today’s words")).to_be_focused()
    expect(page.get_by_text("Right the first time: 1 of 2 words.")).to_be_visible()
    assert is_in_view(page, page.get_by_role("link", name="Go to your home page"))
    is_fine(page)
    assert list(Review.objects.order_by("pk").values_list("outcome", flat=True))[-3:] == [
        "right",
        "wrong",
        "right",
    ]


def test_keys_alone_write_and_the_letters_are_one_stop(due, open_page, student):
    page = open_page("/review/?mode=typed", person=student)
    expect(page.get_by_role("toolbar", name="Letters")).to_be_visible()
    page.keyboard.type("ma")
    page.keyboard.press("Tab")
    expect(page.get_by_role("button", name="č", exact=True)).to_be_focused()
    page.keyboard.press("Enter")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    expect(page.get_by_label("Your answer")).to_have_value("mačć")
    page.keyboard.press("Tab")
    expect(page.get_by_role("button", name="Check")).to_be_focused()


def test_a_word_that_is_heard_plays_at_once_and_again_by_a_large_button(due, open_page, student):
    page = open_page("/", person=student, size=SMALL_PHONE)
    with page.expect_request("**/review/sound/**"):
        page.goto("/review/?mode=heard")
    again = page.get_by_role("button", name="Listen")
    expect(again).to_be_visible()
    assert again.bounding_box()["height"] >= 44
    audio = page.locator("audio")
    assert audio.get_attribute("autoplay") is not None
    audio.evaluate("audio => { audio.pause(); audio.currentTime = 0; audio.muted = true; }")
    again.click()
    wait_until(lambda: audio.evaluate("audio => audio.currentTime > 0"))
    is_fine(page)


def test_without_scripts_the_review_still_asks_and_goes_on(due, open_page, student):
    page = open_page("/review/?mode=heard", person=student, java_script_enabled=False)
    expect(page.locator("audio[controls]")).to_be_visible()
    page.goto("/review/?mode=typed")
    expect(page.locator("[data-letter-keys]")).to_be_hidden()
    page.get_by_role("button", name="I don’t know").click()
    page.get_by_role("link", name="Skip", exact=True).click()
    expect(page.get_by_label("Your answer")).to_be_visible()


def test_a_sound_that_cannot_be_played_offers_the_meaning(due, open_page, student):
    page = open_page("/", person=student)
    page.route("**/review/sound/**", lambda route: route.fulfill(status=404, body=""))
    page.goto("/review/?mode=heard")
    page.get_by_role("link", name="Show me the meaning instead").click()
    expect(page.get_by_role("heading", name="cat")).to_be_visible()
