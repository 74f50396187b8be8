"""A teacher watches a crossword grow, keeps some, and takes the third best."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import expect

from puzzles.models import CrosswordSearch, Puzzle
from puzzles.searches import services as searches
from puzzles.searches.shortlist import Shortlist
from tests.browser.axe import has_no_violations
from tests.browser.conftest import DESKTOP, PHONE
from tests.conftest import rows
from tests.puzzles.searches.helpers import begin_search
from tests.services import wait_until
from vocab.lists.services import create_list

WORDS = Path(__file__).parents[1] / "data" / "word_search" / "en.txt"


@pytest.fixture
def many(teacher):
    words = WORDS.read_text(encoding="utf-8").split()
    return create_list(
        owner=teacher,
        title="Many",
        language="en",
        translation_languages=["hr"],
        rows=rows({word: f"meaning {number}" for number, word in enumerate(words)}),
    )


def crossings(page):
    """Return the words and crossings of the crossword that is shown."""
    numbers = page.locator("[data-shown] dd").all_inner_texts()
    return int(numbers[0].split()[0]), int(numbers[1])


def test_a_search_is_watched_as_it_improves_and_its_third_best_is_taken(
    worker, many, open_page, teacher
):
    page = open_page(f"/assign/?vocabulary_list={many.pk}", person=teacher)
    page.locator("input[name=kind][value=crossword]").check()
    expect(page.locator("#assign-preview")).to_contain_text("Crossword")
    page.get_by_text("Title and settings").click()
    page.get_by_role("link", name="Compare several crosswords and choose one").click()
    page.get_by_label("Title").fill("Under my eyes")
    page.get_by_label("Number of words").fill("30")
    page.get_by_label("Search time in seconds").fill("120")
    page.get_by_role("button", name="Start search").click()

    shown = page.locator("[data-shown]")
    expect(shown.locator("svg")).to_have_count(2, timeout=30_000)
    solution, empty = shown.locator("svg").all()
    expect(solution.locator(".tile").first).to_be_visible()
    expect(empty.locator(".tile")).to_have_count(0)
    expect(empty.locator(".square-number").first).to_be_visible()
    expect(page.locator("[data-status]")).to_contain_text("Searching. Best so far")
    first = crossings(page)
    number = shown.get_attribute("data-number")
    expect(shown).not_to_have_attribute("data-number", number, timeout=60_000)
    wait_until(lambda: crossings(page)[1] > first[1])
    assert crossings(page) > first
    third = page.locator("[data-candidates] > li").nth(2)
    expect(third).to_be_visible(timeout=60_000)

    page.get_by_role("button", name="Stop").click()
    expect(page.locator("[data-status]")).to_contain_text("Stopped after")
    search = CrosswordSearch.objects.get()
    assert search.state == "stopped"
    wanted = Shortlist.from_json(search.found).best[2]
    assert third.get_attribute("data-number") == str(wanted.number)
    third.get_by_role("button", name=f"Use crossword {wanted.number}").click()
    page.wait_for_url("**/puzzles/*/")
    expect(page.get_by_role("heading", name="Under my eyes")).to_be_visible()
    puzzle = Puzzle.objects.get()
    assert {(p.term, p.number, p.direction) for p in puzzle.placements.all()} == {
        (p.word, p.number, p.direction) for p in wanted.crossword.placements
    }
    page.get_by_text("More", exact=True).click()
    page.get_by_role("link", name="Try the puzzle").click()
    expect(page.locator("[data-grid] input")).to_have_count(
        sum(tile is not None for row in puzzle.grid for tile in row)
    )
    page.go_back()
    with page.expect_download() as paper:
        page.get_by_role("button", name="Solution (PDF)").click()
    assert Path(paper.value.path()).read_bytes().startswith(b"%PDF")


@pytest.mark.thorough
def test_what_is_kept_stands_side_by_side(animals, teacher, open_page):
    search = begin_search(animals, teacher, seeds=range(1, 9), is_stopped=True)
    page = open_page(f"/searches/{search.code}/", person=teacher, size=PHONE)
    lines = page.locator("[data-candidates] > li")
    expect(lines.nth(2)).to_be_visible()
    compared = page.locator("[data-compared] > article")
    expect(compared).to_have_count(0)
    for index in (0, 2):
        keep = lines.nth(index).locator("footer button").nth(1)
        keep.click()
        expect(keep).to_have_attribute("aria-pressed", "true")
    expect(compared).to_have_count(2)
    lines.nth(2).locator(".maker-look").click()
    number = lines.nth(2).get_attribute("data-number")
    expect(page.locator("[data-shown]")).to_have_attribute("data-number", number)
    width = page.evaluate("() => document.documentElement.scrollWidth")
    assert width <= PHONE["width"], "the page scrolls sideways"


def test_words_are_in_or_out_not_both(animals, teacher, open_page, worker):
    page = open_page(f"/lists/{animals.pk}/searches/new/", person=teacher)
    page.get_by_role("searchbox", name="Search words").fill("macka")
    expect(page.locator("[data-wish]:visible")).to_have_count(1)
    must = page.get_by_role("checkbox", name="Include mačka")
    must_not = page.get_by_role("checkbox", name="Exclude mačka")
    must_not.check()
    must.check()
    expect(must_not).not_to_be_checked()
    expect(page.locator("[data-wishes-count]")).to_have_text("1 included, 0 excluded.")
    page.get_by_label("Number of words").fill("3")
    page.get_by_label("Search time in seconds").fill("1")
    page.get_by_role("button", name="Start search").click()
    expect(page.locator("[data-status]")).to_contain_text("Searched for", timeout=30_000)
    for candidate in Shortlist.from_json(CrosswordSearch.objects.get().found).best:
        words = [placement.word for placement in candidate.crossword.placements]
        assert "mačka" in words and len(words) <= 3


@pytest.mark.thorough
def test_a_discarded_search_is_gone(animals, teacher, open_page):
    search = begin_search(animals, teacher, is_stopped=True)
    page = open_page(f"/searches/{search.code}/", person=teacher)
    page.get_by_role("button", name="Discard").click()
    page.get_by_role("dialog").get_by_role("button", name="Discard").click()
    page.wait_for_url(f"**/lists/{animals.pk}/")
    assert not CrosswordSearch.objects.exists()


@pytest.mark.thorough
@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("size", [PHONE, DESKTOP], ids=["phone", "desktop"])
def test_axe_finds_nothing_on_the_makers_pages(size, theme, animals, teacher, open_page):
    search = begin_search(animals, teacher, seeds=range(1, 5), is_stopped=True)
    searches.keep(search=search, candidate=1, is_kept=True)
    page = open_page(
        f"/lists/{animals.pk}/searches/new/", person=teacher, size=size, color_scheme=theme
    )
    has_no_violations(page)
    page.goto(f"/searches/{search.code}/")
    expect(page.locator("[data-candidates] > li").first).to_be_visible()
    has_no_violations(page)
