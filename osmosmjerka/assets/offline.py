"""What makes the site installable, and lets students go on without a connection.

The service worker decides what is kept on a device, see static/osmosmjerka/sw.js. A response tells
it to whom a page belongs, and whether it may be kept.
"""

from __future__ import annotations

import gzip
import hashlib
from dataclasses import dataclass
from functools import lru_cache

from django.conf import settings
from django.contrib.staticfiles.storage import staticfiles_storage
from django.http import HttpRequest, HttpResponse, HttpResponseNotModified, JsonResponse
from django.shortcuts import render
from django.templatetags.static import static
from django.utils import translation
from django.utils.cache import patch_vary_headers
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from osmosmjerka.assets.bundling import join_script
from osmosmjerka.assets.script_texts import source_of
from osmosmjerka.web.requests import Handler

WORKER = "osmosmjerka/sw.js"
PAPER = "#faf6ee"  # as --paper in static/osmosmjerka/tokens.css
KEEP = "X-Keep"  # a page with this header may be kept for its student


@dataclass(frozen=True, slots=True)
class Worker:
    """The service worker of this version of the site."""

    script: bytes
    compressed: bytes
    version: str


def worker() -> Worker:
    """Return the service worker; it changes whenever any static file does."""
    return _worker(str(getattr(staticfiles_storage, "manifest_hash", "")))


@lru_cache(maxsize=1)
def _worker(files: str) -> Worker:
    source = join_script(WORKER, source_of)
    version = hashlib.sha256(f"{files} {source}".encode()).hexdigest()[:12]
    script = f'const VERSION = "{version}";\n{source}'.encode()
    return Worker(script, gzip.compress(script, mtime=0), version)


class WorkerMiddleware:
    """Answer with the service worker.

    Browsers ask whether it has changed each time a page is opened. So it is answered before there
    is a session, and mostly by saying that it has not.
    """

    def __init__(self, get_response: Handler) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return _answer(request) if request.path_info == "/sw.js" else self.get_response(request)


@require_safe
def _answer(request: HttpRequest) -> HttpResponse:
    now = worker()
    tag = f'"{now.version}"'
    response: HttpResponse
    # A proxy that compresses makes the tag a weak one.
    if tag in request.headers.get("If-None-Match", ""):
        response = HttpResponseNotModified()
    else:
        is_compressed = "gzip" in request.headers.get("Accept-Encoding", "")
        response = HttpResponse(
            now.compressed if is_compressed else now.script,
            content_type="text/javascript; charset=utf-8",
        )
        if is_compressed:
            response["Content-Encoding"] = "gzip"
    patch_vary_headers(response, ["Accept-Encoding"])
    response["ETag"] = tag
    response["Cache-Control"] = "no-cache"
    return response


@require_safe
def offline_page(request: HttpRequest) -> HttpResponse:
    """Show what a device shows without a connection. It says nothing of anybody."""
    return render(request, "offline.html")


@require_safe
def manifest(request: HttpRequest) -> JsonResponse:
    """Return what a device has to know to install the site, in the reader's language."""
    icons = [("icon-192.png", "192x192", "any"), ("icon-512.png", "512x512", "any"),
             ("icon-maskable-512.png", "512x512", "maskable")]  # fmt: skip
    response = JsonResponse(
        {
            "id": "/",
            "name": "Osmosmjerka",
            "short_name": "Osmosmjerka",
            "description": _("Learn vocabulary with puzzles"),
            "lang": translation.get_language() or settings.LANGUAGE_CODE,
            "dir": "rtl" if translation.get_language_bidi() else "ltr",
            "start_url": "/",
            "scope": "/",
            "display": "standalone",
            "theme_color": PAPER,
            "background_color": PAPER,
            "icons": [
                *(
                    {
                        "src": static(f"osmosmjerka/{name}"),
                        "sizes": size,
                        "type": "image/png",
                        "purpose": purpose,
                    }
                    for name, size, purpose in icons
                ),
                {
                    "src": static("osmosmjerka/favicon.svg"),
                    "sizes": "any",
                    "type": "image/svg+xml",
                    "purpose": "any",
                },
            ],
        },
        content_type="application/manifest+json; charset=utf-8",
    )
    response["Cache-Control"] = "private, max-age=3600"
    return response
