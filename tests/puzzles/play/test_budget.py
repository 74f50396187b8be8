"""What the calls of a lesson may ask of the database, however many words a puzzle has."""

from contextlib import contextmanager

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from puzzles import access
from puzzles.assignments import services as assignments
from puzzles.kinds import KINDS
from puzzles.models import Move
from tests.conftest import rows
from tests.puzzles.play.test_play import answer_to, post
from vocab.lists.services import create_list
from vocab.models import Review, WordProgress

pytestmark = pytest.mark.database

ALL_KINDS = sorted(KINDS)
FIND, HINT, STATE, ENDING = 12, 8, 5, 20
"""Queries with session, person, permission, and the transaction's begin and end.

PostgreSQL also locks the student's row. SQLite takes a thousand values in one statement, so that an
ending of a hundred words needs a few more.
"""


class Budget(CaptureQueriesContext):
    """Fails if more queries were sent; prints them."""

    def __init__(self, most):
        super().__init__(connection)
        self.most = most

    def __exit__(self, *error):
        super().__exit__(*error)
        if error[0] is None:
            assert len(self) <= self.most, "\n".join(query["sql"] for query in self)


@pytest.fixture
def many_words(teacher):
    """A list of 120 words that all fit into any puzzle."""
    letters = "abcdefghijklmnoprstuvz"
    words = {
        f"{a}{b}{c}": f"meaning of {a}{b}{c}"
        for a, b, c in zip(letters * 6, letters[3:] * 7, letters[7:] * 9, strict=False)
    }
    return create_list(
        owner=teacher,
        title="Many",
        language="en",
        translation_languages=["de"],
        rows=rows(dict(list(words.items())[:120])),
    )


def warm(client, puzzle, kind):
    """Play a word, so that what is asked once a process or once a day has been asked."""
    client.get(f"/api/play/{puzzle.code}/")
    return post(client, puzzle, "attempts", answer_to(puzzle.placements.first(), kind))


@pytest.mark.django_db
@pytest.mark.parametrize("kind", ALL_KINDS)
def test_a_find_a_miss_and_a_hint_keep_to_their_budget(kind, make_puzzle, student, sign_in):
    puzzle = make_puzzle(kind)
    client = sign_in(student)
    warm(client, puzzle, kind)
    _first, second, third, fourth, *_others = puzzle.placements.all()
    with Budget(FIND):
        found = post(client, puzzle, "attempts", answer_to(second, kind))
    assert found.json()["outcome"] == "found"
    sent_twice = answer_to(third, kind)
    post(client, puzzle, "attempts", sent_twice)
    with Budget(FIND):
        assert post(client, puzzle, "attempts", sent_twice).json()["outcome"] == "found"
    with Budget(FIND):
        again = post(client, puzzle, "attempts", answer_to(third, kind))
    assert again.json()["outcome"] == "already"
    wrong = answer_to(fourth, kind)
    if kind == "crossword":
        wrong["tiles"] = ["q"] * len(fourth.tiles)
    else:
        wrong["cells"] = [[0, 0], [0, 1]]
    with Budget(FIND):
        assert post(client, puzzle, "attempts", wrong).json()["outcome"] == "wrong"
    hint = {"item": fourth.slot, "kind": "first_cell"}
    with Budget(HINT):
        assert post(client, puzzle, "hint", hint).status_code == 200
    with Budget(STATE):
        assert client.get(f"/api/play/{puzzle.code}/").json()["found"] == 3
    assert Review.objects.count() == WordProgress.objects.count() == 3


@pytest.mark.django_db
@pytest.mark.parametrize("words", [8, 100])
def test_an_ending_costs_the_same_whatever_its_size(
    words, make_puzzle, many_words, student, sign_in
):
    puzzle = make_puzzle("word-search", vocabulary_list=many_words, words=words)
    assert puzzle.placements.count() == words
    client = sign_in(student)
    warm(client, puzzle, "word-search")
    missed = puzzle.placements.all()[1 : words // 2]
    Move.objects.bulk_create(  # so that they are evidence
        Move(
            session=puzzle.sessions.get(),
            placement=word,
            client_id=word.slot * 2,
            outcome=Move.Outcome.WRONG,
            at=puzzle.created_at,
        )
        for word in missed
    )
    with Budget(ENDING):
        ended = client.post(f"/api/play/{puzzle.code}/finish/").json()
    assert len(ended["summary"]["practise"]) == words - 1
    assert Review.objects.count() == words
    assert Review.objects.filter(was_tried=True).count() == 1 + len(missed)


@pytest.mark.django_db
@pytest.mark.parametrize("kind", ALL_KINDS)
def test_the_last_find_ends_a_puzzle_within_the_budget(kind, make_puzzle, student, sign_in):
    puzzle = make_puzzle(kind)
    client = sign_in(student)
    *others, last = puzzle.placements.all()
    for placement in others:
        post(client, puzzle, "attempts", answer_to(placement, kind))
    with Budget(ENDING):
        assert post(client, puzzle, "attempts", answer_to(last, kind)).json()["finished"]
    with Budget(STATE + 3):  # with pictures and the attempts that are left
        assert client.get(f"/api/play/{puzzle.code}/").json()["summary"]


@pytest.mark.django_db
def test_a_list_without_voice_is_not_asked_word_by_word(
    make_puzzle, many_words, student, sign_in, monkeypatch
):
    from vocab.sounds import voices

    puzzle = make_puzzle("word-search", vocabulary_list=many_words, words=60)
    client = sign_in(student)
    warm(client, puzzle, "word-search")
    monkeypatch.setattr(voices, "engines_for", lambda language: [])
    with Budget(STATE + 1):
        client.get(f"/api/play/{puzzle.code}/")
    with Budget(ENDING + 1):
        client.post(f"/api/play/{puzzle.code}/finish/")


@pytest.mark.django_db
def test_a_budget_that_is_broken_is_told(student):
    """Control: the budget fails a call that asks for each row."""
    with pytest.raises(AssertionError, match="SELECT"), Budget(2):
        for _row in range(3):
            student.refresh_from_db()


@contextmanager
def steps():
    """Count the instructions that SQLite's machine carries out meanwhile."""
    counted = []
    connection.connection.set_progress_handler(lambda: counted.append(1), 1)
    try:
        yield counted
    finally:
        connection.connection.set_progress_handler(None, 0)


@pytest.mark.django_db
# The README's test command runs this, on SQLite.
@pytest.mark.skipif(connection.vendor != "sqlite", reason="only SQLite counts its steps")
def test_a_find_costs_the_same_in_a_class_that_has_played_all_year(
    make_puzzle, student, sign_in, animals, teacher, classroom
):
    """Who may play is asked for one puzzle, not for all that the class was ever given."""
    puzzle = make_puzzle()
    client = sign_in(student)
    warm(client, puzzle, puzzle.kind)
    _first, second, third, *_others = puzzle.placements.all()

    def cost_of(call):
        with steps() as counted:
            call()
        return len(counted)

    def all_that_may_be_played():
        return list(access.puzzles(student, "play").values_list("code"))

    before = cost_of(lambda: post(client, puzzle, "attempts", answer_to(second, puzzle.kind)))
    control = cost_of(all_that_may_be_played)
    for _week in range(40):
        assignments.give(
            vocabulary_list=animals, kind="finder", created_by=teacher, classrooms=[classroom]
        )
    after = cost_of(lambda: post(client, puzzle, "attempts", answer_to(third, puzzle.kind)))
    assert after < 1.05 * before, (before, after)
    assert cost_of(all_that_may_be_played) > 2 * control
