"""Nine o'clock: a school logs in, opens its puzzles, plays and ends, on SQLite and on PostgreSQL.

    python -m benchmarks.nine_oclock [--postgres postgres://user@host:5432/ --redis redis://host/5]
        [--only cost rate overload lesson queries] [--players 300]

On SQLite the site is one `manage.py serve`, on PostgreSQL it is gunicorn with two processes and
Celery's workers; DEBUG is off. The students are a process of their own with a connection each, and
arrive in an open loop: latency counts from when a request was planned. All data is in a temporary
folder and in a database that is made and dropped here. What the play page itself loads is measured
by `benchmarks.play_page`.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from benchmarks.harness import postgresql_database, settings_of
from benchmarks.lesson import report
from benchmarks.lesson.run import PHASES


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--only", nargs="+", choices=PHASES, default=PHASES)
    parser.add_argument("--postgres", help="URL of a server on which a database may be made")
    parser.add_argument("--redis", help="URL of an empty database of Redis, with --postgres")
    parser.add_argument("--no-sqlite", action="store_true")
    parser.add_argument("--players", type=int, default=300)
    parser.add_argument("--puzzles", type=int, default=2, help="of each kind, for each class")
    parser.add_argument("--processes", type=int, default=2, help="of gunicorn, on PostgreSQL")
    parser.add_argument("--rounds", type=int, default=5, help="of the costs")
    parser.add_argument("--longest", type=int, default=10_000, help="list in the quick review")
    parser.add_argument("--start", type=float, default=10, help="found words a second, at first")
    parser.add_argument("--step", type=float, default=15, help="seconds of each rate")
    parser.add_argument("--pages", type=float, default=20, help="a second beside")
    parser.add_argument("--sustained", type=float, help="the rate that overload multiplies")
    parser.add_argument("--overload", type=float, default=20, help="seconds of overload")
    parser.add_argument("--minutes", type=float, default=10, help="of the lesson")
    parser.add_argument("--speed-up", type=float, default=1, help="of the lesson")
    parser.add_argument("--seed", type=int, default=9)
    parser.add_argument("--json", type=Path, help="also write the results to this file")
    options = parser.parse_args()
    if options.postgres and not options.redis:
        parser.error("--postgres needs --redis, for its workers.")
    signal.signal(signal.SIGTERM, lambda *_signal: sys.exit("Stopped."))
    results = {}
    if not options.no_sqlite:
        with tempfile.TemporaryDirectory() as folder:
            results["SQLite, serve"] = _run(options, Path(folder), {}, None)
    if options.postgres:
        name = f"PostgreSQL, {options.processes} processes"
        with tempfile.TemporaryDirectory() as folder, _services(options) as variables:
            results[name] = _run(options, Path(folder), variables, options.processes)
    if options.json:
        options.json.write_text(json.dumps(results, indent=1), encoding="utf-8")
    print(report.text(results))


def _run(
    options: argparse.Namespace, folder: Path, variables: dict[str, str], processes: int | None
) -> Any:
    """Run the phases in a process whose settings name this folder and database."""
    results = folder / "results.json"
    wanted = {
        name: value
        for name, value in vars(options).items()
        if name not in ("json", "postgres", "redis", "no_sqlite")
    } | {"processes": processes, "results": str(results), "only": list(options.only)}
    process = subprocess.Popen(
        [sys.executable, "-m", "benchmarks.lesson.run", json.dumps(wanted)],
        env=os.environ | settings_of(folder) | variables,
    )
    try:
        if process.wait():
            raise SystemExit("A part of the benchmark failed; see above.")
    finally:  # also if this is stopped: it stops its servers
        process.terminate()
        process.wait()
    return json.loads(results.read_text(encoding="utf-8"))


@contextmanager
def _services(options: argparse.Namespace) -> Iterator[dict[str, str]]:
    """Make a database on the server of PostgreSQL; yield the variables that name it."""
    import redis

    broker: Any = redis.from_url(options.redis)
    if broker.dbsize():
        raise SystemExit(f"{options.redis} is not empty. Name another of its databases.")
    try:
        with postgresql_database(options.postgres, f"nine_oclock_{os.getpid()}") as url:
            yield {
                "DATABASE_URL": url,
                "CELERY_BROKER_URL": options.redis,
                "CACHE_URL": options.redis,
            }
    finally:
        broker.flushdb()


if __name__ == "__main__":
    main()
