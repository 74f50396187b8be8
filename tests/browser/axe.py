"""Axe, the checker of accessibility, once a page has come to rest."""

from __future__ import annotations

from axe_playwright_python.sync_playwright import Axe

AXE = Axe()
# What lies in a closed menu is not drawn, and its animations never end.
_AT_REST = """() => Promise.allSettled(document.getAnimations()
  .filter((one) => one.effect.getComputedTiming().endTime < Infinity)
  .filter((one) => one.effect.target.checkVisibility())
  .map((one) => one.finished))"""


def comes_to_rest(page):
    """Wait until what is seen has its last colour: that of a button, for example, changes."""
    page.evaluate(_AT_REST)


def has_no_violations(page):
    comes_to_rest(page)
    found = AXE.run(page)
    assert found.violations_count == 0, found.generate_report()
