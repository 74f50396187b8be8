"""Messages that offer to undo what they tell of. A message can carry nothing but tags."""

from __future__ import annotations

import re

from django.urls import reverse

_TAG = re.compile(r"\bundo-([a-z]+)-([0-9]+)\b")


def undo_tag(section: str, pk: int) -> str:
    """Return the tag of a message that offers to take a thing out of the bin."""
    return f"undo-{section}-{pk}"


def undo_address(tags: str) -> str:
    """Return the address that restores what a message with these tags tells of, or ""."""
    found = _TAG.search(tags)
    return reverse("bin-restore", args=[found[1], int(found[2])]) if found else ""
