"""Crosswords solved as people do: by keys alone, by touch, in four languages; errors and help."""

from __future__ import annotations

import re
from itertools import permutations

import pytest
from playwright.sync_api import expect

from puzzles.models import Move
from tests.browser.conftest import DESKTOP, PHONE
from tests.browser.playing import cell, in_order, walk_with_keys
from tests.conftest import rows
from tests.layers import daily
from vocab.lists.services import create_list
from vocab.models import Review

TOUCH = {"size": PHONE, "has_touch": True, "is_mobile": True}
WORDS = {
    "hr": {"ljiljan": "lily", "njuška": "snout", "džep": "pocket", "konj": "horse", "list": "leaf"},
    "el": {"γάτα": "cat", "σκύλος": "dog", "άλογο": "horse", "λύκος": "wolf", "γλάρος": "gull"},
    "ar": {"كتاب": "book", "مكتبة": "library", "باب": "door", "كلب": "dog", "بيت": "house"},
    "fr": {"école": "school", "élève": "pupil", "leçon": "lesson", "clé": "key", "lac": "lake"},
}  # fmt: skip


@pytest.fixture
def crossword_in(make_puzzle, teacher):
    """Return a maker of crosswords in a language."""

    def make(language, accents="warn", **settings):
        words = create_list(
            owner=teacher,
            title=f"Crossword {language}",
            language=language,
            translation_languages=["en"],
            rows=rows(WORDS[language]),
        )
        words.accents = accents
        words.save()
        puzzle = make_puzzle("crossword", vocabulary_list=words, **settings)
        assert puzzle.placements.count() >= 4, puzzle.unplaced
        return puzzle

    return make


def tab_to(page, selector, key="Tab"):
    """Press Tab until an element has the focus, as somebody without a mouse does."""
    for _press in range(80):
        page.keyboard.press(key)
        if page.evaluate("(s) => document.activeElement.matches(s)", selector):
            return
    raise AssertionError(f"Tab never came to {selector}")


def letters_of(placement):
    return "".join(placement.tiles).lower()


def choose_help(page, words):
    """Open the menu of hints and choose by keys alone."""
    tab_to(page, "summary[aria-label='Hints']", "Shift+Tab")
    page.keyboard.press("Enter")
    for _press in range(8):
        page.keyboard.press("Tab")
        if page.evaluate("() => document.activeElement.textContent") == words:
            break
    page.keyboard.press("Enter")


def expect_count(page, found, total):
    expect(page.locator(".progress-label")).to_contain_text(f"{found} of {total}")


@pytest.mark.parametrize("language", daily("hr", of=["hr", "el", "ar"]))
def test_it_is_solved_by_keyboard_alone(language, crossword_in, open_page, student):
    puzzle = crossword_in(language)
    placements = in_order(puzzle)
    page = open_page(f"/play/{puzzle.code}/", person=student)
    expect(page.locator("[data-grid]")).to_be_visible()
    tab_to(page, "[data-grid] input")
    for number, placement in enumerate(placements, start=1):
        page.keyboard.press("Home")
        page.keyboard.type(letters_of(placement), delay=20)
        if number < len(placements):  # the next clue comes by itself
            expect_count(page, number, len(placements))
    summary = page.locator("dialog.summary")
    expect(summary).to_be_visible()
    for placement in placements:
        expect(summary).to_contain_text(placement.term)
    assert Move.objects.filter(outcome="found").count() == len(placements)
    skills = set(Review.objects.values_list("skill", "outcome"))
    assert skills == {("meaning_to_form", "right")}


@pytest.mark.parametrize("language", daily("ar", of=["hr", "el", "ar"]))
def test_it_is_solved_by_touch_with_the_keys_on_screen(language, crossword_in, open_page, student):
    puzzle = crossword_in(language)
    placements = in_order(puzzle)
    page = open_page(f"/play/{puzzle.code}/", person=student, **TOUCH)
    keys = page.locator(".keys")
    expect(keys).to_be_visible()
    for placement in placements:
        page.locator(f".clue[data-item='{placement.slot}'] .clue-choose").tap()
        for tile in placement.tiles:
            keys.get_by_role("button", name=tile, exact=True).tap()
    expect(page.locator("dialog.summary")).to_be_visible()
    assert Move.objects.filter(outcome="found").count() == len(placements)


@pytest.mark.thorough
def test_a_croatian_digraph_is_one_square(crossword_in, open_page, student):
    puzzle = crossword_in("hr")
    placement = puzzle.placements.get(term="ljiljan")
    assert placement.tiles == ["LJ", "I", "LJ", "A", "N"]
    page = open_page(f"/play/{puzzle.code}/", person=student)
    page.locator(f".clue[data-item='{placement.slot}'] .clue-choose").click()
    page.keyboard.type("ljiljan", delay=20)
    expect(cell(page, placement.cells[0])).to_have_value("LJ")
    expect(cell(page, placement.cells[4])).to_have_value("N")
    expect_count(page, 1, puzzle.placements.count())


def test_an_arabic_crossword_runs_from_the_right_and_arrows_stay_visual(
    crossword_in, open_page, student
):
    puzzle = crossword_in("ar")
    across = puzzle.placements.filter(direction="across").first()
    page = open_page(f"/play/{puzzle.code}/", person=student)
    first, second = (cell(page, place) for place in across.cells[:2])
    assert first.bounding_box()["x"] > second.bounding_box()["x"]
    page.locator(f".clue[data-item='{across.slot}'] .clue-choose").click()
    expect(first).to_be_focused()
    page.keyboard.press("ArrowLeft")
    expect(second).to_be_focused()
    walk_with_keys(page, across.cells[1], across.cells[0], rtl=True)
    expect(first).to_be_focused()


def test_wrong_letters_are_checked_shown_kept_over_a_reload_and_the_end_is_told(
    crossword_in, open_page, student
):
    puzzle = crossword_in("hr")
    first, second, third = in_order(puzzle)[:3]
    page = open_page(f"/play/{puzzle.code}/", person=student)
    expect(page.locator("[data-grid]")).to_be_visible()
    live, marked = page.locator("[data-live]"), page.locator("[data-grid] [aria-invalid=true]")

    tab_to(page, "[data-grid] input")
    page.keyboard.type("x" * len(first.tiles), delay=20)
    expect(live).to_contain_text("not correct yet")
    expect(marked).to_have_count(0)  # nobody asked which letters are wrong
    page.keyboard.press("Home")
    choose_help(page, "Check this letter")
    expect(live).to_contain_text("1 wrong letter is marked")
    expect(marked).to_have_count(1)
    choose_help(page, "Check this word")
    expect(live).to_contain_text(f"{len(first.tiles)} wrong letters are marked")
    choose_help(page, "Check everything")
    expect(marked).to_have_count(len(first.tiles))

    page.keyboard.press("Home")
    choose_help(page, "Reveal this letter")
    expect(cell(page, first.cells[0])).to_have_value(first.tiles[0])
    assert Move.objects.filter(outcome="hint", answer__kind="letter").count() == 1

    with page.expect_response(lambda reply: reply.url.endswith("/draft/")):
        page.keyboard.press("Shift+ArrowDown")
        page.keyboard.press("Home")
        page.keyboard.type(letters_of(second)[:2])
    page.reload()
    expect(cell(page, first.cells[0])).to_have_value(first.tiles[0])
    expect(cell(page, first.cells[1])).to_have_value("X")
    expect(cell(page, second.cells[0])).to_have_value(second.tiles[0])

    tab_to(page, "[data-grid] input")
    page.locator(f".clue[data-item='{third.slot}'] .clue-choose").click()
    choose_help(page, "Reveal this word")
    expect(page.locator(f".clue[data-item='{third.slot}']")).to_have_attribute(
        "data-state", "shown"
    )
    assert Move.objects.get(outcome="revealed").placement == third

    page.get_by_label("Menu").click()
    page.get_by_role("button", name="Finish and show all words").click()
    page.get_by_role("button", name="Finish", exact=True).click()
    summary = page.locator("dialog.summary")
    for placement in puzzle.placements.all():
        expect(summary).to_contain_text(placement.term)
    assert set(Review.objects.filter(entry=third.entry).values_list("outcome", flat=True)) == {
        "wrong"
    }


@pytest.mark.thorough
def test_after_a_letter_is_revealed_the_next_key_goes_on_behind_it(
    crossword_in, open_page, student
):
    puzzle = crossword_in("hr")
    placement = puzzle.placements.get(term="list")
    first, second, _third, last = placement.cells
    page = open_page(f"/play/{puzzle.code}/", person=student)
    page.locator(f".clue[data-item='{placement.slot}'] .clue-choose").click()

    def reveal():
        page.get_by_label("Hints").click()
        page.get_by_role("button", name="Reveal this letter").click()

    reveal()
    expect(cell(page, second)).to_be_focused()
    page.keyboard.type("is", delay=20)
    expect(cell(page, last)).to_be_focused()
    cell(page, first).click()
    page.keyboard.type("lis", delay=20)  # the same letters once more
    expect(cell(page, last)).to_be_focused()
    page.keyboard.type("t")
    expect_count(page, 1, puzzle.placements.count())
    assert not placement.moves.filter(outcome=Move.Outcome.WRONG).exists()


@pytest.mark.thorough
def test_enter_after_a_word_that_was_checked_by_itself_stays_with_it(
    make_puzzle, open_page, student, teacher
):
    words = create_list(
        owner=teacher,
        title="Crossed at the end",
        language="hr",
        translation_languages=["en"],
        rows=rows({"kos": "blackbird", "san": "dream"}),
    )
    puzzle = make_puzzle("crossword", vocabulary_list=words)
    placement = puzzle.placements.get(term="kos")
    other = puzzle.placements.get(term="san")
    assert placement.cells[-1] in other.cells
    page = open_page(f"/play/{puzzle.code}/", person=student)
    line = page.locator(f".clue[data-item='{placement.slot}']")
    next_line = page.locator(f".clue[data-item='{other.slot}']")
    live = page.locator("[data-live]")
    line.locator(".clue-choose").click()
    for last, said, here in (("x", "is not correct yet", line), ("s", "Found kos", next_line)):
        page.keyboard.press("Home")
        page.keyboard.type(f"ko{last}", delay=20)
        expect(live).to_contain_text(said)
        page.keyboard.press("Enter")
        expect(here).to_have_class(re.compile("is-current"))
        page.keyboard.press("Enter")
        expect(here).to_have_class(re.compile("is-current"))
        expect(live).to_contain_text(said)
    # After a move Enter turns the direction as before.
    page.keyboard.press("End")
    page.keyboard.press("Home")
    page.keyboard.press("Enter")
    expect(line).to_have_class(re.compile("is-current"))


@pytest.mark.thorough
def test_to_check_everything_helps_with_no_word_that_others_only_cross(
    crossword_in, open_page, student
):
    puzzle = crossword_in("hr")
    placements = in_order(puzzle)
    page = open_page(f"/play/{puzzle.code}/", person=student)
    live = page.locator("[data-live]")

    def check(scope):
        page.get_by_label("Hints").click()
        page.get_by_role("button", name=scope).click()

    def choose(placement):
        page.locator(f".clue[data-item='{placement.slot}'] .clue-choose").click()
        page.keyboard.press("Home")

    helped, crossed = next(
        (one, other)
        for one, other in permutations(placements, 2)
        if any(place in other.cells for place in one.cells[:-1])
    )
    choose(helped)
    page.keyboard.type("".join(helped.tiles[:-1]).lower(), delay=20)  # but for its last letter
    for scope in ("Check everything", "Check this letter", "Check this word"):
        check(scope)
        expect(live).to_contain_text(re.compile("correct so far|nothing to check"))
        page.keyboard.press("Home")
    checked = Move.objects.filter(outcome=Move.Outcome.HINT)
    assert set(checked.values_list("placement", flat=True)) == {helped.pk}

    page.keyboard.type(letters_of(helped), delay=20)
    expect_count(page, 1, len(placements))
    choose(crossed)  # which has no letter of its own
    check("Check everything")
    expect(live).to_contain_text("correct so far")
    for placement in (p for p in placements if p != helped):
        choose(placement)
        page.keyboard.type(letters_of(placement), delay=20)
    lines = page.locator("dialog.summary .summary-words li")
    expect(lines.filter(has_text="with a hint")).to_have_count(1)
    expect(lines.filter(has_text="with a hint")).to_contain_text(helped.term)


@pytest.mark.thorough
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_a_word_that_was_shown_does_not_look_found(theme, crossword_in, open_page, student):
    puzzle = crossword_in("hr")
    found, shown = in_order(puzzle)[:2]
    page = open_page(f"/play/{puzzle.code}/", person=student)
    page.evaluate("theme => document.documentElement.dataset.theme = theme", theme)
    clue = {p: page.locator(f".clue[data-item='{p.slot}']") for p in (found, shown)}
    clue[found].locator(".clue-choose").click()
    page.keyboard.type(letters_of(found), delay=20)
    expect_count(page, 1, puzzle.placements.count())
    clue[shown].locator(".clue-choose").click()
    page.get_by_label("Hints").click()
    page.get_by_role("button", name="Reveal this word").click()
    expect(clue[shown]).to_have_attribute("data-state", "shown")
    expect_count(page, 1, puzzle.placements.count())
    expect(clue[found].locator(".clue-mark")).to_be_visible()
    expect(clue[shown].locator(".clue-mark")).to_be_hidden()
    expect(clue[shown].locator(".clue-field")).to_have_css("border-bottom-style", "dotted")
    alone = [place for place in shown.cells if place not in found.cells]
    colours = {
        name: page.locator(".grid .cell")
        .filter(has=cell(page, place))
        .evaluate("element => getComputedStyle(element).backgroundColor")
        for name, place in (("found", found.cells[-1]), ("shown", alone[-1]))
    }
    assert colours["found"] != colours["shown"]
    for place in alone:
        expect(cell(page, place)).to_have_css("outline-style", "dotted")
        expect(cell(page, place)).to_have_attribute("aria-label", re.compile("revealed$"))
    for place in found.cells:
        expect(cell(page, place)).not_to_have_css("outline-style", "dotted")
        expect(cell(page, place)).to_have_attribute("aria-label", re.compile("correct$"))


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("accents", "counts", "said"),
    daily(
        "warn",
        of=[
            ("warn", True, "Check the accents"),
            ("ignore", True, "Found école"),
            ("strict", False, "not correct"),
        ],
    ),
)
def test_an_accent_left_out_goes_by_the_rule_of_the_list(
    accents, counts, said, crossword_in, open_page, student
):
    puzzle = crossword_in("fr", accents=accents)
    placement = puzzle.placements.get(term="école")
    page = open_page(f"/play/{puzzle.code}/", person=student)
    page.locator(f".clue[data-item='{placement.slot}'] .clue-choose").click()
    page.keyboard.type("ecole", delay=20)
    expect(page.locator("[data-live]")).to_contain_text(said)
    expect(cell(page, placement.cells[0])).to_have_value("É" if counts else "E")
    expect_count(page, int(counts), puzzle.placements.count())


def test_a_word_is_heard_and_no_address_or_page_tells_it(crossword_in, open_page, student):
    puzzle = crossword_in("hr", clue="sound")
    placement = in_order(puzzle)[0]
    page = open_page(f"/play/{puzzle.code}/", person=student)
    line = page.locator(f".clue[data-item='{placement.slot}']")
    expect(line).to_contain_text("Listen")
    expect(line).not_to_contain_text(placement.translations[0])
    with page.expect_response(lambda reply: "/sound/" in reply.url) as spoken:
        line.get_by_role("button", name="Play the word").click()
    assert spoken.value.headers["content-type"] == "audio/mpeg"
    told = page.content() + spoken.value.url + str(spoken.value.headers)
    assert placement.term not in told.lower()
    line.locator(".clue-choose").click()
    page.get_by_label("Hints").click()
    page.get_by_role("button", name="Read the clue").click()
    expect(line).to_contain_text(placement.translations[0])
    expect(page.locator("[data-live]")).to_contain_text(re.compile(placement.translations[0]))


@pytest.mark.thorough
def test_by_the_field_beside_its_clue_a_word_is_typed_on_a_desktop(
    crossword_in, open_page, student
):
    puzzle = crossword_in("el")
    placement = puzzle.placements.first()
    page = open_page(f"/play/{puzzle.code}/", person=student, size=DESKTOP)
    field = page.locator(f".clue[data-item='{placement.slot}'] .clue-field")
    field.fill(placement.term)
    page.keyboard.press("Enter")
    expect_count(page, 1, puzzle.placements.count())


@pytest.mark.thorough
def test_a_word_counts_whose_last_letter_might_have_grown(crossword_in, open_page, student):
    """N may become NJ: whoever goes on at once must not lose the word before."""
    puzzle = crossword_in("hr")
    first, second = puzzle.placements.get(term="ljiljan"), puzzle.placements.get(term="list")
    page = open_page(f"/play/{puzzle.code}/", person=student)
    for placement in (first, second):
        page.locator(f".clue[data-item='{placement.slot}'] .clue-choose").click()
        page.keyboard.press("Home")
        page.keyboard.type(letters_of(placement))
    expect_count(page, 2, puzzle.placements.count())


@pytest.mark.thorough
def test_typing_over_a_wrong_word_is_one_attempt_more_and_not_one_a_letter(
    crossword_in, open_page, student
):
    puzzle = crossword_in("hr")
    placement = puzzle.placements.get(term="ljiljan")
    page = open_page(f"/play/{puzzle.code}/", person=student)
    page.locator(f".clue[data-item='{placement.slot}'] .clue-choose").click()
    page.keyboard.type("kruna", delay=20)
    expect(page.locator("[data-live]")).to_contain_text("not correct yet")
    page.keyboard.press("Home")
    page.keyboard.type("ljiljan", delay=20)
    expect_count(page, 1, puzzle.placements.count())
    assert placement.moves.filter(outcome=Move.Outcome.WRONG).count() == 1
    review = Review.objects.get(entry=placement.entry)
    assert (review.wrong_tries, review.given) == (1, "KRUNA")


@pytest.mark.thorough
def test_one_letter_typed_over_in_the_middle_counts_by_itself(crossword_in, open_page, student):
    puzzle = crossword_in("hr")
    placement = puzzle.placements.get(term="list")
    page = open_page(f"/play/{puzzle.code}/", person=student)
    page.locator(f".clue[data-item='{placement.slot}'] .clue-choose").click()
    page.keyboard.type("lixt", delay=20)
    expect(page.locator("[data-live]")).to_contain_text("not correct yet")
    cell(page, placement.cells[2]).click()
    page.keyboard.type("s")
    expect_count(page, 1, puzzle.placements.count())
