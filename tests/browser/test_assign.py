"""A teacher assigns words and prints worksheets: by how many clicks, over how many pages."""

from __future__ import annotations

import re

import pytest
from django.utils import timezone
from playwright.sync_api import expect

from puzzles.making import drafts
from puzzles.models import Assignment, Puzzle
from tests.browser.axe import has_no_violations
from tests.browser.boards import PHONE as SHORT_PHONE
from tests.browser.conftest import DESKTOP
from tests.browser.holding import hold_back
from tests.conftest import rows
from tests.services import wait_until
from vocab.lists.services import create_list


class Counted:
    """What a teacher does on a page: its clicks, and the pages that they pass."""

    def __init__(self, page):
        self.page, self.clicks, self.pages = page, 0, 1
        page.on("framenavigated", self._note)

    def _note(self, frame):
        self.pages += frame == self.page.main_frame

    def click(self, role, name):
        self.clicks += 1
        self.page.get_by_role(role, name=name).click()


def test_from_a_list_to_an_assignment_with_a_due_date(
    worker, animals, classroom, student, teacher, open_page
):
    teachers = Counted(open_page(f"/lists/{animals.pk}/", teacher))
    teachers.click("link", "Assign to class")
    teachers.click("button", "Assign to 1 student")
    expect(teachers.page.get_by_text("Assigned to 6b (1 student)")).to_be_visible()
    assert Assignment.objects.get().due_at > timezone.now()
    # The third page is loaded again when the puzzle is ready; what it says stays.
    expect(teachers.page.get_by_role("heading", name="The puzzle")).to_be_visible()
    assert (teachers.clicks, teachers.pages) in {(2, 3), (2, 4)}
    expect(teachers.page.get_by_text("Assigned to 6b (1 student), due")).to_be_visible()
    teachers.page.get_by_role("link", name="Open assignment").first.click()
    expect(teachers.page).to_have_url(re.compile("/assignments/"))
    students = open_page("/", student)
    students.get_by_role("link", name="Start").click()
    expect(students.locator("[data-grid]")).to_be_visible()


def test_from_selected_words_to_an_assignment(animals, classroom, student, teacher, open_page):
    teachers = Counted(open_page(f"/lists/{animals.pk}/", teacher))
    wanted = animals.entries.filter(term__in=["slon", "labud"])
    for entry in wanted:
        teachers.clicks += 1
        teachers.page.locator(f"input[name=entries][value='{entry.pk}']").check()
    teachers.click("button", "Assign to class")
    teachers.click("button", "Assign to 1 student")
    expect(teachers.page.get_by_text("Assigned to 6b (1 student)")).to_be_visible()
    assert set(Puzzle.objects.get().entries) == {entry.pk for entry in wanted}
    assert (teachers.clicks, teachers.pages) == (4, 3)


def test_what_is_typed_before_the_scripts_come_is_in_the_preview(animals, teacher, open_page):
    page = open_page("/", teacher)
    send_script = hold_back(page, "**/htmx.min*.js")
    page.goto(f"/assign/?vocabulary_list={animals.pk}", wait_until="commit")
    page.get_by_label("Number of words").fill("6")
    page.get_by_label("Number of words").press("Tab")
    expect(page.locator("#assign-suits")).to_contain_text("12 of 12 words selected")
    send_script()
    expect(page.locator("#assign-suits")).to_contain_text("6 of 12 words selected")


def test_again_is_two_clicks(make_puzzle, classroom, teacher, open_page):
    old = make_puzzle().assignments.get()
    teachers = Counted(open_page(f"/classes/{classroom.pk}/assignments/{old.pk}/", teacher))
    teachers.click("link", "Assign again")
    teachers.click("button", "Assign to 1 student")
    expect(teachers.page.get_by_text("Assigned to 6b (1 student)")).to_be_visible()
    assert Assignment.objects.count() == 2
    assert teachers.clicks == 2


def test_a_worksheet_with_settings_is_four_clicks(worker, animals, classroom, teacher, open_page):
    teachers = Counted(open_page(f"/lists/{animals.pk}/", teacher))
    teachers.clicks += 1
    teachers.page.get_by_text("More", exact=True).first.click()
    teachers.click("link", "Worksheet")
    with teachers.page.expect_event("requestfinished", lambda sent: sent.method == "POST"):
        teachers.page.locator("[name=word-search-difficulty]").select_option("easy")
    teachers.page.get_by_label("Title").fill("Monday")
    teachers.page.get_by_label("Title").press("Tab")
    expect(teachers.page.locator("#assign-preview")).to_contain_text("Monday")
    teachers.click("button", "Create the worksheet")
    teachers.page.get_by_label("Paper").select_option("letter")
    teachers.page.get_by_label("Instruction").fill("Find the animals.")
    with teachers.page.expect_download() as paper:
        teachers.click("button", "Worksheet (PDF)")
    assert paper.value.suggested_filename == "Monday – Word search – Worksheet.pdf"
    assert teachers.clicks == 4
    with teachers.page.expect_download() as key:
        teachers.click("button", "Solution (PDF)")
    assert key.value.suggested_filename == "Monday – Word search – Solution.pdf"
    assert Puzzle.objects.get().settings["difficulty"] == "easy"
    assert not Assignment.objects.exists()


def test_what_is_selected_by_hand_stays_and_is_counted(
    animals, classroom, student, mia, teacher, open_page
):
    page = open_page(f"/assign/?vocabulary_list={animals.pk}", teacher)
    expect(page.locator("#assign-suits")).to_contain_text("12 of 12 words selected.")
    first = page.locator("[data-words] input").first
    first.uncheck()
    expect(page.locator("#assign-suits")).to_contain_text("11 of 12 words selected.")
    expect(page.locator("#assign-preview")).to_contain_text("11 words")
    page.locator("input[name=kind][value=crossword]").check()
    expect(page.locator("#assign-preview")).to_contain_text("Crossword")
    expect(page.locator("[data-words] input:checked")).to_have_count(11)
    page.get_by_text("Only some students of 6b").click()
    page.get_by_label("Mia").check()
    page.get_by_role("button", name="Assign to 1 student").click()
    expect(page.get_by_text("Assigned to 6b (1 student)")).to_be_visible()
    puzzle = Puzzle.objects.get()
    assert (puzzle.kind, len(puzzle.entries)) == ("crossword", 11)
    assert list(puzzle.assignments.get().chosen_students.all()) == [mia]


def letters_of(page):
    """Return the letters of the grid in the page's picture, row by row."""
    return page.locator(".grid-picture text").all_text_contents()


def test_the_grid_that_is_shown_is_the_one_that_is_assigned(
    worker, animals, classroom, student, teacher, open_page, monkeypatch
):
    monkeypatch.setattr(drafts, "SECONDS", 300)
    page = open_page(f"/assign/?vocabulary_list={animals.pk}", teacher)
    first = letters_of(page)
    with page.expect_response("**/assign/"):
        page.get_by_role("button", name="Show another").click()
    expect(page.locator(".grid-picture")).to_be_visible()
    wait_until(lambda: letters_of(page) != first)
    shown = letters_of(page)
    page.get_by_role("button", name="Assign to 1 student").click()
    expect(page.get_by_text("Assigned to 6b (1 student)")).to_be_visible()
    puzzle = Puzzle.objects.get()
    wait_until(lambda: Puzzle.objects.get(pk=puzzle.pk).state == "ready")
    puzzle.refresh_from_db()
    assert shown == [tile for row in puzzle.grid for tile in row]


@pytest.mark.thorough
def test_another_list_is_shown_though_each_plays_what_suits_them(
    animals, classroom, student, teacher, open_page
):
    """Requests that come quickly wait for each other; none is cut off, which logs an error."""
    food = create_list(
        owner=teacher, title="Hrana", language="hr", translation_languages=["en"],
        rows=rows({"kruh": "bread", "mlijeko": "milk", "sir": "cheese"}),
    )  # fmt: skip
    page = open_page(f"/assign/?vocabulary_list={animals.pk}", teacher)
    page.locator("[name=is_adaptive]").check()
    page.locator("[name=vocabulary_list]").select_option(str(food.pk))
    page.locator("[name=attempts]").fill("2")
    page.locator("[name=attempts]").press("Tab")
    expect(page.locator("[data-own]")).to_contain_text(
        "Only 3 words in the list are suitable for this type"
    )
    expect(page.locator("#assign-preview")).to_contain_text("Hrana")
    expect(page.locator("#assign-preview")).to_contain_text("Each grid is created when")


@pytest.mark.thorough
def test_the_students_stay_in_view_while_something_else_is_changed(
    animals, classroom, student, mia, teacher, open_page
):
    page = open_page(f"/assign/?vocabulary_list={animals.pk}", teacher)
    page.get_by_text("Only some students of 6b").click()
    number = page.get_by_label("Number of words")
    number.fill("8")
    number.press("Tab")
    expect(page.locator("#assign-suits")).to_contain_text("8 of 12 words selected.")
    expect(page.get_by_label("Mia")).to_be_visible()


@pytest.mark.thorough
def test_what_is_missing_is_said_by_the_page_beside_it(
    animals, classroom, student, teacher, open_page
):
    page = open_page(f"/assign/?vocabulary_list={animals.pk}", teacher)
    for word in page.locator("[data-words] input").all():
        word.uncheck()
    expect(page.locator("#assign-suits")).to_contain_text("0 of 12 words selected.")
    page.get_by_role("button", name="Assign to 1 student").click()
    expect(page.get_by_role("alert")).to_contain_text("Nothing was assigned.")
    expect(page.locator("#assign-words")).to_contain_text("Select at least one word.")
    has_no_violations(page)
    assert not Puzzle.objects.exists()


@pytest.mark.thorough
def test_another_number_of_words_is_shown_at_once(animals, classroom, teacher, open_page):
    page = open_page(f"/assign/?vocabulary_list={animals.pk}", teacher)
    number = page.get_by_label("Number of words")
    number.fill("8")
    number.press("Tab")
    expect(page.locator("[data-words] input:checked")).to_have_count(8)
    expect(page.locator("#assign-suits")).to_contain_text("8 of 12 words selected.")
    expect(page.get_by_label("List", exact=True)).to_have_value(str(animals.pk))


def test_what_is_typed_while_an_answer_is_under_way_stays(
    animals, classroom, student, teacher, open_page
):
    page = open_page(f"/assign/?vocabulary_list={animals.pk}", teacher)
    answer = hold_back(page, "**/assign/")
    with page.expect_request("**/assign/"):
        page.locator("[name=kind][value=finder]").check()
    page.get_by_label("Number of words").fill("8")
    answer()
    expect(page.locator("#assign-preview")).to_contain_text("Listen and find")
    expect(page.locator("[data-words] input:checked")).to_have_count(8)
    expect(page.get_by_label("Number of words")).to_have_value("8")


def test_without_scripts_the_words_are_shown_by_a_button(
    animals, classroom, student, teacher, open_page
):
    path = f"/assign/?vocabulary_list={animals.pk}"
    page = open_page(path, teacher, is_used_again=False, java_script_enabled=False)
    page.get_by_label("Number of words").fill("5")
    page.get_by_role("button", name="Show words and students").click()
    expect(page.locator("[data-words] input:checked")).to_have_count(5)
    page.get_by_role("button", name="Assign to 1 student").click()
    expect(page.get_by_text("Assigned to 6b (1 student)")).to_be_visible()
    assert len(Puzzle.objects.get().entries) == 5


@pytest.mark.thorough
@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("size", [SHORT_PHONE, DESKTOP], ids=["phone", "desktop"])
def test_axe_finds_nothing(
    size, theme, animals, classroom, student, mia, make_puzzle, teacher, open_page
):
    puzzle = make_puzzle("crossword")
    page = open_page("/", teacher, size=size, color_scheme=theme)
    for query in (
        f"vocabulary_list={animals.pk}",
        f"vocabulary_list={animals.pk}&use=paper&kind=finder",
        f"puzzle={puzzle.code}",
        f"again={puzzle.assignments.get().pk}",
    ):
        page.goto(f"/assign/?{query}")
        has_no_violations(page)
        for details in page.locator("main details").all():
            details.evaluate("one => { one.open = true; }")
        has_no_violations(page)
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), query
    page.goto(f"/puzzles/{puzzle.code}/")
    has_no_violations(page)


@pytest.mark.parametrize("size", [SHORT_PHONE, DESKTOP], ids=["phone", "desktop"])
def test_the_button_is_always_in_view_and_hides_nothing_that_has_the_focus(
    size, animals, classroom, student, teacher, open_page
):
    page = open_page(f"/assign/?vocabulary_list={animals.pk}", teacher, size=size)
    refused = []
    page.on("console", lambda said: refused.append(said.text) if "violates" in said.text else None)
    button = page.get_by_role("button", name="Assign to 1 student")
    expect(button).to_be_in_viewport(ratio=1)
    assert page.evaluate(_IS_ON_TOP), "something covers the button"
    page.get_by_text("Title and settings").click()
    with page.expect_response("**/assign/"):  # its answer replaces parts of the form
        page.get_by_label("Shape", exact=True).select_option("heart")
    expect(page.locator(".htmx-request, .htmx-settling")).to_have_count(0)
    page.get_by_label("Title (optional)").focus()
    for _field in range(60):
        page.keyboard.press("Tab")
        if button.evaluate("one => one === document.activeElement"):
            break
        assert page.evaluate(_IS_UNCOVERED), page.evaluate("document.activeElement.outerHTML")
    expect(button).to_be_focused()
    page.mouse.wheel(0, 5000)
    expect(button).to_be_in_viewport(ratio=1)
    assert refused == []


_IS_ON_TOP = """() => {
  const box = document.querySelector("#assign-end [type=submit]").getBoundingClientRect();
  const top = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
  return Boolean(top.closest("#assign-end"));
}"""
_IS_UNCOVERED = """() => {
  const box = document.activeElement.getBoundingClientRect();
  const bar = document.querySelector("#assign-end").getBoundingClientRect();
  return box.bottom <= bar.top + 1 || box.top >= bar.bottom;
}"""
