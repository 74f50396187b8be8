"""The results as text: a row for each line that was asked for, a column for each database."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from statistics import median
from typing import Any

Result = dict[str, Any]
_Cell = Callable[[Result], str]


# Rows ----------------------------------------------------------------------------------------


def _ratio(how: str) -> _Cell:
    def cell(one: Result) -> str:
        ratios = one[how]
        return f"{median(ratios):.1f} ({min(ratios):.1f}–{max(ratios):.1f})"

    return cell


def _spent(what: str) -> _Cell:
    return lambda one: f"{one['web_ms'][what]:.2f} + {one['database_ms'][what]:.2f} ms"


def _finds(one: Result) -> str:
    return ", ".join(str(kind["queries"]) for kind in one["find"].values())


def _ending(size: str) -> _Cell:
    return lambda one: f"{one['finish'][size]['queries']}, {one['finish'][size]['ms']:.0f} ms"


def _cards(one: Result) -> str:
    return " / ".join(f"{card['ms']:.0f} ms" for card in one["review"].values())


def _card_queries(one: Result) -> str:
    return " / ".join(str(card["queries"]) for card in one["review"].values())


def _reached(one: Result) -> str:
    first = next((step for step in one["steps"] if not step["is_sustained"]), None)
    beyond = f"; at {first['wanted']:.0f}: p95 {first['p95']:.0f} ms" if first else ""
    return f"{one['sustained']:.0f}{beyond}"


def _pages(one: Result) -> str:
    good = [step for step in one["steps"] if step["is_sustained"]] or one["steps"]
    best = max(good, key=lambda step: float(step["wanted"]))
    return f"{best['pages_p95']:.0f} ms"


def _others(one: Result) -> str:
    taken = [step["cores"]["others"] for step in one["steps"]]
    return f"{min(taken):.1f}–{max(taken):.1f} of {one['steps'][0]['cores']['of']}"


def _beyond(one: Result) -> str:
    told = ", ".join(f"{count} × {status}" for status, count in one["statuses"].items())
    return f"at {one['rate']:.0f}: {told}"


def _refused(one: Result) -> str:
    return f"{one['told_when']} of {one['refused']}"


def _normal(one: Result) -> str:
    after = one["normal_after"]
    return "never" if after is None else f"{after:.0f} s"


def _played(one: Result) -> str:
    return f"{one['found']:.0f} a second for {one['seconds']:.0f} s, {one['requests']} requests"


def _slowest(one: Result) -> str:
    return ", ".join(f"{kind} {ms:.0f}" for kind, ms in one["p95"].items())


def _work(one: Result) -> str:
    work = one["work"]
    return f"{work['puzzles']} puzzles, {work['sounds']} sounds, {work['failed_jobs']} failed"


def _books(one: Result) -> str:
    return f"{one['finds']} = {one['stored']} = {one['reviews']}"


_ROWS: dict[str, list[tuple[str, str, _Cell]]] = {
    "cost": [
        ("processor, a found word ÷ a bare view (range)", "≤ 6", _ratio("ratios")),
        ("  the same four at once, without a pause", "", _ratio("ratios_at_once")),
        ("  a bare view: web + database", "", _spent("bare")),
        ("  a found word", "", _spent("find")),
        ("  four at once: a bare view", "", _spent("bare at once")),
        ("  four at once: a found word", "", _spent("find at once")),
        ("  a student's home", "", _spent("home")),
        ("  the play page", "", _spent("play page")),
        ("  the play state", "", _spent("state")),
        ("  ending a puzzle of 12", "", _spent("finish")),
        ("  a login by card, and home", "", _spent("login")),
        ("failed requests", "0", lambda one: str(one["failed"])),
    ],
    "rate": [
        ("found words a second until p95 passes 300 ms", "100 / 200", _reached),
        ("  p95 of the pages beside", "", _pages),
        ("  cores that other programs took meanwhile", "0", _others),
    ],
    "overload": [
        ("beyond that", "200, 503", _beyond),
        ("  503 with Retry-After", "all", _refused),
        ("  confirmed, but lost", "0", lambda one: str(one["lost"])),
        ("  normal again after", "≤ 10 s", _normal),
    ],
    "queries": [
        ("queries a find (word search, finder, crossword)", "≤ 10", _finds),
        ("ending a puzzle of 12 words", "≤ 15, < 100 ms", _ending("12")),
        ("ending a puzzle of 100 words", "≤ 15, < 100 ms", _ending("100")),
        ("a card of the quick review, 200 / 3 000 / 10 000 words", "the same", _cards),
        ("  its queries", "", _card_queries),
    ],
    "lesson": [
        ("a lesson: found words", "", _played),
        ("  p95 in ms", "", _slowest),
        ("  failed requests", "0", lambda one: str(one["failed"])),
    ],
    "endurance": [
        ("endurance: found words", "", _played),
        ("  p95 in ms", "", _slowest),
        ("  failed requests", "0", lambda one: str(one["failed"])),
        ("  made beside", "", _work),
    ],
    "accounts": [
        ("finds = stored = reviews", "equal", _books),
        ("  lost / twice / answered otherwise the second time", "0 / 0 / 0",
         lambda one: f"{one['lost']} / {one['twice']} / {one['changed']}"),
        ("  “database is locked” / errors in the server's log", "0 / 0",
         lambda one: f"{one['locked']} / {one['errors']}"),
    ],
}  # fmt: skip


def rows(phase: str, result: Result) -> Iterator[str]:
    """Yield the rows of one phase alone."""
    for name, wanted, cell in _ROWS.get(phase, ()):
        yield f"{name}: {cell(result)}" + (f" (wanted: {wanted})" if wanted else "")


def text(results: dict[str, Result]) -> str:
    """Return all that was measured."""
    parts = ["\n".join(_table(results))]
    for name, result in results.items():
        if "where" in result:
            parts.append(f"Where the time goes ({name})\n" + "\n".join(_where(result["where"])))
        if "processes" in result:
            parts.append(f"Web processes ({name})\n" + "\n".join(_processes(result["processes"])))
        if "cost" in result and result["cost"]["database_ms"]["find"]:
            parts.append("\n".join(_district(result["cost"])))
    parts.append("The play page, cold: python -m benchmarks.play_page")
    return "\n\n".join(parts)


def _table(results: dict[str, Result]) -> Iterator[str]:
    lines = [("", "wanted", *results)]
    for phase, rows in _ROWS.items():
        if any(phase in result for result in results.values()):
            lines += [
                (
                    name,
                    wanted,
                    *(cell(one[phase]) if phase in one else "–" for one in results.values()),
                )
                for name, wanted, cell in rows
            ]
    return _aligned(lines)


def _aligned(lines: list[tuple[str, ...]]) -> Iterator[str]:
    widths = [max(len(line[column]) for line in lines) for column in range(len(lines[0]))]
    for line in lines:
        yield "  ".join(
            text.ljust(width) for text, width in zip(line, widths, strict=True)
        ).rstrip()


def _where(one: Result) -> Iterator[str]:
    """Yield the shares of a found word's processor time, by purpose and by layer."""
    layers = ("in querysets", "in the database", "in Python")
    shares = sorted(one["shares"].items(), key=lambda item: -sum(item[1].values()))
    lines: list[tuple[str, ...]] = [("  ", "in all", *layers)]
    for purpose, parts in [*shares, ("in all", _sums(one["shares"], layers))]:
        numbers = (sum(parts.values()), *(parts.get(layer, 0) for layer in layers))
        lines.append((f"  {purpose}", *(f"{100 * number:.0f} %" for number in numbers)))
    yield f"  {one['finds']} found words: {one['ms']:.2f} ms of processor each without a server,"
    yield f"  {one['ms'] / one['bare_ms']:.0f} times the bare view ({one['bare_ms']:.2f} ms)"
    yield from _aligned(lines)


def _sums(shares: dict[str, dict[str, float]], layers: tuple[str, ...]) -> dict[str, float]:
    return {layer: sum(parts.get(layer, 0) for parts in shares.values()) for layer in layers}


def _processes(counts: dict[str, Result]) -> Iterator[str]:
    alone = counts["1"]["sustained"]
    for count, one in counts.items():
        last = one["steps"][-1]
        times = f" ({one['sustained'] / alone:.1f} × one)" if alone else ""
        yield f"  {count}: {one['sustained']:.0f} found words a second{times}"
        yield f"     at {last['wanted']:.0f} a second the bottleneck is {last['bottleneck']}"


# What a district needs -----------------------------------------------------------------------

PUPILS, SCHOOLS = 50_000, 100
AT_NINE = 0.3  # of the pupils have this lesson at the same time
LESSON = 600  # seconds
PEAK = 1.5  # the busiest minute ÷ the mean of the lesson
FULL = 0.6  # how busy a core may be, so that nothing waits long
# What a pupil does in the lesson.
DOES = {"login": 1, "play page": 2, "state": 2, "find": 24, "home": 3, "review 200": 3}
WRONG = 0.1  # wrong answers, which cost at most what a found word costs


def _district(one: Result) -> Iterator[str]:
    """Yield what a district needs by the measured costs, and what that assumes."""
    does = DOES | {"find": DOES["find"] / (1 - WRONG)}
    does = {what: count for what, count in does.items() if what in one["web_ms"]}
    pupils = PUPILS * AT_NINE
    a_second = pupils * PEAK / LESSON
    web = sum(count * one["web_ms"][what] for what, count in does.items()) / 1000
    database = sum(count * one["database_ms"][what] for what, count in does.items()) / 1000
    web_cores, database_cores = (math.ceil(spent * a_second / FULL) for spent in (web, database))
    memory = web_cores * one["megabytes"] / 1024
    listed = ", ".join(f"{count:.0f} × {what}" for what, count in does.items())
    yield f"A district of {SCHOOLS} schools, {PUPILS:,} pupils (calculated from the costs above)"
    yield f"  assumed: {AT_NINE:.0%} of the pupils have the same ten minutes, the busiest of which"
    yield f"  has {PEAK} times the mean; a pupil does {listed}; cores are at most {FULL:.0%} busy"
    yield f"  a pupil's lesson costs {web:.2f} s of web and {database:.2f} s of database processor"
    yield f"  at the peak: {24 * a_second:.0f} found words a second"
    yield f"  needed: {web_cores} cores for the web ({web_cores} processes, {memory:.1f} GB)"
    yield f"  and {database_cores} for PostgreSQL; workers beside"
