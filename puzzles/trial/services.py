"""The puzzle of the first page, with clues in the reader's language; it is in no database."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

from django.utils.translation import gettext as _

from puzzles.guests.services import GuestPuzzle
from puzzles.kinds import KINDS
from puzzles.models import Placement, Puzzle
from vocab.lists.samples import sample_rows, suggested_translation
from vocab.models import VocabularyList

NAME = "trial"
LANGUAGE = "es"  # has an everyday word in every language of the interface, and is none of them
# Drawn by `make_puzzle word-search WORDS --size 8 --seed 1 --language es --format json`.
_FILE = Path(__file__).with_name("puzzle.json")


@cache
def _stored() -> dict[str, Any]:
    stored: dict[str, Any] = json.loads(_FILE.read_text(encoding="utf-8"))
    return stored


def trial_puzzle() -> GuestPuzzle:
    """Return the puzzle that strangers play; nothing in it is saved."""
    stored, meanings = _stored(), suggested_translation()
    vocabulary_list = VocabularyList(language=LANGUAGE, translation_languages=[meanings])
    kind = KINDS[stored["kind"]]
    puzzle = Puzzle(
        code=NAME,
        kind=kind.slug,
        title=_("First words"),
        vocabulary_list=vocabulary_list,
        settings=kind.default_settings(),
        grid=stored["grid"],
        state=Puzzle.State.READY,
    )
    translations = {row.term: row.translations[meanings] for row in sample_rows(LANGUAGE, meanings)}
    words = tuple(
        Placement(
            pk=number,
            puzzle=puzzle,
            slot=str(number),
            position=number,
            term=placed["word"],
            translations=translations[placed["word"]],
            tiles=[stored["grid"][row][col] for row, col in placed["cells"]],
            cells=placed["cells"],
        )
        for number, placed in enumerate(stored["placements"])
    )
    return GuestPuzzle(NAME, puzzle, words, has_sounds=False)
