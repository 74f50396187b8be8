"""Read crosswords of Crossword Compiler (.jpz): XML, which is mostly in a ZIP file."""

from __future__ import annotations

import re
from collections.abc import Iterable
from html.entities import html5
from itertools import islice
from xml.etree.ElementTree import Element, ParseError

import defusedxml
import defusedxml.ElementTree

from puzzles.generators.grid import Cell, Grid
from puzzles.imports.readers.puzzle import (
    LONGEST_SIDE,
    ReadError,
    ReadPuzzle,
    ReadWord,
    Runs,
    begun,
    checked_size,
    clue_and_answer,
    continuation,
    crossword_word,
    damaged,
    finished,
    left_out_marks,
    not_too_many,
    number_of,
    parts_of,
    plain,
    runs_by_head,
    tile_of,
    with_bars,
    with_enumeration,
    without_solution,
)
from vocab.message import message

_BREAKS = ("br", "p", "div")
_MARKS = ("background-shape", "background-color")
_BARS = ("top-bar", "bottom-bar", "left-bar", "right-bar")
_AMPERSAND = re.compile(rb"&(?!#|(?:amp|lt|gt|quot|apos);)(?:(\w{1,40};))?")


def read(data: bytes) -> ReadPuzzle:
    """Return the crossword of a .jpz file. Raises ReadError."""
    root = _root(data)
    crossword = _first(root, "crossword")
    if crossword is None:
        if _first(root, "rectangular-puzzle") is None:
            raise ReadError(message("This XML file contains no crossword."))
        raise ReadError(message("Only crosswords can be imported from JPZ files."))
    title = _text(_first(root, "title", below="metadata"))
    if not title:
        title = _text(_first(root, "title", below="applet-settings"))
    return _crossword(crossword, title)


def _entity(match: re.Match[bytes]) -> bytes:
    """Return an ampersand as XML has it: of HTML it knows no entities, and none by itself."""
    name = (match[1] or b"").decode("utf-8", "replace")
    if name in html5:
        return "".join(f"&#{ord(sign)};" for sign in html5[name]).encode()
    return b"&amp;" + (match[1] or b"")


def _root(data: bytes) -> Element:
    try:
        # UTF-16, which has two bytes for each sign, stays as it is.
        if b"\0" not in data[:100]:
            data = _AMPERSAND.sub(_entity, data.strip())
        root: Element = defusedxml.ElementTree.fromstring(data)
    except (ParseError, defusedxml.DefusedXmlException, ValueError, LookupError):
        raise damaged() from None
    return root


def _name(element: Element) -> str:
    """Return an element's name without its namespace."""
    return str(element.tag).rpartition("}")[2]


def _children(element: Element, name: str) -> Iterable[Element]:
    """Return those of an element's own children that have the name.

    Elements of the same name in each other would be read again for each that they are in.
    """
    return (found for found in element if _name(found) == name)


def _first(element: Element, name: str, *, below: str = "") -> Element | None:
    parent = _first(element, below) if below else element
    if parent is None:
        return None
    return next((found for found in parent.iter() if _name(found) == name), None)


def _text(element: Element | None) -> str:
    """Return the text of an element and of those in it, which mark it up."""
    for part in () if element is None else element.iter():
        if _name(part) in _BREAKS:
            part.text, part.tail = f" {part.text or ''}", f" {part.tail or ''}"
    return "" if element is None else plain("".join(element.itertext())[:5000])


def _crossword(crossword: Element, title: str) -> ReadPuzzle:
    table = _first(crossword, "grid")
    if table is None:
        raise damaged()
    rows, cols = checked_size(table.get("width"), table.get("height"))
    tiles: list[list[str | None]] = [[None] * cols for _row in range(rows)]
    numbers: dict[Cell, str] = {}
    has_marks = False
    squares = list(islice(_children(table, "cell"), rows * cols + 1))
    if len(squares) > rows * cols:
        raise damaged()
    for cell in squares:
        row, col = _place(cell.get("y"), rows), _place(cell.get("x"), cols)
        if any(cell.get(bar) == "true" for bar in _BARS):
            raise with_bars()
        kind, letter = cell.get("type", "letter"), cell.get("solution")
        # A square of a clue has a letter that is given, or none that anybody fills in.
        if kind not in ("letter", "cell", "clue") or (kind == "clue" and not letter):
            continue
        tiles[row][col] = tile_of(letter or "")
        if not tiles[row][col]:
            raise without_solution()
        has_marks |= any(cell.get(mark) for mark in _MARKS)
        if label := cell.get("number"):
            numbers[row, col] = label
    grid: Grid = tuple(map(tuple, tiles))
    places = {word.get("id"): word for word in _children(crossword, "word")}
    words: dict[tuple[Cell, ...], ReadWord] = {}
    further: dict[tuple[Cell, ...], ReadWord] = {}
    references = set()
    runs = runs_by_head(grid)
    heads = {number_of(label): cell for cell, label in numbers.items()}
    clues = (clue for listed in _children(crossword, "clues") for clue in _children(listed, "clue"))
    for clue in not_too_many(clues):
        # The first clue of a word counts, and no other takes the time to look at its cells.
        word = places.pop(clue.get("word"), None)
        if word is None:
            continue
        cells = tuple(_cells(word, rows, cols))
        if not cells or any(grid[row][col] is None for row, col in cells):
            raise damaged()
        if cells in words:
            continue
        label = clue.get("number") or numbers.get(cells[0], "")
        cells, *others = _straight(cells, runs)
        letters = [grid[row][col] or "" for row, col in cells]
        text, answer = clue_and_answer(_text(clue), letters, clue.get("format"))
        first = crossword_word(cells, label, answer=answer)
        # Some programs only name the other places.
        others = others or [
            other
            for number, way in parts_of(str(label))[1:]
            if (other := begun(runs, heads.get(number), way, first.direction))
        ]
        if others:
            text = with_enumeration(text, clue.get("format"))
        if clue.get("is-link"):
            references.add(cells)
        words.setdefault(cells, crossword_word(cells, label, clue=text, answer=answer))
        for other in others:
            label = numbers.get(other[0], "")
            further[other] = continuation(other, label, first.number, cells)
    for cells, reference in further.items():
        if cells not in words or cells in references or not words[cells].clue:
            words[cells] = reference
    puzzle = ReadPuzzle(
        is_numbered=True,
        grid=grid,
        words=tuple(words.values()),
        title=title,
        losses=(left_out_marks(),) if has_marks else (),
    )
    return finished(puzzle, numbers)


def _straight(cells: tuple[Cell, ...], runs: Runs) -> list[tuple[Cell, ...]]:
    """Return the words of a linked answer, one after another, or one word if it is none.

    An answer that goes on in another place has the cells of both. Others bend or have gaps: their
    parts are no whole words of the grid, which are the *runs*.
    """
    parts, rest = [], cells
    while rest:
        begun_here = runs.get(rest[0], {}).values()
        part = next((run for run in begun_here if rest[: len(run)] == run), ())
        if not part:
            return [cells]
        parts.append(part)
        rest = rest[len(part) :]
    return parts


def _cells(word: Element, rows: int, cols: int) -> Iterable[Cell]:
    """Yield the cells of a word, which are ranges in its own element or in those in it."""
    parts = [word] if word.get("x") else []
    parts += islice(_children(word, "cells"), LONGEST_SIDE)
    for part in parts:
        xs = list(_range(part.get("x"), cols))
        ys = list(_range(part.get("y"), rows))
        if len(xs) > 1 and len(ys) > 1:
            raise damaged()
        yield from ((row, col) for row in ys for col in xs)


def _range(text: str | None, most: int) -> Iterable[int]:
    """Return the places of “3” or “3-7”, counted from 0; “7-3” runs backwards."""
    first, _dash, last = (text or "").partition("-")
    start, end = _place(first, most), _place(last or first, most)
    return range(start, end + 1) if start <= end else range(start, end - 1, -1)


def _place(text: str | None, most: int) -> int:
    """Return a place in a row or column, counted from 0."""
    try:
        place = int((text or "")[:9])
    except ValueError:
        raise damaged() from None
    if not 1 <= place <= most:
        raise damaged()
    return place - 1
