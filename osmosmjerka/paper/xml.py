"""What an XML document can contain: SVG, OOXML, and XML of other programs."""

from __future__ import annotations

import re

NOT_IN_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")


def for_xml(text: str) -> str:
    """Return *text* without the characters that XML cannot contain, such as controls."""
    return NOT_IN_XML.sub("", text)
