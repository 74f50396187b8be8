"""Help: one page per topic, for everybody, also without an account."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_safe

# In the order in which a new teacher meets them. Each has a template of this name.
TOPICS = {
    "first-steps": _("First steps"),
    "lists": _("Lists and pasting words"),
    "puzzles": _("Puzzles and their types"),
    "classes": _("Classes and login cards"),
    "assigning": _("Assigning"),
    "lesson": _("During the lesson"),
    "progress": _("Progress and what the figures mean"),
    "printing": _("Printing and export"),
    "privacy": _("Privacy and data"),
    "keyboard": _("Keyboard and accessibility for students"),
}


@require_safe
def help_index(request: HttpRequest) -> HttpResponse:
    return render(request, "help/index.html", {"topics": TOPICS.items()})


@require_safe
def help_topic(request: HttpRequest, topic: str) -> HttpResponse:
    if topic not in TOPICS:
        raise Http404
    slugs = list(TOPICS)
    following = slugs[slugs.index(topic) + 1 :][:1]
    return render(
        request,
        f"help/{topic}.html",
        {
            "topic": topic,
            "title": TOPICS[topic],
            "topics": TOPICS.items(),
            "following": [(slug, TOPICS[slug]) for slug in following],
        },
    )
