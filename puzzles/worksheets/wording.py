"""What the worksheet page says about a puzzle."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from django.utils.translation import ngettext_lazy

from osmosmjerka.paper.lettering import left_out
from puzzles.kinds import KINDS
from puzzles.making.downloads import shown
from puzzles.models import Placement, Puzzle

# What is printed instead of what words lack; of a translation, by what the list is to show.
_FALLBACKS = {
    "word": ngettext_lazy(
        "%(count)s word has neither what the list shows nor a translation; the word itself is "
        "printed.",
        "%(count)s words have neither what the list shows nor a translation; the words themselves "
        "are printed.",
        "count",
    ),
    "length": ngettext_lazy(
        "%(count)s word has no clue; only the number of letters is printed.",
        "%(count)s words have no clue; only the number of letters is printed.",
        "count",
    ),
    "emoji": ngettext_lazy(
        "%(count)s clue has emoji that the print fonts lack; they are left out.",
        "%(count)s clues have emoji that the print fonts lack; they are left out.",
        "count",
    ),
}
_TRANSLATIONS = {
    "examples": ngettext_lazy(
        "%(count)s word has no example with a gap; its translation is printed.",
        "%(count)s words have no example with a gap; their translation is printed.",
        "count",
    ),
    "pictures": ngettext_lazy(
        "%(count)s word has no picture; its translation is printed.",
        "%(count)s words have no picture; their translation is printed.",
        "count",
    ),
    "definitions": ngettext_lazy(
        "%(count)s word has no hint or definition; its translation is printed.",
        "%(count)s words have no hint or definition; their translation is printed.",
        "count",
    ),
}


def told_of_fallbacks(puzzle: Puzzle, placements: Sequence[Placement], shows: str) -> list[str]:
    """Return how many words lack what the list is to show, and what is printed instead."""
    kind = KINDS[puzzle.kind]
    listed = [
        shown(kind, puzzle, one, shows, is_drawn=False) for one in placements if not one.is_bonus
    ]
    lacking = Counter(one.lacks for one in listed)
    lacking["emoji"] = sum(bool(left_out(one.clue)) for one in listed if not one.picture)
    texts = {"translation": _TRANSLATIONS.get(shows, _TRANSLATIONS["definitions"])} | _FALLBACKS
    return [
        str(text % {"count": count}) for lack, text in texts.items() if (count := lacking[lack])
    ]
