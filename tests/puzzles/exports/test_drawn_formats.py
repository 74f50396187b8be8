"""SVG, PDF and PNG: read back as a printer or a browser would."""

from __future__ import annotations

import io
import re
from dataclasses import replace

import numpy as np
import pypdfium2
import pytest
from defusedxml import ElementTree
from PIL import Image

from osmosmjerka.paper import lettering
from osmosmjerka.paper.shapes import Capsule, Picture, Text
from puzzles.exports import FORMATS, ExportError
from puzzles.exports.data import Printing
from puzzles.exports.layout import pages
from tests.paper.reading import texts_of as texts_of_pages
from tests.puzzles.exports.puzzles import KINDS, WORDS, diagonal, puzzle

SVG = "{http://www.w3.org/2000/svg}"


def svg_of(data, *, key=False):
    return ElementTree.fromstring(FORMATS["svg"].write(data, key=key))


def texts_of(svg):
    return [element.text for element in svg.iter(f"{SVG}text")]


def texts_of_pdf(data, *, key=False):
    return texts_of_pages(FORMATS["pdf"].write(data, key=key))


def picture_of(data, *, key=False):
    return Image.open(io.BytesIO(FORMATS["png"].write(data, key=key)))


@pytest.mark.parametrize("language", WORDS)
@pytest.mark.parametrize("kind", ["word-search", "finder"])
def test_svg_holds_each_letter_of_the_grid_as_text(kind, language):
    data = puzzle(kind, language)

    shown = texts_of(svg_of(data))

    letters = [tile for row in data.grid for tile in row]
    assert [text for text in shown if text in data.tiles] == letters


def test_svg_loads_and_runs_nothing():
    svg = svg_of(puzzle("word-search", title="<script>alert(1)</script> & url(http://x)"), key=True)

    allowed = {"svg", "title", "rect", "line", "text"}
    assert {element.tag.removeprefix(SVG) for element in svg.iter()} <= allowed
    for element in svg.iter():
        for name, value in element.attrib.items():
            assert not name.lower().startswith("on")
            assert "href" not in name and "url(" not in value and "://" not in value


def test_svg_survives_characters_that_xml_cannot_write():
    svg = svg_of(puzzle("crossword", items=[("žaba", "fr\x0bog")], title="a\x00b"))

    assert svg.find(f"{SVG}title").text == "ab"


def test_svg_is_an_a4_page_and_grows_with_its_list():
    short = svg_of(puzzle("word-search"))
    long = svg_of(puzzle("finder", items=[(f"riječ{n}", "a clue") for n in range(60)]))

    assert (short.get("width"), short.get("height")) == ("210mm", "297mm")
    assert float(long.get("height").removesuffix("mm")) > 297


@pytest.mark.parametrize("name", ["svg", "pdf", "png"])
@pytest.mark.parametrize("kind", KINDS)
def test_the_answers_are_drawn_only_in_the_key(kind, name):
    data = puzzle(kind)

    assert FORMATS[name].write(data) != FORMATS[name].write(data, key=True)
    (page,) = pages(data, is_key=False)
    (key,) = pages(data, is_key=True)
    assert not any(isinstance(shape, Capsule) for shape in page.shapes)
    shown = {shape.text for shape in page.shapes if isinstance(shape, Text)}
    if kind == "crossword":
        assert not shown & data.tiles
        assert data.tiles <= {shape.text for shape in key.shapes if isinstance(shape, Text)}
    else:
        capsules = [shape for shape in key.shapes if isinstance(shape, Capsule)]
        assert len(capsules) == len(data.placements)


def test_capsules_lie_over_the_letters_of_their_words():
    data = diagonal()
    (key,) = pages(data, is_key=True)
    letters = [s for s in key.shapes if isinstance(s, Text) and s.text in data.tiles]
    centres = {
        (row, col): letters[row * data.cols + col].x
        for row in range(data.rows)
        for col in range(data.cols)
    }

    for placed, capsule in zip(
        data.placements, [s for s in key.shapes if isinstance(s, Capsule)], strict=True
    ):
        assert capsule.start[0] == pytest.approx(centres[placed.cells[0]])
        assert capsule.end[0] == pytest.approx(centres[placed.cells[-1]])


@pytest.mark.parametrize("language", WORDS)
def test_text_taken_out_of_the_pdf_has_each_word_in_the_order_of_reading(language):
    (taken,) = texts_of_pdf(puzzle("word-search", language))

    for word, clue in WORDS[language]:
        assert word in taken
        assert clue in taken


@pytest.mark.parametrize("kind", KINDS)
def test_pdf_has_the_key_on_a_page_of_its_own(kind):
    data = puzzle(kind, items=[("krokodil", "a reptile"), ("žaba", "it croaks")])

    (alone,), (sheet, key) = texts_of_pdf(data), texts_of_pdf(data, key=True)

    assert alone == sheet
    assert "Name" in sheet and "a reptile" in sheet
    assert ("krokodil" in sheet) == (kind == "word-search")
    assert "krokodil – a reptile" in key


def test_pdf_is_a4():
    with pypdfium2.PdfDocument(FORMATS["pdf"].write(diagonal())) as document:
        assert [round(side) for side in document[0].get_size()] == [595, 842]


def test_a_long_list_goes_on_over_the_pages_and_loses_no_word():
    items = [(f"riječ{n:03}", f"a rather long translation, number {n}") for n in range(200)]
    data = puzzle("word-search", items=items)
    taken = texts_of_pdf(replace(data, rows=12, grid=data.grid[:12]))

    assert len(taken) > 1
    assert all(word in "".join(taken) for word, _ in items)


def test_nothing_is_drawn_off_the_page():
    items = [(f"riječ{n}", "x" * 150 if n % 7 == 0 else "a clue of some length") for n in range(40)]
    for language in ("hr", "he"):
        for kind in KINDS:
            for is_key in (False, True):
                data = replace(
                    puzzle(kind, "hr", items, "Naslov " * 30),
                    direction="rtl" if language == "he" else "ltr",
                )
                for page in pages(data, is_key=is_key):
                    for shape in page.shapes:
                        if isinstance(shape, Text):
                            width = lettering.width(shape.text) * shape.size
                            assert shape.left(width) >= 9, shape
                            assert shape.left(width) + width <= 201, shape
                            assert 9 < shape.y < 288, shape


def test_a_right_to_left_crossword_is_read_from_the_right():
    data = puzzle("crossword", "he")
    (key,) = pages(data, is_key=True)

    first_row = [s for s in key.shapes if isinstance(s, Text) and s.text in data.tiles][:3]
    assert [letter.text for letter in first_row] == ["כ", "ל", "ב"]
    assert first_row[0].x > first_row[1].x > first_row[2].x


def test_runs_of_two_directions_stand_where_bidirectional_text_puts_them():
    runs = lettering.runs("dog – כלב 12", "rtl")

    from_the_right = sorted(runs, key=lambda run: run.x, reverse=True)
    assert "".join(run.text for run in from_the_right) == "dog – כלב 12"
    assert max(run.x + run.width for run in runs) == pytest.approx(lettering.width("dog – כלב 12"))


def test_the_same_puzzle_is_the_same_file():
    for name in FORMATS.keys() - {"puz", "jpz"}:  # which do not number words one below the other
        one, other = (FORMATS[name].write(puzzle("crossword"), key=True) for _ in range(2))
        assert one == other


@pytest.mark.parametrize("name", ["pdf", "png"])
def test_letters_that_no_font_has_are_named(name):
    sumerian = puzzle("word-search", "hr", [("𒀭", "god"), ("žaba", "frog")], title="𒌓𒆗")

    with pytest.raises(ExportError, match=re.escape("do not contain these letters: 𒀭 𒆗 𒌓.")):
        FORMATS[name].write(sumerian)
    assert "𒀭" in texts_of(svg_of(sumerian))


@pytest.mark.usefixtures("no_installed_fonts")
def test_without_a_font_for_japanese_an_admin_is_told_which_package_has_it():
    japanese = puzzle("word-search", "ja", [("犬", "dog"), ("ねこ", "cat")])

    with pytest.raises(ExportError) as caught:
        FORMATS["pdf"].write(japanese)

    assert "these letters: こ ね 犬. Choose SVG" in str(caught.value)
    assert "fonts-noto-cjk" in str(caught.value)
    assert "犬" in texts_of(svg_of(japanese))


def test_svg_asks_for_the_fonts_of_its_language():
    assert "Noto Sans CJK JP" in svg_of(puzzle("word-search", "ja", [("犬", "")])).get(
        "font-family"
    )
    assert "CJK" not in svg_of(puzzle("word-search")).get("font-family")


@pytest.mark.parametrize("kind", KINDS)
def test_png_is_a_picture_with_ink_on_white(kind):
    picture = picture_of(puzzle(kind, "ar"), key=True)

    assert picture.format == "PNG"
    assert picture.size == (1654, 2339)
    histogram = picture.convert("L").histogram()
    ink = sum(histogram[:128]) / sum(histogram)
    assert 0.001 < ink < 0.2
    assert picture.getpixel((3, 3)) == (255, 255, 255)


def pictured(data, *words):
    """Return *data* with a red picture for the clue of these *words*."""
    file = io.BytesIO()
    Image.new("RGB", (60, 40), "#ff0000").save(file, "JPEG")
    return replace(
        data,
        placements=tuple(
            replace(placed, picture=file.getvalue()) if placed.word in words else placed
            for placed in data.placements
        ),
    )


@pytest.mark.parametrize(("language", "word"), [("hr", "krokodil"), ("ar", "كلب")])
def test_a_picture_stands_for_its_clue_and_tells_its_length_alone(language, word):
    data = pictured(puzzle("crossword", language), word)
    placed = next(p for p in data.placements if p.word == word)
    clue, length = placed.clue, f"({placed.enumeration})"

    svg = svg_of(data)
    (image,) = svg.iter(f"{SVG}image")
    assert image.get("href").startswith("data:image/jpeg;base64,")
    assert length in texts_of(svg)
    assert not any(clue in text for text in texts_of(svg))
    assert clue not in texts_of_pdf(data)[0]
    image = picture_of(data).convert("RGB")
    red, green, blue = np.asarray(image.resize((210, 297))).transpose(2, 0, 1)
    reddish = np.count_nonzero((red > 200) & (green < 60) & (blue < 60))
    assert reddish > 100


def test_a_format_of_letters_alone_keeps_the_clue_of_a_picture_and_so_does_the_key():
    data = pictured(puzzle("crossword"), "krokodil")
    assert "crocodile (8)" in FORMATS["text"].write(data).decode()
    assert "crocodile" in FORMATS["ipuz"].write(data).decode()
    assert any("krokodil – crocodile" in text for text in texts_of(svg_of(data, key=True)))
    assert not list(svg_of(data, key=True).iter(f"{SVG}image"))


def test_a_long_list_of_pictures_goes_on_over_the_page():
    items = [(f"riječ{letter}", "clue") for letter in "abcdefghijklmnopqrst"]
    data = puzzle("crossword", items=items)
    sheets = pages(pictured(data, *(word for word, _ in items)), is_key=False)
    drawn = [shape for page in sheets for shape in page.shapes if isinstance(shape, Picture)]
    assert len(sheets) > 1
    assert len(drawn) == len(items)
    for page in sheets:
        boxes = [s for s in page.shapes if isinstance(s, Picture)]
        assert all(s.x >= 0 and s.x + s.width <= page.width for s in boxes)
        assert all(s.y + s.height <= page.height for s in boxes)


def test_large_words_leave_the_letters_of_the_grid_nearly_as_large():
    """The words go to a second page instead."""
    words = [(f"riječ{letter}", "") for letter in "abcdefghijklmnoprs"]
    sizes, sheets = {}, {}
    for text in ("auto", "large"):
        data = replace(puzzle("word-search", items=words), printing=Printing(text=text))
        made = pages(data, is_key=False)
        drawn = [shape for page in made for shape in page.shapes if isinstance(shape, Text)]
        sizes[text] = max(shape.size for shape in drawn if shape.text in data.tiles)
        sheets[text] = len(made)
        assert {word for word, _ in words} <= {shape.text for shape in drawn}
    assert sizes["large"] >= 0.85 * sizes["auto"]
    assert sheets == {"auto": 1, "large": 2}
