"""Measure splitting terms into tiles, compared with plain grapheme clusters of the same terms.

    python -m benchmarks.tiles [--terms 20000]

The terms are invented from each language's own letters with a fixed seed, in lengths that are usual
in vocabulary. Figures are the best of five runs, in milliseconds of processor time.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from random import Random

import regex

from vocab.text import alphabet, normal_form, search_key, tiles

_LANGUAGES = ("en", "hr", "hu", "tr", "el", "ru", "ar", "he", "hi", "th", "ko", "ja")
_CLUSTER = regex.compile(r"\X")


def _made_up_terms(language: str, count: int, rng: Random) -> list[str]:
    letters = [tile.lower() for tile in alphabet(language)]
    words = ["".join(rng.choices(letters, k=rng.randint(3, 12))) for _ in range(count)]
    # One term in five is a phrase.
    return [f"{word} {rng.choice(words)}" if rng.random() < 0.2 else word for word in words]


def _milliseconds(action: Callable[[], object], runs: int = 5) -> float:
    best = float("inf")
    for _ in range(runs):
        begin = time.process_time()
        action()
        best = min(best, time.process_time() - begin)
    return best * 1000


def _figures(language: str, count: int) -> str:
    terms = _made_up_terms(language, count, Random(language))
    plain = _milliseconds(lambda: [_CLUSTER.findall(term) for term in terms])
    cut = _milliseconds(lambda: [tiles(term, language) for term in terms])
    normal = _milliseconds(lambda: [normal_form(term) for term in terms])
    search = _milliseconds(lambda: [search_key(term) for term in terms])
    return f"{language:6}{plain:10.0f}{cut:10.0f}{cut / plain:10.1f}{normal:10.0f}{search:10.0f}"


def main() -> None:
    """Print one line per language: plain clusters, tiles, their ratio, and the cost of keys."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("--terms", type=int, default=20_000)
    count = parser.parse_args().terms
    print(f"{count} terms, ms of processor time")
    heads = ("plain", "tiles", "times", "normal", "search")
    print(" " * 6 + "".join(f"{head:>10}" for head in heads))
    for language in _LANGUAGES:
        print(_figures(language, count))


if __name__ == "__main__":
    main()
