"""Break text into lines. Each word is measured once, for all sizes and widths that are tried."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

import regex

from osmosmjerka.paper import lettering

_CLUSTER = regex.compile(r"\X")
_measured = lru_cache(8192)(lettering.width)


def width(text: str) -> float:
    """Return about the width of one line in ems: of its words and the spaces between."""
    words = text.split()
    return sum(map(_measured, words)) + max(0, len(words) - 1) * _measured(" ")


@lru_cache(8192)
def wrap(text: str, limit: float) -> tuple[str, ...]:
    """Split *text* into lines of at most *limit* ems; a wider word is split between letters."""
    space = _measured(" ")
    lines: list[str] = []
    line, used = "", 0.0
    for word in text.split():
        for number, (part, wide) in enumerate(_parts(word, limit)):
            if not line:
                line, used = part, wide
            elif number == 0 and used + space + wide <= limit:
                line, used = f"{line} {part}", used + space + wide
            else:
                lines.append(line)
                line, used = part, wide
    return (*lines, line)


def _parts(word: str, limit: float) -> Iterator[tuple[str, float]]:
    """Yield the pieces of a word that fit a line, with their widths; usually there is one."""
    whole = _measured(word)
    if whole <= limit:
        yield word, whole
        return
    part, used = "", 0.0
    for cluster in _CLUSTER.findall(word):
        # A letter alone is hardly narrower than one that is joined with others.
        wide = _measured(cluster)
        if part and used + wide > limit:
            yield part, used
            part, used = "", 0.0
        part += cluster
        used += wide
    if part:
        yield part, used
