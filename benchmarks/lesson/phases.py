"""The phases of the benchmark, each against a running site."""

from __future__ import annotations

import math
import os
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from statistics import median
from typing import Any

from benchmarks.lesson import vacuum
from benchmarks.lesson.crowd import Players, failed, of_kind, p95, percentile, statuses
from benchmarks.lesson.players import Sent
from benchmarks.lesson.servers import Site, Used

Result = dict[str, Any]
SLOW = 300  # ms; the rate is sustained while 95 of 100 found words are answered within this
WARM = 2  # first seconds of a step, which do not count
GROWTH = 1.3  # from one step to the next
FINDS, BARE = 12, 60  # a second, while costs are measured
OVERLOAD = 2.5  # times the sustained rate
_CORES = os.cpu_count() or 1


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


def cost(lesson: Lesson, rounds: int, reviews: Sequence[str], seed: int) -> Result:
    """Measure the processor time of a found word and of pages beside that of the bare view.

    Bare views and finds alternate, so that whatever else the machine does meets both. Both come in
    an open loop from everybody's connection in turn, at a rate that leaves the site time to rest;
    and again four at once, as fast as the site answers, where a bare view costs least. What the
    site uses while idle (its worker looks for jobs) is subtracted.
    """
    count = min(lesson.students, 150)
    lesson.players("get_ready")
    lesson.settle()
    idle = lesson.idle()
    measured: dict[str, list[tuple[float, float]]] = {}
    answered: dict[str, list[Sent]] = {}

    def measure(what: str, times: int, rate: float = 0, at_once: int = 4, name: str = "") -> None:
        name = name or what
        sent, used = lesson.measured(
            "repeat", what=what, count=times, rate=rate, seed=seed, at_once=at_once
        )
        web = used.web - idle.web * used.wall
        database = max(0.0, used.database - idle.database * used.wall)
        measured.setdefault(name, []).append((1000 * web / times, 1000 * database / times))
        answered.setdefault(name, []).extend(sent)

    for number in range(rounds + 1):
        measure("bare", 4 * count, rate=BARE)
        measure("find", count, rate=FINDS)
        lesson.players("get_ready")
        measure("bare", 4 * count, name="bare at once")
        measure("find", count, name="find at once")
        lesson.players("get_ready")
        for what in ("home", "play page", "state", "finish"):
            measure(what, count // 3)
        for size in reviews:
            measure(f"review {size}", 12, at_once=1)
        if number == 0:  # everything is loaded now
            measured.clear()
            answered.clear()
        lesson.players("get_ready")
    measure("login", count // 3)

    def ratios(how: str) -> list[float]:
        pairs = zip(measured[f"find{how}"], measured[f"bare{how}"], strict=True)
        return [find / bare for (find, _database), (bare, _none) in pairs]

    return {
        "ratios": ratios(""),
        "ratios_at_once": ratios(" at once"),
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


def rate(
    lesson: Lesson, start: float, seconds: float, pages: float, seed: int, most: float = 2000
) -> Result:
    """Let ever more words be found a second until it is too slow; return the steps.

    The school has played before: some seconds of finds do not count, because plans that were made
    for empty tables are no more when autovacuum has seen the first of them. A step that fails is
    tried once more, because the machine may do something else for a moment. Then the mean of the
    last good and the first bad rate is tried.
    """
    lesson.players("get_ready")
    _step(lesson, start / 2, seconds, pages, seed - 1)
    vacuum.tidy()
    steps: list[Result] = []
    sustained, wanted, failures, is_last = 0.0, start, 0, False
    while wanted <= most:
        step = _step(lesson, wanted, seconds, pages, seed + len(steps))
        steps.append(step)
        if step["is_sustained"]:
            sustained = wanted
            if is_last:
                break
            wanted, failures = wanted * GROWTH, 0
        elif is_last or (failures and not sustained):
            break
        elif failures:
            wanted, is_last = math.sqrt(sustained * wanted), True
        else:
            failures += 1
    return {"sustained": sustained, "steps": steps}


def _step(lesson: Lesson, wanted: float, seconds: float, pages: float, seed: int) -> Result:
    """Let *wanted* words be found a second for some seconds; say whether the site kept up."""
    stretches = [(wanted, seconds + WARM)]
    sent, used = lesson.measured("load", finds=stretches, pages=pages, seed=seed)
    lesson.players("settle")
    finds = [one for one in of_kind(sent, "find", "wrong") if one[1] >= WARM]
    found = [one for one in of_kind(finds, "find") if one[3] == 200]
    result: Result = {
        "wanted": wanted,
        "found": len(found) / seconds,
        "p95": p95(finds),
        "median": 1000 * percentile((one[2] for one in finds), 0.5),
        "pages_p95": p95(of_kind(sent, "home", "play page")),
        "failed": failed(sent),
        "cores": cores(used),
        "bottleneck": bottleneck(used, lesson.site.processes or 1),
    }
    return result | {"is_sustained": result["p95"] <= SLOW and not result["failed"]}


def cores(used: Used) -> dict[str, float]:
    """Return how many processors each part kept busy."""
    known = {name: value / used.wall for name, value in asdict(used).items() if name != "wall"}
    machine = known.pop("machine")
    return known | {"others": max(0.0, machine - sum(known.values())), "of": _CORES}


def bottleneck(used: Used, processes: int) -> str:
    """Name what had no more to give."""
    busy = cores(used)
    parts = {name: busy[name] for name in ("web", "database", "players", "worker", "others")}
    if sum(parts.values()) >= 0.9 * _CORES:
        shares = ", ".join(f"{name} {value:.1f}" for name, value in parts.items() if value >= 0.1)
        return f"all {_CORES} cores ({shares})"
    if busy["web"] >= 0.85 * processes:
        return f"the interpreter lock of {processes} web process(es)"
    if busy["players"] >= 0.85:
        return "the players of this benchmark"
    return "waiting: for a lock or the disk"


def overload(lesson: Lesson, sustained: float, seconds: float, pages: float, seed: int) -> Result:
    """Ask for more than is possible, then for half of what is; see what is refused and lost."""
    lesson.players("get_ready")
    after = 2 * seconds
    finds = [(OVERLOAD * sustained, seconds), (sustained / 2, after)]
    sent, used = lesson.measured("load", finds=finds, pages=pages / 2, seed=seed)
    confirmed = set(lesson.players("confirmed")["ids"])
    lost = len(confirmed - _stored())
    lesson.players("settle")
    during = [one for one in sent if one[1] < seconds]
    refused = [one for one in sent if one[3] == 503]
    normal = _is_normal_after(of_kind(sent, "find", "wrong"), seconds, seconds + after)
    return {
        "rate": OVERLOAD * sustained,
        "statuses": statuses(during),
        "afterwards": statuses([one for one in sent if one[1] >= seconds]),
        "told_when": sum(one[4] for one in refused),
        "refused": len(refused),
        "p95_of_answered": p95([one for one in during if one[3] == 200]),
        "lost": lost,
        "normal_after": normal,
        "cores": cores(used),
    }


def _is_normal_after(finds: Sequence[Sent], begins: float, ends: float) -> float | None:
    """Return after how many seconds all later finds are quick again; None: never."""
    normal = None
    for second in reversed(range(int(begins), int(ends))):
        planned = [one for one in finds if second <= one[1] < second + 1]
        if planned and (p95(planned) > SLOW or failed(planned)):
            break
        normal = float(second - begins)
    return normal


def lesson_of(lesson: Lesson, minutes: float, speed_up: float, seed: int) -> Result:
    """Play a whole lesson: everybody logs in, opens puzzles, plays, ends and reviews."""
    lesson.settle()
    sent, used = lesson.measured("lesson", minutes=minutes, speed_up=speed_up, seed=seed)
    return _summary(lesson, sent, used)


def _summary(lesson: Lesson, sent: list[Sent], used: Used) -> Result:
    kinds = sorted({one[0] for one in sent})
    found = [one for one in of_kind(sent, "find") if one[3] == 200]
    lesson.players("settle")
    return {
        "seconds": used.wall,
        "found": len(found) / used.wall,
        "requests": len(sent),
        "failed": failed(sent),
        "statuses": statuses(sent),
        "p95": {kind: p95(of_kind(sent, kind)) for kind in kinds},
        "median": {
            kind: 1000 * percentile((one[2] for one in of_kind(sent, kind)), 0.5) for kind in kinds
        },
        "counts": {kind: len(of_kind(sent, kind)) for kind in kinds},
        "cores": cores(used),
    }


def _stored() -> set[str]:
    from puzzles.models import Move

    found = Move.objects.filter(outcome=Move.Outcome.FOUND)
    return {str(one) for one in found.values_list("client_id", flat=True)}


def accounts(lesson: Lesson) -> Result:
    """Compare what the players were told with what is stored, over all phases until now."""
    answer, log = lesson.players("confirmed"), lesson.site.log_text()
    return compare(answer["ids"]) | {
        "changed": answer["changed"],
        "locked": log.count("database is locked"),
        "errors": log.count("Traceback (most recent call last)"),
    }


def compare(ids: Sequence[str]) -> Result:
    """Compare confirmed answers, by their ids, with moves and reviews."""
    from puzzles.models import Move
    from vocab.models import Review

    confirmed, stored = set(ids), _stored()
    found = Move.objects.filter(outcome=Move.Outcome.FOUND)
    sources = {
        f"session:{session}:{slot}"
        for session, slot in found.values_list("session", "placement__slot")
    }
    reviews = Review.objects.filter(source__startswith="session:").exclude(outcome="wrong")
    remembered = set(reviews.values_list("source", flat=True))
    return {
        "finds": len(ids),
        "stored": len(stored),
        "reviews": len(remembered),
        "lost": len(confirmed - stored) + len(sources - remembered),
        "twice": len(ids) - len(confirmed),
        "are_equal": confirmed == stored and sources == remembered,
    }
