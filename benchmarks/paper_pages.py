"""Draw worksheets in many languages into a folder, to look at, and measure how long that takes.

    python -m benchmarks.paper_pages DIR [--language hr ...] [--rounds 5]

For each language: a word search, listen and find and a crossword of the first sample words, with
their keys, as PDF, PNG and SVG. A time is the median of a puzzle with its key when fonts are
loaded; `alone` is the part of PDF that writes the file, without the layout. fpdf2, whose pages of
the same words have neither grid nor structure, is measured for comparison.
"""

from __future__ import annotations

import csv
from argparse import ArgumentParser
from collections.abc import Callable
from pathlib import Path
from random import Random
from statistics import median
from time import process_time
from typing import Any

from fpdf import FPDF

from osmosmjerka.paper import lettering, pdf, typefaces
from puzzles.exports import FORMATS, ExportError, PuzzleData, layout
from puzzles.generators import crossword, finder, word_search
from puzzles.generators.errors import PuzzleError
from vocab import samples

WORDS = 14
# What the sample lists do not have: marks, and scripts whose letters are composed.
MORE = {
    "ar": "كِتَاب شَمْس بَيْت معلّم السَّلامُ مَدْرَسَة قَلَم بِنْت",
    "he": "שָׁלוֹם יֶלֶד בַּיִת סֵפֶר שֶׁמֶשׁ כֶּלֶב",
    "th": "แมว น้ำ บ้าน ปลา โรงเรียน หนังสือ",
    "bn": "বাংলা কুকুর বিদ্যালয় বই জল মাছ",
    "ta": "தமிழ் நாய் பள்ளி வீடு மீன் புத்தகம்",
    "am": "ሰላም ውሻ ትምህርት ቤት መጽሐፍ ውሃ",
    "zh-Hant": "朋友 學校 老師 學生 圖書館 書本",
}
GENERATORS: dict[str, Callable[..., Any]] = {
    "word-search": lambda words, **options: word_search.generate(words, **options),
    "finder": lambda words, **options: finder.generate(words, words=6, **options),
    "crossword": lambda words, **options: crossword.generate(words, seconds=1, **options),
}


def lists() -> dict[str, list[tuple[str, str]]]:
    """Return (word, English) by language."""
    path = Path(samples.__path__[0]) / "first-words.tsv"
    with path.open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file, delimiter="\t"))[:WORDS]
    found = {language: [(row[language], row["en"]) for row in rows] for language in rows[0]}
    for language, words in MORE.items():
        found[language] = [(word, f"number {n}") for n, word in enumerate(words.split(), 1)]
    return found


def puzzles_of(language: str, items: list[tuple[str, str]]) -> dict[str, PuzzleData]:
    made = {}
    for kind, generate in GENERATORS.items():
        try:
            result = generate([word for word, _ in items], language=language, rng=Random(1))
        except PuzzleError as error:
            print(f"{language} {kind}: {error}")
            continue
        made[kind] = PuzzleData.from_generated(
            kind,
            result,
            items,
            title=f"{items[0][0]} 🐈 {language}",
            language=language,
            shows_words=kind == "word-search",
        )
    return made


def timed(rounds: int, function: Callable[..., Any], *given: Any, **more: Any) -> tuple[float, Any]:
    """Return the median of milliseconds, and the result."""
    times = []
    for _ in range(rounds):
        start = process_time()
        result = function(*given, **more)
        times.append((process_time() - start) * 1000)
    return median(times), result


def with_fpdf2(items: list[tuple[str, str]]) -> bytes:
    """Return the words as fpdf2 writes them, which shapes text with HarfBuzz, too."""
    document = FPDF()
    document.add_page()
    folder = Path(typefaces.__file__).parent / "fonts"
    for font in {run.font for word, _ in items for run in lettering.runs(word) if run.font}:
        document.add_font(font.name, fname=folder / f"{font.name}.ttf")
        document.set_font(font.name, size=12)
        document.set_text_shaping(True)
    for word, _ in items:
        document.cell(text=word, new_x="LEFT", new_y="NEXT")
    return bytes(document.output())


def main() -> None:
    parser = ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--language", action="append")
    parser.add_argument("--rounds", type=int, default=5)
    arguments = parser.parse_args()
    rounds = arguments.rounds
    arguments.folder.mkdir(parents=True, exist_ok=True)
    found = lists()
    print(f"{'':20} {'PDF':>8} {'alone':>8} {'':>7} {'PNG':>8} {'SVG':>8} {'fpdf2':>9}")
    for language in arguments.language or found:
        for kind, data in puzzles_of(language, found[language]).items():
            name = f"{language} {kind}"
            try:
                FORMATS["pdf"].write(data, key=True)  # load fonts
            except ExportError as error:
                print(f"{name:20} {error}")
                continue
            took = {}
            for format in ("pdf", "png", "svg"):
                writer = FORMATS[format]
                took[format], file = timed(rounds, writer.write, data, key=True)
                (arguments.folder / f"{language}-{kind}{writer.extension}").write_bytes(file)
                if format == "pdf":
                    size = len(file)
            pages = layout.pages(data, is_key=False) + layout.pages(data, is_key=True)
            alone, _ = timed(rounds, pdf.draw, pages, title=data.title, language=language)
            peer = "–"
            if not any(map(lettering._EAST_ASIAN.search, dict(found[language]))):
                peer = f"{timed(2, with_fpdf2, found[language])[0]:6.0f} ms"
            print(
                f"{name:20} {took['pdf']:5.0f} ms {alone:5.0f} ms {size / 1024:4.0f} KB"
                f" {took['png']:5.0f} ms {took['svg']:5.0f} ms {peer:>9}"
            )


if __name__ == "__main__":
    main()
