"""A load generator that keeps its schedule, as a process of its own.

    python -m benchmarks.open_loop PORT PATH --rate 100 --seconds 10 [--header "Name: value"]
    python -m benchmarks.open_loop PORT PATH --at-once 4 --requests 2000

With --rate requests begin when they are due, whether or not earlier ones were answered, as people
do who know nothing of each other; a time counts from when a request was due. With --at-once each
connection sends its next request after an answer. Connections are kept and used again. Prints one
line of JSON: how many answers of each status and how many failures, the times of answers in
milliseconds (by status), and how long it took.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import re
from collections import Counter, deque
from collections.abc import Sequence

_LENGTH = re.compile(rb"\r\ncontent-length: *(\d+)", re.IGNORECASE)
_CHUNKED = re.compile(rb"\r\ntransfer-encoding: *chunked", re.IGNORECASE)
_CLOSES = re.compile(rb"\r\nconnection: *close", re.IGNORECASE)
_RETRY = re.compile(rb"\r\nretry-after: *\d+", re.IGNORECASE)


class Link(asyncio.Protocol):
    """A connection with at most one request on its way."""

    def __init__(self) -> None:
        self._received = b""
        self._answer: asyncio.Future[tuple[int, bool]] | None = None
        self.is_open = True

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport

    def ask(self, request: bytes) -> asyncio.Future[tuple[int, bool]]:
        """Send *request*; return the future status, and whether the answer says when to retry."""
        self._received = b""
        self._answer = asyncio.get_running_loop().create_future()
        self._transport.write(request)
        return self._answer

    def data_received(self, data: bytes) -> None:
        self._received += data
        head, blank, body = self._received.partition(b"\r\n\r\n")
        if not blank or self._answer is None or self._answer.done():
            return
        length = _LENGTH.search(head)
        is_whole = (
            body.endswith(b"0\r\n\r\n")
            if _CHUNKED.search(head)
            else len(body) >= int(length[1] if length else 0)
        )
        if is_whole:
            if _CLOSES.search(head):
                self.close()
            self._answer.set_result((int(head[9:12]), bool(_RETRY.search(head))))

    def connection_lost(self, exc: Exception | None) -> None:
        self.is_open = False
        if self._answer is not None and not self._answer.done():
            self._answer.set_exception(ConnectionResetError("closed without an answer"))

    def close(self) -> None:
        self.is_open = False
        self._transport.close()


class Load:
    """Requests of one kind, and what became of them."""

    def __init__(self, port: int, request: bytes, patience: float) -> None:
        self._port, self._request, self._patience = port, request, patience
        self._free: deque[Link] = deque()
        self.times: dict[str, list[float]] = {}
        self.retry_said = 0

    async def _link(self) -> Link:
        while self._free:
            link = self._free.pop()
            if link.is_open:
                return link
        loop = asyncio.get_running_loop()
        _transport, link = await loop.create_connection(Link, "127.0.0.1", self._port)
        return link

    async def one(self, due: float) -> None:
        """Send one request that was *due* then."""
        link = None
        try:
            async with asyncio.timeout(self._patience):
                link = await self._link()
                status, says_when = await link.ask(self._request)
            outcome = str(status)
            self.retry_said += says_when
            if link.is_open:
                self._free.append(link)
        except (OSError, TimeoutError) as error:
            outcome = type(error).__name__
            if link:
                link.close()
        took = asyncio.get_running_loop().time() - due
        self.times.setdefault(outcome, []).append(1000 * took)

    async def open_loop(self, rate: float, seconds: float) -> None:
        """Begin *rate* requests a second, at random moments, for some seconds."""
        loop = asyncio.get_running_loop()
        due, ends = loop.time(), loop.time() + seconds
        rng, sent = random.Random(15), []
        while (due := due + rng.expovariate(rate)) < ends:
            await asyncio.sleep(due - loop.time())
            sent.append(asyncio.create_task(self.one(due)))
        await asyncio.gather(*sent)

    async def at_once(self, connections: int, requests: int) -> None:
        """Send *requests*, the next one of each connection after an answer."""
        left = iter(range(requests))

        async def keep_asking() -> None:
            for _number in left:
                await self.one(asyncio.get_running_loop().time())

        await asyncio.gather(*(keep_asking() for _number in range(connections)))


def percentiles(times: Sequence[float]) -> dict[str, float]:
    ordered = sorted(times)
    return {
        f"p{share}": round(ordered[min(len(ordered) - 1, len(ordered) * share // 100)], 1)
        for share in (50, 95, 99)
    }


async def run(options: argparse.Namespace) -> dict[str, object]:
    lines = [f"GET {options.path} HTTP/1.1", "Host: localhost", *options.header]
    load = Load(options.port, "\r\n".join([*lines, "\r\n"]).encode(), options.patience)
    began = asyncio.get_running_loop().time()
    if options.rate:
        await load.open_loop(options.rate, options.seconds)
    else:
        await load.at_once(options.at_once, options.requests)
    return {
        "outcomes": Counter({outcome: len(times) for outcome, times in load.times.items()}),
        "times": {outcome: percentiles(times) for outcome, times in load.times.items()},
        "retry_said": load.retry_said,
        "seconds": round(asyncio.get_running_loop().time() - began, 3),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("port", type=int)
    parser.add_argument("path")
    parser.add_argument("--header", action="append", default=[])
    parser.add_argument("--rate", type=float, default=0)
    parser.add_argument("--seconds", type=float, default=10)
    parser.add_argument("--at-once", type=int, default=4)
    parser.add_argument("--requests", type=int, default=1000)
    parser.add_argument("--patience", type=float, default=15, help="seconds until a request fails")
    print(json.dumps(asyncio.run(run(parser.parse_args()))))


if __name__ == "__main__":
    main()
