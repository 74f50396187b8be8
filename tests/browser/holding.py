"""Requests that a test holds back until it lets them go."""

from __future__ import annotations

from tests.services import wait_until


def hold_back(page, pattern):
    """Hold back the first request of a page for an address; return what lets it go.

    The page may have sent it before the test process hears of it: that happens while the process
    asks the page something.
    """
    held = []
    page.route(pattern, lambda route: route.continue_() if held else held.append(route))

    def let_go():
        wait_until(lambda: page.evaluate("true") and held)
        held[0].continue_()

    return let_go
