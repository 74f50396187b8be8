"""The page of a lesson and its board move by themselves, also after a lost connection."""

from __future__ import annotations

import re

import pytest
from django.utils import timezone
from playwright.sync_api import expect

from puzzles.goals import services as goals
from puzzles.play import services as play
from tests.browser.axe import has_no_violations
from tests.browser.conftest import DESKTOP, PHONE
from tests.browser.playing import drag_with_mouse
from tests.puzzles.lessons.test_lessons import miss


def card_of(page, name):
    return page.locator("[data-moving] li").filter(has_text=name)


A_WHILE = 6_000  # a page asks again every five seconds


def test_what_a_student_finds_is_shown_without_a_reload(
    make_puzzle, open_page, open_with_clock, teacher, student, mia, classroom
):
    puzzle = make_puzzle(words=4)
    lesson = open_with_clock(f"/classes/{classroom.pk}/lesson/", teacher)
    board = lesson.context.new_page()
    board.goto(f"/classes/{classroom.pk}/lesson/board/")
    absent = lesson.locator("section").filter(has_text="Not here yet")
    expect(absent.get_by_role("link")).to_have_text(["Luka", "Mia"])
    lesson.evaluate("window.wasLoaded = true")
    card_of(lesson, "Luka").get_by_role("link").focus()
    game = open_page(f"/play/{puzzle.code}/", person=student)
    expect(game.locator("[data-grid]")).to_be_visible()
    lesson.clock.run_for(A_WHILE)
    expect(card_of(lesson, "Luka")).to_contain_text("0 of 4 words found")
    drag_with_mouse(game, puzzle.placements.first().cells)
    expect(game.locator(".progress-label b")).to_have_text("1")
    lesson.clock.run_for(A_WHILE)
    expect(card_of(lesson, "Luka")).to_contain_text("1 of 4 words found")
    expect(board.locator("main")).to_contain_text("1 correct answer together in this lesson")
    expect(board.locator("main")).to_contain_text(re.compile(r"1\s+of 2 is playing now"))
    assert lesson.evaluate("window.wasLoaded")
    expect(card_of(lesson, "Luka").get_by_role("link", name="Luka")).to_be_focused()
    expect(lesson.locator("[data-lesson-news]")).to_be_empty()  # a word found is no news
    other = make_puzzle("finder", words=4)
    miss(play.open_session(puzzle=other, student=mia), other.placements.first(), 5)
    lesson.clock.run_for(A_WHILE)
    expect(lesson.locator("[data-lesson-news]")).to_have_text("Mia is stuck.")


def test_without_a_connection_a_lesson_says_how_old_it_is_and_goes_on(
    make_puzzle, open_page, teacher, student, classroom
):
    puzzle = make_puzzle(words=4)
    # A tab of its own: htmx writes to the console that it has no connection.
    page = open_page("/help/", person=teacher, is_used_again=False).context.new_page()
    page.clock.install()
    page.goto(f"/classes/{classroom.pk}/lesson/")
    stale = page.get_by_text("No connection. These figures are from")
    expect(stale).to_be_hidden()
    page.context.set_offline(True)
    page.clock.run_for(A_WHILE)
    expect(stale).to_be_visible()
    play.open_session(puzzle=puzzle, student=student)
    page.context.set_offline(False)
    page.clock.run_for(A_WHILE)
    expect(stale).to_be_hidden()
    expect(card_of(page, "Luka")).to_contain_text("0 of 4 words found")
    page.context.clear_cookies()
    page.clock.run_for(A_WHILE)
    expect(page).to_have_url(re.compile("/login/"))  # and no login page inside the page


def test_a_hidden_page_asks_nothing(make_puzzle, open_with_clock, teacher, classroom):
    page = open_with_clock(f"/classes/{classroom.pk}/lesson/", teacher)
    asked = []

    def note(request):
        if request.resource_type == "xhr":  # a font may be loaded after the page
            asked.append(request.url)

    page.on("request", note)

    def hide(is_hidden):
        page.evaluate(
            """(is) => {
            Object.defineProperty(document, "hidden", {value: is, configurable: true});
            document.dispatchEvent(new Event("visibilitychange"));
            }""",
            is_hidden,
        )

    hide(True)
    page.clock.run_for(60_000)
    assert asked == []
    with page.expect_response(lambda reply: reply.status == 204):  # the control
        hide(False)
    assert asked


@pytest.mark.thorough
@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("size", [PHONE, DESKTOP], ids=["phone", "desktop"])
def test_axe_finds_nothing_on_a_lesson_and_its_board(
    size, theme, make_puzzle, open_page, teacher, student, mia, classroom
):
    puzzle = make_puzzle("finder", words=4)
    goals.set_goal(classroom=classroom, person=teacher, words=50, ends_on=timezone.localdate())
    miss(play.open_session(puzzle=puzzle, student=student), puzzle.placements.first(), 5)
    page = open_page(f"/classes/{classroom.pk}/lesson/", teacher, size, color_scheme=theme)
    page.get_by_text("Projector view, start of the lesson").click()
    for path in ("", f"/classes/{classroom.pk}/lesson/board/"):
        if path:
            page.goto(path)
        has_no_violations(page)
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
