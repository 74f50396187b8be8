"""What people without an account do by a link: a guest plays, a teacher makes one, parents read."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from puzzles.models import Move, PlaySession
from puzzles.parents import services as parents
from puzzles.sharing import services as links
from tests.browser.axe import has_no_violations
from tests.browser.sizes import FAULTS, SIZES
from tests.puzzles.practice.test_practice import remember

PHONE = SIZES["phone"][0]
DESK = SIZES["desk"][0]


@pytest.fixture
def public(settings):
    settings.SHARE_LINKS = "public"


@pytest.fixture
def parent_link(school, classroom, student, teacher):
    school.allows_parent_links = True
    school.save()
    [(_link, token)] = parents.issue(students=[student], classroom=classroom, actor=teacher)
    return f"/p/{token}/"


def test_a_guest_on_a_phone_plays_a_shared_crossword_to_its_end(
    public, make_board, open_page, teacher
):
    puzzle = make_board("crossword", words=4)
    _link, token = links.create(actor=teacher, puzzle=puzzle)
    page = open_page(f"/s/{token}/", size=PHONE, has_touch=True, is_mobile=True)
    keys = page.locator(".keys")
    expect(keys).to_be_visible()
    words = list(puzzle.placements.all())
    for number, word in enumerate(words):
        page.locator(f".clue[data-item='{word.slot}'] .clue-choose").tap()
        for tile in word.tiles:
            keys.get_by_role("button", name=tile, exact=True).tap()
        if not number:
            expect(page.locator(".progress-label")).to_contain_text("1 of 4")
            page.reload()  # the game goes on
            expect(page.locator(".progress-label")).to_contain_text("1 of 4")
    summary = page.locator("dialog.summary")
    expect(summary).to_be_visible()
    for word in words:
        expect(summary).to_contain_text(word.term)
    summary.get_by_role("link", name="Play again").tap()
    expect(page.locator(".progress-label")).to_contain_text("0 of 4")
    assert not PlaySession.objects.exists()
    assert not Move.objects.exists()


@pytest.mark.thorough
@pytest.mark.parametrize("language", ["en", "ar"])
@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("size", [PHONE, DESK], ids=["phone", "desk"])
def test_axe_finds_nothing_on_pages_behind_links(
    size, theme, language, public, parent_link, animals, teacher, student, make_puzzle, classroom,
    open_page,
):  # fmt: skip
    for entry in animals.entries.all()[:2]:
        remember(student, entry, 3, 2, 1, outcome="wrong")
    puzzle = make_puzzle(words=4)
    shared = links.create(actor=teacher, vocabulary_list=animals, may_copy=True)[1]
    look = {"size": size, "color_scheme": theme, "locale": language}
    of_strangers = [parent_link, f"/s/{shared}/", "/s/none/"]
    of_teachers = [
        "/links/",
        f"/lists/{animals.pk}/links/",
        f"/puzzles/{puzzle.code}/links/",
        f"/classes/{classroom.pk}/parents/",
        "/lists/gallery/",
    ]
    for paths, person in ((of_strangers, None), (of_teachers, teacher)):
        page = open_page(paths[0], person=person, **look)
        for path in paths:
            page.goto(path)
            has_no_violations(page)
            assert page.evaluate(FAULTS) == [], path
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), path


def test_parents_read_the_page_in_their_language(parent_link, open_page):
    page = open_page(parent_link, size=PHONE)
    expect(page.get_by_role("heading", name="This week")).to_be_visible()
    page.get_by_role("button", name="Deutsch").click()
    expect(page.get_by_role("heading", name="Diese Woche")).to_be_visible()
