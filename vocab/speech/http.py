"""One HTTP POST with limits."""

from __future__ import annotations

import logging
import socket
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from email.utils import parsedate_to_datetime
from http.cookiejar import DefaultCookiePolicy
from urllib.parse import urlsplit

import requests

from vocab.message import message, messages
from vocab.speech.engine import ServiceFailed

logger = logging.getLogger(__name__)


class NoUseRetrying(ServiceFailed):
    """The service failed in a way that an immediate retry will not fix."""


class TooSlow(ServiceFailed):
    """The service did not answer within the limits."""


@dataclass(frozen=True, slots=True)
class Limits:
    """The limits of one exchange, in seconds and bytes.

    *connect* and *read* limit each single wait for the other side, *total* the whole exchange.
    """

    connect: float = 3.0
    read: float = 5.0
    total: float = 8.0
    size: int = 2 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class Answer:
    """The response."""

    status: int
    content_type: str
    body: bytes
    headers: Mapping[str, str] = field(default_factory=dict)


class Exchange:
    """A session that checks certificates, follows no redirects and stores no cookies.

    Who sends byte after byte may keep a thread beyond *limits*, until the job's time is up; what
    comes later than the total is refused.
    """

    def __init__(
        self,
        *,
        limits: Limits | None = None,
        verify: bool | str = True,
        proxies: Mapping[str, str] | None = None,
    ) -> None:
        """Trust the certificate authorities in the file *verify*, or the default ones.

        *proxies* maps schemes to URLs; None uses the environment's.
        """
        self.limits = limits or Limits()
        self._verify = verify
        self._proxies = proxies
        self._session = requests.Session()
        # Use neither a password from .netrc nor a CA bundle from the environment.
        self._session.trust_env = False
        self._session.cookies.set_policy(DefaultCookiePolicy(allowed_domains=[]))

    def post(self, url: str, body: str, headers: Mapping[str, str]) -> Answer:
        """Send *body* and return the response; raise ServiceFailed."""
        proxies = self._proxies
        if proxies is None:
            proxies = requests.utils.get_environ_proxies(url, no_proxy=None)
        ends_at = time.monotonic() + self.limits.total
        try:
            with self._session.post(
                url,
                data=body,
                headers={**headers, "Accept-Encoding": "identity"},
                timeout=(self.limits.connect, self.limits.read),
                verify=self._verify,
                proxies=dict(proxies),
                stream=True,
                allow_redirects=False,
            ) as response:
                return self._receive(response, ends_at)
        except requests.RequestException as error:
            raise _failure(url, error, is_late=time.monotonic() >= ends_at) from error

    def _receive(self, response: requests.Response, ends_at: float) -> Answer:
        body = bytearray()
        for piece in response.iter_content(1024):
            body += piece
            if time.monotonic() >= ends_at:
                raise requests.Timeout
            if len(body) > self.limits.size:
                raise NoUseRetrying(
                    messages(
                        "{host} sent more than {count} byte.",
                        "{host} sent more than {count} bytes.",
                        self.limits.size,
                        host=_host(response.url),
                    )
                )
        return Answer(
            status=response.status_code,
            content_type=response.headers.get("Content-Type", "").partition(";")[0].strip().lower(),
            body=bytes(body),
            headers=response.headers,
        )


def seconds_to_wait(retry_after: str | None, *, now: float) -> float | None:
    """Parse a Retry-After header, a number of seconds or a date; None if it is not usable.

    *now* is the time in seconds since 1970.
    """
    if not retry_after:
        return None
    if retry_after.strip().isdecimal():
        return float(retry_after)
    try:
        return max(0.0, parsedate_to_datetime(retry_after).timestamp() - now)
    except ValueError:
        return None


def _failure(url: str, error: requests.RequestException, *, is_late: bool) -> ServiceFailed:
    """Return what people are told; the system's own message, in one language only, is logged."""
    host, root = _host(url), _root(error)
    if isinstance(error, requests.exceptions.SSLError):
        failure: ServiceFailed = NoUseRetrying(
            message("The certificate of {host} is not valid, so nothing was sent.", host=host)
        )
    elif is_late or isinstance(error, requests.Timeout) or isinstance(root, TimeoutError):
        return TooSlow(message("{host} did not answer in time.", host=host))
    elif isinstance(error, requests.exceptions.ChunkedEncodingError):
        return ServiceFailed(message("{host} stopped in the middle of its answer.", host=host))
    elif isinstance(root, socket.gaierror):
        failure = ServiceFailed(
            message(
                "{host} was not found. Perhaps this server has no internet connection.", host=host
            )
        )
    elif isinstance(root, ConnectionRefusedError):
        failure = ServiceFailed(message("{host} refused the connection.", host=host))
    else:
        failure = ServiceFailed(message("{host} cannot be reached.", host=host))
    words = getattr(root, "verify_message", "") or getattr(root, "strerror", "") or str(root)
    logger.warning("%s cannot be used: %s: %s", host, type(root).__name__, words)
    return failure


def _root(error: BaseException) -> BaseException:
    """Return the original error, without the layers that passed it on."""
    while deeper := error.__cause__ or error.__context__:
        error = deeper
    return error


def _host(url: str) -> str:
    return urlsplit(url).hostname or url
