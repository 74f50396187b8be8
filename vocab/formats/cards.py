"""Cards as texts: Q:/A:, Obsidian's question marks, Moodle's Aiken and GIFT. Others are named.

Sources: Obsidian's plugin “Spaced Repetition”, and Moodle's documentation of its import formats.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from vocab.formats.columns import join_list
from vocab.formats.headers import field_of
from vocab.formats.rows import FormatError, message

Records = list[tuple[int, list[str]]]


class Cards(NamedTuple):
    """A table of cards, and the *mark* that tells their notation."""

    mark: str
    names: Sequence[str]
    records: Records


# Notations that are not read, each with a pattern that no list of words fits.
_UNREAD = (
    (
        "YAML",
        re.compile(r"^[ \t]*-[ \t]+\w[^:\n]*:.*\n(?:[ \t]{2,}\w[^:\n]*:.*\n)+[ \t]*(?:-|\Z)", re.M),
    ),
    ("YAML", re.compile(r"\A---[ \t]*\n\s*[\w\"'-][^:\n]*:", re.M)),
    ("Org", re.compile(r"^[ \t]*:PROPERTIES:[ \t]*$|\A\s*#\+\w+:|^\*+ .*:drill:", re.M)),
    ("Markdown", re.compile(r"\A\s*#{1,6} .+\n(?:(?!---).*\n)+---[ \t]*\n", re.M)),
    ("LaTeX", re.compile(r"^[ \t]*\\(?:documentclass|begin\{|usepackage)", re.M)),
)
# Labels of one letter: question and answer in English, German, Croatian and Polish, Russian.
_LETTERS = {"q": "a", "f": "a", "p": "o", "в": "о"}
_LABEL = re.compile(r"[ \t]*(?:[-*][ \t]+)?\**([^\W\d_][\w ]{0,20}?)\**[ \t]*[:：]\**[ \t]*(.*)")
_FIELDS = ("term", "translation", "example", "hint", "note", "pronunciation", "tags")
_OPTION = re.compile(r"([A-Z])[.)][ \t]+(.+)")
_AIKEN = re.compile(r"ANSWER:[ \t]*([A-Z])[ \t]*")
_GIFT = re.compile(r"(?<!\\)\{((?:[^{}\\]|\\.)*)\}", re.S)
_GIFT_PIECE = re.compile(r"([=~])((?:[^=~\\]|\\.)*)", re.S)
_GIFT_COMMENT = re.compile(r"^(?://.*|\$[A-Z]+:.*)$", re.M)
_GIFT_TITLE = re.compile(r"\s*(?:::(?:[^:\\]|\\.)*::)?\s*(?:\[\w+\])?", re.S)
_ESCAPED = re.compile(r"\\([~=#{}:\\])")


def cards_of(text: str) -> Cards | None:
    """Return the cards of *text* if it surely has such a notation.

    Raises `FormatError` for one that is not read.
    """
    for read in (_labelled, _with_question_marks, _aiken, _gift):
        if cards := read(text):
            return cards
    for name, pattern in _UNREAD:
        if pattern.search(text[:20_000]):
            raise FormatError(
                message(
                    "This is {name}, which cannot be imported. Export the words as CSV, or write "
                    "“word = translation” in each line."
                ),
                name=name,
            )
    return None


def _labelled(text: str) -> Cards | None:
    """Read `Q: Hund`, `A: dog`, and lines that begin with other names of columns."""
    lines = text.splitlines()
    first = next((match for line in lines if line.strip() and (match := _LABEL.match(line))), None)
    start = next((line for line in lines if line.strip()), "")
    if first is None or not _LABEL.match(start):
        return None
    question = first[1].casefold()
    answer = _LETTERS.get(question, "")
    if not answer and field_of(question) != "term":
        return None
    records: list[tuple[int, dict[str, str]]] = []
    field = ""
    for number, line in enumerate(lines, 1):
        match = _LABEL.match(line)
        label = match[1].casefold() if match else ""
        named = "term" if label == question else ""
        named = named or ("translation" if answer and label == answer else "")
        if label and not answer and not named:
            named = (field_of(label) or "").partition(":")[0]
        if match and named in _FIELDS:
            if named == "term":
                records.append((number, {}))
            field, line = named, match[2]
        if records and line.strip():
            cells = records[-1][1]
            cells[field] = f"{cells[field]}\n{line.strip()}" if field in cells else line.strip()
    answered = sum("translation" in cells for _, cells in records)
    if answered < (1 if answer else 2) or answered * 2 < len(records):
        return None
    names = [name for name in _FIELDS if any(name in cells for _, cells in records)]
    return Cards(
        f"{first[1]}:",
        names,
        [(line, [cells.get(name, "") for name in names]) for line, cells in records],
    )


def _blocks(text: str) -> Iterator[tuple[int, list[str]]]:
    """Yield the lines between empty lines, with the number of the first."""
    block: list[str] = []
    for number, line in enumerate([*text.splitlines(), ""], 1):
        if line.strip():
            block.append(line.strip())
        elif block:
            yield number - len(block), block
            block = []


def _with_question_marks(text: str) -> Cards | None:
    """Read a word, a line with `?` or `??`, and a translation."""
    if not re.search(r"^\?{1,2}[ \t]*$", text, re.M):
        return None
    records: Records = []
    for line, block in _blocks(text):
        place = next((n for n, part in enumerate(block) if part in ("?", "??")), 0)
        if place:
            records.append((line, ["\n".join(block[:place]), "\n".join(block[place + 1 :])]))
        else:
            records.append((line, ["\n".join(block)]))
    is_such = 2 * sum(len(cells) == 2 for _, cells in records) >= len(records)
    return Cards("?", _FIELDS[:2], records) if is_such else None


def _aiken(text: str) -> Cards | None:
    """Read a question, answers after `A.`, `B.`, and `ANSWER: B`."""
    if not re.search(r"^ANSWER:[ \t]*[A-Z][ \t]*$", text, re.M):
        return None
    records: Records = []
    for line, block in _blocks(text):
        options = {m[1]: m[2] for part in block if (m := _OPTION.fullmatch(part))}
        question = [p for p in block if not _OPTION.fullmatch(p) and not _AIKEN.fullmatch(p)]
        right = [match[1] for part in block if (match := _AIKEN.fullmatch(part))]
        texts = [options[letter] for letter in right if letter in options]
        records.append((line, [" ".join(question), join_list(texts)]))
    return Cards("ANSWER:", _FIELDS[:2], records)


def _gift(text: str) -> Cards | None:
    """Read the right answers of questions, and the pairs of questions that match."""
    if not any(match[1].lstrip().startswith(("=", "~")) for match in _GIFT.finditer(text)):
        return None
    text = _GIFT_COMMENT.sub("", text)
    records: Records = []
    end = 0
    for match in _GIFT.finditer(text):
        title = _GIFT_TITLE.match(text, end, match.start())
        begin = title.end() if title else end
        question, end = _plain(text[begin : match.start()]), match.end()
        line = text.count("\n", 0, begin) + 1
        right = [piece[2] for piece in _GIFT_PIECE.finditer(match[1]) if piece[1] == "="]
        pairs = [piece.partition("->")[::2] for piece in right if "->" in piece]
        if pairs:
            records += [(line, [_plain(one), _plain(other)]) for one, other in pairs]
        else:
            texts = [_plain(re.split(r"(?<!\\)#", piece)[0]) for piece in right]
            records.append((line, [question, join_list(texts)]))
    return Cards("{=", _FIELDS[:2], records) if records else None


def _plain(text: str) -> str:
    return _ESCAPED.sub(r"\1", text).strip().removeprefix("%100%")
