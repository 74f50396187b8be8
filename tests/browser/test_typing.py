"""What is typed into a crossword is cut as on the server, and is no answer before its last key."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone
from playwright.sync_api import expect

from puzzles.models import Move, Placement
from tests.browser.conftest import PHONE
from tests.browser.playing import cell, compose, press_keys
from tests.conftest import rows
from tests.layers import daily
from vocab.lists.services import create_list

TOUCH = {"size": PHONE, "has_touch": True, "is_mobile": True}
# Words with two letters that elsewhere are a digraph, and words with the digraph.
SEAMS = {
    "hr": "injekcija nadživjeti konjunktiv podžupan konj njuška odžak ljiljan",
    "bs": "injekcija nadživjeti konj",
    "sr-Latn": "injekcija nadživjeti konj",
    "hu": "igazság község mézszínű egészség kisasszony",
    "sk": "odznak podzemie medzi džem",
    "cy": "dangos llongyfarch angel llan",
    "nl": "minijurk bijectie ijs",
}
THAI = """
    ดวงจันทร์ ดวงอาทิตย์ พ่อ แม่ สวัสดี น้ำ บ้าน โรงเรียน หนังสือ ดินสอ
    นก ปลา หมู วันจันทร์ เพื่อน ผู้ชาย รถยนต์ ต้นไม้ ครู สี่
"""
HINDI = """
    पत्र हिन्दी बिल्ली किताब विद्यालय पानी मित्र सूर्य चन्द्रमा नमस्ते
    कुत्ता लड़की दूध रोटी पुस्तक मछली अध्यापक शान्ति पक्षी घर
"""


@pytest.fixture
def crossword_of(make_puzzle, teacher):
    """Return a maker of crosswords of given words: each in a row of its own, or as *places* say."""

    def make(language, words, accents="strict", **places):
        vocabulary_list = create_list(
            owner=teacher,
            title=f"Typing {language}",
            language=language,
            translation_languages=["en"],
            rows=rows({word: f"clue {number}" for number, word in enumerate(words, 1)}),
        )
        vocabulary_list.accents = accents
        vocabulary_list.save()
        puzzle = make_puzzle("crossword", vocabulary_list=vocabulary_list)
        puzzle.placements.all().delete()
        grid = {}
        for number, entry in enumerate(vocabulary_list.entries.order_by("pk")):
            row, col, direction = places.get(entry.term, (number, 0, "across"))
            down = direction == "down"
            cells = [(row + i * down, col + i * (not down)) for i in range(len(entry.tiles))]
            grid |= dict(zip(cells, entry.tiles, strict=True))
            Placement.objects.create(
                puzzle=puzzle,
                entry=entry,
                position=number,
                number=number + 1,
                direction=direction,
                term=entry.term,
                translations=[each.text for each in entry.translations.all()],
                tiles=list(entry.tiles),
                cells=cells,
            )
        height, width = (max(place[axis] for place in grid) + 1 for axis in (0, 1))
        puzzle.grid = [[grid.get((r, c)) for c in range(width)] for r in range(height)]
        puzzle.state = puzzle.State.READY
        puzzle.save()
        return puzzle

    return make


def choose(page, placement, press="click"):
    getattr(page.locator(f".clue[data-item='{placement.slot}'] .clue-choose"), press)()


def expect_found(page, *placements):
    for placement in placements:
        line = page.locator(f".clue[data-item='{placement.slot}']")
        expect(line).to_have_attribute("data-state", "found")


def wrong_tries():
    return [
        (move.placement.term, move.answer["tiles"])
        for move in Move.objects.filter(outcome=Move.Outcome.WRONG)
    ]


def letters_on(page, placement):
    return [cell(page, place).input_value() for place in placement.cells]


@pytest.mark.parametrize("language", daily("hr", of=SEAMS))
def test_words_with_and_without_a_digraph_are_typed_key_by_key(
    language, crossword_of, open_page, student
):
    puzzle = crossword_of(language, SEAMS[language].split())
    page = open_page(f"/play/{puzzle.code}/", person=student)
    for placement in puzzle.placements.all():
        choose(page, placement)
        press_keys(page, placement.term)
        assert letters_on(page, placement) == placement.tiles
    page.keyboard.press("Enter")
    expect_found(page, *puzzle.placements.all())
    assert wrong_tries() == []


@pytest.mark.thorough
@pytest.mark.parametrize("language", ["hr", "hu"])
def test_slow_typists_have_time_for_each_key(language, crossword_of, open_with_clock, student):
    puzzle = crossword_of(language, SEAMS[language].split())
    page = open_with_clock(f"/play/{puzzle.code}/", student)
    for placement in puzzle.placements.all():
        choose(page, placement)
        for letter in placement.term:
            press_keys(page, letter)
            page.clock.run_for(1300)
        expect_found(page, placement)
    assert wrong_tries() == []


@pytest.mark.thorough
def test_after_a_longer_pause_an_answer_is_checked(crossword_of, open_with_clock, student):
    """The control of the test above."""
    puzzle = crossword_of("hr", ["konj", "sat"])
    page = open_with_clock(f"/play/{puzzle.code}/", student)
    choose(page, puzzle.placements.get(term="konj"))
    press_keys(page, "kon")
    page.clock.run_for(5000)
    expect(page.locator("[data-live]")).to_contain_text("is not correct yet")
    assert wrong_tries() == [("konj", ["K", "O", "N"])]


# At a seam the key of the digraph, elsewhere those of its letters: the page knows better.
ON_SCREEN = {
    "injekcija": "I NJ E K C I J A",
    "nadživjeti": "N A DŽ I V J E T I",
    "njuška": "N J U Š K A",
    "ljiljan": "L J I LJ A N",
    "odžak": "O D Ž A K",
    "konj": "K O NJ",
}


@pytest.mark.thorough
def test_the_keys_on_screen_write_both(crossword_of, open_page, student):
    puzzle = crossword_of("hr", ON_SCREEN)
    page = open_page(f"/play/{puzzle.code}/", person=student, **TOUCH)
    keys = page.locator(".keys")
    for placement in puzzle.placements.all():
        choose(page, placement, "tap")
        for letter in ON_SCREEN[placement.term].split():
            keys.get_by_role("button", name=letter, exact=True).tap()
        assert letters_on(page, placement) == placement.tiles
    page.keyboard.press("Enter")
    expect_found(page, *puzzle.placements.all())
    assert wrong_tries() == []


@pytest.mark.parametrize("language", daily("hr", of=SEAMS))
def test_the_field_beside_a_clue_counts_as_the_clue_says(
    language, crossword_of, open_page, student
):
    puzzle = crossword_of(language, SEAMS[language].split())
    page = open_page(f"/play/{puzzle.code}/", person=student)
    for placement in puzzle.placements.all():
        line = page.locator(f".clue[data-item='{placement.slot}']")
        expect(line.locator(".clue-length")).to_have_text(f"({len(placement.tiles)})")
        line.locator(".clue-field").fill(placement.term + "a")
        page.keyboard.press("Enter")
        expect(page.locator("[data-live]")).to_contain_text(
            f"has {len(placement.tiles)} letters; you typed {len(placement.tiles) + 1}"
        )
        line.locator(".clue-field").fill(placement.term)
        page.keyboard.press("Enter")
        expect_found(page, placement)
    assert wrong_tries() == []


CROSSED = {"injekcija": (2, 0, "across"), "dan": (0, 1, "down"), "jež": (2, 2, "down")}


def test_a_seam_is_typed_through_letters_that_are_solved(crossword_of, open_page, student):
    puzzle = crossword_of("hr", CROSSED, **CROSSED)
    crossed, dan, jez = (puzzle.placements.get(term=term) for term in CROSSED)
    page = open_page(f"/play/{puzzle.code}/", person=student)
    for placement in (dan, jez):
        choose(page, placement)
        press_keys(page, placement.term)
        page.keyboard.press("Enter")
        expect_found(page, placement)
    choose(page, crossed)
    press_keys(page, "injekcija")
    expect_found(page, crossed)
    assert wrong_tries() == []


@pytest.mark.thorough
def test_only_the_missing_letters_beside_solved_ones_are_typed(crossword_of, open_page, student):
    puzzle = crossword_of("hr", CROSSED, **CROSSED)
    crossed, dan, jez = (puzzle.placements.get(term=term) for term in CROSSED)
    page = open_page(f"/play/{puzzle.code}/", person=student)
    for placement in (dan, jez):
        choose(page, placement)
        press_keys(page, placement.term)
        page.keyboard.press("Enter")
        expect_found(page, placement)
    choose(page, crossed)
    press_keys(page, "i")
    cell(page, crossed.cells[3]).click()
    press_keys(page, "ekcija")
    expect_found(page, crossed)
    assert wrong_tries() == []


@pytest.mark.thorough
def test_a_word_that_a_seam_completes_is_not_judged_by_the_digraph(
    crossword_of, open_page, student
):
    """While “inj” may still become “inje…”, NJ is in the last square of “dan”."""
    puzzle = crossword_of("hr", CROSSED, **CROSSED)
    crossed, dan, _jez = (puzzle.placements.get(term=term) for term in CROSSED)
    page = open_page(f"/play/{puzzle.code}/", person=student)
    choose(page, dan)
    press_keys(page, "da")
    choose(page, crossed)
    press_keys(page, "injekcija")
    expect_found(page, dan, crossed)
    assert wrong_tries() == []


@pytest.mark.thorough
def test_the_end_of_a_word_that_others_have_filled_decides_its_cut(
    crossword_of, open_page, student
):
    puzzle = crossword_of("hr", ["konjugacija"])
    (placement,) = puzzle.placements.all()
    page = open_page(f"/play/{puzzle.code}/", person=student)
    cell(page, placement.cells[4]).click()
    press_keys(page, "ugacija")
    cell(page, placement.cells[0]).click()
    press_keys(page, "konj")
    assert letters_on(page, placement) == placement.tiles
    page.keyboard.press("Enter")
    expect_found(page, placement)


@pytest.mark.parametrize(
    ("word", "keys"),
    daily(
        "injekcija",
        of=[("injekcija", "injkk<<ekcija"), ("njuška", "mk<<njušk"), ("ljiljan", "lk<jilk<jan")],
    ),
)
def test_a_correction_joins_what_it_brings_together(word, keys, crossword_of, open_page, student):
    puzzle = crossword_of("hr", [word])
    (placement,) = puzzle.placements.all()
    page = open_page(f"/play/{puzzle.code}/", person=student)
    choose(page, placement)
    press_keys(page, keys + ("a" if word == "njuška" else ""))
    page.keyboard.press("Enter")
    expect_found(page, placement)
    assert wrong_tries() == []


@pytest.mark.thorough
def test_the_second_word_of_a_phrase_has_seams_of_its_own(crossword_of, open_page, student):
    puzzle = crossword_of("hr", ["dati injekciju", "dan jedan"])
    page = open_page(f"/play/{puzzle.code}/", person=student)
    for placement in puzzle.placements.all():
        choose(page, placement)
        press_keys(page, placement.term.replace(" ", ""))
        page.keyboard.press("Enter")
        expect_found(page, placement)
    assert wrong_tries() == []


@pytest.mark.thorough
def test_the_space_of_a_phrase_may_be_typed(crossword_of, open_page, student):
    """Anywhere else, a space turns to the other direction."""
    puzzle = crossword_of("hr", ["dobar dan", "dan jedan"])
    page = open_page(f"/play/{puzzle.code}/", person=student)
    for placement in puzzle.placements.all():
        choose(page, placement)
        press_keys(page, placement.term)
        page.keyboard.press("Enter")
        expect_found(page, placement)
    assert wrong_tries() == []


def test_the_rules_of_cutting_are_the_same_whatever_the_words(crossword_of, sign_in, student):
    sent = []
    for words in (["injekcija", "konj"], ["sat", "list"]):
        puzzle = crossword_of("hr", words)
        state = sign_in(student).get(f"/api/play/{puzzle.code}/").json()
        sent.append({name: state["puzzle"]["settings"][name] for name in ("digraphs", "seams")})
    assert sent[0] == sent[1]
    assert sent[0]["digraphs"] == ["DŽ", "LJ", "NJ"]


@pytest.mark.thorough
@pytest.mark.parametrize(("language", "words"), [("th", THAI), ("hi", HINDI)], ids=["th", "hi"])
def test_no_word_with_marks_is_judged_before_its_last_mark(
    language, words, crossword_of, open_page, student
):
    puzzle = crossword_of(language, words.split())
    assert puzzle.placements.count() == 20
    page = open_page(f"/play/{puzzle.code}/", person=student)
    for placement in puzzle.placements.all():
        choose(page, placement)
        press_keys(page, placement.term)
        assert letters_on(page, placement) == placement.tiles
    expect_found(page, *puzzle.placements.all())
    assert wrong_tries() == []


def test_an_answer_that_waits_is_shown_and_enter_checks_it(crossword_of, open_page, student):
    puzzle = crossword_of("th", ["พ่อ", "แม่"])
    father, mother = puzzle.placements.all()
    page = open_page("/healthz", person=student, is_used_again=False)
    now = timezone.now()
    page.clock.install(time=now)
    page.goto(f"/play/{puzzle.code}/")
    expect(page.locator("[data-grid]")).to_be_visible()
    page.clock.pause_at(now + timedelta(hours=1))  # no pause comes by itself
    choose(page, father)
    press_keys(page, father.term)
    waiting = page.locator(".cell.is-waiting")
    expect(waiting).to_have_count(2)
    page.clock.run_for(600)
    expect(page.locator("[data-live]")).to_have_text(
        "Press Enter or wait a moment to check 1 across."
    )
    page.keyboard.press("Enter")
    expect_found(page, father)
    expect(waiting).to_have_count(0)
    choose(page, mother)
    press_keys(page, mother.term)
    expect(waiting).to_have_count(2)
    page.keyboard.press("Shift+ArrowUp")  # another word is chosen
    expect_found(page, mother)


@pytest.mark.thorough
def test_korean_is_typed_in_parts_of_its_syllables(crossword_of, open_page, student):
    puzzle = crossword_of("ko", ["한국"])
    (placement,) = puzzle.placements.all()
    page = open_page(f"/play/{puzzle.code}/", person=student)
    choose(page, placement)
    press_keys(page, "\u1112\u1161\u11ab\u1100\u116e\u11a8")
    expect_found(page, placement)
    assert wrong_tries() == []


@pytest.mark.parametrize("word", daily("Straße", of=["Straße", "Fuß", "Küsse", "Fußballspieler"]))
def test_a_keyboard_without_sharp_s_writes_two(word, crossword_of, open_page, student):
    puzzle = crossword_of("de", [word])
    (placement,) = puzzle.placements.all()
    page = open_page(f"/play/{puzzle.code}/", person=student)
    choose(page, placement)
    press_keys(page, word.replace("ß", "ss"))
    assert letters_on(page, placement) == placement.tiles
    expect_found(page, placement)
    assert wrong_tries() == []


@pytest.mark.thorough
def test_the_field_beside_a_clue_takes_two_s_for_one_sharp_s(crossword_of, open_page, student):
    puzzle = crossword_of("de", ["Straße"])
    (placement,) = puzzle.placements.all()
    page = open_page(f"/play/{puzzle.code}/", person=student)
    page.locator(".clue-field").fill("STRASSE")
    page.keyboard.press("Enter")
    expect_found(page, placement)
    assert wrong_tries() == []


def shown(page):
    """Return the letters in all squares that have one."""
    return [
        letter
        for letter in (field.input_value() for field in page.locator("[data-grid] input").all())
        if letter
    ]


@pytest.mark.parametrize(
    ("language", "word", "accent", "letter"),
    daily(
        "cs",
        of=[
            ("fr", "école", "´", "é"),
            ("cs", "čas", "ˇ", "č"),
            ("es", "ñu", "˜", "ñ"),
            ("de", "über", "¨", "ü"),
        ],
    ),
)
def test_a_dead_key_is_no_letter(language, word, accent, letter, crossword_of, open_page, student):
    puzzle = crossword_of(language, [word])
    (placement,) = puzzle.placements.all()
    page = open_page(f"/play/{puzzle.code}/", person=student)
    choose(page, placement)
    compose(page, accent, committed="")  # given up
    compose(page, accent)
    assert shown(page) in ([], [accent])  # shown by the input method, not taken
    compose(page, committed=letter)
    expect(cell(page, placement.cells[0])).to_have_value(placement.tiles[0])
    expect(cell(page, placement.cells[1])).to_be_focused()
    assert shown(page) == placement.tiles[:1]
    press_keys(page, word[1:])
    page.keyboard.press("Enter")
    expect_found(page, placement)
    assert wrong_tries() == []


COMPOSED = {
    "ja": ("火山", [(("h", "ひ", "火"), "火"), (("y", "や", "やm", "やま", "山"), "山")]),
    "ko": ("한국", [(("ㅎ", "하", "한"), "한"), (("ㄱ", "구", "국"), "국")]),
    "zh": ("水果", [(("s", "sh", "shui"), "水"), (("g", "guo"), "果")]),
    "zh-Hant": ("水果", [(("s", "shui", "水g", "水guo"), "水果")]),
    "hi": ("पानी", [(("p", "pa"), "पा"), (("n", "ni"), "नी")]),
    "vi": ("sữa", [(("s",), "s"), (("u", "ư", "ữ"), "ữ"), (("a",), "a")]),
    "am": ("ቡና", [(("b", "bu"), "ቡ"), (("n", "na"), "ና")]),
}


@pytest.mark.parametrize("language", daily("ja", "hi", of=COMPOSED))
def test_what_an_input_method_composes_is_taken_when_it_is_complete(
    language, crossword_of, open_page, student
):
    word, letters = COMPOSED[language]
    puzzle = crossword_of(language, [word])
    (placement,) = puzzle.placements.all()
    page = open_page(f"/play/{puzzle.code}/", person=student)
    choose(page, placement)
    for steps, committed in letters:
        compose(page, *steps, committed=committed)
    assert letters_on(page, placement) == placement.tiles
    page.keyboard.press("Enter")
    expect_found(page, placement)
    assert wrong_tries() == []


@pytest.mark.parametrize(
    ("language", "word"),
    daily(
        "hr",
        of=[("hr", "ljiljan"), ("hr", "injekcija"), ("hi", "पत्र"), ("th", "เพื่อน"), ("ar", "كتاب")],
    ),
)
def test_a_phone_that_composes_plain_words_fills_one_square_after_the_other(
    language, word, crossword_of, open_page, student
):
    puzzle = crossword_of(language, [word])
    (placement,) = puzzle.placements.all()
    page = open_page(f"/play/{puzzle.code}/", person=student)
    choose(page, placement)
    for letter in word:
        compose(page, letter)
    assert letters_on(page, placement) == placement.tiles
    page.keyboard.press("Enter")
    expect_found(page, placement)
    assert wrong_tries() == []


@pytest.mark.thorough
def test_a_digraph_in_the_last_square_is_composed_as_one_word(crossword_of, open_page, student):
    puzzle = crossword_of("hr", ["konj"])
    (placement,) = puzzle.placements.all()
    page = open_page(f"/play/{puzzle.code}/", person=student)
    choose(page, placement)
    for text in ("k", "o", "n", "nj"):
        compose(page, text)
    expect_found(page, placement)
    assert wrong_tries() == []


def test_changes_are_taken_back_and_made_again(crossword_of, open_page, student):
    puzzle = crossword_of("hr", ["ljubav", "list"])
    first, second = puzzle.placements.all()
    page = open_page(f"/play/{puzzle.code}/", person=student)
    choose(page, first)
    press_keys(page, "ljub")
    assert shown(page) == ["LJ", "U", "B"]
    page.keyboard.press("Control+z")
    assert shown(page) == ["LJ", "U"]
    page.keyboard.press("Control+z")
    page.keyboard.press("Control+z")
    assert shown(page) == ["L"]
    page.keyboard.press("Control+y")
    page.keyboard.press("Control+Shift+Z")
    assert shown(page) == ["LJ", "U"]
    expect(cell(page, first.cells[2])).to_be_focused()
    press_keys(page, "x<")
    page.keyboard.press("Control+z")
    assert shown(page) == ["LJ", "U", "X"]
    # Letters of a word that was found stay: the last change before them is taken back, and sent.
    choose(page, second)
    press_keys(page, "los<<ist")
    expect_found(page, second)
    with page.expect_response(lambda reply: reply.url.endswith("/draft/")):
        page.keyboard.press("Control+z")
    page.reload()
    expect(cell(page, first.cells[0])).to_have_value("LJ")
    assert shown(page) == ["LJ", "U", "L", "I", "S", "T"]
    assert wrong_tries() == []


@pytest.mark.thorough
def test_a_word_that_begins_on_a_solved_square_is_typed_after_turning_there(
    crossword_of, open_page, student
):
    puzzle = crossword_of("hr", ["oko", "odžak"], oko=(0, 0, "across"), odžak=(0, 0, "down"))
    across, down = puzzle.placements.order_by("position")
    page = open_page(f"/play/{puzzle.code}/", person=student)
    choose(page, across)
    press_keys(page, "oko")
    page.keyboard.press("Enter")
    expect_found(page, across)
    corner = cell(page, (0, 0))
    corner.click(position={"x": 3, "y": 10})
    corner.click(position={"x": 3, "y": 10})
    press_keys(page, "odžak")
    assert letters_on(page, down) == down.tiles
    page.keyboard.press("Enter")
    expect_found(page, down)
    assert wrong_tries() == []
