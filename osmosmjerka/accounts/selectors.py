"""What pages show of people."""

from __future__ import annotations

import codecs


def decoded(data: bytes) -> str:
    """Return the text of an uploaded file: Unicode where it is, else the Central European page."""
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return data.decode("utf-16", "replace")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("cp1250", "replace")
