"""Measure how long a list takes to read and write in each format, compared with plain csv.

    python benchmarks/parse_speed.py [--rows 20000]

All figures are processor time; `preview` is reading in the sandbox and returning the rows, as in
the product, in both processes together.
"""

from __future__ import annotations

import argparse
import csv
import io
import os
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
# As in the sandbox: openpyxl would import these.
sys.modules.update(dict.fromkeys(("numpy", "lxml", "PIL")))  # type: ignore[arg-type]

from vocab import formats  # noqa: E402
from vocab.formats import Row  # noqa: E402
from vocab.formats.sandbox import parse_untrusted  # noqa: E402


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rows", type=int, default=20_000)
    count = parser.parse_args().rows
    rows = [
        Row(
            id=str(n),
            term=f"riječ {n}",
            translations={"": [f"word {n}", f"term {n}"]},
            pronunciation="rijetʃ",
            part_of_speech="noun",
            example=f"Ovo je primjer broj {n}.",
            tags=["lesson", str(n % 20)],
        )
        for n in range(count)
    ]
    text = formats.write(rows, "delimited").decode("utf-8-sig")
    plain, _ = timed(lambda: list(csv.reader(io.StringIO(text, newline=""))))
    print(f"{count} rows of 7 columns; the csv module alone: read {plain:.2f} s\n")
    print(f"{'':10} {'write':>7} {'read':>7} {'× csv':>6} {'preview':>8}")
    for name in formats.FORMATS:
        writing, data = timed(partial(formats.write, rows, name))
        reading, parsed = timed(partial(formats.parse, data))
        before = sum(os.times()[:4])
        inside = parse_untrusted(data)
        preview = sum(os.times()[:4]) - before
        assert len(parsed.rows) == len(inside.rows) == count
        print(f"{name:10} {writing:6.2f}s {reading:6.2f}s {reading / plain:5.0f}× {preview:7.2f}s")


def timed(work: Callable[[], Any]) -> tuple[float, Any]:
    start = time.process_time()
    result = work()
    return time.process_time() - start, result


if __name__ == "__main__":
    main()
