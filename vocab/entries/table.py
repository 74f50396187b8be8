"""The rows of a list's table: what they show and say, and where their buttons lead.

A page has a hundred rows of a dozen texts and addresses. A template would look each of them up
again for each row, which took most of the page's time.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.urls import reverse
from django.utils.translation import gettext as _

from vocab.entries import selectors
from vocab.entries.fitness import Finding
from vocab.models import Entry, Pronunciation, VocabularyList
from vocab.sounds import playback

_ANY = "999999999"


@dataclass(frozen=True, slots=True)
class Row:
    """An entry with its sound, why it does not fit into a puzzle, and the names of its buttons."""

    entry: Entry
    heard: Pronunciation | None
    findings: Sequence[Finding]
    select: str
    picture: str
    play: str
    sound: str
    edit: str
    up: str
    down: str
    urls: dict[str, str]


def rows_of(vocabulary_list: VocabularyList, entries: Sequence[Entry]) -> list[Row]:
    """Return the rows of some entries of a list."""
    findings = selectors.fitness_of(vocabulary_list, entries)
    heard = playback.heard(entries, vocabulary_list)
    select, picture, play = _("Select %(term)s"), _("Picture of %(term)s"), _("Play %(term)s")
    # Translators: %(voice)s is the name of a voice, such as Google. It must stay as it is.
    sound, no_sound = _("Sound of %(term)s: %(voice)s"), _("No sound yet for %(term)s")
    edit, up, down = _("Edit %(term)s"), _("Move %(term)s up"), _("Move %(term)s down")
    addresses = {
        "edit": _address("entry-edit"),
        "place": _address("entry-place"),
        "same": _address("entry-same"),
        "sound": _address("entry-sound"),
        "audio": _address("entry-audio", "normal"),
        "picture": _address("entry-picture"),
        "image": _address("entry-file", "image"),
    }
    rows = []
    for entry in entries:
        its = heard.get(entry.pk)
        term, key = {"term": entry.term}, str(entry.pk)
        says = sound % (term | {"voice": its.get_engine_display()}) if its else no_sound % term
        urls = {name: before + key + after for name, (before, after) in addresses.items()}
        rows.append(
            Row(
                entry, its, findings.get(entry.pk, ()), select % term, picture % term, play % term,
                says, edit % term, up % term, down % term, urls,
            )
        )  # fmt: skip
    return rows


def _address(name: str, *rest: str) -> tuple[str, str]:
    """Return what stands before and after an entry's id in the address of a page."""
    before, _key, after = reverse(name, args=[int(_ANY), *rest]).partition(_ANY)
    return before, after
