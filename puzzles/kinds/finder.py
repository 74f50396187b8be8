"""Listen and find: a word is heard and must be found in a row."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from puzzles.generators.grid import Cell
from puzzles.kinds.base import (
    Kind,
    Layout,
    Miss,
    Parts,
    Request,
    SentMove,
    Slot,
    Verdict,
    cells_of,
    indexed,
    placement_in,
    traced_cells,
)
from puzzles.models import Placement, Puzzle
from vocab.message import messages
from vocab.models import Entry, Review
from vocab.sounds import playback
from vocab.speech.homophones import sound_alike
from vocab.text import fewest_tiles


class FinderForm(forms.Form):
    words = forms.IntegerField(
        label=_("Number of words"), min_value=1, max_value=30, initial=10, required=False
    )
    rows = forms.IntegerField(
        label=pgettext_lazy("grid", "Rows"), min_value=1, max_value=30, initial=10, required=False
    )
    cols = forms.IntegerField(
        label=pgettext_lazy("grid", "Columns"),
        min_value=3,
        max_value=30,
        initial=10,
        required=False,
    )
    difficulty = forms.ChoiceField(
        label=_("Difficulty"),
        choices=[("easy", _("Easy")), ("hard", _("Hard"))],
        initial="easy",
        required=False,
    )
    # Translators: words are read in the direction of the script only, not backwards.
    forwards_only = forms.BooleanField(label=_("Forwards only"), initial=True, required=False)


class Finder(Kind):
    __slots__ = ()

    slug = "finder"
    name = _("Listen and find")
    description = _("Hear a word and find it in a row.")
    way = pgettext_lazy("words", "Hear")
    live_mode = "listen"
    instruction = _("Find each word in a row of the grid and circle it.")
    settings_form = FinderForm
    chooses_words = True
    player_settings = ("difficulty", "forwards_only")

    def generate(self, request: Request) -> Layout:
        from puzzles.generators import finder

        settings = request.settings
        made = finder.generate(
            list(request.words),
            words=settings["words"],
            rows=settings["rows"],
            cols=settings["cols"],
            difficulty=settings["difficulty"],
            forwards_only=settings["forwards_only"],
            language=request.language,
            digraphs=request.digraphs,
            blocklist=request.blocklist,
            rng=request.rng,
        )
        placed = indexed(request.words, made.placements)
        slots = [Slot(index, placement.cells) for index, placement in placed]
        return Layout(made.grid, slots, made.unplaced, made.attempts)

    def why_unfit(self, entry: Entry, settings: dict[str, Any]) -> str | None:
        count, longest = len(entry.tiles), settings.get("cols")
        if longest is not None and count > longest:
            return messages(
                "It has {count} letter, but a row has room for only {longest}.",
                "It has {count} letters, but a row has room for only {longest}.",
                count,
                longest=longest,
            )
        return super().why_unfit(entry, settings)

    def parts(self, request: Request) -> Parts:
        from puzzles.generators import finder

        left = finder.left_over(
            request.words,
            wanted=request.settings["words"],
            cols=request.settings["cols"],
            forwards_only=request.settings["forwards_only"],
            language=request.language,
            digraphs=request.digraphs,
        )
        return Parts(left_out={place: refused.reason for place, refused in left.items()})

    def fewest_letters(self, tiles: Sequence[str]) -> int:
        return fewest_tiles(tiles)

    def askable(self, entries: Iterable[Entry], settings: dict[str, Any]) -> list[Entry]:
        return super().askable(playback.speakable(entries), settings)

    def is_heard(self, settings: dict[str, Any]) -> bool:
        return True

    def clue(self, placement: Placement, settings: dict[str, Any]) -> str | None:
        return None

    def judge(self, move: SentMove, placements: Sequence[Placement], puzzle: Puzzle) -> Verdict:
        cells = traced_cells(move, puzzle)
        chosen = placement_in(move.slot, placements)
        traced = [placement for placement in placements if _reads(placement, cells, puzzle)]
        for placement in traced:
            # Who hears a word cannot know which of two words with the same sound is meant.
            if placement == chosen or (
                move.was_heard
                and sound_alike(
                    placement.spoken, chosen.spoken, puzzle.vocabulary_list.spoken_language
                )
            ):
                return Verdict(placement)
        if chosen is not None and cells == cells_of(chosen)[::-1]:
            return Verdict(miss=Miss.BACKWARDS)
        return Verdict(miss=Miss.OTHER_WORD if traced else Miss.NOT_IT)

    def skill(self, settings: dict[str, Any], *, was_heard: bool) -> Review.Skill:
        return Review.Skill.SOUND_TO_FORM if was_heard else Review.Skill.FORM


def _reads(placement: Placement, cells: tuple[Cell, ...], puzzle: Puzzle) -> bool:
    """Return whether *cells* read the placement from its first letter to its last."""
    own = cells_of(placement)
    is_palindrome = placement.tiles == placement.tiles[::-1]
    may_turn = is_palindrome and not puzzle.settings["forwards_only"]
    return cells == own or (may_turn and cells == own[::-1])
