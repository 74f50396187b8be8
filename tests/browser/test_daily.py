"""A class's puzzle of the day: a teacher switches it on, two students play it, one shares it."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from osmosmjerka.accounts.models import Classroom
from puzzles.daily import rules
from puzzles.kinds.base import cells_of
from puzzles.models import DailyPuzzle
from tests.browser.axe import has_no_violations
from tests.browser.conftest import DESKTOP
from tests.browser.playing import select_with_keys
from tests.browser.sizes import FAULTS, SIZES
from tests.puzzles.practice.test_practice import find_all


@pytest.fixture
def known(make_puzzle, student, mia):
    """Eight words that both students have found in an assignment."""
    puzzle = make_puzzle(words=8)
    for one in (student, mia):
        find_all(puzzle, one)


@pytest.fixture
def word_search_day(monkeypatch):
    kinds_of = rules.kinds_of
    monkeypatch.setattr(
        rules,
        "kinds_of",
        lambda classroom, day, kinds: sorted(
            kinds_of(classroom, day, kinds), key=lambda kind: kind != "word-search"
        ),
    )


def is_sound(page):
    """Nothing lies on anything or outside, by day and night."""
    for where, scheme in (("phone", "light"), ("phone, large text", "dark"), ("desk", "dark")):
        size, zoom = SIZES[where]
        page.set_viewport_size(size)
        page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
        page.evaluate(f"document.documentElement.style.fontSize = '{zoom * 100}%'")
        page.evaluate("() => document.fonts.ready.then(() => 0)")
        assert page.evaluate(FAULTS) == [], where
        assert not page.evaluate("document.documentElement.scrollWidth > innerWidth"), where
        has_no_violations(page)
    page.evaluate("document.documentElement.style.fontSize = ''")
    page.set_viewport_size(DESKTOP)


@pytest.mark.thorough
def test_two_students_and_their_teacher(
    worker, known, word_search_day, classroom, teacher, student, mia, open_page
):
    own = open_page(f"/classes/{classroom.pk}/", teacher)
    own.get_by_role("button", name="Turn on puzzle of the day").click()
    expect(own.get_by_text("The puzzle of the day is on.", exact=True)).to_be_visible()

    page = open_page("/", student, is_used_again=False)
    card = page.get_by_role("region", name="Puzzle of the day")
    expect(card).to_contain_text("6b")
    card.get_by_role("button", name="Play").click()
    expect(page.locator("[data-grid]")).to_be_visible()
    puzzle = DailyPuzzle.objects.get().puzzle
    assert puzzle.code in page.url
    words = list(puzzle.placements.all())
    for number, word in enumerate(words, start=1):
        select_with_keys(page, cells_of(word))
        if number < len(words):
            expect(page.locator(".progress-label")).to_contain_text(f"{number} of")
    expect(page.locator("dialog.summary")).to_be_visible()

    page.goto("/")
    card = page.get_by_role("region", name="Puzzle of the day")
    card.get_by_role("link", name="Share your result").click()
    box = page.get_by_role("textbox", name="Your result as text")
    shared = box.input_value()
    assert re.fullmatch(
        rf"Osmosmjerka · 6b · \d+ \w+\nWord search: {len(words)} of {len(words)}, no help\n"
        rf"(🟩){{{len(words)}}}",
        shared,
    )
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.get_by_role("button", name="Copy the result").click()
    expect(page.get_by_text("Copied.")).to_be_visible()
    assert page.evaluate("navigator.clipboard.readText()").replace("\r", "") == shared
    # Where the browser does not allow it, the text is selected to be copied by hand.
    page.evaluate("() => { navigator.clipboard.writeText = () => Promise.reject(new Error()); }")
    page.get_by_role("button", name="Copy the result").click()
    expect(page.get_by_text("Select the text and copy it yourself")).to_be_visible()
    assert page.evaluate("(box => box.selectionEnd - box.selectionStart)(share)") > 0
    page.reload()
    is_sound(page)

    other = open_page("/", mia)
    is_sound(other)
    other.get_by_role("region", name="Puzzle of the day").get_by_role("button", name="Play").click()
    expect(other.locator("[data-grid]")).to_be_visible()
    assert puzzle.code in other.url
    other.goto(f"/classes/{classroom.pk}/daily/")
    expect(other.get_by_text("1 student of the class has done it today.")).to_be_visible()
    expect(other.get_by_role("textbox", name="Your result as text")).to_have_count(0)
    assert str(student) not in other.locator("main").inner_text()
    is_sound(other)

    own.get_by_role("link", name="See today’s puzzle").click()
    expect(own.get_by_text("1 student of the class has done it today.")).to_be_visible()
    assert str(student) not in own.locator("main").inner_text()
    own.goto("/")
    assert puzzle.code not in own.content()


@pytest.mark.thorough
def test_a_class_without_words_is_told_so_kindly(
    make_puzzle, classroom, student, teacher, open_page
):
    make_puzzle(words=8)  # not begun, and nobody has met any other word
    Classroom.objects.update(has_daily_puzzle=True)
    page = open_page(f"/classes/{classroom.pk}/daily/", student, locale="ar")
    page.get_by_role("main").get_by_role("button").first.click()
    expect(page.get_by_role("status").first).to_be_visible()
    assert not DailyPuzzle.objects.exists()
    is_sound(page)
