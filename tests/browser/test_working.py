"""A button that was pressed shows that its action is under way, and sends it once."""

import pytest
from playwright.sync_api import expect

pytestmark = pytest.mark.browser

PRESS_TWICE = """button => {
  button.click();
  const shown = button.getAttribute("aria-busy");
  button.click();
  return shown;
}"""


def test_a_button_shows_that_it_works_and_sends_once(open_page, student):
    page = open_page("/progress/", student)
    sent = []
    page.on("request", lambda request: sent.append(request) if request.method == "POST" else None)
    button = page.locator("form[action$='/progress/goal/'] button").first
    with page.expect_navigation():
        assert button.evaluate(PRESS_TWICE) == "true"
    assert len(sent) == 1
    assert page.locator("[aria-busy]").count() == 0


def test_without_a_connection_what_was_typed_stays_and_is_sent_later(open_page, student):
    page = open_page("/me/reading/", student, is_used_again=False)
    choice = page.locator("input[name=letters][value=easy]")
    choice.check()
    page.context.set_offline(True)
    save = page.locator("main form button").first
    save.click()
    expect(page.get_by_text("You are offline. Nothing is lost")).to_be_visible()
    expect(choice).to_be_checked()
    page.context.set_offline(False)
    save.click()
    expect(page.get_by_text("Saved.")).to_be_visible()
    student.refresh_from_db()
    assert student.letters == "easy"
