"""Files as other programs write them."""

from __future__ import annotations

import io
import json
import zipfile

import puz
import pytest

from puzzles.imports.readers import ReadError, read

# Dictionaries for cells, clues as pairs, as dictionaries, with HTML.
CROSSWORD = {
    "version": "http://ipuz.org/v2",
    "kind": ["http://ipuz.org/crossword#1"],
    "title": "Farm &amp; <i>field</i>",
    "dimensions": {"width": 3, "height": 3},
    "puzzle": [
        [1, {"cell": 2, "style": {"shapebg": "circle"}}, "#"],
        [{"cell": 3}, "0", 4],
        [None, "5", 0],
    ],
    "solution": [["A", "T", "#"], ["M", {"value": "o"}, "A"], [None, "O", "N"]],
    "clues": {
        "Across": [
            [1, "In a place"],
            {"number": 3, "clue": "Extinct &lt;bird&gt;", "enumeration": "3"},
            {"number": "5", "clue": "<b>Not off</b>", "answer": "On!"},
        ],
        "Down:Nach unten": [["1", "I ___ here"], [2, "As well"], [4, "A, before a vowel"]],
    },
}
WORD_SEARCH = {
    "version": "http://ipuz.org/v1",
    "kind": ["http://ipuz.org/wordsearch#1"],
    "title": "Pets",
    "dimensions": {"width": 3, "height": 3},
    "puzzle": [["C", "A", "T"], ["X", "O", "X"], ["D", "O", "G"]],
    "solution": ["CAT", "dog", "GOD"],
}


def ipuz(document=CROSSWORD, **changes):
    """Return the bytes of an ipuz file."""
    return json.dumps(document | changes).encode()


def across_lite(version="1.3", *, rebus=None, **changes):
    """Return a .puz file with HEN and OAK across: its clues are their numbers and ways."""
    file = puz.Puzzle(version)
    file.width, file.height = 3, 2
    file.title, file.solution, file.fill = "Barn", "HEN.OX", "---.--"
    file.clues = ["A bird", "Out of", "Not, in text", "A beast"][:4]
    for name, value in changes.items():
        setattr(file, name, value)
    if rebus:
        file.rebus().add_rebus_squares(*rebus)
    return file


COMPILER = """<?xml version="1.0" encoding="UTF-8"?>
<crossword-compiler-applet xmlns="http://crossword.info/xml/crossword-compiler">
<rectangular-puzzle xmlns="http://crossword.info/xml/rectangular-puzzle" alphabet="CATOR">
<metadata><title>Small &amp; neat</title></metadata>
<crossword><grid width="3" height="2"><grid-look hide-lines="true"/>
<cell x="1" y="1" solution="C" number="1"/><cell x="2" y="1" solution="A" number="2"/>
<cell x="3" y="1" solution="T"/><cell x="1" y="2" type="block"/>
<cell x="2" y="2" solution="T"/><cell x="3" y="2" type="void"/></grid>
<word id="7" x="1-3" y="1"/><word id="8"><cells x="2" y="1"/><cells x="2" y="2"/></word>
<clues><title><b>Across</b></title><clue word="7" number="1" format="3">A <i>pet</i></clue></clues>
<clues><title><b>Down</b></title><clue word="8" number="2">By</clue></clues>
</crossword></rectangular-puzzle></crossword-compiler-applet>"""


def compiler(*, is_zipped=False, **swapped):
    """Return a .jpz file, with some of its text swapped: old="new"."""
    text = COMPILER
    for old, new in swapped.items():
        text = text.replace(old, new)
    return zipped({"puzzle.xml": text}) if is_zipped else text.encode()


def zipped(members):
    """Return a ZIP file of these files: contents by name."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return packed.getvalue()


ACROSS, DOWN = CROSSWORD["clues"]["Across"], CROSSWORD["clues"]["Down:Nach unten"]
GLOBAL, HEADER, MAGIC = slice(0, 2), slice(14, 16), slice(16, 24)
CLUE_8 = '<clue word="8" number="2">By</clue>'


def with_first(clue, **changes):
    """Return a file whose first word is asked by *clue*."""
    return ipuz(clues={"Across": [clue, *ACROSS[1:]], "Down": DOWN}, **changes)


def changed(data, *places, filled=b"\0"):
    """Return the file with other bytes at these places."""
    data = bytearray(data)
    for place in places:
        data[place] = filled * len(data[place])
    return bytes(data)


def words_of(puzzle):
    """Return the words of a crossword with their clues, by number and direction."""
    return {(word.number, word.direction): (puzzle.spelt(word), word.clue) for word in puzzle.words}


def refusal(data):
    """Return why a file is refused."""
    with pytest.raises(ReadError) as refused:
        read(data)
    return str(refused.value)
