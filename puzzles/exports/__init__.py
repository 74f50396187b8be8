"""Puzzles as files: one registry, so that page, API and command know no format by name. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module

from puzzles.exports.data import ExportError, Labels, PlacedWord, PuzzleData

__all__ = ["FORMATS", "ExportError", "Format", "Labels", "PlacedWord", "PuzzleData"]


@dataclass(frozen=True, slots=True)
class Format:
    """A file format: *name* is its module here, *has_answers* says that it always tells them."""

    name: str
    extension: str
    mime_type: str
    is_text: bool
    has_answers: bool = False

    @property
    def shown_name(self) -> str:
        """What people call it: the extension, ipuz in its own small letters."""
        name = self.extension.removeprefix(".")
        return name if name == "ipuz" else name.upper()

    def write(self, data: PuzzleData, *, key: bool = False) -> bytes:
        """Return the puzzle as a file, with *key* with its answers.

        Raises ExportError when the format cannot hold this puzzle.
        """
        # A module is loaded when it is first used: drawing libraries are large.
        written: bytes = import_module(f"{__name__}.{self.name}").write(data, key=key)
        return written


FORMATS: dict[str, Format] = {
    format.name: format
    for format in (
        Format("text", ".txt", "text/plain; charset=utf-8", is_text=True),
        Format("json", ".json", "application/json", is_text=True, has_answers=True),
        Format("svg", ".svg", "image/svg+xml", is_text=True),
        Format("pdf", ".pdf", "application/pdf", is_text=False),
        Format("png", ".png", "image/png", is_text=False),
        Format("ipuz", ".ipuz", "application/json", is_text=True, has_answers=True),
    )
}
