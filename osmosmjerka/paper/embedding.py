"""Fonts inside a PDF file: the shapes that its pages use, their widths and what they stand for.

Shapes are numbered as in the part of the font that is embedded (a composite font with the encoding
Identity-H; ISO 32000-1, 9.7). HarfBuzz cuts it, in milliseconds even from fonts of 20 MB.
"""

from __future__ import annotations

import hashlib
import struct
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any

import regex
import uharfbuzz

from osmosmjerka.paper.lettering import Glyph, Run
from osmosmjerka.paper.objects import File, Name, Ref, Stream, number
from osmosmjerka.paper.typefaces import Font

# What readers of PDF do not need: they get numbers of shapes instead of letters.
_UNNEEDED = ("BASE", "GDEF", "GPOS", "GSUB", "OS/2", "VORG", "cmap", "name", "post", "vhea", "vmtx")
_SYMBOLIC = 4
_MARKS = regex.compile(r"\p{M}+")


class EmbeddedFont:
    """The part of *font* that writes *runs*."""

    def __init__(self, font: Font, runs: Iterable[Run]) -> None:
        self._font = font
        self._texts: dict[int, str] = {}
        used = {0}
        for run in runs:
            for glyph in run.glyphs:
                used.add(glyph.number)
                if glyph.text:
                    self._texts.setdefault(glyph.number, glyph.text)
        self._plan = _plan(font, used)
        self._new_numbers = dict(self._plan.old_to_new_glyph_mapping)
        em = font.face.upem
        self._widths = {
            glyph: round(1000 * font.shaper.get_glyph_h_advance(glyph) / em)
            for glyph in sorted(used)
        }

    def show(self, run: Run, size: float) -> str:
        """Return the operators that write *run* from where the text cursor is."""
        if run.direction == "ltr":
            return " ".join(self._operators(run.glyphs, size))
        # Readers turn round what is written from right to left, and lose the order at each mark.
        # Without vowels, words can be found; the structure has them as they are spelt.
        letters, marks = _parted(run.glyphs)
        shown = " ".join(self._operators(letters, size))
        if marks:
            unread = " ".join(self._operators(marks, size))
            shown += f" 0 0 Td /Span <</ActualText <FEFF>>> BDC {unread} EMC"
        return shown

    def _operators(self, glyphs: Iterable[Glyph], size: float) -> Iterator[str]:
        """Move between shapes by thousandths of *size*, and up and down by text rise."""
        shown: list[str] = []
        behind = 0.0  # how much farther right the next shape is than the cursor
        rise = 0.0
        for glyph in glyphs:
            if glyph.y != rise:
                if shown:
                    yield f"[{''.join(shown)}] TJ"
                    shown = []
                rise = glyph.y
                yield f"{number(rise * size)} Ts"
            move = round(behind + 1000 * glyph.x)
            if move:
                shown.append(number(-move))
            shown.append(f"<{self._new_numbers[glyph.number]:04x}>")
            behind += 1000 * glyph.advance - self._widths[glyph.number] - move
        yield f"[{''.join(shown)}] TJ"
        if rise:
            yield "0 Ts"

    def write(self, file: File) -> Ref:
        """Add the font to *file*."""
        face = self._plan.execute()
        is_cff = "CFF " in face.table_tags
        data = _table(face, "CFF ") if is_cff else bytes(face.blob.data)
        program = Stream(data, {"Subtype": Name("CIDFontType0C")} if is_cff else {})
        tag = hashlib.sha256(data).digest()[:6]
        prefix = "".join(chr(ord("A") + byte % 26) for byte in tag)
        name = Name(f"{prefix}+{self._font.name}")
        # The part may have shapes of which others are composed; no text has them by themselves.
        in_order = sorted(self._new_numbers, key=self._new_numbers.__getitem__)
        descendant = {
            "Type": Name("Font"),
            "Subtype": Name("CIDFontType0" if is_cff else "CIDFontType2"),
            "BaseFont": name,
            "CIDSystemInfo": {"Registry": b"Adobe", "Ordering": b"Identity", "Supplement": 0},
            "FontDescriptor": file.add(self._descriptor(name, is_cff, file.add(program))),
            "W": [0, [self._widths.get(old, 0) for old in in_order]],
            **({} if is_cff else {"CIDToGIDMap": Name("Identity")}),
        }
        return file.add(
            {
                "Type": Name("Font"),
                "Subtype": Name("Type0"),
                "BaseFont": name,
                "Encoding": Name("Identity-H"),
                "DescendantFonts": [file.add(descendant)],
                "ToUnicode": file.add(Stream(self._to_unicode())),
            }
        )

    def _descriptor(self, name: Name, is_cff: bool, program: Ref) -> dict[str, Any]:
        face = self._font.face
        per_em = 1000 / face.upem
        box = struct.unpack(">4h", _table(face, "head")[36:44])
        extents = self._font.shaper.get_font_extents("ltr")
        ascent = round(extents.ascender * per_em)
        return {
            "Type": Name("FontDescriptor"),
            "FontName": name,
            "Flags": _SYMBOLIC,
            "FontBBox": [round(side * per_em) for side in box],
            "ItalicAngle": 0,
            "Ascent": ascent,
            "Descent": round(extents.descender * per_em),
            "CapHeight": ascent,
            "StemV": 80,
            "FontFile3" if is_cff else "FontFile2": program,
        }

    def _to_unicode(self) -> bytes:
        lines = [
            f"<{self._new_numbers[glyph]:04x}> <{text.encode('utf-16-be').hex()}>"
            for glyph, text in sorted(self._texts.items())
        ]
        blocks = [lines[start : start + 100] for start in range(0, len(lines), 100)]
        mapping = "\n".join(
            f"{len(block)} beginbfchar\n" + "\n".join(block) + "\nendbfchar" for block in blocks
        )
        return _TO_UNICODE.format(mapping=mapping).encode()


def _parted(glyphs: Iterable[Glyph]) -> tuple[list[Glyph], list[Glyph]]:
    """Return the shapes without marks, and the marks, which have no width, by their places."""
    letters, marks = [], []
    x = 0.0
    for glyph in glyphs:
        if glyph.advance == 0 and _MARKS.fullmatch(glyph.text):
            marks.append(replace(glyph, x=glyph.x + x))
        else:
            letters.append(glyph)
        x += glyph.advance
    return letters, marks


_TO_UNICODE = """\
/CIDInit /ProcSet findresource begin
12 dict begin
begincmap
/CIDSystemInfo << /Registry (Adobe) /Ordering (UCS) /Supplement 0 >> def
/CMapName /Adobe-Identity-UCS def
/CMapType 2 def
1 begincodespacerange
<0000> <ffff>
endcodespacerange
{mapping}
endcmap
CMapName currentdict /CMap defineresource pop
end
end
"""


def _plan(font: Font, glyphs: Iterable[int]) -> uharfbuzz.SubsetPlan:
    """Return how to cut *font* to these shapes."""
    wanted = uharfbuzz.SubsetInput()
    wanted.glyph_set.update(glyphs)
    wanted.drop_table_tag_set.update(int.from_bytes(tag.encode(), "big") for tag in _UNNEEDED)
    wanted.flags = (
        uharfbuzz.SubsetFlags.NO_LAYOUT_CLOSURE
        | uharfbuzz.SubsetFlags.NO_HINTING
        | uharfbuzz.SubsetFlags.NOTDEF_OUTLINE
        | uharfbuzz.SubsetFlags.CFF_IDENTITY_CHARSET
    )
    wanted.pin_all_axes_to_default(font.face)
    return uharfbuzz.SubsetPlan(font.face, wanted)


def _table(face: uharfbuzz.Face, tag: str) -> bytes:
    return bytes(face.reference_table(tag).data)
