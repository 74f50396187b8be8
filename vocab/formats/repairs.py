"""Repairs of pasted text: other ways to read lines, where nobody can be sure what is meant.

A repair is a setting of `delimited.parse`. Where it is certain, the parser makes it by itself.
Where it is a guess, a `Problem` offers it, and somebody chooses. The lines keep their numbers.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from itertools import chain
from typing import NamedTuple

from vocab.formats.quotes import has_quotes, quoted_pairs, share_of_quoted
from vocab.formats.rows import FormatError, Problem, Row, message, messages
from vocab.formats.separators import SAMPLE_LINES, separator_of
from vocab.message import Sentence
from vocab.text.likeness import order_of_languages, scripts_of
from vocab.text.playing import articles_of


class Repair(NamedTuple):
    """A repair as people see it: what its button says, and what is said once it is made."""

    label: Sentence
    done: Sentence


REPAIRS: Mapping[str, Repair] = {
    "quotes": Repair(
        message("Remove quotes"),
        message("The quotation marks around the words were left out."),
    ),
    "join": Repair(
        message("Join lines by twos"),
        message("Each two lines were joined: a word and its translation."),
    ),
    "join-halves": Repair(
        message("Join the two halves"),
        message("The first half of the lines was read as words, the rest as their translations."),
    ),
    "split-last": Repair(
        message("Split at the last space"),
        message("The lines were split at the last space."),
    ),
    "split-first": Repair(
        message("Split at the first space"),
        message("The lines were split at the first space."),
    ),
    "split-hyphen": Repair(
        message("Split at the hyphen"),
        message("The lines were split at the hyphen."),
    ),
    "split-script": Repair(
        message("Split where the script changes"),
        message("The lines were split where the script changes."),
    ),
    "swap": Repair(
        message("Swap columns"),
        message("The columns were swapped: the translations came first."),
    ),
}
# Those that part lines or join them; the others change cells.
_OF_LINES = frozenset(REPAIRS) - {"quotes", "swap"}

_HYPHEN = re.compile(r"(?<=[^\W\d_])\s?[-‐‑]\s?(?=[^\W\d_])")
_SPACE = re.compile(r"\s+")
# Shares of lines: of those without a translation, and of those that a repair has to fit.
_UNTRANSLATED, _FITTING = 0.7, 0.8
_FEWEST = 3
# Quotation marks around fewer words than these are a title, perhaps.
_FEWEST_QUOTED, _SOME_QUOTED, _MOST_QUOTED = 2, 0.1, 0.5

# A longer line is no word with its translation.
_LONGEST = 300

Pair = tuple[str, str]


def names_of(setting: str) -> list[str]:
    """Return the names of repairs that *setting* lists with spaces. Raises `FormatError`."""
    names = setting.split()
    for name in names:
        if name not in REPAIRS:
            raise FormatError(message("There is no repair “{name}”."), name=name[:40])
    return list(dict.fromkeys(names))


def change_lines(names: Sequence[str]) -> bool:
    """Return whether any of *names* parts lines or joins them."""
    return not _OF_LINES.isdisjoint(names)


def certain(lines: Sequence[str], languages: Sequence[str]) -> list[str]:
    """Return the repairs that *lines* surely need."""
    filled = _filled(lines)[:SAMPLE_LINES]
    if quoted_pairs(filled):
        return ["quotes"]
    parted = sum(bool(separator_of(line, surely=True)) for line in filled)
    if 2 * parted >= len(filled):
        return []
    if _change_script(filled):
        return ["split-script"]
    pairs = [pair for line in filled if (pair := _split("split-hyphen", line, ()))]
    is_parted = len(pairs) == len(filled) > 1
    is_sure = is_parted and (_differ_in_script(pairs) or _have_own_articles(pairs, languages))
    return ["split-hyphen"] if is_sure else []


def has_quoted_words(records: Sequence[Sequence[str]]) -> bool:
    """Return whether most words, or most translations, of *records* are in quotation marks."""
    return any(
        share_of_quoted(cells[place] for cells in records if place < len(cells)) >= _MOST_QUOTED
        for place in (0, 1)
    )


def repaired(lines: Sequence[str], names: Sequence[str], languages: Sequence[str]) -> list[str]:
    """Return *lines* with the repairs of lines among *names*; tabs part words from translations."""
    result = list(lines)
    if "quotes" in names:
        result = quoted_pairs(result) or result
    if "join" in names:
        result = _joined_by_twos(result)
    if "join-halves" in names:
        result = _joined_halves(result)
    for name in names:
        if name in _SPLITS:
            result = [_with_tab(name, line, languages) for line in result]
    return result


def offered(
    lines: Sequence[str],
    rows: Sequence[Row],
    done: Sequence[str],
    languages: Sequence[str],
    *,
    is_chosen: bool,
) -> list[Problem]:
    """Return hints with the repairs that *lines*, which were read as *rows*, may need.

    *done* are those that were made; *is_chosen* says that somebody chose the columns' fields.
    """
    if not rows:
        return []
    found: list[Problem] = []
    without = [row for row in rows if not row.translations]
    if len(without) >= max(2, _UNTRANSLATED * len(rows)) and not change_lines(done):
        if problem := _offer_for_lines(lines, len(without), languages):
            found.append(problem)
    elif (
        "swap" not in done
        and not is_chosen
        and _come_translations_first(rows[:SAMPLE_LINES], languages)
    ):
        text = message("The translations seem to come first, and the words second.")
        found.append(Problem(0, text, "warning", ("swap",)))
    if "quotes" not in done and (problem := _offer_for_quotes(rows[:SAMPLE_LINES])):
        found.append(problem)
    return found


def swapped(fields: Mapping[str, str]) -> dict[str, str]:
    """Return *fields* of columns with those of the words and of their translations exchanged."""
    words = [name for name, field in fields.items() if field == "term"]
    meanings = [name for name, field in fields.items() if field.partition(":")[0] == "translation"]
    if not words or not meanings:
        return dict(fields)
    return {**fields, words[0]: fields[meanings[0]], meanings[0]: "term"}


def _filled(lines: Sequence[str]) -> list[str]:
    return [text for line in lines if (text := line.strip())]


def _offer_for_lines(raw: Sequence[str], count: int, languages: Sequence[str]) -> Problem | None:
    lines = _filled(raw)
    for name, halves in (("join", (lines[::2], lines[1::2])), ("join-halves", _halves(lines))):
        is_join = name == "join"
        if not is_join and len(lines) < 2 * _FEWEST:
            continue
        if (is_join and _are_in_twos(raw)) or _are_pairs(*halves, languages, is_strict=not is_join):
            text = messages(
                "{count} line has no translation. Perhaps words and translations are on lines of "
                "their own.",
                "{count} lines have no translation. Perhaps words and translations are on lines of "
                "their own.",
                count,
            )
            return Problem(0, text, "warning", (name,))
    lines = lines[:SAMPLE_LINES]
    if _fit("split-hyphen", lines, languages):
        text = messages(
            "{count} word has no translation. Perhaps a hyphen separates the columns.",
            "{count} words have no translation. Perhaps a hyphen separates the columns.",
            count,
        )
        return Problem(0, text, "warning", ("split-hyphen",))
    names = [name for name in ("split-last", "split-first") if _fit(name, lines, languages)]
    if len(names) == 2 and all(
        _at_last_space(line, languages) == _at_first_space(line, languages) for line in lines
    ):
        names = names[:1]
    if not names:
        return None
    text = messages(
        "{count} word has no translation. Perhaps a space separates the columns.",
        "{count} words have no translation. Perhaps a space separates the columns.",
        count,
    )
    return Problem(0, text, "warning", tuple(names))


def _offer_for_quotes(rows: Sequence[Row]) -> Problem | None:
    quoted = sum(
        any(map(has_quotes, (row.term, *chain.from_iterable(row.translations.values()))))
        for row in rows
    )
    if quoted < max(_FEWEST_QUOTED, _SOME_QUOTED * len(rows)):
        return None
    text = messages(
        "{count} line has quotation marks around words.",
        "{count} lines have quotation marks around words.",
        quoted,
    )
    return Problem(0, text, "warning", ("quotes",))


def _come_translations_first(rows: Sequence[Row], languages: Sequence[str]) -> bool:
    pairs = [
        (row.term, texts[0])
        for row in rows[:SAMPLE_LINES]
        if (texts := next(iter(row.translations.values()), None))
    ]
    found = _order(pairs, languages)
    return bool(found) and found[0] != languages[0]


def _are_pairs(
    left: Sequence[str], right: Sequence[str], languages: Sequence[str], *, is_strict: bool
) -> bool:
    """Return whether *left* are words in one language, and *right* as many in another one."""
    if len(left) != len(right) or len(left) < 2:
        return False
    scripts = [frozenset().union(*map(scripts_of, texts[:SAMPLE_LINES])) for texts in (left, right)]
    if all(scripts) and scripts[0].isdisjoint(scripts[1]):
        return True
    return bool(order_of_languages(left, right, languages, is_strict=is_strict))


def _are_in_twos(lines: Sequence[str]) -> bool:
    """Return whether empty lines part *lines* into groups of two."""
    groups = "".join("x" if line.strip() else " " for line in lines).split()
    return len(groups) > 1 and {len(group) for group in groups} == {2}


def _fit(name: str, lines: Sequence[str], languages: Sequence[str]) -> bool:
    """Return whether nearly all *lines* are a word and a translation if they are split so."""
    if len(lines) < _FEWEST:
        return False
    found = (_split(name, line, languages) for line in lines)
    # What stands in brackets explains the word: “die Bank (Park)”; a number counts.
    pairs = [
        pair
        for pair in found
        if pair and all(map(scripts_of, pair)) and not pair[1].startswith(("(", "[", "（"))
    ]
    # What is the same again and again is a part of the words.
    fewest = min(len(set(side)) for side in zip(*pairs, strict=True)) if pairs else 0
    is_apart = len(pairs) >= _FITTING * len(lines) and 2 * fewest > len(pairs)
    return is_apart and bool(_order(pairs, languages))


def _order(pairs: Sequence[Pair], languages: Sequence[str]) -> Sequence[str]:
    left, right = [word for word, _ in pairs], [meaning for _, meaning in pairs]
    return order_of_languages(left, right, languages)


def _have_own_articles(pairs: Sequence[Pair], languages: Sequence[str]) -> bool:
    """Return whether words have articles of one language, on just one side of the pairs."""
    for language in languages[:2]:
        sides = [
            sum(bool(articles_of(pair[side], language)[0]) for pair in pairs) for side in (0, 1)
        ]
        if max(sides) >= _FITTING * len(pairs) and min(sides) == 0:
            return True
    return False


def _change_script(lines: Sequence[str]) -> bool:
    """Return whether nearly all *lines* have one script before a space, and another one behind."""
    pairs = [pair for line in lines if (pair := _split("split-script", line, ()))]
    return len(pairs) >= max(2, 0.9 * len(lines)) and _differ_in_script(pairs)


def _differ_in_script(pairs: Sequence[Pair]) -> bool:
    sides = [frozenset().union(*(scripts_of(pair[side]) for pair in pairs)) for side in (0, 1)]
    return all(sides) and sides[0].isdisjoint(sides[1])


def _with_tab(name: str, line: str, languages: Sequence[str]) -> str:
    pair = None if "\t" in line.strip() else _split(name, line.strip(), languages)
    return f"{pair[0]}\t{pair[1]}\n" if pair else line


def _split(name: str, line: str, languages: Sequence[str]) -> Pair | None:
    return _SPLITS[name](line, languages) if len(line) < _LONGEST else None


def _at_first_space(line: str, languages: Sequence[str]) -> Pair | None:
    """Split at the first space that does not follow an article."""
    article, rest = _article_before(line, languages)
    word, _, meaning = _parted(_SPACE.search(rest), rest)
    return (article + word, meaning) if meaning else None


def _at_last_space(line: str, languages: Sequence[str]) -> Pair | None:
    """Split at the last space, or before the article that precedes it."""
    *before, last = _SPACE.split(line)
    while before and _article_before(f"{before[-1]} {last}", languages)[0].strip() == before[-1]:
        last = f"{before.pop()} {last}"
    return (" ".join(before), last) if before else None


def _article_before(text: str, languages: Sequence[str]) -> Pair:
    found = (articles_of(text, language) for language in languages[:2] if language)
    return max(found, key=lambda parts: len(parts[0]), default=("", text))


def _parted_at_hyphen(line: str, _languages: Sequence[str] = ()) -> Pair | None:
    if len(_HYPHEN.findall(line)) != 1:
        return None
    word, _, meaning = _parted(_HYPHEN.search(line), line)
    return (word.strip(), meaning.strip()) if min(len(word), len(meaning)) > 1 else None


def _at_script(line: str, _languages: Sequence[str]) -> Pair | None:
    """Split at the space before which all letters are of one script, and none behind it."""
    for space in _SPACE.finditer(line):
        word, _, meaning = _parted(space, line)
        before, behind = scripts_of(word), scripts_of(meaning)
        if before and behind and before.isdisjoint(behind):
            return word, meaning
    return None


def _parted(found: re.Match[str] | None, line: str) -> tuple[str, str, str]:
    if not found:
        return line, "", ""
    return line[: found.start()], found[0], line[found.end() :]


_SPLITS: Mapping[str, Callable[[str, Sequence[str]], Pair | None]] = {
    "split-first": _at_first_space,
    "split-last": _at_last_space,
    "split-hyphen": _parted_at_hyphen,
    "split-script": _at_script,
}


def _joined_by_twos(lines: Sequence[str]) -> list[str]:
    """Join each two lines that are not empty; the second one stays empty."""
    result = ["\n"] * len(lines)
    places = [number for number, line in enumerate(lines) if line.strip()]
    for first, second in zip(places[::2], [*places[1::2], None], strict=False):
        meaning = "" if second is None else lines[second].strip()
        result[first] = f"{lines[first].strip()}\t{meaning}\n"
    return result


def _halves(lines: Sequence[str]) -> tuple[Sequence[str], Sequence[str]]:
    middle = (len(lines) + 1) // 2
    return lines[:middle], lines[middle:]


def _joined_halves(lines: Sequence[str]) -> list[str]:
    result = ["\n"] * len(lines)
    places = [number for number, line in enumerate(lines) if line.strip()]
    words, meanings = _halves([lines[number].strip() for number in places])
    for number, word, meaning in zip(places, words, [*meanings, ""], strict=False):
        result[number] = f"{word}\t{meaning}\n"
    return result
