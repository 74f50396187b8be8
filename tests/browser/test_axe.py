"""The helper that waits for a page to come to rest waits for what is seen, and for nothing else."""

from __future__ import annotations

import pytest

from tests.browser.axe import comes_to_rest

CHANGING = "document.getAnimations().map((one) => one.effect.target.textContent)"
# Both lines change their colour; the second is in a menu that is closed meanwhile. What changes is
# returned at once, because on a busy machine it may be over when it is asked for.
CHANGE = """async () => {
  const style = new CSSStyleSheet();
  style.replaceSync(".slow { transition: color 0.2s; color: red; } .slow.on { color: blue; }");
  document.adoptedStyleSheets = [style];
  document.body.innerHTML = `<p class="slow">seen</p>
    <details open><summary>menu</summary><p class="slow">hidden</p></details>`;
  const lines = document.querySelectorAll(".slow");
  lines.forEach((one) => getComputedStyle(one).color);
  lines.forEach((one) => one.classList.add("on"));
  lines.forEach((one) => getComputedStyle(one).color);
  await new Promise(requestAnimationFrame);
  document.querySelector("details").open = false;
  return %s;
}""".replace("%s", CHANGING)


@pytest.mark.thorough
def test_a_change_that_is_seen_is_waited_for_and_one_in_a_closed_menu_is_not(open_page):
    page = open_page("/login/")
    assert page.evaluate(CHANGE) == ["seen", "hidden"]
    comes_to_rest(page)  # without end, if it waited for both
    assert "seen" not in page.evaluate(CHANGING)
