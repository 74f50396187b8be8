"""A browser as far as a server can tell: one connection that is kept, cookies, no rendering."""

from __future__ import annotations

import asyncio
import json
from contextlib import suppress
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

PATIENCE = 15  # seconds, as in the product's own scripts
AGENT = "Mozilla/5.0 (Linux; Android 14) AppleWebKit/537.36 Chrome/126.0 Mobile Safari/537.36"


class Unanswered(Exception):
    """No response came; says why."""


@dataclass(frozen=True, slots=True)
class Reply:
    status: int
    headers: dict[str, str]
    body: bytes

    def json(self) -> Any:
        return json.loads(self.body)


class Browser:
    """Sends one request at a time; another waits for its response."""

    def __init__(self, host: str, port: int = 0) -> None:
        self.host, self.port = host, port
        self.cookies: dict[str, str] = {}
        self._open: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None
        self._turn = asyncio.Lock()

    def move_to(self, port: int) -> None:
        """Send what follows to another server; its cookies stay."""
        self.close()
        self.port = port

    def close(self) -> None:
        if self._open is not None:
            self._open[1].close()
            self._open = None

    async def get(self, path: str, **headers: str) -> Reply:
        return await self.ask("GET", path, b"", headers)

    async def post(self, path: str, data: Any, **headers: str) -> Reply:
        """Post JSON to the API as the scripts do, elsewhere a form with the page's token."""
        token = self.cookies.get("csrftoken", "")
        headers |= {"Origin": f"http://{self.host}:{self.port}"}
        if path.startswith("/api/"):
            headers |= {"Content-Type": "application/json", "X-CSRFToken": token}
            return await self.ask("POST", path, json.dumps(data).encode(), headers)
        headers["Content-Type"] = "application/x-www-form-urlencoded"
        body = urlencode({"csrfmiddlewaretoken": token} | data).encode()
        return await self.ask("POST", path, body, headers)

    async def ask(self, method: str, path: str, body: bytes, headers: dict[str, str]) -> Reply:
        """Return the response. Raises Unanswered."""
        lines = [
            f"{method} {path} HTTP/1.1",
            f"Host: {self.host}:{self.port}",
            f"User-Agent: {AGENT}",
            "Accept: */*",
            "Accept-Language: hr,en;q=0.8",
            f"Content-Length: {len(body)}",
            *(f"{name}: {value}" for name, value in headers.items()),
        ]
        if self.cookies:
            pairs = (f"{name}={value}" for name, value in self.cookies.items())
            lines.append(f"Cookie: {'; '.join(pairs)}")
        message = "\r\n".join([*lines, "", ""]).encode() + body
        try:
            async with self._turn, asyncio.timeout(PATIENCE):
                return await self._exchange(message)
        except TimeoutError:
            self.close()
            raise Unanswered("timeout") from None
        except ConnectionRefusedError:
            self.close()
            raise Unanswered("refused") from None
        except (OSError, asyncio.IncompleteReadError):
            self.close()
            raise Unanswered("reset") from None

    async def _exchange(self, message: bytes) -> Reply:
        was_kept = self._open is not None
        try:
            return await self._once(message)
        except (OSError, asyncio.IncompleteReadError) as error:
            # A server may close a kept connection at any time: browsers then open another.
            is_unread = not getattr(error, "partial", b"")
            self.close()
            if not (was_kept and is_unread) or isinstance(error, TimeoutError):
                raise
        return await self._once(message)

    async def _once(self, message: bytes) -> Reply:
        if self._open is None:
            self._open = await asyncio.open_connection(self.host, self.port)
        reader, writer = self._open
        writer.write(message)
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
        status = int(head[0].split()[1])
        headers: dict[str, str] = {}
        for line in filter(None, head[1:]):
            name, _colon, value = line.partition(":")
            if name.lower() == "set-cookie":
                self._keep(value.strip())
            headers[name.lower()] = value.strip()
        body = await self._body(reader, status, headers)
        if headers.get("connection", "").lower() == "close":
            self.close()
        return Reply(status, headers, body)

    async def _body(
        self, reader: asyncio.StreamReader, status: int, headers: dict[str, str]
    ) -> bytes:
        if status in (204, 304):
            return b""
        if headers.get("transfer-encoding", "").lower() == "chunked":
            parts = []
            while size := int((await reader.readline()).split(b";")[0], 16):
                parts.append(await reader.readexactly(size))
                await reader.readline()
            await reader.readline()
            return b"".join(parts)
        if "content-length" in headers:
            return await reader.readexactly(int(headers["content-length"]))
        headers["connection"] = "close"
        return await reader.read()

    def _keep(self, cookie: str) -> None:
        pair, *_attributes = cookie.split(";")
        name, _equals, value = pair.partition("=")
        self.cookies[name] = value
        if not value.strip('"'):
            with suppress(KeyError):
                del self.cookies[name]
