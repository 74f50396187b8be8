"""A teacher imports a puzzle: preview, list, puzzle; students play it at once."""

from __future__ import annotations

import json
import uuid

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from puzzles.assignments import services as assignments
from puzzles.assignments.pictures import STEP
from puzzles.imports.readers import read
from puzzles.imports.services import Preview, import_puzzle
from puzzles.making import services as making
from puzzles.making.downloads import write_puzzle
from puzzles.models import Placement, Puzzle
from tests.conftest import ANIMALS, rows
from tests.puzzles.imports.files import CROSSWORD, WORD_SEARCH, across_lite, compiler, ipuz
from vocab.lists.services import create_list
from vocab.models import BlockedWord, VocabularyList

ARABIC = [
    ("كتاب", "book"), ("مدرسة", "school"), ("قلم", "pen"), ("شباك", "window"),
    ("كرسي", "chair"), ("طاولة", "table"), ("حقيبة", "bag"), ("دفتر", "notebook"),
]  # fmt: skip
ACROSS_MOA = CROSSWORD["clues"]["Across"][1]

pytestmark = pytest.mark.django_db


def shown(client, data, name="small.ipuz"):
    return client.post(reverse("puzzle-import"), {"file": SimpleUploadedFile(name, data)})


def save(client, page, **changes):
    form = page.context["form"]
    sent = {"title": "Farm", "language": "en", "translation_language": "hr"}
    sent |= {"read": form["read"].value()}
    return client.post(reverse("puzzle-import-save"), sent | changes)


@pytest.fixture
def play(teacher, student, classroom, sign_in):
    """Return a function that gives a puzzle to the class of a student, who is logged in."""

    def play(puzzle):
        assignments.give(puzzle=puzzle, classrooms=[classroom], created_by=teacher)
        return sign_in(student)

    return play


def imported(teacher, data, language="en"):
    return import_puzzle(
        preview=Preview.of_file(read(data)),
        owner=teacher,
        title="Farm",
        language=language,
        translation_language="hr",
    )


def test_a_preview_shows_what_is_in_the_file_and_saves_nothing(teacher, sign_in):
    page = shown(sign_in(teacher), ipuz())

    text = page.content.decode()
    assert "In a place" in text
    assert "On!" in text
    assert 'value="Farm &amp; field"' in text
    assert not Puzzle.objects.exists()
    assert not VocabularyList.objects.exists()


def test_a_file_that_is_no_puzzle_is_refused_with_the_reason(teacher, sign_in):
    page = shown(sign_in(teacher), b"%PDF-1.4")

    assert "not a puzzle file that can be read" in page.content.decode()


HALF = "\ud83d"  # of a character, which JSON can name


@pytest.mark.parametrize(
    "data",
    [
        ipuz(clues={"Across": [HALF]}),
        ipuz(clues={f"x{HALF}": [[1, "x"]]}),
        ipuz(clues={"Across": [[HALF, "x"]]}),
        ipuz(clues={"Across": [[1, f"x{HALF}"]]}),
        ipuz(solution=[[f"{HALF}{'x' * 20}", "T", "#"], *CROSSWORD["solution"][1:]]),
        ipuz(title=HALF, locale=f"hr-{HALF}", origin=HALF, block=HALF, empty=HALF),
        ipuz(locale=HALF, styles={HALF: {HALF: HALF}}, kind=[HALF]),
        ipuz(WORD_SEARCH, solution=[f"{HALF}COW"]),
        ipuz(WORD_SEARCH, puzzle=[[HALF, "A", "T"], ["X", "O", "X"], ["D", "O", "G"]]),
    ],
)
def test_a_file_with_half_a_character_has_an_answer(data, teacher, sign_in):
    assert HALF.encode("utf-8", "backslashreplace") in data
    client = sign_in(teacher)
    page = shown(client, data)

    assert page.status_code == 200
    if "losses" in page.context:
        assert save(client, page).status_code in (200, 302)


def test_saving_makes_a_list_and_exactly_this_grid_once(teacher, sign_in):
    client = sign_in(teacher)
    page = shown(client, ipuz())

    first, second = save(client, page), save(client, page)

    puzzle = Puzzle.objects.get()
    assert first.url == second.url == reverse("puzzle", args=[puzzle.code])
    assert puzzle.state == Puzzle.State.READY
    assert puzzle.grid == [["A", "T", None], ["M", "O", "A"], [None, "O", "N"]]
    words = puzzle.vocabulary_list
    assert (words.title, words.language, words.translation_languages) == ("Farm", "en", ["hr"])
    entries = words.entries.prefetch_related("translations")
    assert {entry.term: [t.text for t in entry.translations.all()] for entry in entries} == {
        "AT": ["In a place"], "AM": ["I ___ here"], "ToO": ["As well"],
        "MoA": ["Extinct <bird>"], "AN": ["A, before a vowel"], "On!": ["Not off"],
    }  # fmt: skip
    assert client.get(first.url).status_code == 200


def test_a_mistake_in_the_form_keeps_the_preview(teacher, sign_in):
    client = sign_in(teacher)
    page = save(client, shown(client, ipuz()), title=" ", language="")

    assert "In a place" in page.content.decode()
    assert not Puzzle.objects.exists()
    assert save(client, page).status_code == 302


def test_a_changed_preview_is_refused(teacher, sign_in):
    client = sign_in(teacher)

    answer = save(client, shown(client, ipuz()), read="{}")

    assert answer.url == reverse("puzzle-import")
    assert not Puzzle.objects.exists()


def test_a_student_cannot_import(student, sign_in):
    client = sign_in(student)
    preview = Preview.of_file(read(ipuz())).signed()

    assert shown(client, ipuz()).status_code == 404
    body = {"title": "x", "language": "en", "translation_language": "hr", "read": preview}
    assert client.post(reverse("puzzle-import-save"), body).status_code == 404
    assert not Puzzle.objects.exists()


@pytest.mark.parametrize("data", [ipuz(), across_lite().tobytes(), compiler()])
def test_students_solve_an_imported_crossword(data, teacher, play):
    puzzle = imported(teacher, data)
    client = play(puzzle)

    game = client.get(f"/api/play/{puzzle.code}/").json()
    assert {item["clue"]["text"] for item in game["items"]} == {
        word.clue for word in read(data).words
    }
    assert solve(client, puzzle)["summary"] is not None
    assert client.get(reverse("play", args=[puzzle.code])).status_code == 200


def test_students_find_the_words_of_an_imported_word_search(teacher, play):
    puzzle = imported(teacher, ipuz(WORD_SEARCH))

    assert trace_all(play(puzzle), puzzle)["summary"] is not None


@pytest.mark.parametrize(
    ("language", "squares", "answer", "kept"),
    [
        ("de", [*"STRASSE"], "Straße", "STRASSE"),
        ("fr", [*"COEUR"], "cœur", "COEUR"),
        ("fr", [*"CAFE"], "café", "café"),
        ("nl", ["IJ", "S"], "ijs", "ijs"),
        ("nl", [*"IJS"], "ijs", "ijs"),
    ],
)
def test_a_word_has_as_many_letters_as_squares_wherever_its_letters_are_told(
    language, squares, answer, kept, teacher, play
):
    data = one_across(squares, answer)
    puzzle = imported(teacher, data, language)
    client = play(puzzle)

    [item] = client.get(f"/api/play/{puzzle.code}/").json()["items"]
    assert sum(item["length"]) == len(squares)
    assert solve(client, puzzle)["summary"] is not None
    placement = puzzle.placements.get()
    assert placement.played == kept
    assert f"({len(squares)})" in write_puzzle(puzzle, "text").decode()


def test_a_crossword_with_one_digraph_in_a_square_and_one_in_two_is_solved(teacher, play):
    document = json.loads(one_across(["IJ", "S", "B"]))
    document["dimensions"]["height"] = 5
    document["puzzle"] += [["#"] * 3, [2, 0, 0], ["#"] * 3, [3, 0, 0]]
    document["solution"] += [["#"] * 3, ["R", "I", "J"], ["#"] * 3, ["M", "I", "J"]]
    document["clues"]["Across"] += [[2, "queue"], [3, "me"]]
    puzzle = imported(teacher, ipuz(document), "nl")
    client = play(puzzle)

    state = client.get(f"/api/play/{puzzle.code}/").json()
    assert [sum(item["length"]) for item in state["items"]] == [3, 3, 3]
    # The keyboard has a key for the square that has both letters.
    assert "IJ" in state["puzzle"]["settings"]["digraphs"]
    assert "IJ" in state["puzzle"]["settings"]["alphabet"]
    for item, last in zip(state["items"], "BJJ", strict=True):
        (row, col), hint = item["start"], {"item": item["id"], "kind": "letter"}
        shown = send(client, puzzle, hint | {"cell": [row, col + 2]}, "hint")
        assert shown["tiles"] == [last]
    assert solve(client, puzzle)["summary"] is not None


def test_a_word_search_tells_the_number_of_squares_of_a_word_that_is_written_shorter(teacher, play):
    grid = [[*"STRASSE"], *[[*"XOXOXOX"]] * 6]
    puzzle = imported(teacher, ipuz(WORD_SEARCH, **square(grid), solution=["Straße"]), "de")

    [item] = play(puzzle).get(f"/api/play/{puzzle.code}/").json()["items"]
    assert (puzzle.placements.get().played, item["length"]) == ("Straße", [7])


@pytest.mark.parametrize("squares", [["N", "J", "E"], ["NJ", "E"]])
def test_a_crossword_can_be_solved_after_its_list_was_set_to_cut_words_otherwise(
    squares, teacher, student, classroom, sign_in
):
    puzzle = imported(teacher, one_across(squares), "hr")
    assignments.give(puzzle=puzzle, classrooms=[classroom], created_by=teacher)
    VocabularyList.objects.update(uses_digraphs=len(squares) == 3)
    client = sign_in(student)

    state = client.get(f"/api/play/{puzzle.code}/").json()
    assert [item["length"] for item in state["items"]] == [[len(squares)]]
    settings = state["puzzle"]["settings"]
    assert set(squares) <= {*settings["alphabet"]}
    assert "NJ" in settings["digraphs"]
    assert solve(client, puzzle)["summary"] is not None


def one_across(squares, answer=""):
    """Return a crossword of one word, with these letters in its squares."""
    return ipuz(
        dimensions={"width": len(squares), "height": 1},
        puzzle=[[1, *[0] * (len(squares) - 1)]],
        solution=[squares],
        clues={"Across": [{"number": 1, "clue": "x", "answer": answer}]},
    )


def solve(client, puzzle):
    """Type every word as its squares are, in the order of the clues; return the last answer."""
    for item in client.get(f"/api/play/{puzzle.code}/").json()["items"]:
        placement = puzzle.placements.get(slot=item["id"])
        (row, col), step = item["start"], item["direction"] == "down"
        cells = [[row + i * step, col + i * (not step)] for i in range(sum(item["length"]))]
        body = {"attempt": str(uuid.uuid4()), "item": item["id"]}
        body["tiles"] = [puzzle.grid[row][col] for row, col in cells]
        assert cells == placement.cells
        answer = send(client, puzzle, body)
        assert answer["outcome"] == "found", answer
    return answer


def send(client, puzzle, body, what="attempts"):
    address = f"/api/play/{puzzle.code}/{what}/"
    return client.post(address, json.dumps(body), content_type="application/json").json()


@pytest.mark.parametrize(
    ("rows", "solution", "found"),
    [
        (["CAT", "XOX", "DOG"], ["CAT", "cat", "Cat", "dog", "GOD"], 3),
        (["ANNA", *["XOXO"] * 3], ["ANNA", "Anna"], 1),
        (["ANNA", *["XOXO"] * 3], {"ANNA": (0, 0, 3, 0), "Anna": (3, 0, 0, 0)}, 1),
        # Its two places are words of their own.
        (["CAT", "XOX", "CAT"], {"CAT": (0, 0, 2, 0), "cat": (0, 2, 2, 2)}, 2),
        (["ANNA", *["XOXO"] * 2, "ANNA"], {"ANNA": (0, 0, 3, 0), "anna": (3, 3, 0, 3)}, 2),
    ],
)
def test_a_word_search_that_lists_a_word_twice_can_be_completed(
    rows, solution, found, teacher, play
):
    if isinstance(solution, dict):
        solution = {word: {"cells": line(*ends)} for word, ends in solution.items()}
    data = ipuz(WORD_SEARCH, **square([[*row] for row in rows]), solution=solution)
    puzzle = imported(teacher, data)

    assert puzzle.placements.count() == found
    assert trace_all(play(puzzle), puzzle)["summary"] is not None


def test_a_word_search_with_a_word_twice_that_was_imported_before_can_be_completed(teacher, play):
    grid = [[*"CAT"], [*"XOX"], [*"CAT"]]
    listed = {"CAT": {"cells": line(0, 0, 2, 0)}, "cat": {"cells": line(0, 2, 2, 2)}}
    puzzle = imported(teacher, ipuz(WORD_SEARCH, puzzle=grid, solution=listed))
    first, second = puzzle.placements.all()
    first.echoes, second.echoes = [second.cells], [first.cells]
    for placement in (first, second):
        placement.save()
    third = puzzle.placements.get(pk=second.pk)
    third.pk, third.slot, third.position = None, "third", 3
    third.save()

    assert trace_all(play(puzzle), puzzle)["summary"] is not None


def line(col, row, last_col, last_row):
    """Return the cells of a straight line as ipuz has them, counted from 0."""
    length = max(abs(last_col - col), abs(last_row - row))
    across, down = (last_col - col) // length, (last_row - row) // length
    return [[col + i * across, row + i * down] for i in range(length + 1)]


def trace_all(client, puzzle, placements=None):
    """Trace every word, or these, at its own place; return the last answer."""
    for placement in puzzle.placements.all() if placements is None else placements:
        answer = send(client, puzzle, {"attempt": str(uuid.uuid4()), "cells": placement.cells})
        assert answer["outcome"] == "found", answer
    return answer


def test_a_word_that_can_be_read_elsewhere_too_is_found_there(teacher):
    grid = [["C", "A", "T"], ["A", "X", "A"], ["T", "A", "C"]]
    puzzle = imported(teacher, ipuz(WORD_SEARCH, puzzle=grid, solution=["CAT"]))

    assert len(puzzle.placements.get().echoes) == 3


def test_a_digraph_is_one_square_where_the_language_has_it_and_refused_elsewhere(teacher, sign_in):
    client = sign_in(teacher)
    data = across_lite(rebus=(1, "LJ")).tobytes()
    page = shown(client, data, "small.puz")

    refused = save(client, page, language="en")
    assert "“LJ”, which is not one letter" in refused.content.decode()
    assert not VocabularyList.objects.exists()
    save(client, refused, language="hr")
    assert Puzzle.objects.get().vocabulary_list.uses_digraphs


@pytest.mark.parametrize(
    ("rebus", "language", "named"),
    [("STAR", "en", "STAR"), ("LJ", "de", "LJ"), ("LJ", "", "LJ"), ("LJ", "hr", None)],
)
def test_the_preview_names_squares_that_are_not_one_letter_of_the_language(
    rebus, language, named, teacher, sign_in
):
    solution = [["A", rebus, "#"], *CROSSWORD["solution"][1:]]
    page = shown(sign_in(teacher), ipuz(solution=solution, locale=language))

    told = "".join(page.context["losses"])
    if named is None:
        assert "these squares" not in told
    else:
        assert "only in a language in which each of these squares is one letter" in told
        assert f"Croatian: {named}" in told
    assert rebus in page.content.decode()


def test_the_preview_of_a_word_search_takes_any_square_and_names_no_more_than_a_few(
    teacher, sign_in
):
    grid = [["CA", "T", "S"], ["X", "O", "X"], ["D", "O", "G"]]
    page = shown(sign_in(teacher), ipuz(WORD_SEARCH, puzzle=grid, solution=["CATS"]))
    assert page.context["losses"] == []

    letters = [[f"{a}{b}" for a in "BCDF"] for b in "AEIO"]
    puzzle = [[number, 0, 0, 0] for number in (1, 2, 3, 4)]
    clues = {"Across": [[number, "x"] for number in (1, 2, 3, 4)]}
    full = ipuz(**square(puzzle), solution=letters, clues=clues)
    page = shown(sign_in(teacher), full)
    [told] = [loss for loss in page.context["losses"] if "these squares" in loss]
    assert told.endswith(": BA, CA, DA, FA, BE, CE, DE, FE, BI, CI, …")


def test_two_squares_stay_two_letters_in_a_language_with_digraphs(teacher):
    file = across_lite(solution="NJE.OX")
    puzzle = imported(teacher, file.tobytes(), "hr")

    assert not puzzle.vocabulary_list.uses_digraphs
    assert puzzle.placements.get(term="NJE").tiles == ["N", "J", "E"]


def test_a_word_with_two_clues_is_one_word_of_the_list_and_asked_by_its_own(teacher):
    file = across_lite(solution="OXX.XO", clues=["one", "two", "three", "four"])
    puzzle = imported(teacher, file.tobytes())

    assert puzzle.vocabulary_list.entries.count() == 3
    assert [p.translations for p in puzzle.placements.filter(term="XO")] == [["three"], ["four"]]


@pytest.mark.parametrize(
    ("language", "see"),
    [("en", "See 1 across"), ("hr", "Vidi 1 vodoravno"), ("de", "Siehe 1 waagerecht")],
)
def test_a_word_of_a_linked_answer_refers_to_its_clue_in_the_clues_language(
    language, see, teacher, sign_in
):
    first = {"number": 1, "clue": "Big birds", "continued": [{"direction": "Across", "number": 3}]}
    clues = CROSSWORD["clues"] | {"Across": [first, CROSSWORD["clues"]["Across"][2]]}
    client = sign_in(teacher)
    page = shown(client, ipuz(clues=clues))
    assert "See 1 across" in page.content.decode()

    save(client, page, translation_language=language)

    puzzle = Puzzle.objects.get()
    assert puzzle.placements.get(number=3, direction="across").translations == [see]
    # It is no translation of the word.
    assert not puzzle.vocabulary_list.entries.get(term="MoA").translations.exists()


def test_a_blocked_word_is_refused(teacher, sign_in):
    BlockedWord.objects.create(word="moa", key="moa")
    client = sign_in(teacher)

    answer = save(client, shown(client, ipuz()))

    assert "“MoA” is a blocked word" in answer.content.decode()
    assert not VocabularyList.objects.exists()


@pytest.mark.parametrize("word", ["tax", "XAT", "ox t"])
def test_a_blocked_word_that_only_the_grid_has_is_refused(word, teacher, sign_in):
    BlockedWord.objects.create(word=word, key=word.lower())
    grid = [["C", "A", "T", "X"], ["X", "A", "A", "T"], ["D", "O", "X", "Q"], ["T", "X", "O", "Q"]]
    client = sign_in(teacher)

    answer = save(client, shown(client, ipuz(WORD_SEARCH, **square(grid), solution=["CAT"])))

    assert f"“{word}” is a blocked word and can be read in the grid" in answer.content.decode()
    assert not VocabularyList.objects.exists()


@pytest.mark.parametrize("row", ["TÄX", "TAX", "XAT"])
def test_a_blocked_word_is_refused_in_a_grid_with_its_accents_or_without(row, teacher, sign_in):
    BlockedWord.objects.create(word="täx")
    grid = [[*"CAT"], [*row], [*"DOG"]]
    client = sign_in(teacher)

    page = shown(client, ipuz(WORD_SEARCH, **square(grid), solution=["CAT"]))
    answer = save(client, page, language="de")

    assert "“täx” is a blocked word and can be read in the grid" in answer.content.decode()
    assert not VocabularyList.objects.exists()


def test_a_blocked_word_inside_a_listed_one_is_no_reason_to_refuse(teacher):
    BlockedWord.objects.create(word="cat", key="cat")
    grid = [["C", "A", "T", "S"], *[["X", "O", "X", "O"]] * 3]

    assert imported(teacher, ipuz(WORD_SEARCH, **square(grid), solution=["CATS"])).pk


def square(grid):
    return {"puzzle": grid, "dimensions": {"width": len(grid[0]), "height": len(grid)}}


def test_a_blocked_word_of_a_crossword_that_has_no_clue_is_refused(teacher, sign_in):
    BlockedWord.objects.create(word="moa", key="moa")
    across = [clue for clue in CROSSWORD["clues"]["Across"] if clue != ACROSS_MOA]
    clues = CROSSWORD["clues"] | {"Across": across}
    client = sign_in(teacher)

    answer = save(client, shown(client, ipuz(clues=clues)))

    assert "“MoA” is a blocked word" in answer.content.decode()
    assert not VocabularyList.objects.exists()


def test_saving_again_after_the_puzzle_was_deleted_makes_another(teacher, sign_in):
    client = sign_in(teacher)
    page = shown(client, ipuz())
    save(client, page)
    first = Puzzle.objects.get()
    making.delete_puzzle(puzzle=first, actor=teacher)

    again = save(client, page)

    assert client.get(again.url).status_code == 200
    assert again.url != reverse("puzzle", args=[first.code])
    assert Puzzle.everything.count() == 2


def test_an_imported_puzzle_is_exported_as_it_came(teacher):
    puzzle = imported(teacher, ipuz())
    again = read(write_puzzle(puzzle, "ipuz"))

    assert {(w.number, w.direction, w.clue) for w in again.words} == {
        (w.number, w.direction, w.clue) for w in read(ipuz()).words
    }
    assert write_puzzle(puzzle, "pdf", key=True)


def test_a_shaped_word_search_of_our_own_comes_back_and_is_played(
    make_puzzle, teacher, sign_in, play
):
    own = make_puzzle(shape="heart")
    assert any(tile is None for row in own.grid for tile in row)
    data = write_puzzle(own, "ipuz")
    assert shown(sign_in(teacher), data).context["rows"] == len(own.grid)

    puzzle = imported(teacher, data, own.vocabulary_list.language)

    assert puzzle.grid == own.grid
    assert {tuple(map(tuple, p.cells)) for p in puzzle.placements.all()} == {
        tuple(map(tuple, p.cells)) for p in own.placements.all()
    }
    assert write_puzzle(puzzle, "pdf", key=True) and write_puzzle(puzzle, "docx")
    client = play(puzzle)
    assert client.get(reverse("play", args=[puzzle.code])).status_code == 200
    trace_all(client, puzzle)


@pytest.mark.parametrize("language", ["hr", "ar"])
def test_a_puzzle_of_our_own_comes_back_with_its_message_and_bonus_words(
    language, make_puzzle, teacher, sign_in, play
):
    words = {"hr": ANIMALS, "ar": dict(ARABIC)}[language]
    message = {"hr": "Bravo razred", "ar": "احسنتم"}[language]
    made = create_list(
        owner=teacher, title="Words", language=language, translation_languages=["en"],
        rows=rows(words),
    )  # fmt: skip
    own = make_puzzle(
        vocabulary_list=made, words=len(words) - 2, bonus=2, message=message, shape="circle"
    )
    page = shown(sign_in(teacher), write_puzzle(own, "ipuz"))
    code = save(sign_in(teacher), page, language=language).url.split("/")[2]
    puzzle = Puzzle.objects.get(code=code)

    def told(one):
        every = Placement.everything.filter(puzzle=one)
        return {(p.played, str(p.cells), p.is_bonus, *p.translations) for p in every}

    assert puzzle.grid == own.grid
    assert told(puzzle) == told(own)
    assert (puzzle.settings["message"], puzzle.settings["bonus"]) == (message, 2)
    assert puzzle.settings["words"] == puzzle.placements.count() == len(words) - 2
    # Other programs are told of the words to find only.
    document = json.loads(write_puzzle(own, "ipuz"))
    assert len(document["solution"]) == len(words) - 2
    assert not any(p.translations[0] in document["notes"] for p in bonus_words(own))
    document = json.loads(write_puzzle(own, "json"))
    assert document["message"] == message
    assert len(document["placements"]) == len(words) - 2
    assert {one["word"] for one in document["bonus"]} == {p.played for p in bonus_words(own)}
    # It is played as the first one was.
    client = play(puzzle)
    assert client.get(reverse("api:play", args=[puzzle.code])).json()["bonus_left"] == 2
    trace_all(client, puzzle, bonus_words(puzzle))
    assert trace_all(client, puzzle)["summary"]["hidden"]["text"] == message


def bonus_words(puzzle):
    return Placement.everything.filter(puzzle=puzzle, is_bonus=True)


def test_the_preview_shows_the_grid_as_it_is_in_the_file_in_every_script(teacher, sign_in):
    search = {**WORD_SEARCH, "locale": "he"}
    picture = shown(sign_in(teacher), ipuz(search)).context["picture"]
    assert [tile for tile, _x, y in picture.squares if y < STEP] == search["puzzle"][0]


def test_the_preview_of_one_person_is_nothing_to_another(teacher, stranger):
    preview = Preview.of_file(read(ipuz(CROSSWORD)))
    wanted = {"title": "Farm", "language": "en", "translation_language": "hr"}

    own = import_puzzle(preview=preview, owner=teacher, **wanted)
    other = import_puzzle(preview=preview, owner=stranger, **wanted)

    assert own.code != other.code
    assert other.created_by == stranger
