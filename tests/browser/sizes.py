"""The devices on which pages are looked at, and what on them is a fault."""

from __future__ import annotations

from playwright.sync_api import expect

DESKTOP = {"width": 1440, "height": 900}
SIZES = {
    "small phone": ({"width": 360, "height": 640}, 1),
    "phone": ({"width": 390, "height": 664}, 1),
    "phone, large text": ({"width": 390, "height": 664}, 2),
    "tablet": ({"width": 820, "height": 1180}, 1),
    "tablet on its side": ({"width": 1180, "height": 820}, 1),
    "desk": (DESKTOP, 1),
}

# Which controls and headings lie on each other or outside, each by its text. What one element
# contains or labels belongs to it, and what sticks is above the page on purpose.
FAULTS = """() => {
  const wanted = "a, button, input:not([type=hidden]), select, textarea, summary, h1, h2, h3";
  const dialog = document.querySelector("dialog[open]");
  const sticks = (one) => {
    for (let at = one; at; at = at.parentElement) {
      if (["fixed", "sticky"].includes(getComputedStyle(at).position)) return true;
    }
    return false;
  };
  const name = (one) => (one.innerText || one.ariaLabel || one.name || one.className).trim();
  const shown = [...(dialog ?? document).querySelectorAll(wanted)].filter((one) =>
    one.checkVisibility({ visibilityProperty: true, opacityProperty: true })
    && !one.closest(".visually-hidden, .skip-link, [data-grid], .segments")
    && (dialog || !sticks(one)));
  // Of a list that scrolls, only what is in it now is seen.
  const seen = (one) => {
    const { left, right, top, bottom } = one.getBoundingClientRect();
    const box = { left, right, top, bottom };
    for (let at = one.parentElement; at; at = at.parentElement) {
      if (!["auto", "scroll"].includes(getComputedStyle(at).overflowY)) continue;
      const frame = at.getBoundingClientRect();
      box.top = Math.max(box.top, frame.top);
      box.bottom = Math.min(box.bottom, frame.bottom);
    }
    return box;
  };
  const boxes = shown.map(seen);
  const faults = [];
  boxes.forEach((box, i) => {
    if (box.left < -1 || box.right > innerWidth + 1) faults.push(`outside: ${name(shown[i])}`);
    for (let j = 0; j < i; j += 1) {
      if (shown[i].contains(shown[j]) || shown[j].contains(shown[i])) continue;
      const other = boxes[j];
      const wide = Math.min(box.right, other.right) - Math.max(box.left, other.left);
      const high = Math.min(box.bottom, other.bottom) - Math.max(box.top, other.top);
      if (wide > 2 && high > 2) faults.push(`${name(shown[i])} lies on ${name(shown[j])}`);
    }
  });
  for (const one of (dialog ?? document).querySelectorAll("h1, h2, a, button, p, dt, dd")) {
    if (!one.checkVisibility() || one.closest(".visually-hidden, .skip-link")) continue;
    const style = getComputedStyle(one);
    if (style.overflowX === "hidden" && one.scrollWidth > one.clientWidth + 1
        && style.textOverflow !== "ellipsis" && style.webkitLineClamp === "none") {
      faults.push(`cut off: ${name(one)}`);
    }
  }
  return faults;
}"""

SMALL = """() => [...(document.querySelector("dialog[open]") ?? document).querySelectorAll(
  "main button, main a.button, main summary, dialog button, dialog a.button")]
  .filter((one) => one.checkVisibility() && !one.closest("[data-grid]"))
  .map((one) => [one.innerText.trim(), one.getBoundingClientRect()])
  .filter(([, box]) => box.width < 44 || box.height < 43.5)
  .map(([text, box]) => `${text}: ${Math.round(box.width)} × ${Math.round(box.height)}`)"""


def open_ready(page, name, path):
    """Open a page of a student, and wait until it is there."""
    page.goto(path)
    if path.startswith("/play/"):
        expect(page.locator("[data-grid]")).to_be_visible()
    if name == "summary":
        expect(page.locator("dialog.summary")).to_be_visible()


def faults_on(page, pages, sizes=SIZES):
    """Return what lies on something, outside, or is cut off on pages, {name: path}."""
    wrong = []
    for where in sizes:
        size, zoom = SIZES[where]
        page.set_viewport_size(size)
        for name, path in pages.items():
            open_ready(page, name, path)
            page.evaluate(f"document.documentElement.style.fontSize = '{zoom * 100}%'")
            page.evaluate("() => document.fonts.ready.then(() => 0)")
            found = page.evaluate(FAULTS)
            if page.evaluate("document.documentElement.scrollWidth > innerWidth"):
                found.append("scrolls sideways")
            wrong += [f"{name}, {where}: {fault}" for fault in found]
    return wrong
