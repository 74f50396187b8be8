"""Export puzzles as files. Page, API and command use this registry, not format names. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from types import ModuleType

from puzzles.exports.data import (
    ExportError,
    Labels,
    PlacedWord,
    Printing,
    PuzzleData,
)

__all__ = [
    "FORMATS",
    "ExportError",
    "Format",
    "Labels",
    "PlacedWord",
    "Printing",
    "PuzzleData",
]


@dataclass(frozen=True, slots=True)
class Format:
    """A file format. *name* is its module here.

    *has_answers*: the file always contains answers; *is_numbered*: it only holds puzzles whose
    words are numbered, because students fill in the letters.
    """

    name: str
    extension: str
    mime_type: str
    is_text: bool
    has_answers: bool = False
    is_numbered: bool = False

    @property
    def shown_name(self) -> str:
        """The name that people know: the extension in capitals, except “ipuz”."""
        name = self.extension.removeprefix(".")
        return name if name == "ipuz" else name.upper()

    def write(self, data: PuzzleData, *, key: bool = False) -> bytes:
        """Return the puzzle as a file; with *key*, including its answers.

        A picture of one page (SVG, PNG) has with *key* the answers alone. Raises ExportError if
        the format cannot contain this puzzle.
        """
        written: bytes = self._module().write(data, key=key)
        return written

    def write_solution(self, data: PuzzleData) -> bytes:
        """Return the answers without the student's sheet as a file.

        A file that always contains answers is the same. Raises ExportError as `write` does.
        """
        if self.has_answers:
            return self.write(data)
        written: bytes = self._module().write_solution(data)
        return written

    def _module(self) -> ModuleType:
        # Load a module only when it is needed: drawing libraries are large.
        return import_module(f"{__name__}.{self.name}")


FORMATS: dict[str, Format] = {
    format.name: format
    for format in (
        Format("text", ".txt", "text/plain; charset=utf-8", is_text=True),
        Format("json", ".json", "application/json", is_text=True, has_answers=True),
        Format("svg", ".svg", "image/svg+xml", is_text=True),
        Format("pdf", ".pdf", "application/pdf", is_text=False),
        Format(
            "docx",
            ".docx",
            "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
            is_text=False,
        ),
        Format("png", ".png", "image/png", is_text=False),
        Format("ipuz", ".ipuz", "application/json", is_text=True, has_answers=True),
        Format("jpz", ".jpz", "application/xml", is_text=True, has_answers=True, is_numbered=True),
        Format(
            "puz",
            ".puz",
            "application/x-crossword",
            is_text=False,
            has_answers=True,
            is_numbered=True,
        ),
    )
}
