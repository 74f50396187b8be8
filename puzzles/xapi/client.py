"""The client of a learning record store (xAPI 1.0.3), which may be down, slow or wrong. Pure."""

from __future__ import annotations

import json
import logging
from collections.abc import Sequence
from typing import Any

import requests

logger = logging.getLogger(__name__)

TIMEOUT = (5, 20)  # seconds to connect, and between two bytes
_HEADERS = {"X-Experience-API-Version": "1.0.3", "Accept": "application/json"}
_SAID = 300
# The answer to statements is a list of their ids; a batch of 200 takes 8 kB.
_LONGEST_ANSWER = 100_000


class StoreError(Exception):
    """The store did not accept statements; `permanent` if repeating the request is useless."""

    def __init__(self, message: str, *, permanent: bool) -> None:
        super().__init__(message)
        self.permanent = permanent


class StatementRefused(StoreError):
    """The store rejects the statements themselves."""

    def __init__(self, message: str) -> None:
        super().__init__(message, permanent=True)


class AllRefused(StoreError):
    """The store rejected everything it was sent: {id of the statement: what it answered}."""

    def __init__(self, refused: dict[str, str]) -> None:
        super().__init__(next(iter(refused.values())), permanent=True)
        self.refused = refused


class RecordStore:
    """A store at *url*, the address to which `/statements` is added."""

    def __init__(
        self, url: str, key: str, secret: str, *, timeout: tuple[float, float] = TIMEOUT
    ) -> None:
        self._address = f"{url.rstrip('/')}/statements"
        self._timeout = timeout
        self._session = requests.Session()
        self._session.trust_env = False  # no password from .netrc, no proxy from the environment
        self._session.headers.update(_HEADERS)
        if key:
            self._session.auth = (key, secret)

    def send(self, statements: Sequence[dict[str, Any]]) -> dict[str, str]:
        """Send *statements* to the store; return those that it rejects: {id: what it answered}.

        The store ignores statements whose id it already has. Raises StoreError; AllRefused if it
        accepted none, because then nothing shows that these statements are at fault.
        """
        refused = self._send(statements)
        if statements and len(refused) == len(statements):
            raise AllRefused(refused)
        return refused

    def _send(self, statements: Sequence[dict[str, Any]]) -> dict[str, str]:
        try:
            status = self._ask("POST", json=list(statements))
        except StatementRefused as error:
            if len(statements) == 1:
                return {statements[0]["id"]: str(error)}
            # One bad statement must not block all others.
            middle = len(statements) // 2
            return self._send(statements[:middle]) | self._send(statements[middle:])
        if status == 409:  # it has some of them: send each separately
            for statement in statements:
                self._ask("PUT", json=statement, params={"statementId": statement["id"]})
        return {}

    def _ask(self, method: str, **arguments: Any) -> int:
        try:
            with self._session.request(
                method,
                self._address,
                timeout=self._timeout,
                allow_redirects=False,
                stream=True,  # do not read a response of unlimited length
                **arguments,
            ) as reply:
                status = reply.status_code
                said = "" if status in {204, 409} else _beginning(reply)
                is_store = status != 200 or method == "PUT" or _is_list(said)
        except requests.RequestException as error:
            logger.warning("The record store cannot be reached: %s", error)
            raise StoreError("The record store cannot be reached.", permanent=False) from error
        if status in {200, 204, 409} and is_store:
            return status
        said = " ".join(said[:_SAID].split())
        logger.warning("The record store answered %s: %s", status, said)
        message = f"The record store answered with status {status}: {said}"
        if status in {400, 413, 422}:
            raise StatementRefused(message)
        is_passing = status in {408, 425, 429} or status >= 500
        raise StoreError(message, permanent=not is_passing)

    def close(self) -> None:
        """Close the connection."""
        self._session.close()


def _beginning(reply: requests.Response) -> str:
    return next(reply.iter_content(_LONGEST_ANSWER), b"").decode(errors="replace")


def _is_list(said: str) -> bool:
    """Return whether an answer is a list, as a store's is; a proxy's log-in page is none."""
    try:
        return isinstance(json.loads(said), list)
    except ValueError:
        return False
