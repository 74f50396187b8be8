"""Axe, the checker of accessibility.

Browser tests run with less motion, so that no colour is between two values when it looks.
"""

from __future__ import annotations

from axe_playwright_python.sync_playwright import Axe

AXE = Axe()


def has_no_violations(page):
    found = AXE.run(page)
    assert found.violations_count == 0, found.generate_report()
