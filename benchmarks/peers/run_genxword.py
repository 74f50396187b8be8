"""Run genxword's calculator on lists of words. Reads and writes one line of JSON.

Runs in an environment that has genxword but not its drawing libraries: the calculator imports
them but never uses them, so empty modules replace them.
"""

from __future__ import annotations

import json
import sys
import time
from types import ModuleType
from unittest.mock import MagicMock

for name in ("gi", "gi.repository", "cairo"):
    sys.modules[name] = MagicMock(spec=ModuleType)
sys.modules["gi.repository"].Pango = None  # type: ignore[attr-defined]
sys.modules["gi.repository"].PangoCairo = None  # type: ignore[attr-defined]
sys.modules["gi"].require_version = lambda *_: None  # type: ignore[attr-defined]

from genxword.calculate import Crossword  # noqa: E402

answers = []
for task in json.load(sys.stdin):
    words = sorted((word.upper() for word in task["words"]), key=len, reverse=True)
    rows, cols = task["rows"], task["cols"]
    if rows is None:
        # genxword's own rule for the size of the grid (control.py).
        count = len(words)
        rows = 17 if count <= 20 else round((count - 20) / 8.0) * 2 + 19 if count <= 100 else 41
        rows = cols = max(rows, len(words[0]) + 2)
    words = [word for word in words if len(word) < min(rows, cols)]
    began = time.perf_counter()
    calculator = Crossword(rows, cols, " ", [[word, ""] for word in words])
    calculator.compute_crossword(task["seconds"])
    took = time.perf_counter() - began
    placed = [[str(w[0]), w[2], w[3], bool(w[4])] for w in calculator.best_wordlist]
    answers.append({"placed": placed, "seconds": took})
print(json.dumps(answers))
