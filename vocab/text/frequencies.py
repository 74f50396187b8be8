"""Letter frequencies, so that the filling of a grid looks like the language."""

from __future__ import annotations

import tomllib
from functools import cache, lru_cache
from pathlib import Path
from types import MappingProxyType

from vocab.text.alphabets import alphabet, table_key


def letter_weights(language: str | None) -> dict[str, float] | None:
    """Return the share of each tile of the alphabet, summing to 1; None if not known.

    Letters that the source does not count get half the share of its rarest letter. The sources are
    named in frequencies.toml: running text if figures are available, else the bags of Scrabble.
    """
    weights = _shares(table_key(language) or "")
    return dict(weights) if weights else None


@cache
def _tables() -> dict[str, dict[str, str]]:
    file = Path(__file__).with_name("frequencies.toml")
    return tomllib.loads(file.read_text(encoding="utf-8"))


@lru_cache(maxsize=64)
def _shares(key: str) -> MappingProxyType[str, float] | None:
    table = _tables()["in_text"].get(key) or _tables()["in_a_bag"].get(key)
    if not table:
        return None
    counts = {entry.rstrip("0123456789"): entry for entry in table.split()}
    known = {tile: float(entry[len(tile) :]) for tile, entry in counts.items()}
    rare = min(known.values()) / 2
    known |= {tile: rare for tile in alphabet(key) if tile not in known}
    total = sum(known.values())
    return MappingProxyType({tile: count / total for tile, count in known.items()})
