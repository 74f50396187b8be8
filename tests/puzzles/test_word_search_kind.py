"""The word search's settings: shapes, directions, and a message that is told at the end."""

from __future__ import annotations

import io
import json
import re
from dataclasses import replace

import pytest
from defusedxml import ElementTree
from django.core.exceptions import ValidationError
from django.core.files.uploadedfile import SimpleUploadedFile
from PIL import Image, ImageDraw

from puzzles.assignments.pictures import STEP, picture_of
from puzzles.exports import svg
from puzzles.generators.grid import Unplaced
from puzzles.generators.word_search import masks
from puzzles.kinds import KINDS
from puzzles.making.downloads import puzzle_data
from puzzles.making.services import clean_settings
from puzzles.models import Placement, PlaySession, Puzzle
from tests.conftest import ANIMALS, rows
from tests.puzzles.exports.puzzles import WORDS
from tests.puzzles.play.test_play import answer_to, post
from vocab.lists.services import create_list
from vocab.message import message
from vocab.models import Review

KIND = KINDS["word-search"]
MESSAGE = "Bravo razred šesti be"  # 18 letters


def picture_file(name="moon.png", size=(90, 90)):
    image = Image.new("RGB", size, "white")
    ImageDraw.Draw(image).ellipse((10, 10, 70, 80), fill="black")
    ImageDraw.Draw(image).rectangle((40, 10, 70, 40), fill="white")
    made = io.BytesIO()
    image.save(made, name.rpartition(".")[2].upper().replace("JPG", "JPEG"))
    return SimpleUploadedFile(name, made.getvalue(), "image/png")


def left_over(puzzle):
    used = {tuple(cell) for placement in puzzle.placements.all() for cell in placement.cells}
    return "".join(
        tile
        for r, row in enumerate(puzzle.grid)
        for c, tile in enumerate(row)
        if tile and (r, c) not in used
    )


@pytest.mark.parametrize(
    ("wrong", "field"),
    [
        ({"difficulty": "own"}, "directions"),
        ({"difficulty": "own", "directions": ["↺"]}, "directions"),
        ({"shape": "letter"}, "letter"),
        ({"shape": "picture"}, "picture"),
        ({"shape": "picture", "picture": "9x9:oops"}, "picture"),
        ({"shape": "cat"}, "shape"),
        ({"message": "x" * 200}, "message"),
    ],
)
def test_a_wrong_setting_is_named(wrong, field):
    with pytest.raises(ValidationError) as refused:
        clean_settings(KIND, wrong)
    assert list(refused.value.message_dict) == [field]


@pytest.mark.django_db
def test_a_puzzle_without_the_new_settings_is_played_as_before(make_puzzle, student, sign_in):
    puzzle = make_puzzle()
    old = {name: puzzle.settings[name] for name in ("words", "difficulty", "clue")}
    Puzzle.objects.filter(pk=puzzle.pk).update(settings=old)
    puzzle.refresh_from_db()
    assert [name for name, _value in KIND.told(old)] == ["Difficulty", "Students see"]
    state = sign_in(student).get(f"/api/play/{puzzle.code}/").json()
    assert len(state["puzzle"]["settings"]["arrows"]) == 8


@pytest.mark.django_db
def test_the_message_is_told_at_the_end_and_not_before(make_puzzle, student, sign_in):
    puzzle = make_puzzle(message=MESSAGE, words=8)
    assert left_over(puzzle) == MESSAGE.upper().replace(" ", "")
    client = sign_in(student)
    page = client.get(f"/play/{puzzle.code}/").content.decode()
    state = client.get(f"/api/play/{puzzle.code}/").content.decode()
    assert MESSAGE not in page + state
    *others, last = puzzle.placements.all()
    for placement in others:
        answer = post(client, puzzle, "attempts", answer_to(placement, "word-search"))
        assert MESSAGE not in json.dumps(answer.json(), ensure_ascii=False)
    hidden = post(client, puzzle, "attempts", answer_to(last, "word-search")).json()["summary"][
        "hidden"
    ]
    assert hidden["text"] == MESSAGE
    assert "".join(puzzle.grid[r][c] for r, c in hidden["cells"]) == left_over(puzzle)
    assert MESSAGE in client.get(f"/play/{puzzle.code}/summary/").content.decode()


@pytest.mark.django_db
def test_a_message_of_digits_is_told_as_well_and_has_blanks_on_paper(make_puzzle):
    puzzle = make_puzzle(message="2026 2027 2028 2029 20", words=8)
    assert left_over(puzzle) == "202620272028202920"
    told = KIND.hidden_message(puzzle, list(puzzle.placements.all()))
    assert told.text == "2026 2027 2028 2029 20"
    assert puzzle_data(puzzle).message_tiles[0] == ("2", "0", "2", "6")
    assert KIND.message_words({"message": "!? …"}) == ()


@pytest.mark.django_db
def test_a_letter_whose_capital_is_two_letters_is_a_shape_in_its_own_form(make_puzzle):
    puzzle = make_puzzle(shape="letter", letter="ß", words=4)
    assert puzzle.state == Puzzle.State.READY


@pytest.mark.django_db
def test_a_message_that_does_not_fit_fails_with_the_reason(make_puzzle):
    puzzle = make_puzzle(message="da", words=2, difficulty="own", directions=["→"], seed=2)
    if puzzle.state == Puzzle.State.READY:  # one list in some fits by chance
        assert left_over(puzzle) == "DA"
    else:
        assert "hidden message" in puzzle.reason


@pytest.mark.django_db
@pytest.mark.parametrize(("language", "onwards"), [("hr", "→"), ("ar", "←")])
def test_an_arrow_is_the_direction_on_the_screen(language, onwards, make_puzzle, teacher):
    words = {"ar": ["كتاب", "مدرسة", "قلم", "باب"], "hr": list(ANIMALS)[:4]}[language]
    made = create_list(
        owner=teacher,
        title="Words",
        language=language,
        translation_languages=["en"],
        rows=rows({word: f"meaning {word}" for word in words}),
    )
    puzzle = make_puzzle(vocabulary_list=made, words=3, difficulty="own", directions=[onwards])
    for placement in puzzle.placements.all():
        (row, col), (next_row, next_col) = placement.cells[:2]
        assert (next_row - row, next_col - col) == (0, 1)
    assert KIND.public_settings(puzzle)["arrows"] == [onwards]
    easy = KIND.public_settings(make_puzzle(vocabulary_list=made, words=3, difficulty="easy"))
    assert set(easy["arrows"]) == {onwards, "↓"}


@pytest.mark.django_db
def test_squares_outside_of_the_shape_are_empty_for_everybody(make_puzzle, student, sign_in):
    puzzle = make_puzzle(shape="heart", words=6)
    assert puzzle.grid[-1][0] is None
    state = sign_in(student).get(f"/api/play/{puzzle.code}/").json()
    assert state["puzzle"]["grid"] == puzzle.grid
    assert ("Shape", "heart") in KIND.told(puzzle.settings)


def places(points):
    """Return points as rows and columns counted from the top left."""
    xs, ys = (sorted({round(value, 1) for value in one}) for one in zip(*points, strict=True))
    return {(ys.index(round(y, 1)), xs.index(round(x, 1))) for x, y in points}


@pytest.mark.django_db
@pytest.mark.parametrize("language", ["he", "ar", "hr"])
@pytest.mark.parametrize("shape", ["ב", "E", "a picture"])
def test_a_letter_and_a_picture_look_the_same_in_every_script(
    shape, language, make_puzzle, teacher
):
    made = create_list(
        owner=teacher, title="Words", language=language, translation_languages=["en"],
        rows=rows(dict(WORDS[language])),
    )  # fmt: skip
    if shape == "a picture":
        packed = masks.packed_picture(picture_file().read())
        settings = {"shape": "picture", "picture": packed}
        drawing = masks.silhouette_of_picture(packed)
    else:
        settings = {"shape": "letter", "letter": shape}
        drawing = masks.silhouette_of_letter(shape, language)
    puzzle = make_puzzle(vocabulary_list=made, words=4, **settings)
    seen = drawing.cells(len(puzzle.grid), len(puzzle.grid[0]))
    assert seen != drawing.mirrored().cells(len(puzzle.grid), len(puzzle.grid[0]))
    page = ElementTree.fromstring(svg.write_solved_grid(puzzle_data(puzzle)))
    texts = page.iter("{http://www.w3.org/2000/svg}text")
    assert places([(float(one.get("x")), float(one.get("y"))) for one in texts]) == seen
    # The small picture on the teacher's pages.
    small = picture_of(KIND, puzzle)
    assert {(y // STEP, x // STEP) for _tile, x, y in small.squares} == seen
    assert all(
        tile == puzzle.grid[y // STEP][x // STEP if language == "hr" else -1 - x // STEP]
        for tile, x, y in small.squares
    )


@pytest.mark.django_db
def test_a_teacher_uploads_a_picture_as_the_shape(animals, classroom, teacher, sign_in):
    client = sign_in(teacher)
    sent = {
        "vocabulary_list": animals.pk,
        "use": "paper",
        "kind": "word-search",
        "which": "ticked",
        "number": 5,
        "entries": [entry.pk for entry in animals.entries.all()[:5]],
        "seed": 5,
        "word-search-difficulty": "easy",
        "word-search-clue": "term",
        "word-search-shape": "picture",
        "attempts": 1,
        "counting": "best",
    }
    shown = client.post("/assign/", sent | {"word-search-picture": picture_file(), "show": "1"})
    assert re.search(r'name="word-search-picture" value="5\dx60:', shown.content.decode())
    refused = client.post("/assign/", sent)
    assert "Choose the picture" in refused.content.decode()
    done = client.post("/assign/", sent | {"word-search-picture": picture_file("moon.jpg")})
    assert done.status_code == 302, done.content.decode()
    puzzle = Puzzle.objects.get()
    assert re.match(r"5\dx60:", puzzle.settings["picture"])


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"word-search-shape": "picture", "picture": "white"}, "The picture has no shape"),
        ({"word-search-shape": "picture"}, "Choose the picture"),
        ({"word-search-shape": "letter"}, "Enter the letter"),
        ({"word-search-difficulty": "own"}, "Select at least one direction"),
    ],
)
def test_the_preview_says_what_is_wrong_instead_of_showing_another_grid(
    changes, why, animals, teacher, sign_in
):
    sent = {
        "vocabulary_list": animals.pk,
        "use": "paper",
        "kind": "word-search",
        "which": "ticked",
        "entries": [entry.pk for entry in animals.entries.all()[:5]],
        "seed": 5,
        "word-search-difficulty": "hard",
        "word-search-clue": "term",
        "word-search-shape": "square",
        "show": "1",
    } | changes
    if colour := sent.pop("picture", ""):
        blank = io.BytesIO()
        Image.new("RGB", (90, 90), colour).save(blank, "PNG")
        sent["word-search-picture"] = SimpleUploadedFile("blank.png", blank.getvalue())
    shown = sign_in(teacher).post("/assign/", sent)
    assert shown.context["picture"] is None
    preview = shown.content.decode().partition('id="assign-preview"')[2]
    assert why in preview
    assert "Exactly this grid is created." not in preview
    assert "Nothing was assigned" not in shown.content.decode()


@pytest.mark.parametrize(
    ("data", "why"), [(b"GIF89a" + b"0" * 40, "PNG or JPEG"), (b"x" * (2**21 + 1), "2 MB")]
)
def test_what_is_no_small_picture_is_refused(data, why):
    form = KIND.settings_form({"shape": "picture"}, {"picture": SimpleUploadedFile("a.png", data)})
    assert not form.is_valid()
    assert why in str(form.errors["picture"])


@pytest.mark.django_db
def test_a_bonus_word_is_told_nowhere_until_it_is_found_and_then_is_learned(
    make_puzzle, student, sign_in
):
    puzzle = make_puzzle(words=5, bonus=2, message=MESSAGE)
    listed = list(puzzle.placements.all())
    hidden = list(Placement.everything.filter(puzzle=puzzle, is_bonus=True))
    assert (len(listed), len(hidden)) == (5, 2)
    client = sign_in(student)
    state = client.get(f"/api/play/{puzzle.code}/")
    assert (state.json()["total"], state.json()["bonus_left"]) == (5, 2)
    for word in hidden:
        assert word.slot not in state.content.decode()
        assert word.term not in json.dumps(state.json()["items"], ensure_ascii=False)
        refused = {"item": word.slot, "kind": "word"}
        assert post(client, puzzle, "hint", refused).status_code == 400
    first = answer_to(hidden[0], "word-search")
    for _sent_twice in range(2):
        answer = post(client, puzzle, "attempts", first).json()
        assert answer["outcome"] == "found"
        assert answer["item"]["term"] == hidden[0].term
        assert answer["item"]["bonus"]
        assert (answer["found"], answer["total"], answer["bonus_left"]) == (0, 5, 1)
    again = answer_to(hidden[0], "word-search")
    assert post(client, puzzle, "attempts", again).json()["outcome"] == "already"
    review = Review.objects.get()
    assert (review.word, review.skill, review.outcome) == (hidden[0].term, "form", "right")
    for placement in listed:
        answer = post(client, puzzle, "attempts", answer_to(placement, "word-search")).json()
    assert answer["finished"]
    assert answer["found"] == 5
    assert len(answer["summary"]["learned"]) == 5
    # The message goes on beside the word that nobody found.
    cells = {tuple(cell) for cell in answer["summary"]["hidden"]["cells"]}
    assert cells.isdisjoint(tuple(cell) for cell in hidden[1].cells)
    assert "All 5 words found" in client.get(f"/play/{puzzle.code}/summary/").content.decode()
    [attempt] = PlaySession.objects.all()
    assert attempt.found_count == 5
    assert attempt.is_unaided


@pytest.mark.django_db
@pytest.mark.parametrize("end", ["the last word", "giving up"])
def test_at_the_end_a_student_reads_which_bonus_words_they_missed(
    end, make_puzzle, student, sign_in
):
    puzzle = make_puzzle(words=5, bonus=2)
    found, missed = Placement.everything.filter(puzzle=puzzle, is_bonus=True)
    client = sign_in(student)
    post(client, puzzle, "attempts", answer_to(found, "word-search"))
    sound = f"/api/play/{puzzle.code}/sound/{missed.slot}/"
    assert client.get(sound).status_code == 404
    if end == "giving up":
        summary = client.post(f"/api/play/{puzzle.code}/finish/").json()["summary"]
    else:
        for placement in puzzle.placements.all():
            answer = post(client, puzzle, "attempts", answer_to(placement, "word-search")).json()
            summary = answer["summary"]
    assert client.get(sound).status_code == 200
    [told] = summary["bonus"]
    assert (told["term"], told["cells"]) == (missed.term, missed.cells)
    assert (told["found"], told["revealed"], told["bonus"]) == (False, True, True)
    items = client.get(f"/api/play/{puzzle.code}/").json()["items"]
    assert [item["term"] for item in items if item["bonus"]] == [found.term, missed.term]
    page = as_read(client, f"/play/{puzzle.code}/summary/")
    before, after = page.split("These were hidden as well:")
    assert "1 of 2 bonus words found" in before
    assert found.term in before
    assert missed.term not in before
    assert missed.term in after
    # It counts nowhere as a word that was not known.
    assert not Review.objects.filter(word=missed.term).exists()
    assert PlaySession.objects.get().is_unaided is (end == "the last word")


def as_read(client, path):
    """Return the text of a page, with single spaces."""
    return " ".join(re.sub(r"<[^>]*>", " ", client.get(path).text).split())


@pytest.mark.django_db
def test_the_teacher_reads_the_bonus_words_and_why_there_are_fewer(
    make_puzzle, animals, teacher, sign_in, monkeypatch
):
    client = sign_in(teacher)
    puzzle = make_puzzle(words=5, bonus=2)
    page = as_read(client, f"/puzzles/{puzzle.code}/")
    assert "Bonus words: 2 " in page
    hidden = Placement.everything.filter(puzzle=puzzle, is_bonus=True)
    listed = page.rpartition("Bonus words")[2]
    assert all(f"{one.term} {one.translations[0]}" in listed for one in hidden)
    assert "too few other words" not in page
    # Nothing is left of the list.
    page = as_read(client, f"/puzzles/{make_puzzle(words=12, bonus=3).code}/")
    assert "Bonus words: 0 of 3" in page
    assert "The list has too few other words to hide as bonus words." in page
    # A word has no place.
    generate = KIND.generate

    def without_the_last(_kind, request):
        *words, last = request.words
        made = generate(replace(request, words=words))
        return replace(made, unplaced=[Unplaced(last, message("There is no room for it."))])

    monkeypatch.setattr(type(KIND), "generate", without_the_last)
    puzzle = make_puzzle(words=5, bonus=2, seed=3)
    page = as_read(client, f"/puzzles/{puzzle.code}/")
    assert "Bonus words: 1 of 2" in page
    assert "too few other words" not in page
    [left_out] = puzzle.unplaced
    assert f"{left_out['word']} : There is no room for it." in page


@pytest.mark.django_db
def test_a_bonus_word_is_never_one_that_is_listed(make_puzzle, animals):
    everything = [entry.pk for entry in animals.entries.all()]
    puzzle = make_puzzle(words=len(everything) - 1, bonus=5)
    words = [placement.entry_id for placement in Placement.everything.filter(puzzle=puzzle)]
    assert len(words) == len(set(words)) <= len(everything)
    assert puzzle.placements.count() >= len(everything) - 2
