"""Playing a crossword: accents by the list's rule, clues that are read or heard."""

import json
import uuid

import pytest

from puzzles.kinds import KINDS
from tests.conftest import rows
from vocab.formats.rows import Row
from vocab.lists.services import create_list
from vocab.models import Review

pytestmark = pytest.mark.django_db

FRENCH = {"école": "school", "élève": "pupil", "leçon": "lesson", "cle": "key", "cole": "cabbage"}


@pytest.fixture
def french(teacher):
    return create_list(
        owner=teacher,
        title="École",
        language="fr",
        translation_languages=["en"],
        rows=rows(FRENCH),
    )


@pytest.fixture
def post(student, sign_in):
    client = sign_in(student)

    def post(puzzle, path, body):
        return client.post(
            f"/api/play/{puzzle.code}/{path}/", json.dumps(body), content_type="application/json"
        ).json()

    return post


def typed(placement, tiles, attempt=None):
    return {
        "attempt": str(attempt or uuid.uuid4()),
        "item": placement.slot,
        "tiles": list(tiles),
    }


@pytest.mark.parametrize(
    ("accents", "outcome", "is_noted"),
    [("strict", "wrong", False), ("warn", "found", True), ("ignore", "found", False)],
)
def test_e_for_e_acute_goes_by_the_rule_of_the_list(
    accents, outcome, is_noted, french, make_puzzle, post
):
    french.accents = accents
    french.save()
    puzzle = make_puzzle("crossword", vocabulary_list=french)
    placement = puzzle.placements.get(term="école")
    attempt = uuid.uuid4()
    told = post(puzzle, "attempts", typed(placement, "ECOLE", attempt))
    assert told["outcome"] == outcome
    assert bool(told["note"]) == is_noted
    if outcome == "wrong":
        assert told["wrong_cells"] == [placement.cells[0]]
    else:
        assert told["item"]["tiles"][0] == "É", "the right letter is shown"
        assert told["accent_cells"] == ([placement.cells[0]] if is_noted else [])
        assert {review.outcome for review in Review.objects.all()} == {"right"}
    if is_noted:
        assert "école" in told["note"]
        again = post(puzzle, "attempts", typed(placement, "ECOLE", attempt))
        assert again["note"] == told["note"], "sent twice, answered the same"


@pytest.mark.parametrize("accents", ["strict", "warn", "ignore"])
def test_another_letter_is_wrong_under_every_rule(accents, french, make_puzzle, post):
    french.accents = accents
    french.save()
    puzzle = make_puzzle("crossword", vocabulary_list=french)
    placement = puzzle.placements.get(term="école")
    told = post(puzzle, "attempts", typed(placement, "ACOLE"))
    assert (told["outcome"], told["wrong_cells"]) == ("wrong", [placement.cells[0]])


@pytest.mark.parametrize(
    ("accents", "wrong", "note"),
    [("strict", 1, None), ("warn", 0, "1 letter needs a different accent."), ("ignore", 0, None)],
)
def test_a_check_of_one_letter_goes_by_the_rule_too(
    accents, wrong, note, french, make_puzzle, post
):
    french.accents = accents
    french.save()
    puzzle = make_puzzle("crossword", vocabulary_list=french)
    placement = puzzle.placements.get(term="école")
    told = post(puzzle, "attempts", typed(placement, ["E", "", "", "", ""]))
    assert (told["outcome"], len(told["wrong_cells"]), told["note"]) == ("checked", wrong, note)


def items(puzzle, person, sign_in):
    state = sign_in(person).get(f"/api/play/{puzzle.code}/").json()
    return {item["id"]: item for item in state["items"]}


@pytest.mark.parametrize(
    ("clue", "reads", "hears", "skill"),
    [
        ("translation", True, False, "meaning_to_form"),
        ("both", True, True, "sound_to_form"),
        ("sound", False, True, "sound_to_form"),
    ],
)
def test_a_clue_is_read_or_heard_as_the_teacher_chose(
    clue, reads, hears, skill, make_puzzle, post, student, sign_in
):
    puzzle = make_puzzle("crossword", clue=clue)
    placement = puzzle.placements.first()
    item = items(puzzle, student, sign_in)[placement.slot]
    assert item["clue"]["text"] == (placement.translations[0] if reads else None)
    assert bool(item["clue"]["sound"]) == hears
    assert placement.term not in json.dumps(item, ensure_ascii=False)
    if hears:
        heard = sign_in(student).get(item["clue"]["sound"])
        assert heard.headers["Content-Type"] == "audio/mpeg"
        assert placement.term not in str(heard.headers) + item["clue"]["sound"]
    post(puzzle, "attempts", typed(placement, placement.tiles))
    assert Review.objects.get().skill == skill


def test_without_sound_its_clue_is_the_meaning_and_never_the_word(
    make_puzzle, post, student, sign_in
):
    puzzle = make_puzzle("crossword", clue="sound")
    placement = puzzle.placements.first()
    told = post(puzzle, "hint", {"item": placement.slot, "kind": "text"})
    assert told["item"]["clue"]["text"] == placement.translations[0]
    assert placement.term not in json.dumps(told, ensure_ascii=False)
    post(puzzle, "attempts", typed(placement, placement.tiles))
    review = Review.objects.get()
    assert (review.skill, review.outcome) == ("meaning_to_form", "right")


def test_a_language_that_nobody_speaks_is_clued_by_meaning(make_puzzle, teacher, student, sign_in):
    words = create_list(
        owner=teacher,
        title="Nobody",
        language="gil",
        translation_languages=["en"],
        rows=rows({"mauri": "hello", "riki": "grow", "ika": "fish"}),
    )
    puzzle = make_puzzle("crossword", vocabulary_list=words, clue="sound")
    for item in items(puzzle, student, sign_in).values():
        assert item["clue"]["text"] in {"hello", "grow", "fish"}
        assert item["clue"]["sound"] is None


def test_an_example_is_a_clue_with_a_gap_where_it_does_not_tell_the_word(
    make_puzzle, teacher, student, sign_in
):
    words = create_list(
        owner=teacher,
        title="Sentences",
        language="en",
        translation_languages=["hr"],
        rows=[
            Row(line=1, term="cat", translations={"": ["mačka"]}, example="The cat sleeps."),
            Row(line=2, term="coat", translations={"": ["kaput"]}, example="Two coats hang."),
            Row(line=3, term="taco", example="I eat a taco."),
        ],
    )
    puzzle = make_puzzle("crossword", vocabulary_list=words, clue="sentence")
    state = items(puzzle, student, sign_in)
    clues = {p.term: state[p.slot]["clue"] for p in puzzle.placements.all()}
    assert clues["cat"]["text"] == "The ____ sleeps."
    assert clues["cat"]["language"] == "en"
    assert clues["coat"]["text"] == "kaput"
    assert clues["taco"]["text"] == "I eat a ____."
    printed = {
        p.term: KINDS["crossword"].printed_clue(p, puzzle.settings) for p in puzzle.placements.all()
    }
    assert printed["cat"] == "The ____ sleeps."


def test_a_definition_is_a_clue_where_there_is_one(make_puzzle, teacher, student, sign_in):
    words = create_list(
        owner=teacher,
        title="Definitions",
        language="en",
        translation_languages=["hr"],
        rows=[
            Row(line=1, term="cat", translations={"": ["mačka"]}, hint="It purrs."),
            Row(line=2, term="coat", translations={"": ["kaput"]}, hint="Coats keep you warm."),
            Row(line=3, term="taco", hint="Food from Mexico."),
        ],
    )
    puzzle = make_puzzle("crossword", vocabulary_list=words, clue="hint")
    state = items(puzzle, student, sign_in)
    clues = {p.term: state[p.slot]["clue"]["text"] for p in puzzle.placements.all()}
    assert clues == {"cat": "It purrs.", "coat": "kaput", "taco": "Food from Mexico."}


def test_the_keys_on_screen_tell_nothing_of_the_answers(make_puzzle, teacher, student, sign_in):
    def letters_of(words):
        vocabulary_list = create_list(
            owner=teacher,
            title="Keys",
            language="hr",
            translation_languages=["en"],
            rows=rows(words),
        )
        puzzle = make_puzzle("crossword", vocabulary_list=vocabulary_list)
        return (
            sign_in(student)
            .get(f"/api/play/{puzzle.code}/")
            .json()["puzzle"]["settings"]["alphabet"]
        )

    assert letters_of({"kava": "coffee", "avion": "plane"}) == letters_of(
        {"yacht": "yacht", "taxi": "taxi"}
    )


@pytest.mark.parametrize(
    ("language", "words", "term", "tiles", "outcome"),
    [
        ("hr", ["nos", "konj"], "konj", ["K", "O", "NJ"], "found"),
        ("hr", ["nos", "injekcijanj"], "injekcijanj", [*"INJEKCIJA", "NJ"], "found"),
        ("hr", ["nos", "injekcijanj"], "injekcijanj", ["I", "NJ", *"EKCIJANJ"], "found"),
        ("hr", ["nos", "injekcijanj"], "injekcijanj", ["I", "NJ", *"EKCIJANA"], "wrong"),
        ("de", ["Tasse", "Großbuße"], "Großbuße", [*"GROSSBUẞ"], "wrong"),
        ("de", ["Tasse", "Großbuße"], "Großbuße", [*"GROẞBU", "SS", "E"], "found"),
        ("he", ["שמש", "שלום"], "שלום", [*"שלום"], "found"),
        ("he", ["שמש", "שלום"], "שלום", [*"שלומ"], "found"),
        ("he", ["שמש", "שלום"], "שמש", [*"שםש"], "found"),
        ("he", ["שמש", "שלום"], "שלום", [*"שלון"], "wrong"),
        ("he", ["שמש", "שלום"], "שלום", ["", "", "", "מ"], "checked"),
        ("tr", ["ırmak", "ışık"], "ışık", [*"IŞIK"], "found"),
        ("tr", ["ırmak", "ışık"], "ışık", [*"İŞIK"], "wrong"),
    ],
)
def test_an_answer_is_right_by_its_letters_wherever_it_is_cut(
    language, words, term, tiles, outcome, teacher, make_puzzle, post
):
    vocabulary_list = create_list(
        owner=teacher,
        title="Cuts",
        language=language,
        translation_languages=["en"],
        rows=rows({word: f"clue of {word}" for word in words}),
    )
    vocabulary_list.accents = "strict"
    vocabulary_list.save()
    puzzle = make_puzzle("crossword", vocabulary_list=vocabulary_list)
    placement = puzzle.placements.get(term=term)
    told = post(puzzle, "attempts", typed(placement, tiles))
    assert told["outcome"] == outcome
    assert bool(told["wrong_cells"]) == (outcome == "wrong")
    assert told["accent_cells"] == []
