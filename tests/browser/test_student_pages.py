"""What a student sees, on every device and with text twice as large: nothing lies on anything else.

A width test cannot see text that is clipped or covered, so this compares boxes.
"""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.axe import has_no_violations
from tests.browser.conftest import DESKTOP
from tests.browser.sizes import FAULTS, SIZES, SMALL, faults_on, open_ready
from tests.browser.styles import unstyled
from tests.layers import daily


@pytest.mark.parametrize("language", daily("ar", of=["en", "ar"]))
def test_nothing_lies_on_anything_or_outside(language, student_pages, student, open_page):
    page = open_page("/help/", student, locale=language)
    wrong = faults_on(page, student_pages)
    assert not wrong, "\n".join(wrong)


@pytest.mark.thorough
def test_the_control_finds_what_lies_on_a_heading_or_outside(student_pages, student, open_page):
    page = open_page("/", student, size=SIZES["phone"][0])
    assert page.evaluate(FAULTS) == []
    page.evaluate("""() => {
        const button = document.querySelector("main button, main a.button");
        button.style.cssText = "position: relative; left: 5rem; top: -5rem";
    }""")
    faults = page.evaluate(FAULTS)
    assert any(fault.startswith("outside") for fault in faults)
    assert any("lies on" in fault for fault in faults)


@pytest.mark.parametrize("language", daily("en", of=["en", "ar"]))
@pytest.mark.parametrize(
    ("scheme", "size"), daily("light", of=[("light", SIZES["phone"][0]), ("dark", DESKTOP)])
)
def test_axe_finds_nothing_by_day_and_night(
    scheme, size, language, student_pages, student, open_page
):
    page = open_page("/help/", student, locale=language, size=size, color_scheme=scheme)
    for name, path in student_pages.items():
        open_ready(page, name, path)
        has_no_violations(page)


def test_pages_load_the_stylesheets_that_their_classes_are_from(student_pages, student, open_page):
    page = open_page("/help/", student)
    for name, path in student_pages.items():
        open_ready(page, name, path)
        assert unstyled(page) == set(), name


@pytest.mark.thorough
def test_the_control_finds_a_class_of_another_stylesheet(student_pages, student, open_page):
    page = open_page("/", student)
    page.evaluate("document.querySelector('h1').classList.add('shared-words')")
    assert unstyled(page) == {"shared-words"}


def test_another_type_is_chosen_at_home(student_pages, student, open_page):
    page = open_page("/", student, size=SIZES["phone"][0])
    page.get_by_text("Other ways to practise").click()
    types = page.get_by_label("Type")
    expect(types.locator("option")).to_have_text(["Word search", "Listen and find", "Crossword"])
    types.select_option(label="Crossword")
    button = page.get_by_role("button", name="Play for fun")
    field, below = types.bounding_box(), button.bounding_box()
    assert field["y"] + field["height"] + 8 <= below["y"]
    button.click()
    page.wait_for_url("**/play/*/")
    assert student.puzzles.get().kind == "crossword"


def test_pages_have_targets_for_a_thumb(student_pages, student, open_page):
    page = open_page("/", student, size=SIZES["phone"][0], has_touch=True)
    for name in ("home", "listen and find", "summary", "review", "progress"):
        open_ready(page, name, student_pages[name])
        assert page.evaluate(SMALL) == [], name


def test_the_next_thing_is_in_view_when_a_game_ends(student_pages, student, open_page):
    for size in (SIZES["small phone"][0], SIZES["phone"][0], DESKTOP):
        page = open_page(student_pages["summary"], student, size=size)
        following = page.locator("dialog.summary .button--primary")
        expect(following).to_be_focused()
        box = following.bounding_box()
        assert box["y"] >= 0
        assert box["y"] + box["height"] <= size["height"]


@pytest.mark.thorough
def test_words_to_find_are_in_view_with_the_whole_grid(make_puzzle, student, open_page):
    puzzle = make_puzzle()
    assert len(puzzle.grid) >= 10
    page = open_page(f"/play/{puzzle.code}/", student, size=SIZES["phone"][0])
    grid, word = page.locator("[data-grid]"), page.locator(".word-choose")
    expect(word.first).to_be_visible()
    top, bottom = grid.bounding_box()["y"], word.first.bounding_box()
    assert top >= 0
    assert bottom["y"] + bottom["height"] <= SIZES["phone"][0]["height"]


# Which letters of the last word, and of those beside it, are not one in a square.
CROWDED = """() => [...document.querySelectorAll(".album-row b")].filter((one) => {
    const letter = document.createRange();
    letter.selectNodeContents(one);
    const [text, square] = [letter, one].map((each) => each.getBoundingClientRect());
    return text.width > square.width || text.height > 1.5 * square.height;
}).map((one) => one.textContent)"""


def test_the_last_word_is_drawn_a_letter_a_square(student_pages, student, animals, open_page):
    for size in (SIZES["small phone"][0], SIZES["phone"][0], DESKTOP):
        page = open_page("/", student, size=size)
        letters = page.locator(".album-row b")
        expect(letters).to_have_count(10)
        assert page.evaluate(CROWDED) == []
        widths = [one.bounding_box()["width"] for one in letters.all()]
        assert max(widths) - min(widths) < 1


def test_the_end_of_a_game_begins_with_what_it_brought(student_pages, student, open_page):
    page = open_page(student_pages["summary"], student, size=SIZES["phone"][0])
    gain = page.locator(".gain").bounding_box()
    assert gain["y"] < page.locator(".summary-words").first.bounding_box()["y"]
    label = page.locator("dialog.summary .next-puzzle")
    assert label.locator("span").inner_text().startswith("Next:")
    assert "\n" not in label.locator("span").inner_text()
    names = page.locator("dialog.summary .summary-again .button")
    assert len({round(one.bounding_box()["y"]) for one in names.all()}) == 1
