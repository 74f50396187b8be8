"""A search for a crossword: asked for, done in the background, stopped, taken up, taken from."""

import threading
import time
from contextlib import contextmanager
from datetime import timedelta
from types import SimpleNamespace

import pytest
from django.core.exceptions import ValidationError
from django.utils import timezone, translation

from osmosmjerka.jobs import ledger
from osmosmjerka.jobs.models import Job
from puzzles.generators import crossword
from puzzles.models import CrosswordSearch, Puzzle
from puzzles.searches import services as searches
from puzzles.searches.api import search_state
from puzzles.searches.shortlist import Shortlist
from tests.conftest import rows
from tests.puzzles.generators.verify_crossword import faults
from tests.puzzles.making.test_api import held_to, read_schema
from tests.puzzles.searches.helpers import begin_search
from tests.services import wait_until
from vocab.lists.services import create_list
from vocab.text import tiles

State = CrosswordSearch.State
pytestmark = [pytest.mark.django_db, pytest.mark.database]


def run(search):
    """Do the search's job, as a worker does, until it is done; return the search."""
    with seconds_that_pass_at_once():
        for _turn in range(20):
            ledger.run_job(str(searches.job_of(search).pk))
            if searches.job_of(search).state != Job.State.QUEUED:
                break
    search.refresh_from_db()
    return search


@contextmanager
def seconds_that_pass_at_once():
    """Give each round a fixed effort; the seconds that it was to take pass on a clock of ours."""
    now, generate = 1000.0, crossword.generate

    def generate_at_once(words, *, seconds, **wishes):
        nonlocal now
        made = generate(words, **wishes)
        now += seconds
        return made

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(searches, "time", SimpleNamespace(monotonic=lambda: now))
        patch.setattr(crossword, "generate", generate_at_once)
        yield


def request(vocabulary_list, teacher, seed=3, **wishes):
    return searches.request_search(
        vocabulary_list=vocabulary_list, created_by=teacher, wishes=wishes, seed=seed
    )


def terms_of(puzzle):
    return {placement.term for placement in puzzle.placements.all()}


def test_a_search_ends_in_crosswords_without_fault_the_best_first(animals, teacher):
    search = run(request(animals, teacher, words=12, seconds=3))
    assert search.state == State.OVER, search.reason
    found = Shortlist.from_json(search.found)
    assert found.best
    words = list(animals.entries.values_list("term", flat=True))
    for candidate in found.best:
        made = candidate.crossword
        assert faults(made, words, cut=lambda word: tiles(word, "hr")) == []
    assert [one.rank for one in found.best] == sorted((o.rank for o in found.best), reverse=True)
    assert searches.job_of(search).state == Job.State.DONE


def test_the_third_best_becomes_a_puzzle_that_can_be_played(
    animals, teacher, student, classroom, sign_in
):
    search = begin_search(animals, teacher, seeds=range(1, 9))
    third = Shortlist.from_json(search.found).best[2]
    puzzle = searches.take(search=search, candidate=third.number, title="Treća")
    assert (puzzle.state, puzzle.kind, puzzle.title) == ("ready", "crossword", "Treća")
    assert {(p.term, p.number, p.direction) for p in puzzle.placements.all()} == {
        (p.word, p.number, p.direction) for p in third.crossword.placements
    }
    for placement in puzzle.placements.all():
        assert placement.entry is not None
        assert [puzzle.grid[row][col] for row, col in placement.cells] == placement.tiles
    state = sign_in(teacher).get(f"/api/play/{puzzle.code}/").json()
    assert state["items"][0]["clue"]["text"]
    assert not any(tile for row in state["puzzle"]["grid"] for tile in row)


def test_taken_twice_it_is_one_puzzle_and_the_search_is_over(animals, teacher):
    search = begin_search(animals, teacher)
    first, second = (searches.take(search=search, candidate=1) for _click in range(2))
    assert first == second
    assert Puzzle.objects.count() == 1
    search.refresh_from_db()
    assert search.state == State.STOPPED
    assert searches.job_of(search).state == Job.State.CANCELLED


def test_a_word_that_must_be_in_is_and_one_that_must_not_is_not(animals, teacher):
    entries = {entry.term: entry.pk for entry in animals.entries.all()}
    search = run(
        request(
            animals,
            teacher,
            words=5,
            seconds=2,
            pinned=[entries["krokodil"], entries["zmija"]],
            banned=[entries["slon"], entries["jelen"]],
        )
    )
    best = Shortlist.from_json(search.found).best[0]
    placed = {placement.word for placement in best.crossword.placements}
    assert {"krokodil", "zmija"} <= placed
    for candidate in Shortlist.from_json(search.found).best:
        words = {placement.word for placement in candidate.crossword.placements}
        assert not words & {"slon", "jelen"}
        assert len(words) <= 5


def test_of_a_larger_list_a_search_tries_other_words_in_other_rounds(animals, teacher):
    search = run(request(animals, teacher, words=4, seconds=4))
    choices = {
        frozenset(placement.word for placement in candidate.crossword.placements)
        for candidate in Shortlist.from_json(search.found).best
    }
    assert len(choices) > 1


def test_size_shape_and_symmetry_are_kept_to(animals, teacher):
    search = run(request(animals, teacher, words=12, seconds=1, rows=9, cols=11, symmetric=True))
    best = Shortlist.from_json(search.found).best[0].crossword
    assert (len(best.grid), len(best.grid[0])) == (9, 11)
    used = {(row, col) for p in best.placements for row, col in p.cells}
    assert used == {(8 - row, 10 - col) for row, col in used}


@pytest.mark.parametrize(
    ("wishes", "field"),
    [
        ({"words": 1}, "words"),
        ({"words": 10_000}, "words"),
        ({"seconds": 3600}, "seconds"),
        ({"rows": 1000}, "rows"),
        ({"beam_width": 10**9}, "beam_width"),
        ({"rows": 8, "cols": 8, "symmetric": True}, "rows"),
        ({"pinned": [0]}, "pinned"),
        ({"clue": "nothing"}, "clue"),
    ],
)
def test_what_cannot_be_had_is_refused_by_its_name(wishes, field, animals, teacher):
    with pytest.raises(ValidationError) as refused:
        request(animals, teacher, **wishes)
    assert list(refused.value.message_dict) == [field]
    assert not CrosswordSearch.objects.exists()


def test_a_word_cannot_be_in_and_out(animals, teacher):
    word = animals.entries.get(term="slon").pk
    with pytest.raises(ValidationError, match="slon"):
        request(animals, teacher, pinned=[word], banned=[word])


def test_a_list_without_a_usable_word_says_so_and_is_not_tried_again(teacher):
    empty = create_list(owner=teacher, title="E", language="en", translation_languages=["hr"])
    search = run(request(empty, teacher))
    assert (search.state, searches.job_of(search).attempts) == (State.FAILED, 1)
    assert "No word" in search.reason


def english(teacher, *words):
    return create_list(
        owner=teacher,
        title="English",
        language="en",
        translation_languages=["hr"],
        rows=rows({word: f"meaning of {word}" for word in words}),
    )


def test_why_there_is_no_crossword_is_said_in_the_language_of_who_reads_it(teacher):
    words = english(teacher, "elephant", "crocodile")
    search = run(request(words, teacher, rows=4, cols=4))
    assert search.state == State.FAILED
    assert "elephant" in search_state(search)["reason"]
    assert "None of the" in search_state(search)["reason"]  # the control
    with translation.override("hr"):
        assert "None of the" not in search_state(search)["reason"]


def test_words_that_are_too_long_for_the_grid_do_not_take_the_place_of_others(teacher):
    words = english(teacher, "cat", "tea", "eat", *(f"elephant{n}" for n in "abcdefghijkl"))
    search = run(request(words, teacher, words=3, rows=5, cols=5, seconds=1))
    best = Shortlist.from_json(search.found).best[0].crossword
    assert len(best.placements) == 3


def test_a_round_of_words_that_cannot_be_laid_is_followed_by_one_of_others(teacher, monkeypatch):
    # Only a word with a middle letter lies across the middle square; the first round has none.
    words = english(teacher, "ate", "cabs", "cods", "cegs", "cits")
    generate, rounds = crossword.generate, []

    def noted(drawn, **settings):
        rounds.append(drawn)
        return generate(drawn, **settings)

    monkeypatch.setattr(searches.crossword, "generate", noted)
    wishes = {"words": 2, "rows": 5, "cols": 5, "symmetric": True, "seconds": 3}
    search = run(request(words, teacher, seed=10, **wishes))
    assert "ate" not in rounds[0]
    assert search.state == State.OVER
    assert Shortlist.from_json(search.found).best


def test_a_search_whose_job_was_given_up_keeps_what_it_found_and_holds_up_no_other(
    animals, teacher, monkeypatch
):
    found, nothing = begin_search(animals, teacher), request(animals, teacher)

    def fails(*_arguments, **_settings):
        raise ZeroDivisionError("a fault of ours")

    with monkeypatch.context() as fault:
        fault.setattr(searches.crossword, "generate", fails)
        for search in (found, nothing):
            for _attempt in range(3):
                ledger.run_job(str(searches.job_of(search).pk))
            search.refresh_from_db()
    assert (found.state, nothing.state) == (State.STOPPED, State.FAILED)
    told = search_state(found)["reason"]
    assert "failed three times" in told and "ZeroDivision" not in told
    assert searches.take(search=found, candidate=1).state == "ready"
    request(animals, teacher)
    again = searches.go_on(search=found)
    assert (again.state, again.reason) == (State.SEARCHING, "")


def test_nobody_has_more_searches_by_going_on_with_old_ones(animals, teacher):
    old = searches.stop(search=begin_search(animals, teacher))
    for _search in range(2):
        request(animals, teacher)
    with pytest.raises(ValidationError, match="Stop one"):
        searches.go_on(search=old)


def test_a_teacher_has_two_searches_going_on_at_most(animals, teacher, stranger):
    first = request(animals, teacher)
    request(animals, teacher)
    with pytest.raises(ValidationError, match="Stop one"):
        request(animals, teacher)
    searches.stop(search=first)
    request(animals, teacher)


def test_one_that_waits_is_stopped_at_once_and_goes_on_from_its_best(animals, teacher):
    search = searches.stop(search=begin_search(animals, teacher, seconds=1))
    assert search.state == State.STOPPED
    best = Shortlist.from_json(search.found).best[0]
    search = run(searches.go_on(search=search))
    assert search.state == State.OVER
    assert Shortlist.from_json(search.found).best[0].rank >= best.rank


def test_the_next_attempt_goes_on_from_the_best_and_not_from_nothing(animals, teacher):
    search = begin_search(animals, teacher, seeds=range(1, 9), seconds=1)
    found = Shortlist.from_json(search.found)
    found.best = found.best[:1]
    search.found = found.as_json()
    search.save()
    search = run(search)
    added = [c for c in Shortlist.from_json(search.found).best if c.number > found.last]
    assert all(candidate.rank > found.best[0].rank for candidate in added)


def test_control_a_search_from_nothing_finds_what_is_poorer_too(animals, teacher):
    found = Shortlist.from_json(run(request(animals, teacher, words=12, seconds=1)).found)
    assert len({candidate.rank for candidate in found.best}) > 1


def test_kept_crosswords_stay_on_the_list(animals, teacher):
    search = begin_search(animals, teacher, seeds=range(1, 6), seconds=3)
    kept = Shortlist.from_json(search.found).best[-1].number
    searches.keep(search=search, candidate=kept, is_kept=True)
    search = run(search)
    assert kept in [one.number for one in Shortlist.from_json(search.found).best]
    searches.keep(search=search, candidate=kept, is_kept=False)
    search.refresh_from_db()
    assert search.kept == []


def test_discarded_it_is_gone_but_what_was_taken_stays(animals, teacher):
    search = begin_search(animals, teacher)
    puzzle = searches.take(search=search, candidate=1)
    searches.discard(search=search, actor=teacher)
    assert not CrosswordSearch.objects.exists()
    assert Puzzle.objects.get() == puzzle


def test_one_that_gave_way_is_told_as_such(animals, teacher):
    search = begin_search(animals, teacher)
    with pytest.raises(ValidationError, match="replaced by better ones"):
        searches.take(search=search, candidate=77)


def test_a_word_that_left_the_list_cannot_be_taken(animals, teacher):
    search = begin_search(animals, teacher)
    word = Shortlist.from_json(search.found).best[0].crossword.placements[0].word
    animals.entries.get(term=word).delete()
    with pytest.raises(ValidationError, match=word):
        searches.take(search=search, candidate=1)


def test_the_state_tells_the_figures_and_nothing_twice(animals, teacher):
    search = begin_search(animals, teacher)
    state = search_state(search)
    [candidate] = state["candidates"]
    used = sum(tile is not None for row in candidate["grid"] for tile in row)
    assert candidate["letters"] == used
    assert candidate["density"] == round(used / (candidate["rows"] * candidate["cols"]), 3)
    assert len(candidate["grid"]) == candidate["rows"]
    assert search_state(search, known=state["version"])["candidates"] is None


def test_by_the_api_a_search_is_begun_kept_stopped_taken_and_discarded(
    animals, teacher, stranger, sign_in
):
    client = sign_in(teacher)

    def post(path, body):
        return client.post(f"/api/searches/{path}", body, content_type="application/json")

    begun = post("", {"vocabulary_list": animals.pk, "settings": {"words": 10, "seconds": 1}})
    assert begun.status_code == 202
    search = run(CrosswordSearch.objects.get(code=begun.json()["code"]))
    address = f"/api/searches/{search.code}/"
    state = client.get(address).json()
    assert state["state"] == "over"
    for query, codes in {
        "": [search.code],
        f"?vocabulary_list={animals.pk}&state=over": [search.code],
        "?state=searching": [],
        f"?vocabulary_list={animals.pk + 1}": [],
    }.items():
        told = client.get(f"/api/searches/{query}").json()
        held_to(read_schema(), "/api/searches/", "get", told)
        assert [one["code"] for one in told["results"]] == codes, query
    assert sign_in(stranger).get("/api/searches/").json()["results"] == []
    number = state["candidates"][0]["number"]
    assert post(f"{search.code}/keep/", {"candidate": number}).json()["kept"] == [number]
    taken = post(f"{search.code}/take/", {"candidate": number, "title": "T"})
    assert taken.status_code == 201
    assert Puzzle.objects.get().code == taken.json()["code"]
    assert post(f"{search.code}/go-on/", {}).json()["state"] == "searching"
    assert post(f"{search.code}/stop/", {}).json()["state"] == "stopped"
    assert post(f"{search.code}/take/", {"candidate": 99}).status_code == 400
    assert client.delete(address).status_code == 204
    assert client.get(address).status_code == 404


def test_old_searches_are_forgotten(animals, teacher):
    old, new = request(animals, teacher), request(animals, teacher)
    CrosswordSearch.objects.filter(pk=old.pk).update(created_at=timezone.now() - timedelta(days=40))
    assert searches.forget_old() == 1
    assert CrosswordSearch.objects.get() == new


def test_a_search_gives_way_to_a_crossword_that_a_class_waits_for(animals, teacher, make_puzzle):
    from puzzles.making import services as making

    search = request(animals, teacher, words=12, seconds=60)
    waiting = making.request_puzzle(
        vocabulary_list=animals, kind="crossword", created_by=teacher, settings={"seconds": 0.2}
    )
    ledger.run_job(str(searches.job_of(search).pk))
    job = searches.job_of(search)
    assert (job.state, job.attempts) == (Job.State.QUEUED, 0), "its turn is over after one round"
    search.refresh_from_db()
    assert search.state == State.SEARCHING
    assert 0 < search.spent < 2 * searches.LONGEST_ROUND
    ledger.run_job(str(making.job_of(waiting).pk))
    waiting.refresh_from_db()
    assert waiting.state == Puzzle.State.READY


class InAThread(threading.Thread):
    """A worker that does one job, and notes when it had enough."""

    def __init__(self, job):
        super().__init__()
        self.job, self.ended = job, None

    def run(self):
        from django.db import connection

        ledger.run_job(str(self.job.pk))
        self.ended = time.monotonic()
        connection.close()


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(
    "size", [{}, pytest.param({"rows": 20, "cols": 20}, marks=pytest.mark.thorough)]
)
@pytest.mark.parametrize("how", ["stop", "discard"])
def test_it_ends_soon_after_it_was_told_to(how, size, animals, teacher):
    search = request(animals, teacher, words=12, seconds=120, **size)
    worker = InAThread(searches.job_of(search))
    worker.start()
    wait_until(lambda: CrosswordSearch.objects.get(pk=search.pk).version > 0)
    told = time.monotonic()
    if how == "discard":
        searches.discard(search=search, actor=teacher)
    else:
        searches.stop(search=search)
    worker.join(timeout=60)
    assert worker.ended is not None
    assert worker.ended - told < 60, "a search of two minutes went on"
    if how == "discard":
        assert not CrosswordSearch.objects.exists()
    else:
        search.refresh_from_db()
        assert search.state == State.STOPPED
        assert Shortlist.from_json(search.found).best
