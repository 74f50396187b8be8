"""Puzzles laid by hand, one of each kind in any script, to write and to read back."""

from __future__ import annotations

from dataclasses import dataclass

from puzzles.exports import PuzzleData
from puzzles.generators.grid import Placement, Unplaced
from vocab.text import tiles

WORDS = {
    "hr": [
        ("krokodil", "crocodile"),
        ("ljubičica", "violet"),
        ("džep", "pocket"),
        ("žaba", "frog"),
    ],
    "el": [("σκύλος", "dog"), ("σχολείο", "school"), ("βιβλίο", "book"), ("ήλιος", "sun")],
    "ru": [("собака", "dog"), ("школа", "school"), ("ёлка", "fir"), ("щука", "pike")],
    "ar": [("كلب", "dog"), ("مدرسة", "school"), ("كتاب", "book"), ("سيارة", "car")],
    "he": [("כלב", "dog"), ("בית ספר", "school"), ("שמש", "sun"), ("תפוח", "apple")],
    "hi": [("कुत्ता", "dog"), ("विद्यालय", "school"), ("किताब", "book"), ("हिन्दी", "Hindi")],
    "th": [("แมว", "cat"), ("น้ำ", "water"), ("บ้าน", "house"), ("ปลา", "fish")],
}
KINDS = ("word-search", "finder", "crossword")


@dataclass(frozen=True)
class Placed(Placement):
    number: int
    direction: str


@dataclass(frozen=True)
class Made:
    grid: tuple
    placements: tuple
    unplaced: tuple = (Unplaced("mravojed", "There is no room for it."),)


def puzzle(kind, language="hr", items=None, title="Prve riječi", **changes):
    """Return a puzzle with each word in a row of its own, from the second column on."""
    items = items or WORDS[language]
    rows = [tiles(word, language) for word, _ in items]
    cols = max(map(len, rows)) + 2
    filler = None if kind == "crossword" else rows[0][0]
    grid, placements = [], []
    for row, ((word, _), letters) in enumerate(zip(items, rows, strict=True)):
        line = [filler] * cols
        line[1 : 1 + len(letters)] = letters
        grid.append(tuple(line))
        cells = tuple((row, 1 + i) for i in range(len(letters)))
        placements.append(
            Placed(word, cells, row + 1, "across")
            if kind == "crossword"
            else Placement(word, cells)
        )
    made = Made(tuple(grid), tuple(placements))
    shows_words = kind == "word-search"
    return PuzzleData.from_generated(
        kind, made, items, title=title, language=language, shows_words=shows_words, **changes
    )


def diagonal(**changes):
    """Return a word search whose words run down, backwards and aslant."""
    grid = (
        ("M", "A", "Č", "K", "A"),
        ("P", "S", "X", "O", "X"),
        ("A", "X", "L", "NJ", "X"),
        ("S", "X", "X", "O", "X"),
        ("X", "R", "I", "M", "N"),
    )
    placements = (
        Placement("mačka", ((0, 0), (0, 1), (0, 2), (0, 3), (0, 4))),
        Placement("pas", ((1, 0), (2, 0), (3, 0))),
        Placement("konj", ((0, 3), (1, 3), (2, 3))),
        Placement("mir", ((4, 3), (4, 2), (4, 1))),
        Placement("slon", ((1, 1), (2, 2), (3, 3), (4, 4))),
    )
    items = [("mačka", "cat"), ("pas", ""), ("konj", "horse"), ("mir", ""), ("slon", "")]
    return PuzzleData.from_generated(
        "word-search",
        Made(grid, placements),
        items,
        title="Životinje",
        language="hr",
        shows_words=True,
        **changes,
    )


def crossing():
    """Return a crossword in which every run of letters is a word."""
    grid = (("B", "Ä", "R", None), ("A", "H", "A", None), ("D", "R", "U", "M"))
    placements = (
        Placed("Bär", ((0, 0), (0, 1), (0, 2)), 1, "across"),
        Placed("Bad", ((0, 0), (1, 0), (2, 0)), 1, "down"),
        Placed("Ähr", ((0, 1), (1, 1), (2, 1)), 2, "down"),
        Placed("rau", ((0, 2), (1, 2), (2, 2)), 3, "down"),
        Placed("a ha", ((1, 0), (1, 1), (1, 2)), 4, "across"),
        Placed("Drum", ((2, 0), (2, 1), (2, 2), (2, 3)), 5, "across"),
    )
    items = [
        ("Bär", "bear"),
        ("Bad", "bathroom"),
        ("Ähr", "down 2"),
        ("rau", "down 3"),
        ("a ha", "oho"),
    ]
    return PuzzleData.from_generated(
        "crossword", Made(grid, placements), items, title="Bäume", language="de"
    )
