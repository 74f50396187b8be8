"""What a teacher asks of a worksheet is on the paper: sizes, places, head, foot, and sets."""

from __future__ import annotations

import io
import zipfile
from dataclasses import replace

import pytest

from osmosmjerka.paper import lettering, pdf
from osmosmjerka.paper.shapes import Box, Line, Modules, Picture, Text
from puzzles.exports import FORMATS, ExportError, Labels, PlacedWord, Printing, sets
from puzzles.exports.entries import entries_for_key, entries_for_player
from puzzles.exports.layout import pages
from tests.paper.reading import texts_of
from tests.puzzles.exports.puzzles import KINDS, diagonal, puzzle

POINT = 25.4 / 72
LONG = [(f"riječ{letter}", f"a clue of some words, {letter}") for letter in "abcdefghijklmnoprs"]
ADDRESS = "https://school.example/play/ABCD2345/"


def printed(data, *, is_key=False, **printing):
    return pages(replace(data, printing=Printing(**printing)), is_key=is_key)


def texts(made):
    return [shape for page in made for shape in page.shapes if isinstance(shape, Text)]


def said(made):
    return [text.text for text in texts(made)]


def read(sheets, *, is_key=False):
    """Return the text of each page of a set."""
    return texts_of(sets.write(sheets, is_key=is_key, title="Test"))


def cells(page):
    """Return the squares of a crossword."""
    return [shape for shape in page.shapes if isinstance(shape, Box)]


@pytest.mark.parametrize("paper", ["a4", "letter"])
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(("per_page", "parts"), [(2, 2), (4, 4)])
def test_sheets_that_share_a_page_are_alike_and_stay_in_their_places(kind, paper, per_page, parts):
    (page,) = printed(puzzle(kind), paper=paper, per_page=per_page, address=ADDRESS)

    titles = [text for text in texts([page]) if text.text == "Prve riječi"]
    assert len(titles) == parts
    cuts = [shape for shape in page.shapes if isinstance(shape, Line) and shape.dash]
    assert len(cuts) == (1 if per_page == 2 else 2)
    for shape in page.shapes:
        if isinstance(shape, Box | Modules | Picture):
            width = shape.side if isinstance(shape, Modules) else shape.width
            for cut in cuts:
                if cut.x1 == cut.x2:  # nothing lies on a vertical cut
                    assert not shape.x < cut.x1 < shape.x + width


def test_each_student_of_a_set_gets_a_sheet_and_each_version_one_key():
    grids = [puzzle("word-search"), diagonal()]
    sheets = [
        replace(
            grids[number % 2],
            title="Test",
            printing=Printing(student=f"Student {number}", version="AB"[number % 2]),
        )
        for number in range(6)
    ]

    alone, keys = read(sheets), read(sheets, is_key=True)

    assert len(alone) == 6
    assert all(f"Student {number}" in page for number, page in enumerate(alone))
    assert len(keys) == 2
    assert not any("Student" in page for page in keys)
    assert ["A" in keys[0].split(), "B" in keys[1].split()] == [True, True]


def test_sheets_of_a_set_that_share_pages_follow_each_other():
    sheets = [
        replace(diagonal(), printing=Printing(per_page=4, student=f"Student {number}"))
        for number in range(6)
    ]
    assert [page.count("Student") for page in read(sheets)] == [4, 2]


def test_a_set_with_letters_that_no_font_has_says_what_helps_sets():
    with pytest.raises(ExportError) as refused:
        read([replace(diagonal(), printing=Printing(student="𓀀"))])

    assert "𓀀. They are in the words, the title, the instruction or a name." in str(refused.value)


def test_a_set_without_the_east_asian_font_is_not_told_to_choose_another_format(monkeypatch):
    def fail(*args, **options):
        error = lettering.MissingLetters("木")
        error.lacks_east_asian = True
        raise error

    monkeypatch.setattr(pdf, "draw", fail)
    with pytest.raises(ExportError) as refused:
        read([diagonal()])

    assert "A site admin can add the font" in str(refused.value)
    assert "SVG" not in str(refused.value)


def test_a_key_for_one_student_only_says_whose_it_is():
    sheets = [
        replace(data, printing=Printing(student=name))
        for data, name in [(puzzle("finder"), "Ana"), (diagonal(), "Ivo")]
    ]
    first, second = read(sheets, is_key=True)
    assert "Ana" in first and "Ivo" in second


def test_a_key_that_students_share_names_them_all_unless_a_version_does():
    def first_key(versions):
        sheets = [
            replace(
                diagonal() if name == "Mia" else puzzle("word-search"),
                printing=Printing(student=name, version=version),
            )
            for name, version in zip(["Ana", "Ivo", "Mia"], versions, strict=True)
        ]
        return read(sheets, is_key=True)[0]

    assert "Ana, Ivo" in first_key(["", "", ""])
    assert "Ana" not in first_key(["A", "A", "B"])


def test_one_students_sheet_is_not_copied_over_the_page():
    def titles(**printing):
        (page,) = printed(puzzle("word-search"), per_page=4, **printing)
        return said([page]).count("Prve riječi")

    assert titles() == 4
    assert titles(student="Ana") == 1


def test_a_word_that_is_its_own_clue_is_so_in_small_letters():
    data = puzzle("finder", "de", items=[("Hund", ""), ("Katze", "cat")])
    data = replace(
        data, placements=tuple(replace(p, clue=p.clue or p.word) for p in data.placements)
    )
    for is_lowercase, word in ((False, "Hund"), (True, "hund")):
        small = replace(data, printing=Printing(is_lowercase=is_lowercase)).as_printed()
        listed = {entry.text: entry.is_written for entry in entries_for_player(small)}
        assert listed == {word: False, "cat": True}


def test_a_clue_of_emoji_that_the_fonts_lack_counts_as_missing():
    lion, cat = "\N{LION FACE}", "\N{CAT} cat"
    data = puzzle("finder", items=[("lav", lion), ("mačka", cat)])

    assert lettering.left_out(lion) and not lettering.left_out(cat)
    assert "lav" in said(printed(data)) and cat in said(printed(data))
    # The preview is an SVG, in which a browser would draw its own emoji.
    assert lion not in FORMATS["svg"].write(data).decode()


@pytest.mark.parametrize(
    ("language", "instruction", "way"),
    [("ar", "Find the words.", "ltr"), ("ar", "ابحث عن الكلمات.", "rtl"), ("hr", "ابحث.", "rtl")],
)
def test_the_full_stop_of_an_instruction_is_at_its_end(language, instruction, way):
    made = printed(puzzle("word-search", language), instruction=instruction)
    (line,) = [text for text in texts(made) if text.text == instruction]

    assert line.direction == way
    # It begins where the sheet begins, in whatever language it is.
    assert line.anchor == ("right" if language == "ar" else "left")


@pytest.mark.parametrize("language", ["hr", "ru"])
def test_large_print_has_letters_of_8_mm_and_a_list_of_18_points(language):
    data = puzzle("word-search", language)
    made = printed(data, text="large")
    letters = [text for text in texts(made) if text.tag == "Grid"]
    listed = [text for text in texts(made) if text.tag == "L"]

    assert letters and listed
    assert all(0.7 * text.size >= 8 for text in letters)  # capitals have 0.714 em
    assert all(text.size >= 18 * POINT for text in listed)


def test_a_long_list_in_large_print_goes_on_over_pages_that_say_whose_they_are():
    made = printed(puzzle("finder", items=LONG), text="large", student="Ana")

    assert len(made) > 1
    assert "Ana – Prve riječi" in said(made[1:2])
    assert min(text.size for text in texts(made) if text.tag == "L") >= 18 * POINT
    # A title that needs the whole line leaves no version and no name out.
    long = replace(puzzle("finder", items=LONG), title="Prve riječi " * 12)
    for is_key in (False, True):
        loose = printed(long, is_key=is_key, text="large", student="Ana", version="B")[1:]
        assert loose and all("B – Ana – Prve" in said([page])[0] for page in loose)


@pytest.mark.parametrize(("kind", "points"), [("word-search", 11), ("crossword", 10)])
def test_what_is_read_on_a_full_page_is_large_enough(kind, points):
    made = printed(puzzle(kind, items=LONG))

    assert all(text.size >= points * POINT for text in texts(made) if text.tag == "L")


def test_the_squares_of_a_crossword_can_be_written_in_and_no_other_is_drawn():
    data = puzzle("crossword", items=LONG)
    (page,) = printed(data)

    assert len(cells(page)) == sum(tile is not None for row in data.grid for tile in row)
    assert all(box.width >= 6 for box in cells(page))


@pytest.mark.parametrize(
    ("language", "words", "letters"),
    [
        ("tr", [("Işık", "light"), ("İnek", "cow")], {"ı", "ş", "k", "i", "n", "e"}),
        ("de", [("Straße", "street")], {"s", "t", "r", "a", "ß", "e"}),
        ("el", [("Σκύλος", "dog")], {"σ", "κ", "υ", "λ", "ο"}),
        ("hr", [("Džep", "pocket")], {"dž", "e", "p"}),
    ],
)
def test_small_letters_follow_the_rules_of_the_language(language, words, letters):
    data = puzzle("word-search", language, words)
    made = printed(data, is_lowercase=True)

    assert {text.text for text in texts(made) if text.tag == "Grid"} == letters
    small = {"Işık": "ışık", "İnek": "inek", "Straße": "straße", "Σκύλος": "σκύλος"}
    for word, clue in words:
        assert f"{small.get(word, 'džep')} – {clue}" in said(made)


def test_the_head_has_the_lines_that_are_asked_for():
    data = replace(diagonal(), labels=Labels(class_="Class of"))

    def lines(**printing):
        (page,) = printed(data, **printing)
        return [shape for shape in page.shapes if isinstance(shape, Line)]

    assert len(lines()) == 2
    assert len(lines(has_class=True)) == 3
    assert lines(has_name=False, has_date=False) == []
    assert len(lines(student="Ana Anić", class_name="4.b")) == 1  # the date
    assert {"Ana Anić", "4.b", "Class of"} <= set(
        said(printed(data, student="Ana Anić", class_name="4.b"))
    )


def test_school_and_version_are_on_the_sheet_and_the_version_on_its_key():
    made = printed(diagonal(), school="Our School", version="B")
    key = printed(diagonal(), school="Our School", version="B", is_key=True)

    assert {"Our School", "B"} <= set(said(made))
    assert "B" in said(key)


@pytest.mark.parametrize(("per_page", "least"), [(1, 20), (2, 14), (4, 14)])
def test_the_code_to_play_is_large_enough_to_scan_and_its_address_is_told(per_page, least):
    made = printed(diagonal(), per_page=per_page, address=ADDRESS)
    codes = [shape for page in made for shape in page.shapes if isinstance(shape, Modules)]

    assert len(codes) == per_page
    assert all(code.side >= least for code in codes)
    assert "Play it here" in said(made)
    assert "".join(said(made)).count("school.example/play/ABCD2345/") == per_page
    assert not [
        shape
        for page in printed(diagonal(), address=ADDRESS, is_key=True)
        for shape in page.shapes
        if isinstance(shape, Modules)
    ]


def test_without_a_list_only_the_grid_is_left_but_the_key_has_the_words():
    data = diagonal()

    assert not [text for text in texts(printed(data, shows="none")) if text.tag == "L"]
    assert "pas" in said(printed(data, shows="none", is_key=True))


@pytest.mark.parametrize("columns", [1, 2, 3, 4])
def test_the_list_has_as_many_columns_as_are_asked_for(columns):
    data = puzzle("word-search", items=[(f"riječ{letter}", "") for letter in "abcdefghijkl"])
    listed = [text for text in texts(printed(data, columns=columns)) if text.tag in ("L", "+")]

    assert len({round(text.x) for text in listed}) == columns


def test_a_word_without_a_clue_is_told_and_needs_no_line_to_write_on():
    data = puzzle("finder", items=[("žaba", "frog"), ("slon", "")])
    (page,) = printed(data, has_name=False, has_date=False)

    assert {"frog", "slon"} <= set(said([page]))
    assert len([shape for shape in page.shapes if isinstance(shape, Line)]) == 1


def heart(**changes):
    data = puzzle("word-search", items=[("krokodil", ""), ("ljubičica", "")])
    return replace(
        data,
        rows=3,
        cols=3,
        grid=(("A", None, "B"), ("P", "A", "S"), (None, "LJ", None)),
        placements=(PlacedWord(word="pas", cells=((1, 0), (1, 1), (1, 2))),),
        **changes,
    )


@pytest.mark.parametrize("direction", ["ltr", "rtl"])
def test_a_grid_in_the_form_of_a_picture_has_its_outline(direction):
    (page,) = printed(heart(direction=direction), has_name=False, has_date=False)

    lines = [shape for shape in page.shapes if isinstance(shape, Line)]
    assert not cells(page)[1:]  # a box to tick, and no frame
    sides = [abs(line.x2 - line.x1) + abs(line.y2 - line.y1) for line in lines]
    cell = min(sides)
    assert sum(sides) == pytest.approx(14 * cell)


def test_a_hidden_message_has_a_blank_for_each_letter_and_the_key_tells_it():
    data = heart(message=("Ab", "lja"), bonus=2)
    made = printed(data, has_name=False, has_date=False)
    (page,) = made

    thin = [shape for shape in page.shapes if isinstance(shape, Line) and shape.stroke < 0.3]
    blanks = [line for line in thin if line.x2 - line.x1 < 10]
    assert len(blanks) == 4  # A B, LJ A
    assert {"The letters left over spell", "More words to find: 2"} <= set(said(made))
    letters = [text.text for text in texts(printed(data, is_key=True)) if text.tag == "+"]
    assert letters[:4] == ["A", "B", "LJ", "A"]


def test_a_bonus_word_is_in_the_key_only():
    data = diagonal()
    secret = replace(data.placements[1], is_bonus=True)
    data = replace(data, bonus=1, placements=(data.placements[0], secret, *data.placements[2:]))

    assert "pas" not in said(printed(data))
    assert "pas" in said(printed(data, is_key=True))


@pytest.mark.parametrize("shows_words", [True, False])
def test_the_key_marks_bonus_words_and_numbers_the_others_as_the_list_does(shows_words):
    data = replace(diagonal(), shows_words=shows_words)
    secret = replace(data.placements[0], is_bonus=True)
    data = replace(data, bonus=1, placements=(secret, *data.placements[1:]))

    *listed, last = entries_for_key(data)
    assert (last.text.partition(" ")[0], last.mark) == (secret.word, "+")
    numbers = [f"{number}." for number in range(1, len(listed) + 1)]
    assert [entry.mark for entry in listed] == [("" if shows_words else one) for one in numbers]


@pytest.mark.parametrize("name", ["pdf", "docx", "text"])
def test_a_sheet_without_a_list_counts_no_words_that_are_not_on_it(name):
    data = replace(diagonal(), bonus=2)

    def told(shows):
        made = replace(data, printing=Printing(shows=shows))
        if name == "pdf":
            return " ".join(said(printed(made, shows=shows)))
        written = FORMATS[name].write(made)
        if name == "docx":
            return zipfile.ZipFile(io.BytesIO(written)).read("word/document.xml").decode()
        return written.decode()

    assert "More words to find: 2" in told("usual")
    assert "More words to find" not in told("none")


def test_nothing_leaves_its_sheet_whatever_is_asked_for():
    data = replace(puzzle("crossword", "hr", LONG, "Naslov " * 20))
    for direction in ("ltr", "rtl"):
        for per_page in (1, 2, 4):
            for text in ("auto", "large", "small"):
                for page in printed(
                    replace(data, direction=direction), per_page=per_page, text=text,
                    school="School " * 9, student="Ana " * 12, class_name="4.b", version="B",
                    instruction="Find " * 30, address=ADDRESS,
                ):  # fmt: skip
                    for shape in page.shapes:
                        if isinstance(shape, Text):
                            assert 0 < shape.x < page.width and 0 < shape.y < page.height - 5
                        elif isinstance(shape, Box):
                            assert shape.x > 0 and shape.x + shape.width < page.width
                            assert shape.y + shape.height < page.height
