"""One database's part of the benchmark, in a process of its own: see `benchmarks.nine_oclock`."""

from __future__ import annotations

import json
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from benchmarks.lesson import report
from benchmarks.lesson.crowd import Players

if TYPE_CHECKING:
    from benchmarks.lesson.phases import Lesson

PHASES = ("cost", "queries", "rate", "overload", "lesson")


class Results(dict[str, Any]):
    """The results by phase; each is shown as soon as it is there."""

    def __setitem__(self, phase: str, result: Any) -> None:
        super().__setitem__(phase, result)
        for line in report.rows(phase, result):
            _say(f"  {line}")


def main(wanted: dict[str, Any]) -> dict[str, Any]:
    """Make the school and run the wanted phases; return their results."""
    import django

    django.setup()
    from django.conf import settings
    from django.core.management import call_command

    from benchmarks.lesson import inside, school, vacuum

    only, seed = wanted["only"], wanted["seed"]
    roll = Path(settings.DATA_DIR) / "roll.json"
    call_command("migrate", verbosity=0)
    call_command("collectstatic", interactive=False, verbosity=0)
    _say(f"making a school of {wanted['players']} students")
    school.build(wanted["players"], wanted["puzzles"], roll, seed)
    sizes = [size for size in school.REVIEW_SIZES if size <= wanted["longest"]]
    if only & {"cost", "queries"}:
        school.build_reviewers(sizes, roll, seed)
    vacuum.tidy()
    results = Results()

    if only - {"queries"}:
        with Players(roll) as players, vacuum.autovacuum():
            results.update(_loaded(wanted, players, [str(size) for size in sizes]))
    if "queries" in only:
        _say("queries")
        results["queries"] = inside.queries(sizes)
    return results


def _loaded(wanted: dict[str, Any], players: Players, sizes: list[str]) -> Results:
    """Run the phases that load a site; afterwards compare what was told with what is stored."""
    from benchmarks.lesson import phases

    only, seed = wanted["only"], wanted["seed"]
    processes: int | None = wanted["processes"]
    results = Results()
    with _lesson(wanted, processes, players) as lesson:
        if "cost" in only:
            _say("cost")
            results["cost"] = phases.cost(lesson, wanted["rounds"], sizes, seed)
        if "lesson" in only:
            _say(f"a lesson of {wanted['minutes']} minutes")
            results["lesson"] = phases.lesson_of(
                lesson, wanted["minutes"], wanted["speed_up"], seed
            )
        sustained = wanted["sustained"]
        if "rate" in only or ("overload" in only and not sustained):
            _say("rate")
            results["rate"] = phases.rate(
                lesson, wanted["start"], wanted["step"], wanted["pages"], seed
            )
            sustained = results["rate"]["sustained"] or wanted["start"]
        if "overload" in only:
            _say("overload")
            results["overload"] = phases.overload(
                lesson, sustained, wanted["overload"], wanted["pages"], seed
            )
        results["accounts"] = phases.accounts(lesson)
    return results


@contextmanager
def _lesson(wanted: dict[str, Any], processes: int | None, players: Players) -> Iterator[Lesson]:
    """Start the site and send the players there."""
    from django.conf import settings

    from benchmarks.lesson.phases import Lesson
    from benchmarks.lesson.servers import Site

    database = str(settings.DATABASES["default"]["NAME"])
    with Site(Path(settings.DATA_DIR) / "server.log", processes, database) as site:
        site.players = players.pid
        players("move", port=site.port)
        yield Lesson(site, players, wanted["players"])


def _say(what: str) -> None:
    print(f"… {what}", file=sys.stderr, flush=True)


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, lambda *_signal: sys.exit(1))
    asked = json.loads(sys.argv[1])
    asked["only"] = set(asked["only"])
    Path(asked["results"]).write_text(json.dumps(main(asked)), encoding="utf-8")
