"""What the worksheet page says about a puzzle."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from django.utils.translation import ngettext

from osmosmjerka.paper.lettering import left_out
from puzzles.kinds import KINDS
from puzzles.making.downloads import shown
from puzzles.models import Placement, Puzzle


def told_of_fallbacks(puzzle: Puzzle, placements: Sequence[Placement], shows: str) -> list[str]:
    """Return how many words lack what the list is to show, and what is printed instead."""
    kind = KINDS[puzzle.kind]
    listed = [
        shown(kind, puzzle, one, shows, is_drawn=False) for one in placements if not one.is_bonus
    ]
    lacking = Counter(one.lacks for one in listed)
    told = []
    if count := lacking["translation"]:
        told.append(_without(shows, count) % {"count": count})
    if count := lacking["word"]:
        told.append(
            ngettext(
                "%(count)s word has neither this nor a translation; the word itself is printed.",
                "%(count)s words have neither this nor a translation; they are printed themselves.",
                count,
            )
            % {"count": count}
        )
    if count := lacking["length"]:
        told.append(
            ngettext(
                "%(count)s word has no clue; only its number of letters is printed.",
                "%(count)s words have no clue; only their numbers of letters are printed.",
                count,
            )
            % {"count": count}
        )
    if count := sum(bool(left_out(one.clue)) for one in listed if not one.picture):
        told.append(
            ngettext(
                "%(count)s clue has emoji that the print fonts lack; they are left out.",
                "%(count)s clues have emoji that the print fonts lack; they are left out.",
                count,
            )
            % {"count": count}
        )
    return told


def _without(shows: str, count: int) -> str:
    match shows:
        case "examples":
            return ngettext(
                "%(count)s word has no example with a gap; its translation is printed.",
                "%(count)s words have no example with a gap; their translation is printed.",
                count,
            )
        case "pictures":
            return ngettext(
                "%(count)s word has no picture; its translation is printed.",
                "%(count)s words have no picture; their translation is printed.",
                count,
            )
        case _:
            return ngettext(
                "%(count)s word has no hint or definition; its translation is printed.",
                "%(count)s words have no hint or definition; their translation is printed.",
                count,
            )
