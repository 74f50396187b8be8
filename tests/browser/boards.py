"""Puzzles of all kinds for tests of their boards, and what such tests do with the page."""

from __future__ import annotations

from tests.browser.sizes import SIZES

SMALL, PHONE = SIZES["small phone"][0], SIZES["phone"][0]
TOUCH = {"has_touch": True, "is_mobile": True}
KINDS = ("word-search", "finder", "crossword")
WORDS = {
    "hr": {
        "kuća": "house", "drvo": "wood", "more": "sea", "rijeka": "river", "planina": "mountain",
        "jabuka": "apple", "kruška": "pear", "stolica": "chair", "prozor": "window",
        "vrata": "door", "krevet": "bed", "lampa": "lamp", "zrcalo": "mirror", "knjiga": "book",
    },
    "ar": {
        "كتاب": "book", "مدرسة": "school", "قلم": "pen", "باب": "door", "بيت": "house",
        "شمس": "sun", "قمر": "moon", "ماء": "water", "طاولة": "table", "كرسي": "chair",
        "دفتر": "notebook", "حقيبة": "bag",
    },
}  # fmt: skip

# Targets that a thumb misses; eleven keys in a row are narrower, like those of phones themselves.
TARGETS = """() => [...document.querySelectorAll(
    "main button, main summary, main a, main input:not([type=hidden], [type=radio], "
    + "[type=checkbox]), main label.check, .menu[open] .menu-items > button")]
  .filter((one) => one.checkVisibility({ visibilityProperty: true })
    && !one.closest("[data-grid], .visually-hidden"))
  .map((one) => [one, one.getBoundingClientRect()])
  .filter(([one, { width, height }]) => {
    if (one.matches(".clue-box")) return width < 36 || height < 36;
    if (one.matches(".key")) return width < 24 || height < 43.5;
    return width < 43.5 || height < 43.5;
  })
  .map(([one, { width, height }]) =>
    `${one.className} ${one.innerText.trim()}: ${Math.round(width)} × ${Math.round(height)}`)"""


# The board fits itself into a page after the page has another size, which moves what is below it.
STILL = """async () => {
  const sizes = () => JSON.stringify([document.documentElement, ...document.querySelectorAll(
    "[data-grid], .play-live, header")].map((one) => one.getBoundingClientRect()));
  for (let still = 0, before = ""; still < 5; still += 1) {
    await new Promise((go) => requestAnimationFrame(() => setTimeout(go)));
    const now = sizes();
    if (now !== before) [still, before] = [0, now];
  }
}"""


def resize(page, size, zoom=1):
    page.set_viewport_size(size)
    page.evaluate(f"() => {{ document.documentElement.style.fontSize = '{zoom * 100}%'; }}")
    page.evaluate("() => document.fonts.ready.then(() => 0)")
    page.evaluate(STILL)


def cells_of(placement):
    return [tuple(place) for place in placement.cells]


def choose(page, placement):
    page.locator(f".clue[data-item='{placement.slot}'] .clue-choose").click()
