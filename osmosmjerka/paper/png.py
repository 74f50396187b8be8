"""Render a page of a PDF as a PNG picture, by PDFium."""

from __future__ import annotations

import io
from threading import Lock

import pypdfium2

_pdfium = Lock()  # PDFium must not be called by two threads at once


def draw(pdf: bytes, dots_an_inch: int) -> bytes:
    """Return the first page of *pdf* as PNG."""
    with _pdfium, pypdfium2.PdfDocument(pdf) as document:
        picture = document[0].render(scale=dots_an_inch / 72).to_pil()
    stream = io.BytesIO()
    picture.save(stream, "PNG", dpi=(dots_an_inch, dots_an_inch))
    return stream.getvalue()
