"""Boards in the middle of a game, on every device: what is asked is in view, and is reached.

With text twice as large, by day and night, and in both directions of writing.
"""

from __future__ import annotations

import re
from contextlib import suppress

import pytest
from playwright.sync_api import expect

from tests.browser.axe import has_no_violations
from tests.browser.boards import (
    KINDS,
    PHONE,
    SMALL,
    STILL,
    TARGETS,
    TOUCH,
    cells_of,
    choose,
    resize,
)
from tests.browser.conftest import DESKTOP
from tests.browser.playing import (
    cell,
    centre,
    drag_with_mouse,
    press_keys,
)
from tests.browser.sizes import FAULTS, SIZES
from tests.layers import daily
from tests.services import wait_until

# The squares of the word here that are not seen, or that something lies on.
COVERED = """() => {
  const here = [...document.querySelectorAll(".cell.is-in-slot")];
  if (!here.length) return ["no word here"];
  return here.flatMap((cell) => {
    const box = cell.getBoundingClientRect();
    const { row, col } = cell.querySelector("input").dataset;
    return [[box.left + 2, box.top + 2], [box.right - 2, box.bottom - 2]]
      .filter(([x, y]) => !cell.contains(document.elementFromPoint(x, y)))
      .map(([x, y]) => `${row},${col} at ${Math.round(x)}, ${Math.round(y)}`);
  });
}"""

# What has the focus, if it is outside the window or something that sticks lies on it.
HIDDEN_FOCUS = """() => {
  const one = document.activeElement;
  if (one === document.body || one.closest(".skip-link")) return null;
  // A control whose box is invisible is seen by its label.
  const seen = one.closest("label, .picture-button") ?? one;
  const box = seen.getBoundingClientRect();
  const [x, y] = [box.left + box.width / 2, box.top + Math.min(box.height / 2, 20)];
  const on = document.elementFromPoint(x, y);
  const sticks = (at) => {
    for (let up = at; up && !up.contains(seen); up = up.parentElement) {
      if (["fixed", "sticky"].includes(getComputedStyle(up).position)) return true;
    }
    return false;
  };
  const isThere = x >= 0 && y >= 0 && x <= innerWidth && y <= innerHeight;
  return isThere && !(on && sticks(on)) ? null : `${one.outerHTML.slice(0, 90)} at ${x}, ${y}`;
}"""


def settled(page):
    """Return what hides the focus for good: the page may begin late to move to it."""
    with suppress(AssertionError):
        wait_until(lambda: page.evaluate(HIDDEN_FOCUS) is None, seconds=5)
    return page.evaluate(HIDDEN_FOCUS)


# ---- the word being answered ----


@pytest.mark.parametrize("language", daily("hr", of=["hr", "ar"]))
def test_nothing_covers_the_word_that_is_being_answered(language, open_board):
    page, placements = open_board("crossword", language, **TOUCH)
    covered = []
    for where, (size, zoom) in SIZES.items():
        resize(page, size, zoom)
        cell(page, placements[0].cells[0]).focus()
        for _word in placements:
            page.keyboard.press("Shift+ArrowDown")
            covered += [f"{where}: {each}" for each in page.evaluate(COVERED)]
            assert page.locator(".crossword-foot").evaluate(
                "(foot) => foot.getBoundingClientRect().bottom <= innerHeight + 1"
                " || getComputedStyle(foot).position === 'static'"
            )
    assert not covered, "\n".join(covered)


@pytest.mark.thorough
def test_the_control_finds_words_behind_the_keys(open_board):
    page, placements = open_board("crossword", size=SMALL, **TOUCH)
    page.evaluate("() => { window.scrollBy = () => {}; }")
    page.evaluate("""() => {
        document.documentElement.style.scrollPadding = "0";
        document.querySelector(".keys").style.minBlockSize = "20rem";
    }""")
    covered = []
    for _word in placements:
        page.get_by_label("Next clue").tap()
        covered += page.evaluate(COVERED)
    assert covered


def test_small_squares_are_repeated_large_above_the_keys(open_board):
    page, placements = open_board("crossword", **TOUCH)
    boxes = page.locator(".clue-box")
    word = max(placements, key=lambda each: len(each.tiles))
    page.locator(f".clue[data-item='{word.slot}'] .clue-choose").tap()
    expect(boxes).to_have_count(len(word.tiles))
    page.locator(".keys").get_by_role("button", name=word.tiles[0], exact=True).tap()
    expect(boxes.first).to_have_text(word.tiles[0])
    expect(boxes.nth(1)).to_have_attribute("aria-current", "true")
    boxes.nth(3).tap()
    expect(cell(page, word.cells[3])).to_be_focused()
    page.set_viewport_size({"width": 820, "height": 1180})  # where squares are large
    expect(boxes.first).to_be_hidden()


# ---- menus, sounds, help ----


@pytest.mark.thorough
@pytest.mark.parametrize("language", ["en", "ar"])
@pytest.mark.parametrize("kind", KINDS)
def test_menus_lie_within_a_small_screen(kind, language, open_board):
    page, _placements = open_board(kind, size=SMALL, locale=language, **TOUCH)
    for menu in page.locator(".bar details.menu").all():
        menu.locator("summary").tap()
        box = menu.locator(".menu-items").bounding_box()
        assert box["x"] >= 0 and box["x"] + box["width"] <= SMALL["width"]
        assert box["y"] >= 0 and box["y"] + box["height"] <= SMALL["height"]
        menu.locator("summary").tap()


@pytest.mark.thorough
def test_a_sound_that_fails_is_not_called_off(open_board):
    page, [word, *_others] = open_board("finder", size=DESKTOP)
    page.route("**/sounds/**", lambda route: route.abort())
    page.route("**/sound/**", lambda route: route.abort())
    page.locator(f".finder-word[data-item='{word.slot}']").click()
    expect(page.locator("[data-live]")).to_contain_text("The sound could not be played.")
    expect(page.locator(f".finder-word[data-item='{word.slot}']")).to_contain_text(
        "The sound could not be played."
    )
    expect(page.locator("main")).not_to_contain_text("Sound is off")


@pytest.mark.parametrize("kind", daily("finder", of=KINDS))
def test_help_begins_with_what_a_finger_does(kind, open_board):
    page, _placements = open_board(kind, **TOUCH)
    page.get_by_label("Menu").tap()
    page.get_by_role("button", name="How to play").tap()
    words = page.locator("#help-dialog").inner_text()
    assert re.search(r"\b(Drag|Tap)\b", words).start() < words.index("With a keyboard")


# ---- contrast ----

# The contrast of each letter with what is painted under it, layer by layer.
CONTRASTS = """() => {
  getComputedStyle(document.body).color; // what changes by and by has begun to
  for (const one of document.getAnimations()) {
    if (one.effect.getComputedTiming().endTime !== Infinity) one.finish();
  }
  const canvas = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });
  const rgba = (colour) => {
    canvas.clearRect(0, 0, 1, 1);
    canvas.fillStyle = colour;
    canvas.fillRect(0, 0, 1, 1);
    const [r, g, b, a] = canvas.getImageData(0, 0, 1, 1).data;
    return [r, g, b, a / 255];
  };
  const over = (top, under, alpha = 1) => under.map((part, i) =>
    i < 3 ? top[i] * top[3] * alpha + part * (1 - top[3] * alpha) : 1);
  const light = ([r, g, b]) => {
    const [x, y, z] = [r, g, b].map((part) => {
      const share = part / 255;
      return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * x + 0.7152 * y + 0.0722 * z;
  };
  const contrast = (one, other) => {
    const [low, high] = [light(one), light(other)].sort((a, b) => a - b);
    return (high + 0.05) / (low + 0.05);
  };
  const ground = (element) => {
    const layers = [];
    for (let at = element; at; at = at.parentElement) {
      layers.push(rgba(getComputedStyle(at).backgroundColor));
    }
    return layers.reverse().reduce((under, top) => over(top, under), [255, 255, 255, 1]);
  };
  const found = {};
  for (const cell of document.querySelectorAll("[data-grid] .cell:not(.cell--unused)")) {
    const letter = cell.querySelector(".letter");
    const ink = rgba(getComputedStyle(letter).color);
    const grounds = { [cell.className]: ground(cell) };
    const box = cell.getBoundingClientRect();
    const [x, y] = [box.left + box.width / 2, box.top + box.height / 2];
    for (const shape of document.querySelectorAll(".capsule-fills rect, .capsule-drag")) {
      const style = getComputedStyle(shape);
      const point = new DOMPoint(x, y).matrixTransform(shape.getScreenCTM().inverse());
      if (!shape.isPointInFill(point)) continue;
      const group = Number(getComputedStyle(shape.parentElement).opacity);
      const name = shape.getAttribute("class");
      grounds[name] = over(rgba(style.fill), ground(cell), group * Number(style.fillOpacity));
    }
    for (const [name, colour] of Object.entries(grounds)) {
      found[name] = Math.min(found[name] ?? 99, contrast(ink, colour));
    }
  }
  return found;
}"""


@pytest.mark.thorough
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_letters_are_read_on_every_ground(theme, make_board, open_page, student):
    found = {}

    def collect(page):
        for name, value in page.evaluate(CONTRASTS).items():
            found[name] = min(found.get(name, 99), value)

    def start(puzzle):
        page = open_page(f"/play/{puzzle.code}/", person=student)
        expect(page.locator("[data-grid]")).to_be_visible()
        page.evaluate("(theme) => { document.documentElement.dataset.theme = theme; }", theme)
        collect(page)
        return page, list(puzzle.placements.all())

    page, placements = start(make_board("word-search"))
    for number, word in enumerate(placements[:-1], start=1):
        drag_with_mouse(page, cells_of(word))
        expect(page.locator(".capsule-fills rect")).to_have_count(number)
    page.mouse.move(*centre(page, placements[-1].cells[0]))
    page.mouse.down()
    page.mouse.move(*centre(page, placements[-1].cells[-1]), steps=3)
    collect(page)
    page.mouse.up()
    expect(page.locator(".capsule-fills rect")).to_have_count(len(placements))
    collect(page)

    page, [first, second, third, *_others] = start(make_board("finder"))
    for word, state in ((first, "right"), (second, "wrong"), (third, "active")):
        page.locator(f".finder-word[data-item='{word.slot}']").click()
        way = cells_of(word) if state != "wrong" else cells_of(third)[:2]
        page.mouse.move(*centre(page, way[0]))
        page.mouse.down()
        page.mouse.move(*centre(page, way[-1]), steps=3)
        if state != "active":
            page.mouse.up()
        expect(page.locator(f".cell.is-{state}").first).to_be_visible()
        collect(page)

    page, [first, second, third, *_others] = start(make_board("crossword"))
    choose(page, first)
    press_keys(page, "".join(first.tiles))
    expect(page.locator(".cell.is-solved").first).to_be_visible()
    choose(page, first)
    collect(page)
    choose(page, second)
    for name in ("Reveal this word", "Check this word"):
        if name.startswith("Check"):
            choose(page, third)
            press_keys(page, "X" * len(third.tiles))
        page.get_by_label("Hints").click()
        page.get_by_role("button", name=name).click()
        state = "is-shown" if name.startswith("Reveal") else "is-wrong"
        expect(page.locator(f".cell.{state}").first).to_be_visible()
        collect(page)

    names = " ".join(found)
    assert all(f"colour-{number} " in f"{names} " for number in range(12)), names
    for state in ("capsule-drag", "is-right", "is-wrong", "is-active", "is-solved", "is-shown"):
        assert state in names, names
    weak = {name: round(value, 2) for name, value in found.items() if value < 7}
    assert not weak


@pytest.mark.thorough
def test_the_control_finds_letters_on_a_ground_like_their_own(open_board):
    page, _placements = open_board("crossword", size=DESKTOP)
    assert min(page.evaluate(CONTRASTS).values()) >= 7
    page.evaluate("() => document.documentElement.style.setProperty('--accent-soft', '#777')")
    assert min(page.evaluate(CONTRASTS).values()) < 7


# ---- geometry in the middle of a game ----


def play_a_little(page, kind, placements):
    """Find one word, and mark something that is none."""
    live = page.locator("[data-live]")
    first, second = placements[:2]
    if kind == "crossword":
        choose(page, first)
        press_keys(page, "".join(first.tiles))
        expect(page.locator(".progress-label b")).to_have_text("1")
        choose(page, second)
        press_keys(page, "X" * len(second.tiles))
        expect(page.locator(".is-doubted").first).to_be_visible()
        return
    for word, level in ((first, "right"), (second, "wrong")):
        if kind == "finder":
            page.locator(f".finder-word[data-item='{word.slot}']").click()
            expect(page.locator(f".finder-word.is-active[data-item='{word.slot}']")).to_be_visible()
        length = len(first.cells)
        way = cells_of(first) if level == "right" else [(0, col) for col in range(length)]
        if way == cells_of(first) and level == "wrong":
            way = [(1, col) for col in range(length)]
        drag_with_mouse(page, way)
        expect(live).to_have_attribute("data-level", level)


@pytest.mark.parametrize("language", daily("ar", of=["en", "ar"]))
@pytest.mark.parametrize("kind", daily("crossword", of=KINDS))
def test_nothing_lies_on_anything_in_the_middle_of_a_game(kind, language, open_board):
    words = "ar" if language == "ar" else "hr"
    page, placements = open_board(kind, words, locale=language, has_touch=True, is_mobile=True)
    play_a_little(page, kind, placements)
    wrong = []
    for where, (size, zoom) in SIZES.items():
        resize(page, size, zoom)
        for has_menu in (False, True):
            if has_menu:
                page.evaluate("() => scrollTo(0, 0)")
                page.locator(".bar details.menu").first.evaluate("(menu) => { menu.open = true; }")
                found = []
            else:
                found = page.evaluate(FAULTS)
            if page.evaluate("document.documentElement.scrollWidth > innerWidth"):
                found.append("scrolls sideways")
            found += page.evaluate(TARGETS)
            wrong += [f"{where}{', menu' * has_menu}: {fault}" for fault in found]
        page.locator(".bar details.menu").first.evaluate("(menu) => { menu.open = false; }")
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("language", daily("en", of=["en", "ar"]))
@pytest.mark.parametrize("kind", daily("crossword", of=KINDS))
def test_axe_finds_nothing_in_the_middle_of_a_game(kind, language, open_board):
    words = "ar" if language == "ar" else "hr"
    settings = {"words": 4}  # of a large grid, axe looks at every pair of squares
    page, placements = open_board(kind, words, settings=settings, locale=language, **TOUCH)
    play_a_little(page, kind, placements)
    menu = page.locator(".bar details.menu").first
    for size, scheme, is_open in ((PHONE, "light", "true"), (DESKTOP, "dark", "false")):
        resize(page, size)
        page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
        menu.evaluate(f"(menu) => {{ menu.open = {is_open}; }}")
        has_no_violations(page)


@pytest.mark.thorough
@pytest.mark.parametrize("kind", KINDS)
def test_nothing_that_sticks_covers_what_has_the_focus(kind, open_board):
    page, placements = open_board(kind, has_touch=True, is_mobile=True)
    play_a_little(page, kind, placements)
    hidden = []
    for where in ("small phone", "phone, large text", "desk"):
        size, zoom = SIZES[where]
        resize(page, size, zoom)
        page.evaluate("() => { document.activeElement.blur(); scrollTo(0, 0); }")
        for key in ("Tab", "Shift+Tab"):
            for _press in range(75):
                page.keyboard.press(key)
                if page.evaluate(HIDDEN_FOCUS) and (fault := settled(page)):
                    hidden.append(f"{where}, {key}: {fault}")
    assert not hidden, "\n".join(hidden)


def test_the_page_does_not_scroll_away_from_a_focused_clue_when_the_keys_change_size(open_board):
    page, [word, *_others] = open_board("crossword", **TOUCH)
    foot = page.locator(".crossword-foot")

    def grow():
        foot.evaluate("(foot) => { foot.style.minBlockSize = `${foot.offsetHeight + 40}px`; }")
        page.evaluate(STILL)

    choose(page, word)
    page.locator(".clue-choose").last.focus()
    grow()
    assert page.evaluate(HIDDEN_FOCUS) is None
    cell(page, word.cells[0]).focus()  # whoever plays sees the word
    page.evaluate("() => scrollTo(0, document.documentElement.scrollHeight)")
    assert page.evaluate(COVERED)
    grow()
    wait_until(lambda: not page.evaluate(COVERED))


@pytest.mark.thorough
def test_the_control_finds_what_a_high_strip_covers(open_board):
    page, _placements = open_board("crossword", has_touch=True, is_mobile=True)
    page.evaluate("() => { document.querySelector('.strip').style.blockSize = '26rem'; }")
    hidden = []
    for _press in range(40):
        page.keyboard.press("Tab")
        hidden.append(page.evaluate(HIDDEN_FOCUS))
    assert any(hidden)
