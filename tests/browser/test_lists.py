"""A teacher keeps a list: by file, by keyboard, on a phone."""

import io

import pytest
from PIL import Image
from playwright.sync_api import expect

from puzzles.play import services as play
from tests.browser.conftest import PHONE
from tests.browser.holding import hold_back
from tests.conftest import rows
from tests.layers import daily
from vocab.entries import pictures
from vocab.lists import services as list_services
from vocab.models import VocabularyList
from vocab.rows import convert

WORDS = "term,translation\nguska,wild goose\nsova,owl\n"


def test_a_file_is_read_looked_at_imported_and_undone(open_page, teacher, animals):
    page = open_page(f"/lists/{animals.pk}/import/", teacher, size=PHONE)
    page.set_input_files(
        "input[type=file]", {"name": "w.csv", "mimeType": "text/csv", "buffer": WORDS.encode()}
    )
    page.get_by_role("link", name="Changed 1").click()
    expect(page.locator("del")).to_have_text("goose")
    expect(page.locator("ins")).to_have_text("wild goose")
    page.get_by_role("button", name="Import 2 words").click()
    expect(page.get_by_text("1 word added. 1 word changed.")).to_be_visible()
    assert animals.entries.filter(term="sova").exists()
    page.get_by_role("button", name="Undo").click()
    expect(page.get_by_text("The list is as it was before")).to_be_visible()
    assert not animals.entries.filter(term="sova").exists()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_a_list_is_edited_by_keyboard_alone(open_page, teacher, animals):
    page = open_page(f"/lists/{animals.pk}/", teacher)
    page.get_by_role("button", name="Edit krokodil").focus()
    page.keyboard.press("ArrowDown")
    expect(page.get_by_role("button", name="Edit labud")).to_be_focused()
    page.keyboard.press("Enter")
    form = page.locator("[data-entry-form]")
    expect(form.get_by_label("Word")).to_be_focused()
    page.keyboard.press("Escape")
    expect(page.get_by_role("button", name="Edit labud")).to_be_focused()
    page.keyboard.press("Enter")
    expect(form.get_by_label("Word")).to_be_focused()
    page.keyboard.press("Tab")
    page.keyboard.press("End")
    page.keyboard.type("; cygnet")
    page.keyboard.press("Enter")
    expect(page.locator("#entry-rows")).to_contain_text("cygnet")
    swan = animals.entries.get(term="labud")
    assert [text.text for text in swan.translations.all()] == ["swan", "cygnet"]
    # As a person would: only when the row that was saved has the focus again.
    expect(page.get_by_role("button", name="Edit labud")).to_be_focused()
    page.keyboard.press("Alt+ArrowUp")
    expect(page.locator("#entry-rows tr").first).to_contain_text("labud")


def test_words_are_added_one_after_another_and_searched_without_accents(
    open_page, teacher, animals
):
    page = open_page(f"/lists/{animals.pk}/", teacher)
    page.locator("summary").get_by_text("Add word").click()
    adding = page.locator("[data-entry-add]")
    adding.get_by_label("Word").fill("čvorak")
    adding.get_by_label("Translation (English)").fill("starling")
    page.keyboard.press("Enter")
    expect(page.locator("#entry-rows tr").last).to_contain_text("starling")
    expect(adding.get_by_label("Word")).to_be_focused()
    page.get_by_label("Search").fill("cvor")
    page.keyboard.press("Enter")
    expect(page.locator("#entry-rows tr")).to_have_count(1)
    expect(page.locator("#entry-rows")).to_contain_text("čvorak")


def drawn():
    file = io.BytesIO()
    Image.new("RGB", (80, 60), "red").save(file, "PNG")
    return file.getvalue()


def is_shown(picture):
    expect(picture).to_be_visible()
    return picture.evaluate("image => image.decode().then(() => image.naturalWidth)") == 80


@pytest.mark.parametrize("kind", daily("crossword", of=["word-search", "crossword"]))
def test_a_picture_is_uploaded_and_seen_as_a_clue_and_at_the_end(
    kind, open_page, teacher, student, animals, make_puzzle, settings, tmp_path
):
    settings.MEDIA_ROOT = tmp_path
    page = open_page(f"/lists/{animals.pk}/", teacher)
    page.get_by_role("button", name="Edit slon").click()
    page.get_by_role("link", name="Add a picture").click()
    page.set_input_files(
        "input[type=file]", {"name": "slon.png", "mimeType": "image/png", "buffer": drawn()}
    )
    page.get_by_role("button", name="Use this picture").click()
    assert is_shown(page.get_by_role("img", name="Picture of slon"))
    page.goto(f"/lists/{animals.pk}/")
    assert is_shown(page.get_by_role("img", name="Picture of slon"))
    puzzle = make_puzzle(kind, words=12)
    slot = puzzle.placements.get(term="slon").slot
    page = open_page(f"/play/{puzzle.code}/", student, size=PHONE)
    assert is_shown(page.locator(f"[data-item='{slot}'] img.word-picture"))
    play.finish_session(session=play.open_session(puzzle=puzzle, student=student))
    page.reload()
    if kind == "word-search":  # it tells no word before its questions are over
        page.get_by_role("button", name="Skip").click()
    assert is_shown(page.locator("dialog.summary img.word-picture"))
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


@pytest.mark.thorough
def test_a_picture_alone_is_a_clue_and_tells_its_meaning_to_who_cannot_see_it(
    open_page, teacher, student, animals, make_puzzle, settings, tmp_path
):
    settings.MEDIA_ROOT = tmp_path
    elephant = animals.entries.get(term="slon")
    pictures.keep_picture(entry=elephant, data=drawn(), name="slon.png")
    puzzle = make_puzzle("crossword", words=12, clue="picture")
    slots = {p.term: p.slot for p in puzzle.placements.all()}
    page = open_page(f"/play/{puzzle.code}/", student, size=PHONE)
    drawn_clue, read_clue = (
        page.locator(f".clue[data-item='{slots[term]}']") for term in ("slon", "labud")
    )
    assert is_shown(drawn_clue.locator("img.word-picture"))
    expect(drawn_clue.get_by_text("elephant")).to_have_class("visually-hidden")
    expect(drawn_clue.get_by_role("button", name="elephant")).to_be_attached()
    expect(read_clue.get_by_text("swan")).not_to_have_class("visually-hidden")

    # Nor is it read in the clue bar or in the line of what just happened; its length is.
    read_clue.locator(".clue-choose").click()
    drawn_clue.locator(".clue-choose").click()
    length = f"({len('slon')})"
    for place in (page.locator(".clue-bar-text"), page.locator("[data-live]")):
        expect(place).to_contain_text(length)
        expect(place).to_contain_text("elephant")  # for who cannot see
        expect(place.get_by_text("elephant", exact=True)).to_have_class("visually-hidden")
    assert page.locator("[data-live]").text_content().endswith(f": elephant {length}")
    page.locator(".clue-bar").get_by_role("button", name="Enlarge the picture").click()
    assert is_shown(page.locator("dialog.picture-dialog img"))
    page.keyboard.press("Escape")
    expect(page.locator("dialog.picture-dialog")).to_have_count(0)


@pytest.mark.thorough
def test_where_a_picture_does_not_arrive_its_meaning_is_the_clue(
    open_page, student, animals, make_puzzle, settings, tmp_path
):
    settings.MEDIA_ROOT = tmp_path
    elephant = animals.entries.get(term="slon")
    pictures.keep_picture(entry=elephant, data=drawn(), name="slon.png")
    puzzle = make_puzzle("crossword", words=12, clue="picture")
    slot = puzzle.placements.get(term="slon").slot
    page = open_page("/", student)
    page.route("**/picture/**", lambda route: route.abort())
    page.goto(f"/play/{puzzle.code}/")
    clue = page.locator(f".clue[data-item='{slot}']")
    expect(clue.get_by_text("elephant")).not_to_have_class("visually-hidden")
    expect(clue.locator("img")).to_have_count(0)


@pytest.mark.thorough
def test_a_chosen_file_is_sent_once_however_often_one_clicks(open_page, teacher, animals):
    page = open_page(f"/lists/{animals.pk}/import/", teacher)
    page.evaluate(
        """() => {
          window.sent = 0;
          window.addEventListener("submit", (event) => {
            if (!event.defaultPrevented) window.sent += 1;
            event.preventDefault();
          });
        }"""
    )
    file = {"name": "words.csv", "mimeType": "text/csv", "buffer": b"sova,owl"}
    page.set_input_files("input[type=file]", file)
    expect(page.get_by_role("button", name="Preview")).to_be_disabled()
    page.set_input_files("input[type=file]", file)
    page.evaluate("document.querySelector('[data-send-once]').requestSubmit()")
    assert page.evaluate("window.sent") == 1
    # Who comes back to the page can send again.
    page.evaluate("window.dispatchEvent(new PageTransitionEvent('pageshow'))")
    page.get_by_role("button", name="Preview").click()
    assert page.evaluate("window.sent") == 2


@pytest.mark.thorough
def test_all_words_found_on_all_pages_are_deleted_and_come_back_by_one_click(
    open_page, teacher, animals
):
    list_services.write_rows(
        vocabulary_list=animals, rows=rows({f"riječ {n}": f"word {n}" for n in range(130)})
    )
    before = convert.checksum(animals)
    page = open_page(f"/lists/{animals.pk}/?q=rijec", teacher)
    expect(page.locator("#bulk")).to_be_hidden()
    page.get_by_label("Select all on this page").check()
    page.get_by_label("All 130 words found, on all pages").check()
    delete_selected(page)
    expect(page.get_by_text("Deleted: 130 words").first).to_be_visible()
    assert animals.entries.count() == 12
    page.get_by_role("button", name="Undo").first.click()
    expect(page.get_by_text("130 words were restored.")).to_be_visible()
    assert convert.checksum(animals) == before


def test_without_scripts_selected_words_are_tagged_and_assigned_as_well(
    open_page, teacher, animals, classroom, student
):
    page = open_page(
        f"/lists/{animals.pk}/", teacher, is_used_again=False, java_script_enabled=False
    )
    bar = page.locator("#bulk")
    expect(bar).to_be_hidden()
    page.locator("input[name=entries]").first.check()
    bar.get_by_text("More", exact=True).click()
    bar.get_by_label("Tag").fill("home")
    bar.get_by_label("Tag").press("Enter")
    expect(page.locator("#entry-rows tr").first).to_contain_text("home")
    page.locator("input[name=entries]").first.check()
    bar.get_by_role("button", name="Assign to class").click()
    expect(page.get_by_role("button", name="Assign to 1 student")).to_be_visible()


def test_the_path_of_a_list_is_assigned_from_its_menu(
    worker, open_page, teacher, animals, classroom, student
):
    page = open_page(f"/lists/{animals.pk}/", teacher)
    page.locator("main").get_by_text("More", exact=True).first.click()
    page.get_by_role("link", name="See, hear, type").click()
    expect(page.get_by_role("radio", name="See, hear, type")).to_be_checked()
    page.get_by_role("button", name="Assign to 1 student").click()
    expect(page.get_by_text("Assigned to 6b (1 student)")).to_be_visible()
    assert sorted(classroom.assignments.values_list("puzzle__kind", flat=True)) == [
        *("crossword", "finder", "word-search")
    ]


def delete_selected(page):
    page.locator("#bulk").get_by_text("More", exact=True).click()
    page.locator("#bulk").get_by_role("button", name="Delete").click()


@pytest.fixture
def long_list(teacher):
    words = {f"riječ {n:02}": f"word {n}" for n in range(60)}
    return list_services.create_list(
        owner=teacher,
        title="Lekcija",
        language="hr",
        translation_languages=["en"],
        rows=rows(words),
    )


def ticked(page):
    return [
        number
        for number, box in enumerate(page.locator("#entry-rows input[name=entries]").all())
        if box.is_checked()
    ]


@pytest.mark.thorough
def test_shift_ticks_all_from_the_last_tick_to_this_by_mouse_and_by_keyboard(
    open_page, teacher, long_list
):
    page = open_page(f"/lists/{long_list.pk}/", teacher)
    boxes = page.locator("#entry-rows input[name=entries]")
    boxes.nth(6).click()
    boxes.nth(2).click(modifiers=["Shift"])
    assert ticked(page) == [2, 3, 4, 5, 6]
    boxes.nth(5).click()
    boxes.nth(4).click(modifiers=["Shift"])
    assert ticked(page) == [2, 3, 6]
    boxes.nth(10).focus()
    page.keyboard.press("Space")
    boxes.nth(12).focus()
    page.keyboard.press("Shift+Space")
    assert ticked(page) == [2, 3, 6, 10, 11, 12]
    boxes.nth(20).click()  # without Shift: this one alone
    assert ticked(page) == [2, 3, 6, 10, 11, 12, 20]


def test_who_searches_and_at_once_ticks_the_page_has_what_was_found_ticked(
    open_page, teacher, long_list
):
    page = open_page(f"/lists/{long_list.pk}/", teacher)
    answer = hold_back(page, "**/lists/*/?q=*")
    page.get_by_label("Search", exact=True).fill("riječ 05")
    box = page.get_by_label("Select all on this page")
    page.mouse.move(*middle(box))
    page.mouse.down()  # the field has lost the focus: the search is on its way
    expect(page.locator("#bulk button[value=delete]")).to_be_disabled()
    page.mouse.up()
    expect(box).to_be_checked()
    answer()
    expect(page.locator("#entry-rows tr")).to_have_count(1)
    expect(page.get_by_label("Search", exact=True)).to_have_value("riječ 05")
    assert ticked(page) == [0]
    delete_selected(page)
    expect(page.get_by_text("Deleted: 1 word").first).to_be_visible()
    assert not long_list.entries.filter(term="riječ 05").exists()
    assert long_list.entries.count() == 59


def middle(locator):
    box = locator.bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


@pytest.mark.thorough
def test_a_long_list_has_its_tools_at_hand_and_a_way_to_its_end_on_a_phone(
    open_page, teacher, long_list
):
    page = open_page(f"/lists/{long_list.pk}/", teacher, size={"width": 390, "height": 664})
    for name, field in (("Add word", "#entry-add input >> nth=0"), ("Paste words", "#id_lines")):
        page.get_by_text("More", exact=True).first.click()
        page.get_by_role("link", name=name, exact=True).click()
        expect(page.locator(field)).to_be_in_viewport()
    page.reload()
    screens = page.evaluate("document.documentElement.scrollHeight / innerHeight")
    assert screens <= 8
    # What is done with selected words is shown when there are some.
    assign = page.locator("#bulk").get_by_role("button", name="Assign to class")
    expect(assign).to_be_hidden()
    page.locator("#entry-rows input[name=entries]").first.check()
    expect(assign).to_be_in_viewport()
    page.locator("#entry-rows input[name=entries]").first.uncheck()
    expect(assign).to_be_hidden()
    page.get_by_role("link", name="Add words").click()
    expect(page.get_by_role("link", name="Next")).to_be_in_viewport()
    page.get_by_role("link", name="Next").click()
    expect(page.locator("#entry-rows")).to_contain_text("riječ 25")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_words_on_alternate_lines_are_joined_by_one_click_and_saved(open_page, teacher):
    page = open_page("/lists/new/", teacher, size=PHONE)
    page.get_by_label("Title").fill("Tiere")
    page.get_by_label("Language of the words").select_option("de")
    page.get_by_label("Language of the translations").select_option("en")
    text = "der Hund\ndog\ndie Katze\ncat\ndas Pferd\nhorse"
    page.locator("#id_lines").fill(text)
    rows = page.locator("#preview tbody tr")
    expect(rows).to_have_count(6)
    page.get_by_role("button", name="Join lines by twos").click()
    expect(rows).to_have_count(3)
    expect(rows.first).to_contain_text("dog")
    expect(page.locator("#id_lines")).to_have_value(text)
    undo = page.get_by_role("button", name="Undo")
    expect(undo).to_be_visible()
    undo.click()
    expect(rows).to_have_count(6)
    page.get_by_role("button", name="Join lines by twos").click()
    expect(rows).to_have_count(3)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.get_by_role("button", name="Create list").click()
    expect(page.get_by_text("List created with 3 words.")).to_be_visible()
    made = VocabularyList.objects.get(title="Tiere")
    assert [entry.played for entry in made.entries.order_by("position")] == [
        *("Hund", "Katze", "Pferd")
    ]


@pytest.mark.thorough
def test_rules_are_suggested_again_when_the_language_is_chosen_after_pasting(open_page, teacher):
    page = open_page("/lists/new/", teacher)
    page.locator("#id_lines").fill("der Hund\tpas\ndie Katze\tmačka")
    expect(page.locator("#preview")).to_contain_text("D E R H U N D")
    page.get_by_label("Language of the words").select_option("de")
    expect(page.get_by_label("Articles")).to_be_checked()
    expect(page.locator("#preview")).not_to_contain_text("D E R H U N D")


@pytest.mark.thorough
def test_merging_asks_first(open_page, teacher, animals):
    page = open_page(f"/lists/{animals.pk}/", teacher)
    words = animals.entries.count()
    for entry in animals.entries.all()[:2]:
        page.locator(f"input[name=entries][value='{entry.pk}']").check()
    page.locator("#bulk").get_by_text("More", exact=True).click()
    page.get_by_role("button", name="Merge", exact=True).click()
    asks = page.get_by_role("dialog")
    expect(asks).to_contain_text("Merge the selected words into one")
    asks.get_by_role("button", name="Cancel").click()
    assert animals.entries.count() == words
    page.locator("#bulk").get_by_text("More", exact=True).click()
    page.get_by_role("button", name="Merge", exact=True).click()
    with page.expect_navigation():
        asks.get_by_role("button", name="Merge").click()
    assert animals.entries.count() == words - 1
