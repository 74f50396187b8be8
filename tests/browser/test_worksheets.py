"""A teacher looks at a worksheet while choosing how it is printed, and enters what came back."""

import pytest
from playwright.sync_api import expect

from tests.browser.axe import has_no_violations
from tests.browser.conftest import DESKTOP, PHONE
from tests.layers import daily
from vocab.models import Review


@pytest.mark.parametrize("size", daily(PHONE, of=[PHONE, DESKTOP]), ids=["phone", "desk"])
def test_the_preview_changes_with_the_options(size, make_puzzle, teacher, open_page):
    puzzle = make_puzzle()
    page = open_page(f"/puzzles/{puzzle.code}/", teacher, size=size)
    page.get_by_role("link", name="Options and preview").click()
    sheet = page.locator("#preview svg")
    expect(sheet).to_contain_text("elephant")
    expect(sheet).to_contain_text("Find the words in the grid")
    page.get_by_label("Instruction").fill("Look for animals.")
    expect(sheet).to_contain_text("Look for animals.")
    page.get_by_label("Paper").select_option("letter")
    expect(sheet).to_have_attribute("width", "215.9mm")
    page.get_by_label("The list shows").select_option("examples")
    expect(page.locator("#preview")).to_contain_text("12 words have no example with a gap")
    assert "shows=examples" in page.locator("#id_printing").input_value()
    assert page.evaluate("document.documentElement.scrollWidth") <= size["width"]
    has_no_violations(page)
    with page.expect_download() as paper:
        page.get_by_role("button", name="Worksheet (PDF)").click()
    assert paper.value.suggested_filename == "Životinje – Word search – Worksheet.pdf"


def test_sheets_for_a_class_are_drawn_while_the_teacher_waits(
    make_puzzle, classroom, mia, teacher, worker, open_page
):
    page = open_page(f"/puzzles/{make_puzzle().code}/print/", teacher)
    page.get_by_label("A different grid for each student").check()
    page.get_by_label("Class: one sheet for each student").select_option("6b")
    page.get_by_role("button", name="Create the sheets").click()
    expect(page.get_by_role("heading", name="Worksheets for 6b")).to_be_visible()
    with page.expect_download() as paper:
        page.get_by_role("link", name="Worksheets (PDF)").click()
    assert paper.value.suggested_filename == "Životinje – Word search – 6b – Worksheets.pdf"
    has_no_violations(page)


def test_results_from_paper_are_entered_by_keys_on_a_phone(
    make_puzzle, student, mia, teacher, open_page
):
    puzzle = make_puzzle()
    page = open_page(f"/puzzles/{puzzle.code}/results/", teacher, size=PHONE)
    mine = page.get_by_role("group", name="Luka")
    word = mine.get_by_role("checkbox", name="slon")
    word.focus()
    page.keyboard.press("Space")
    expect(word).to_be_checked()
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    heights = page.evaluate(
        "[...document.querySelectorAll('.paper-mark')].map((one) => one.offsetHeight)"
    )
    assert len(heights) == 26 and min(heights) >= 44
    page.get_by_role("group", name="Mia").get_by_role("checkbox", name="nothing to enter").check()
    has_no_violations(page)
    page.get_by_role("button", name="Save results").click()
    expect(page.get_by_text("Saved for 1 student: 12 answers.")).to_be_visible()
    wrong = Review.objects.get(outcome=Review.Outcome.WRONG)
    assert (wrong.student, wrong.entry.term) == (student, "slon")
