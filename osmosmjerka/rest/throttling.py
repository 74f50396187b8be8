"""How many requests a token may make; a session may make as many as its pages need.

A minute is counted at a time, in the cache: with several processes, in one that they share
(`CACHE_URL`), or each counts for itself. While the cache is away, nothing is limited.
"""

from __future__ import annotations

import logging
import time
from dataclasses import dataclass
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


@dataclass(frozen=True, slots=True)
class Rate:
    """What a token has used of its minute, and how many seconds of that are left."""

    limit: int
    used: int
    reset: int

    @property
    def is_over(self) -> bool:
        return self.used > self.limit

    @property
    def headers(self) -> dict[str, str]:
        """The headers of the IETF's draft (RateLimit header fields, as in its version 06)."""
        return {
            "RateLimit-Limit": str(self.limit),
            "RateLimit-Remaining": str(max(0, self.limit - self.used)),
            "RateLimit-Reset": str(self.reset),
        }


class TokenThrottle(BaseThrottle):
    """Refuses the requests of a token beyond its rate, and notes the rate at the request."""

    _away_until = 0.0  # by the monotonic clock; for all requests of the process

    def __init__(self) -> None:
        self.reset: int | None = None

    def allow_request(self, request: Request, view: APIView) -> bool:
        if request.auth is None:  # a session
            return True
        rate = self._count(cast("ApiToken", request.auth))
        request.rate = rate  # type: ignore[attr-defined]  # for the headers of the response
        if rate is None or not rate.is_over:
            return True
        self.reset = rate.reset
        return False

    def wait(self) -> float | None:
        return self.reset

    def _count(self, token: ApiToken) -> Rate | None:
        """Count a request; return None if that is impossible now."""
        if time.monotonic() < TokenThrottle._away_until:
            return None
        minute, second = divmod(int(time.time()), WINDOW)
        key = f"api-rate:{token.token_hash}:{minute}"
        try:
            cache.add(key, 0, 2 * WINDOW)
            used = cache.incr(key)
        except ValueError:  # the cache made room for others in between
            used = 1
        except Exception as error:  # each cache's client has its own
            if outage_of(error) is None:
                raise
            TokenThrottle._away_until = time.monotonic() + _PAUSE
            logger.warning("The cache is away: requests of tokens are not counted.")
            return None
        return Rate(settings.API_RATE, used, WINDOW - second)
