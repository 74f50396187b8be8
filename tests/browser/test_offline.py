"""A begun puzzle goes on without a connection; see tests.browser.offline for the line."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Error, expect

from puzzles.models import Move
from tests.browser.axe import has_no_violations
from tests.browser.conftest import PHONE
from tests.browser.offline import (
    KINDS,
    WORKER_IS_READY,
    answer,
    begin,
    board,
    changed,
    found,
    is_kept,
    kept,
    killed,
    online,
    words_of,
)
from tests.browser.playing import cell
from tests.layers import daily
from tests.services import wait_until


@pytest.mark.parametrize("kind", daily("word-search", of=KINDS))
def test_a_begun_puzzle_goes_on_without_a_connection(kind, visit, line, make_puzzle, student):
    puzzle = make_puzzle(kind)
    first, *others = words_of(puzzle)[:4]
    page = begin(visit, puzzle, student)
    answer(page, puzzle, first)
    expect(page.locator(".progress-label b")).to_have_text("1")
    line.cut()

    page = killed(page, f"/play/{puzzle.code}/")
    expect(page.locator(".progress-label b")).to_have_text("1")  # what was found is there
    expect(page.locator("[data-banner]")).to_contain_text("You are offline")
    for number, placement in enumerate(others, 1):
        answer(page, puzzle, placement)
        expect(page.locator("[data-banner]")).to_contain_text(f"{number} answer")
    assert found() == [first.slot]

    # Killed again, with what waits; then the line is mended, while the puzzle is open.
    page = killed(page, f"/play/{puzzle.code}/")
    expect(page.locator("[data-banner]")).to_contain_text(f"{len(others)} answers")
    line.mend()
    online(page)
    expect(page.locator(".progress-label b")).to_have_text(str(1 + len(others)))
    expect(page.locator("[data-banner]")).to_be_hidden()
    assert found() == sorted(placement.slot for placement in (first, *others))
    assert Move.objects.count() == 1 + len(others)


@pytest.mark.thorough
def test_without_the_service_worker_there_is_no_page(open_page, line, make_puzzle, student):
    """The control: the puzzle goes on by what the worker has kept, not by the browser's cache."""
    puzzle = make_puzzle()
    page = open_page(f"/play/{puzzle.code}/", student, size=PHONE, is_used_again=False)
    expect(board(page)).to_be_visible()
    line.cut()
    with pytest.raises(Error, match="ERR_CONNECTION_REFUSED"):
        page.goto(f"/play/{puzzle.code}/")


def test_an_answer_that_was_lost_on_the_way_back_counts_once(visit, line, make_puzzle, student):
    puzzle = make_puzzle()
    first, second = words_of(puzzle)[:2]
    page = begin(visit, puzzle, student)
    line.lose_answers()
    answer(page, puzzle, first)
    wait_until(lambda: Move.objects.count() == 1)  # the server has it, and the device does not know
    line.cut()
    page = killed(page, f"/play/{puzzle.code}/")
    answer(page, puzzle, second)
    expect(page.locator("[data-banner]")).to_contain_text("2 answers")
    line.mend()
    online(page)
    expect(page.locator(".progress-label b")).to_have_text("2")
    assert found() == sorted([first.slot, second.slot])
    assert Move.objects.count() == 2


@pytest.mark.thorough  # a service worker's own clock, which no test moves: eight seconds
def test_on_a_dead_line_a_puzzle_opens_soon(visit, line, make_puzzle, student):
    puzzle = make_puzzle()
    page = begin(visit, puzzle, student)
    line.die()
    page = killed(page, f"/play/{puzzle.code}/")
    expect(board(page)).to_be_visible()
    expect(page.locator("[data-banner]")).to_contain_text("You are offline")


def test_a_puzzle_goes_on_while_the_site_is_updated(visit, settings, make_puzzle, student):
    puzzle = make_puzzle()
    placement = words_of(puzzle)[0]
    page = begin(visit, puzzle, student)
    settings.MAINTENANCE = "1"
    page = killed(page, f"/play/{puzzle.code}/")
    answer(page, puzzle, placement)
    expect(page.locator("[data-banner]")).to_contain_text("The site is busy")
    settings.MAINTENANCE = ""
    online(page)
    expect(page.locator(".progress-label b")).to_have_text("1")
    assert found() == [placement.slot]


def test_the_last_word_found_offline_says_when_results_come(visit, line, make_puzzle, student):
    puzzle = make_puzzle("word-search", words=3)
    page = begin(visit, puzzle, student)
    line.cut()
    words = words_of(puzzle)
    for placement in words[:-1]:
        answer(page, puzzle, placement)
    banner = page.locator("[data-banner]")
    expect(banner).to_contain_text(f"{len(words) - 1} answers")
    expect(banner).not_to_contain_text("the puzzle is done")
    answer(page, puzzle, words[-1])
    expect(banner).to_contain_text("the puzzle is done: you will then see your results")
    line.mend()
    online(page)
    expect(page.locator("dialog.summary")).to_contain_text("All 3 words found")
    assert found() == sorted(placement.slot for placement in words)


def test_what_was_found_on_another_device_is_shown_when_the_line_is_back(
    visit, line, make_puzzle, student, served
):
    puzzle = make_puzzle()
    first, second = words_of(puzzle)[:2]
    page = begin(visit, puzzle, student)
    line.cut()
    answer(page, puzzle, first)
    expect(page.locator("[data-banner]")).to_contain_text("1 answer")
    other = visit(f"/play/{puzzle.code}/", student, by=served)
    answer(other, puzzle, second)
    expect(other.locator(".progress-label b")).to_have_text("1")
    line.mend()
    online(page)
    expect(page.locator(".progress-label b")).to_have_text("2")
    assert found() == sorted([first.slot, second.slot])


def test_letters_typed_offline_are_kept_and_sent_later(visit, line, make_puzzle, student):
    puzzle = make_puzzle("crossword")
    first = words_of(puzzle)[0]
    one, other = [tuple(place) for place in first.cells[:2]]
    page = begin(visit, puzzle, student)

    def draft():
        return puzzle.sessions.get().draft

    def letter(place):
        return cell(page, place)

    letter(one).click()
    page.keyboard.type("e")  # while there is a connection: the server has it
    wait_until(lambda: list(draft().values()) == ["E"])
    line.cut()
    page.keyboard.type("o")
    page = killed(page, f"/play/{puzzle.code}/")
    expect(letter(one)).to_have_value("E")
    expect(letter(other)).to_have_value("O")
    assert list(draft().values()) == ["E"]
    line.mend()
    online(page)
    wait_until(lambda: sorted(draft().values()) == ["E", "O"])


PLAYED = """
window.parts = [];
const play = HTMLMediaElement.prototype.play;
HTMLMediaElement.prototype.play = async function () {
    await play.call(this);
    window.parts.push([this.src, this.duration]);
};
"""
PART = """async ([address, range]) => {
    const answer = await fetch(address, { headers: { Range: range } });
    return [answer.status, answer.headers.get("Content-Range"), (await answer.blob()).size];
}"""


def test_sounds_are_heard_without_a_connection(visit, line, make_puzzle, student):
    puzzle = make_puzzle("finder")
    page = visit("/", student)
    page.context.add_init_script(PLAYED)
    page.goto(f"/play/{puzzle.code}/")
    expect(board(page)).to_be_visible()
    sounds = sorted(path for path in is_kept(page, puzzle) if "/sound/" in path)
    assert len(sounds) == puzzle.placements.count()
    line.cut()
    page = killed(page, f"/play/{puzzle.code}/")
    for number, placement in enumerate(words_of(puzzle)[:2], 1):
        page.locator(f"[data-item='{placement.slot}']").first.click()
        wait_until(lambda number=number: page.evaluate("window.parts.length") == number)
    played = page.evaluate("window.parts")
    assert all(length > 0.1 for _address, length in played)
    # As Apple's devices ask: in parts.
    status, part, size = page.evaluate(PART, [sounds[0], "bytes=0-1"])
    assert (status, size) == (206, 2)
    whole = int(part.removeprefix("bytes 0-1/"))
    assert page.evaluate(PART, [sounds[0], "bytes=5-"]) == [
        206, f"bytes 5-{whole - 1}/{whole}", whole - 5,
    ]  # fmt: skip
    assert page.evaluate(PART, [sounds[0], f"bytes={whole}-"])[0] == 416


# ---- the offline page ----


@pytest.mark.thorough
@pytest.mark.parametrize(("language", "direction"), [("en", "ltr"), ("ar", "rtl")])
def test_the_offline_page_lists_what_can_be_played_and_goes_back_by_itself(
    language, direction, visit, line, make_puzzle, student
):
    student.language = language
    student.save()
    puzzle, other = make_puzzle(), make_puzzle("crossword", seed=2)
    page = begin(visit, puzzle, student, locale="en")
    line.cut()
    page = killed(page, "/")
    expect(page.locator("html")).to_have_attribute("dir", direction)
    begun = page.locator("[data-begun] a")
    expect(begun).to_have_count(1)
    expect(begun).to_contain_text(puzzle.title)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    has_no_violations(page)
    begun.click()
    expect(board(page)).to_be_visible()
    page.goto(f"/play/{other.code}/")  # which was never begun here
    expect(begun).to_have_count(1)
    page.locator("[data-again]").click()
    expect(begun).to_have_count(1)
    line.mend()
    expect(board(page)).to_be_visible()
    expect(page).to_have_url(re.compile(f"/play/{other.code}/$"))


@pytest.mark.thorough
def test_the_offline_page_speaks_as_the_student_who_is_logged_in(visit, line, make_puzzle, student):
    page = begin(visit, make_puzzle(), student)
    student.language = "ar"
    student.save()
    page.goto("/")
    wait_until(lambda: page.evaluate(OFFLINE_LANGUAGE) == "ar")
    line.cut()
    page = killed(page, "/")
    expect(page.locator("html")).to_have_attribute("dir", "rtl")


OFFLINE_LANGUAGE = """async () =>
    (await caches.match("/offline/")).headers.get("Content-Language")"""


# ---- updates ----


def test_a_new_version_takes_over_and_the_puzzle_stays(
    visit, line, make_puzzle, student, monkeypatch
):
    puzzle = make_puzzle()
    page = begin(visit, puzzle, student)
    (old,) = shells(page)
    changed(monkeypatch)
    page.goto("/")  # the browser looks whether there is a new version
    wait_until(lambda: shells(page) not in ([old], []) and len(shells(page)) == 1)
    line.cut()
    page = killed(page, f"/play/{puzzle.code}/")
    expect(board(page)).to_be_visible()
    page.goto("/")
    expect(page.get_by_role("heading", name="You are offline")).to_be_visible()
    expect(page.locator("[data-begun] a")).to_have_count(1)


def shells(page):
    names = page.evaluate("async () => await caches.keys()")
    return [name for name in names if name.startswith("shell-")]


@pytest.mark.thorough
def test_a_deleted_puzzle_is_not_kept_any_longer(visit, make_puzzle, student):
    puzzle = make_puzzle()
    page = begin(visit, puzzle, student)
    puzzle.assignments.all().delete()
    page.goto(f"/play/{puzzle.code}/")
    expect(board(page)).to_have_count(0)
    wait_until(lambda: f"/play/{puzzle.code}/" not in kept(page))


# ---- the device ----


@pytest.mark.thorough
def test_chromium_can_install_the_site(visit, student):
    page = visit("/", student, locale="hr")
    assert page.evaluate(WORKER_IS_READY)
    tools = page.context.new_cdp_session(page)
    found = tools.send("Page.getAppManifest")
    assert found["errors"] == []
    assert '"display": "standalone"' in found["data"]
    assert tools.send("Page.getInstallabilityErrors")["installabilityErrors"] == []
