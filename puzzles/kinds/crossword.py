"""The crossword: words clued by meaning, sound, sentence or picture, typed into crossing cells."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from random import Random
from typing import Any, cast

from django import forms
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext, pgettext_lazy

from puzzles.generators.crossword import Crossword as CrosswordGrid
from puzzles.generators.crossword.puzzle import without_place
from puzzles.kinds.base import (
    Kind,
    Layout,
    MoveRefused,
    Parts,
    Request,
    SentMove,
    Slot,
    Turn,
    TurnYielded,
    Verdict,
    cells_of,
    indexed,
    placement_in,
)
from puzzles.models import Placement, Puzzle
from vocab.message import message
from vocab.models import Entry, Review
from vocab.sounds import playback
from vocab.text import Accents, compare, match_key, without_finals


class CrosswordForm(forms.Form):
    words = forms.IntegerField(
        label=_("Number of words"), min_value=2, max_value=100, initial=15, required=False
    )
    seconds = forms.FloatField(
        label=_("Search time in seconds"),
        min_value=0.1,
        max_value=60,
        initial=1,
        required=False,
        help_text=_("A longer search finds crosswords with more crossing words."),
    )
    clue = forms.ChoiceField(
        label=_("Clue"),
        choices=[
            ("translation", _("translation")),
            ("sound", _("sound of the word")),
            ("both", _("translation and sound")),
            ("sentence", _("example sentence with a gap (otherwise the translation)")),
            ("hint", _("hint or definition (otherwise the translation)")),
            ("picture", _("picture (otherwise the translation)")),
        ],
        initial="translation",
        required=False,
    )


# A search for less is not worth another turn.
_SHORTEST = 0.001


@dataclass(frozen=True)
class _SoFar:
    """What the turns of a search have found."""

    words: Sequence[str]
    spent: float = 0.0  # seconds
    turns: int = 0
    best: CrosswordGrid | None = None

    @classmethod
    def of(cls, turn: Turn | None, words: Sequence[str]) -> _SoFar:
        """Return what *turn* continues; nothing if the words were changed since."""
        stored = turn.so_far if turn else {}
        if stored.get("words") != list(words):
            return cls(words)
        best = CrosswordGrid.from_json(stored["best"])
        placed = {placement.word for placement in best.placements}
        left_out = without_place(word for word in words if word not in placed)
        best = replace(best, unplaced=tuple(left_out))
        return cls(words, stored["spent"], stored["turns"], best)

    def as_json(self) -> dict[str, Any]:
        """Return it in a form that JSON can store."""
        return {
            "words": list(self.words),
            "spent": self.spent,
            "turns": self.turns,
            "best": self.best and self.best.as_json(),
        }


def _letters(tiles: Sequence[str], language: str) -> str:
    """Return the letters of an answer, wherever they are cut: N and J or NJ, SS or ẞ."""
    return match_key(without_finals("".join(tiles)).replace("ẞ", "SS"), language)


class Crossword(Kind):
    __slots__ = ()

    slug = "crossword"
    name = _("Crossword")
    description = _("The clues are meanings, sounds, sentences or pictures.")
    way = pgettext_lazy("words", "Type")
    live_mode = "together"
    instruction = _("Write the words into the grid.")
    queue = "search"
    settings_form = CrosswordForm
    shows_letters = False
    is_searched = True
    takes_files = True
    maker_page = "search-new"

    def is_heard(self, settings: dict[str, Any]) -> bool:
        return settings.get("clue") in ("sound", "both")

    def why_not(self, entry: Entry, settings: dict[str, Any]) -> str | None:
        if entry.translations.all():
            return None
        language, clue = entry.vocabulary_list.language, settings.get("clue")
        if self.is_heard(settings) and playback.is_speakable(language, entry.pk):
            return None
        if (clue == "sentence" and entry.gap_sentence()) or (clue == "hint" and entry.safe_hint()):
            return None
        return message("It has no translation, so there is no clue for it.")

    def generate(self, request: Request) -> Layout:
        from puzzles.generators import crossword

        words, turn, rng = request.words, request.turn, request.rng
        so_far = _SoFar.of(turn, words)
        began = time.monotonic()
        made = so_far.best
        try:
            made = crossword.generate(
                list(words),
                language=request.language,
                digraphs=request.digraphs,
                seconds=max(_SHORTEST, request.settings["seconds"] - so_far.spent),
                # Another turn must not repeat what the last one tried.
                rng=Random(f"{rng.random()}:{so_far.turns}") if so_far.turns else rng,
                start_from=so_far.best,
                should_stop=turn.should_stop if turn else None,
                islands=crossword.needs_islands(
                    words, language=request.language, digraphs=request.digraphs
                ),
            )
        except crossword.CrosswordError:
            # A crossword may not fit the board on which it grew: what there was is kept.
            if made is None:
                raise
        spent = so_far.spent + time.monotonic() - began
        is_over = request.settings["seconds"] - spent < _SHORTEST
        if turn is not None and not is_over and turn.should_stop():
            raise TurnYielded(_SoFar(words, spent, so_far.turns + 1, made).as_json())
        slots = [
            Slot(index, placement.cells, placement.number, placement.direction)
            for index, placement in indexed(words, made.placements)
        ]
        return Layout(made.grid, slots, made.unplaced)

    def parts(self, request: Request) -> Parts:
        from puzzles.generators import crossword

        words, language, digraphs = request.words, request.language, request.digraphs
        families = crossword.families(words, language=language, digraphs=digraphs)
        if crossword.needs_islands(words, language=language, digraphs=digraphs):
            return Parts(len(families))
        apart = {word for family in families[1:] for word in family}
        reason = message("It shares no letters with the other words.")
        return Parts(left_out={place: reason for place, word in enumerate(words) if word in apart})

    def clue(self, placement: Placement, settings: dict[str, Any]) -> str | None:
        if settings.get("clue") == "sound":
            return None
        return self.printed_clue(placement, settings) or None

    def clue_without_sound(self, placement: Placement, settings: dict[str, Any]) -> str:
        return self.printed_clue(placement, settings)

    def printed_clue(self, placement: Placement, settings: dict[str, Any]) -> str:
        if settings.get("clue") == "sentence" and placement.sentence:
            return placement.sentence
        if settings.get("clue") == "hint" and placement.hint:
            return placement.hint
        return " · ".join(placement.translations)

    def shows_picture(self, settings: dict[str, Any]) -> bool:
        return True

    def shows_picture_only(self, settings: dict[str, Any]) -> bool:
        return settings.get("clue") == "picture"

    def judge(self, move: SentMove, placements: Sequence[Placement], puzzle: Puzzle) -> Verdict:
        chosen = placement_in(move.slot, placements)
        typed = move.tiles
        if typed is None or len(typed) != len(chosen.tiles):
            raise MoveRefused(
                ngettext(
                    "This word has %(count)s letter. Send one letter for each square.",
                    "This word has %(count)s letters. Send one letter for each square.",
                    len(chosen.tiles),
                )
                % {"count": len(chosen.tiles)}
            )
        vocabulary_list = puzzle.vocabulary_list
        is_check = not all(typed)
        if not is_check and _letters(typed, vocabulary_list.language) == _letters(
            chosen.tiles, vocabulary_list.language
        ):
            return Verdict(chosen)
        compared = partial(
            compare,
            language=vocabulary_list.language,
            accents=cast(Accents, vocabulary_list.accents),
            digraphs=vocabulary_list.uses_digraphs,
        )
        # A spelling that is right by rule may share its letters out otherwise: हिं-दी for हि-न्दी.
        is_right = not is_check and compared("".join(chosen.tiles), "".join(typed)).is_right
        wrong, slips = [], []
        for cell, expected, tile in zip(cells_of(chosen), chosen.tiles, typed, strict=True):
            if not tile:
                continue
            comparison = compared(without_finals(expected), without_finals(tile))
            if comparison.is_accent_slip and comparison.is_right:
                slips.append(cell)
            elif not comparison.is_right and not is_right:
                wrong.append(cell)
        return Verdict(
            None if is_check or wrong else chosen,
            wrong_cells=tuple(wrong),
            accent_cells=tuple(slips),
            is_check=is_check,
        )

    def skill(self, settings: dict[str, Any], *, was_heard: bool) -> Review.Skill:
        return Review.Skill.SOUND_TO_FORM if was_heard else Review.Skill.MEANING_TO_FORM
