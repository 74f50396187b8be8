"""Errors of the API as problem details (RFC 9457): one shape, whatever refuses a request.

    {
        "type": "about:blank",
        "title": "Bad Request",
        "status": 400,
        "code": "invalid",
        "detail": "entries/1/term: This field is required.",
        "errors": [
            {
                "pointer": "#/entries/1/term",
                "detail": "This field is required.",
                "code": "required"
            }
        ]
    }

`title` is HTTP's name of the status, in English. `detail` is for people, in their language, `code`
for programs. `errors` is there if single values of the body, or parameters of the query, are
invalid: `pointer` is a JSON pointer (RFC 6901), `parameter` a name.

This module knows nothing of REST framework: middleware refuses requests, too.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any
from urllib.parse import quote

from django.http import JsonResponse
from django_stubs_ext import StrOrPromise

MEDIA_TYPE = "application/problem+json"

_WHOLE = "#"  # points to the whole body
# What Django and REST framework call errors that are about no single value.
_OF_THE_WHOLE = {"__all__", "non_field_errors"}
_MOST_IN_SENTENCE = 3


def problem(
    status: int,
    detail: StrOrPromise,
    code: str,
    *,
    headers: Mapping[str, str] | None = None,
    **more: Any,
) -> JsonResponse:
    """Return an error of the API; *more* are members beside the usual ones."""
    told = {
        "type": "about:blank",
        "title": HTTPStatus(status).phrase,
        "status": status,
        "code": code,
        "detail": detail,
    }
    return JsonResponse(
        told | more,
        status=status,
        headers=dict(headers or {}),
        content_type=MEDIA_TYPE,
        json_dumps_params={"ensure_ascii": False},
    )


def invalid(detail: Any, *, of_query: bool = False) -> JsonResponse:
    """Return 400 for invalid values.

    *detail* is what a ValidationError of REST framework holds: sentences, or lists and dicts of
    them, nested as the values are. *of_query* are parameters of the query, not values of the body.
    """
    found = list(_found_in(detail, _WHOLE))
    errors = [
        {"parameter" if of_query else "pointer": one.name_of_parameter if of_query else one.pointer}
        | {"detail": one.detail, "code": one.code}
        for one in found
        if one.pointer != _WHOLE
    ]
    sentences = [one.sentence for one in found[:_MOST_IN_SENTENCE]]
    if len(found) > _MOST_IN_SENTENCE:
        sentences.append("…")
    more: dict[str, Any] = {"errors": errors} if errors else {}
    return problem(400, " ".join(sentences), "invalid", **more)


@dataclass(frozen=True)
class _Invalid:
    pointer: str
    place: str  # the same for people, without escapes
    detail: str
    code: str

    @property
    def name_of_parameter(self) -> str:
        return self.place.partition("/")[0]

    @property
    def sentence(self) -> str:
        return f"{self.place}: {self.detail}" if self.place else self.detail


def _found_in(detail: Any, pointer: str, place: str = "") -> Iterator[_Invalid]:
    if isinstance(detail, Mapping):
        for name, below in detail.items():
            if name in _OF_THE_WHOLE:
                yield from _found_in(below, pointer, place)
            else:
                yield from _found_in(below, *_below(pointer, place, str(name)))
    elif isinstance(detail, list | tuple):
        for index, below in enumerate(detail):
            if isinstance(below, Mapping | list | tuple):
                yield from _found_in(below, *_below(pointer, place, str(index)))
            else:
                yield from _found_in(below, pointer, place)
    else:
        yield _Invalid(pointer, place, str(detail), getattr(detail, "code", None) or "invalid")


def _below(pointer: str, place: str, name: str) -> tuple[str, str]:
    escaped = quote(name.replace("~", "~0").replace("/", "~1"), safe="~")
    return f"{pointer}/{escaped}", f"{place}/{name}" if place else name
