"""The phases of the benchmark, each against a running site."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median
from typing import Any

from benchmarks.lesson.crowd import Players, failed, percentile
from benchmarks.lesson.players import Sent
from benchmarks.lesson.servers import Site, Used

Result = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Lesson:
    """A running site and the players who load it."""

    site: Site
    players: Players
    students: int

    def measured(self, command: str, **arguments: Any) -> tuple[list[Sent], Used]:
        """Have the players do something; return their record and what it used."""
        before = self.site.used()
        sent = [tuple(one) for one in self.players(command, **arguments)]
        return sent, self.site.used() - before

    def settle(self) -> None:
        """Wait until the worker has nothing to do: daily jobs begin when it starts."""
        from osmosmjerka.jobs.ledger import UNFINISHED
        from osmosmjerka.jobs.models import Job

        while Job.objects.filter(state__in=UNFINISHED).exists():
            time.sleep(0.5)

    def idle(self, seconds: float = 3) -> Used:
        """Return what the site uses in a second while nobody asks anything of it."""
        before = self.site.used()
        time.sleep(seconds)
        used = self.site.used() - before
        return Used(used.web / seconds, 0, used.database / seconds, 0, 0, 1)


def cost(lesson: Lesson, rounds: int, reviews: Sequence[str]) -> Result:
    """Measure the processor time of a found word and of pages beside that of the bare view.

    Bare views and finds alternate, so that whatever else the machine does meets both. What the site
    uses while idle (its worker looks for jobs) is subtracted from both.
    """
    count = min(lesson.students, 150)
    lesson.players("get_ready")
    lesson.settle()
    idle = lesson.idle()
    measured: dict[str, list[tuple[float, float]]] = {}
    answered: dict[str, list[Sent]] = {}

    def measure(what: str, times: int, at_once: int = 4) -> None:
        sent, used = lesson.measured("repeat", what=what, count=times, at_once=at_once)
        web = used.web - idle.web * used.wall
        database = used.database - idle.database * used.wall
        measured.setdefault(what, []).append((1000 * web / times, 1000 * database / times))
        answered.setdefault(what, []).extend(sent)

    for number in range(rounds + 1):
        measure("bare", 600)
        measure("find", count)
        for what in ("home", "play page", "state", "finish"):
            measure(what, count // 3)
        for size in reviews:
            measure(f"review {size}", 12, at_once=1)
        if number == 0:  # everything is loaded now
            measured.clear()
            answered.clear()
        lesson.players("get_ready")
    measure("log-in", count // 3)
    ratios = [
        find[0] / bare[0] for find, bare in zip(measured["find"], measured["bare"], strict=True)
    ]
    return {
        "ratio": median(ratios),
        "ratios": ratios,
        "idle": idle.web,
        "megabytes": lesson.site.megabytes(),
        "web_ms": {what: median(web for web, _db in runs) for what, runs in measured.items()},
        "database_ms": {what: median(db for _web, db in runs) for what, runs in measured.items()},
        "wall_ms": {
            what: 1000 * percentile((one[2] for one in sent), 0.5)
            for what, sent in answered.items()
        },
        "failed": sum(failed(sent) for sent in answered.values()),
    }
