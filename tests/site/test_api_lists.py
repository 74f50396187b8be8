"""Lists of the API: pages, filters and orders, and what of these is refused."""

from datetime import timedelta

import pytest
from django.utils import timezone

from puzzles.models import Assignment, Puzzle
from tests.conftest import rows
from tests.puzzles.making.test_api import Api
from vocab.lists import services as list_services

pytestmark = [pytest.mark.django_db, pytest.mark.database]


@pytest.fixture
def api(teacher):
    return Api("ana")


def titles(api, path):
    reply = api("get", path)
    assert reply.status_code == 200, reply.content
    return [one["title"] for one in reply.json()["results"]]


def list_of(teacher, words, title="x", language="hr"):
    return list_services.create_list(
        owner=teacher,
        title=title,
        language=language,
        translation_languages=["en"],
        rows=rows(dict.fromkeys(words, "y")),
    )


@pytest.fixture
def lists(teacher):
    return [
        list_of(teacher, ["pas"], title, language)
        for title, language in (("Zoo", "pl"), ("Čas", "hr"), ("Cvijet", "hr"))
    ]


def test_a_page_is_as_large_as_asked_for(api, lists):
    first = api("get", "lists/?page_size=2&ordering=title").json()
    assert (first["count"], len(first["results"]), first["previous"]) == (3, 2, None)
    assert "page_size=2" in first["next"]
    last = api("get", f"lists/?{first['next'].split('?')[1]}").json()
    assert (len(last["results"]), last["next"]) == (1, None)
    assert api("get", "lists/?page=3&page_size=2").status_code == 404


@pytest.mark.parametrize("size", ["0", "-1", "501", "many", ""])
def test_a_page_that_cannot_be_is_refused_in_a_sentence(size, api):
    reply = api("get", f"lists/?page_size={size}")
    assert reply.status_code == 400
    [error] = reply.json()["errors"]
    assert error["parameter"] == "page_size"
    assert error["detail"].endswith(".")
    assert api("get", "lists/?page_size=500").status_code == 200  # the control


def test_lists_are_found_by_language_and_in_alphabetical_order(api, lists):
    assert titles(api, "lists/?language=hr&ordering=title") == ["Čas", "Cvijet"]
    assert titles(api, "lists/?language=PL") == ["Zoo"]
    assert titles(api, "lists/?language=hr&search=cvi") == ["Cvijet"]
    for wrong in ("language=no language", "ordering=language"):
        assert api("get", f"lists/?{wrong}").json()["errors"][0]["parameter"] == wrong.split("=")[0]


def test_words_of_a_list_come_in_pages_and_by_search(api, animals):
    path = f"lists/{animals.pk}/entries/"
    whole = api("get", path).json()
    assert whole["count"] == animals.entries.count()
    in_list = api("get", f"lists/{animals.pk}/").json()["entries"]
    assert whole["results"] == in_list
    page = api("get", f"{path}?page_size=2&page=2").json()
    assert page["results"] == in_list[2:4]
    found = api("get", f"{path}?search=krokodil").json()["results"]
    assert [entry["term"] for entry in found] == ["krokodil"]
    assert api("get", f"{path}?missing=picture").json()["count"] == whole["count"]
    assert api("get", f"{path}?missing=words").status_code == 400


def test_words_of_a_list_cost_as_many_queries_however_many_they_are(
    api, teacher, django_assert_max_num_queries
):
    few, many = (list_of(teacher, [f"riječ{n}" for n in range(count)]) for count in (1, 30))
    api("get", f"lists/{few.pk}/entries/")
    with django_assert_max_num_queries(20) as first:
        api("get", f"lists/{few.pk}/entries/")
    with django_assert_max_num_queries(len(first)):
        assert api("get", f"lists/{many.pk}/entries/").json()["count"] == 30


def test_a_stranger_reads_no_words(animals, stranger):
    assert Api("zora")("get", f"lists/{animals.pk}/entries/").status_code == 404


def test_puzzles_are_found_by_kind_state_and_list(api, make_puzzle, animals):
    finder, crossword = make_puzzle("finder"), make_puzzle("crossword")
    Puzzle.objects.filter(pk=finder.pk).update(title="B", state="failed")
    Puzzle.objects.filter(pk=crossword.pk).update(title="a")
    assert titles(api, "puzzles/?ordering=title") == ["a", "B"]
    assert titles(api, "puzzles/?ordering=created_at") == ["B", "a"]
    assert titles(api, "puzzles/?kind=finder") == ["B"]
    assert titles(api, "puzzles/?state=ready") == ["a"]
    assert titles(api, f"puzzles/?vocabulary_list={animals.pk}&kind=crossword") == ["a"]
    assert titles(api, "puzzles/?vocabulary_list=999999") == []
    for wrong in ("kind=sudoku", "state=new", "vocabulary_list=x", f"vocabulary_list={10**30}"):
        assert api("get", f"puzzles/?{wrong}").status_code == 400, wrong


def test_assignments_are_found_by_state(api, make_puzzle, classroom, teacher):
    now, hour = timezone.now(), timedelta(hours=1)
    dates = [
        {},
        {"is_draft": True},
        {"opens_at": now + hour},
        {"closes_at": now - hour},
        {"opens_at": now - hour, "closes_at": now + hour},
        {"archived_at": now, "is_draft": True},
        {"is_draft": True, "closes_at": now - hour},
        {"opens_at": now + hour, "closes_at": now - hour},
    ]
    puzzle = make_puzzle()
    Assignment.objects.all().delete()
    for change in dates:
        copy = Puzzle.objects.get(pk=puzzle.pk)
        copy.pk, copy.code, copy._state.adding = None, f"c{dates.index(change)}", True
        copy.save()
        Assignment.objects.create(puzzle=copy, classroom=classroom, created_by=teacher, **change)
    path = f"classes/{classroom.pk}/assignments/"
    every = {one["id"]: one["state"] for one in api("get", path).json()["results"]}
    assert set(every.values()) == set(Assignment.State.values)
    for state in Assignment.State.values:
        found = {one["id"] for one in api("get", f"{path}?state={state}").json()["results"]}
        assert found == {pk for pk, of in every.items() if of == state}, state
    oldest = api("get", f"{path}?ordering=created_at").json()["results"]
    assert [one["id"] for one in oldest] == sorted(every)
    assert api("get", f"{path}?state=over").status_code == 400
