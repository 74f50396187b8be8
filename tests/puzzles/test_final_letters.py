"""Hebrew has five letters with another form at the end of a word; its crosswords have none."""

import json
import uuid

import pytest

from puzzles.exports import FORMATS
from puzzles.making.downloads import puzzle_data
from tests.conftest import rows
from vocab.lists.services import create_list

pytestmark = pytest.mark.django_db

WORDS = {
    "שולחן": "table",
    "עיפרון": "pencil",
    "חלון": "window",
    "קטן": "small",
    "מים": "water",
    "לחם": "bread",
    "אגם": "lake",
    "נמל": "harbour",
    "מלח": "salt",
    "ארץ": "land",
    "צהוב": "yellow",
    "דרך": "way",
    "כלב": "dog",
}
FINALS = set("ךםןףץ")


@pytest.fixture
def hebrew(teacher):
    return create_list(
        owner=teacher,
        title="Hebrew",
        language="he",
        translation_languages=["en"],
        rows=rows(WORDS),
    )


def from_the_left(puzzle):
    """Return the grid as other programs count its columns."""
    return [row[::-1] for row in puzzle.grid]


def exported(puzzle, name):
    return json.loads(FORMATS[name].write(puzzle_data(puzzle), key=True))


@pytest.mark.parametrize("kind", ["word-search", "finder"])
def test_where_words_are_hidden_they_are_spelled_as_written(kind, hebrew, make_puzzle):
    puzzle = make_puzzle(kind, vocabulary_list=hebrew)
    read = {p.term: "".join(puzzle.grid[r][c] for r, c in p.cells) for p in puzzle.placements.all()}
    assert read == {term: term for term in read}
    assert FINALS & set("".join(read))
    assert exported(puzzle, "json")["grid"] == from_the_left(puzzle)


def test_a_crossword_shows_the_ordinary_form_on_screen_and_in_files(
    hebrew, make_puzzle, student, sign_in
):
    puzzle = make_puzzle("crossword", vocabulary_list=hebrew)
    assert puzzle.placements.count() >= len(WORDS) - 1
    letters = [tile for row in puzzle.grid for tile in row if tile]
    assert not FINALS & set(letters)
    assert exported(puzzle, "json")["grid"] == from_the_left(puzzle)
    solution = exported(puzzle, "ipuz")["solution"]
    assert [cell for row in solution for cell in row[::-1] if cell] == letters

    client = sign_in(student)
    state = client.get(f"/api/play/{puzzle.code}/").json()
    assert "".join(state["puzzle"]["settings"]["alphabet"]) == "אבגדהוזחטיכלמנסעפצקרשת"
    for term, tiles in (("שולחן", "שולחן"), ("חלון", "חלונ")):
        placement = puzzle.placements.get(term=term)
        told = client.post(
            f"/api/play/{puzzle.code}/attempts/",
            json.dumps(
                {"attempt": str(uuid.uuid4()), "item": placement.slot, "tiles": list(tiles)}
            ),
            content_type="application/json",
        ).json()
        assert told["outcome"] == "found"
        assert told["item"]["tiles"][-1] == "נ"
        assert told["item"]["term"] == term
