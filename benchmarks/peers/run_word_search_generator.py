"""Run word-search-generator (PyPI, MIT) for benchmarks/word_search.py, in its own environment.

Reads jobs {words, side} as JSON and writes what was placed, and how long it took.
"""

import json
import sys
import time
from typing import Any

from word_search_generator import WordSearch


def run(job: dict[str, Any]) -> dict[str, Any]:
    """Generate one word search in all eight directions, without validation of words."""
    began = time.perf_counter()
    try:
        made = WordSearch(" ".join(job["words"]), level=3, size=job["side"], validators=None)
    except Exception:  # it accepts at most a hundred words and a side of fifty
        return {"placed": [], "milliseconds": 0, "attempts": 1, "failures": 1}
    milliseconds = (time.perf_counter() - began) * 1000
    placed = [
        {"word": word.text.lower(), "cells": [[r, c] for r, c in word.coordinates]}
        for word in made.placed_words
    ]
    return {"placed": placed, "milliseconds": milliseconds, "attempts": 1, "failures": 0}


jobs = json.load(sys.stdin)
run(jobs[0])
json.dump([run(job) for job in jobs], sys.stdout)
