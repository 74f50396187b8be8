"""A board is as large as the window lets it be: all of it is in view with what is asked."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.boards import KINDS, PHONE, TOUCH, resize
from tests.layers import daily

WINDOWS = [
    (360, 640),
    (390, 664),
    (412, 915),
    (664, 390),
    (740, 360),
    (932, 430),
    (1024, 600),
    (1440, 900),
]
ASKED = {
    "word-search": [".word.is-next .word-choose"],
    "finder": [".finder-asked", ".finder-listen", ".finder-word[aria-pressed=true]"],
    "crossword": [".clue-bar-text, .clue.is-current .clue-choose"],
}
# The ends of all rows, and what is asked, that are outside the window or covered.
UNSEEN = """(asked) => {
  const isSeen = (one) => {
    const { left, right, top, bottom } = one.getBoundingClientRect();
    const [x, y] = [(left + right) / 2, (top + bottom) / 2];
    return [[x, top + 2], [x, bottom - 2], [left + 2, y], [right - 2, y]].every((point) =>
      one.contains(document.elementFromPoint(...point)));
  };
  const ends = [...document.querySelectorAll(".grid-row")].flatMap((row, number) => {
    const cells = [...row.querySelectorAll(".cell:not(.cell--unused)")];
    return [cells[0], cells.at(-1)].filter((cell) => cell && !isSeen(cell))
      .map(() => `row ${number + 1}`);
  });
  const words = asked.filter((selector) => {
    const shown = [...document.querySelectorAll(selector)].filter((one) => one.checkVisibility());
    return !shown.some(isSeen);
  });
  return [...new Set([...ends, ...words])];
}"""


@pytest.mark.parametrize("kind", daily("crossword", of=KINDS))
def test_every_row_and_what_is_asked_are_in_view(kind, open_board):
    page, _placements = open_board(kind, size=PHONE, **TOUCH)
    if kind == "finder":
        page.get_by_role("button", name="Listen", exact=True).tap()
        expect(page.get_by_text("Word 1 of 10", exact=True)).to_be_visible()
    wrong = []
    for width, height in WINDOWS:
        resize(page, {"width": width, "height": height})
        page.evaluate("() => scrollTo(0, 0)")
        wrong += [f"{width}×{height}: {each}" for each in page.evaluate(UNSEEN, ASKED[kind])]
        high = page.evaluate("document.documentElement.scrollHeight")
        if kind != "crossword" and high > height:  # its other clues are below
            wrong.append(f"{width}×{height}: the page is {high} high")
    assert not wrong, "\n".join(wrong)
