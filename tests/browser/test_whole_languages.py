"""What scripts write on a page comes from a catalogue, and has room when it is 40 % longer."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import PHONE
from tests.puzzles.searches.helpers import begin_search
from tests.site import pseudo
from tests.site.crawl import texts_of_page
from tests.site.pseudo import in_pseudo

__all__ = ["in_pseudo"]


def plain_words(page):
    """Return what a page shows in no language of the interface, but letters of the game."""
    html = page.evaluate(
        """() => {
            const shown = document.documentElement.cloneNode(true);
            shown.querySelectorAll("[data-grid] *, .keys button, script").forEach((letter) => {
                if (letter.children.length === 0) letter.textContent = "";
            });
            return shown.outerHTML;
        }"""
    )
    data = pseudo.given()
    left = {text: pseudo.untranslated(text, data) for text in texts_of_page(html)}
    return {text: words for text, words in left.items() if words}


def fits(page):
    """Assert that nothing runs out of the page at its side."""
    # Two frames on: in the first, what has just been opened may still have its old place.
    width = page.evaluate(
        """() => new Promise((tell) => requestAnimationFrame(() => requestAnimationFrame(
            () => tell(document.documentElement.scrollWidth))))"""
    )
    assert width <= PHONE["width"], "the page scrolls sideways"


def is_whole(page):
    """Assert that all is translated, and has room even when the text is twice as large."""
    assert plain_words(page) == {}
    fits(page)
    page.evaluate("() => { document.documentElement.style.fontSize = '200%'; }")
    fits(page)
    page.evaluate("() => { document.documentElement.style.fontSize = ''; }")


@pytest.fixture
def open_in_pseudo(in_pseudo, open_page):
    def open_in_pseudo(path, person):
        return open_page(path, person=person, size=PHONE, locale=pseudo.CODE, is_used_again=False)

    return open_in_pseudo


@pytest.mark.thorough
@pytest.mark.parametrize("kind", ["word-search", "finder", "crossword"])
def test_a_board_says_all_in_the_readers_language(kind, make_puzzle, student, open_in_pseudo):
    puzzle = make_puzzle(kind)
    page = open_in_pseudo(f"/play/{puzzle.code}/", student)
    expect(page.locator("[data-grid]")).to_be_visible()
    is_whole(page)
    page.locator("summary:has(+ [data-hints])").click()
    hints = page.locator("[data-hints]").bounding_box()
    assert hints["x"] >= 0
    assert hints["x"] + hints["width"] <= PHONE["width"]
    page.locator("[data-open-dialog=finish-dialog]").dispatch_event("click")
    page.locator("[data-finish]").click()
    expect(page.locator(".summary")).to_be_visible()
    is_whole(page)


@pytest.mark.thorough
def test_rulers_of_a_board_stay_on_a_page_of_the_other_direction(make_puzzle, student, open_page):
    puzzle = make_puzzle("word-search")
    page = open_page(f"/play/{puzzle.code}/", person=student, size=PHONE, locale="ar")
    page.locator(".coordinates > summary").click()
    expect(page.locator("[data-rulers]")).to_be_visible()
    fits(page)


@pytest.mark.thorough
def test_a_search_says_all_in_the_readers_language(animals, teacher, open_in_pseudo):
    search = begin_search(animals, teacher, seeds=range(1, 9), is_stopped=True)
    page = open_in_pseudo(f"/searches/{search.code}/", teacher)
    expect(page.locator("[data-candidates] > li").nth(2)).to_be_visible()
    is_whole(page)


@pytest.mark.thorough
def test_a_list_says_all_in_the_readers_language(animals, teacher, classroom, open_in_pseudo):
    animals.title = "Kraftfahrzeughaftpflichtversicherungen"
    animals.save()
    for path in (f"/lists/{animals.pk}/", f"/lists/{animals.pk}/searches/new/", "/lists/new/"):
        page = open_in_pseudo(path, teacher)
        expect(page.get_by_role("main")).to_be_visible()
        is_whole(page)
