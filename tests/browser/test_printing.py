"""A teacher prints a list: options, and the page of paper beside them."""

import pytest
from playwright.sync_api import expect

from tests.browser.axe import has_no_violations
from tests.browser.conftest import DESKTOP, PHONE
from tests.layers import daily
from tests.services import wait_until


@pytest.mark.parametrize("size", daily(DESKTOP, of=[PHONE, DESKTOP]), ids=["phone", "desktop"])
def test_the_preview_follows_the_options_and_the_file_is_one_click_away(
    size, open_page, teacher, animals
):
    page = open_page(f"/lists/{animals.pk}/", teacher, size=size)
    page.locator("main").get_by_text("More", exact=True).first.click()
    page.get_by_role("link", name="Print", exact=True).click()
    preview = page.locator("#print-preview")
    expect(preview.locator("svg")).to_have_count(1)
    expect(preview).to_contain_text("crocodile")
    has_no_violations(page)
    page.get_by_role("combobox", name="Columns").select_option("translations")
    expect(preview).not_to_contain_text("crocodile")
    expect(preview).to_contain_text("krokodil")

    page.get_by_role("radio", name="Flashcards").check()
    expect(preview.locator("svg")).to_have_count(2)
    expect(preview.locator("svg").last).to_contain_text("crocodile")
    expect(page.get_by_role("combobox", name="Columns")).to_be_hidden()
    page.get_by_role("combobox", name="Order").select_option("shuffled")
    again = preview.get_by_role("link", name="Shuffle again")
    before = preview.locator("svg").first.inner_html()
    again.click()
    expect(preview.locator("svg")).to_have_count(2)
    wait_until(lambda: preview.locator("svg").first.inner_html() != before)
    has_no_violations(page)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")

    with page.expect_download() as download:
        page.get_by_role("button", name="Download (PDF)").click()
    assert download.value.suggested_filename == "Životinje – Flashcards.pdf"


def test_a_list_is_printed_without_scripts(open_page, teacher, animals):
    path = f"/lists/{animals.pk}/print/"
    page = open_page(path, teacher, is_used_again=False, java_script_enabled=False)
    page.get_by_role("radio", name="Flashcards").check()
    page.get_by_role("button", name="Show preview").click()
    expect(page.locator("#print-preview svg")).to_have_count(2)
    with page.expect_download() as download:
        page.get_by_role("button", name="Download (PDF)").click()
    assert download.value.suggested_filename == "Životinje – Flashcards.pdf"
