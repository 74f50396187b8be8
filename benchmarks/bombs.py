"""Measure how quickly each bomb is refused, and show its effect without limits.

    python benchmarks/bombs.py

The control reads the same file in a process without our limits, but with at most 1 GB and
10 seconds to limit the harm. Exits with status 1 if a bomb is not refused or takes a second of
processor time in both processes together. (Wall time says little on a busy machine; it is printed
beside it.)
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from tests.vocab.formats.bombs import BOMBS  # noqa: E402
from vocab.formats import FormatError  # noqa: E402
from vocab.formats.sandbox import parse_untrusted  # noqa: E402

CONTROL = """
import os, resource, sys, time
from pathlib import Path
sys.path.insert(0, sys.argv[1])
sys.modules.update(dict.fromkeys(("numpy", "lxml", "PIL")))
resource.setrlimit(resource.RLIMIT_AS, (1 << 30, 1 << 30))
os.environ["OPENPYXL_DEFUSEDXML"] = "False"
from vocab import formats
from vocab.formats import anki_collection, apkg, archive, columns, media, xlsx
for place, names in {
    archive: "MAX_RATIO MAX_MEMBERS MAX_UNPACKED", apkg: "MAX_DATABASE MAX_BYTES MAX_UNPACKED",
    columns: "MAX_ROWS MAX_COLUMNS MAX_EMPTY_ROWS", xlsx: "MAX_COLUMNS MAX_UNPACKED",
    media: "MAX_PIXELS", anki_collection: "MAX_ROWS _LOOKS",
}.items():
    for name in names.split():
        setattr(place, name, 1 << 60)
archive.check_member = anki_collection.check_schema = lambda what: None
start = time.perf_counter()
try:
    rows = len(formats.parse(Path(sys.argv[2])).rows)
    outcome = f"read, {rows} rows"
except MemoryError:
    outcome = "took all memory it could get"
except Exception as error:
    outcome = f"{type(error).__name__}: {error}"[:60]
peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
print(f"{outcome}, {time.perf_counter() - start:.1f} s, {peak} MB")
"""


def main() -> None:
    failed = 0
    for bomb, reason in BOMBS.items():
        data = bomb()
        start, used = time.perf_counter(), sum(os.times()[:4])
        try:
            parsed = parse_untrusted(data, seconds=10)
            message = f"read: {parsed.problems[:1]}"
            refused = not reason
        except FormatError as error:
            message = str(error)
            refused = reason in message
        seconds, used = time.perf_counter() - start, sum(os.times()[:4]) - used
        failed += not refused or used > 1
        print(f"{bomb.__name__} ({len(data)} bytes)")
        print(f"  {used:.2f} s ({seconds:.2f} s wall)  {message[:110]}")
        print(f"  limits off: {control(data)}", flush=True)
    print(f"{failed} not refused within a second")
    sys.exit(1 if failed else 0)


def control(data: bytes) -> str:
    with tempfile.TemporaryDirectory() as name:
        file = Path(name) / "bomb"
        file.write_bytes(data)
        try:
            done = subprocess.run(
                [sys.executable, "-c", CONTROL, str(ROOT), str(file)],
                capture_output=True,
                text=True,
                timeout=10,
            )
        except subprocess.TimeoutExpired:
            return "no end within 10 s"
        return done.stdout.strip() or done.stderr.strip()[-100:]


if __name__ == "__main__":
    main()
