"""The word search: words in eight directions that cross each other."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from random import Random
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from puzzles.kinds.base import (
    FromWords,
    Kind,
    Layout,
    MadeOfWords,
    SentMove,
    Slot,
    Turn,
    Verdict,
    cells_of,
    echoes_of,
    indexes_of,
    traced_cells,
)
from puzzles.models import Placement, Puzzle
from vocab.models import Entry, Review
from vocab.text import fewest_tiles


class WordSearchForm(forms.Form):
    words = forms.IntegerField(
        label=_("Number of words"), min_value=1, max_value=200, initial=12, required=False
    )
    difficulty = forms.ChoiceField(
        label=_("Difficulty"),
        choices=[
            ("easy", _("Easy: right and down")),
            ("medium", _("Medium: no words backwards")),
            ("hard", _("Hard: all eight directions")),
        ],
        initial="hard",
        required=False,
    )
    clue = forms.ChoiceField(
        label=_("Students see"),
        choices=[("translation", _("translation")), ("term", _("the word itself"))],
        initial="translation",
        required=False,
    )


class WordSearch(Kind):
    slug = "word-search"
    name = _("Word search")
    description = _("Find words hidden in up to eight directions.")
    settings_form = WordSearchForm
    shows_words_on_paper = True

    def generate(
        self,
        words: Sequence[str],
        *,
        language: str,
        digraphs: bool,
        settings: dict[str, Any],
        blocklist: Sequence[str],
        rng: Random,
        turn: Turn | None = None,
    ) -> Layout:
        from puzzles.generators import word_search

        made = word_search.generate(
            list(words),
            language=language,
            digraphs=digraphs,
            difficulty=settings["difficulty"],
            blocklist=blocklist,
            rng=rng,
        )
        return Layout(
            made.grid,
            [
                Slot(
                    index,
                    placement.cells,
                    echoes=tuple(e.cells for e in made.echoes if e.word == placement.word),
                )
                for index, placement in zip(
                    indexes_of(words, made.placements), made.placements, strict=True
                )
            ],
            [(unplaced.word, unplaced.reason) for unplaced in made.unplaced],
        )

    def make(self, request: FromWords) -> MadeOfWords:
        from puzzles.generators import word_search

        made = word_search.generate(
            request.words, size=request.size, language=request.language, rng=request.rng
        )
        return MadeOfWords(made.grid, made.placements, made.unplaced)

    def fewest_letters(self, tiles: Sequence[str]) -> int:
        return fewest_tiles(tiles)

    def askable(self, entries: Iterable[Entry], settings: dict[str, Any]) -> list[Entry]:
        if settings["clue"] != "translation":
            return []
        return super().askable((one for one in entries if one.translations.all()), settings)

    def shows_words(self, settings: dict[str, Any]) -> bool:
        return bool(settings["clue"] == "term")

    def clue(self, placement: Placement, settings: dict[str, Any]) -> str | None:
        if settings["clue"] == "translation" and placement.translations:
            return " · ".join(placement.translations)
        return placement.played

    def printed_clue(self, placement: Placement, settings: dict[str, Any]) -> str:
        """Return the translation; a word without one is its own clue, unless it is shown anyway."""
        clue = super().printed_clue(placement, settings)
        return clue if clue or self.shows_words(settings) else placement.played

    def shows_picture(self, settings: dict[str, Any]) -> bool:
        return not self.shows_words(settings)

    def judge(self, move: SentMove, placements: Sequence[Placement], puzzle: Puzzle) -> Verdict:
        cells = traced_cells(move, puzzle)
        # “dog” and “god” have the same cells: the direction of tracing decides which is meant.
        for way in (cells, cells[::-1]):
            for placement in placements:
                if way in {cells_of(placement), *echoes_of(placement)}:
                    return Verdict(placement)
        return Verdict()

    def skill(self, settings: dict[str, Any], *, was_heard: bool) -> Review.Skill:
        return Review.Skill.FORM if settings["clue"] == "term" else Review.Skill.MEANING_TO_FORM
