"""Files of Across Lite that other programs wrote: wrong checksums, UTF-8, HTML."""

from __future__ import annotations

import pytest

from puzzles.imports.readers import read
from tests.puzzles.imports.files import (
    GLOBAL,
    HEADER,
    MAGIC,
    across_lite,
    changed,
    refusal,
    words_of,
)

WRONG_SUMS = "The checksums of the file are wrong. Check that its words and clues are complete."


@pytest.mark.parametrize(
    "places", [[GLOBAL], [HEADER], [MAGIC], [GLOBAL, HEADER, MAGIC], [GLOBAL, slice(24, 28)]]
)
@pytest.mark.parametrize("filled", [b"\0", b"\x07"])
def test_wrong_checksums_are_no_reason_to_refuse_a_file(places, filled):
    data = across_lite().tobytes()
    found = read(changed(data, *places, filled=filled))

    assert words_of(found) == words_of(read(data))
    assert found.losses == (WRONG_SUMS,)
    assert read(data).losses == ()


def test_a_file_with_wrong_checksums_that_is_cut_off_is_damaged():
    data = changed(across_lite().tobytes(), GLOBAL, HEADER, MAGIC)

    for end in (b"A bird\0Out", b"A bird\0", b"HEN.OX---", b"HEN.O"):
        assert "damaged" in refusal(data[: data.index(end) + len(end)])
    # Some programs do not end the last clue.
    assert words_of(read(data.rstrip(b"\0"))) == words_of(read(data))


TEXTS = ["It’s a “cat” … 5 €", "Žaba", "日本", "AT&T – é", "Ärger"]


@pytest.mark.parametrize("version", ["1.2", "1.3", "2.0"])
@pytest.mark.parametrize(
    ("text", "encoding"),
    [*((text, "utf-8") for text in TEXTS), *((TEXTS[i], "cp1252") for i in (0, 1, 3, 4))],
)
def test_texts_of_across_lite_are_utf_8_or_of_windows_in_each_version(version, text, encoding):
    file = across_lite(title=text)
    file.clues[0], file.encoding = text, encoding
    file.version, file.fileversion = version.encode(), version.encode() + b"\0"

    found = read(file.tobytes())

    assert (found.title, words_of(found)[1, "across"][1]) == (text, text)
    assert found.losses == ()


@pytest.mark.parametrize(
    ("written", "clue"),
    [
        ("AT&amp;T", "AT&T"),
        ("&lt;3", "<3"),
        ("Like <i>this</i>", "Like this"),
        ("One<br>two", "One two"),
        ("Caf&eacute;", "Café"),
        ("5 < 6 & 7", "5 < 6 & 7"),
    ],
)
def test_html_in_a_clue_of_across_lite_is_not_shown(written, clue):
    file = across_lite(title=written)
    file.clues[0] = written
    found = read(file.tobytes())

    assert (found.title, words_of(found)[1, "across"][1]) == (clue, clue)


def test_clues_that_are_too_many_are_said():
    file = across_lite()
    file.clues = [*file.clues, "Left over"]

    told = "The file has 5 clues for 4 words. Check that each clue belongs to its word."
    assert told in read(file.tobytes()).losses
