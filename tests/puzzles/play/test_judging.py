"""How moves are judged and what is kept of each: for the student, the memory and the teacher."""

import uuid
from datetime import timedelta

import pytest
import time_machine
from django.utils import timezone

from puzzles.kinds import KINDS
from puzzles.kinds.base import MoveRefused, SentMove, cells_of
from puzzles.models import Move
from puzzles.play import services as play
from tests.conftest import rows
from vocab.lists.services import create_list
from vocab.models import Review, VocabularyList
from vocab.sounds import playback

pytestmark = pytest.mark.django_db


@pytest.fixture
def begin(make_puzzle, student):
    """Return a function that makes a puzzle and begins it: the session and its words."""

    def begin(kind, **options):
        puzzle = make_puzzle(kind, **{"words": 5} | options)
        return play.open_session(puzzle=puzzle, student=student), list(puzzle.placements.all())

    return begin


def send(session, latency_ms=None, move_id=None, **move):
    move = SentMove(**move)
    return play.record_move(
        session=session, move_id=move_id or uuid.uuid4(), move=move, latency_ms=latency_ms
    )


def find(session, word, **options):
    if session.puzzle.kind == "crossword":
        return send(session, slot=word.slot, tiles=tuple(word.tiles), **options)
    return send(session, slot=word.slot, cells=cells_of(word), **options)


def hint(session, word, kind="first_cell", **options):
    return play.take_hint(session=session, slot=word.slot, kind=kind, **options)


def kept(**of):
    return list(Move.objects.filter(**of).order_by("pk"))


def lists(cells):
    return [list(cell) for cell in cells]


# What is kept of a move.


def test_of_squares_that_are_traced_all_is_kept(begin):
    session, (word, *_rest) = begin("finder")
    wrong = cells_of(word)[:2]
    send(session, 700, slot=word.slot, cells=wrong)
    find(session, word, latency_ms=900)
    missed, found = kept()
    assert (missed.outcome, missed.placement, missed.latency_ms) == ("wrong", word, 700)
    assert missed.answer == {
        "cells": lists(wrong), "tiles": None, "wrong_cells": [], "miss": "not it"
    }  # fmt: skip
    assert (found.outcome, found.placement, found.latency_ms) == ("found", word, 900)
    assert found.answer == {"cells": lists(cells_of(word)), "tiles": None}
    [review] = Review.objects.all()
    assert (review.latency_ms, review.wrong_tries, review.is_free_practice) == (900, 1, False)
    letters = "".join(session.puzzle.grid[row][col] for row, col in wrong)
    assert review.given == letters, "the teacher reads what was answered instead"
    assert timezone.now() - review.at < timedelta(minutes=1)


def test_of_a_word_search_a_miss_is_of_no_word(begin):
    session, (word, *_rest) = begin("word-search")
    send(session, cells=cells_of(word)[:2])
    [missed] = kept()
    assert missed.placement is None
    find(session, word)
    assert Review.objects.get().given == ""


def test_of_letters_that_are_typed_all_is_kept_and_the_last_wrong_ones_are_told(begin):
    session, (word, *_rest) = begin("crossword")
    size = len(word.tiles)
    for letter in ("Q", "X"):
        send(session, slot=word.slot, tiles=(letter,) * size)
    send(session, slot=word.slot, tiles=("Q", *[""] * (size - 1)))
    find(session, word)
    *missed, checked, found = kept()
    assert [move.outcome for move in missed] == ["wrong", "wrong"]
    assert missed[0].answer == {
        "cells": None, "tiles": ["Q"] * size, "wrong_cells": lists(cells_of(word)),
        "miss": "no word",
    }  # fmt: skip
    assert (checked.outcome, checked.placement) == ("hint", word)
    assert checked.answer["kind"] == "check"
    assert checked.answer["wrong_cells"] == lists(cells_of(word))[:1]
    assert found.answer == {"cells": None, "tiles": list(word.tiles)}
    reviews = list(Review.objects.all())
    assert {review.given for review in reviews} == {"X" * size}
    assert {(review.hints, review.wrong_tries, review.outcome) for review in reviews} == {
        (1, 2, "hinted")
    }
    assert {review.source for review in reviews} == {f"session:{session.pk}:{word.slot}"}


def test_the_same_move_sent_again_is_answered_the_same_also_when_all_is_over(begin):
    session, words = begin("crossword")
    word = words[0]
    wrong, right, check = (uuid.uuid4() for _each in range(3))
    sent = [
        {"move_id": wrong, "tiles": ("Q",) * len(word.tiles)},
        {"move_id": check, "tiles": (word.tiles[0], *["Q"] * (len(word.tiles) - 2), "")},
        {"move_id": right, "tiles": tuple(word.tiles)},
    ]
    first = [send(session, slot=word.slot, **move) for move in sent]
    play.finish_session(session=session)
    again = [send(session, slot=word.slot, **move) for move in sent]
    for one, other in zip(first, again, strict=True):
        assert (one.outcome, one.placement, one.wrong_cells, one.accent_cells) == (
            (other.outcome, other.placement, other.wrong_cells, other.accent_cells)
        )
    assert [answer.outcome for answer in first] == ["wrong", "checked", "found"]
    assert len(kept()) == 3


def test_a_found_word_is_not_found_twice(begin):
    session, (word, other, *_rest) = begin("finder")
    assert find(session, word).outcome == "found"
    again = find(session, word)
    assert (again.outcome, again.placement, again.asked_for) == ("already", word, word.slot)
    assert find(session, other).outcome == "found"
    session.refresh_from_db()
    assert (session.found_count, len(kept()), Review.objects.count()) == (2, 2, 2)


def test_every_word_found_or_shown_ends_the_game(begin):
    session, words = begin("finder")
    for word in words[:-1]:
        find(session, word)
    assert hint(session, words[-1], "first_cell").game.session.finished_at is None
    hint(session, words[-1], "word")
    session.refresh_from_db()
    assert session.finished_at is not None
    assert session.found_count == len(words) - 1


def test_what_is_left_at_the_end_counts_as_given_up_once(begin):
    session, (found, shown, *left) = begin("finder")
    find(session, found)
    hint(session, shown, "word")
    hint(session, left[0])
    ended = play.finish_session(session=session).session.finished_at
    outcomes = {review.entry: review.outcome for review in Review.objects.all()}
    assert outcomes.pop(found.entry) == "right"
    assert set(outcomes.values()) == {"wrong"}
    assert Review.objects.count() == 2 + len(left)
    assert Review.objects.get(entry=left[0].entry).hints == 1
    assert play.finish_session(session=session).session.finished_at == ended
    assert Review.objects.count() == 2 + len(left)


def test_a_word_that_is_no_longer_in_the_list_is_found_and_remembered_by_nobody(begin):
    session, (word, *_rest) = begin("finder")
    word.entry = None
    word.save()
    assert find(session, word).outcome == "found"
    assert not Review.objects.exists()


def test_who_begins_again_goes_on_with_the_same_session(begin, student, teacher):
    session, _words = begin("finder")
    assert play.open_session(puzzle=session.puzzle, student=student) == session
    theirs = play.open_session(puzzle=session.puzzle, student=teacher)
    assert (theirs.student, theirs.number) == (teacher, 1)
    later = session.puzzle.sessions.create(student=student, number=2)
    assert play.open_session(puzzle=session.puzzle, student=student) == later


def test_a_teacher_who_tries_a_puzzle_trains_no_memory(make_puzzle, teacher):
    puzzle = make_puzzle("finder", words=5)
    session = play.open_session(puzzle=puzzle, student=teacher)
    find(session, puzzle.placements.first())
    play.finish_session(session=session)
    assert not Review.objects.exists()


def test_a_word_that_cannot_be_spoken_was_read(begin, monkeypatch):
    monkeypatch.setattr(playback, "is_speakable", lambda *of: False)
    session, (word, *_rest) = begin("finder")
    find(session, word)
    assert Review.objects.get().skill == "form"


# Accents.


@pytest.fixture
def french(teacher):
    words = {"école": "school", "leçon": "lesson", "cle": "key", "cole": "cabbage"}
    made = create_list(
        owner=teacher, title="École", language="fr", translation_languages=["en"], rows=rows(words)
    )
    made.accents = "warn"
    made.save()
    return made


def test_of_a_wrong_word_only_the_wrong_letters_are_told(begin, french):
    session, words = begin("crossword", vocabulary_list=french, words=4)
    school = next(word for word in words if word.term == "école")
    wrong = send(session, slot=school.slot, tiles=tuple("ECOLX"))
    assert (wrong.outcome, wrong.wrong_cells) == ("wrong", cells_of(school)[-1:])
    assert wrong.accent_cells == ()
    sent = {"slot": school.slot, "tiles": ("E", "C", "X", "L", ""), "move_id": uuid.uuid4()}
    checked = send(session, **sent)
    assert (checked.outcome, checked.wrong_cells) == ("checked", cells_of(school)[2:3])
    assert checked.accent_cells == cells_of(school)[:1]
    assert send(session, **sent).accent_cells == checked.accent_cells, "sent again"
    assert [move.answer["accent_cells"] for move in kept()] == [lists(cells_of(school)[:1])] * 2


def test_a_crossword_is_judged_by_the_language_and_digraphs_of_its_list(begin, teacher, animals):
    words = create_list(
        owner=teacher, title="Dž", language="hr", translation_languages=["en"],
        rows=rows({"džep": "pocket", "planina": "mountain", "njuška": "snout"}),
    )  # fmt: skip
    session, placed = begin("crossword", vocabulary_list=words, words=3)
    pocket = next(word for word in placed if word.term == "džep")
    assert len(pocket.tiles) == 3
    with pytest.raises(MoveRefused, match="3 letters"):
        send(session, slot=pocket.slot, tiles=tuple("džep"))
    with pytest.raises(MoveRefused, match="3 letters"):
        send(session, slot=pocket.slot)
    assert send(session, slot=pocket.slot, tiles=("dž", "e", "p")).outcome == "found"
    # “S” for “Š” is an accent: wrong, unless the list lets it pass.
    for accents, outcome in (("strict", "wrong"), ("ignore", "found")):
        VocabularyList.objects.update(accents=accents)
        snout = next(word for word in placed if word.term == "njuška")
        assert send(session, slot=snout.slot, tiles=("NJ", *"USKA")).outcome == outcome


def test_a_spelling_that_is_right_by_rule_may_share_out_its_letters_otherwise(begin, teacher):
    words = create_list(
        owner=teacher, title="Hindi", language="hi", translation_languages=["en"],
        accents="strict", rows=rows({"हिन्दी": "Hindi", "नदी": "river", "दीवार": "wall"}),
    )  # fmt: skip
    session, placed = begin("crossword", vocabulary_list=words, words=3)
    hindi = next(word for word in placed if word.term == "हिन्दी")
    assert hindi.tiles == ["हि", "न्दी"]
    half = send(session, slot=hindi.slot, tiles=("हिं", ""))
    assert (half.outcome, half.wrong_cells) == ("checked", cells_of(hindi)[:1])
    assert send(session, slot=hindi.slot, tiles=("हिं", "दि")).outcome == "wrong"
    assert send(session, slot=hindi.slot, tiles=("हिं", "दी")).outcome == "found"


def test_a_crossword_of_chinese_words_that_share_no_character_has_them_all(begin, teacher):
    terms = {
        "朋友": "friend",
        "老师": "teacher",
        "苹果": "apple",
        "水果": "fruit",
        "天气": "weather",
    }
    words = create_list(
        owner=teacher, title="A", language="zh", translation_languages=["en"], rows=rows(terms)
    )
    _session, placed = begin("crossword", vocabulary_list=words)
    assert {word.term for word in placed} == set(terms)
    for word in placed:
        others = {cell for other in placed if other != word for cell in cells_of(other)}
        near = {(r + a, c + b) for r, c in cells_of(word) for a in (-1, 0, 1) for b in (-1, 0, 1)}
        assert bool(near & others) is (word.term in ("苹果", "水果"))


# Hints.


def test_a_hint_tells_the_squares_and_letters_that_were_asked_for_and_no_more(begin):
    session, (word, *_rest) = begin("crossword")
    first = hint(session, word)
    assert (first.cells, first.tiles) == (cells_of(word)[:1], tuple(word.tiles[:1]))
    second = hint(session, word, "letter", cell=cells_of(word)[1])
    assert (second.cells, second.tiles) == (cells_of(word)[1:2], tuple(word.tiles[1:2]))
    whole = hint(session, word, "word")
    assert (whole.cells, whole.tiles) == (cells_of(word), tuple(word.tiles))
    assert [(move.outcome, move.answer["kind"], move.placement) for move in kept()] == [
        ("hint", "first_cell", word), ("hint", "letter", word), ("revealed", "word", word)
    ]  # fmt: skip
    assert [move.answer["cells"] for move in kept()] == [
        lists(each.cells) for each in (first, second, whole)
    ]


@pytest.mark.parametrize(
    ("puzzle", "kind"),
    [("crossword", "text"), ("crossword", "everything"), ("finder", "everything"), ("finder", "")],
)
def test_other_help_than_there_is_is_refused(puzzle, kind, begin):
    """A crossword whose clues are read has no text to ask for."""
    session, (word, *_rest) = begin(puzzle)
    with pytest.raises(MoveRefused, match="Ask for"):
        hint(session, word, kind)
    assert not kept()


def test_a_hint_at_a_square_that_is_not_the_words_is_refused(begin):
    session, (word, other, *_rest) = begin("word-search")
    foreign = next(cell for cell in cells_of(other) if cell not in cells_of(word))
    for cell in (foreign, None):
        with pytest.raises(MoveRefused, match="not part"):
            hint(session, word, "letter", cell=cell)
    with pytest.raises(MoveRefused, match="Choose a word"):
        play.take_hint(session=session, slot="nothing", kind="word")
    assert not kept()


def test_help_with_a_word_that_is_solved_counts_for_nothing(begin):
    session, (found, shown, *_rest) = begin("finder")
    find(session, found)
    hint(session, shown, "word")
    before, reviews = kept(), list(Review.objects.values())
    for word in (found, shown):
        for kind in ("first_cell", "text", "word"):
            assert hint(session, word, kind).placement == word
    assert kept() == before
    assert list(Review.objects.values()) == reviews


def test_one_hint_is_one_help_however_often_it_is_sent(begin):
    session, (word, *_rest) = begin("finder")
    name = uuid.uuid4()
    one = hint(session, word, "letter", cell=cells_of(word)[1], hint_id=name)
    again = hint(session, word, "word", hint_id=name)  # the same id: the first hint
    assert (again.cells, again.tiles, again.placement) == (one.cells, one.tiles, word)
    assert len(kept()) == 1
    hint(session, word)
    find(session, word)
    assert Review.objects.get().hints == 2


def test_reading_a_word_is_no_hint_but_another_skill(begin):
    session, (word, second, third, *_rest) = begin("finder")
    assert hint(session, word, "text").cells == ()
    hint(session, word)
    assert hint(session, second, "text").cells == ()
    for each in (word, second, third):
        find(session, each)
    told = {
        review.entry: (review.skill, review.outcome, review.hints)
        for review in Review.objects.all()
    }
    assert told == {
        word.entry: ("form", "hinted", 1),
        second.entry: ("form", "right", 0),
        third.entry: ("sound_to_form", "right", 0),
    }


# Guessing.

GUESSES = {
    "wrong": {"outcome": "wrong", "answer": {"wrong_cells": [[0, 0]]}},
    "check": {"outcome": "hint", "answer": {"kind": "check", "wrong_cells": [[0, 0]]}},
    "check without a mistake": {"outcome": "hint", "answer": {"kind": "check", "wrong_cells": []}},
    "hint": {"outcome": "hint", "answer": {"kind": "letter", "cells": [[0, 0]]}},
    "found": {"outcome": "found", "answer": {}},
}


def guess(session, word, times, kind="wrong", seconds_ago=20.0):
    """Write moves as if they had been made some seconds ago."""
    for number in range(times):
        is_found = kind == "found"
        Move.objects.create(
            session=session,
            placement=session.puzzle.placements.all()[number] if is_found else word,
            client_id=uuid.uuid4(),
            **GUESSES[kind],
        )
    moves = session.moves.order_by("-pk")[:times]
    at = timezone.now() - timedelta(seconds=seconds_ago)
    Move.objects.filter(pk__in=[move.pk for move in moves]).update(at=at)


@pytest.mark.parametrize(("kind", "most"), [("wrong", 30), ("check", 150)])
@pytest.mark.parametrize(("seconds_ago", "wait"), [(50.5, 10), (0, 60), (59.9, 1)])
def test_guessing_waits_until_the_oldest_wrong_one_is_a_minute_ago(
    kind, most, seconds_ago, wait, begin
):
    session, (word, *_rest) = begin("finder")
    with time_machine.travel(timezone.now(), tick=False):
        guess(session, word, 1, kind, seconds_ago)
        guess(session, word, most - 1, kind, min(seconds_ago, 20))
        with pytest.raises(play.TooFast) as refused:
            find(session, word)
    assert refused.value.seconds == wait
    assert f"Wait {wait} second" in str(refused.value)
    assert len(kept()) == most


@pytest.mark.parametrize(("kind", "most"), [("wrong", 30), ("check", 150)])
def test_who_guesses_less_or_slower_is_not_held_back(kind, most, begin, teacher):
    """Others' guesses do not count, nor those of a minute ago."""
    session, (word, *_rest) = begin("finder")
    guess(session, word, most - 1, kind)
    guess(session, word, most, kind, 61)
    guess(play.open_session(puzzle=session.puzzle, student=teacher), word, most, kind)
    assert send(session, slot=word.slot, cells=cells_of(word)[:2]).outcome == "wrong"
    if kind == "wrong":
        with pytest.raises(play.TooFast):
            find(session, word)


@pytest.mark.parametrize("kind", ["check without a mistake", "hint", "found"])
def test_what_is_no_guess_holds_nobody_back(kind, begin, monkeypatch):
    monkeypatch.setattr(play, "MOST_WRONG_MOVES", 2)
    monkeypatch.setattr(play, "MOST_WRONG_CHECKS", 2)
    session, words = begin("finder")
    guess(session, words[0], 3, kind)
    assert find(session, words[-1]).outcome == "found"


def test_one_wrong_word_and_one_wrong_check_are_no_series(begin, monkeypatch):
    monkeypatch.setattr(play, "MOST_WRONG_MOVES", 2)
    monkeypatch.setattr(play, "MOST_WRONG_CHECKS", 2)
    session, (word, *_rest) = begin("finder")
    guess(session, word, 1)
    guess(session, word, 1, "check")
    assert find(session, word).outcome == "found"


# Traced squares.


@pytest.mark.parametrize("kind", ["word-search", "finder"])
def test_squares_at_the_edge_are_on_the_grid_and_those_beyond_are_not(kind, begin):
    session, (word, *_rest) = begin(kind)
    rows_, cols = len(session.puzzle.grid), len(session.puzzle.grid[0])
    for corner in ((0, 0), (rows_ - 1, cols - 1), (0, cols - 1), (rows_ - 1, 0)):
        assert send(session, slot=word.slot, cells=(corner,)).outcome == "wrong"
    for outside in ((rows_, 0), (0, cols), (-1, 0), (0, -1)):
        with pytest.raises(MoveRefused, match="outside this"):
            send(session, slot=word.slot, cells=(outside,))


@pytest.mark.parametrize(
    ("cells", "is_line"),
    [
        (((0, 0), (1, 1), (2, 2)), True),
        (((2, 0), (1, 1), (0, 2)), True),
        (((0, 2), (0, 1), (0, 0)), True),
        (((0, 0), (1, 0), (2, 0)), True),
        (((0, 0), (0, 2)), False),
        (((0, 0), (2, 2)), False),
        (((0, 0), (1, 2)), False),
        (((0, 0), (0, 0)), False),
        (((0, 0), (0, 1), (0, 0)), False),
        (((0, 0), (0, 1), (1, 2)), False),
    ],
)
def test_only_neighbours_in_one_direction_are_a_line(cells, is_line, begin):
    session, (word, *_rest) = begin("finder")
    if is_line:
        assert send(session, slot=word.slot, cells=cells).outcome == "wrong"
        return
    with pytest.raises(MoveRefused, match="straight line"):
        send(session, slot=word.slot, cells=cells)


@pytest.mark.parametrize(("forwards_only", "outcome"), [(True, "wrong"), (False, "found")])
def test_a_palindrome_is_read_from_both_ends_where_words_may_stand_backwards(
    forwards_only, outcome, begin, teacher
):
    words = create_list(
        owner=teacher, title="Same", language="en", translation_languages=["hr"],
        rows=rows({"level": "razina", "house": "kuća", "garden": "vrt"}),
    )  # fmt: skip
    session, placed = begin(
        "finder", vocabulary_list=words, words=3, difficulty="hard", forwards_only=forwards_only
    )
    level = next(word for word in placed if word.term == "level")
    house = next(word for word in placed if word.term == "house")
    assert send(session, slot=house.slot, cells=cells_of(house)[::-1]).outcome == "wrong"
    assert send(session, slot=level.slot, cells=cells_of(level)[:-1]).outcome == "wrong"
    assert send(session, slot=level.slot, cells=cells_of(level)[::-1]).outcome == outcome
    assert send(session, slot=level.slot, cells=cells_of(level)).outcome in {"found", "already"}


def test_a_word_that_sounds_the_same_is_taken_only_from_who_heard_it(begin, teacher, monkeypatch):
    """Also not if the chosen word has no sound, so that its text was shown."""
    words = create_list(
        owner=teacher, title="Twins", language="en", translation_languages=["hr"],
        rows=rows({"flour": "brašno", "flower": "cvijet", "bank": "banka"}),
    )  # fmt: skip
    session, placed = begin("finder", vocabulary_list=words, words=3)
    word = {placement.term: placement for placement in placed}
    monkeypatch.setattr(playback, "is_speakable", lambda *of: False)
    sent = {"slot": word["flour"].slot, "cells": cells_of(word["flower"])}
    assert send(session, **sent).outcome == "wrong"
    monkeypatch.undo()
    found = send(session, **sent)
    assert (found.outcome, found.placement) == ("found", word["flower"])
    assert Review.objects.get().entry == word["flower"].entry
    with pytest.raises(MoveRefused, match="Choose a word"):
        send(session, cells=cells_of(word["flower"]))


@pytest.mark.parametrize(
    ("read", "outcomes"),
    [("flour", ("wrong", "found")), ("flower", ("found", "wrong")), ("bank", ("found", "found"))],
)
def test_who_read_a_word_finds_that_one_and_of_the_others_also_what_sounds_the_same(
    read, outcomes, make_puzzle, student, teacher
):
    words = create_list(
        owner=teacher, title="Twins", language="en", translation_languages=["hr"],
        rows=rows({"flour": "brašno", "flower": "cvijet", "bank": "banka"}),
    )  # fmt: skip
    told = []
    for chosen, traced in (("flour", "flower"), ("flower", "flour")):
        puzzle = make_puzzle("finder", vocabulary_list=words, words=3)
        session = play.open_session(puzzle=puzzle, student=student)
        word = {placement.term: placement for placement in puzzle.placements.all()}
        hint(session, word[read], "text")
        told.append(send(session, slot=word[chosen].slot, cells=cells_of(word[traced])).outcome)
    assert tuple(told) == outcomes


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_a_finished_game_takes_no_move_and_no_hint_and_keeps_nothing(kind, begin):
    session, (word, *_rest) = begin(kind)
    play.finish_session(session=session)
    reviews = Review.objects.count()
    with pytest.raises(play.SessionFinished):
        find(session, word)
    with pytest.raises(play.SessionFinished):
        hint(session, word)
    assert not kept()
    assert Review.objects.count() == reviews


@pytest.mark.parametrize("deed", [find, lambda session, word: hint(session, word, "word")])
def test_what_fails_halfway_is_not_kept_in_part(deed, begin, monkeypatch):
    session, (word, *_rest) = begin("finder")

    def fail(*_arguments, **_options):
        raise RuntimeError("the disk is full")

    monkeypatch.setattr(play, "_count_solved", fail)
    with pytest.raises(RuntimeError):
        deed(session, word)
    assert not kept()
    assert not Review.objects.exists()
