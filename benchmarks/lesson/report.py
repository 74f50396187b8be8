"""The results as a table: a row for each line that was asked for, a column for each database."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

Result = dict[str, Any]
_Cell = Callable[[Result], str]


def _ratio(result: Result) -> str:
    one = result["cost"]
    return f"{one['ratio']:.1f} ({min(one['ratios']):.1f}–{max(one['ratios']):.1f})"


def _web(what: str) -> _Cell:
    def cell(result: Result) -> str:
        one = result["cost"]
        return f"{one['web_ms'][what]:.2f} + {one['database_ms'][what]:.2f} ms"

    return cell


# {phase: [(what the row says, what is wanted, its cell)]}
ROWS: dict[str, list[tuple[str, str, _Cell]]] = {
    "cost": [
        ("processor, a found word ÷ a bare view (lowest–highest)", "≤ 6", _ratio),
        ("  a bare view: web + database", "", _web("bare")),
        ("  a found word", "", _web("find")),
        ("  a student's home", "", _web("home")),
        ("  the play page", "", _web("play page")),
        ("  the play state", "", _web("state")),
        ("  ending a puzzle of 12", "", _web("finish")),
        ("  a login by card", "", _web("log-in")),
        ("failed requests", "0", lambda result: str(result["cost"]["failed"])),
    ],
}


def table(results: dict[str, Result]) -> str:
    """Return the results of all databases side by side."""
    lines = [("", "wanted", *results)]
    for phase, rows in ROWS.items():
        if any(phase in result for result in results.values()):
            lines += [
                (name, wanted, *(_filled(cell, phase, one) for one in results.values()))
                for name, wanted, cell in rows
            ]
    widths = [max(len(line[column]) for line in lines) for column in range(len(lines[0]))]
    return "\n".join(
        "  ".join(text.ljust(width) for text, width in zip(line, widths, strict=True)).rstrip()
        for line in lines
    )


def _filled(cell: _Cell, phase: str, result: Result) -> str:
    return cell(result) if phase in result else "–"
