"""Playing: each find is checked here and counted once; nothing is told before it is found."""

import base64
import contextlib
import json
import re
import threading
import uuid
from types import SimpleNamespace

import pytest
from django.db import connection
from django.test import Client
from django.utils import timezone

from osmosmjerka.accounts import people
from osmosmjerka.accounts.codes import name_on_device
from osmosmjerka.assets import script_texts
from puzzles.kinds import KINDS
from puzzles.models import Move, PlaySession
from puzzles.play import services as play
from tests.conftest import rows
from vocab.lists.services import create_list
from vocab.models import Review

pytestmark = pytest.mark.database

ALL_KINDS = sorted(KINDS)


def answer_to(placement, kind, **extra):
    """Return what a player posts who knows the answer."""
    body = {"attempt": str(uuid.uuid4()), **extra}
    if kind == "crossword":
        return body | {"item": placement.slot, "tiles": placement.tiles}
    if kind == "finder":
        return body | {"item": placement.slot, "cells": placement.cells}
    return body | {"cells": placement.cells}


def post(client, puzzle, path, body):
    return client.post(
        f"/api/play/{puzzle.code}/{path}/", json.dumps(body), content_type="application/json"
    )


@pytest.mark.django_db
@pytest.mark.parametrize("kind", ALL_KINDS)
def test_a_student_plays_from_the_first_find_to_the_summary(kind, make_puzzle, student, sign_in):
    puzzle = make_puzzle(kind)
    client = sign_in(student)
    placements = list(puzzle.placements.all())
    assert len(placements) >= 8
    for number, placement in enumerate(placements, start=1):
        answer = post(client, puzzle, "attempts", answer_to(placement, kind)).json()
        assert answer["outcome"] == "found"
        assert answer["item"]["term"] == placement.term
        assert answer["found"] == number
    assert answer["finished"] is True
    assert len(answer["summary"]["learned"]) == len(placements)
    state = client.get(f"/api/play/{puzzle.code}/").json()
    assert state["session"]["state"] == "finished"
    assert state["summary"]["practise"] == []


@pytest.mark.django_db
@pytest.mark.parametrize("kind", ALL_KINDS)
def test_a_session_goes_on_where_it_was_on_another_device(kind, make_puzzle, student, sign_in):
    puzzle = make_puzzle(kind)
    placement = puzzle.placements.first()
    post(sign_in(student), puzzle, "attempts", answer_to(placement, kind))
    state = sign_in(student).get(f"/api/play/{puzzle.code}/").json()
    assert state["found"] == 1
    assert [item["term"] for item in state["items"] if item["found"]] == [placement.term]


def forms_of(secret):
    """Return how a secret could stand in an answer: plain, reversed, base64 at each offset."""
    plain = [secret, secret.upper(), secret[::-1], secret[::-1].upper()]
    encoded = []
    for text in plain:
        for offset in range(3):
            code = base64.b64encode(b"\0" * offset + text.encode()).decode()
            # What a neighbour shares with the word's ends is cut away.
            encoded.append(code[4 * (offset > 0) : len(code) // 4 * 4 - 4])
    return plain + [code for code in encoded if len(code) >= 4]


CSRF_TOKEN = re.compile(
    r"""(name="csrfmiddlewaretoken" value="|csrftoken=|"X-CSRFToken": ")[A-Za-z0-9]{64}"""
)
SECRETS = {"zgqvxa": "first meaning", "wyqzkuv": "second meaning", "xqwzgyth": "third meaning"}


@pytest.mark.django_db
@pytest.mark.parametrize("kind", ALL_KINDS)
def test_nothing_a_player_can_load_holds_an_answer_before_it_is_found(
    kind, make_puzzle, student, sign_in, teacher
):
    from tests.conftest import rows
    from vocab.lists.services import create_list

    planted = create_list(
        owner=teacher,
        title="Planted",
        language="en",
        translation_languages=["de"],
        rows=rows(SECRETS | {"quzzgva": "fourth", "vaqgyu": "fifth", "thwqa": "sixth"}),
    )
    extra = {"words": 6}
    puzzle = make_puzzle(kind, vocabulary_list=planted, **extra)
    assert puzzle.state == "ready", puzzle.reason
    client = sign_in(student)
    first, *others = puzzle.placements.all()
    loaded = [
        client.get("/"),
        client.get(f"/play/{puzzle.code}/"),
        client.get(f"/api/play/{puzzle.code}/"),
        post(client, puzzle, "attempts", answer_to(first, kind)),
        client.get(f"/api/play/{puzzle.code}/"),
        client.get(script_texts.address(f"puzzles/play/{kind}.js")),
    ]
    if kind == "finder":
        loaded += [client.get(f"/api/play/{puzzle.code}/sound/{p.slot}/") for p in others]
    for response in loaded:
        body = b"".join(response.streaming_content) if response.streaming else response.content
        text = body.decode("utf-8", "replace") + str(response.headers)
        # Drawn by chance, which holds any four letters now and then.
        text = CSRF_TOKEN.sub(r"\1", text)
        for placement in others:
            # The squares of a word that is not found are in nothing that is sent.
            assert json.dumps(placement.cells) not in text
            assert json.dumps(placement.cells, separators=(",", ":")) not in text
            if placement.term in first.term or first.term in placement.term:
                continue
            for form in forms_of(placement.term):
                assert form not in text, (response.request["PATH_INFO"], placement.term, form)
    known = [item for item in loaded[4].json()["items"] if item["term"] or item["cells"]]
    assert [item["id"] for item in known] == [first.slot]


@pytest.mark.django_db
def test_the_search_for_answers_would_find_one(make_puzzle, student, sign_in):
    """Control: the same search does find the word that has been found."""
    puzzle = make_puzzle("crossword")
    client = sign_in(student)
    placement = puzzle.placements.first()
    reply = post(client, puzzle, "attempts", answer_to(placement, "crossword")).content.decode()
    assert any(
        form in json.dumps(json.loads(reply), ensure_ascii=False)
        for form in forms_of(placement.term)
    )


def post_at_once(puzzle, student, bodies):
    """Post all bodies at the same moment, each from a thread and connection of its own."""
    barrier = threading.Barrier(len(bodies))
    statuses = []

    def one(body):
        client = Client()
        client.force_login(student)
        barrier.wait()
        try:
            statuses.append(post(client, puzzle, "attempts", body).status_code)
        finally:
            connection.close()

    threads = [threading.Thread(target=one, args=(body,)) for body in bodies]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return statuses


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("same_attempt", [True, False])
def test_twenty_identical_finds_at_once_count_once(make_puzzle, student, same_attempt):
    puzzle = make_puzzle()
    play.open_session(puzzle=puzzle, student=student)
    placement = puzzle.placements.first()
    body = answer_to(placement, "word-search")
    bodies = [body if same_attempt else body | {"attempt": str(uuid.uuid4())} for _i in range(20)]
    assert post_at_once(puzzle, student, bodies) == [200] * 20
    session = PlaySession.objects.get()
    assert session.found_count == 1
    assert session.moves.filter(outcome=Move.Outcome.FOUND).count() == 1
    assert Review.objects.count() == 1


@pytest.mark.django_db(transaction=True)
def test_without_lock_and_constraints_the_same_finds_count_more_than_once(
    make_puzzle, student, monkeypatch
):
    """Control: with the protections off, the twenty finds do race."""
    puzzle = make_puzzle()
    session = play.open_session(puzzle=puzzle, student=student)
    placement = puzzle.placements.first()
    # SQLite makes the table again for the first and with it the index of the second.
    constraints = list(Move._meta.constraints)
    with connection.schema_editor() as editor:
        for constraint in constraints:
            editor.remove_constraint(Move, constraint)
    gate = threading.Barrier(2)

    def unlocked(session):
        found = PlaySession.objects.select_related("puzzle__vocabulary_list", "student").get(
            pk=session.pk
        )
        return found

    def written_together(*args, **kwargs):
        gate.wait(timeout=10)  # both have looked by now, and neither has written
        with one_writer:
            record(*args, **kwargs)

    one_writer = threading.Lock()  # SQLite in memory refuses a second one
    record = play._record
    monkeypatch.setattr(play, "_locked", unlocked)
    monkeypatch.setattr(play, "_record", written_together)
    # This is about finds; reviews are protected by a constraint of their own.
    monkeypatch.setattr(play, "_remember", lambda *args, **kwargs: None)
    monkeypatch.setattr(play, "_count_solved", lambda *args, **kwargs: None)
    # Autocommit, as though nobody had thought of a transaction.
    monkeypatch.setattr(play, "transaction", SimpleNamespace(atomic=contextlib.nullcontext))
    try:
        post_at_once(puzzle, student, [answer_to(placement, "word-search") for _i in range(2)])
        assert session.moves.filter(outcome=Move.Outcome.FOUND).count() > 1
    finally:
        monkeypatch.undo()
        Move.objects.all().delete()
        with connection.schema_editor() as editor:
            for constraint in reversed(constraints):
                editor.add_constraint(Move, constraint)


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("cells", "said"),
    [
        ([[0, 0], [99, 0]], "outside"),
        ([[0, 0], [0, 1], [1, 1]], "straight"),
        ([], "Select a word"),
        (None, "Select a word"),
    ],
)
def test_squares_that_are_no_attempt_are_refused_with_the_reason(
    cells, said, make_puzzle, student, sign_in
):
    puzzle = make_puzzle()
    body = {"attempt": str(uuid.uuid4()), "item": puzzle.placements.first().slot, "cells": cells}
    reply = post(sign_in(student), puzzle, "attempts", body)
    assert reply.status_code == 400
    assert said in reply.json()["detail"]
    assert not Move.objects.exists()


@pytest.mark.django_db
def test_wrong_squares_are_wrong_and_cost_no_turn(make_puzzle, student, sign_in):
    puzzle = make_puzzle()
    client = sign_in(student)
    body = {"attempt": str(uuid.uuid4()), "cells": [[0, 0], [0, 1]]}
    answer = post(client, puzzle, "attempts", body).json()
    assert (answer["outcome"], answer["found"]) == ("wrong", 0)
    again = post(client, puzzle, "attempts", body).json()
    assert again["outcome"] == "wrong"
    assert Move.objects.count() == 1


@pytest.mark.django_db
@pytest.mark.parametrize("kind", ["finder", "crossword"])
def test_a_word_of_another_puzzle_is_refused(kind, make_puzzle, student, sign_in):
    mine, other = make_puzzle(kind, seed=1), make_puzzle(kind, seed=2)
    reply = post(sign_in(student), mine, "attempts", answer_to(other.placements.first(), kind))
    assert reply.status_code == 400
    assert "this puzzle" in reply.json()["detail"]


@pytest.mark.django_db
def test_a_finished_session_takes_nothing_more(make_puzzle, student, sign_in):
    puzzle = make_puzzle()
    client = sign_in(student)
    state = post(client, puzzle, "finish", {}).json()
    assert state["session"]["state"] == "finished"
    assert len(state["summary"]["practise"]) == puzzle.placements.count()
    for path, body in [
        ("attempts", answer_to(puzzle.placements.first(), "word-search")),
        ("hint", {"item": puzzle.placements.first().slot, "kind": "word"}),
    ]:
        reply = post(client, puzzle, path, body)
        assert reply.status_code == 409
        assert reply.json()["code"] == "session_finished"
    assert post(client, puzzle, "finish", {}).status_code == 200, "ending twice changes nothing"
    assert PlaySession.objects.get().found_count == 0


@pytest.mark.django_db
def test_a_word_search_takes_a_word_traced_from_its_end(make_puzzle, student, sign_in):
    puzzle = make_puzzle()
    placement = puzzle.placements.first()
    body = {"attempt": str(uuid.uuid4()), "cells": placement.cells[::-1]}
    assert post(sign_in(student), puzzle, "attempts", body).json()["outcome"] == "found"


@pytest.mark.django_db
@pytest.mark.parametrize("first", ["rob", "bor"])
def test_of_two_words_on_the_same_squares_the_way_of_tracing_tells_which(
    first, make_puzzle, teacher, student, sign_in
):
    """“Bor” backwards is “rob”: both can be found, each from its own first letter."""
    words = create_list(
        owner=teacher,
        title="Drveće",
        language="hr",
        translation_languages=["en"],
        rows=rows({"bor": "pine", "rob": "slave"}),
    )
    puzzle = make_puzzle(vocabulary_list=words)
    spot = {placement.term: placement for placement in puzzle.placements.all()}
    assert spot["bor"].cells == spot["rob"].cells[::-1]
    second = "bor" if first == "rob" else "rob"
    client = sign_in(student)
    for term in (first, second):
        answer = post(client, puzzle, "attempts", answer_to(spot[term], "word-search")).json()
        assert (answer["outcome"], answer["item"]["term"]) == ("found", term)
    assert answer["finished"]


@pytest.mark.django_db
@pytest.mark.parametrize("way", [1, -1])
def test_a_word_that_can_be_read_in_a_second_place_is_found_there_too(
    way, make_puzzle, student, sign_in
):
    puzzle = make_puzzle()
    placement, other = puzzle.placements.all()[:2]
    size = len(puzzle.grid)
    second = [[size - 1, col] for col in range(len(placement.tiles))]
    placement.echoes = [second]
    placement.save()
    body = {"attempt": str(uuid.uuid4()), "cells": second[::way]}
    answer = post(sign_in(student), puzzle, "attempts", body).json()
    assert (answer["outcome"], answer["item"]["term"]) == ("found", placement.term)
    assert other.term != placement.term


@pytest.mark.django_db
def test_checking_a_few_letters_of_a_crossword_is_help_and_no_wrong_attempt(
    make_puzzle, student, sign_in
):
    puzzle = make_puzzle("crossword")
    client = sign_in(student)
    placement = puzzle.placements.first()
    empty = [""] * (len(placement.tiles) - 2)
    right = answer_to(placement, "crossword") | {"tiles": [placement.tiles[0], "", *empty]}
    answer = post(client, puzzle, "attempts", right).json()
    assert (answer["outcome"], answer["wrong_cells"], answer["item"]) == ("checked", [], None)
    wrong = answer_to(placement, "crossword") | {"tiles": ["Q", "", *empty]}
    answer = post(client, puzzle, "attempts", wrong).json()
    assert (answer["outcome"], answer["wrong_cells"]) == ("checked", [placement.cells[0]])
    assert post(client, puzzle, "attempts", wrong).json() == answer
    outcomes = list(placement.moves.values_list("outcome", flat=True))
    assert outcomes == [Move.Outcome.HINT, Move.Outcome.HINT]


@pytest.mark.django_db
@pytest.mark.parametrize("kind", ["first_cell", "letter", "word"])
@pytest.mark.parametrize("has_id", [True, False])
def test_a_hint_that_is_sent_twice_counts_once(kind, has_id, make_puzzle, student, sign_in):
    """Sent again by a client that lost the response, or by one that knows no ids."""
    puzzle = make_puzzle()
    placement, other = puzzle.placements.all()[:2]
    ask = {"item": placement.slot, "kind": kind, "cell": placement.cells[1]}
    ask |= {"attempt": str(uuid.uuid4())} if has_id else {}
    client = sign_in(student)
    first, again = (post(client, puzzle, "hint", ask).json() for _time in range(2))
    assert first == again
    assert Move.objects.filter(placement=placement).count() == 1
    post(client, puzzle, "hint", ask | {"item": other.slot, "cell": other.cells[1]})
    # The control: another word is another hint, unless its id says that it is the same.
    assert Move.objects.filter(placement=other).count() == (not has_id)


@pytest.mark.django_db
def test_an_id_that_was_an_answers_does_not_stop_a_hint(make_puzzle, student, sign_in):
    puzzle = make_puzzle()
    client, placement, taken = sign_in(student), puzzle.placements.first(), str(uuid.uuid4())
    wrong = {"attempt": taken, "cells": placement.cells[:2]}
    assert post(client, puzzle, "attempts", wrong).json()["outcome"] == "wrong"
    ask = {"item": placement.slot, "kind": "first_cell", "attempt": taken}
    assert post(client, puzzle, "hint", ask).json()["cells"] == placement.cells[:1]


@pytest.mark.django_db
@pytest.mark.parametrize("kind", ALL_KINDS)
def test_a_hint_is_given_and_recorded_and_makes_the_review_a_hinted_one(
    kind, make_puzzle, student, sign_in
):
    puzzle = make_puzzle(kind)
    client = sign_in(student)
    placement = puzzle.placements.first()
    hint = post(client, puzzle, "hint", {"item": placement.slot, "kind": "first_cell"}).json()
    assert hint["cells"] == placement.cells[:1]
    assert hint["tiles"] == placement.tiles[:1]
    summary = post(client, puzzle, "attempts", answer_to(placement, kind)).json()
    assert summary["outcome"] == "found"
    assert {review.outcome for review in Review.objects.all()} == {"hinted"}


@pytest.mark.django_db
def test_a_word_that_was_shown_counts_as_given_up(make_puzzle, student, sign_in):
    puzzle = make_puzzle()
    client = sign_in(student)
    placement = puzzle.placements.first()
    shown = post(client, puzzle, "hint", {"item": placement.slot, "kind": "word"}).json()
    assert shown["item"]["revealed"] is True
    assert shown["item"]["term"] == placement.term
    assert shown["found"] == 0
    answer = post(client, puzzle, "attempts", answer_to(placement, "word-search")).json()
    assert answer["outcome"] == "already"
    assert Review.objects.get().outcome == "wrong"


@pytest.mark.django_db
def test_with_sound_off_the_text_of_a_heard_word_is_shown_and_the_skill_is_another(
    make_puzzle, student, sign_in
):
    puzzle = make_puzzle("finder")
    client = sign_in(student)
    read, heard = puzzle.placements.all()[:2]
    for _time in range(2):
        told = post(client, puzzle, "hint", {"item": read.slot, "kind": "text"}).json()
        assert told["item"]["clue"]["text"] == read.term
        assert told["item"]["cells"] is None
    for placement in (read, heard):
        post(client, puzzle, "attempts", answer_to(placement, "finder"))
    skills = {review.entry.term: (review.skill, review.outcome) for review in Review.objects.all()}
    assert skills[read.term] == ("form", "right")
    assert skills[heard.term] == ("sound_to_form", "right")


@pytest.mark.django_db
def test_letters_of_a_crossword_that_were_typed_are_kept(make_puzzle, student, sign_in):
    puzzle = make_puzzle("crossword")
    client = sign_in(student)
    first, second, third = (f"{row},{col}" for row, col in puzzle.placements.first().cells[:3])

    def put(cells):
        return client.put(
            f"/api/play/{puzzle.code}/draft/",
            json.dumps({"cells": cells}),
            content_type="application/json",
        ).status_code

    assert put({first: "K", second: "R"}) == 204
    assert put({second: "", third: "DŽ"}) == 204
    assert put({"first": "K"}) == 400
    assert client.get(f"/api/play/{puzzle.code}/").json()["draft"] == {first: "K", third: "DŽ"}
    post(client, puzzle, "finish", {})
    assert put({second: "A"}) == 204
    assert second not in client.get(f"/api/play/{puzzle.code}/").json()["draft"]


# ---- too many wrong attempts ----


def guess_every_row(client, puzzle):
    """Try all runs of squares in all rows for the first word, as a script does; return replies."""
    item = puzzle.placements.first()
    length = len(item.tiles)
    replies = []
    for row in range(10):
        for col in range(11 - length):
            cells = [[row, col + step] for step in range(length)]
            body = {"attempt": str(uuid.uuid4()), "item": item.slot, "cells": cells}
            replies.append(post(client, puzzle, "attempts", body))
            if replies[-1].status_code == 200 and replies[-1].json()["outcome"] == "found":
                return item, replies
    return item, replies


@pytest.fixture
def far_down(make_puzzle):
    """A finder whose first word lies where a script that tries all rows comes late."""
    for seed in range(99):
        puzzle = make_puzzle("finder", seed)
        if puzzle.placements.first().cells[0][0] >= 8:
            return puzzle
    raise AssertionError


@pytest.mark.django_db
def test_a_script_that_tries_all_squares_finds_nothing(far_down, student, sign_in):
    item, replies = guess_every_row(sign_in(student), far_down)
    assert [reply.status_code for reply in replies[:30]] == [200] * 30
    assert {reply.status_code for reply in replies[30:]} == {429}
    told = replies[-1]
    assert told.json()["code"] == "slow_down"
    assert "Nothing is lost" in told.json()["detail"]
    assert 1 <= int(told["Retry-After"]) <= 60
    assert not item.moves.filter(outcome="found").exists()
    assert Move.objects.count() == 30  # what is held back is not written


@pytest.mark.django_db
def test_without_the_limit_it_finds_its_word(far_down, student, sign_in, monkeypatch):
    """The control."""
    monkeypatch.setattr(play, "MOST_WRONG_MOVES", 10_000)
    item, replies = guess_every_row(sign_in(student), far_down)
    assert replies[-1].json()["outcome"] == "found"
    assert item.moves.filter(outcome="found").exists()


@pytest.mark.django_db
def test_what_was_held_back_counts_when_it_is_sent_again(far_down, student, sign_in):
    client = sign_in(student)
    guess_every_row(client, far_down)
    right = answer_to(far_down.placements.last(), "finder")
    assert post(client, far_down, "attempts", right).status_code == 429
    Move.objects.update(at=timezone.now() - play.WRONG_MOVES_WITHIN)
    assert post(client, far_down, "attempts", right).json()["outcome"] == "found"


@pytest.mark.django_db
def test_hints_state_and_another_puzzle_stay_open(far_down, make_puzzle, student, sign_in):
    client = sign_in(student)
    guess_every_row(client, far_down)
    assert client.get(f"/api/play/{far_down.code}/").status_code == 200
    hint = {"item": far_down.placements.last().slot, "kind": "first_cell"}
    assert post(client, far_down, "hint", hint).status_code == 200
    other = make_puzzle("finder", 500)
    found = post(client, other, "attempts", answer_to(other.placements.first(), "finder"))
    assert found.json()["outcome"] == "found"


@pytest.mark.django_db
def test_trying_letters_of_a_crossword_one_by_one_is_held_back_too(
    make_puzzle, student, sign_in, monkeypatch
):
    puzzle, client = make_puzzle("crossword"), sign_in(student)
    monkeypatch.setattr(play, "MOST_WRONG_CHECKS", 40)
    item = puzzle.placements.first()
    wrong = next(letter for letter in "QWYX" if letter not in item.tiles)
    codes = []
    for number in range(41):
        tiles = [""] * len(item.tiles)
        tiles[number % len(tiles)] = wrong
        body = {"attempt": str(uuid.uuid4()), "item": item.slot, "tiles": tiles}
        codes.append(post(client, puzzle, "attempts", body).status_code)
    assert codes == [200] * 40 + [429]


@pytest.mark.django_db
def test_a_whole_crossword_of_wrong_words_is_checked_without_being_held_back(
    make_puzzle, student, sign_in
):
    puzzle, client = make_puzzle("crossword", words=15), sign_in(student)
    words = list(puzzle.placements.all())
    for _round in range(3):
        for item in words:
            tiles = ["", *["Q"] * (len(item.tiles) - 1)]
            body = {"attempt": str(uuid.uuid4()), "item": item.slot, "tiles": tiles}
            assert post(client, puzzle, "attempts", body).json()["outcome"] == "checked"
    body = {"attempt": str(uuid.uuid4()), "item": words[0].slot, "tiles": words[0].tiles}
    assert post(client, puzzle, "attempts", body).json()["outcome"] == "found"


def test_a_page_of_one_student_says_and_sends_nothing_as_another(
    make_puzzle, student, sign_in, make_person, school, classroom
):
    """Two students share a browser: a page left open by one still speaks, now as the other."""
    puzzle = make_puzzle()
    other = make_person("student", school)
    people.join_classroom(classroom=classroom, person=other, role="student")
    theirs = sign_in(other)
    placement = puzzle.placements.first()
    body = answer_to(placement, "word-search")
    for player, status in ((name_on_device(student.pk), 403), (name_on_device(other.pk), 200)):
        left_open = {"X-Player": player}
        state = theirs.get(f"/api/play/{puzzle.code}/", headers=left_open)
        sent = theirs.post(
            f"/api/play/{puzzle.code}/attempts/",
            body,
            content_type="application/json",
            headers=left_open,
        )
        assert (state.status_code, sent.status_code) == (status, status)
        assert Move.objects.exists() is (status == 200)
