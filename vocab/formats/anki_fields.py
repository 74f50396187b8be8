"""HTML within cells, of Anki and of all formats whose cells are texts: sounds, pictures, tags."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from html import escape, unescape
from html.entities import html5
from typing import NamedTuple
from urllib.parse import quote, unquote

from vocab.formats.columns import (
    IGNORE,
    UNNAMED,
    join_list,
    rows_of_table,
    within_limits,
)
from vocab.formats.headers import field_of
from vocab.formats.rows import MAX_CELL, FormatError, Parsed, Problem, message, messages

_SOUND = re.compile(r"\[sound:([^\[\]]*)\]")
_ENTITIES = {"[": "&#91;", "]": "&#93;", "\t": "&#9;", "\n": "&#10;", "\r": "&#13;"}
_ENTITIES["{"] = "&#123;"  # else Anki would make a gap of the text
_IN_TEXT = re.compile(r"[\[\t\r]|\A#|\{(?=\{c\d)")
_IN_NAME = re.compile(r"[\[\]\t\n\r]|\{(?=\{c\d)")
_RAW_GAPS = re.compile(r"[\t\n\r\f]+")
# A longer field is left as it is; as a cell it is then rejected for its length.
_LONGEST = 20 * MAX_CELL
_MARKED = re.compile(r"[<&\[\t\n\r\f]")
_HARD_SPACE = re.compile(r"&(?:nbsp|#160|#xa0);", re.IGNORECASE)
_BLOCKS = frozenset(
    {"address", "article", "aside", "blockquote", "dd", "div", "dl", "dt", "figure", "footer"}
    | {"form", "h1", "h2", "h3", "h4", "h5", "h6", "header", "hr", "li", "main", "nav", "ol"}
    | {"p", "pre", "section", "table", "tr", "ul"}
)
_HIDDEN = frozenset(("script", "style", "head", "template"))
HTML_TAG = re.compile(r"<(?P<end>/?)(?P<name>[a-zA-Z][a-zA-Z0-9]*)(?P<rest>[^<>]*)>")
_SOURCE = re.compile(
    r"""(?:\A|[\s"'])src\s*=\s*(?:"(?P<double>[^"]*)"|'(?P<single>[^']*)'|(?P<bare>[^\s"']+))""",
    re.IGNORECASE,
)
_IN_TAG = re.compile(r'[%"\s]')
_CLOZE_MARK = re.compile(r"\{\{c\d+(?:,\d+)*::|\}\}|::")
_CLOZE = re.compile(r"\{\{c\d+(?:,\d+)*::")
OCCLUSION = re.compile(r"\{\{c\d+(?:,\d+)*::image-occlusion:")
# More would be nonsense, and slow to read.
_MOST_NESTED = 8
LOOKS_LIKE_HTML = re.compile(
    r"</?(?:a|b|big|blockquote|br|center|code|dd|del|div|dl|dt|em|font|h[1-6]|hr|i|img|ins|li|mark"
    r"|ol|p|pre|rb|rp|rt|ruby|s|script|section|small|span|strike|strong|style|sub|sup|table|tbody"
    r"|td|th|tr|tt|u|ul)\b[^<>]*>|<!--"
    r"|&(?:#\d{1,7}|#x[0-9a-f]{1,6}|[a-z][a-z0-9]{1,30});",
    re.IGNORECASE,
)
_ENTITY = re.compile(r"&(#\d{1,7}|#x[0-9a-f]{1,6}|[a-z][a-z0-9]{1,30});", re.IGNORECASE)
# Stands for the semicolon of an entity while a text is split: a character that no text has.
_SEMICOLON = "\ufdd0"
_RUBY = frozenset(("ruby", "rb", "rt", "rp", "rtc"))
_LINES = re.compile(r"<(?:br|p|div|li|tr|h[1-6])\b", re.IGNORECASE)


def to_html(text: str) -> str:
    """Return *text* as HTML that Anki displays unchanged; `read_html` reverses it."""
    html = escape(text, quote=False).replace("\r\n", "&#13;<br>").replace("\n", "<br>")
    return _IN_TEXT.sub(lambda match: _ENTITIES.get(match[0], "&#35;"), html)


def field_html(field: str, text: str) -> str:
    """Return the text of a row's field in Anki's form, which plays or shows a file."""
    if text and field == "audio":
        return f"[sound:{_escaped_name(text)}]"
    if text and field == "image":  # Anki reads `%25` as `%`
        return f'<img src="{_escaped_name(text.replace("%", "%25"))}">'
    return to_html(text)


def _escaped_name(name: str) -> str:
    return _IN_NAME.sub(lambda match: _ENTITIES[match[0]], escape(name))


class FieldText(NamedTuple):
    """A field's text as people read it, and the files that it plays and shows."""

    text: str
    sounds: Sequence[str] = ()
    images: Sequence[str] = ()


def read_html(html: str) -> FieldText:
    """Return a field's text, without markup, scripts and comments, and its media.

    Readings become what Anki writes for them: `<ruby>犬<rt>いぬ</rt></ruby>` is `犬[いぬ]`.
    Takes linear time for any input: the standard library's parser takes minutes for a page of
    opening quotation marks.
    """
    if len(html) > _LONGEST or not _MARKED.search(html):
        return FieldText(html.strip())
    sounds: list[str] = []
    images: list[str] = []
    if "[sound:" in html:
        sounds = [_unescape(name) for name in _SOUND.findall(html)]
        html = _SOUND.sub("", html)
    html = _HARD_SPACE.sub(" ", _RAW_GAPS.sub(" ", html))
    if "<" not in html:
        return FieldText(_unescape(html).strip(), sounds, images)
    pieces: list[str] = []
    end = hidden = 0
    ruby = ""
    html = without_comments(html)
    for match in HTML_TAG.finditer(html):
        if not hidden and end < match.start() and ruby != "rp":
            pieces.append(_unescape(html[end : match.start()]))
        end = match.end()
        tag = match["name"].lower()
        if tag in _HIDDEN:
            hidden = max(0, hidden - 1) if match["end"] else hidden + 1
        elif tag in _RUBY:
            if ruby == "rt":
                pieces.append("]")
            ruby = "" if match["end"] else tag
            if ruby in ("ruby", "rt"):
                pieces.append(" " if ruby == "ruby" else "[")
        elif tag == "br":
            pieces.append("\n")
        elif tag == "img":
            if source := _SOURCE.search(match["rest"]):
                name = source["double"] or source["single"] or source["bare"] or ""
                images.append(unquote(_unescape(name)))
        elif tag in _BLOCKS:
            if pieces and not pieces[-1].endswith("\n"):
                pieces.append("\n")
        elif tag in ("td", "th"):
            pieces.append(" ")
    if not hidden:
        pieces.append(_unescape(html[end:]))
    return FieldText("".join(pieces).strip(), sounds, images)


def read_cell(text: str) -> FieldText:
    """Return what a cell of a text says: it is HTML if it has a tag, an entity or a sound.

    A cell that has nothing else, such as the word `<br>` of a lesson on HTML, is a text.
    """
    if not _has_markup(text):
        return FieldText(text)
    found = read_html(text)
    return found if any(found) else FieldText(text)


def cell_of(text: str) -> str:
    """Return *text* as a cell from which `read_cell` reads it, unchanged if it has no markup."""
    return to_html(text).replace("<br>", "&#10;") if _has_markup(text) else text


def _has_markup(text: str) -> bool:
    may_be_html = "<" in text or "&" in text
    return (may_be_html and LOOKS_LIKE_HTML.search(text) is not None) or "[sound:" in text


def with_entities_whole(text: str) -> str:
    """Return *text* such that the semicolon of an entity separates nothing; see `split_cell`."""
    if "&" not in text:
        return text
    return _ENTITY.sub(
        lambda match: (
            f"&{match[1]}{_SEMICOLON}"
            if match[1][0] == "#" or f"{match[1]};" in html5
            else match[0]
        ),
        text,
    )


def split_cell(cell: str) -> str:
    """Return a cell of what `with_entities_whole` returned, with its semicolons."""
    return cell.replace(_SEMICOLON, ";") if _SEMICOLON in cell else cell


def rows_of_cells(
    names: Sequence[str],
    records: Iterable[tuple[int, Sequence[str]]],
    *,
    columns: Mapping[str, str] | None,
    languages: Sequence[str],
    lines_apart: bool = False,
    read: Callable[[str], FieldText] = read_cell,
) -> Parsed:
    """Return the rows of a table whose cells *read* understands, by default as text or HTML.

    The other arguments are those of `rows_of_table`. Lists side by side, under the same names, are
    read one after the other; an empty column before another one is none of its fields.
    """
    problems: list[Problem] = []
    columns = columns or {}
    names, raw = _one_list(names, list(records), problems)
    if not all(map(str.strip, names)):
        filled = {place for _, cells in raw for place, cell in enumerate(cells) if cell.strip()}
        gaps = {
            f"{UNNAMED}{place + 1}": IGNORE
            for place, name in enumerate(names)
            if not name.strip() and place not in filled and place < max(filled, default=0)
        }
        columns = {**gaps, **columns}
    table = raw
    if read is read_cell and any(_has_markup(cell) for _, cells in raw for cell in cells):
        lines_apart = lines_apart or any(
            _LINES.search(cell) for _, cells in raw for cell in cells if _has_markup(cell)
        )
        fields = [(line, list(map(read, cells))) for line, cells in raw]
        names, spread = spread_media(names, fields, columns)
        table = [*spread]
    parsed = rows_of_table(
        names, table, columns=columns, languages=languages, lines_apart=lines_apart
    )
    parsed.problems[:0] = problems
    return parsed


def rows_of_entries(
    entries: Sequence[Mapping[str, Sequence[str]]],
    *,
    columns: Mapping[str, str] | None,
    languages: Sequence[str],
) -> Parsed:
    """Return rows of entries, which map the names of columns to texts; a line counts entries."""
    names = list(dict.fromkeys(name for cells in entries for name in cells))
    table = (
        (line, [join_list(cells.get(name, ()), commas=name == "tags") for name in names])
        for line, cells in enumerate(entries, 1)
    )
    return rows_of_cells(
        names, within_limits(table), columns=columns, languages=languages, read=FieldText
    )


def _one_list(
    names: Sequence[str],
    records: list[tuple[int, Sequence[str]]],
    problems: list[Problem],
) -> tuple[Sequence[str], list[tuple[int, Sequence[str]]]]:
    """Return lists that stand side by side, with the same names of columns, as one."""
    used = [place for place, name in enumerate(names) if name.strip()]
    keys = [names[place].strip().casefold() for place in used]
    size = len(set(keys))
    count = len(keys) // max(1, size)
    if size < 2 or count < 2 or keys != keys[:size] * count:
        return names, records
    starts = [0, *used[size::size]]
    ends = [*starts[1:], max(len(names), *(len(cells) for _, cells in records))]
    text = message("Lists that stand side by side were read one after the other.")
    problems.append(Problem(0, text, "warning"))
    return names[: ends[0]], [
        (line, cells[start:end])
        for start, end in zip(starts, ends, strict=True)
        for line, cells in records
        if any(map(str.strip, cells[start:end]))
    ]


def _unescape(text: str) -> str:
    try:
        return unescape(text) if "&" in text else text
    except ValueError:
        # A number with thousands of digits, which is no character.
        return text


def without_comments(html: str) -> str:
    pieces, end = [], 0
    while (start := html.find("<!--", end)) >= 0 and (close := html.find("-->", start)) >= 0:
        pieces.append(html[end:start])
        end = close + 3
    return "".join(pieces) + html[end:]


def read_plain(text: str) -> FieldText:
    """Return the text and media of a field that is not HTML: it marks up only sounds."""
    if "[sound:" not in text:
        return FieldText(text.strip())
    return FieldText(_SOUND.sub("", text).strip(), _SOUND.findall(text))


class Gap(NamedTuple):
    """A gap in a sentence: the word in it, the sentence with that word, and the hint."""

    term: str
    sentence: str
    hint: str


def gaps_of(field: str, read: Callable[[str], FieldText] = read_html) -> list[Gap]:
    """Return the gaps in a field, as `{{c1::word::hint}}`; the same word only once."""
    if not _CLOZE.search(field):
        return []
    whole, gaps = _without_gaps(field)
    lines = [line.strip() for line in read(whole).text.split("\n")]
    found: dict[str, Gap] = {}
    for answer, hint in gaps:
        term = " ".join(read(answer).text.split())
        if not term:
            continue
        sentence = next((line for line in lines if term in line), " ".join(lines))
        found.setdefault(term, Gap(term, sentence, " ".join(read(hint).text.split())))
    return list(found.values())


def _without_gaps(field: str) -> tuple[str, list[tuple[str, str]]]:
    """Return the field with the words in their places, and each (word, hint)."""
    # Each level: its pieces, and the word if the hint has begun; level 0 is the field itself.
    levels: list[tuple[list[str], list[str]]] = [([], [])]
    gaps: list[tuple[str, str]] = []
    end = 0
    for mark in _CLOZE_MARK.finditer(field):
        pieces, word = levels[-1]
        pieces.append(field[end : mark.start()])
        end = mark.end()
        is_inside = len(levels) > 1
        if mark[0].startswith("{{") and len(levels) <= _MOST_NESTED:
            levels.append(([], []))
        elif mark[0] == "::" and is_inside and not word:
            word.append("".join(pieces))
            pieces.clear()
        elif mark[0] == "}}" and is_inside:
            levels.pop()
            rest = "".join(pieces)
            answer, hint = (word[0], rest) if word else (rest, "")
            gaps.append((answer, hint))
            levels[-1][0].append(answer)
        else:
            pieces.append(mark[0])
    whole = "".join("".join((*word, *pieces)) for pieces, word in levels)
    return whole + field[end:], gaps


def refuse_occluded(lines: Sequence[int], count: int, problems: list[Problem]) -> None:
    """Say that notes which hide parts of a picture are not read; *count* is that of all notes.

    Raises `FormatError` if there are no others.
    """
    if not lines:
        return
    text = messages(
        "{count} note hides parts of a picture and was skipped: it has no word.",
        "{count} notes hide parts of pictures and were skipped: they have no words.",
        len(lines),
    )
    if len(lines) == count:
        raise FormatError(text)
    problems.append(Problem(lines[0], text))


def tags_of_decks(decks: Iterable[str]) -> dict[str, str]:
    """Return for each deck the tag of its words: its path below the top deck, if there is one.

    `School::Animals::Birds` is `Animals::Birds`. If there are several top decks, the tag names
    them too.
    """
    paths = {deck: [part.strip() for part in deck.split("::")] for deck in decks}
    is_one = len({path[0] for path in paths.values()}) == 1
    return {deck: "::".join(part for part in path[is_one:] if part) for deck, path in paths.items()}


def to_tags(tags: Iterable[str]) -> str:
    """Return tags in Anki's form, separated by spaces; spaces within a tag become hard spaces."""
    return " ".join(map(_anki_tag, tags))


def _anki_tag(tag: str) -> str:
    return _IN_TAG.sub(lambda match: "\u00a0" if match[0] == " " else quote(match[0]), tag)


def read_tags(text: str) -> list[str]:
    """Return the distinct tags in Anki's text."""
    tags: dict[str, None] = {}
    for tag in re.split("[ \u3000\t\r\n]+", text):
        ours = unquote(tag.replace("\u00a0", " "), errors="replace")
        # Unquote only what `to_tags` would write: other programs use % as a letter.
        plain = ours if _anki_tag(ours) == tag else tag.replace("\u00a0", " ")
        if plain := plain.strip():
            tags[plain] = None
    return list(tags)


def spread_media(
    names: Sequence[str],
    records: Sequence[tuple[int, list[FieldText]]],
    columns: Mapping[str, str],
) -> tuple[list[str], list[tuple[int, list[str]]]]:
    """Turn fields with media into plain cells; return the columns' names and the records.

    A sound goes to the column for audio if there is one, else to a new column `sound` at the end;
    the same applies to pictures. Further ones go to `sound 2` and so on, so that none is lost.
    """
    fields = [(columns.get(name) or field_of(name) or "") for name in names]
    kinds: tuple[str, ...] = ("audio", "image")
    places = {kind: fields.index(kind) for kind in kinds if kind in fields}
    most = dict.fromkeys(kinds, 0)
    spread: list[tuple[int, list[str], dict[str, list[str]]]] = []
    for line, texts in records:
        cells = [field.text for field in texts]
        left: dict[str, list[str]] = {}
        if any(field.sounds or field.images for field in texts):
            left["audio"] = [name for field in texts for name in field.sounds]
            left["image"] = [name for field in texts for name in field.images]
            for kind, place in places.items():
                if left[kind] and place < len(cells) and not cells[place]:
                    own = texts[place].sounds if kind == "audio" else texts[place].images
                    cells[place] = own[0] if own else left[kind][0]
                    left[kind].remove(cells[place])
            most = {kind: max(most[kind], len(left[kind])) for kind in kinds}
        spread.append((line, cells, left))
    added = [_numbered("sound", n) for n in range(most["audio"])]
    added += [_numbered("picture", n) for n in range(most["image"])]
    width = len(names)
    result = []
    for line, cells, left in spread:
        if added:
            tail = cells[width:]
            cells = cells[:width] + [""] * (width - len(cells))
            for kind in kinds:
                rest = left.get(kind, [])
                cells += rest + [""] * (most[kind] - len(rest))
            cells += tail
        result.append((line, cells))
    return [*names, *added], result


def _numbered(name: str, number: int) -> str:
    return name if number == 0 else f"{name} {number + 1}"


def add_notes(
    headers: Sequence[str],
    records: Sequence[tuple[int, list[FieldText]]],
    fields: Mapping[str, str],
    prefix: str,
    languages: Sequence[str],
    parsed: Parsed,
) -> None:
    """Add the notes of one type to *parsed*, its columns with a *prefix*."""
    names, table = spread_media(headers, records, fields)
    own = rows_of_table(names, table, columns=fields, languages=languages, lines_apart=True)
    parsed.rows += own.rows
    parsed.problems += own.problems
    parsed.columns |= {prefix + header: field for header, field in own.columns.items()}
