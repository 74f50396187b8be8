"""Draw what each kind of puzzle looks like, for the first page and the help."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand

from puzzles.exports import svg
from puzzles.kinds import KINDS
from puzzles.library.makers import MAKERS
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
            make = MAKERS[kind.slug]
            made = make(words, language=language, size=SIDE, seed=SEED, title=str(kind.name))
            file = FOLDER / f"{kind.slug}.svg"
            file.write_bytes(svg.write_solved_grid(made.data))
            self.stdout.write(f"{file.name}: {file.stat().st_size} bytes")
