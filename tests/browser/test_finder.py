"""The whole of “listen and find” as a player sees it: every state by its colour on the screen."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from osmosmjerka.jobs import ledger
from puzzles.making import services as making
from puzzles.models import Puzzle
from tests.browser.conftest import DESKTOP, PHONE
from tests.browser.playing import SELECT, cell, centre, drag_with_mouse, tap_until
from tests.conftest import rows
from tests.layers import daily
from tests.services import wait_until
from vocab.lists.services import create_list
from vocab.models import Review

HANDS = {
    "mouse": {"size": DESKTOP},
    "touch": {"size": PHONE, "has_touch": True, "is_mobile": True},
    "keyboard": {"size": DESKTOP},
}
TOKEN = """(name) => {
    const probe = document.createElement("div");
    probe.style.background = `var(--${name})`;
    document.body.append(probe);
    const colour = getComputedStyle(probe).backgroundColor;
    probe.remove();
    return colour;
}"""


def token(page, name):
    """Return what a colour of the design system is on this page."""
    return page.evaluate(TOKEN, name)


def is_painted(page, cells, state):
    """Assert that the squares have the state's colour, the first the darker one."""
    first, rest = token(page, f"{state}-first"), token(page, state)
    assert first != rest
    for number, place in enumerate(cells):
        expect(cell(page, place)).to_have_css("background-color", rest if number else first)


def is_blank(page, cells):
    for place in cells:
        expect(cell(page, place)).to_have_css("background-color", "rgba(0, 0, 0, 0)")


def button(page, placement):
    return page.locator(f"[data-item='{placement.slot}']").first


def has_colour(page, placement, state):
    expect(button(page, placement)).to_have_css("background-color", token(page, state))


def press(page, placement, hands="mouse"):
    if hands == "touch":
        tap_until(button(page, placement), "active")
    elif hands == "keyboard":
        button(page, placement).focus()
        page.keyboard.press("Enter")
    else:
        button(page, placement).click()


def cells_of(placement):
    return [tuple(place) for place in placement.cells]


def wrong_cells(placement, placements):
    """Return as many squares of a row, from its left end, that are not the placement."""
    taken = {tuple(place) for other in placements for place in other.cells}
    for row in range(10):
        cells = [(row, col) for col in range(3)]
        if not taken & set(cells):
            return cells
    raise AssertionError("No free squares in this grid: choose another seed.")


def is_heard(page, times):
    """Wait until so many sounds have been played; return the addresses of all."""
    # The page's security policy forbids what Playwright would do to ask again by itself.
    wait_until(lambda: page.evaluate("window.played.length") >= times)
    return page.evaluate("window.played")


LISTEN = """
window.played = [];
const play = HTMLMediaElement.prototype.play;
HTMLMediaElement.prototype.play = function () {
    window.played.push(this.src);
    return play.call(this);
};
"""


@pytest.fixture
def open_finder(make_puzzle, open_page, student):
    """Return a page with a finder on it, and the finder's placements."""

    def open_finder(hands="mouse", prepare=None, person=None, is_used_again=True, **settings):
        settings = {"words": 3, "seed": 4} | settings
        puzzle = make_puzzle("finder", **settings)
        assert puzzle.state == Puzzle.State.READY, puzzle.reason
        if prepare is not None:
            prepare(puzzle)
        page = open_page(person=person or student, is_used_again=is_used_again, **HANDS[hands])
        page.add_init_script(LISTEN)
        page.goto(f"/play/{puzzle.code}/")
        expect(page.locator("[data-grid]")).to_be_visible()
        return page, list(puzzle.placements.all())

    return open_finder


@pytest.mark.parametrize("hands", daily("touch", of=sorted(HANDS)))
@pytest.mark.parametrize(
    ("forwards_only", "difficulty"), daily(True, of=[(True, "easy"), (False, "hard")])
)
def test_from_the_first_word_to_the_next_grid(hands, forwards_only, difficulty, open_finder):
    page, placements = open_finder(hands, forwards_only=forwards_only, difficulty=difficulty)
    first, *others = placements
    if not forwards_only:
        assert any(p.cells[0][1] > p.cells[-1][1] for p in placements), "none lies backwards"
    new = page.get_by_role("button", name="New puzzle")
    expect(new).to_have_count(0)
    if hands == "touch":  # a phone shows what is asked and the grid; the rest is folded
        page.get_by_text("Settings", exact=True).tap()
    expect(page.get_by_role("radio", name=re.compile(difficulty, re.I))).to_be_checked()
    expect(page.get_by_label("Forwards only")).to_be_checked(checked=forwards_only)
    expect(page.get_by_label("Play automatically")).not_to_be_checked()
    for placement in placements:
        expect(button(page, placement)).to_contain_text("?")
        expect(button(page, placement)).not_to_contain_text(placement.term)

    press(page, first, hands)
    has_colour(page, first, "active")
    is_heard(page, 1)

    wrong = wrong_cells(first, placements)
    SELECT[hands](page, wrong)
    has_colour(page, first, "wrong")
    is_painted(page, wrong, "wrong")

    press(page, first, hands)
    has_colour(page, first, "active")
    is_blank(page, wrong)
    is_heard(page, 2)
    SELECT[hands](page, cells_of(first))
    has_colour(page, first, "right")
    is_painted(page, cells_of(first), "right")
    expect(button(page, first)).to_contain_text(first.term)
    expect(button(page, first)).to_contain_text(first.translations[0])

    for placement in others:
        press(page, placement, hands)
        SELECT[hands](page, cells_of(placement))
        has_colour(page, placement, "right")
    expect(page.locator("dialog.summary")).to_be_visible()
    page.keyboard.press("Escape")
    for placement in placements:
        is_painted(page, cells_of(placement), "right")
    expect(new).to_be_enabled()
    assert set(Review.objects.values_list("skill", flat=True)) == {"sound_to_form"}


def test_while_dragging_the_choice_is_orange_stays_in_its_row_and_goes_forwards(open_finder):
    page, placements = open_finder()
    press(page, placements[0])
    page.mouse.move(*centre(page, (5, 4)))
    page.mouse.down()
    page.mouse.move(*centre(page, (8, 7)), steps=6)
    is_painted(page, [(5, 4), (5, 5), (5, 6), (5, 7)], "active")
    is_blank(page, [(8, 7), (6, 5)])
    page.mouse.move(*centre(page, (5, 1)), steps=6)
    is_blank(page, [(5, 1), (5, 2), (5, 3), (5, 5)])
    page.keyboard.press("Escape")
    page.mouse.up()


@pytest.mark.thorough
def test_both_ways_the_choice_goes_backwards_too(open_finder):
    page, placements = open_finder(forwards_only=False)
    press(page, placements[0])
    page.mouse.move(*centre(page, (5, 4)))
    page.mouse.down()
    page.mouse.move(*centre(page, (5, 1)), steps=6)
    is_painted(page, [(5, 4), (5, 3), (5, 2), (5, 1)], "active")
    page.mouse.up()


@pytest.mark.thorough
def test_in_the_dark_the_same_states_have_their_own_colours(open_finder):
    page, [first, *_others] = open_finder()
    light = token(page, "active")
    page.evaluate("document.documentElement.dataset.theme = 'dark'")
    assert token(page, "active") != light
    press(page, first)
    has_colour(page, first, "active")
    drag_with_mouse(page, cells_of(first))
    has_colour(page, first, "right")
    is_painted(page, cells_of(first), "right")


@pytest.mark.thorough
def test_when_it_plays_automatically_the_next_word_is_chosen_by_itself_in_order(open_finder):
    page, placements = open_finder()
    page.get_by_label("Play automatically").check()
    press(page, placements[1])
    drag_with_mouse(page, cells_of(placements[1]))
    has_colour(page, placements[2], "active")
    is_heard(page, 2)
    drag_with_mouse(page, cells_of(placements[2]))
    has_colour(page, placements[0], "active")
    drag_with_mouse(page, cells_of(placements[0]))
    expect(page.locator("dialog.summary")).to_be_visible()


@pytest.mark.thorough
def test_when_it_does_not_play_automatically_the_player_chooses(open_finder):
    page, placements = open_finder(is_used_again=False)
    page.clock.install()
    page.reload()  # what the page measures by the clock it measures by this one
    press(page, placements[0])
    drag_with_mouse(page, cells_of(placements[0]))
    has_colour(page, placements[0], "right")
    page.clock.run_for(1200)  # by then another is chosen where “Play automatically” is on
    expect(page.locator(".finder-word.is-active")).to_have_count(0)


@pytest.mark.thorough
@pytest.mark.parametrize("forwards_only", [True, False])
def test_a_palindrome_may_be_taken_either_way_unless_forwards_only(
    forwards_only, open_finder, teacher
):
    palindromes = create_list(
        owner=teacher,
        title="Palindromes",
        language="hr",
        translation_languages=["en"],
        rows=rows({"kajak": "kayak", "potop": "flood"}),
    )
    page, placements = open_finder(
        vocabulary_list=palindromes, words=2, forwards_only=forwards_only
    )
    for placement in placements:
        cells = cells_of(placement)
        press(page, placement)
        drag_with_mouse(page, cells[::-1])
        if forwards_only:
            has_colour(page, placement, "active")
            drag_with_mouse(page, cells)
        has_colour(page, placement, "right")


@pytest.mark.thorough
def test_a_grid_of_several_attempts_says_so_once(open_finder):
    def took_three(puzzle):
        puzzle.grids_tried = 3
        puzzle.save()

    page, [first, *_others] = open_finder(prepare=took_three)
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("3 rounds")
    page.keyboard.press("Enter")
    expect(dialog).to_be_hidden()
    press(page, first)
    has_colour(page, first, "active")
    page.reload()
    expect(page.locator("[data-grid]")).to_be_visible()
    expect(dialog).to_be_hidden()


def test_a_word_without_sound_shows_its_text_and_says_so(open_finder, teacher):
    silent = create_list(
        owner=teacher,
        title="Klingon",
        language="tlh",
        translation_languages=["en"],
        rows=rows({"qagh": "worms", "wep": "coat", "mon": "smile"}),
    )
    page, [first, *_others] = open_finder(vocabulary_list=silent)
    expect(button(page, first)).to_contain_text(first.term)
    expect(button(page, first)).to_contain_text("No sound for this word")
    press(page, first)
    drag_with_mouse(page, cells_of(first))
    has_colour(page, first, "right")
    assert Review.objects.get().skill == "form"


def test_a_sound_that_fails_gives_way_to_the_text(open_finder):
    page, [first, *_others] = open_finder()
    page.route("**/sound/**", lambda route: route.abort())
    press(page, first)
    expect(button(page, first)).to_contain_text(first.term)
    drag_with_mouse(page, cells_of(first))
    has_colour(page, first, "right")


def test_with_the_sound_off_the_text_is_shown_when_a_word_is_chosen(open_finder):
    page, [first, *_others] = open_finder()
    page.locator("[data-sound-toggle]").click()
    press(page, first)
    expect(button(page, first)).to_contain_text(first.term)
    assert is_heard(page, 0) == []


def test_pressed_again_a_word_is_spoken_again_and_slowly_by_a_button_of_its_own(open_finder):
    page, [first, *_others] = open_finder()
    press(page, first)
    for times, name in enumerate(["Listen", "Slow", "Listen"], start=2):
        page.get_by_role("button", name=name, exact=True).click()
        played = is_heard(page, times)
    press(page, first)
    played = is_heard(page, 5)
    assert ["slow=1" in address for address in played] == [False, False, True, False, False]


@pytest.mark.thorough
@pytest.mark.parametrize("rows", [10, 12])
@pytest.mark.parametrize("size", [(390, 664), (360, 640)])
def test_a_phone_shows_what_is_asked_and_the_whole_grid_at_once(
    size, rows, make_puzzle, animals, open_page, student
):
    puzzle = make_puzzle("finder", words=10, rows=rows)
    page = open_page(
        f"/play/{puzzle.code}/",
        person=student,
        size={"width": size[0], "height": size[1]},
        has_touch=True,
    )
    expect(page.locator("[data-grid]")).to_be_visible()
    page.get_by_role("button", name="Listen", exact=True).tap()
    expect(page.get_by_text("Word 1 of 10", exact=True)).to_be_visible()
    assert page.evaluate("scrollY") == 0
    for part in (".progress", "[data-live]", "[data-grid]", ".finder-asked", ".finder-listen"):
        box = page.locator(part).bounding_box()
        assert box["y"] >= 0 and box["y"] + box["height"] <= size[1], part
    for name in ("Previous", "Slow", "Listen", "Next"):
        box = page.get_by_role("button", name=name, exact=True).bounding_box()
        assert box["width"] >= 44 and box["height"] >= 44, name


def test_the_player_is_below_the_middle_of_the_grid_and_listen_is_its_largest_button(open_finder):
    page, _placements = open_finder()
    grid = page.locator("[data-grid]").bounding_box()
    buttons = page.locator(".finder-player button")
    boxes = {one.inner_text(): one.bounding_box() for one in buttons.all()}
    ends = [box["x"] for box in boxes.values()] + [
        box["x"] + box["width"] for box in boxes.values()
    ]
    assert abs(min(ends) + max(ends) - 2 * grid["x"] - grid["width"]) < 2
    listen = boxes.pop("Listen")
    assert listen["width"] > max(box["width"] for box in boxes.values())


@pytest.mark.thorough
def test_whose_beginning_a_hint_shows_is_the_word_to_find(open_finder):
    page, [first, *_others] = open_finder("touch")

    def hint(name):
        page.get_by_label("Hints").tap()
        page.get_by_role("button", name=name).tap()

    hint("Show where the word begins")
    expect(page.get_by_text("Word 1 of 3", exact=True)).to_be_visible()
    row, column = first.cells[0]
    expect(page.locator("[data-live]")).to_contain_text(f"row {row + 1}, column {column + 1}")
    SELECT["touch"](page, cells_of(first))
    has_colour(page, first, "right")
    page.locator(".finder-listen").tap()
    hint("Show the whole word")
    expect(page.locator("[data-live]")).to_contain_text("This is the word")
    expect(page.locator(".finder-listen")).to_have_text("Next word")


@pytest.mark.parametrize("theme", daily("light", of=["light", "dark"]))
def test_a_word_that_was_shown_does_not_look_found(theme, open_finder):
    page, [first, second, _third] = open_finder()
    page.evaluate("theme => document.documentElement.dataset.theme = theme", theme)
    press(page, first)
    drag_with_mouse(page, cells_of(first))
    has_colour(page, first, "right")
    press(page, second)
    page.get_by_label("Hints").click()
    page.get_by_role("button", name="Show the whole word").click()
    expect(page.locator(".progress-label")).to_contain_text("1 of 3")
    shown = button(page, second)
    expect(shown).to_contain_text(re.compile(f"{second.term}.*revealed"))
    expect(shown).to_have_css("border-top-style", "dotted")
    expect(shown).to_have_css("background-color", token(page, "sheet"))
    expect(shown.locator(".icon--check")).to_have_count(0)
    expect(button(page, first).locator(".icon--check")).to_be_visible()
    is_blank(page, cells_of(second))
    for place in cells_of(second):
        expect(cell(page, place)).to_have_css("border-top-style", "dotted")
        expect(cell(page, place)).to_have_attribute(
            "aria-label", re.compile(f"revealed in {second.term}$")
        )
    is_painted(page, cells_of(first), "right")
    for place in cells_of(first):
        expect(cell(page, place)).to_have_css("border-top-style", "solid")
        expect(cell(page, place)).to_have_attribute(
            "aria-label", re.compile(f"found in {first.term}$")
        )


@pytest.mark.thorough
def test_a_square_pressed_before_a_word_is_chosen_names_the_button_that_is_there(open_finder):
    page, [first, second, _third] = open_finder()
    live, listen = page.locator("[data-live]"), page.locator(".finder-listen")
    cell(page, second.cells[0]).click()
    expect(live).to_contain_text("Press “Listen” to hear which word to find.")
    expect(listen).to_have_text("Listen")
    press(page, first)
    drag_with_mouse(page, cells_of(first))
    has_colour(page, first, "right")
    cell(page, second.cells[0]).click()
    expect(live).to_contain_text("Press “Next word” to hear which word to find.")
    expect(listen).to_have_text("Next word")


@pytest.mark.thorough
def test_it_is_played_to_the_end_without_the_list_of_words(open_finder):
    page, placements = open_finder("touch")
    listen = page.locator(".finder-listen")
    listen.tap()
    page.get_by_role("button", name="Next", exact=True).tap()
    expect(page.get_by_text("Word 2 of 3", exact=True)).to_be_visible()
    page.get_by_role("button", name="Previous", exact=True).tap()
    expect(page.get_by_text("Word 1 of 3", exact=True)).to_be_visible()
    for placement in placements:
        SELECT["touch"](page, cells_of(placement))
        has_colour(page, placement, "right")
        if placement != placements[-1]:
            expect(listen).to_have_text("Next word")
            listen.tap()
    expect(page.locator("dialog.summary")).to_be_visible()


VOICES = """
window.spoken = [];
Object.defineProperty(window, "speechSynthesis", { value: {
    getVoices: () => [
        { lang: "en-US", localService: true }, { lang: "LANGUAGE", localService: true },
    ],
    cancel() {}, speak(utterance) { window.spoken.push([utterance.text, utterance.lang]); },
}});
window.SpeechSynthesisUtterance = class { constructor(text) { this.text = text; }
    set voice(voice) {} get voice() { return null; } };
"""


@pytest.mark.parametrize(
    ("language", "speaks"), daily("hr-HR", of=[("hr-HR", True), ("sr-RS", False)])
)
def test_the_devices_voice_is_the_last_resort_in_the_words_language(language, speaks, open_finder):
    page, [first, *_others] = open_finder()
    page.add_init_script(VOICES.replace("LANGUAGE", language))
    page.route("**/sound/**", lambda route: route.abort())
    page.reload()
    press(page, first)
    expect(button(page, first)).to_contain_text(first.term)
    assert page.evaluate("window.spoken") == ([[first.term, "hr-HR"]] if speaks else [])


def test_a_word_that_sounds_the_same_is_found_and_the_chosen_one_goes_on(open_finder, teacher):
    alike = create_list(
        owner=teacher,
        title="Alike",
        language="en",
        translation_languages=["hr"],
        rows=rows({"flour": "brašno", "flower": "cvijet", "bank": "banka"}),
    )
    page, placements = open_finder(vocabulary_list=alike)
    words = {placement.term: placement for placement in placements}
    press(page, words["flour"])
    drag_with_mouse(page, cells_of(words["flower"]))
    has_colour(page, words["flower"], "right")
    has_colour(page, words["flour"], "active")
    expect(page.locator("[data-live]")).to_contain_text("sounds the same")
    drag_with_mouse(page, cells_of(words["flour"]))
    has_colour(page, words["flour"], "right")


def test_a_short_list_is_played_with_fewer_words_in_one_click(make_puzzle, open_page, teacher):
    short = create_list(
        owner=teacher,
        title="Short",
        language="hr",
        translation_languages=["en"],
        rows=rows({"slon": "elephant", "vuk": "wolf", "os": "axle"}),
    )
    puzzle = make_puzzle("finder", vocabulary_list=short)
    page = open_page(f"/puzzles/{puzzle.code}/", person=teacher)
    expect(page.get_by_role("alert")).to_contain_text("fewer than 3 letters: “os”")
    page.get_by_role("button", name="Play with 2 words").click()
    expect(page.locator("progress")).to_be_visible()
    puzzle.refresh_from_db()
    ledger.run_job(str(making.job_of(puzzle).pk))
    expect(page.get_by_role("heading", name="The puzzle")).to_be_visible()
    page.get_by_text("More", exact=True).click()
    page.get_by_role("link", name="Try the puzzle").click()
    expect(page.locator(".finder-word")).to_have_count(2)
