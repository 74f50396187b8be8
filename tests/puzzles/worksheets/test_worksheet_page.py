"""A teacher prints a puzzle: options, preview, files."""

from urllib.parse import unquote

import pytest

from puzzles.exports import FORMATS, Printing
from puzzles.making.downloads import puzzle_data
from tests.paper.reading import texts_of
from vocab.models import Entry

pytestmark = pytest.mark.django_db


def clues_of(puzzle, shows):
    return {one.word: one.clue for one in puzzle_data(puzzle, Printing(shows=shows)).placements}


def name_of(reply):
    return unquote(reply["Content-Disposition"].partition("utf-8''")[2])


def test_the_page_shows_the_sheet_that_the_file_is(make_puzzle, teacher, sign_in):
    puzzle, client = make_puzzle(), sign_in(teacher)
    query = {"shows": "translations", "instruction": "Find the <animals>.", "whole": "1"}
    page = client.get(f"/puzzles/{puzzle.code}/print/", query).text
    preview = client.get(f"/puzzles/{puzzle.code}/print/preview/", query).text
    file = " ".join(texts_of(client.get(f"/puzzles/{puzzle.code}/download/pdf/", query).content))
    for clue in clues_of(puzzle, "translations").values():
        assert clue in page and clue in preview and clue in file
    assert "Find the &lt;animals&gt;." in preview and "<animals>" not in preview
    assert " style=" not in preview  # which the content security policy would not allow
    # What the sheets of a class are printed with is what the preview shows.
    assert "shows=translations" in preview.partition('id="id_printing"')[2]


def test_the_list_shows_what_was_chosen_and_the_page_says_where_it_is_missing(
    make_puzzle, animals, teacher, sign_in
):
    dog = animals.entries.get(term="slon")
    dog.example, dog.hint = "Velik je taj slon!", "It is grey."
    dog.save()
    withheld = animals.entries.get(term="labud")
    withheld.translations.all().delete()
    puzzle, client = make_puzzle(), sign_in(teacher)
    shown = {name: clues_of(puzzle, name) for name in ("examples", "definitions", "words")}
    assert shown["examples"]["slon"] == "Velik je taj ____!"
    assert shown["examples"]["mačka"] == "cat"
    assert shown["examples"]["labud"] == "labud"
    assert shown["definitions"]["slon"] == "It is grey."
    assert set(shown["words"].values()) == {""}  # the words are the list
    page = client.get(f"/puzzles/{puzzle.code}/print/", {"shows": "examples", "whole": "1"}).text
    assert "10 words have no example with a gap; their translation is printed." in page
    assert (
        "1 word has neither what the list shows nor a translation; the word itself is printed."
        in page
    )
    assert "no example" not in client.get(f"/puzzles/{puzzle.code}/print/").text


def test_a_crossword_never_prints_its_answers(make_puzzle, animals, teacher, sign_in):
    puzzle = make_puzzle("crossword", words=5)
    page = sign_in(teacher).get(f"/puzzles/{puzzle.code}/print/").text
    assert 'value="examples"' in page and 'value="words"' not in page
    assert 'name="is_lowercase"' not in page
    for asked in ("words", "examples", "pictures"):
        text = sign_in(teacher).get(f"/puzzles/{puzzle.code}/download/svg/?shows={asked}").text
        assert not any(f">{one.term}" in text for one in puzzle.placements.all())


def test_files_say_what_they_are(make_puzzle, teacher, sign_in):
    puzzle, client = make_puzzle(), sign_in(teacher)
    path = f"/puzzles/{puzzle.code}/download/pdf/"
    worksheet, solution, both = (client.get(path + key) for key in ("", "?key=only", "?key=1"))
    assert name_of(worksheet) == "Životinje – Word search – Worksheet.pdf"
    assert name_of(solution) == "Životinje – Word search – Solution.pdf"
    assert [len(texts_of(one.content)) for one in (worksheet, solution, both)] == [1, 1, 2]
    assert texts_of(both.content) == [*texts_of(worksheet.content), *texts_of(solution.content)]


@pytest.mark.parametrize("name", ["text", "docx", "svg", "png"])
def test_a_solution_is_a_file_of_its_own_in_every_format(name, make_puzzle, teacher, sign_in):
    puzzle, client = make_puzzle(), sign_in(teacher)
    solution = client.get(f"/puzzles/{puzzle.code}/download/{name}/?key=only")
    extension = FORMATS[name].extension
    assert name_of(solution) == f"Životinje – Word search – Solution{extension}"
    assert solution.content == FORMATS[name].write_solution(puzzle_data(puzzle))
    page = client.get(f"/puzzles/{puzzle.code}/print/").text
    assert f"Solution ({FORMATS[name].shown_name})" in page


def test_a_sheet_has_the_name_of_the_school_unless_it_is_switched_off(
    make_puzzle, teacher, sign_in
):
    client, address = sign_in(teacher), f"/puzzles/{make_puzzle().code}/download/pdf/"

    usual, without = (client.get(address, asked).content for asked in ({}, {"whole": "1"}))
    assert teacher.school.name in texts_of(usual)[0]
    assert teacher.school.name not in texts_of(without)[0]


def test_the_last_options_are_those_of_the_next_worksheet(make_puzzle, teacher, sign_in):
    puzzle, client = make_puzzle(), sign_in(teacher)
    asked = {"paper": "letter", "whole": "1", "instruction": "Only here.", "has_school": "on"}
    assert client.get(f"/puzzles/{puzzle.code}/download/pdf/", asked).status_code == 200
    other = client.get(f"/puzzles/{make_puzzle(seed=2).code}/").text
    assert '<input type="hidden" name="paper" value="letter">' in other
    assert "has_school" in other and "has_date" not in other
    # Both buttons of that name print the same.
    assert '<input type="hidden" name="instruction" value="Find the words in the grid' in other
    page = client.get(f"/puzzles/{puzzle.code}/print/").text
    assert 'value="letter" selected' in page and "Only here." not in page
    assert "Find the words in the grid" in page


def test_a_qr_code_is_offered_if_a_class_can_play(make_puzzle, teacher, sign_in):
    puzzle, client = make_puzzle(), sign_in(teacher)
    path = f"/puzzles/{puzzle.code}/print/"
    assert "has_address" in client.get(path).text
    puzzle.assignments.update(is_adaptive=True)  # each student plays another puzzle
    assert "has_address" not in client.get(path).text


def test_options_of_one_type_of_puzzle_disturb_no_other(make_puzzle, teacher, sign_in):
    search, client = make_puzzle(), sign_in(teacher)
    crossword = make_puzzle("crossword", words=5)
    asked = {"whole": "1", "shows": "words", "is_lowercase": "on", "has_address": "on"}
    client.get(f"/puzzles/{search.code}/download/pdf/", asked)
    page = client.get(f"/puzzles/{crossword.code}/print/").text
    assert 'class="errorlist"' not in page and "Select a valid choice" not in page
    assert '<option value="usual" selected' in page
    client.get(f"/puzzles/{crossword.code}/download/pdf/?whole=1&paper=letter")
    page = client.get(f"/puzzles/{search.code}/print/").text
    assert 'name="is_lowercase" id="id_is_lowercase" checked' in page  # as it was
    assert 'value="letter" selected' in page


def test_only_the_two_documented_values_ask_for_the_solution(make_puzzle, teacher, sign_in):
    path = f"/puzzles/{make_puzzle().code}/download/pdf/"
    for key in ("0", "false", "no"):
        assert name_of(sign_in(teacher).get(f"{path}?key={key}")).endswith("Worksheet.pdf")


def test_a_file_that_cannot_be_written_says_why_where_it_was_asked_for(
    make_puzzle, animals, teacher, sign_in
):
    animals.language = "ru"
    animals.save()
    entries = list(animals.entries.order_by("pk"))
    words = [
        "собака",
        "кошка",
        "лошадь",
        "корова",
        "овца",
        "коза",
        "свинья",
        "волк",
        "лиса",
        "заяц",
        "медведь",
        "утка",
    ]
    for entry, word in zip(entries, words, strict=True):
        Entry.objects.filter(pk=entry.pk).update(term=word)
    puzzle, client = make_puzzle("crossword", words=6), sign_in(teacher)
    page = client.get(f"/puzzles/{puzzle.code}/print/").text
    button = page.partition(f'formaction="/puzzles/{puzzle.code}/download/puz/"')
    # A link to download would save the page with the error as the file.
    assert button[1] and "download>" not in page
    reply = client.get(f"/puzzles/{puzzle.code}/download/puz/?whole=1&paper=letter")
    assert reply.url.startswith(f"/puzzles/{puzzle.code}/print/?")
    told = client.get(reply.url).text
    assert "ISO" in told or "letters" in told
    assert 'value="letter" selected' in told
