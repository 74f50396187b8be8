"""What a page of a book leaves in pasted text: page numbers, headings, words that are parted."""

from __future__ import annotations

import re
from collections.abc import Sequence

from vocab.formats.readings import PHONETIC
from vocab.formats.separators import separator_of
from vocab.text.playing import articles_of

_UNITS = (
    "unit lesson chapter module page part lektion kapitel einheit seite modul teil lekcija cjelina "
    "poglavlje stranica str lekcja rozdział strona moduł dział unité leçon chapitre unidad lección "
    "capítulo página unità lezione capitolo pagina урок раздел страница вправа الدرس الوحدة صفحة"
)
_NUMBER = re.compile(r"[-–—|•]*\s*\d{1,4}\s*[-–—|•]*")
_HEADING = re.compile(
    rf"(?:\d{{1,4}}\s*[|·•]?\s*)?(?:{'|'.join(_UNITS.split())}|p|pp|s|S)\b\.?\s*\d{{1,4}}\b.*",
    re.IGNORECASE,
)
_HAS_DIGIT = re.compile(r"\d")
_HYPHENS = ("-", "‐", "\u00ad")
_PARTED = re.compile(r"([^\W\d_])[-‐\u00ad]$")
_GOES_ON = re.compile(r"\s*([^\W\d_]\S*)")
_AND = ("und", "oder", "bzw.", "and", "or", "i", "ili", "oraz", "lub", "et", "ou", "y", "o", "e")
_BEFORE_MEANING = re.compile(rf"\s*(\S.*?{PHONETIC})\s+(?![-–—−=:;,|→])(\S.*)")
# A list has more words than pages.
_FEWEST = 3
_MOST, _PAIRS = 0.4, 0.6
# A longer line is no word with its translation.
_LONGEST = 300


def with_phonetics_apart(lines: Sequence[str]) -> Sequence[str]:
    """Put a tab behind phonetic script in most of *lines*: “dog [dɒɡ] der Hund”."""
    found = [
        _BEFORE_MEANING.match(line)
        if ("[" in line or "/" in line) and len(line) < _LONGEST and "\t" not in line.strip()
        else None
        for line in lines
    ]
    if sum(map(bool, found)) < max(2, 0.5 * sum(bool(line.strip()) for line in lines)):
        return lines
    return [
        f"{match[1]}\t{match[2]}\n" if match else line
        for match, line in zip(found, lines, strict=True)
    ]


def without_page_numbers(lines: Sequence[str]) -> tuple[Sequence[str], list[int]]:
    """Return *lines* with those emptied that are page numbers or headings, and their indices.

    Such a line stands among lines that have a separator, and has none.
    """
    filled = [number for number, line in enumerate(lines) if line.strip()]
    found = [
        number
        for number in filled
        if len(lines[number]) < _LONGEST
        and _HAS_DIGIT.search(lines[number])
        and any(pattern.fullmatch(lines[number].strip()) for pattern in (_NUMBER, _HEADING))
        and not separator_of(lines[number])
    ]
    if not found or len(found) > _MOST * len(filled):
        return lines, []
    skipped = set(found)
    others = [number for number in filled if number not in skipped]
    pairs = sum(bool(separator_of(lines[number])) for number in others)
    if pairs < max(_FEWEST, _PAIRS * len(others)):
        return lines, []
    return ["\n" if number in skipped else line for number, line in enumerate(lines)], found


def with_words_whole(lines: Sequence[str], languages: Sequence[str]) -> Sequence[str]:
    """Join a word that is parted at the end of a line, as in “ele-”, “phant – der Elefant”.

    Of the two lines, just one has a separator; the other one is part of its word or translation.
    """
    result = list(lines)
    for number in range(len(result) - 1):
        line, below = result[number].rstrip(), result[number + 1]
        if line[-1:] not in _HYPHENS:
            continue
        end, start = _PARTED.search(line), _GOES_ON.match(below)
        if not end or not start or not start[1][0].islower():
            continue
        # “ver-” above “der Hund – dog” is a word of its own.
        has_article = any(articles_of(below.lstrip(), language)[0] for language in languages)
        if has_article or bool(separator_of(line)) == bool(separator_of(below)):
            continue
        whole = f"{line} " if start[1] in _AND else line[: end.end(1)]
        # The line that is left over stays empty, so that the others keep their numbers.
        result[number], result[number + 1] = "\n", whole + below.lstrip()
    return result
