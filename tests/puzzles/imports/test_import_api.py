"""A program imports the puzzle of another one: it is ready at once, and its words are a list."""

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from puzzles.models import Puzzle
from tests.puzzles.imports.files import WORD_SEARCH, ipuz
from tests.puzzles.making.test_api import held_to, read_schema
from vocab.models import BlockedWord, VocabularyList

pytestmark = pytest.mark.django_db
IMPORT = "/api/puzzles/import/"


@pytest.fixture
def sent(sign_in, teacher):
    def sent(data, person=teacher, **fields):
        file = SimpleUploadedFile("small.ipuz", data)
        return sign_in(person).post(IMPORT, {"file": file} | fields)

    return sent


def test_a_puzzle_is_imported_with_its_words(sent, teacher):
    reply = sent(ipuz(WORD_SEARCH), title="Farm", language="en", translation_language="hr")
    assert reply.status_code == 201, reply.content
    told = reply.json()
    held_to(read_schema(), IMPORT, "post", told, "201")
    assert (told["kind"], told["title"], told["state"]) == ("word-search", "Farm", "ready")
    puzzle = Puzzle.objects.get(code=told["code"])
    assert puzzle.created_by == teacher
    words = puzzle.vocabulary_list
    assert (words.owner, words.language, words.translation_languages) == (teacher, "en", ["hr"])
    assert {entry.term for entry in words.entries.all()} == {"CAT", "dog", "GOD"}


def test_what_is_not_sent_is_as_the_file_says(sent):
    told = sent(ipuz(WORD_SEARCH), language="en").json()
    assert told["title"] == "Pets"
    assert sent(ipuz(), language="en").json()["losses"] == [
        "Circles and colours of squares are left out."
    ]
    assert sent(ipuz(WORD_SEARCH, locale="en")).status_code == 201
    refused = sent(ipuz(WORD_SEARCH, title=""))
    assert refused.status_code == 400
    assert {one["pointer"] for one in refused.json()["errors"]} == {"#/title", "#/language"}


def test_what_cannot_be_imported_is_refused_with_its_reason(sent, student):
    for reply, pointers in (
        (sent(b"no puzzle", language="en"), ["#/file"]),
        (sent(b"", language="en"), ["#/file"]),
        (sent(ipuz(WORD_SEARCH), language="not a tag!"), ["#/language"]),
        (sent(ipuz(WORD_SEARCH), language="en", colour="red"), ["#/colour"]),
    ):
        assert reply.status_code == 400, reply.content
        assert [one["pointer"] for one in reply.json()["errors"]] == pointers
    assert sent(ipuz(WORD_SEARCH), person=student, language="en").status_code == 403
    BlockedWord.objects.create(word="dog")
    assert "blocked word" in sent(ipuz(WORD_SEARCH), language="en").json()["detail"]
    assert not Puzzle.objects.exists()
    assert not VocabularyList.objects.exists()
