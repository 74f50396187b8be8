"""Read a PDF as Chrome's reader does: its texts, its structure, its pictures."""

from __future__ import annotations

import ctypes
from dataclasses import dataclass, field

import pypdfium2
import pypdfium2.raw as pdfium
import regex

MARKS = regex.compile(r"\p{M}")


def texts_of(data):
    """Return the text of each page."""
    with pypdfium2.PdfDocument(data) as document:
        return [page.get_textpage().get_text_range() for page in document]


def picture_of(data, scale=2.0):
    """Return the first page as a grey picture."""
    with pypdfium2.PdfDocument(data) as document:
        return document[0].render(scale=scale).to_pil().convert("L")


@dataclass
class Element:
    role: str
    alt: str = ""
    text: str = ""
    kids: list = field(default_factory=list)

    def __repr__(self):
        return f"{self.role}{self.kids or ''}"


def structure_of(data, page=0):
    """Return the elements that the structure tree has for a page."""
    with pypdfium2.PdfDocument(data) as document:
        opened = document[page]  # the tree is the page's
        tree = pdfium.FPDF_StructTree_GetForPage(opened.raw)
        try:
            count = pdfium.FPDF_StructTree_CountChildren(tree)
            return [_element(pdfium.FPDF_StructTree_GetChildAtIndex(tree, i)) for i in range(count)]
        finally:
            pdfium.FPDF_StructTree_Close(tree)


def _element(raw):
    count = pdfium.FPDF_StructElement_CountChildren(raw)
    kids = [pdfium.FPDF_StructElement_GetChildAtIndex(raw, i) for i in range(count)]
    return Element(
        _string(pdfium.FPDF_StructElement_GetType, raw),
        _string(pdfium.FPDF_StructElement_GetAltText, raw),
        _string(pdfium.FPDF_StructElement_GetActualText, raw),
        [_element(kid) for kid in kids if kid],
    )


def _string(function, *arguments):
    length = function(*arguments, None, 0)
    buffer = ctypes.create_string_buffer(length)
    function(*arguments, buffer, length)
    return buffer.raw[: max(length - 2, 0)].decode("utf-16-le")


def language_of(data):
    with pypdfium2.PdfDocument(data) as document:
        length = pdfium.FPDFCatalog_GetLanguage(document.raw, None, 0)
        letters = (ctypes.c_ushort * length)()
        pdfium.FPDFCatalog_GetLanguage(document.raw, letters, length)
        return "".join(map(chr, letters)).rstrip("\0")


def is_tagged(data):
    with pypdfium2.PdfDocument(data) as document:
        return bool(pdfium.FPDFCatalog_IsTagged(document.raw))
