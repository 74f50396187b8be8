"""A play page is light: few requests and bytes, and only what its own puzzle needs."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import PHONE
from tests.browser.weight import weigh
from tests.conftest import rows
from tests.layers import daily
from vocab.lists.services import create_list

MOST_REQUESTS, MOST_BYTES = 15, 120 * 1024
UI_LATIN = "atkinson-hyperlegible-next-latin.woff2"
KINDS = ("word-search", "finder", "crossword")
WORDS = {
    "hr": "čaša žlica nož šećer ćevap đumbir vilica tanjur lonac stolnjak krušac žganci",
    "de": "Schlüssel Tür Fenster Straße Löffel Tisch Stuhl Küche Garten Messer Teller Schüssel",
    "pl": "łyżka źródło śnieg żaba gęś miód dzień ćma pięść książka ołówek krzesło",
    "ar": "كتاب مدرسة قلم باب بيت شمس قمر ماء طاولة كرسي دفتر حقيبة",
}


@pytest.fixture
def visit(open_page, make_puzzle, teacher, student):
    """Return a page on which nothing is stored, and show(), which opens a puzzle on it."""

    def visit(kind, language):
        words = create_list(
            owner=teacher,
            title="Words",
            language=language,
            translation_languages=["en"],
            rows=rows({word: f"meaning of {word}" for word in WORDS[language].split()}),
        )
        puzzle = make_puzzle(kind, vocabulary_list=words)
        assert puzzle.state == "ready", puzzle.reason
        page = open_page(
            "/healthz", person=student, size=PHONE, locale=language, is_used_again=False
        )

        def show():
            page.goto(f"/play/{puzzle.code}/")
            expect(page.locator("[data-grid]")).to_be_visible()

        return page, show

    return visit


def names(loaded, kind):
    """Return the names of the files of a kind, without their hashes."""
    found = [each.address.rsplit("/", 1)[1] for each in loaded if each.kind == kind]
    return sorted(re.sub(r"\.[0-9a-f]{12}\.", ".", name) for name in found)


@pytest.mark.parametrize("language", daily("ar", of=WORDS))
@pytest.mark.parametrize("kind", daily("word-search", of=KINDS))
def test_a_first_visit_is_light_and_loads_its_own_kind(kind, language, visit):
    page, show = visit(kind, language)
    loaded = weigh(page, show)
    assert len(loaded) <= MOST_REQUESTS, loaded
    assert sum(each.size for each in loaded) <= MOST_BYTES, loaded
    texts = f"{kind}.js"  # at another address than the script
    assert names(loaded, "Script") == sorted(["app.js", "theme.js", f"{kind}.js", texts])
    assert names(loaded, "Stylesheet") == [f"{kind}.css"]
    fonts = names(loaded, "Font")
    assert "noto-sans-digits.woff2" in fonts
    letters = "noto-sans-arabic-letters.woff2" if language == "ar" else "noto-sans-latin.woff2"
    assert {name for name in fonts if re.search(r"arabic|latin\.", name)} == {UI_LATIN, letters}
    if language == "ar":
        assert page.evaluate("document.fonts.check('600 16px \"Noto Sans Arabic\"', 'كتاب')")


@pytest.mark.thorough
@pytest.mark.parametrize(
    "word",
    [
        pytest.param("كِتَابٌ", id="Arabic with vowels"),
        pytest.param("ٱلدِّينِ مَٰلِكِ يَوۡمِ خَيۡرٞۚ", id="spelling of the Quran"),
        pytest.param("گچپژ ۱۲", id="Persian"),
        pytest.param("ٹماٹر لڑکیاں ہے", id="Urdu"),
        pytest.param("ڳالھ ښځه ڕێ ياخشىمۇسىز ݢوا ࢢب", id="others"),
    ],
)
def test_the_letters_of_an_arabic_word_are_in_one_file(word, visit):
    page, show = visit("word-search", "ar")

    def show_word():
        show()
        page.evaluate("(word) => { document.querySelector('h1, h2').textContent = word; }", word)
        page.evaluate("document.fonts.ready")

    fonts = names(weigh(page, show_word), "Font")
    assert [name for name in fonts if "arabic" in name] == ["noto-sans-arabic-letters.woff2"]


@pytest.mark.thorough
def test_a_rare_arabic_sign_loads_another_file(visit):
    """The control of the test above."""
    page, show = visit("word-search", "ar")

    def show_sign():
        show()
        page.evaluate("() => { document.querySelector('h1, h2').textContent = 'محمدؐ'; }")
        page.evaluate("document.fonts.ready")

    assert "noto-sans-arabic-signs.woff2" in names(weigh(page, show_sign), "Font")


@pytest.mark.parametrize("kind", daily("crossword", of=KINDS))
def test_a_second_visit_loads_only_what_may_have_changed(kind, visit):
    page, show = visit(kind, "hr")
    assert len(weigh(page, show)) > 2
    again = weigh(page, show)
    assert [each.kind for each in again] == ["Document", "Fetch"]
    # The control: without what the browser has kept, all is loaded again.
    tools = page.context.new_cdp_session(page)
    tools.send("Network.clearBrowserCache")
    assert len(weigh(page, show)) > 2


@pytest.mark.thorough
def test_an_open_menu_of_languages_does_not_load_their_letters(visit):
    page, show = visit("word-search", "de")

    def open_menu():
        show()
        page.locator(".menu:has(#language-choice) > summary").click()
        expect(page.locator("#language-choice")).to_be_visible()
        assert "العربيّة" in page.locator("#language-choice").inner_text()

    loaded = weigh(page, open_menu)
    assert names(loaded, "Font")
    assert not [name for name in names(loaded, "Font") if "arabic" in name]


@pytest.mark.thorough
def test_a_style_for_every_menu_would_load_them(visit):
    """The control of the test above."""
    page, show = visit("word-search", "de")

    def open_menu():
        show()
        page.locator(".menu:has(#language-choice) > summary").click()
        page.evaluate(
            "() => { document.getElementById('language-choice').style.fontFamily = 'var(--ui)'; }"
        )
        page.evaluate("document.fonts.ready")

    assert "noto-sans-arabic-letters.woff2" in names(weigh(page, open_menu), "Font")
