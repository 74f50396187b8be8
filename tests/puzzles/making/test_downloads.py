"""A teacher takes a puzzle home as a file."""

import io
import json
import re
from urllib.parse import quote

import pytest
from PIL import Image

from osmosmjerka.jobs import ledger
from puzzles.exports import FORMATS
from puzzles.kinds import KINDS
from puzzles.making import services as making
from puzzles.making.downloads import puzzle_data
from tests.conftest import rows
from vocab.entries import pictures
from vocab.lists.services import create_list

pytestmark = pytest.mark.django_db

BEGINNING = {"pdf": b"%PDF", "png": b"\x89PNG", "svg": b"<", "json": b"{", "ipuz": b"{"}


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_each_kind_can_be_had_in_each_format(kind, make_puzzle, teacher, sign_in):
    puzzle = make_puzzle(kind)
    client = sign_in(teacher)
    for name, file_format in FORMATS.items():
        if file_format.is_numbered and KINDS[kind].shows_letters:
            continue  # it is for crosswords only
        reply = client.get(f"/puzzles/{puzzle.code}/download/{name}/")
        assert reply.status_code == 200
        assert reply["Content-Type"] == file_format.mime_type
        what = "" if file_format.has_answers else " – Worksheet"
        filename = f"Životinje – {KINDS[kind].name}{what}{file_format.extension}"
        assert quote(filename) in reply["Content-Disposition"]
        assert reply.content.startswith(BEGINNING.get(name, b""))


def test_the_words_are_in_the_key_only(make_puzzle, teacher, sign_in):
    puzzle = make_puzzle("finder")
    address = f"/puzzles/{puzzle.code}/download/text/"
    client = sign_in(teacher)
    term = puzzle.placements.first().term
    assert term not in client.get(address).content.decode().lower()
    assert term in client.get(f"{address}?key=1").content.decode().lower()


def test_json_is_what_the_command_writes(make_puzzle, teacher, sign_in):
    puzzle = make_puzzle()
    data = json.loads(sign_in(teacher).get(f"/puzzles/{puzzle.code}/download/json/").content)
    assert (data["kind"], data["rows"], data["grid"]) == (
        "word-search",
        len(puzzle.grid),
        puzzle.grid,
    )


def test_files_that_hold_the_solution_say_so(make_puzzle, teacher, sign_in):
    page = sign_in(teacher).get(f"/puzzles/{make_puzzle().code}/print/").text
    for name, file_format in FORMATS.items():
        labels = re.findall(rf'/download/{name}/"(?:\s+download)?>([^<]+)<', page)
        if file_format.is_numbered:
            assert labels == []  # for crosswords only
            continue
        holding = [label for label in labels if "olution" in label]
        assert len(labels) == (1 if file_format.has_answers else 2)
        assert len(holding) == 1


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_what_is_said_to_hold_no_answers_holds_none(kind, make_puzzle, teacher, sign_in):
    puzzle, client = make_puzzle(kind), sign_in(teacher)
    cells = json.dumps(puzzle.placements.first().cells, separators=(",", ":"))
    for name, file_format in FORMATS.items():
        if file_format.is_numbered and KINDS[kind].shows_letters:
            continue  # it is for crosswords only
        reply = client.get(f"/puzzles/{puzzle.code}/download/{name}/")
        told = reply.content.decode(errors="replace").replace(" ", "").replace("\n", "")
        if name == "json":
            assert cells in told  # the control
        if not file_format.has_answers:
            assert cells not in told


def test_students_and_strangers_get_no_file(make_puzzle, student, stranger, sign_in):
    given = make_puzzle("finder")
    own = making.request_another(puzzle=given, person=student, changes={})
    ledger.run_job(str(making.job_of(own).pk))
    for person in (student, stranger):
        client = sign_in(person)
        for puzzle in (given, own):
            for name in FORMATS:
                for key in ("", "?key=1"):
                    path = f"/puzzles/{puzzle.code}/download/{name}/{key}"
                    assert client.get(path).status_code == 404


def test_an_unknown_format_is_not_there(make_puzzle, teacher, sign_in):
    puzzle = make_puzzle()
    assert sign_in(teacher).get(f"/puzzles/{puzzle.code}/download/doc/").status_code == 404


def test_what_a_format_cannot_hold_is_said(make_puzzle, teacher, sign_in):
    puzzle = make_puzzle()
    puzzle.grid[0][0] = "𒀭"
    puzzle.save()
    page = sign_in(teacher).get(f"/puzzles/{puzzle.code}/download/pdf/", follow=True)
    assert "𒀭" in page.content.decode()


def test_a_crossword_clued_by_pictures_is_printed_with_them(
    make_puzzle, animals, teacher, sign_in, settings, tmp_path
):
    settings.MEDIA_ROOT = tmp_path
    file = io.BytesIO()
    Image.new("RGBA", (900, 600), (255, 0, 0, 128)).save(file, "PNG")
    elephant = animals.entries.get(term="slon")
    pictures.keep_picture(entry=elephant, data=file.getvalue(), name="slon.png")
    address = f"/puzzles/{make_puzzle('crossword', words=12, clue='picture').code}/download/svg/"
    client = sign_in(teacher)
    printed = client.get(address).content.decode()
    assert printed.count("data:image/jpeg") == 1
    assert "elephant" not in printed
    assert "swan" in printed
    assert "elephant" in client.get(f"{address}?key=1").content.decode()
    elephant.refresh_from_db()
    elephant.image.delete(save=False)  # the file, as when a copy of the site lacks it
    assert "elephant" in client.get(address).content.decode()


def test_a_worksheet_is_printed_on_other_paper_with_larger_text_and_an_instruction(
    make_puzzle, teacher, sign_in
):
    puzzle, client = make_puzzle(), sign_in(teacher)
    path = f"/puzzles/{puzzle.code}/download/svg/"
    usual = client.get(path).text
    other = client.get(path, {"paper": "letter", "text": "large", "instruction": "Find me."}).text
    assert 'width="210mm"' in usual and "Find me." not in usual
    assert 'width="215.9mm"' in other and "Find me." in other
    assert client.get(path, {"paper": "A9", "text": "?"}).text == usual  # as if not chosen


@pytest.mark.parametrize(
    ("kind", "settings", "clues"),
    [
        ("word-search", {"clue": "translation"}, {"hedgehog", "itself", "dog"}),
        # The words themselves are there, so none is its own clue.
        ("word-search", {"clue": "term"}, {"hedgehog", "", "dog"}),
        ("finder", {}, {"hedgehog", "", "dog"}),  # which may be heard
    ],
)
def test_what_is_searched_by_its_meaning_is_told_where_there_is_none(
    kind, settings, clues, make_puzzle, teacher
):
    words = create_list(
        owner=teacher, title="Few", language="hr", translation_languages=["en"],
        rows=rows({"jež": "hedgehog", "mačka": "", "pas": "dog"}),
    )  # fmt: skip
    data = puzzle_data(make_puzzle(kind, vocabulary_list=words, words=3, **settings))
    assert {
        placed.clue.replace(placed.word, "itself") if placed.clue else ""
        for placed in data.placements
    } == clues
