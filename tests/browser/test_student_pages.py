"""What a student sees, on every device and with text twice as large: nothing lies on anything else.

A width test cannot see text that is clipped or covered, so this compares boxes.
"""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import DESKTOP
from tests.browser.test_progress import has_no_violations
from tests.conftest import rows
from tests.puzzles.practice.test_practice import find_all, remember
from vocab.lists import services as list_services

SIZES = {
    "small phone": ({"width": 360, "height": 640}, 1),
    "phone": ({"width": 390, "height": 664}, 1),
    "phone, large text": ({"width": 390, "height": 664}, 2),
    "tablet": ({"width": 820, "height": 1180}, 1),
    "tablet on its side": ({"width": 1180, "height": 820}, 1),
    "desk": (DESKTOP, 1),
}

# Which controls and headings lie on each other or outside, each by its text. What one element
# contains or labels belongs to it, and what sticks is above the page on purpose.
FAULTS = """() => {
  const wanted = "a, button, input:not([type=hidden]), select, textarea, summary, h1, h2, h3";
  const dialog = document.querySelector("dialog[open]");
  const sticks = (one) => {
    for (let at = one; at; at = at.parentElement) {
      if (["fixed", "sticky"].includes(getComputedStyle(at).position)) return true;
    }
    return false;
  };
  const name = (one) => (one.innerText || one.ariaLabel || one.name || one.className).trim();
  const shown = [...(dialog ?? document).querySelectorAll(wanted)].filter((one) =>
    one.checkVisibility({ visibilityProperty: true, opacityProperty: true })
    && !one.closest(".visually-hidden, .skip-link, [data-grid], .segments")
    && (dialog || !sticks(one)));
  // Of a list that scrolls, only what is in it now is seen.
  const seen = (one) => {
    const { left, right, top, bottom } = one.getBoundingClientRect();
    const box = { left, right, top, bottom };
    for (let at = one.parentElement; at; at = at.parentElement) {
      if (!["auto", "scroll"].includes(getComputedStyle(at).overflowY)) continue;
      const frame = at.getBoundingClientRect();
      box.top = Math.max(box.top, frame.top);
      box.bottom = Math.min(box.bottom, frame.bottom);
    }
    return box;
  };
  const boxes = shown.map(seen);
  const faults = [];
  boxes.forEach((box, i) => {
    if (box.left < -1 || box.right > innerWidth + 1) faults.push(`outside: ${name(shown[i])}`);
    for (let j = 0; j < i; j += 1) {
      if (shown[i].contains(shown[j]) || shown[j].contains(shown[i])) continue;
      const other = boxes[j];
      const wide = Math.min(box.right, other.right) - Math.max(box.left, other.left);
      const high = Math.min(box.bottom, other.bottom) - Math.max(box.top, other.top);
      if (wide > 2 && high > 2) faults.push(`${name(shown[i])} lies on ${name(shown[j])}`);
    }
  });
  for (const one of (dialog ?? document).querySelectorAll("h1, h2, a, button, p, dt, dd")) {
    if (!one.checkVisibility() || one.closest(".visually-hidden, .skip-link")) continue;
    const style = getComputedStyle(one);
    if (style.overflowX === "hidden" && one.scrollWidth > one.clientWidth + 1
        && style.textOverflow !== "ellipsis") faults.push(`cut off: ${name(one)}`);
  }
  return faults;
}"""

SMALL = """() => [...(document.querySelector("dialog[open]") ?? document).querySelectorAll(
  "main button, main a.button, main summary, dialog button, dialog a.button")]
  .filter((one) => one.checkVisibility() && !one.closest("[data-grid]"))
  .map((one) => [one.innerText.trim(), one.getBoundingClientRect()])
  .filter(([, box]) => box.width < 44 || box.height < 43.5)
  .map(([text, box]) => `${text}: ${Math.round(box.width)} × ${Math.round(box.height)}`)"""


@pytest.fixture
def pages(animals, teacher, classroom, student, make_puzzle):
    """Pages of a student who has practised, has something to do, and has something done."""
    done = make_puzzle("finder", words=4)
    find_all(done, student)
    for entry in animals.entries.all()[:8]:
        remember(student, entry, 6)
    other = list_services.create_list(
        owner=teacher, title="Das ist eine ziemlich lange Überschrift", language="de",
        translation_languages=["en"],
        rows=rows({"Hund": "dog", "Katze": "cat", "Birnbaum": "pear tree", "Elefant": "elephant"}),
    )  # fmt: skip
    codes = {
        "word search": make_puzzle(vocabulary_list=other, words=4).code,
        "listen and find": make_puzzle("finder", vocabulary_list=other, words=4).code,
        "crossword": make_puzzle("crossword", vocabulary_list=other, words=4).code,
        "summary": done.code,
    }
    return {
        "home": "/",
        "words": "/words/",
        "review": "/review/",
        "progress": "/progress/",
    } | {name: f"/play/{code}/" for name, code in codes.items()}


@pytest.mark.parametrize("language", ["en", "ar"])
def test_nothing_lies_on_anything_or_outside(language, pages, student, open_page):
    page = open_page("/help/", student, locale=language)
    wrong = []
    for where, (size, zoom) in SIZES.items():
        page.set_viewport_size(size)
        for name, path in pages.items():
            page.goto(path)
            if path.startswith("/play/"):
                expect(page.locator("[data-grid]")).to_be_visible()
            if name == "summary":
                expect(page.locator("dialog.summary")).to_be_visible()
            page.evaluate(f"document.documentElement.style.fontSize = '{zoom * 100}%'")
            page.evaluate("() => document.fonts.ready.then(() => 0)")
            found = page.evaluate(FAULTS)
            if page.evaluate("document.documentElement.scrollWidth > innerWidth"):
                found.append("scrolls sideways")
            wrong += [f"{name}, {where}: {fault}" for fault in found]
    assert not wrong, "\n".join(wrong)


def test_the_control_finds_what_lies_on_a_heading_or_outside(pages, student, open_page):
    page = open_page("/", student, size=SIZES["phone"][0])
    assert page.evaluate(FAULTS) == []
    page.evaluate("""() => {
        const button = document.querySelector("main button, main a.button");
        button.style.cssText = "position: relative; left: 5rem; margin-top: -5rem";
    }""")
    faults = page.evaluate(FAULTS)
    assert any(fault.startswith("outside") for fault in faults)
    assert any("lies on" in fault for fault in faults)


@pytest.mark.parametrize("language", ["en", "ar"])
def test_axe_finds_nothing_by_day_and_night(language, pages, student, open_page):
    page = open_page("/help/", student, locale=language)
    for name, path in pages.items():
        for size, scheme in ((SIZES["phone"][0], "light"), (DESKTOP, "dark")):
            page.set_viewport_size(size)
            page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
            page.goto(path)
            if path.startswith("/play/"):
                expect(page.locator("[data-grid]")).to_be_visible()
            if name == "summary":
                expect(page.locator("dialog.summary")).to_be_visible()
            has_no_violations(page)


def test_pages_have_targets_for_a_thumb(pages, student, open_page):
    page = open_page("/", student, size=SIZES["phone"][0], has_touch=True)
    for name in ("home", "listen and find", "summary", "review", "progress"):
        page.goto(pages[name])
        expect(page.locator("h1").first).to_be_visible()
        if pages[name].startswith("/play/"):
            expect(page.locator("[data-grid]")).to_be_visible()
        if name == "summary":
            expect(page.locator("dialog.summary")).to_be_visible()
        assert page.evaluate(SMALL) == [], name


def test_the_next_thing_is_in_view_when_a_game_ends(pages, student, open_page):
    for size in (SIZES["small phone"][0], SIZES["phone"][0], DESKTOP):
        page = open_page(pages["summary"], student, size=size)
        following = page.locator("dialog.summary .button--primary")
        expect(following).to_be_focused()
        box = following.bounding_box()
        assert box["y"] >= 0
        assert box["y"] + box["height"] <= size["height"]


def test_words_to_find_are_in_view_with_the_whole_grid(make_puzzle, student, open_page):
    puzzle = make_puzzle()
    assert len(puzzle.grid) >= 10
    page = open_page(f"/play/{puzzle.code}/", student, size=SIZES["phone"][0])
    grid, word = page.locator("[data-grid]"), page.locator(".word-choose")
    expect(word.first).to_be_visible()
    top, bottom = grid.bounding_box()["y"], word.first.bounding_box()
    assert top >= 0
    assert bottom["y"] + bottom["height"] <= SIZES["phone"][0]["height"]
