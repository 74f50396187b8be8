"""While the site is being updated, every page says so: OSMOSMJERKA_MAINTENANCE switches it on.

Health checks and static files are answered above this, see MIDDLEWARE in settings.py: a load
balancer must not restart the process, and the page needs its styles.
"""

from __future__ import annotations

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext_lazy as _

from osmosmjerka.web.overload import unavailable
from osmosmjerka.web.requests import Handler

WAIT = 120  # seconds, until programs and waiting answers try again
_OFF, _ON = {"", "0", "no", "off", "false"}, {"1", "yes", "on", "true"}
_TOLD = _("This site is being updated. Try again later.")


class MaintenanceMiddleware:
    """Answer every request with 503 while the switch is on; its text is shown, unless it is "1"."""

    def __init__(self, get_response: Handler) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        switch = settings.MAINTENANCE.strip()
        if switch.lower() in _OFF:
            return self.get_response(request)
        said = "" if switch.lower() in _ON else switch
        return unavailable(request, "maintenance.html", _TOLD, wait=WAIT, said=said)
