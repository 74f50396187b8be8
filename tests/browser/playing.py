"""What a player's hands do: three ways to select, on a real page."""

from __future__ import annotations

import time

from playwright.sync_api import expect

# Marks the places of the album to which a word flies; confetti falls so slowly that it is seen.
NOTES_FLIGHTS = """
  const animate = Element.prototype.animate;
  Element.prototype.animate = function (...wanted) {
    if (this.matches("[data-place]")) this.dataset.flew = "";
    if (this.matches(".confetti")) wanted[1].duration = 1e6;
    return animate.apply(this, wanted);
  };
"""


def cell(page, place):
    row, col = place
    return page.locator(f"[data-row='{row}'][data-col='{col}']").first


def centre(page, place):
    box = cell(page, place).bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def drag_with_mouse(page, cells):
    cell(page, cells[0]).scroll_into_view_if_needed()
    page.mouse.move(*centre(page, cells[0]))
    page.mouse.down()
    for place in (cells[len(cells) // 2], cells[-1]):
        page.mouse.move(*centre(page, place), steps=4)
    page.mouse.up()


def drag_with_finger(page, cells):
    """Send a touch drag as the device would, by somebody who takes care."""
    cell(page, cells[0]).scroll_into_view_if_needed()
    touch(page, [centre(page, place) for place in cells], seconds=0.15)


def touch(page, points, *, seconds, is_lifted=True):
    """Touch the first point and move over the others, which are *seconds* apart.

    The times are those that the events tell, through the debugging protocol: nobody waits. Return
    what takes the finger away, unless it is lifted at once.
    """
    device = page.context.new_cdp_session(page)
    began = time.time()
    ends = began + len(points) * seconds
    for number, (x, y) in enumerate(points):
        device.send(
            "Input.dispatchTouchEvent",
            {
                "type": "touchMove" if number else "touchStart",
                "touchPoints": [{"x": x, "y": y}],
                "timestamp": began + number * seconds,
            },
        )

    def lift():
        end = {"type": "touchEnd", "touchPoints": [], "timestamp": ends}
        device.send("Input.dispatchTouchEvent", end)
        device.detach()

    if is_lifted:
        lift()
    return lift


def press_keys(page, text):
    """Press a key for each character, as on a keyboard that has it; "<" is Backspace."""
    device = page.context.new_cdp_session(page)
    for character in text:
        if character == "<":
            page.keyboard.press("Backspace")
            continue
        key = {"key": character, "text": character, "unmodifiedText": character}
        device.send("Input.dispatchKeyEvent", {"type": "keyDown", **key})
        device.send("Input.dispatchKeyEvent", {"type": "keyUp", **key})
    device.detach()


def compose(page, *steps, committed=None):
    """Let an input method show each of *steps* and then, if given, write *committed*."""
    device = page.context.new_cdp_session(page)
    for step in steps:
        shown = {"text": step, "selectionStart": len(step), "selectionEnd": len(step)}
        device.send("Input.imeSetComposition", shown)
    if committed is not None:
        device.send("Input.insertText", {"text": committed})
    device.detach()


def tap_until(button, state):
    """Tap as a person does who sees that a busy machine took the first tap for something else."""
    for _tap in range(4):
        button.tap()
        try:
            expect(button).to_have_attribute("data-state", state, timeout=1500)
        except AssertionError:
            continue
        return
    expect(button).to_have_attribute("data-state", state)


def walk_with_keys(page, start, end, *, rtl=False):
    """Press the arrows that lead from one square to another."""
    right, left = ("ArrowLeft", "ArrowRight") if rtl else ("ArrowRight", "ArrowLeft")
    for step, more, less in (
        (end[0] - start[0], "ArrowDown", "ArrowUp"),
        (end[1] - start[1], right, left),
    ):
        for _press in range(abs(step)):
            page.keyboard.press(more if step > 0 else less)


def select_with_keys(page, cells, *, rtl=False):
    """From the top corner: go to the first letter, Enter, go to the last, Enter."""
    page.locator("[data-grid] [role=gridcell][tabindex='0']").first.focus()
    page.keyboard.press("Control+Home")
    walk_with_keys(page, (0, 0), cells[0], rtl=rtl)
    page.keyboard.press("Enter")
    walk_with_keys(page, cells[0], cells[-1], rtl=rtl)
    page.keyboard.press("Enter")


SELECT = {"mouse": drag_with_mouse, "touch": drag_with_finger, "keyboard": select_with_keys}


def in_order(puzzle):
    """Return the words as Shift and an arrow go through them: across, then down, by number."""
    return sorted(puzzle.placements.all(), key=lambda p: (p.direction, p.number))
