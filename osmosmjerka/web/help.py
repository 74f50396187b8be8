"""Help: one page a topic, for everybody, also without an account.

The texts are those of the guides in `docs/teach/` and `docs/learn/`, written in Markdown: one file
a topic, with a folder for each language other than English.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.templatetags.static import static
from django.urls import reverse
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language
from django.views.decorators.http import require_safe

from osmosmjerka.paths import PROGRAM

# In the order in which a new teacher meets them.
TOPICS = {
    "first-steps": "teach",
    "lists": "teach",
    "puzzles": "teach",
    "classes": "teach",
    "assigning": "teach",
    "lesson": "teach",
    "together": "teach",
    "progress": "teach",
    "printing": "teach",
    "privacy": "teach",
    "keyboard": "teach",
    "students": "learn",
}
"""The folder of the guide that has the topic, by its slug."""


@dataclass(frozen=True, slots=True)
class Topic:
    """A page of the guide in one language."""

    slug: str
    title: str
    text: SafeString


@cache
def read(slug: str, language: str) -> Topic:
    """Return a topic in a language, or in English if it is not written in that language."""
    import markdown  # by the pages of the help alone

    folder = PROGRAM / "docs" / TOPICS[slug]
    written = folder / language / f"{slug}.md"
    source = (written if written.is_file() else folder / f"{slug}.md").read_text(encoding="utf-8")
    heading, _break, text = source.partition("\n")
    page = markdown.markdown(text, extensions=["tables"])
    page = re.sub(r'src="(?:\.\./)+\w+/static/([^"]+)"', _picture, page)
    page = re.sub(r'href="(?:[./\w]*/)?([a-z-]+)\.md"', _link, page)
    return Topic(slug, heading.removeprefix("# "), mark_safe(page))  # noqa: S308  (our own text)


def _picture(found: re.Match[str]) -> str:
    return f'src="{static(found[1])}" loading="lazy"'


def _link(found: re.Match[str]) -> str:
    return f'href="{reverse("help", args=[found[1]])}"'


def _topics() -> list[Topic]:
    language = get_language() or settings.LANGUAGE_CODE
    return [read(slug, language) for slug in TOPICS]


@require_safe
def help_index(request: HttpRequest) -> HttpResponse:
    return render(request, "help/index.html", {"topics": _topics()})


@require_safe
def help_topic(request: HttpRequest, topic: str) -> HttpResponse:
    if topic not in TOPICS:
        raise Http404
    topics = _topics()
    place = list(TOPICS).index(topic)
    context = {"topic": topics[place], "next": topics[place + 1 : place + 2]}
    return render(request, "help/topic.html", context)
