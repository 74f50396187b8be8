"""PDF: what a screen reader is told, what is left out, what is refused."""

from __future__ import annotations

import io
import shutil
import subprocess

import pypdfium2
import pytest
from PIL import Image

from osmosmjerka.paper import pdf
from osmosmjerka.paper.lettering import MissingLetters, runs
from osmosmjerka.paper.shapes import Box, Capsule, Line, Page, Picture, Text
from tests.paper.reading import is_tagged, language_of, picture_of, structure_of, texts_of
from tests.services import missing


def photo(colour, format="JPEG", mode="RGB"):
    file = io.BytesIO()
    Image.new(mode, (60, 30), colour).save(file, format)
    return file.getvalue()


WORKSHEET = Page(
    210,
    297,
    (
        Text(15, 20, "Životinje", 7, tag="H1"),
        Text(15, 28, "na selu", 7, tag="+"),
        Text(15, 40, "Name", 4),
        Line(30, 40, 100, 40),
        Box(15, 50, 40, 20),
        Text(20, 60, "M", 6, tag="Grid"),
        Text(30, 60, "A", 6, tag="Grid"),
        Capsule((20, 60), (30, 60), 8, 0.4, "#0b5ea8"),
        Text(20, 70, "Č", 6, tag="Grid"),
        Text(30, 70, "KA", 6, tag="Grid"),
        Text(15, 90, "Vodoravno", 5, tag="H2"),
        Text(15, 100, "1", 4, tag="L"),
        Text(20, 100, "cat and", 4, tag="+"),
        Text(20, 105, "dog (6)", 4, tag="+"),
        Picture(20, 110, 20, 20, photo("red"), alt="a red thing"),
        Text(15, 140, "2", 4, tag="L"),
        Text(20, 140, "a bird", 4, tag="+"),
        Picture(20, 150, 20, 20, photo("blue")),
    ),
)


def test_a_screen_reader_is_told_headings_lists_and_the_grid():
    data = pdf.draw([WORKSHEET], title="Životinje", language="hr")

    assert is_tagged(data)
    assert language_of(data) == "hr"
    (document,) = structure_of(data)
    assert repr(document) == ("Document[H1, P, Figure, H2, L[LI[LBody[Figure]], LI[LBody]]]")
    grid = document.kids[2]
    assert grid.alt == "M A \nČ KA"
    (picture,) = document.kids[4].kids[0].kids[0].kids
    assert picture.alt == "a red thing"
    with pypdfium2.PdfDocument(data) as file:
        assert file.get_metadata_value("Title") == "Životinje"


def test_each_page_has_a_grid_of_its_own():
    page = Page(100, 100, (Text(10, 20, "A", 6, tag="Grid"),))
    data = pdf.draw([page, page], title="x")
    for number in (0, 1):
        (document,) = structure_of(data, number)
        assert [kid.alt for kid in document.kids] == ["A"]


def test_another_reader_finds_the_same_structure_and_no_fault(tmp_path):
    if not shutil.which("pdfinfo"):
        missing("pdfinfo (Debian: poppler-utils)")
    path = tmp_path / "page.pdf"
    path.write_bytes(pdf.draw([WORKSHEET], title="Životinje", language="hr"))

    told = subprocess.run(
        ["pdfinfo", "-struct-text", path], capture_output=True, text=True, check=True
    )

    assert told.stderr == ""
    lines = [line.strip().strip('"').rstrip() for line in told.stdout.splitlines()]
    assert lines[:5] == ["Document", "H1 (block)", "Životinjena selu", "P (block)", "Name"]
    assert lines.index("H2 (block)") < lines.index("L (block)") < lines.index("2a bird")
    checked = subprocess.run(["pdftotext", path, "-"], capture_output=True, text=True, check=True)
    assert checked.stderr == ""
    assert "Vodoravno" in checked.stdout


def test_emoji_that_no_font_has_are_left_out_and_others_are_drawn():
    page = Page(200, 40, (Text(10, 20, "Pas 🐕 i 👩‍🏫🏽 škola 🫠🇭🇷\x00\u202e!", 6),))

    (taken,) = texts_of(pdf.draw([page], title="x"))

    assert (
        "".join(run.text for run in runs("Pas 🐕 i 👩‍🏫🏽 škola 🫠🇭🇷\x00!")) == "Pas 🐕 i škola !"
    )
    assert taken.startswith("Pas 🐕")
    assert picture_of(pdf.draw([page], title="x")).getextrema()[0] < 100


def test_a_letter_of_the_grid_is_never_left_out():
    page = Page(200, 40, (Text(10, 20, "🫠", 6, tag="Grid"), Text(10, 30, "🫠 title", 6)))
    with pytest.raises(MissingLetters) as caught:
        pdf.draw([page], title="x")
    assert caught.value.letters == ("🫠",)
    assert not caught.value.lacks_east_asian


@pytest.mark.usefixtures("no_installed_fonts")
def test_without_its_font_japanese_is_refused_and_a_cuneiform_letter_always():
    for text, lacks in (("犬", True), ("𒀭", False)):
        page = Page(200, 40, (Text(10, 20, text, 6),))
        with pytest.raises(MissingLetters) as caught:
            pdf.draw([page], title="x")
        assert caught.value.shown == text
        assert caught.value.lacks_east_asian == lacks


@pytest.mark.parametrize(
    ("format", "mode", "colour"),
    [("JPEG", "RGB", "red"), ("JPEG", "L", 90), ("JPEG", "CMYK", 0), ("PNG", "P", 1)],
)
def test_pictures_keep_their_sides_and_any_colours(format, mode, colour):
    page = Page(100, 100, (Picture(10, 10, 40, 40, photo(colour, format, mode)),))

    drawn = picture_of(pdf.draw([page], title="x"), scale=72 / 25.4).point(
        lambda value: 255 * (value < 250)
    )

    if drawn.getbbox():  # CMYK 0 is white
        left, top, right, bottom = (round(side * 100 / drawn.width) for side in drawn.getbbox())
        assert (left, right) == (10, 50)
        assert (top, bottom) == (20, 40)
