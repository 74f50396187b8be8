"""Sizes on boards: letters are as large as their neighbours, and a page ends where it seems to."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.conftest import rows
from tests.layers import daily
from tests.services import wait_until
from vocab.lists.services import create_list

WORDS = {
    "hi": "नमस्ते रास्ते गुलदस्ते त्रिशूल त्रिभुज अध्यापक अध्याय विद्यालय पुस्तकालय अलमारी खिड़की",
    "th": "เพื่อน เพื่อนบ้าน ดวงจันทร์ โรงเรียน หนังสือ ดินสอ รถยนต์ ต้นไม้ สวัสดี เครื่องบิน",
    "hu": "dzsungel dzsem dzsúdó gyerek egészség kisasszony madzag lándzsa halandzsa szendvics",
}
LETTERS = """() => [...document.querySelectorAll("[data-grid] .letter")].map((letter) => {
    const range = document.createRange();
    range.selectNodeContents(letter);
    const cell = letter.closest(".cell").getBoundingClientRect();
    const isField = letter.localName === "input";
    return {
        letter: isField ? letter.value : letter.textContent,
        size: parseFloat(getComputedStyle(letter).fontSize),
        isWithin: isField
            ? letter.scrollWidth <= letter.clientWidth
            : range.getBoundingClientRect().width <= cell.width,
    };
}).filter(({ letter }) => letter)"""


def letters_when(page, is_so):
    """Return the letters as soon as it is so: they are measured again when their font has come."""

    def look():
        letters = page.evaluate(LETTERS)
        return letters if letters and is_so(letters) else None

    return wait_until(look, seconds=15)


@pytest.fixture
def open_board(make_puzzle, teacher, open_page, student):
    def open_board(kind, language, **options):
        vocabulary_list = create_list(
            owner=teacher,
            title="Sizes",
            language=language,
            translation_languages=["en"],
            rows=rows({word: f"clue of {word}" for word in WORDS[language].split()}),
        )
        puzzle = make_puzzle(kind, vocabulary_list=vocabulary_list)
        assert puzzle.state == puzzle.State.READY, puzzle.reason
        page = open_page(f"/play/{puzzle.code}/", person=student, **options)
        expect(page.locator("[data-grid]")).to_be_visible()
        if kind == "crossword":
            for placement in puzzle.placements.all():
                page.locator(f".clue[data-item='{placement.slot}'] .clue-field").fill(
                    placement.term
                )
                page.keyboard.press("Enter")
            expect(page.locator("dialog.summary")).to_be_visible()
        return page

    return open_board


@pytest.mark.thorough
@pytest.mark.parametrize("language", ["hi", "th"])
@pytest.mark.parametrize("kind", ["word-search", "crossword"])
def test_a_letter_of_several_characters_is_as_large_as_its_neighbours(kind, language, open_board):
    page = open_board(kind, language)
    letters = letters_when(page, lambda some: len({each["size"] for each in some}) == 1)
    assert max(len(each["letter"]) for each in letters) >= 3
    assert all(each["isWithin"] for each in letters)


@pytest.mark.parametrize("kind", daily("word-search", of=["word-search", "crossword"]))
def test_a_letter_that_is_drawn_too_wide_is_smaller(kind, open_board):
    """The control of the test above."""

    def sizes(letters):
        return {each["letter"]: each["size"] for each in letters}

    page = open_board(kind, "hu")
    letters = letters_when(page, lambda some: sizes(some)["GY"] == sizes(some)["E"])
    assert sizes(letters)["DZS"] < sizes(letters)["E"]
    assert all(each["isWithin"] for each in letters)


TWENTY_FIVE = """
    kuća drvo more rijeka planina jabuka kruška stolica prozor vrata krevet lampa zrcalo knjiga
    olovka škola učitelj ulica trgovina bolnica kolodvor autobus bicikl zrakoplov brod
"""


@pytest.mark.thorough
@pytest.mark.parametrize("size", [(390, 664), (1200, 900), (1440, 900)], ids=lambda size: size[0])
@pytest.mark.parametrize("kind", ["word-search", "finder", "crossword"])
def test_a_page_is_no_longer_than_what_is_on_it(
    kind, size, make_puzzle, teacher, open_page, student
):
    vocabulary_list = create_list(
        owner=teacher,
        title="Long",
        language="hr",
        translation_languages=["en"],
        rows=rows({word: f"clue of {word}" for word in TWENTY_FIVE.split()}),
    )
    wanted = 10 if kind == "finder" else 25
    puzzle = make_puzzle(kind, vocabulary_list=vocabulary_list, words=wanted)
    assert puzzle.state == puzzle.State.READY, puzzle.reason
    width, height = size
    page = open_page(
        f"/play/{puzzle.code}/", person=student, size={"width": width, "height": height}
    )
    expect(page.locator("[data-grid]")).to_be_visible()
    document, content = page.evaluate(
        """() => [
            document.documentElement.scrollHeight,
            Math.ceil(document.body.getBoundingClientRect().bottom + scrollY),
        ]"""
    )
    assert document <= max(content, height)
    # The last word of a long list can be reached all the same.
    last = page.locator(".clue, .word, .finder-word").last
    last.scroll_into_view_if_needed()
    expect(last).to_be_in_viewport()


def test_the_clue_of_a_word_is_scrolled_to(make_puzzle, teacher, open_page, student):
    vocabulary_list = create_list(
        owner=teacher,
        title="Long",
        language="hr",
        translation_languages=["en"],
        rows=rows({word: f"clue of {word}" for word in TWENTY_FIVE.split()}),
    )
    puzzle = make_puzzle("crossword", vocabulary_list=vocabulary_list, words=25)
    page = open_page(f"/play/{puzzle.code}/", person=student, size={"width": 1200, "height": 700})
    last, first = page.locator(".clue").last, page.locator(".clue").first
    expect(last).not_to_be_in_viewport()
    page.locator("[data-grid] input[tabindex='0']").focus()
    page.keyboard.press("Shift+ArrowUp")  # from the first clue back to the last
    expect(last).to_be_in_viewport()
    expect(first).not_to_be_in_viewport()
    page.keyboard.press("Shift+ArrowDown")
    expect(first).to_be_in_viewport()
    assert page.evaluate("() => scrollY") == 0
