"""What scripts say, in each language, at an address that changes when the texts do.

So browsers keep it for good. It is the same for everybody and answered before sessions, so that
another student who logs in on a shared tablet does not load it again.
"""

from __future__ import annotations

import hashlib
import json
import re
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from django.conf import settings
from django.contrib.staticfiles import finders
from django.http import HttpRequest, HttpResponse
from django.utils import translation
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import require_safe
from django.views.i18n import JavaScriptCatalog

from osmosmjerka.assets.bundling import OURS, join_script
from osmosmjerka.web.requests import Handler

ALL = "all.js"
ON_EVERY_PAGE = "osmosmjerka/app.js"

_ADDRESS = re.compile(r"/script-texts/([\w-]+)/((?:[\w-]+/)*[\w-]+)\.(\w+)(\.js)")
_SAID = re.compile(r'gettext\(\s*("(?:[^"\\]|\\.)*")')


class Script(NamedTuple):
    """A script that the site makes, such as one that defines gettext() and what it returns."""

    body: bytes
    version: str


class _Catalogue(JavaScriptCatalog):
    """The translations of what one script says, or of all; without Django's own."""

    packages = ["osmosmjerka"]
    script = ""

    def get_catalog(self) -> dict[str, Any]:
        texts: dict[str, Any] = super().get_catalog()
        if self.script == ALL:
            return texts
        said = sentences(ON_EVERY_PAGE) | sentences(self.script)
        return {sentence: texts[sentence] for sentence in said & texts.keys()}

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        return super().get_context_data(**kwargs) | {"formats": {}}  # scripts use Intl


@cache
def sentences(script: str) -> frozenset[str]:
    """Return what a script and those that it imports say, in English."""
    return frozenset(map(json.loads, _SAID.findall(join_script(script, source_of))))


def source_of(name: str) -> str:
    """Return the text of one of our scripts as it is written; LookupError if there is none."""
    path = finders.find(name) if name.startswith(OURS) else None
    if path is None:
        raise LookupError(name)
    return Path(path).read_text(encoding="utf-8")


@cache
def texts(language: str, script: str) -> Script:
    """Return the texts of a script; LookupError if there is no such script."""
    with translation.override(language):
        made = _Catalogue(script=script).get(HttpRequest()).content
    return Script(made, hashlib.sha256(made).hexdigest()[:12])


def address(script: str) -> str:
    """Return the address of the texts of a script in the language of the page."""
    language = translation.get_language()
    if language not in dict(settings.LANGUAGES):
        language = settings.LANGUAGE_CODE
    version = texts(language, script).version
    return f"/script-texts/{language}/{script.removesuffix('.js')}.{version}.js"


class ScriptTextsMiddleware:
    """Answer with the texts of scripts."""

    def __init__(self, get_response: Handler) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        asked = _ADDRESS.fullmatch(request.path_info)
        if asked and asked[1] in dict(settings.LANGUAGES):
            try:
                return _answer(request, texts(asked[1], asked[2] + asked[4]), asked[3])
            except LookupError:
                pass
        return self.get_response(request)


@gzip_page
@require_safe
def _answer(request: HttpRequest, texts: Script, version: str) -> HttpResponse:
    response = HttpResponse(texts.body, content_type="text/javascript; charset=utf-8")
    # A page from before an update gets the present texts, which it must not keep.
    is_current = version == texts.version
    response["Cache-Control"] = "max-age=315360000, public, immutable" if is_current else "no-cache"
    return response
