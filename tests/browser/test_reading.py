"""Who chose other letters, more contrast or less motion gets them on every page, nobody else."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from osmosmjerka.accounts import people
from tests.browser.axe import has_no_violations
from tests.browser.conftest import DESKTOP, PHONE
from tests.browser.playing import NOTES_FLIGHTS, select_with_keys
from tests.browser.sizes import SIZES, faults_on
from tests.browser.test_weight import MOST_BYTES, MOST_REQUESTS, UI_LATIN, names
from tests.browser.weight import weigh
from tests.layers import daily
from tests.puzzles.practice.test_practice import cells_of
from tests.services import wait_until

EASY = ["easy-letters-bold.woff2", "easy-letters-regular.woff2"]
CHOSEN = {"letters": "easy", "contrast": "high", "motion": "less"}
STANDARD = {"letters": "standard", "contrast": "device", "motion": "device"}

# The least contrast of text, and of the outlines of controls, as the page is drawn: each against
# the nearest opaque ground behind it.
LEAST = """() => {
  const parse = (colour) => {
    const parts = colour.match(/[\\d.]+/g).map(Number);
    return colour.startsWith("color(srgb") ? parts.map((p, i) => (i < 3 ? p * 255 : p)) : parts;
  };
  const linear = (c) => (c / 255 <= 0.04045 ? c / 255 / 12.92 : ((c / 255 + 0.055) / 1.055) ** 2.4);
  const light = ([r, g, b]) => 0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b);
  const contrast = (one, other) => {
    const [low, high] = [light(one), light(other)].sort((a, b) => a - b);
    return (high + 0.05) / (low + 0.05);
  };
  const ground = (one) => {
    for (let at = one; at; at = at.parentElement) {
      const colour = parse(getComputedStyle(at).backgroundColor);
      if (colour.length === 3 || colour[3] === 1) return colour;
    }
    return parse("rgb(255, 255, 255)");
  };
  const least = { text: [99, ""], control: [99, ""] };
  const note = (what, value, one) => {
    if (value >= least[what][0]) return;
    least[what] = [value, `${one.tagName}.${one.className} ${one.innerText}`];
  };
  for (const one of document.querySelectorAll("body *")) {
    if (!one.checkVisibility({ visibilityProperty: true, opacityProperty: true })) continue;
    if (one.closest(".visually-hidden, .skip-link, :disabled, svg, option")) continue;
    const style = getComputedStyle(one);
    if ([...one.childNodes].some((node) => node.nodeType === 3 && node.data.trim())) {
      note("text", contrast(parse(style.color), ground(one)), one);
    }
    if (one.matches("button.button, a.button, select, input:not([type=hidden]):not([type=radio])")
        && style.borderTopWidth !== "0px" && parse(style.borderTopColor)[3] !== 0) {
      // A button of a colour of its own shows by it, not by its outline.
      const outside = ground(one.parentElement);
      note("control", Math.max(contrast(parse(style.borderTopColor), outside),
        contrast(ground(one), outside)), one);
    }
  }
  return least;
}"""


@pytest.fixture
def choose(student):
    def choose(**chosen):
        people.choose_reading(person=student, **(STANDARD | chosen))

    return choose


def drawn_with(page, selector):
    """The fonts with which the text of an element is drawn."""
    tools = page.context.new_cdp_session(page)
    tools.send("DOM.enable")
    tools.send("CSS.enable")
    root = tools.send("DOM.getDocument")["root"]["nodeId"]
    node = tools.send("DOM.querySelector", {"nodeId": root, "selector": selector})["nodeId"]
    fonts = tools.send("CSS.getPlatformFontsForNode", {"nodeId": node})["fonts"]
    tools.detach()
    return {font["familyName"] for font in fonts}


def test_a_student_chooses_in_the_menu_and_the_page_and_the_grid_look_so(
    make_puzzle, student, open_page
):
    puzzle = make_puzzle()
    page = open_page("/", student, size=PHONE)
    page.locator(".menu > summary").click()
    page.get_by_role("link", name="Letters and colours").click()
    page.get_by_role("radio", name="Easier to tell apart").check()
    page.get_by_role("group", name="Contrast").get_by_role("radio", name="High").check()
    page.get_by_role("group", name="Motion").get_by_role("radio", name="Less").check()
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text("Saved.")).to_be_visible()
    has_no_violations(page)
    page.evaluate("() => document.fonts.ready.then(() => 0)")
    assert drawn_with(page, "h1") == {"Osmosmjerka Easy"}
    page.goto(f"/play/{puzzle.code}/")
    expect(page.locator("[data-grid]")).to_be_visible()
    page.evaluate("() => document.fonts.ready.then(() => 0)")
    assert drawn_with(page, ".cell") == {"Osmosmjerka Easy"}
    assert drawn_with(page, ".word-text b") == {"Osmosmjerka Easy"}
    # The control: without the choice, the same letters are drawn as ever.
    page.goto("/me/reading/")
    page.get_by_role("radio", name="Standard").check()
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text("Saved.")).to_be_visible()
    page.goto(f"/play/{puzzle.code}/")
    expect(page.locator("[data-grid]")).to_be_visible()
    page.evaluate("() => document.fonts.ready.then(() => 0)")
    assert "Osmosmjerka Easy" not in drawn_with(page, ".cell") | drawn_with(page, ".word-text b")


@pytest.mark.parametrize("kind", daily("crossword", of=["word-search", "finder", "crossword"]))
def test_only_who_chose_the_letters_loads_them(kind, make_puzzle, student, choose, open_page):
    puzzle = make_puzzle(kind)
    page = open_page("/healthz", student, size=PHONE, is_used_again=False)

    def show():
        page.goto(f"/play/{puzzle.code}/")
        expect(page.locator("[data-grid]")).to_be_visible()

    loaded = weigh(page, show)
    assert [name for name in names(loaded, "Font") if name in EASY] == []
    choose(letters="easy")
    page.context.new_cdp_session(page).send("Network.clearBrowserCache")
    loaded = weigh(page, show)
    fonts = names(loaded, "Font")
    assert [name for name in fonts if name in EASY] == EASY
    assert UI_LATIN not in fonts
    assert len(loaded) <= MOST_REQUESTS, loaded
    assert sum(each.size for each in loaded) <= MOST_BYTES, loaded


@pytest.mark.thorough
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_high_contrast_is_seven_to_one_on_every_page(
    scheme, student_pages, student, choose, open_page
):
    choose(contrast="high")
    page = open_page("/help/", student, size=SIZES["phone"][0], color_scheme=scheme)
    wrong = []
    for name, path in student_pages.items():
        page.goto(path)
        if path.startswith("/play/"):
            expect(page.locator("[data-grid]")).to_be_visible()
        least = page.evaluate(LEAST)
        wrong += [(name, *least["text"])] if least["text"][0] < 7 else []
        wrong += [(name, *least["control"])] if least["control"][0] < 4.5 else []
        has_no_violations(page)
    assert wrong == []


def test_the_device_may_ask_for_high_contrast_and_without_either_there_is_less(
    student, make_puzzle, open_page
):
    make_puzzle()
    page = open_page("/", student, size=PHONE)
    body = page.locator("body")
    for scheme, colour in (("light", "rgb(255, 255, 255)"), ("dark", "rgb(0, 0, 0)")):
        page.emulate_media(contrast="more", color_scheme=scheme, reduced_motion="reduce")
        expect(body).to_have_css("background-color", colour)
        assert page.evaluate(LEAST)["text"][0] >= 7
        # The control.
        page.emulate_media(contrast="no-preference", color_scheme=scheme, reduced_motion="reduce")
        expect(body).not_to_have_css("background-color", colour)
        if scheme == "light":
            assert page.evaluate(LEAST)["text"][0] < 7
    page.emulate_media(contrast="more", color_scheme="light", reduced_motion="reduce")
    page.locator(".menu > summary").click()
    page.get_by_role("button", name="Dark").click()
    expect(body).to_have_css("background-color", "rgb(0, 0, 0)")
    assert page.evaluate(LEAST)["text"][0] >= 7


# Whether confetti lies on text: a piece is held where the heading is, and looked for as a pointer
# finds what is on top. With *over*, it is drawn above. null: there is none.
LIES_ON_TEXT = """(over) => {
  const piece = document.querySelector(".confetti");
  if (!piece) return null;
  const title = document.querySelector("dialog.summary :is(h1, h2)");
  const { left, top, width, height } = title.getBoundingClientRect();
  for (const one of piece.getAnimations()) one.cancel();
  piece.style.cssText += `left: ${left}px; top: ${top}px; width: ${width}px; height: ${height}px;`
    + `pointer-events: auto; ${over ? "z-index: 1;" : ""}`;
  return document.elementFromPoint(left + width / 2, top + height / 2) === piece;
}"""


@pytest.mark.thorough
@pytest.mark.parametrize("motion", ["less", "device"])
def test_words_fly_and_confetti_falls_behind_the_text_or_nothing_moves(
    motion, make_puzzle, student, choose, open_page
):
    choose(motion=motion)
    puzzle = make_puzzle("crossword", words=5)
    page = open_page("/", student, is_used_again=False)
    page.emulate_media(reduced_motion="no-preference")
    page.add_init_script(NOTES_FLIGHTS)
    page.goto(f"/play/{puzzle.code}/")
    placements = list(puzzle.placements.all())
    for placement in placements:
        page.locator(f".clue[data-item='{placement.slot}'] .clue-field").fill(placement.term)
        page.keyboard.press("Enter")
    expect(page.locator("dialog.summary [data-place]").first).to_be_visible()
    flown = page.locator("dialog.summary [data-flew]")
    if motion == "less":
        expect(flown).to_have_count(0)
        assert page.evaluate(LIES_ON_TEXT, False) is None
        return
    expect(flown).to_have_count(len(placements))
    assert page.evaluate(LIES_ON_TEXT, False) is False
    assert page.evaluate(LIES_ON_TEXT, True) is True  # the control


@pytest.mark.thorough
@pytest.mark.parametrize("motion", ["less", "device"])
def test_less_motion_has_no_confetti_and_no_transitions(
    motion, make_puzzle, student, choose, open_page
):
    choose(motion=motion)
    puzzle = make_puzzle(words=4)
    page = open_page("/", student, is_used_again=False)
    page.emulate_media(reduced_motion="no-preference")
    page.add_init_script("""
      window.pieces = 0;
      new MutationObserver((changes) => {
        for (const change of changes) {
          for (const node of change.addedNodes) if (node.matches?.(".confetti")) window.pieces += 1;
        }
      }).observe(document, { childList: true, subtree: true });
    """)
    page.goto(f"/play/{puzzle.code}/")
    placements = list(puzzle.placements.all())
    for number, placement in enumerate(placements, start=1):
        select_with_keys(page, cells_of(placement))
        if number < len(placements):
            expect(page.locator(".progress-label")).to_contain_text(f"{number} of")
    expect(page.locator("dialog.summary")).to_be_visible()
    takes = page.evaluate("getComputedStyle(document.querySelector('.button')).transitionDuration")
    moves = float(takes.split(",")[0].removesuffix("s")) > 0.01
    assert (page.evaluate("window.pieces") > 0, moves) == (
        (False, False) if motion == "less" else (True, True)
    )


@pytest.mark.thorough
def test_wide_letters_are_not_cut_and_lie_on_nothing(student_pages, student, choose, open_page):
    choose(**CHOSEN)
    page = open_page("/help/", student)
    looked_at = student_pages | {"choice": "/me/reading/"}
    wrong = faults_on(page, looked_at, ("phone", "phone, large text", "desk"))
    assert not wrong, "\n".join(wrong)


# What is wider than its key or longer than its place, once the fonts are there.
TOO_LONG = """() => document.fonts.ready.then(() =>
  [...document.querySelectorAll(".key, [data-live]")]
    .filter((one) => one.scrollWidth > one.clientWidth + 1
      || one.scrollHeight > one.clientHeight + 1)
    .map((one) => one.textContent))"""


@pytest.mark.parametrize("kind", ["word-search", "crossword"])
def test_wide_letters_fit_their_keys_and_the_line_above_a_board(
    kind, make_puzzle, student, choose, open_page
):
    puzzle = make_puzzle(kind)
    choose(letters="easy")
    page = open_page(f"/play/{puzzle.code}/", student, size=PHONE, has_touch=True, is_mobile=True)
    expect(page.locator("[data-live]")).not_to_be_empty()
    if kind == "crossword":
        expect(page.get_by_role("button", name="DŽ", exact=True)).to_be_visible()
    # Keys are drawn anew when a font has come.
    wait_until(lambda: page.evaluate(TOO_LONG) == [], seconds=10)


@pytest.mark.thorough
def test_a_teachers_pages_have_them_too(teacher, classroom, make_puzzle, open_page):
    make_puzzle()
    people.choose_reading(person=teacher, **CHOSEN)
    page = open_page("/", teacher, size=DESKTOP)
    for path in ("/", f"/classes/{classroom.pk}/", "/me/reading/"):
        page.goto(path)
        assert page.evaluate(LEAST)["text"][0] >= 7, path
        has_no_violations(page)
