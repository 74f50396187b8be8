"""A client for the API of a site, which reads from the site's description (OpenAPI) what there is.

    client = Client("https://words.example.org", token="…")
    made = client.call("lists_create", title="Animals", language="hr", translation_languages=["en"])
    for word in client.results("lists_entries_list", id=made["id"]):
        print(word["term"])

It needs neither Django nor the rest of Osmosmjerka, only requests: this file may be copied.
"""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlsplit

import requests

TIMEOUT = 60  # seconds for an answer
MOST_TRIES = 4  # of a request that the site asks to repeat later
LONGEST_WAIT = 120  # seconds; a site that asks for longer is reported, not waited for

# What these operations answer (202) is not finished yet: {operation: (what reads it, by what)}
READ_WITH = {
    "puzzles_create": ("puzzles_retrieve", "code"),
    "puzzles_again_create": ("puzzles_retrieve", "code"),
    "puzzles_fewer_create": ("puzzles_retrieve", "code"),
    "puzzles_worksheets_create": ("worksheets_retrieve", "id"),
}

_METHODS = {"get", "put", "post", "delete", "patch"}
_LATER = {429, 503}


class Problem(Exception):
    """The site refused a request; `str(problem)` is a sentence for people.

    `status` is HTTP's, `code` is for programs, `errors` are the single values that are invalid:
    dicts with `pointer` or `parameter`, `detail` and `code`.
    """

    def __init__(
        self, status: int, code: str, detail: str, errors: list[dict[str, str]] | None = None
    ) -> None:
        super().__init__(detail)
        self.status, self.code, self.errors = status, code, errors or []


class NotFinished(Exception):
    """What was waited for failed, or was not ready in time."""


class WrongCall(ValueError):
    """There is no such operation, or it takes other values; nothing was sent."""


@dataclass(frozen=True)
class Value:
    """What an operation takes, in its "path", "query" or "body"."""

    name: str
    place: str
    schema: Mapping[str, Any]  # JSON Schema, without references at its top
    is_required: bool
    description: str

    @property
    def types(self) -> set[str]:
        """Return the names of its types in JSON; empty if it may have any."""
        told = self.schema.get("type", [])
        return {told} if isinstance(told, str) else set(told)

    @property
    def is_file(self) -> bool:
        return _is_file(self.schema)


@dataclass(frozen=True)
class Operation:
    """Something that the API does; its name is the `operationId`."""

    name: str
    method: str
    path: str
    description: str
    values: Mapping[str, Value]
    returns_file: bool

    def check(self, given: Mapping[str, Any]) -> None:
        """Raise WrongCall if *given* has names that are not taken, or lacks one that is needed."""
        for name in given:
            self.value(name)
        needed = [name for name, one in self.values.items() if one.is_required]
        if missing := [name for name in needed if name not in given]:
            raise WrongCall(f"{self.name} needs {', '.join(missing)}.")

    def value(self, name: str) -> Value:
        if name not in self.values:
            taken = ", ".join(self.values) or "nothing"
            raise WrongCall(f"{self.name} does not take {name}. It takes {taken}.")
        return self.values[name]


class Client:
    """Calls operations by name, with their values by name.

    *url* is the address of the site. A request that the site asks to repeat later (Retry-After) is
    repeated. Raises Problem if the site refuses one, and `requests.RequestException` if it cannot
    be reached.
    """

    def __init__(
        self, url: str, token: str = "", *, sleep: Callable[[float], None] = time.sleep
    ) -> None:
        if urlsplit(url).scheme not in {"http", "https"}:
            raise WrongCall(f"{url} is not the address of a site: it begins with https://.")
        self.url, self.token = url.rstrip("/"), token
        self._sleep = sleep
        self._session = requests.Session()

    @classmethod
    def log_in(cls, url: str, username: str, password: str, **more: Any) -> Client:
        """Return a client with a new token; *more* is what `token_create` takes beside these."""
        client = cls(url)
        made = client.call("token_create", username=username, password=password, **more)
        client.token = made["token"]
        return client

    @cached_property
    def operations(self) -> Mapping[str, Operation]:
        """All operations by name; the description is read from the site once."""
        described = self._send("get", "/api/schema/", headers={"Accept": "application/json"})
        return {one.name: one for one in _operations_in(described.json())}

    def operation(self, name: str) -> Operation:
        if name not in self.operations:
            raise WrongCall(f"The API of {self.url} has no operation {name}.")
        return self.operations[name]

    def call(self, operation: str, /, **values: Any) -> Any:
        """Do an operation and return its answer: what its JSON means, a file as bytes, or None.

        Files that are sent are paths or bytes.
        """
        called = self.operation(operation)
        called.check(values)
        path, query, body, files = called.path, {}, {}, {}
        for name, value in values.items():
            described = called.values[name]
            if described.place == "path":
                path = path.replace(f"{{{name}}}", quote(str(value), safe=""))
            elif described.place == "query":
                query[name] = _as_text(value)
            elif described.is_file:
                files[name] = _file(value)
            else:
                body[name] = value
        sent: dict[str, Any] = {}
        if files:
            sent = {"data": {name: _as_text(value) for name, value in body.items()}, "files": files}
        elif any(one.place == "body" for one in called.values.values()):
            sent = {"json": body}
        answer = self._send(called.method, path, params=query, **sent)
        if not answer.content:
            return None
        is_json = answer.headers.get("Content-Type", "").startswith("application/json")
        return answer.json() if is_json and not called.returns_file else answer.content

    def results(self, operation: str, /, **values: Any) -> Iterator[Any]:
        """Yield all results of an operation that answers with a list, page after page."""
        has_pages = "page" in self.operation(operation).values
        page = 1
        while True:
            answer = self.call(operation, **values, **({"page": page} if has_pages else {}))
            yield from answer["results"] if has_pages else answer
            if not has_pages or answer["next"] is None:
                return
            page += 1

    def call_and_wait(self, operation: str, /, *, timeout: float = 120, **values: Any) -> Any:
        """Do an operation; if its answer is not ready yet, return it as soon as it is.

        Raises NotFinished if that fails or takes longer than *timeout* (seconds).
        """
        answer = self.call(operation, **values)
        if operation not in READ_WITH:
            return answer
        reader, name = READ_WITH[operation]
        until, pause = time.monotonic() + timeout, 0.2
        while answer["state"] != "ready":
            if answer["state"] == "failed":
                raise NotFinished(f"{answer[name]} could not be created. {answer['reason']}")
            if time.monotonic() > until:
                raise NotFinished(f"{answer[name]} is not ready after {timeout:g} seconds.")
            self._sleep(pause)
            pause = min(2 * pause, 5)
            answer = self.call(reader, **{name: answer[name]})
        return answer

    def _send(self, method: str, path: str, **more: Any) -> requests.Response:
        for tries in range(1, MOST_TRIES + 1):
            # Redirects would turn a POST into a GET, and could lead the token elsewhere.
            answer = self._session.request(
                method, self.url + path, auth=self._sign, timeout=TIMEOUT,
                allow_redirects=False, **more,
            )  # fmt: skip
            if 200 <= answer.status_code < 300:
                return answer
            wait = answer.headers.get("Retry-After", "")
            is_later = answer.status_code in _LATER and wait.isdecimal()
            if not is_later or int(wait) > LONGEST_WAIT or tries == MOST_TRIES:
                break
            self._sleep(int(wait))
        raise _problem_of(answer)

    def _sign(self, request: requests.PreparedRequest) -> requests.PreparedRequest:
        """Add the token. Without this, requests would send what ~/.netrc has for the site."""
        if self.token:
            # What cannot be sent, requests would show in its error.
            if not re.fullmatch(r"[!-~]+", self.token):
                raise WrongCall("The token has characters that no token has.")
            request.headers["Authorization"] = f"Token {self.token}"
        return request


def _operations_in(described: Mapping[str, Any]) -> Iterator[Operation]:
    for path, methods in described["paths"].items():
        for method, one in methods.items():
            if method in _METHODS:
                values = {each.name: each for each in _values_of(one, described)}
                yield Operation(
                    one["operationId"], method, path, one.get("description", ""), values,
                    returns_file=_returns_file(one),
                )  # fmt: skip


def _values_of(operation: Mapping[str, Any], described: Mapping[str, Any]) -> Iterator[Value]:
    for one in operation.get("parameters", []):
        schema = _resolved(one.get("schema", {}), described)
        is_required = one.get("required", False)
        yield Value(one["name"], one["in"], schema, is_required, one.get("description", ""))
    contents = operation.get("requestBody", {}).get("content", {}).values()
    bodies = [_resolved(content["schema"], described) for content in contents]
    for body in bodies:
        for name, below in body.get("properties", {}).items():
            schema = _resolved(below, described)
            # Where JSON or a form with a file may be sent, each has values that the other lacks.
            is_required = all(name in one.get("required", []) for one in bodies)
            yield Value(name, "body", schema, is_required, below.get("description", ""))


def _returns_file(operation: Mapping[str, Any]) -> bool:
    contents = operation["responses"].get("200", {}).get("content", {})
    return any(_is_file(content.get("schema", {})) for content in contents.values())


def _is_file(schema: Mapping[str, Any]) -> bool:
    return schema.get("format") == "binary"


def _resolved(schema: Mapping[str, Any], described: Mapping[str, Any]) -> Mapping[str, Any]:
    while "$ref" in schema or len(schema.get("allOf", [])) == 1:
        if "$ref" in schema:
            schema = described["components"]["schemas"][schema["$ref"].rpartition("/")[2]]
        else:
            schema = schema["allOf"][0]
    return schema


def _as_text(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _file(value: str | Path | bytes) -> tuple[str, bytes]:
    if isinstance(value, bytes):
        return "file", value
    return Path(value).name, Path(value).read_bytes()


def _problem_of(answer: requests.Response) -> Problem:
    """Return why a request was refused: what stands in front of a site may know no problems."""
    try:
        told = answer.json()
        return Problem(answer.status_code, told["code"], told["detail"], told.get("errors"))
    except (ValueError, KeyError, TypeError):
        sentence = f"The site answered {answer.status_code} {answer.reason}."
        return Problem(answer.status_code, "unknown", sentence)
