"""Guess what separates the cells and the words of a text, as a whole and line by line."""

from __future__ import annotations

import csv
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence

from vocab.formats.headers import fields_of, looks_like_header
from vocab.formats.rows import Problem, in_quotes, message, messages, numbers_of_lines
from vocab.message import Sentence

# The delimiters between cells that may be quoted.
QUOTED_DELIMITERS = ("\t", "|", ";", ",")
# Typed between a term and its translation, one pair per line, without quoting.
PAIR_DELIMITERS = (" - ", " – ", " — ", " = ", ": ")
# The same without spaces: of a Chinese or Japanese keyboard, arrows, and the equals sign.
_UNSPACED = ("：", "；", "｜", "＝", "؛", "→", "⇒", "->", "=>", "=")
# Signs that words have too: they separate if nearly all lines have just one between two letters.
_RARELY = ("–", "—", "−", "、")
# Columns that spaces align, as a PDF gives them: two spaces or more, or a line of dots.
GAP = "  "
_SPACE = "[ \u00a0\u2000-\u200a\u202f\u3000]"
_BEFORE_GAP = r"(?<=[^\s,;:=|])(?<!\s[-–—−])"
_AFTER_GAP = r"(?=\S)(?![-–—−=:;,|]+(?:\s|$)|->|=>|→|⇒)"
_GAP = re.compile(
    rf"{_BEFORE_GAP}(?:{_SPACE}{{2,}}+|{_SPACE}?(?<![.…·_])(?<![.…·_]\s)(?:[.…·_]{_SPACE}?){{4,}}+"
    rf"{_SPACE}*+){_AFTER_GAP}"
)
_WIDE_SPACE = re.compile(rf"{_BEFORE_GAP}\u3000{_AFTER_GAP}")
_KANA = re.compile(r"[\u3040-\u30ff\s]+")
_MOST_GAPS = 0.6

SAMPLE_LINES = 200
SAMPLE_CHARACTERS = 50_000

# What separates a single line, the surest first. A separator with spaces around it is hardly ever
# part of a word; the others are.
_SPACED = re.compile(
    r"(?<=\S)([ \u00a0\u2000-\u200a\u202f\u3000](?:;|=|–|—|-|−|\||->|→|=>|⇒|:)"
    r"[ \u00a0\u2000-\u200a\u202f\u3000])(?=\S)"
)
_TIGHT = ("; ", ": ", ";", "|", "：", "；", "｜", "＝")
_COMMA = re.compile(r"[,，،]")
# How dictionaries write a plural: “der Hund, -e”, “die Kuh, ¨-e”, and “der Igel, -” without one.
_ENDING = re.compile(r', ?["¨]?[-–][^\W\d_]*(?![\w-])')
# Separators that somebody chose in Quizlet: the same sign twice or more, as in /// and |||.
_RUN = re.compile(r"(?<!:)([/|#@~^*=+_:&%$<>-])\1+")
_ENUMERATED = (",", ";", "，", "、", "،", "؛", "；")
_FEWEST_ENUMERATED = 3
_LONGEST_ENUMERATED = 40
# How a line begins that goes on with the translation above it: a bullet, a number or a bracket.
_GOES_ON = re.compile(r"\s*(?:[-•*–—·▪]\s|[(\[]|\d{1,2}[.)]\s|[a-z][.)]\s)")


def with_tabs(lines: Sequence[str], *, surely: bool = False) -> list[str] | None:
    """Return *lines* with tabs for the gaps between columns; None if most lines have no gap.

    With *surely*, somebody said that there are gaps. A long word may leave one space before the
    next column, and a line that begins where the second column does goes on with the one above.
    """
    filled = [line.strip() for line in _sample([line for line in lines if line.strip()])]
    if not surely and 2 * sum("\t" in line for line in filled) >= len(filled):
        return None
    pattern = _WIDE_SPACE if _has_wide_spaces(filled) else _GAP
    count = sum(pattern.search(line) is not None for line in filled)
    if not surely and count < max(1, _MOST_GAPS * len(filled)):
        return None
    start = _start_of_column(lines, pattern)
    result: list[str] = []
    above = None
    for line in lines:
        text = line.rstrip()
        lead = len(text) - len(text.lstrip())
        if above is not None and text and start and lead >= start:
            result[above] += " " + text.lstrip()
            result.append("")
            continue
        columns = pattern.sub("\t", text.strip())
        if start and "\t" not in columns and text[start - 1 : start].isspace():
            columns = f"{text[:start].strip()}\t{text[start:].strip()}".strip("\t")
        above = len(result) if text else above
        result.append(columns)
    return [f"{line}\n" for line in result]


def _has_wide_spaces(filled: Sequence[str]) -> bool:
    """Return whether one full-width space parts each line, and not a word from its reading."""
    parts = [_WIDE_SPACE.split(line) for line in filled]
    if not filled or min(map(len, parts)) < 2 or len({len(cells) for cells in parts}) > 1:
        return False
    return len(parts[0]) > 2 or not all(_KANA.fullmatch(cells[1]) for cells in parts)


def _start_of_column(lines: Sequence[str], pattern: re.Pattern[str]) -> int:
    """Return where the second column begins in nearly all lines, 0 if it begins anywhere."""
    starts = Counter(
        found.end()
        for line in lines
        if (found := pattern.search(line, len(line) - len(line.lstrip())))
    )
    if not starts:
        return 0
    start, count = starts.most_common(1)[0]
    return start if count >= max(2, 0.8 * starts.total()) else 0


def spaced_separator(text: str) -> str:
    """Return the first separator in *text* that has spaces around it, or ""."""
    match = _SPACED.search(text)
    return match[1] if match else ""


def separator_of(line: str, *, surely: bool = False) -> str:
    """Return what separates the word in *line* from its translation, or "".

    *surely* leaves out separators that may be part of a word.
    """
    if "\t" in line.strip():
        return "\t"
    if found := spaced_separator(line):
        return found
    if surely:
        return ""
    if gap := _GAP.search(line.strip()):
        return gap[0]
    for separator in _TIGHT:
        before, found, after = line.partition(separator)
        if found and before.strip() and after.strip():
            return separator
    if _ENDING.search(line):
        return ""
    commas = _COMMA.findall(line)
    return commas[0] if len(commas) == 1 and not line.strip().endswith(commas[0]) else ""


def guess_delimiter(rows: Sequence[str], row_separator: str = "\n") -> str:
    """Return the likeliest delimiter between the cells of *rows* (raw, none of them empty)."""
    sample = _sample(rows)
    quoted = [d for d in QUOTED_DELIMITERS if d not in row_separator]
    records = {d: _sample_records(sample, d) for d in quoted}
    headers = {d: found[0] for d, found in records.items() if found}
    named = [d for d, cells in headers.items() if len(cells) > 1 and looks_like_header(cells)]
    if named:
        return max(named, key=lambda d: (len(fields_of(headers[d])), len(headers[d])))
    shares = {
        d: sum(len(cells) > 1 for cells in found) / len(found) for d, found in records.items()
    }
    pairs = [d for d in (*PAIR_DELIMITERS, *_UNSPACED) if d not in row_separator]
    shares |= {d: sum(d in row for row in sample) / len(sample) for d in pairs}
    if shares.get("\t", 0) >= 0.5:
        return "\t"
    if _has_endings(sample):
        shares.pop(",", None)
    best = max(shares.values())
    if best < 0.5:
        rarely = (d for d in _RARELY if _is_between_letters(d, sample))
        return next(rarely, "") or _commonest(sample, row_separator)
    tied = [d for d, share in shares.items() if share == best]
    if best < 1 or tied == [","]:
        # The commas of “die Maus, Mäuse = miš” are in the words, if other lines have none, or if
        # all have one but only few lack a translation.
        sure = Counter(filter(None, (separator_of(row, surely=True) for row in sample)))
        if sure.total() >= (0.5 if best < 1 else 0.9) * len(sample):
            return sure.most_common(1)[0][0]
    for dash in PAIR_DELIMITERS[:-1]:
        if dash in tied:
            return dash
    # "pas; dog, hound" and "pas, dog; hound": the delimiter of columns comes first.
    leaders = Counter(
        min((d for d in tied if d in row), key=row.index, default="") for row in sample
    )
    leaders.pop("", None)
    return leaders.most_common(1)[0][0]


def _is_between_letters(sign: str, rows: Sequence[str]) -> bool:
    parts = [row.strip().split(sign) for row in rows]
    count = sum(len(p) == 2 and p[0][-1:].isalpha() and p[1][:1].isalpha() for p in parts)
    return count >= max(2, 0.9 * len(rows))


def _has_endings(rows: Sequence[str]) -> bool:
    """Return whether the ending of a word follows most commas."""
    return 2 * sum(_ENDING.search(row) is not None for row in rows) >= len(rows)


def _sample(rows: Sequence[str]) -> list[str]:
    sample: list[str] = []
    size = 0
    for row in rows[:SAMPLE_LINES]:
        sample.append(row)
        size += len(row)
        if size > SAMPLE_CHARACTERS:
            break
    return sample


def _commonest(sample: Sequence[str], row_separator: str) -> str:
    """Return the commonest separator of lines that each have their own; a tab for one column."""
    found = Counter(filter(None, map(separator_of, sample)))
    if row_separator != "\n" or 2 * sum(found.values()) < len(sample):
        return "\t"
    commonest = found.most_common(1)[0][0]
    return commonest if commonest.strip() else "\t"


def _sample_records(sample: Sequence[str], delimiter: str) -> list[list[str]]:
    try:
        return list(csv.reader(sample, delimiter=delimiter, skipinitialspace=True)) or [[]]
    except csv.Error:
        return [row.split(delimiter) for row in sample]


def names_columns(text: str) -> bool:
    """Return whether the first line of *text* names the columns of a table."""
    first = text[:SAMPLE_CHARACTERS].lstrip("\r\n").partition("\n")[0].rstrip("\r")
    return any(looks_like_header(first.split(d)) for d in QUOTED_DELIMITERS if d in first)


def separators_of_cards(text: str) -> tuple[str, str] | None:
    """Return the separators of cells and of rows if *text* surely has those of a card exporter.

    Quizlet lets people choose both. They are sure if each card has exactly one of the former.
    """
    text = text.replace("\r\n", "\n").strip("\n")
    if '"' in text or len(text) > SAMPLE_CHARACTERS * 20:
        return None
    if names_columns(text):
        return None
    runs = [match[0] for match in _RUN.finditer(text[:SAMPLE_CHARACTERS])]
    chosen = [run for run, count in Counter(runs).most_common(3) if _stands_alone(run, text)]
    is_one_line = "\n" not in text
    candidates: list[tuple[str, str]] = []
    for delimiter in chosen:
        candidates += [(delimiter, other) for other in chosen if other != delimiter]
        candidates += [(delimiter, "\n"), (delimiter, "\n\n"), (delimiter, ";")]
    for rows in chosen:
        candidates += [(d, rows) for d in ("\t", *PAIR_DELIMITERS, ",", ";")]
    if is_one_line or all(line.endswith(";") for line in text.split("\n") if line.strip()):
        candidates += [(d, ";") for d in (*PAIR_DELIMITERS, ",")]
        candidates += [("\t", ";")] if is_one_line else []
    candidates.append(("\t", "\n\n"))
    fitting = [pair for pair in candidates if _fits(text, *pair)]
    if not fitting and is_one_line:
        fitting = [(d, ";") for d in ("\t", *PAIR_DELIMITERS) if _fits_mostly(text, d)]
    return fitting[0] if fitting else None


def _fits_mostly(text: str, delimiter: str) -> bool:
    """Return whether *text* has cards, some with `;` within their translations."""
    pieces = [piece for piece in text.split(";") if piece.strip()]
    counts = [piece.count(delimiter) for piece in pieces]
    return counts[:1] == [1] and max(counts) == 1 and sum(counts) >= max(2, len(counts) / 2)


def _stands_alone(run: str, text: str) -> bool:
    """Return whether the sign of *run*, where it is repeated, is repeated just as often."""
    sign, others = run[0], text.replace(run, "\n")
    return sign * 2 not in others and f"\n{sign}" not in others and f"{sign}\n" not in others


def _fits(text: str, delimiter: str, row_separator: str) -> bool:
    cards = [card for card in text.split(row_separator) if card.strip()]
    if len(cards) < 2 or any(card.count(delimiter) != 1 for card in cards):
        return False
    if row_separator == "\n\n":
        # Otherwise each line is a card.
        lines = [card.strip("\n").split("\n") for card in cards]
        return any(len(several) > 1 for several in lines) and all(
            delimiter in several[0] for several in lines
        )
    # A sign that is common in texts is no separator of cards that are several lines long.
    is_chosen = _RUN.fullmatch(delimiter) is not None
    return is_chosen or not any("\n" in card.strip("\n") for card in cards)


def separator_of_words(text: str) -> str:
    """Return what separates the words of a single line that has no translations, or ""."""
    line = text.strip()
    if "\n" in line or "\r" in line or separator_of(line, surely=True) or '"' in line:
        return ""
    found = [sign for sign in _ENUMERATED if sign in line]
    if len(found) != 1:
        return ""
    words = [word.strip() for word in line.split(found[0])]
    words = words[:-1] if not words[-1] else words
    if len(words) < _FEWEST_ENUMERATED or looks_like_header(words):
        return ""
    return found[0] if all(0 < len(word) <= _LONGEST_ENUMERATED for word in words) else ""


def shown(separator: str) -> str | Sentence:
    """Return a separator as people read it."""
    if separator == "\t":
        return message("tab")
    return separator.strip() or message("several spaces")


class LineByLine:
    """Split the lines that the delimiter of a text does not split, each by a separator of its own.

    `counts` says how many lines each of those separators split; `is_mixed` whether any line was
    split or joined to the one above.
    """

    def __init__(self, delimiter: str, lines: Sequence[str], first_line: int) -> None:
        self.delimiter = delimiter
        self.counts: Counter[str] = Counter()
        self._lines_split: list[int] = []
        self._lines_joined: list[int] = []
        self._lines, self._first_line = lines, first_line
        sample = [line for line in _sample(lines) if line.strip()]
        # A list of words without translations: only what surely is a separator splits it.
        self._is_one_column = not any(delimiter in line.strip() for line in sample)

    @property
    def is_mixed(self) -> bool:
        return bool(self._lines_split or self._lines_joined)

    @property
    def problems(self) -> list[Problem]:
        """Return what was done to lines, once for all of them."""
        found = []
        if split := self._lines_split:
            text = messages(
                "Unlike most lines, line {lines} was split at {separators}.",
                "Unlike most lines, lines {lines} were split at {separators}.",
                len(split),
                lines=numbers_of_lines(split),
                separators=[in_quotes(shown(separator)) for separator in self.counts],
            )
            found.append(Problem(split[0] if len(split) == 1 else 0, text, "warning"))
        text = message("This line was added to the translation above it.")
        return found + [Problem(line, text, "warning") for line in self._lines_joined]

    def records(
        self, records: Iterable[tuple[int, Sequence[str]]], restore: Callable[[str], str]
    ) -> Iterator[tuple[int, Sequence[str]]]:
        """Yield the records with lines split, and lines that go on joined to the one above."""
        waiting: tuple[int, list[str]] | None = None
        for line, cells in records:
            record = (line, list(cells))
            if len(cells) == 1 and cells[0].strip() and not self._is_quoted(line):
                if waiting and self._goes_on(waiting[1], cells[0]):
                    waiting[1][-1] += "\n" + restore(cells[0].strip())
                    self._lines_joined.append(line)
                    continue
                record = (line, self._split(line, cells[0], restore))
            if waiting:
                yield waiting
            waiting = record
        if waiting:
            yield waiting

    def _is_quoted(self, line: int) -> bool:
        number = line - self._first_line
        return 0 <= number < len(self._lines) and self._lines[number].lstrip().startswith('"')

    def _goes_on(self, above: Sequence[str], text: str) -> bool:
        if self.delimiter != "\t" or len(above) < 2 or not above[-1].strip():
            return False
        if above[-1].rstrip().endswith((",", ";", ":")):
            return True
        mark = _GOES_ON.match(text)
        # Behind a number or bullet may be a word with its translation: “2. die Katze – cat”.
        is_pair = mark and spaced_separator(text[mark.end() :]) and not _GOES_ON.match(above[-1])
        return mark is not None and not is_pair

    def _split(self, line: int, text: str, restore: Callable[[str], str]) -> list[str]:
        separator = separator_of(text, surely=self._is_one_column)
        if not separator:
            return [text]
        before, _, after = text.partition(separator)
        self.counts[separator if separator.strip() else separator[:2]] += 1
        self._lines_split.append(line)
        return [restore(before.strip()), restore(after.strip())]
