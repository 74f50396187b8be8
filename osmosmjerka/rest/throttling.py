"""How many requests a token may make; a session may make as many as its pages need.

A minute is counted at a time, in the cache: with several processes, in one that they share
(`CACHE_URL`), or each counts for itself. While the cache is away, nothing is limited.
"""

from __future__ import annotations

import logging
import time
from typing import TYPE_CHECKING, cast

from django.conf import settings
from django.core.cache import cache
from rest_framework.request import Request
from rest_framework.throttling import BaseThrottle

from osmosmjerka.web.outages import outage_of

if TYPE_CHECKING:
    from rest_framework.views import APIView

    from osmosmjerka.accounts.models import ApiToken

logger = logging.getLogger(__name__)

WINDOW = 60  # seconds
_PAUSE = 10.0  # seconds without a question to a cache that did not answer


class TokenThrottle(BaseThrottle):
    """Refuses the requests of a token beyond its rate, and notes the rate at the request."""

    _away_until = 0.0  # by the monotonic clock; for all requests of the process

    def allow_request(self, request: Request, view: APIView) -> bool:
        if request.auth is None:  # a session
            return True
        minute, second = divmod(int(time.time()), WINDOW)
        used = self._count(cast("ApiToken", request.auth), minute)
        if used is None:
            return True
        self.reset = WINDOW - second
        # As in version 06 of the IETF's draft of RateLimit header fields.
        request.rate_headers = {  # type: ignore[attr-defined]  # for the response
            "RateLimit-Limit": str(settings.API_RATE),
            "RateLimit-Remaining": str(max(0, settings.API_RATE - used)),
            "RateLimit-Reset": str(self.reset),
        }
        return used <= settings.API_RATE

    def wait(self) -> float:
        return self.reset

    def _count(self, token: ApiToken, minute: int) -> int | None:
        """Count a request; return how many the token made, or None if that is impossible now."""
        if time.monotonic() < TokenThrottle._away_until:
            return None
        key = f"api-rate:{token.token_hash}:{minute}"
        try:
            cache.add(key, 0, 2 * WINDOW)
            return cache.incr(key)
        except ValueError:  # the cache made room for others in between
            return 1
        except Exception as error:  # each cache's client has its own
            if outage_of(error) is None:
                raise
            TokenThrottle._away_until = time.monotonic() + _PAUSE
            logger.warning("The cache is away: requests of tokens are not counted.")
            return None
