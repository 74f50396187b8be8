"""Compute positions of a chart's marks in SVG units. Pure; templates/_chart.html draws it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import ceil, log10

WIDTH, HEIGHT = 640, 240
LEFT, RIGHT, TOP, BOTTOM = 72, 12, 16, 36


@dataclass(frozen=True, slots=True)
class Mark:
    """A position in the chart and its label."""

    x: float
    y: float
    label: str


@dataclass(frozen=True, slots=True)
class Series:
    """A line: its SVG points, and the marks on it."""

    name: str
    points: str
    marks: Sequence[Mark]


@dataclass(frozen=True, slots=True)
class Range:
    """How uncertain a value is: a vertical line in the chart."""

    x: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class LineChart:
    """Lines over a common axis, with its scale; `rows` has the same data as a table."""

    title: str
    series: Sequence[Series]
    x_labels: Sequence[Mark]
    y_labels: Sequence[Mark]
    head: Sequence[str]
    rows: Sequence[tuple[str, Sequence[tuple[str, str]]]]  # label, then (series, value)
    width: int = WIDTH
    height: int = HEIGHT
    left: int = LEFT
    end: int = WIDTH - RIGHT
    ranges: Sequence[Range] = ()


def line_chart(
    title: str,
    *,
    over: str,
    places: Sequence[float],
    labels: Sequence[str],
    series: Sequence[tuple[str, Sequence[float | None]]],
    top: float | None = None,
    written: Callable[[float], str] = "{:g}".format,
    ranges: tuple[str, Sequence[tuple[float, float]]] | None = None,
) -> LineChart:
    """Return a line chart over *places*, which increase; a value None leaves its mark out.

    *labels* name the places, *over* names the axis; *top* is the end of the scale, by default a
    round number above every value. *written* formats a value. *ranges* are a name and, for each
    place, between which values the first series lies.
    """
    values = [value for _name, line in series for value in line if value is not None]
    scale = top or round_up(max(values, default=1))
    first, last = (places[0], places[-1]) if places else (0.0, 1.0)
    span = (last - first) or 1

    def x(place: float) -> float:
        return round(LEFT + (place - first) / span * (WIDTH - LEFT - RIGHT), 1)

    def y(value: float) -> float:
        return round(HEIGHT - BOTTOM - value / scale * (HEIGHT - TOP - BOTTOM), 1)

    lines = []
    for name, line in series:
        marks = [
            Mark(x(place), y(value), f"{label}: {written(value)}")
            for place, label, value in zip(places, labels, line, strict=True)
            if value is not None
        ]
        points = " ".join(f"{mark.x},{mark.y}" for mark in marks)
        lines.append(Series(name, points, marks))
    drawn, columns = [], [over, *(name for name, _line in series)]
    if ranges is not None:
        columns.append(ranges[0])
        drawn = [Range(x(place), y(low), y(high))
                 for place, (low, high) in zip(places, ranges[1], strict=True)]  # fmt: skip

    def row(i: int) -> list[tuple[str, str]]:
        cells = [(name, "" if (value := line[i]) is None else written(value))
                 for name, line in series]  # fmt: skip
        if ranges is not None:
            cells.append((ranges[0], "–".join(map(written, ranges[1][i]))))
        return cells

    shown = sorted({0, len(places) - 1}) if places else []
    middle = (first + last) / 2
    nearest = min(range(len(places)), key=lambda index: abs(places[index] - middle), default=0)
    if len(places) > 2 and abs(places[nearest] - middle) <= span / 10:
        shown.insert(1, nearest)  # farther out, its label could touch the first or last one
    return LineChart(
        title,
        lines,
        [Mark(x(places[index]), HEIGHT - 8, labels[index]) for index in shown],
        [Mark(LEFT - 8, y(scale * part), written(scale * part)) for part in (0, 0.5, 1)],
        columns,
        [(label, row(i)) for i, label in enumerate(labels)],
        ranges=drawn,
    )


def round_up(value: float) -> float:
    """Return the least of 2, 4, 10, 20, 40, 100 … that is not below *value*."""
    if value <= 2:
        return 2
    power = 10 ** int(log10(value))
    return float(next(ceil(step * power) for step in (1, 2, 4, 10) if step * power >= value))


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a bar."""

    name: str
    count: int
    x: float
    width: float


def parts(counts: Sequence[tuple[str, int]]) -> list[Part]:
    """Return the parts of a bar that is 100 wide; parts of zero are left out."""
    total = sum(count for _name, count in counts) or 1
    divided, x = [], 0.0
    for name, count in counts:
        part = round(100 * count / total, 2)
        if count:
            divided.append(Part(name, count, round(x, 2), part))
        x += part
    return divided
