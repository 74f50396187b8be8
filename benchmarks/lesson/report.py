"""The results as text: a row for each line that was asked for, a column for each database."""

from __future__ import annotations

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


def _books(one: Result) -> str:
    return f"{one['finds']} = {one['stored']} = {one['reviews']}"


_ROWS: dict[str, list[tuple[str, str, _Cell]]] = {
    "cost": [
        ("processor, a found word ÷ a bare view (range)", "≤ 12", _ratio("ratios")),
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
