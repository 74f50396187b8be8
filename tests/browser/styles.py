"""Whether a page loads the stylesheets that its classes are from."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

_ROOT = Path(__file__).parents[2]
_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
# The first of a selector: what comes later in one has its place on other pages as well.
_CLASS = re.compile(r"(?:^|[{},])\s*\.([a-z][\w-]*)")
# Of the classes on a page, those of which no stylesheet that it has loaded says anything.
_UNKNOWN = r"""() => {
  const known = new Set();
  const read = (rules) => {
    for (const rule of rules) {
      const names = (rule.selectorText ?? "").matchAll(/\.([a-z][\w-]*)/g);
      for (const [, name] of names) known.add(name);
      read(rule.styleSheet?.cssRules ?? rule.cssRules ?? []);
    }
  };
  for (const sheet of document.styleSheets) read(sheet.cssRules);
  const used = [...document.querySelectorAll("[class]")].flatMap((one) => [...one.classList]);
  return [...new Set(used)].filter((name) => !known.has(name));
}"""


@cache
def _of_stylesheets():
    """Return the names of all classes with which a selector of our stylesheets begins."""
    return frozenset(
        name
        for app in ("osmosmjerka", "puzzles", "vocab")
        for path in (_ROOT / app).glob("**/*.css")
        for name in _CLASS.findall(_COMMENT.sub("", path.read_text(encoding="utf-8")))
    )


def unstyled(page):
    """Return the classes on a page whose stylesheet it has not loaded."""
    return {name for name in page.evaluate(_UNKNOWN) if name in _of_stylesheets()}
