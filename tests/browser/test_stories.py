"""The whole way: a teacher pastes a list, a class plays it, the teacher sees who found what.

Each kind of puzzle, by mouse, by touch and by keyboard, on a real server with its worker.
"""

from __future__ import annotations

import uuid

import pytest
from django.utils import timezone
from playwright.sync_api import expect

from osmosmjerka.accounts.bin import services as bin
from puzzles.kinds import KINDS
from puzzles.models import Move, Puzzle
from puzzles.play.services import MOST_WRONG_MOVES, WRONG_MOVES_WITHIN, open_session
from tests.browser.conftest import DESKTOP, PHONE
from tests.browser.playing import SELECT, cell, tap_until
from tests.conftest import ANIMALS, rows
from vocab.lists.services import create_list

LINES = "\n".join(f"{term}\t{meaning}" for term, meaning in ANIMALS.items())
HANDS = {
    "mouse": {"size": DESKTOP},
    "touch": {"size": PHONE, "has_touch": True, "is_mobile": True},
    "keyboard": {"size": DESKTOP},
}


def make_list(page, title, lines=LINES):
    page.goto("/lists/new/")
    page.get_by_label("Title").fill(title)
    page.get_by_label("Language of the words").select_option("hr")
    page.get_by_label("Language of the translations").select_option("en")
    page.get_by_role("textbox", name="Words").fill(lines)
    expect(page.locator("#preview caption")).to_contain_text(f"{len(lines.splitlines())} words")
    page.get_by_role("button", name="Create list").click()
    expect(page.get_by_role("heading", name=title)).to_be_visible()


def make_puzzle(page, kind, words):
    page.get_by_role("link", name="Assign to class").click()
    page.locator(f"input[name=kind][value={kind}]").check()
    expect(page.locator("#assign-preview")).to_contain_text(str(KINDS[kind].name))
    page.get_by_label("Number of words").fill(str(words))
    page.get_by_label("Number of words").press("Tab")
    expect(page.locator("#assign-suits")).to_contain_text(f"{words} of")
    expect(page.get_by_label("6b")).to_be_checked()
    page.get_by_role("button", name="Assign to").click()
    expect(page.get_by_role("heading", name="Link for students")).to_be_visible(timeout=30_000)
    return page.locator("#link").input_value()


def find(page, puzzle, placement, hands):
    """Find one word of a word search or a finder."""
    if puzzle.kind == "finder":
        button = page.locator(f"[data-item='{placement.slot}']").first
        if hands == "keyboard":
            button.focus()
            page.keyboard.press("Enter")
        elif hands == "touch":
            tap_until(button, "active")
        else:
            button.click()
    SELECT[hands](page, [tuple(place) for place in placement.cells])


def solve(page, placement, hands):
    """Fill in one word of a crossword."""
    first = cell(page, placement.cells[0])
    line = page.locator(f".clue[data-item='{placement.slot}']")
    if hands == "touch":
        line.locator(".clue-choose").tap()
        for tile in placement.tiles:
            page.locator(".keys").get_by_role("button", name=tile, exact=True).tap()
        return
    if hands == "mouse":
        line.locator(".clue-choose").click()
        page.keyboard.press("Home")  # the first letter may be there already
        page.keyboard.type("".join(placement.tiles).lower())
        return
    # By keyboard alone: the field beside the clue.
    field = line.locator(".clue-field")
    field.focus()
    field.fill("".join(placement.tiles).lower())
    page.keyboard.press("Enter")
    expect(first).to_be_visible()


# Daily each kind once, and each sort of hands.
BY = {"word-search": "touch", "finder": "keyboard", "crossword": "mouse"}


@pytest.mark.parametrize(
    ("kind", "hands"),
    [
        pytest.param(kind, hands, marks=() if BY[kind] == hands else pytest.mark.thorough)
        for kind in BY
        for hands in sorted(HANDS)
    ],
)
def test_from_paste_to_summary(kind, hands, worker, open_page, teacher, student, classroom):
    teachers_page = open_page(person=teacher)
    make_list(teachers_page, "Životinje")
    link = make_puzzle(teachers_page, kind, 6)
    puzzle = Puzzle.objects.get()
    placements = list(puzzle.placements.all())
    total = len(placements)
    # A crossword may leave a word out whose letters cross nothing.
    assert total == 6 or (kind == "crossword" and total >= 4), puzzle.unplaced

    page = open_page(person=student, **HANDS[hands])
    expect(page.get_by_role("heading", name="Životinje")).to_be_visible()
    page.get_by_role("link", name="Start").click()
    assert page.url == link
    expect(page.locator("[data-grid]")).to_be_visible()
    for number, placement in enumerate(placements, start=1):
        if kind == "crossword":
            solve(page, placement, hands)
        else:
            find(page, puzzle, placement, hands)
        if number < len(placements):
            expect(page.locator(".progress-label")).to_contain_text(f"{number} of {total}")
        if number == 3:
            page.reload()
            expect(page.locator(".progress-label")).to_contain_text(f"3 of {total}")
    summary = page.locator("dialog.summary")
    expect(summary).to_be_visible()
    for placement in placements:
        expect(summary).to_contain_text(placement.term)
        expect(summary).to_contain_text(placement.translations[0])
    assert Move.objects.filter(outcome="found").count() == total

    teachers_page.reload()
    row = teachers_page.get_by_role("row").filter(has_text="Luka")
    expect(row).to_contain_text("done")
    expect(row).to_contain_text(placements[0].term)


@pytest.mark.thorough
def test_a_wrong_selection_is_said_and_costs_nothing(make_puzzle, open_page, student):
    puzzle = make_puzzle()
    page = open_page(f"/play/{puzzle.code}/", person=student)
    live = page.locator("[data-live]")
    placement = puzzle.placements.first()
    cells = {tuple(place) for other in puzzle.placements.all() for place in other.cells}
    size = len(placement.cells)
    wrong = next(
        line
        for row in range(len(puzzle.grid))
        if (line := [(row, col) for col in range(size)]) and not set(line) <= cells
    )
    SELECT["mouse"](page, wrong)
    letters = "".join(puzzle.grid[row][col] for row, col in wrong)
    expect(live).to_have_text(f"{letters}: That word is not in this puzzle. Try again.")
    SELECT["mouse"](page, [(0, 0), (0, 1)])
    expect(live).to_contain_text("No word left has 2 letters.")
    expect(page.locator(".progress-label")).to_contain_text(f"0 of {puzzle.placements.count()}")


def test_first_and_last_letter_can_be_tapped_or_typed(make_puzzle, open_page, student):
    puzzle = make_puzzle()
    tapped, typed = puzzle.placements.all()[:2]
    page = open_page(f"/play/{puzzle.code}/", person=student)
    cell(page, tapped.cells[0]).click()
    cell(page, tapped.cells[-1]).click()
    expect(page.locator(".progress-label")).to_contain_text("1 of")
    page.get_by_text("Type the squares instead").click()
    names = [f"{chr(65 + col)}{row + 1}" for row, col in (typed.cells[0], typed.cells[-1])]
    page.locator(".coordinates input").fill(" ".join(names))
    page.keyboard.press("Enter")
    expect(page.locator(".progress-label")).to_contain_text("2 of")


def test_a_find_without_connection_waits_and_is_sent_later(make_puzzle, open_page, student):
    puzzle = make_puzzle()
    first, second = puzzle.placements.all()[:2]
    page = open_page(f"/play/{puzzle.code}/", person=student)
    expect(page.locator("[data-grid]")).to_be_visible()
    page.context.set_offline(True)
    SELECT["mouse"](page, [tuple(place) for place in first.cells])
    expect(page.locator("[data-banner]")).to_be_visible()
    assert not Move.objects.exists()
    page.context.set_offline(False)
    SELECT["mouse"](page, [tuple(place) for place in second.cells])
    expect(page.locator(".progress-label")).to_contain_text("2 of", timeout=30_000)
    assert Move.objects.filter(outcome="found").count() == 2


@pytest.mark.thorough
def test_after_many_wrong_attempts_a_find_waits_and_is_sent_later(make_puzzle, open_page, student):
    puzzle = make_puzzle()
    session = open_session(puzzle=puzzle, student=student)
    for _attempt in range(MOST_WRONG_MOVES):
        Move.objects.create(session=session, client_id=uuid.uuid4(), outcome=Move.Outcome.WRONG)
    page = open_page(f"/play/{puzzle.code}/", person=student)
    expect(page.locator("[data-grid]")).to_be_visible()
    SELECT["mouse"](page, [tuple(place) for place in puzzle.placements.first().cells])
    banner = page.locator("[data-banner]")
    expect(banner).to_contain_text("Nothing is lost")
    expect(page.locator(".progress-label")).to_contain_text("0 of")
    session.moves.update(at=timezone.now() - WRONG_MOVES_WITHIN)
    page.evaluate("dispatchEvent(new Event('online'))")  # or after the seconds that were told
    expect(page.locator(".progress-label")).to_contain_text("1 of")
    expect(banner).to_be_hidden()


def test_a_hint_shows_where_a_word_begins(make_puzzle, open_page, student):
    puzzle = make_puzzle()
    page = open_page(f"/play/{puzzle.code}/", person=student)
    page.get_by_label("Hints").click()
    page.get_by_role("button", name="Show where the word begins").click()
    expect(page.locator("[data-live]")).to_contain_text("row")
    assert Move.objects.get().outcome == "hint"


@pytest.mark.thorough
@pytest.mark.parametrize("kind", ["word-search", "finder", "crossword"])
def test_a_word_without_a_translation_is_found_without_a_colon(
    kind, make_puzzle, open_page, student, teacher
):
    words = create_list(
        owner=teacher,
        title="Without translations",
        language="de",
        translation_languages=["en"],
        rows=rows({"der Igel": "", "die Insel": "", "die Nadel": ""}),
    )
    settings = {"clue": "sound"} if kind == "crossword" else {"words": 3}
    puzzle = make_puzzle(kind, vocabulary_list=words, **settings)
    placement = puzzle.placements.first()
    page = open_page(f"/play/{puzzle.code}/", person=student)
    if kind == "crossword":
        solve(page, placement, "mouse")
    else:
        find(page, puzzle, placement, "mouse")
    live = page.locator("[data-live]")
    total = puzzle.placements.count()
    said = f"Found {placement.term}. 1 of {total}."
    # After a crossword's word the next clue follows.
    expect(live).to_contain_text(said) if kind == "crossword" else expect(live).to_have_text(said)
    if kind == "finder":
        page.locator(f"[data-item='{placement.slot}']").first.click()
        expect(live).to_have_text(placement.term)
    if kind == "crossword":
        page.get_by_label("Hints").click()
        page.get_by_role("button", name="Read the clue").click()
        expect(live).to_contain_text(": Listen (")


def test_without_connection_help_and_the_end_say_why_they_do_not_come(
    make_puzzle, open_with_clock, student
):
    puzzle = make_puzzle()
    page = open_with_clock(f"/play/{puzzle.code}/", student)
    expect(page.locator("[data-grid]")).to_be_visible()
    page.context.set_offline(True)
    said = page.locator(".toasts").get_by_text("The server cannot be reached.")
    page.get_by_label("Hints").click()
    page.get_by_role("button", name="Show where the word begins").click()
    expect(said).to_be_visible()
    page.clock.run_for(6000)
    expect(said).to_have_count(0)  # it goes by itself
    page.get_by_label("Menu").click()
    page.get_by_role("button", name="Finish and show all words").click()
    page.get_by_role("button", name="Finish", exact=True).click()
    expect(said).to_be_visible()
    expect(page.locator("dialog.summary")).to_have_count(0)
    assert not Move.objects.exists()


def test_a_puzzle_that_is_deleted_while_it_is_played_is_said_to_be_gone(
    make_puzzle, open_page, student, teacher
):
    puzzle = make_puzzle()
    page = open_page(f"/play/{puzzle.code}/", person=student)
    expect(page.locator("[data-grid]")).to_be_visible()
    bin.put(puzzle, teacher)
    SELECT["mouse"](page, [tuple(place) for place in puzzle.placements.first().cells])
    expect(page.locator("[data-live]")).to_contain_text("Perhaps it was deleted.")


@pytest.mark.thorough
def test_the_summary_says_which_word_was_found_with_a_hint(make_puzzle, open_page, student):
    puzzle = make_puzzle(words=2)
    page = open_page(f"/play/{puzzle.code}/", person=student)
    page.locator("[data-item] .word-choose").first.click()
    page.get_by_label("Hints").click()
    page.get_by_role("button", name="Show where the word begins").click()
    expect(page.locator("[data-live]")).to_contain_text("It begins with")
    helped = Move.objects.get().placement
    [other] = puzzle.placements.exclude(pk=helped.pk)
    for placement in (helped, other):
        SELECT["mouse"](page, [tuple(place) for place in placement.cells])
    lines = page.locator("dialog.summary .summary-words li")
    expect(lines.filter(has_text=helped.term)).to_contain_text("with a hint")
    expect(lines.filter(has_text=other.term)).not_to_contain_text("with a hint")


def test_giving_up_shows_every_word(make_puzzle, open_page, student):
    puzzle = make_puzzle()
    page = open_page(f"/play/{puzzle.code}/", person=student)
    page.get_by_label("Menu").click()
    page.get_by_role("button", name="Finish and show all words").click()
    page.get_by_role("button", name="Finish", exact=True).click()
    summary = page.locator("dialog.summary")
    for placement in puzzle.placements.all():
        expect(summary).to_contain_text(placement.term)


@pytest.mark.thorough
def test_the_finder_goes_on_with_another_grid(worker, make_puzzle, open_page, student):
    puzzle = make_puzzle("finder", words=2)
    page = open_page(f"/play/{puzzle.code}/", person=student)
    expect(page.get_by_role("button", name="New puzzle")).to_have_count(0)
    for placement in puzzle.placements.all():
        find(page, puzzle, placement, "mouse")
        expect(page.locator(f"[data-item='{placement.slot}']").first).to_contain_text(
            placement.term
        )
    page.get_by_role("button", name="View the puzzle").click()
    page.get_by_text("Hard", exact=True).click()
    page.get_by_role("button", name="New puzzle").click()
    expect(page.locator(".progress-label")).to_contain_text("0 of 2", timeout=30_000)
    another = Puzzle.objects.exclude(pk=puzzle.pk).get()
    assert (another.settings["difficulty"], another.created_by) == ("hard", student)
    assert page.url.endswith(f"/play/{another.code}/")
