"""The stories of teacher and student through the HTTP API alone."""

import json
import uuid
from functools import cache

import jsonschema
import pytest
from django.test import Client
from drf_spectacular.generators import SchemaGenerator

from osmosmjerka.jobs import ledger
from puzzles.making.services import job_of
from puzzles.models import Puzzle
from tests.conftest import ANIMALS, PASSWORD

pytestmark = pytest.mark.django_db


class Api:
    """A client that logs in by token, as a program does."""

    def __init__(self, username):
        self.client = Client()
        token = self.client.post(
            "/api/token/",
            {"username": username, "password": PASSWORD},
            content_type="application/json",
        )
        self.headers = {"Authorization": f"Token {token.json()['token']}"}

    def __call__(self, method, path, body=None):
        extra = {} if body is None else {"data": json.dumps(body)}
        if body is not None:
            extra["content_type"] = "application/json"
        return getattr(self.client, method)(f"/api/{path}", headers=self.headers, **extra)


def list_body(**changes):
    return {
        "title": "Animals",
        "language": "hr",
        "translation_languages": ["en"],
        "entries": [
            {"term": term, "translations": {"en": [meaning]}} for term, meaning in ANIMALS.items()
        ],
    } | changes


def test_from_list_to_summary_by_api(teacher, student, classroom):
    api = Api("ana")
    made = api("post", "lists/", list_body())
    assert made.status_code == 201, made.content
    assert made.json()["entries"][0]["tiles"] == list("KROKODIL")
    wanted = {
        "vocabulary_list": made.json()["id"],
        "kind": "word-search",
        "classroom": classroom.pk,
        "settings": {"words": 6},
        "seed": 7,
    }
    queued = api("post", "puzzles/", wanted)
    assert queued.status_code == 202, queued.content
    code = queued.json()["code"]
    assert queued.json()["state"] == "queued"
    ledger.run_job(str(job_of(Puzzle.objects.get()).pk))
    ready = api("get", f"puzzles/{code}/").json()
    assert (ready["state"], ready["progress"]) == ("ready", 100)
    pupil = Api("luka")
    state = pupil("get", f"play/{code}/").json()
    assert state["total"] == 6
    finished = pupil("post", f"play/{code}/finish/", {}).json()
    assert finished["session"]["state"] == "finished"
    assert api("delete", f"puzzles/{code}/").status_code == 204
    assert pupil("get", f"play/{code}/").status_code == 404


def test_words_that_are_sent_later_are_added(teacher):
    api = Api("ana")
    made = api("post", "lists/", list_body(entries=[])).json()
    entries = [{"term": "sova", "translations": {"en": ["owl"]}, "tags": ["birds"]}]
    changed = api("patch", f"lists/{made['id']}/", {"title": "Birds", "entries": entries})
    assert changed.status_code == 200, changed.content
    assert changed.json()["title"] == "Birds"
    assert [entry["term"] for entry in changed.json()["entries"]] == ["sova"]
    overview = api("get", "lists/").json()
    assert "entries" not in overview["results"][0]


@pytest.mark.parametrize(
    ("change", "named"),
    [
        ({"kind": "sudoku"}, "kind"),
        ({"settings": {"wrods": 5}}, "wrods"),
        ({"settings": {"words": 0}}, "words"),
        ({"settings": {"difficulty": "brutal"}}, "difficulty"),
        ({"vocabulary_list": 999999}, "vocabulary_list"),
        ({"classroom": 999999}, "classroom"),
    ],
)
def test_a_wrong_wish_is_named(change, named, teacher, animals):
    wish = {"vocabulary_list": animals.pk, "kind": "word-search"} | change
    reply = Api("ana")("post", "puzzles/", wish)
    assert reply.status_code == 400
    assert named in reply.content.decode()
    assert not Puzzle.objects.exists()


def test_a_language_that_is_none_is_refused(teacher):
    reply = Api("ana")("post", "lists/", list_body(language="no language!"))
    assert reply.status_code == 400
    assert reply.json()["errors"][0]["pointer"] == "#/language"


def test_a_strangers_list_or_class_cannot_be_used(stranger, animals, classroom):
    api = Api("zora")
    for wish in (
        {"vocabulary_list": animals.pk},
        {"vocabulary_list": animals.pk, "classroom": classroom.pk},
    ):
        assert api("post", "puzzles/", wish | {"kind": "finder"}).status_code == 400
    assert not Puzzle.objects.exists()


def test_a_student_makes_no_lists(student):
    assert Api("luka")("post", "lists/", list_body()).status_code == 403


def test_fields_that_are_not_offered_are_refused_by_name(teacher, stranger, animals):
    api = Api("ana")
    refused = api("post", "lists/", list_body(owner=stranger.pk, id=1))
    assert refused.status_code == 400
    told = {one["pointer"]: (one["detail"], one["code"]) for one in refused.json()["errors"]}
    assert told == {
        "#/owner": ("There is no such field.", "unknown"),
        "#/id": ("This field cannot be set.", "read_only"),
    }
    within = api("post", "lists/", list_body(entries=[{"term": "a"}, {"trem": "b"}]))
    assert within.json()["errors"][0]["pointer"] == "#/entries/1/trem"
    assert within.json()["detail"] == "entries/1/trem: There is no such field."
    assert not teacher.vocabulary_lists.exclude(pk=animals.pk).exists()
    wish = {"vocabulary_list": animals.pk, "kind": "finder"}
    for field in ("state", "created_by", "reason", "code"):
        assert api("post", "puzzles/", wish | {field: "x"}).status_code == 400
    assert not Puzzle.objects.exists()
    assert api("post", "puzzles/", wish).status_code == 202  # the control


def test_the_schema_describes_every_address(client):
    schema = read_schema()
    assert {"/api/lists/", "/api/puzzles/", "/api/play/{code}/attempts/", "/api/token/"} <= set(
        schema["paths"]
    )
    assert client.get("/api/schema/").status_code == 200


@cache
def read_schema():
    """Return the description of the API, which no test changes."""
    return SchemaGenerator().get_schema(public=True)


def held_to(schema, path, method, answer, status="200"):
    """Hold an answer to what the schema says of it; what it does not name is a fault too."""
    closed = {
        name: component | ({"additionalProperties": False} if "properties" in component else {})
        for name, component in schema["components"]["schemas"].items()
    }
    described = schema["paths"][path][method]["responses"][status]["content"]
    media_type = "application/json" if status < "400" else "application/problem+json"
    wanted = described[media_type]["schema"] | {"components": {"schemas": closed}}
    jsonschema.validate(answer, wanted)


@pytest.mark.parametrize("kind", ["word-search", "finder", "crossword"])
def test_what_a_player_gets_is_as_the_schema_describes_it(kind, make_puzzle, student):
    schema, pupil, puzzle = read_schema(), Api("luka"), make_puzzle(kind)
    path = "/api/play/{code}/"
    first, second = puzzle.placements.all()[:2]
    held_to(schema, path, "get", pupil("get", f"play/{puzzle.code}/").json())
    wrong = {"attempt": str(uuid.uuid4()), "item": first.slot, "cells": second.cells}
    right = {"attempt": str(uuid.uuid4()), "item": first.slot, "cells": first.cells}
    if kind == "crossword":
        wrong["tiles"] = ["Q"] * len(first.tiles)
        right["tiles"] = first.tiles
    else:
        wrong["cells"] = [[0, 0], [0, 1]]
    for attempt in (wrong, right):
        answer = pupil("post", f"play/{puzzle.code}/attempts/", attempt)
        assert answer.json()["outcome"] == ("wrong" if attempt is wrong else "found")
        held_to(schema, path + "attempts/", "post", answer.json())
    hint = pupil("post", f"play/{puzzle.code}/hint/", {"item": second.slot, "kind": "first_cell"})
    held_to(schema, path + "hint/", "post", hint.json())
    refused = pupil(
        "post",
        f"play/{puzzle.code}/attempts/",
        wrong | {"attempt": str(uuid.uuid4()), "cells": [[99, 99]], "item": "none"},
    )
    held_to(schema, path + "attempts/", "post", refused.json(), "400")
    held_to(
        schema, path + "finish/", "post", pupil("post", f"play/{puzzle.code}/finish/", {}).json()
    )
    over = pupil("post", f"play/{puzzle.code}/attempts/", wrong | {"attempt": str(uuid.uuid4())})
    held_to(schema, path + "attempts/", "post", over.json(), "409")


def test_an_answer_that_the_schema_does_not_describe_is_noticed(make_puzzle, student):
    """The control: one more field, or a missing one."""
    state = Api("luka")("get", f"play/{make_puzzle().code}/").json()
    for changed in (state | {"secret": 1}, {k: v for k, v in state.items() if k != "items"}):
        with pytest.raises(jsonschema.ValidationError):
            held_to(read_schema(), "/api/play/{code}/", "get", changed)


def test_the_title_of_a_puzzle_is_changed_and_nothing_else(make_puzzle, teacher):
    puzzle, api = make_puzzle(), Api("ana")
    reply = api("patch", f"puzzles/{puzzle.code}/", {"title": " Monday "})
    assert (reply.status_code, reply.json()["title"]) == (200, "Monday")
    reply = api("patch", f"puzzles/{puzzle.code}/", {"title": "x", "kind": "crossword"})
    assert (reply.status_code, reply.json()["errors"][0]["pointer"]) == (400, "#/kind")
    puzzle.refresh_from_db()
    assert (puzzle.title, puzzle.kind) == ("Monday", "word-search")
    refused = api("patch", f"puzzles/{puzzle.code}/", {"title": " "})
    assert refused.status_code == 400
