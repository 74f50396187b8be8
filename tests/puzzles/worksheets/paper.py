"""Read what is on paper."""

import io

import pypdfium2


def text_of(pdf):
    """Return the text of each page."""
    with pypdfium2.PdfDocument(io.BytesIO(pdf)) as document:
        return [page.get_textpage().get_text_range() for page in document]
