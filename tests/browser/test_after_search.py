"""After a word search some of its words are asked in the dialog of its end."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from puzzles.play import services as play
from tests.browser.axe import has_no_violations
from tests.browser.conftest import DESKTOP
from tests.browser.playing import NOTES_FLIGHTS, SELECT
from tests.browser.sizes import FAULTS, SMALL
from tests.layers import daily
from tests.puzzles.practice.test_practice import find_all, remember
from vocab.models import Review

SMALL_PHONE = {"width": 390, "height": 664}

# Where the button of what is next is while the dialog is not scrolled.
PLACE = """() => {
  const dialog = document.querySelector("dialog.summary");
  const next = dialog.querySelector(".button--primary");
  return dialog.getBoundingClientRect().top + next.offsetTop;
}"""


def is_fine(page):
    has_no_violations(page)
    assert page.evaluate(FAULTS) == []
    assert page.evaluate(SMALL) == []


def tab_to(page, locator, most=12):
    for _press in range(most):
        page.keyboard.press("Tab")
        if locator.evaluate("(one) => one === document.activeElement"):
            return
    raise AssertionError("no way there by Tab")


@pytest.fixture
def puzzle(make_puzzle, student):
    """A word search of three words: the first is known but took a hint, the others are new."""
    puzzle = make_puzzle(words=3)
    known = puzzle.placements.first()
    remember(student, known.entry, 1)
    session = play.open_session(puzzle=puzzle, student=student)
    play.take_hint(session=session, slot=known.slot, kind="first_cell")
    return puzzle


@pytest.mark.parametrize("size", daily(SMALL_PHONE, of=[SMALL_PHONE, DESKTOP]))
def test_two_words_are_answered_with_the_keyboard_and_the_last_is_skipped(
    size, puzzle, open_page, student
):
    page = open_page(f"/play/{puzzle.code}/", person=student, size=size)
    expect(page.locator("[data-grid]")).to_be_visible()
    known, second, _third = puzzle.placements.all()
    for placement in puzzle.placements.all():
        SELECT["keyboard"](page, [tuple(place) for place in placement.cells])
    dialog = page.get_by_role("dialog")
    go_on = dialog.locator(".button--primary.button--large")
    expect(go_on).to_be_focused()
    expect(dialog.get_by_text("1 of 3", exact=True)).to_be_visible()
    # Nothing in view tells the word.
    words = dialog.get_by_text(known.term, exact=True)
    expect(words).to_be_hidden()
    place = page.evaluate(PLACE)
    if size == SMALL_PHONE:  # nothing of it is below the window
        assert dialog.bounding_box() == {"x": 0, "y": 0, **SMALL_PHONE}
    is_fine(page)

    field = dialog.get_by_label("Your answer")
    tab_to(page, field)
    page.keyboard.type(f"{known.term}x")
    page.keyboard.press("Enter")
    verdict = dialog.get_by_role("status")
    expect(dialog.get_by_text("1 of 3", exact=True)).to_be_visible()
    expect(verdict).to_contain_text("Almost:")
    expect(verdict).to_contain_text("There is one x too many.")
    expect(dialog.get_by_role("button", name="Continue")).to_be_focused()
    assert page.evaluate(PLACE) == place
    is_fine(page)

    page.keyboard.press("Enter")
    expect(dialog.get_by_text("2 of 3", exact=True)).to_be_visible()
    expect(dialog.get_by_role("heading", name=second.translations[0])).to_be_focused()
    assert page.evaluate(PLACE) == place
    is_fine(page)

    tab_to(page, dialog.get_by_role("button", name=second.term, exact=True))
    page.keyboard.press("Enter")
    expect(verdict).to_contain_text(f"Correct. {second.term}")
    expect(dialog.get_by_text("3 of 3", exact=True)).to_be_visible()
    assert page.evaluate(PLACE) == place
    is_fine(page)
    answers = Review.objects.filter(source__startswith="review:")
    assert list(answers.values_list("entry", "mode", "outcome")) == [
        (known.entry_id, "typed", "wrong"),
        (second.entry_id, "chosen", "right"),
    ]

    page.reload()
    expect(dialog.get_by_text("3 of 3", exact=True)).to_be_visible()
    tab_to(page, dialog.get_by_role("button", name="Skip"))
    page.keyboard.press("Enter")
    expect(go_on).to_be_focused()
    expect(dialog.get_by_text("One more minute")).to_be_hidden()
    expect(words).to_be_visible()
    is_fine(page)


def test_a_wrong_answer_changes_what_is_left_of_today(puzzle, open_page, student):
    find_all(puzzle, student)
    page = open_page(f"/play/{puzzle.code}/", person=student)
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_text("9 words are left.")).to_be_visible()
    dialog.get_by_role("button", name="I don’t know").click()
    expect(dialog.get_by_text("The word is:")).to_be_visible()
    expect(dialog.get_by_text("10 words are left.")).to_be_visible()


@pytest.mark.thorough
def test_words_fly_into_the_album_once_nothing_more_is_asked(puzzle, open_page, student):
    page = open_page("/", person=student, is_used_again=False)
    page.emulate_media(reduced_motion="no-preference")
    page.add_init_script(NOTES_FLIGHTS)
    page.goto(f"/play/{puzzle.code}/")
    expect(page.locator("[data-grid]")).to_be_visible()
    for placement in puzzle.placements.all():
        SELECT["keyboard"](page, [tuple(place) for place in placement.cells])
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_text("1 of 3", exact=True)).to_be_visible()
    expect(dialog.locator("[data-flew]")).to_have_count(0)
    dialog.get_by_role("button", name="Skip").click()
    expect(dialog.locator("[data-flew]")).to_have_count(3)


def test_without_a_connection_an_answer_can_be_sent_again(puzzle, open_page, student):
    play.finish_session(session=play.open_session(puzzle=puzzle, student=student))
    page = open_page(f"/play/{puzzle.code}/", person=student)
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_text("1 of 3", exact=True)).to_be_visible()
    page.context.set_offline(True)
    give_up = dialog.get_by_role("button", name="I don’t know")
    give_up.click()
    expect(page.get_by_text("The server cannot be reached.")).to_be_visible()
    page.context.set_offline(False)
    give_up.click()
    expect(dialog.get_by_text("The word is:")).to_be_visible()
