"""Boards in the middle of a game, on every device: what is asked is in view, and is reached.

By touch, by keys and by one switch; with text twice as large, and in both directions of writing.
"""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from puzzles.models import Move
from tests.browser.conftest import DESKTOP
from tests.browser.playing import (
    cell,
    centre,
    drag_with_finger,
    drag_with_mouse,
    press_keys,
    touch,
)
from tests.browser.test_progress import has_no_violations
from tests.browser.test_student_pages import FAULTS, SIZES
from tests.conftest import rows
from tests.services import wait_until
from vocab.lists.services import create_list

SMALL, PHONE = SIZES["small phone"][0], SIZES["phone"][0]
TOUCH = {"has_touch": True, "is_mobile": True}
KINDS = ("word-search", "finder", "crossword")
WORDS = {
    "hr": {
        "kuća": "house", "drvo": "wood", "more": "sea", "rijeka": "river", "planina": "mountain",
        "jabuka": "apple", "kruška": "pear", "stolica": "chair", "prozor": "window",
        "vrata": "door", "krevet": "bed", "lampa": "lamp", "zrcalo": "mirror", "knjiga": "book",
    },
    "ar": {
        "كتاب": "book", "مدرسة": "school", "قلم": "pen", "باب": "door", "بيت": "house",
        "شمس": "sun", "قمر": "moon", "ماء": "water", "طاولة": "table", "كرسي": "chair",
        "دفتر": "notebook", "حقيبة": "bag",
    },
}  # fmt: skip

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

# Targets that a thumb misses; a key may be as much higher as it is narrower.
TARGETS = """() => [...document.querySelectorAll(
    "main button, main summary, main a, main input:not([type=hidden], [type=radio], "
    + "[type=checkbox]), main label.check, .menu[open] .menu-items > button")]
  .filter((one) => one.checkVisibility({ visibilityProperty: true })
    && !one.closest("[data-grid], .visually-hidden"))
  .map((one) => [one, one.getBoundingClientRect()])
  .filter(([one, { width, height }]) => {
    if (one.matches(".clue-box")) return width < 36 || height < 36;
    if (one.matches(".key")) return height < 43.5 || width * height < 1930;
    return width < 43.5 || height < 43.5;
  })
  .map(([one, { width, height }]) =>
    `${one.className} ${one.innerText.trim()}: ${Math.round(width)} × ${Math.round(height)}`)"""


@pytest.fixture
def make_board(make_puzzle, teacher):
    def make(kind, language="hr", **settings):
        words = create_list(
            owner=teacher,
            title="Pločnik",
            language=language,
            translation_languages=["en"],
            rows=rows(WORDS[language]),
        )
        puzzle = make_puzzle(
            kind, vocabulary_list=words, **{"words": 10 if kind == "finder" else 12} | settings
        )
        assert puzzle.state == puzzle.State.READY, puzzle.reason
        return puzzle

    return make


@pytest.fixture
def open_board(make_board, open_page, student):
    """Open a puzzle of the kind; return its page and its words."""

    def open_board(kind, language="hr", size=PHONE, settings=None, **options):
        puzzle = make_board(kind, language, **settings or {})
        page = open_page(f"/play/{puzzle.code}/", person=student, size=size, **options)
        expect(page.locator("[data-grid]")).to_be_visible()
        return page, list(puzzle.placements.all())

    return open_board


def resize(page, size, zoom=1):
    page.set_viewport_size(size)
    page.evaluate(f"() => {{ document.documentElement.style.fontSize = '{zoom * 100}%'; }}")
    page.evaluate("() => document.fonts.ready.then(() => 0)")
    drawn = "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"
    page.evaluate(drawn)


def cells_of(placement):
    return [tuple(place) for place in placement.cells]


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


# ---- the word being answered ----


@pytest.mark.parametrize("language", ["hr", "ar"])
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


# ---- a word search in one view, and what is being marked ----


@pytest.mark.parametrize("size", [PHONE, SMALL], ids=["390", "360"])
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
    for part in ("[data-live]", ".progress", "[data-grid]", ".words-list"):
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


@pytest.mark.parametrize("kind", ["word-search", "finder"])
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
    box = loupe.bounding_box()
    assert box["y"] + box["height"] <= points[-1][1] - 20 or box["y"] <= 4
    assert box["x"] >= 0 and box["x"] + box["width"] <= SMALL["width"]
    lift()
    expect(loupe).to_have_count(0)
    expect(page.locator("[data-live]")).to_contain_text(f"Found {word.term}")
    expect(page.locator(".spelt")).to_be_hidden()


def test_a_mouse_hides_no_letters_and_gets_no_loupe(open_board):
    page, [word, *_others] = open_board("word-search", size=SMALL)
    page.mouse.move(*centre(page, word.cells[0]))
    page.mouse.down()
    page.mouse.move(*centre(page, word.cells[-1]), steps=4)
    expect(page.locator(".spelt")).to_have_text(" ".join(word.tiles))
    expect(page.locator(".loupe")).to_have_count(0)
    page.mouse.up()


# ---- swipes ----


@pytest.mark.parametrize("kind", ["word-search", "finder"])
def test_a_swipe_over_the_grid_scrolls_the_page_and_marks_nothing(kind, open_board):
    page, placements = open_board(kind, size={"width": 390, "height": 520}, **TOUCH)
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


@pytest.mark.parametrize("kind", ["word-search", "finder"])
def test_the_same_way_drawn_slowly_marks_and_does_not_scroll(kind, open_board):
    """The control of the test above."""
    page, placements = open_board(kind, size={"width": 390, "height": 520}, **TOUCH)
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
    page, [word, *_others] = open_board("word-search", **TOUCH)
    sent = sent_by(page)
    points = [centre(page, (5, column)) for column in range(5)]
    touch(page, points, seconds=0.005)
    expect(page.locator("[data-live]")).to_contain_text("drag more slowly")
    assert sent == []
    drag_with_finger(page, cells_of(word))  # the control
    expect(page.locator("[data-live]")).to_contain_text(f"Found {word.term}")
    assert len(sent) == 1


def test_letters_that_no_word_left_has_are_no_answer(open_board):
    page, placements = open_board("word-search", **TOUCH)
    assert min(len(each.cells) for each in placements) > 2
    sent = sent_by(page)
    drag_with_finger(page, [(2, 2), (2, 3)])
    expect(page.locator("[data-live]")).to_have_text("No word left has 2 letters.")
    assert sent == []
    assert not Move.objects.exists()


# ---- the crossword's way on ----


def choose(page, placement):
    page.locator(f".clue[data-item='{placement.slot}'] .clue-choose").click()


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


@pytest.mark.parametrize(("size", "zoom"), [(SMALL, 1), (PHONE, 1), (PHONE, 2)])
@pytest.mark.parametrize("language", ["hr", "ar"])
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


# ---- menus, sounds, help ----


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


@pytest.mark.parametrize("kind", KINDS)
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


@pytest.mark.parametrize("language", ["en", "ar"])
@pytest.mark.parametrize("kind", KINDS)
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


@pytest.mark.parametrize("language", ["en", "ar"])
@pytest.mark.parametrize("kind", KINDS)
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
                if fault := page.evaluate(HIDDEN_FOCUS):
                    hidden.append(f"{where}, {key}: {fault}")
    assert not hidden, "\n".join(hidden)


def test_the_control_finds_what_a_high_strip_covers(open_board):
    page, _placements = open_board("crossword", has_touch=True, is_mobile=True)
    page.evaluate("() => { document.querySelector('.strip').style.blockSize = '26rem'; }")
    hidden = []
    for _press in range(40):
        page.keyboard.press("Tab")
        hidden.append(page.evaluate(HIDDEN_FOCUS))
    assert any(hidden)


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
