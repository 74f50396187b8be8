"""A button that was pressed shows that its action is under way, and sends it once."""

import pytest

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
