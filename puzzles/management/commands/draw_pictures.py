"""Draw what each kind of puzzle looks like, for the first page and the help."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

from django.core.management.base import BaseCommand

from puzzles.exports import svg
from puzzles.exports.data import PuzzleData
from puzzles.kinds import KINDS
from puzzles.kinds.base import WordsRequest
from vocab.lists.samples import sample_rows

FOLDER = Path(__file__).resolve().parents[2] / "static" / "puzzles" / "pictures"
# Short words make large letters; each kind shows another language.
LANGUAGES = ("de", "fr", "it")
LONGEST, WORDS, SIDE, SEED = 7, 8, 9, 5


class Command(BaseCommand):
    help = "Draw a picture of each kind of puzzle into the static files."
    requires_system_checks = []

    def handle(self, *args: Any, **options: Any) -> None:
        for kind, language in zip(KINDS.values(), LANGUAGES, strict=True):
            rows = sample_rows(language, "en")
            words = [row.term for row in rows if len(row.term) <= LONGEST][:WORDS]
            made = kind.make(WordsRequest(words, language, (SIDE, SIDE), None, Random(SEED)))
            puzzle = PuzzleData.from_generated(
                kind.slug, made, [], title=str(kind.name), language=language
            )
            file = FOLDER / f"{kind.slug}.svg"
            file.write_bytes(svg.write_solved_grid(puzzle))
            self.stdout.write(f"{file.name}: {file.stat().st_size} bytes")
