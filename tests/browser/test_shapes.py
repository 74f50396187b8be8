"""Word searches in a shape, with chosen directions, and with a message that is told at the end."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from puzzles.generators.word_search import masks
from puzzles.models import Placement
from tests.browser.axe import has_no_violations
from tests.browser.boards import TARGETS, TOUCH, cells_of
from tests.browser.playing import cell, drag_with_finger, drag_with_mouse
from tests.browser.sizes import DESKTOP

pytestmark = pytest.mark.django_db(transaction=True)


def test_a_heart_is_played_on_a_phone_by_finger_and_by_keys(open_board):
    page, placements = open_board("word-search", settings={"words": 5, "shape": "heart"}, **TOUCH)
    rows = page.locator(".grid-row")
    last = rows.last
    inside = last.locator("[role=gridcell]")
    # The tip: few squares, and none of the others takes a tap or the focus.
    expect(inside).not_to_have_count(0)
    expect(page.locator(".cell:not([role=gridcell])[tabindex]")).to_have_count(0)
    width = page.evaluate("() => document.documentElement.scrollWidth - innerWidth")
    assert width <= 0
    assert page.evaluate(TARGETS) == []
    drag_with_finger(page, cells_of(placements[0]))
    expect(page.locator("[data-state=found]")).to_have_count(1)
    told = f"{placements[0].term} {placements[0].translations[0]}, "
    expect(page.locator("[data-state=found] .word-text")).to_contain_text(told)
    # From the left lobe over the notch between the lobes to the right one, and to the row's end.
    first = rows.first.locator("[role=gridcell]")
    places = [int(one.get_attribute("data-col")) for one in first.all()]
    gap = next(i for i, col in enumerate(places) if col != places[0] + i)
    first.nth(gap - 1).focus()
    page.keyboard.press("ArrowRight")
    expect(first.nth(gap)).to_be_focused()
    page.keyboard.press("End")
    expect(first.last).to_be_focused()
    page.keyboard.press("ArrowUp")
    expect(first.last).to_be_focused()
    page.keyboard.press("Control+End")
    expect(inside.last).to_be_focused()
    # A line over the notch is no word, and no mistake either.
    cell(page, (0, places[gap - 1])).focus()
    page.keyboard.press("Enter")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    expect(page.locator("[data-live]")).to_contain_text("stay inside the shape")
    has_no_violations(page)


@pytest.mark.thorough
def test_the_message_lights_up_when_all_words_are_found(open_board):
    settings = {
        "bonus": 1, "words": 4, "message": "more i rijeka šume",
        "difficulty": "own", "directions": ["→", "↓"],
    }  # fmt: skip
    page, placements = open_board("word-search", size=DESKTOP, settings=settings)
    ways = page.get_by_text("Words run in these directions")
    expect(ways).to_contain_text("→ ↓")
    more = page.get_by_text("1 more word is hidden")
    expect(more).to_be_visible()
    [bonus] = Placement.everything.filter(is_bonus=True)
    drag_with_mouse(page, cells_of(bonus))
    expect(page.locator("[data-live]")).to_contain_text(f"A bonus word! {bonus.term}")
    expect(more).to_be_hidden()
    *others, last = placements
    for placement in others:
        drag_with_mouse(page, cells_of(placement))
    expect(page.locator("[data-state=found]")).to_have_count(4)
    assert "rijeka šume" not in page.content()
    expect(page.locator(".is-lit")).to_have_count(0)
    drag_with_mouse(page, cells_of(last))
    summary = page.get_by_role("dialog")
    expect(summary).to_contain_text("more i rijeka šume")
    has_no_violations(page)
    summary.get_by_role("button", name="View the puzzle").click()
    lit = page.locator(".is-lit")
    expect(lit).to_have_count(15)
    assert "".join(lit.all_inner_texts()) == "MOREIRIJEKAŠUME"
    expect(page.locator(".board-secret")).to_contain_text("more i rijeka šume")
    has_no_violations(page)


@pytest.mark.thorough
def test_a_bonus_word_that_was_missed_is_shown_when_the_last_listed_word_is_found(open_board):
    settings = {"words": 4, "bonus": 2}
    page, placements = open_board("word-search", size=DESKTOP, settings=settings)
    more = page.get_by_text("Find them before the last listed word.")
    expect(more).to_be_visible()
    missed = list(Placement.everything.filter(is_bonus=True))
    for placement in placements:
        expect(page.locator(".capsule--shown")).to_have_count(0)
        drag_with_mouse(page, cells_of(placement))
    summary = page.get_by_role("dialog")
    expect(summary).to_contain_text("0 of 2 bonus words found")
    for word in missed:
        expect(summary).to_contain_text(word.term)
    has_no_violations(page)
    summary.get_by_role("button", name="View the puzzle").click()
    expect(page.locator(".capsule--shown")).to_have_count(2)
    expect(page.locator("[data-state=shown]")).to_have_count(2)
    expect(page.locator("[data-state=found]")).to_have_count(4)
    expect(more).to_be_hidden()
    expect(page.get_by_text("more words are hidden")).to_be_hidden()
    has_no_violations(page)


@pytest.mark.thorough
def test_the_form_shows_what_a_choice_needs(animals, classroom, teacher, open_page):
    page = open_page(f"/assign/?vocabulary_list={animals.pk}", teacher)
    page.get_by_text("Title and settings").click()
    letter, arrows = page.get_by_label("Letter as the shape"), page.get_by_text("→ right")
    expect(letter).to_be_hidden()
    expect(arrows).to_be_hidden()
    page.locator("[name=word-search-difficulty]").select_option("own")
    expect(arrows).to_be_visible()
    page.get_by_label("Shape", exact=True).select_option("letter")
    letter.fill("A")
    arrows.click()
    page.get_by_text("↓ down", exact=True).click()
    expect(page.locator("#assign-preview svg")).to_be_visible()
    has_no_violations(page)


@pytest.mark.thorough
def test_a_letter_is_not_mirrored_on_the_board_of_a_right_to_left_language(open_board):
    settings = {"words": 4, "shape": "letter", "letter": "ב"}
    page, _placements = open_board("word-search", "ar", size=DESKTOP, settings=settings)
    squares = page.locator("[role=gridcell]").evaluate_all(
        "cells => cells.map(one => [one.dataset.row, one.getBoundingClientRect().left])"
    )
    rows = int(page.locator(".grid-row").count())
    cols = int(page.locator("[role=grid]").get_attribute("aria-colcount"))
    lefts = sorted({round(left) for _row, left in squares})
    assert len(lefts) == cols
    drawn = {(int(row), lefts.index(round(left))) for row, left in squares}
    assert drawn == masks.silhouette_of_letter("ב", "ar").cells(rows, cols)
