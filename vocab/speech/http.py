"""One HTTP request that ends in time, whatever the other side does."""

from __future__ import annotations

import logging
import socket
import threading
from collections.abc import Mapping
from concurrent.futures import Future
from dataclasses import dataclass, field
from http.cookiejar import DefaultCookiePolicy
from urllib.parse import urlsplit

import requests
from urllib3.exceptions import InvalidHeader
from urllib3.util import Retry

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
    """A session that checks certificates, follows no redirects and stores no cookies."""

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
        """Send *body* and return the response. Raises ServiceFailed, at the latest after the total.

        Who sends byte after byte, or looks up a name for minutes, keeps a thread of its own only.
        """
        return self._exchange("POST", url, body, headers)

    def get(self, url: str, headers: Mapping[str, str]) -> Answer:
        """Return what is at *url*. Raises ServiceFailed as `post` does."""
        return self._exchange("GET", url, None, headers)

    def _exchange(
        self, method: str, url: str, body: str | None, headers: Mapping[str, str]
    ) -> Answer:
        found: Future[Answer] = Future()

        def look() -> None:
            try:
                found.set_result(self._ask(method, url, body, headers))
            except BaseException as error:  # raised where it is waited for
                found.set_exception(error)

        threading.Thread(target=look, name="exchange", daemon=True).start()
        try:
            return found.result(self.limits.total)
        except TimeoutError:
            raise _too_slow(url) from None

    def _ask(self, method: str, url: str, body: str | None, headers: Mapping[str, str]) -> Answer:
        proxies = self._proxies
        if proxies is None:
            proxies = requests.utils.get_environ_proxies(url, no_proxy=None)
        try:
            with self._session.request(
                method,
                url,
                data=body,
                headers={**headers, "Accept-Encoding": "identity"},
                timeout=(self.limits.connect, self.limits.read),
                verify=self._verify,
                proxies=dict(proxies),
                stream=True,
                allow_redirects=False,
            ) as response:
                return self._received(response)
        except requests.RequestException as error:
            raise _failure(url, error) from error

    def _received(self, response: requests.Response) -> Answer:
        body = bytearray()
        for piece in response.iter_content(65536):
            body += piece
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


def seconds_to_wait(retry_after: str | None) -> float | None:
    """Parse a Retry-After header, a number of seconds or a date; None if it is not usable."""
    try:
        return Retry().parse_retry_after(retry_after) if retry_after else None
    except InvalidHeader:
        return None


def _too_slow(url: str) -> TooSlow:
    return TooSlow(message("{host} did not answer in time.", host=_host(url)))


def _failure(url: str, error: requests.RequestException) -> ServiceFailed:
    """Return what people are told; the system's own message, in one language only, is logged."""
    host, root = _host(url), _root(error)
    kind: type[ServiceFailed] = ServiceFailed
    if isinstance(error, requests.exceptions.SSLError):
        kind = NoUseRetrying
        told = message("The certificate of {host} is not valid, so nothing was sent.", host=host)
    elif isinstance(error, requests.Timeout) or isinstance(root, TimeoutError):
        return _too_slow(url)
    elif isinstance(error, requests.exceptions.ChunkedEncodingError):
        return ServiceFailed(message("{host} stopped in the middle of its answer.", host=host))
    elif isinstance(root, socket.gaierror):
        told = message(
            "{host} was not found. Perhaps this server has no internet connection.", host=host
        )
    elif isinstance(root, ConnectionRefusedError):
        told = message("{host} refused the connection.", host=host)
    else:
        told = message("{host} cannot be reached.", host=host)
    logger.warning("%s cannot be used: %s: %s", host, type(root).__name__, root)
    return kind(told)


def _root(error: BaseException) -> BaseException:
    """Return the original error, without the layers that passed it on."""
    while deeper := error.__cause__ or error.__context__:
        error = deeper
    return error


def _host(url: str) -> str:
    return urlsplit(url).hostname or url
