"""One HTTP POST that ends in time, whatever the other side does."""

from __future__ import annotations

import logging
import socket
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from email.utils import parsedate_to_datetime
from http.cookiejar import DefaultCookiePolicy
from typing import Any

import requests
import urllib3
from requests.adapters import HTTPAdapter
from urllib3.connection import HTTPConnection, HTTPSConnection

from vocab.message import Sentence, message, messages
from vocab.speech.engine import ServiceFailed

logger = logging.getLogger(__name__)


class NoUseRetrying(ServiceFailed):
    """The service failed in a way that an immediate retry will not fix."""


class TooSlow(ServiceFailed):
    """The service did not answer in time."""


@dataclass(frozen=True, slots=True)
class Limits:
    """The limits of one exchange, in seconds and bytes.

    *connect* and *read* limit each single wait for the other side, *total* the whole exchange.
    """

    connect: float = 5.0
    read: float = 8.0
    total: float = 15.0
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
        ca_bundle: str | None = None,
        proxies: Mapping[str, str] | None = None,
        verify: bool = True,
    ) -> None:
        """Trust the certificate authorities in the file *ca_bundle*, or the default ones.

        *proxies* maps schemes to URLs; None uses the environment's. *verify* exists for the test
        that shows what the certificate check is good for.
        """
        self.limits = limits or Limits()
        self._verify: bool | str = (ca_bundle or True) if verify else False
        self._proxies = proxies
        self._session = requests.Session()
        # Use neither a password from .netrc nor a CA bundle from the environment.
        self._session.trust_env = False
        self._session.cookies.set_policy(DefaultCookiePolicy(allowed_domains=[]))
        for scheme in ("http://", "https://"):
            self._session.mount(scheme, _ImpatientAdapter(self.limits.total))

    def post(self, url: str, body: str, headers: Mapping[str, str]) -> Answer:
        """Send *body* and return the response. Raises ServiceFailed, at the latest after the total.

        Additional time may be needed to connect, if a name has several addresses, or for a proxy's
        handshake.
        """
        proxies = self._proxies
        if proxies is None:
            proxies = requests.utils.get_environ_proxies(url, no_proxy=None)
        ends_at = time.monotonic() + self.limits.total
        try:
            response = self._session.post(
                url,
                data=body,
                headers={**headers, "Accept-Encoding": "identity"},
                timeout=(self.limits.connect, self.limits.read),
                verify=self._verify,
                proxies=dict(proxies),
                stream=True,
                allow_redirects=False,
            )
            with response:
                answer = self._receive(response, ends_at)
        except requests.exceptions.SSLError as error:
            _log(url, error)
            raise NoUseRetrying(
                message(
                    "The certificate of {host} is not valid, so nothing was sent.", host=_host(url)
                )
            ) from error
        except requests.RequestException as error:
            if time.monotonic() >= ends_at or isinstance(error, requests.Timeout):
                raise _too_slow(url) from error
            _log(url, error)
            raise ServiceFailed(_unreachable(url, error)) from error
        except urllib3.exceptions.HTTPError as error:
            if time.monotonic() >= ends_at or isinstance(error, urllib3.exceptions.TimeoutError):
                raise _too_slow(url) from error
            raise ServiceFailed(
                message("{host} stopped in the middle of its answer.", host=_host(url))
            ) from error
        # A connection that was cut may look like one that ended.
        if time.monotonic() >= ends_at:
            raise _too_slow(url)
        return answer

    def _receive(self, response: requests.Response, ends_at: float) -> Answer:
        pieces, size = [], 0
        with _cut_after(ends_at - time.monotonic(), response.raw.shutdown):
            # The raw body: do not decompress what we did not ask to be compressed.
            while piece := response.raw.read(65536, decode_content=False):
                size += len(piece)
                if size > self.limits.size:
                    raise NoUseRetrying(
                        messages(
                            "{host} sent more than {count} byte.",
                            "{host} sent more than {count} bytes.",
                            self.limits.size,
                            host=_host(response.url),
                        )
                    )
                pieces.append(piece)
        return Answer(
            status=response.status_code,
            content_type=response.headers.get("Content-Type", "").partition(";")[0].strip().lower(),
            body=b"".join(pieces),
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


class _ImpatientAdapter(HTTPAdapter):
    """An adapter that cuts connections if the response's headers take too long.

    Read timeouts limit single waits only: a byte per second would occupy a worker for hours.
    """

    def __init__(self, seconds: float) -> None:
        class Impatient(HTTPConnection):
            def getresponse(self) -> urllib3.HTTPResponse:  # type: ignore[override]
                with _cut_after(seconds, lambda: self.sock.shutdown(socket.SHUT_RDWR)):
                    return super().getresponse()

        class ImpatientTLS(Impatient, HTTPSConnection):
            pass

        class Pool(urllib3.HTTPConnectionPool):
            ConnectionCls = Impatient

        class TLSPool(urllib3.HTTPSConnectionPool):
            ConnectionCls = ImpatientTLS

        self._pools = {"http": Pool, "https": TLSPool}
        super().__init__()

    def init_poolmanager(self, *args: Any, **keywords: Any) -> None:
        super().init_poolmanager(*args, **keywords)
        self.poolmanager.pool_classes_by_scheme = self._pools

    def proxy_manager_for(self, *args: Any, **keywords: Any) -> Any:
        manager = super().proxy_manager_for(*args, **keywords)
        manager.pool_classes_by_scheme = self._pools
        return manager


@contextmanager
def _cut_after(seconds: float, cut: Callable[[], object]) -> Iterator[None]:
    """Call *cut* if the block is not left within *seconds*."""

    def cut_if_open() -> None:
        with suppress(OSError, ValueError, AttributeError):
            cut()

    timer = threading.Timer(max(0.0, seconds), cut_if_open)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


def _too_slow(url: str) -> TooSlow:
    return TooSlow(message("{host} did not answer in time.", host=_host(url)))


def _unreachable(url: str, error: BaseException) -> Sentence:
    """Return how a connection failed; the system's own message is in one language only."""
    match _root(error):
        case socket.gaierror():
            return message(
                "{host} was not found. Perhaps this server has no internet connection.",
                host=_host(url),
            )
        case ConnectionRefusedError():
            return message("{host} refused the connection.", host=_host(url))
        case _:
            return message("{host} cannot be reached.", host=_host(url))


def _log(url: str, error: BaseException) -> None:
    """Log the system's message; people see only the type of failure."""
    root = _root(error)
    words = getattr(root, "verify_message", "") or getattr(root, "strerror", "") or str(root)
    logger.warning("%s cannot be used: %s: %s", _host(url), type(root).__name__, words)


def _root(error: BaseException) -> BaseException:
    """Return the original error, without the layers that passed it on."""
    while deeper := error.__cause__ or error.__context__:
        error = deeper
    return error


def _host(url: str) -> str:
    return urllib3.util.parse_url(url).host or url
