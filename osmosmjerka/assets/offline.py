"""What makes the site installable, and lets students go on without a connection.

The service worker decides what is kept on a device, see static/osmosmjerka/sw.js. A response tells
it to whom a page belongs, and whether it may be kept.
"""

from __future__ import annotations

import hashlib
from functools import lru_cache

from django.conf import settings
from django.contrib.staticfiles.storage import staticfiles_storage
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.templatetags.static import static
from django.utils import translation
from django.utils.translation import gettext as _
from django.views.decorators.cache import cache_control
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import etag, require_safe

from osmosmjerka.assets.bundling import join_script
from osmosmjerka.assets.script_texts import Script, source_of
from osmosmjerka.web.requests import Handler

WORKER = "osmosmjerka/sw.js"
PAPER = "#faf6ee"  # as --paper in static/osmosmjerka/tokens.css
KEEP = "X-Keep"  # a page with this header may be kept for its student


def worker() -> Script:
    """Return the service worker of this version; it changes whenever any static file does."""
    return _worker(str(getattr(staticfiles_storage, "manifest_hash", "")))


@lru_cache(maxsize=1)
def _worker(files: str) -> Script:
    source = join_script(WORKER, source_of)
    version = hashlib.sha256(f"{files} {source}".encode()).hexdigest()[:12]
    script = f'const VERSION = "{version}";\n{source}'.encode()
    return Script(script, version)


class WorkerMiddleware:
    """Answer with the service worker.

    Browsers ask whether it has changed each time a page is opened. So it is answered before there
    is a session, and mostly by saying that it has not.
    """

    def __init__(self, get_response: Handler) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return _answer(request) if request.path_info == "/sw.js" else self.get_response(request)


@gzip_page
@cache_control(no_cache=True)
@require_safe
@etag(lambda _request: f'"{worker().version}"')
def _answer(request: HttpRequest) -> HttpResponse:
    return HttpResponse(worker().body, content_type="text/javascript; charset=utf-8")


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
