"""One database's part of the benchmark, in a process of its own: see `benchmarks.nine_oclock`."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any


def main(wanted: dict[str, Any]) -> dict[str, Any]:
    """Make the school and run the wanted phases; return their results."""
    import django

    django.setup()
    from django.conf import settings
    from django.core.management import call_command

    from benchmarks.lesson import phases, school
    from benchmarks.lesson.crowd import Players
    from benchmarks.lesson.servers import Site

    only = wanted["only"]
    folder = Path(settings.DATA_DIR)
    roll = folder / "roll.json"
    call_command("migrate", verbosity=0)
    call_command("collectstatic", interactive=False, verbosity=0)
    _say(f"making a school of {wanted['players']} students")
    school.build(wanted["players"], wanted["puzzles"], roll, wanted["seed"])
    sizes = [size for size in school.REVIEW_SIZES if size <= wanted["longest"]]
    if only & {"cost", "queries"}:
        school.build_reviewers(sizes, roll, wanted["seed"])
    results: dict[str, Any] = {}
    database = str(settings.DATABASES["default"]["NAME"])

    if only & {"cost"}:
        log = folder / "server.log"
        with Site(log, wanted["processes"], database) as site, Players(roll, site.port) as players:
            site.players = players.pid
            lesson = phases.Lesson(site, players, wanted["players"])
            _say("cost")
            results["cost"] = phases.cost(lesson, wanted["rounds"], [str(size) for size in sizes])
    return results


def _say(what: str) -> None:
    print(f"… {what}", file=sys.stderr, flush=True)


if __name__ == "__main__":
    asked = json.loads(sys.argv[1])
    asked["only"] = set(asked["only"])
    Path(asked["results"]).write_text(json.dumps(main(asked)), encoding="utf-8")
