"""Tables in Markdown: cells between vertical bars, and a line of dashes below the header."""

from __future__ import annotations

import re
from collections.abc import Sequence

from vocab.formats.rows import Problem, message
from vocab.message import filled

_RULE = re.compile(r"\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?")
_BAR = re.compile(r"(?<!\\)\|")
_BREAK = re.compile(r"<br\s*/?>", re.IGNORECASE)
_MOST_LINES_ABOVE = 200


def _place_of_rule(lines: Sequence[str]) -> int | None:
    for place, line in enumerate(lines[1:_MOST_LINES_ABOVE], 1):
        text = line.strip()
        if "|" in text and "-" in text and "|" in lines[place - 1] and _RULE.fullmatch(text):
            return place
    return None


def markdown_records(
    lines: Sequence[str],
) -> tuple[list[tuple[int, list[str]]], list[Problem]] | None:
    """Return the first table's (line, cells), its header first, and a problem for other text.

    A table is a line with bars, and below it a line of dashes; None if there is none.
    """
    rule = _place_of_rule(lines)
    if rule is None:
        return None
    records = [(rule, _cells(lines[rule - 1]))]
    end = rule + 1
    while end < len(lines) and "|" in lines[end]:
        records.append((end + 1, _cells(lines[end])))
        end += 1
    around = [line.strip() for line in (*lines[: rule - 1], *lines[end:]) if line.strip()]
    text = message("The text around the table was skipped: “{text}”.")
    problems = [Problem(0, filled(text, text=" ".join(around)[:80]), "warning")] if around else []
    return records, problems


def _cells(line: str) -> list[str]:
    text = line.strip().removeprefix("|")
    if text.endswith("|") and not text.endswith("\\|"):
        text = text[:-1]
    return [_BREAK.sub("; ", cell).replace("\\|", "|").strip(" \t*`") for cell in _BAR.split(text)]
