"""What every format reads and writes: rows, problems with their lines, and their JSON form.

Texts of a row have no surrounding white space and no control characters; lists and mappings contain
no empty text. `columns.tidy` brings a text into that form.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any, Literal

from vocab import text_fields
from vocab.message import Sentence, filled, one_after_another, sentence_of, tree_of
from vocab.message import message as message
from vocab.message import messages as messages

Severity = Literal["error", "warning"]
Setting = str | bool
Value = str | float

# The limit of a spreadsheet cell; a list must fit into every format.
MAX_CELL = 32_767
MAX_ROWS = 50_000
MAX_COLUMNS = 200
MAX_EMPTY_ROWS = 10_000


class FormatError(ValueError):
    """A file or list cannot be read or written. *line* counts from 1.

    *values* fill the gaps of *sentence*; `str()` gives it in English.
    """

    def __init__(self, sentence: Sentence, *, line: int | None = None, **values: Value) -> None:
        self.line = line
        self.sentence = filled(sentence, **values if line is None else {"line": line, **values})
        super().__init__(str(self.sentence))


@dataclass(frozen=True, slots=True)
class Problem:
    """What is wrong with a line: it is left out after an `error`, kept after a `warning`.

    *line* counts from 1 (a spreadsheet's row, an Anki package's note); 0 is the whole file.
    *repairs* are the names of those in `vocab.formats.repairs` that may help.
    """

    line: int
    sentence: Sentence
    severity: Severity = "error"
    repairs: tuple[str, ...] = ()

    def as_json(self) -> dict[str, Any]:
        """Return plain data that `from_json` reads."""
        data = {"line": self.line, "severity": self.severity, **tree_of(self.sentence)}
        return data | {"repairs": list(self.repairs)} if self.repairs else data

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Problem:
        """Rebuild what `as_json` returned."""
        return cls(
            data["line"], sentence_of(data), data["severity"], tuple(data.get("repairs", ()))
        )


# So many lines are named; of more, only how many they are.
_NAMED_LINES = 5


def numbers_of_lines(lines: Sequence[int]) -> str | Sentence:
    """Return the first few of *lines* as people read them, and how many more there are."""
    named = ", ".join(map(str, lines[:_NAMED_LINES]))
    more = len(lines) - _NAMED_LINES
    if more <= 0:
        return named
    return messages("{lines} and {count} more", "{lines} and {count} more", more, lines=named)


def in_quotes(text: str | Sentence) -> Sentence:
    """Return *text* in quotation marks."""
    return Sentence("“{text}”", {"text": text})  # not marked: there is nothing to translate


def one_for_each(problems: Iterable[Problem]) -> list[Problem]:
    """Return *problems* with one warning for what many lines have, which names these lines.

    It is the warning of the first line. Errors stay as they are: each line is corrected by itself.
    """
    alike: dict[object, list[Problem]] = {}
    for number, problem in enumerate(problems):
        is_one_of_many = problem.severity == "warning" and problem.line
        alike.setdefault(problem.sentence.template if is_one_of_many else number, []).append(
            problem
        )
    return [problem for same in alike.values() for problem in _with_lines(same)]


def _with_lines(same: Sequence[Problem]) -> Sequence[Problem]:
    first = same[0]
    lines = sorted({problem.line for problem in same} - {first.line})
    if not lines:
        return same
    also = messages(
        "The same in line {lines}.",
        "The same in lines {lines}.",
        len(lines),
        lines=numbers_of_lines(lines),
    )
    return [replace(first, sentence=one_after_another([first.sentence, also]))]


@dataclass(slots=True, kw_only=True)
class Row:
    """One term of a list; `translations` maps a BCP-47 tag, or "" for the list's own, to texts."""

    term: str
    line: int = 0
    id: str = ""
    translations: dict[str, list[str]] = field(default_factory=dict)
    playing_form: str = ""
    pronunciation: str = ""
    part_of_speech: str = ""
    example: str = ""
    example_translation: str = ""
    hint: str = ""
    note: str = ""
    image: str = ""
    audio: str = ""
    tags: list[str] = field(default_factory=list)
    language: str = ""
    extra: dict[str, str] = field(default_factory=dict)

    def as_json(self) -> dict[str, Any]:
        """Return JSON data that `from_json` reads; empty values are omitted."""
        data: dict[str, Any] = {"line": self.line, "term": self.term}
        for name in TEXT_FIELDS:
            if text := getattr(self, name):
                data[name] = text
        if self.translations:
            data["translations"] = {tag: list(texts) for tag, texts in self.translations.items()}
        if self.tags:
            data["tags"] = list(self.tags)
        if self.extra:
            data["extra"] = dict(self.extra)
        return data

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Row:
        """Rebuild what `as_json` returned; an unknown name raises TypeError."""
        return cls(**data)


# The fields with a single text, except the term.
TEXT_FIELDS = ("id", *text_fields.NAMES, "image", "audio", "language")


@dataclass(slots=True, kw_only=True)
class Parsed:
    """A parsed file: `columns` maps each header to its field, in the file's order.

    A field is one of `columns.FIELDS`, `translation:de` for one language, `extra` (kept under the
    header's name) or `ignore` (left out because the caller asked for it). `settings` has what was
    guessed or given (encoding, delimiter, deck, …); the parser reads the file in the same way if
    they are passed back to it. `about` is what the file says about itself (its deck). `media` maps
    a file name used by rows to the path of its bytes.

    `header_line` is the line that names the columns, 0 if none does. `separators` says of a text
    how many of its lines each separator split.
    """

    rows: list[Row] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    columns: dict[str, str] = field(default_factory=dict)
    settings: dict[str, Setting] = field(default_factory=dict)
    about: dict[str, str] = field(default_factory=dict)
    media: dict[str, Path] = field(default_factory=dict)
    header_line: int = 0
    separators: dict[str, int] = field(default_factory=dict)

    def as_json(self) -> dict[str, Any]:
        """Return JSON data that `from_json` reads."""
        return {one.name: getattr(self, one.name) for one in fields(self)} | {
            "rows": [row.as_json() for row in self.rows],
            "problems": [problem.as_json() for problem in self.problems],
            "media": {name: str(path) for name, path in self.media.items()},
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Parsed:
        """Rebuild what `as_json` returned."""
        read = {
            "rows": [Row.from_json(row) for row in data["rows"]],
            "problems": [Problem.from_json(problem) for problem in data["problems"]],
            "media": {name: Path(path) for name, path in data["media"].items()},
        }
        return cls(**{**data, **read})
