"""Boards are played by a finger, by keys and by one switch; a swipe only scrolls."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from puzzles.models import Move
from tests.browser.boards import PHONE, SMALL, TARGETS, TOUCH, WORDS, cells_of, choose, resize
from tests.browser.conftest import DESKTOP
from tests.browser.playing import (
    cell,
    centre,
    drag_with_finger,
    press_keys,
    touch,
)
from tests.layers import daily
from tests.services import wait_until


def sent_by(page):
    """Return the list to which each answer that the page sends is added."""
    sent = []
    page.on(
        "request",
        lambda request: (
            sent.append(request.url)
            if request.method == "POST" and request.url.endswith("/attempts/")
            else None
        ),
    )
    return sent


# ---- a word search in one view, and what is being marked ----


@pytest.mark.parametrize("size", daily(SMALL, of=[PHONE, SMALL]), ids=["390", "360"])
def test_line_grid_and_words_are_in_one_view(size, open_board):
    page, placements = open_board("word-search", size=size, **TOUCH)
    seen = page.locator(".word-choose").evaluate_all(
        """(all) => all.filter((one) => {
            const { x, y, width, height } = one.getBoundingClientRect();
            const on = document.elementFromPoint(x + width / 2, y + height / 2);
            return y + height <= innerHeight && one.contains(on);
        }).length"""
    )
    assert seen >= 6
    for part in ("[data-live]", ".progress", "[data-grid]", ".words"):
        box = page.locator(part).bounding_box()
        assert box["y"] >= 0 and box["y"] + box["height"] <= size["height"], part
    strip, grid = (page.locator(part).bounding_box() for part in (".strip", ".board"))
    assert grid["y"] - strip["y"] - strip["height"] <= 12  # nothing empty between them
    # A word that was found makes room for those still to be found, and the rest is in reach.
    first = placements[0]
    drag_with_finger(page, cells_of(first))
    line = page.locator(".word").last
    expect(line).to_have_attribute("data-state", "found")
    line.scroll_into_view_if_needed()
    expect(line).to_be_in_viewport()
    assert page.evaluate("scrollY") == 0


@pytest.mark.parametrize("kind", daily("word-search", of=["word-search", "finder"]))
def test_letters_are_spelt_and_enlarged_while_a_finger_marks_them(kind, open_board):
    settings = {"cols": 12} if kind == "finder" else {}
    page, placements = open_board(kind, size=SMALL, settings=settings, **TOUCH)
    word = placements[0]
    if kind == "finder":
        page.locator(f".finder-word[data-item='{word.slot}']").tap()
        expect(page.locator(".finder-word[aria-pressed=true]")).to_have_count(1)
    cell(page, word.cells[0]).scroll_into_view_if_needed()
    points = [centre(page, place) for place in word.cells]
    lift = touch(page, points, seconds=0.2, is_lifted=False)
    letters, loupe = " ".join(word.tiles), page.locator(".loupe")
    expect(page.locator(".spelt")).to_have_text(letters)
    expect(loupe).to_have_text(letters)
    expect(page.locator(".spelt")).to_be_hidden()

    box, grid = loupe.bounding_box(), page.locator("[data-grid]").bounding_box()
    assert box["y"] >= 0 and box["y"] + box["height"] <= grid["y"]  # it hides no letter
    assert box["x"] >= 0 and box["x"] + box["width"] <= SMALL["width"]
    loupe.evaluate("(bubble) => { bubble.style.letterSpacing = '0.4em'; }")  # as a late font
    wide = loupe.bounding_box()
    assert wide["width"] > box["width"]
    assert wide["x"] >= 0 and wide["x"] + wide["width"] <= SMALL["width"]
    lift()
    expect(loupe).to_have_count(0)
    expect(page.locator("[data-live]")).to_contain_text(f"Found {word.term}")
    expect(page.locator(".spelt")).to_be_hidden()


@pytest.mark.thorough
def test_a_mouse_hides_no_letters_and_gets_no_loupe(open_board):
    page, [word, *_others] = open_board("word-search", size=SMALL)
    page.mouse.move(*centre(page, word.cells[0]))
    page.mouse.down()
    page.mouse.move(*centre(page, word.cells[-1]), steps=4)
    expect(page.locator(".spelt")).to_have_text(" ".join(word.tiles))
    expect(page.locator(".loupe")).to_have_count(0)
    page.mouse.up()


# ---- quick strokes, and swipes where the page is higher than the window ----

LOW = {"width": 390, "height": 520}


def test_a_quick_stroke_up_or_down_marks_a_word(open_board):
    page, placements = open_board("word-search", **TOUCH)
    for way in (-1, 1):
        word = next(
            word
            for word in placements
            if word.cells[-1][1] == word.cells[0][1] and len(word.cells) > 3
        )
        cells = sorted(cells_of(word))[::way]
        touch(page, [centre(page, place) for place in cells], seconds=0.02)
        expect(page.locator("[data-live]")).to_contain_text(word.term)
        placements.remove(word)
    assert page.evaluate("scrollY") == 0


@pytest.mark.parametrize("kind", daily("word-search", of=["word-search", "finder"]))
def test_a_swipe_over_the_grid_scrolls_the_page_and_marks_nothing(kind, open_board):
    page, placements = open_board(kind, size=LOW, **TOUCH)
    resize(page, LOW, 2)
    if kind == "finder":
        page.locator(f".finder-word[data-item='{placements[0].slot}']").tap()
        page.evaluate("() => scrollTo(0, 0)")
    sent = sent_by(page)
    x, y = centre(page, (7, 4))
    swipe = [(x, y - step * 40) for step in range(6)]
    touch(page, swipe, seconds=0.016)
    wait_until(lambda: page.evaluate("scrollY") >= 150)
    expect(page.locator(".cell.is-active, .capsule-drag")).to_have_count(0)
    assert sent == []
    touch(page, [(x, 200 + step * 40) for step in range(6)], seconds=0.016)  # and back
    wait_until(lambda: page.evaluate("scrollY") < 100)
    assert sent == []


@pytest.mark.parametrize("kind", daily("finder", of=["word-search", "finder"]))
def test_the_same_way_drawn_slowly_marks_and_does_not_scroll(kind, open_board):
    """The control of the test above."""
    page, placements = open_board(kind, size=LOW, **TOUCH)
    resize(page, LOW, 2)
    if kind == "finder":
        page.locator(f".finder-word[data-item='{placements[0].slot}']").tap()
        page.evaluate("() => scrollTo(0, 0)")
    sent = sent_by(page)
    length = len(placements[0].cells)
    way = [(7 - (kind == "word-search") * step, 1 + step) for step in range(length)]
    before = page.evaluate("scrollY")
    touch(page, [centre(page, place) for place in way], seconds=0.15)
    expect(page.locator("[data-live]")).to_have_attribute("data-level", re.compile("wrong|right"))
    assert len(sent) == 1
    assert page.evaluate("scrollY") == before


def test_a_flick_along_a_word_is_no_answer(open_board):
    page, [word, *_others] = open_board("word-search", size=LOW, **TOUCH)
    resize(page, LOW, 2)
    sent = sent_by(page)
    points = [centre(page, (5, column)) for column in range(5)]
    touch(page, points, seconds=0.005)
    expect(page.locator("[data-live]")).to_contain_text("drag more slowly")
    assert sent == []
    drag_with_finger(page, cells_of(word))  # the control
    expect(page.locator("[data-live]")).to_contain_text(f"Found {word.term}")
    assert len(sent) == 1


@pytest.mark.thorough
def test_letters_that_no_word_left_has_are_no_answer(open_board):
    page, placements = open_board("word-search", **TOUCH)
    assert min(len(each.cells) for each in placements) > 2
    sent = sent_by(page)
    drag_with_finger(page, [(2, 2), (2, 3)])
    expect(page.locator("[data-live]")).to_have_text("No word left has 2 letters.")
    assert sent == []
    assert not Move.objects.exists()


# ---- the crossword's way on ----


def test_after_a_word_the_next_open_clue_is_chosen_and_told(open_board):
    page, placements = open_board("crossword", size=DESKTOP)
    in_order = sorted(placements, key=lambda each: (each.direction, each.number))
    first, second = in_order[:2]
    choose(page, first)
    press_keys(page, "".join(first.tiles))
    live = page.locator("[data-live]")
    expect(live).to_contain_text(f"Found {first.term}")
    expect(live).to_contain_text(f"{second.number} {second.direction}: {WORDS['hr'][second.term]}")
    expect(cell(page, second.cells[0])).to_be_focused()


@pytest.mark.thorough
def test_a_whole_wrong_word_stays_marked_until_a_letter_is_changed(open_board):
    page, [word, *_others] = open_board("crossword", size=DESKTOP)
    line = page.locator(f".clue[data-item='{word.slot}']")
    choose(page, word)
    press_keys(page, "X" * len(word.tiles))
    expect(page.locator("[data-live]")).to_contain_text("is not correct yet")
    expect(line.locator(".icon--cross")).to_be_visible()
    expect(line).to_contain_text("not correct yet")
    inputs = [cell(page, place) for place in word.cells]
    for letter in inputs:
        expect(letter).to_have_css("text-decoration-style", "wavy")
        expect(letter).to_have_attribute("aria-label", re.compile("not correct yet$"))
        expect(letter).not_to_have_attribute("aria-invalid", "true")  # which one, is not told
    page.keyboard.press("Home")
    press_keys(page, "A")
    expect(line.locator(".icon--cross")).to_be_hidden()
    for letter in inputs:
        expect(letter).not_to_have_css("text-decoration-style", "wavy")


@pytest.mark.thorough
def test_a_word_that_was_found_elsewhere_is_said_to_be_that_one(open_board):
    page, placements = open_board("crossword", size=DESKTOP)
    one, other = next(
        (one, other)
        for one in placements
        for other in placements
        if one != other
        and len(one.tiles) == len(other.tiles)
        and not {tuple(at) for at in one.cells} & {tuple(at) for at in other.cells}
    )
    live = page.locator("[data-live]")
    choose(page, other)
    press_keys(page, "".join(one.tiles))  # which nobody has found yet: nothing is told of it
    expect(live).to_contain_text(f"{other.number} {other.direction} is not correct yet")
    choose(page, one)
    press_keys(page, "".join(one.tiles))
    expect(live).to_contain_text(f"Found {one.term}")
    choose(page, other)
    press_keys(page, f"X{''.join(one.tiles)[1:]}")
    expect(live).to_contain_text("is not correct yet")
    page.keyboard.press("Home")
    press_keys(page, "".join(one.tiles))
    expect(live).to_contain_text(f"{one.term} is {one.number} {one.direction}")


@pytest.mark.thorough
def test_a_word_and_wrong_letters_are_cleared_from_the_menu(open_board):
    page, [word, *_others] = open_board("crossword", size=DESKTOP)
    live = page.locator("[data-live]")
    values = [cell(page, place) for place in word.cells]

    def menu(name):
        page.get_by_label("Hints").click()
        page.get_by_role("button", name=name).click()

    choose(page, word)
    press_keys(page, f"{word.tiles[0]}{'X' * (len(word.tiles) - 1)}")
    expect(live).to_contain_text("is not correct yet")
    menu("Clear wrong letters")
    expect(live).to_contain_text("Check a word first")
    expect(values[1]).to_have_value("X")  # it does not check by itself: that is help
    menu("Check this word")
    expect(page.locator("[aria-invalid=true]")).to_have_count(len(word.tiles) - 1)
    menu("Clear wrong letters")
    expect(values[0]).to_have_value(word.tiles[0])
    expect(values[1]).to_have_value("")
    menu("Clear this word")
    expect(values[0]).to_have_value("")
    expect(values[0]).to_be_focused()
    page.keyboard.press("Control+z")
    expect(values[0]).to_have_value(word.tiles[0])


@pytest.mark.parametrize(("size", "zoom"), daily(SMALL, of=[(SMALL, 1), (PHONE, 1), (PHONE, 2)]))
@pytest.mark.parametrize("language", daily("ar", of=["hr", "ar"]))
def test_keys_are_where_they_are_looked_for_and_large_enough(language, size, zoom, open_board):
    page, _placements = open_board("crossword", language, size=size, **TOUCH)
    resize(page, size, zoom)
    first = {"hr": "ERTZUIOPŠĐ", "ar": "ضصثقفغعهخحج"}[language]
    expect(page.locator(".keys-row").first).to_have_text(first)
    assert page.evaluate(TARGETS) == []
    keys = page.locator(".key").evaluate_all(
        "(all) => all.map((one) => [one.scrollWidth <= one.clientWidth + 1, one.innerText])"
    )
    assert [name for fits, name in keys if not fits] == []


# ---- one switch ----


def press_by_tab(page, name, most=120):
    """Go on from control to control until one has this name, and press it."""
    for _press in range(most):
        said = page.evaluate(
            "() => document.activeElement.ariaLabel || document.activeElement.innerText?.trim()"
        )
        if said == name:
            page.keyboard.press("Enter")
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"Tab never came to {name}")


@pytest.mark.parametrize("kind", ["word-search", "finder"])
def test_a_word_is_marked_by_tab_and_enter_alone(kind, open_board):
    page, [word, *_others] = open_board(kind, size=DESKTOP)
    if kind == "finder":
        page.locator(f".finder-word[data-item='{word.slot}']").focus()
        page.keyboard.press("Enter")
    press_by_tab(page, "Type the squares instead")
    for row, column in (word.cells[0], word.cells[-1]):
        press_by_tab(page, chr(65 + column))
        press_by_tab(page, str(row + 1))
    press_by_tab(page, "Select")
    expect(page.locator("[data-live]")).to_contain_text(f"Found {word.term}")


def test_a_crossword_is_filled_in_by_tab_and_enter_alone(open_board):
    page, [word, *_others] = open_board("crossword", **TOUCH)
    page.locator(f".clue[data-item='{word.slot}'] .clue-choose").focus()
    page.keyboard.press("Enter")
    for letter in word.tiles:
        press_by_tab(page, letter)
    expect(page.locator("[data-live]")).to_contain_text(f"Found {word.term}")


@pytest.mark.thorough
def test_a_word_is_heard_before_its_squares_come(open_board):
    page, _placements = open_board("finder", size=DESKTOP)
    order = page.evaluate(
        """() => {
            const [listen, grid] = [".finder-listen", "[data-grid]"].map((each) =>
                document.querySelector(each));
            return Boolean(listen.compareDocumentPosition(grid) & Node.DOCUMENT_POSITION_FOLLOWING)
                && listen.getBoundingClientRect().top > grid.getBoundingClientRect().bottom - 1;
        }"""
    )
    assert order
