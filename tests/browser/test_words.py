"""A student's words, flashcards and matching: by finger, by keys, and on every device."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from puzzles.assignments import services as assignments
from puzzles.practice.picked import Picked
from tests.browser.axe import has_no_violations
from tests.browser.conftest import DESKTOP
from tests.browser.sizes import FAULTS, SMALL
from tests.conftest import rows
from tests.puzzles.practice.test_practice import remember
from tests.services import wait_until
from vocab.lists import services as list_services
from vocab.models import Review

PHONE = {"width": 390, "height": 664}
SIZES = {
    "small phone": ({"width": 360, "height": 640}, 1),
    "phone": (PHONE, 1),
    "phone, large text": (PHONE, 2),
    "tablet": ({"width": 820, "height": 1180}, 1),
    "desk": (DESKTOP, 1),
}


TOPS = """() => [...document.querySelectorAll(".match-column")]
    .map((column) => column.getBoundingClientRect().top)"""


@pytest.fixture
def met(make_puzzle, animals, teacher, student):
    """All words of two lists were asked weeks ago; one means the same as another."""
    list_services.write_rows(vocabulary_list=animals, rows=rows({"maca": "cat"}))
    german = list_services.create_list(
        owner=teacher, title="Das ist eine ziemlich lange Überschrift", language="de",
        translation_languages=["en"],
        rows=rows({"Donaudampfschifffahrtsgesellschaft": "a company of steamships", "Kuh": "cow"}),
    )  # fmt: skip
    for words in (animals, german):
        puzzle = make_puzzle("word-search", vocabulary_list=words, words=1 + (words == animals))
        assignments.close(assignment=puzzle.assignments.get())
        for entry in words.entries.all():
            remember(student, entry, 30)
    return animals


def round_of(words, *terms):
    entries = {entry.term: entry.pk for entry in words.entries.filter(term__in=terms)}
    return Picked.of([entries[term] for term in terms]).query


def word_of(page, text):
    return page.get_by_role("group", name="Words").get_by_role("button", name=text, exact=True)


def meaning_of(page, text):
    return page.get_by_role("group", name="Meanings").get_by_role("button", name=text)


def test_words_are_found_without_accents_filtered_and_heard(met, open_page, student):
    page = open_page("/words/", student, size=PHONE)
    page.get_by_role("link", name="Životinje").click()  # its album
    expect(page.get_by_role("link", name="mačka learning")).to_be_visible()
    field = page.get_by_label("Search words")
    for text in ("macka", "mačka"):
        field.fill(text)
        field.press("Enter")
        expect(page.locator(".word-card")).to_have_count(1)
        expect(page.get_by_role("link", name="mačka", exact=True)).to_be_visible()
    speaker = page.get_by_role("button", name="Listen to mačka")
    with page.expect_request("**/review/sound/**"):
        speaker.click()
    page.evaluate("""() => {
        const play = HTMLMediaElement.prototype.play;
        globalThis.played = 0;
        HTMLMediaElement.prototype.play = function () { played += 1; return play.call(this); };
    }""")
    for key in ("Space", "Enter"):
        speaker.press(key)
    wait_until(lambda: page.evaluate("played") == 2)
    assert page.url.split("?")[0].endswith("/words/")  # the sound is played here
    expect(page.locator(".toasts")).to_have_count(0)
    field.fill("")
    page.get_by_label("List", exact=True).select_option(label="Životinje")
    expect(page.locator(".word-card")).to_have_count(13)


def test_without_scripts_words_are_searched_and_cards_asked(met, open_page, student):
    page = open_page("/words/", student, java_script_enabled=False)
    page.get_by_label("Search words").fill("macka")
    page.get_by_role("button", name="Search", exact=True).click()
    expect(page.locator(".word-card")).to_have_count(1)
    page.get_by_text("Practise 1 word").click()
    page.get_by_role("button", name="Flashcards").click()
    page.get_by_role("link", name="Show the word").click()
    page.get_by_role("button", name="I knew it").click()
    expect(page.get_by_role("heading", name="All words of this round are done")).to_be_visible()


def test_these_words_are_practised_with_cards(met, open_page, student):
    page = open_page("/words/?q=cat", student, size=PHONE, has_touch=True)
    page.get_by_text("Practise these 2 words").tap()
    page.get_by_role("button", name="Flashcards").tap()
    expect(page.get_by_role("heading", name="cat")).to_be_focused()
    expect(page.get_by_text("0 of 2 done, 2 left")).to_be_visible()
    for term in ("mačka", "maca"):  # not in any part of the page before it is asked for
        assert term not in page.content()
    page.get_by_role("link", name="Show the word").tap()
    first = page.locator(".answer")
    expect(first).to_be_focused()
    missed = first.inner_text()
    assert missed in ("mačka", "maca")
    page.reload()
    expect(page.locator(".answer")).to_have_text(missed)
    page.get_by_role("button", name="Not yet").tap()
    expect(page.get_by_text("0 of 2 done, 2 left")).to_be_visible()
    page.reload()
    page.get_by_role("link", name="Show the word").tap()
    expect(page.locator(".answer")).not_to_have_text(missed)
    page.get_by_role("button", name="I knew it").tap()
    page.get_by_role("link", name="Show the word").tap()
    expect(page.locator(".answer")).to_have_text(missed)  # at the end of the round
    page.get_by_role("button", name="Almost").tap()
    expect(page.get_by_role("heading", name="All words of this round are done")).to_be_focused()
    expect(page.get_by_text("You knew 1 of 2 words at once.")).to_be_visible()
    expect(page.get_by_role("link", name="Practise the 1 word you got wrong")).to_be_visible()
    assert list(Review.objects.filter(mode="card").order_by("pk").values_list("outcome")) == [
        ("wrong",), ("right",), ("hinted",),
    ]  # fmt: skip


def test_cards_are_answered_by_keys_alone(met, open_page, student):
    page = open_page("/words/cards/", student)
    expect(page.get_by_role("heading", level=2)).to_be_focused()
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.locator(".answer")).to_be_focused()
    page.keyboard.press("Tab")
    expect(page.get_by_role("button", name="Listen")).to_be_focused()
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.locator(".progress-label")).to_contain_text(re.compile("^1 of"))
    assert Review.objects.get(mode="card").outcome == "right"


def test_pairs_are_matched_by_keys_wrong_then_right(met, open_page, student):
    query = round_of(met, "mačka", "slon", "labud")
    page = open_page(f"/words/match/?{query}", student)
    status = page.get_by_role("status").filter(has_text=re.compile("pair|Correct"))
    word_of(page, "slon").focus()
    page.keyboard.press("Enter")
    expect(word_of(page, "slon")).to_have_attribute("aria-pressed", "true")
    page.keyboard.press("Enter")
    expect(word_of(page, "slon")).to_have_attribute("aria-pressed", "false")
    page.keyboard.press("Space")
    meaning_of(page, "swan").focus()
    page.keyboard.press("Space")
    expect(status).to_have_text("Not a pair. Try again.")
    expect(page.get_by_text("0 of 3 done, 3 left")).to_be_visible()
    # In the other order: a meaning first.
    page.keyboard.press("Enter")
    word_of(page, "labud").focus()
    page.keyboard.press("Enter")
    expect(status).to_have_text("Correct: labud – swan")
    expect(page.get_by_text("1 of 3 done, 2 left")).to_be_visible()
    expect(page.get_by_role("group", name="Meanings").locator(":focus")).to_have_count(1)
    page.keyboard.press("Enter")
    first = page.locator("[data-meaning]:focus").inner_text()
    pairs = {"elephant": "slon", "cat": "mačka"}
    word_of(page, pairs.pop(first)).focus()
    page.keyboard.press("Enter")
    ((meaning, term),) = pairs.items()
    expect(meaning_of(page, meaning)).to_be_focused()  # the next pair begins by itself
    page.keyboard.press("Enter")
    word_of(page, term).focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("link", name="Continue")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="All words of this round are done")).to_be_focused()
    expect(page.get_by_text("Right the first time: 2 of 3 words.")).to_be_visible()
    outcomes = Review.objects.filter(mode="matched").values_list("entry__term", "outcome")
    assert dict(outcomes) == {"slon": "wrong", "labud": "right", "mačka": "right"}


def test_a_game_by_touch_goes_on_after_a_reload(met, open_page, student):
    query = round_of(met, "mačka", "maca", "slon", "labud")
    page = open_page(f"/words/match/?{query}", student, size=PHONE, has_touch=True)
    board = page.locator(".match-columns")
    # Two pairs at once, before the server has answered: both mean the same.
    for tile in (
        word_of(page, "mačka"), meaning_of(page, "cat").nth(1),
        word_of(page, "maca"), meaning_of(page, "cat").nth(0),
    ):  # fmt: skip
        tile.tap()
    expect(page.get_by_text("2 of 4 done, 2 left")).to_be_visible()
    for tile in (word_of(page, "slon"), meaning_of(page, "swan")):
        tile.tap()
    expect(page.locator("[data-wrong]")).to_have_count(2)
    for tile in (word_of(page, "slon"), meaning_of(page, "elephant")):
        tile.tap()
    expect(page.get_by_text("3 of 4 done, 1 left")).to_be_visible()
    order = board.inner_text()
    page.reload()
    expect(page.get_by_text("3 of 4 done, 1 left")).to_be_visible()
    assert board.inner_text() == order
    expect(board.locator("button:disabled")).to_have_count(6)
    for tile in (word_of(page, "labud"), meaning_of(page, "swan")):
        tile.tap()
    page.get_by_role("link", name="Continue").tap()
    expect(page.get_by_text("Right the first time: 3 of 4 words.")).to_be_visible()


def test_a_clock_that_is_switched_on_says_ones_own_best_time(met, open_page, student):
    page = open_page("/help/", student, size=PHONE)
    page.clock.install()
    said = page.get_by_role("status").filter(has_text="best time")

    def play(seconds):
        page.goto(f"/words/match/?{round_of(met, 'mačka', 'slon')}")
        for term, meaning in (("mačka", "cat"), ("slon", "elephant")):
            word_of(page, term).click()
            page.clock.run_for(seconds * 500)
            meaning_of(page, meaning).click()
            expect(word_of(page, term)).to_be_disabled()
        expect(page.get_by_role("link", name="Continue")).to_be_visible()

    play(30)
    expect(said).to_have_count(0)
    page.get_by_role("button", name="Clock").click()
    play(40)
    expect(said).to_have_text(re.compile("^0:4. is your best time.$"))
    play(20)
    expect(said).to_have_text(re.compile("^0:2. is your best time.$"))
    play(50)
    expect(said).to_have_text(re.compile("^Your best time is 0:2..$"))


@pytest.mark.thorough
def test_a_pair_that_could_not_be_sent_can_be_tried_again(met, open_page, student):
    query = round_of(met, "mačka", "slon")
    page = open_page(f"/words/match/?{query}", student)
    page.route("**/words/match/", lambda route: route.abort())
    word_of(page, "slon").click()
    meaning_of(page, "elephant").click()
    expect(page.get_by_text("This could not be sent. Try again in a moment.")).to_be_visible()
    page.unroute("**/words/match/")
    word_of(page, "slon").click()
    meaning_of(page, "elephant").click()
    expect(page.get_by_text("1 of 2 done, 1 left")).to_be_visible()


def test_whoever_is_logged_out_in_a_game_is_sent_to_the_login(met, open_page, student):
    query = round_of(met, "mačka", "slon")
    page = open_page(f"/words/match/?{query}", student)
    page.context.clear_cookies(name="sessionid")
    word_of(page, "slon").click()
    meaning_of(page, "elephant").click()
    page.wait_for_url("**/login/?next=**")


def visits(words):
    """Return pages by name, and what is pressed on each before it is looked at."""
    query = round_of(words, "mačka", "slon", "labud", "krokodil", "medvjed", "guska")
    german = "Das ist eine"
    return {
        "words": ("/words/?sort=need", ".practise-these summary"),
        "album": ("/words/", None),
        "home": ("/", None),
        "nothing found": (f"/words/?q={german}", None),
        "front": ("/words/cards/", None),
        "back": ("/words/cards/", ".button--block"),
        "board": (f"/words/match/?{query}", ".tile"),
    }


def look_at(page, path, pressed):
    page.goto(path)
    if pressed:
        page.locator(pressed).first.click()
        if pressed == ".button--block":
            expect(page.locator(".answer")).to_be_visible()


@pytest.mark.thorough
@pytest.mark.parametrize("language", ["en", "ar"])
def test_nothing_lies_on_anything_or_outside_and_a_thumb_hits_all(
    language, met, student, open_page
):
    page = open_page("/help/", student, locale=language)
    wrong = []
    for where, (size, zoom) in SIZES.items():
        page.set_viewport_size(size)
        for name, (path, pressed) in visits(met).items():
            look_at(page, path, pressed)
            page.evaluate(f"document.documentElement.style.fontSize = '{zoom * 100}%'")
            page.evaluate("() => document.fonts.ready.then(() => 0)")
            found = page.evaluate(FAULTS) + page.evaluate(SMALL)
            found += page.evaluate(SMALL.replace("main button", "main .icon-button, main select"))
            if page.evaluate("document.documentElement.scrollWidth > innerWidth"):
                found.append("scrolls sideways")
            if name == "board":
                tops = page.evaluate(TOPS)  # at one moment: a page may still scroll to its focus
                found += [] if len(set(tops)) == 1 else ["the columns are not side by side"]
            wrong += [f"{name}, {where}: {fault}" for fault in found]
    assert not wrong, "\n".join(wrong)


@pytest.mark.thorough
@pytest.mark.parametrize("language", ["en", "ar"])
def test_axe_finds_nothing_by_day_and_night(language, met, student, open_page):
    page = open_page("/help/", student, locale=language)
    for path, pressed in visits(met).values():
        for size, scheme in ((PHONE, "light"), (DESKTOP, "dark")):
            page.set_viewport_size(size)
            page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
            look_at(page, path, pressed)
            has_no_violations(page)


@pytest.mark.thorough
def test_the_board_says_right_and_wrong_to_everybody(met, student, open_page):
    query = round_of(met, "mačka", "slon", "labud")
    page = open_page(f"/words/match/?{query}", student, size=PHONE)
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
        word_of(page, "slon").click()
        meaning_of(page, "swan").click()
        expect(page.locator("[data-wrong]")).to_have_count(2)
        has_no_violations(page)
    word_of(page, "slon").click()
    meaning_of(page, "elephant").click()
    expect(page.locator(".tile:disabled")).to_have_count(2)
    has_no_violations(page)
