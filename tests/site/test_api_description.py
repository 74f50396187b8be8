"""The API does what its description says: bodies, parameters and errors."""

import json
import re

import jsonschema
import pytest
from django.conf import settings
from django.http import HttpRequest
from django.test import Client
from django.urls import URLPattern, get_resolver
from drf_spectacular.drainage import GENERATOR_STATS, reset_generator_stats
from drf_spectacular.generators import EndpointEnumerator, SchemaGenerator
from drf_spectacular.validation import validate_schema
from openapi_spec_validator import OpenAPIV31SpecValidator
from rest_framework.exceptions import ErrorDetail
from rest_framework.views import APIView

import osmosmjerka
from osmosmjerka.rest import serializers as rest_requests
from osmosmjerka.rest.urls import NowhereView, SchemaView
from osmosmjerka.rest.views import ApiView
from osmosmjerka.web import problems
from puzzles.making.services import LARGEST_SEED
from puzzles.models import Puzzle
from tests.accounts.permission_table import (
    NOBODY,
    OWNER,
    STUDENT,
    TABLE,
    bodies_of,
    path_of,
    persons,
)
from tests.puzzles.making.test_api import Api, read_schema
from vocab.entries.api import PICTURE_TYPES
from vocab.formats import EXPORTS

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def schema():
    return read_schema()


def operations(schema):
    for path, methods in schema["paths"].items():
        for method, operation in methods.items():
            yield f"{method.upper()} {path}", operation


def operation_of(schema, route, method):
    """Return the description of a route of the permission table: its names may be others."""
    wanted = re.sub(r"<\w+>", "{}", f"/{route}")
    for path, methods in schema["paths"].items():
        if re.sub(r"{\w+}", "{}", path) == wanted:
            return methods[method.lower()]
    raise AssertionError(f"{route} is not described")


def problem_in(schema, response):
    if "$ref" in response:
        response = schema["components"]["responses"][response["$ref"].split("/")[-1]]
    [(media_type, content)] = response["content"].items()
    assert media_type == "application/problem+json"
    return content["schema"]


def test_the_document_is_valid_and_made_without_a_warning():
    reset_generator_stats()
    validate_schema(SchemaGenerator().get_schema(public=True))
    assert [*GENERATOR_STATS._warn_cache, *GENERATOR_STATS._error_cache] == []


def test_the_document_has_the_version(schema):
    assert schema["info"]["version"] == osmosmjerka.__version__


def faults_in(description):
    return [error.message for error in OpenAPIV31SpecValidator(description).iter_errors()]


@pytest.mark.thorough
def test_a_validator_of_others_finds_no_fault(client):
    served = client.get("/api/schema/?format=json").json()
    assert faults_in(served) == []
    # The control.
    del served["paths"]["/api/lists/{id}/"]["get"]["parameters"]
    served["paths"]["/api/lists/"]["get"]["operationId"] = "lists_create"
    del served["paths"]["/api/lists/"]["post"]["responses"]["201"]["description"]
    assert len(faults_in(served)) == 3


def test_every_operation_names_its_errors_in_one_shape(schema):
    for name, operation in operations(schema):
        errors = {status for status in operation["responses"] if status >= "400"}
        assert {"400", "403", "406", "500", "503"} <= errors, name
        if {"tokenAuth": []} in operation.get("security", []):
            assert {"401", "429"} <= errors, name
        if "{" in name:
            assert "404" in errors, name
        if "requestBody" in operation:
            assert {"413", "415"} <= errors, name
        for status in errors:
            described = problem_in(schema, operation["responses"][status])
            assert described["$ref"].split("/")[-1] in {"Problem", "Conflict"}, name


def test_every_body_says_that_it_has_no_other_fields(schema):
    bodies = [component for component in schema["components"]["schemas"] if "Request" in component]
    assert len(bodies) > 20
    for name in bodies:
        assert schema["components"]["schemas"][name]["additionalProperties"] is False, name


def test_json_is_what_is_sent_but_for_files(schema):
    others = {
        name: set(operation["requestBody"]["content"])
        for name, operation in operations(schema)
        if "requestBody" in operation
        and set(operation["requestBody"]["content"]) != {"application/json"}
    }
    assert others == {
        "POST /api/puzzles/import/": {"multipart/form-data"},
        "POST /api/schools/{id}/rosters/": {"multipart/form-data"},
        "POST /api/lists/{id}/import/": {"application/json", "multipart/form-data"},
        "POST /api/classes/{id}/students/": {"application/json", "multipart/form-data"},
        "POST /api/entries/{id}/sounds/own/": {"multipart/form-data"},
        "PUT /api/entries/{id}/picture/": {"multipart/form-data", *PICTURE_TYPES},
    }


def test_a_form_is_refused_where_only_json_is_read(sign_in, teacher):
    reply = sign_in(teacher).post("/api/lists/", {"title": "x", "language": "hr"})
    assert (reply.status_code, reply.json()["code"]) == (415, "unsupported_media_type")


def rows(house, other_house, who):
    """Yield who, route, method, path and a right body of everything that somebody may ask."""
    person = persons(house, other_house)[who]
    client = Client()
    client.force_login(person)
    for route, row in TABLE.items():
        if not route.startswith("api/") or route in {"api/", "api/.*/", "api/schema/"}:
            continue
        for method, may in row.items():
            if who in may or (may == NOBODY and who == OWNER):
                yield client, route, method, path_of(route, house), bodies_of(route, house)[0]


def sent(client, method, path, body):
    return client.generic(method, path, json.dumps(body), content_type="application/json")


@pytest.mark.parametrize("who", [OWNER, STUDENT])
def test_what_is_not_described_is_refused_by_name(who, schema, house, other_house):
    """Over all addresses: one more field in the body, one more parameter in the query."""
    problem = schema["components"]["schemas"]["Problem"]
    tried = 0
    for client, route, method, path, body in rows(house, other_house, who):
        operation = operation_of(schema, route, method)
        reply = sent(client, method, f"{path}?nonsense=1", {})
        assert (reply.status_code, reply["Content-Type"]) == (400, problems.MEDIA_TYPE), path
        assert reply.json()["errors"][0]["parameter"] == "nonsense", path
        if "application/json" in operation.get("requestBody", {}).get("content", {}):
            tried += 1
            reply = sent(client, method, path, body | {"nonsense": 1})
            assert reply.status_code == 400, path
            told = reply.json()
            assert told["errors"] == [
                {
                    "pointer": "#/nonsense",
                    "detail": "There is no such field.",
                    "code": "unknown",
                }
            ], path
            jsonschema.validate(told, problem | {"components": schema["components"]})
    assert tried > 5


def test_a_query_may_hold_what_is_described_and_nothing_else(schema):
    described = {
        name: {one["name"] for one in operation.get("parameters", ()) if one["in"] == "query"}
        for name, operation in operations(schema)
    }
    taken = {}
    for path, _regex, method, callback in EndpointEnumerator().get_api_endpoints():
        view = callback.cls()
        if isinstance(view, ApiView):
            view.request = HttpRequest()
            view.request.method = method
            view.action = getattr(callback, "actions", {}).get(method.lower())
            taken[f"{method} {re.sub('{pk}', '{id}', path)}"] = view.parameters()
    assert taken == {name: described[name] for name in taken}
    assert {"page", "search"} < taken["GET /api/lists/"]


def test_without_the_check_a_wrong_parameter_is_ignored(sign_in, teacher, monkeypatch):
    """The control."""
    client = sign_in(teacher)
    assert client.get("/api/lists/?serach=x").status_code == 400
    assert client.head("/api/lists/?serach=x").status_code == 400
    for path in ("/api/lists/?format=xml", "/api/lists/?format=json"):
        [error] = client.get(path).json()["errors"]
        assert (error["parameter"], error["code"]) == ("format", "unknown")
    assert client.get("/api/lists/?search=x").status_code == 200
    monkeypatch.setattr(ApiView, "parameters", lambda view: {"serach"})
    assert client.get("/api/lists/?serach=x").status_code == 200


def api_views(patterns=None):
    for pattern in get_resolver().url_patterns if patterns is None else patterns:
        if isinstance(pattern, URLPattern):
            view = getattr(pattern.callback, "cls", None)
            if view is not None and issubclass(view, APIView):
                yield view
        else:
            yield from api_views(pattern.url_patterns)


def test_every_view_of_the_api_checks_its_parameters():
    unchecked = {view for view in api_views() if not issubclass(view, ApiView)}
    assert unchecked == {SchemaView, NowhereView}


def test_every_operation_is_described_for_itself(schema):
    """Not by what its view is for: whoever deletes wants to know whether it is for good."""
    told = {}
    for name, operation in operations(schema):
        _method, path = name.split(" ", 1)
        assert operation.get("description"), name
        told.setdefault((path, operation["description"]), []).append(name)
    assert [names for names in told.values() if len(names) > 1] == []


def test_a_puzzle_is_accepted_and_made_later_as_described(schema, teacher, animals):
    api = Api("ana")
    reply = api("post", "puzzles/", {"vocabulary_list": animals.pk, "kind": "finder"})
    assert reply.status_code == 202
    described = schema["paths"]["/api/puzzles/"]["post"]["responses"]
    wanted = described["202"]["content"]["application/json"]["schema"]
    jsonschema.validate(reply.json(), wanted | {"components": schema["components"]})
    assert "201" not in described


def test_seeds_are_numbers_that_javascript_can_keep(teacher, animals):
    api, wish = Api("ana"), {"vocabulary_list": animals.pk, "kind": "finder"}
    for _each in range(20):
        assert 0 <= api("post", "puzzles/", wish).json()["seed"] <= 2**53 - 1
    for seed in (LARGEST_SEED + 1, -LARGEST_SEED - 1, 2**63 - 1):
        reply = api("post", "puzzles/", wish | {"seed": seed})
        assert reply.status_code == 400
        assert reply.json()["errors"][0]["pointer"] == "#/seed"
    for seed in (LARGEST_SEED, -LARGEST_SEED):
        assert api("post", "puzzles/", wish | {"seed": seed}).json()["seed"] == seed
    puzzle = Puzzle.objects.first()
    Puzzle.objects.filter(pk=puzzle.pk).update(seed=2**62 + 1)  # as the first version made them
    assert api("get", f"puzzles/{puzzle.code}/").json()["seed"] == 2**62 + 1


def test_settings_that_are_wrong_are_pointed_to(teacher, animals, classroom):
    api = Api("ana")
    for path in ("puzzles/", f"classes/{classroom.pk}/assignments/"):
        wish = {"vocabulary_list": animals.pk, "kind": "word-search", "settings": {"wrods": 5}}
        told = api("post", path, wish).json()
        assert [one["pointer"] for one in told["errors"]] == ["#/settings/wrods"], path
    wish = {"vocabulary_list": animals.pk, "settings": {"seconds": "many"}}
    told = api("post", "searches/", wish).json()
    assert [one["pointer"] for one in told["errors"]] == ["#/settings/seconds"]


def told_by(reply):
    return json.loads(reply.content)


def test_values_are_pointed_to_by_a_json_pointer():
    detail = {
        "a/b": [ErrorDetail("One.", "required")],
        "rows": [{}, {"t~": ["Two."]}],
        "é": {0: ["Three."]},
        "non_field_errors": ["Whole."],
    }
    told = told_by(problems.invalid(detail))
    assert told["errors"] == [
        {"pointer": "#/a~1b", "detail": "One.", "code": "required"},
        {"pointer": "#/rows/1/t~0", "detail": "Two.", "code": "invalid"},
        {"pointer": "#/%C3%A9/0", "detail": "Three.", "code": "invalid"},
    ]
    assert told["detail"] == "a/b: One. rows/1/t~: Two. é/0: Three. …"


def test_what_is_wrong_with_no_single_value_is_only_a_sentence():
    told = told_by(problems.invalid(["Too many puzzles are in preparation."]))
    assert told["detail"] == "Too many puzzles are in preparation."
    assert "errors" not in told


@pytest.mark.parametrize("path", ["/api/nowhere/", "/api/lists/1/export/pdf/", "/api/a%00b/"])
def test_what_is_not_there_is_told_in_json(path, sign_in, teacher):
    reply = sign_in(teacher).get(path)
    assert (reply.status_code, reply["Content-Type"]) == (404, problems.MEDIA_TYPE)
    assert reply.json()["code"] == "not_found"


def test_who_only_views_pages_is_told_so_in_json(sign_in, teacher, student, classroom):
    client = sign_in(teacher)
    client.post(f"/pupils/{student.pk}/view/")
    reply = client.post("/api/review/", {}, content_type="application/json")
    assert (reply.status_code, reply.json()["code"]) == (403, "only_viewing")


def test_the_description_can_be_read_by_everybody_without_a_host_of_others(
    client, sign_in, teacher
):
    for reader in (client, sign_in(teacher)):
        page = reader.get("/api/")
        assert (page.status_code, page["Content-Type"]) == (200, "text/html; charset=utf-8")
        sources = re.findall(r'(?:src|href|data-schema)="([^"]*)"', page.text)
        assert len(sources) >= 5
        for source in sources:
            assert source.startswith("/"), source
            assert reader.get(source).status_code == 200, source
        assert not re.search(r"<style|<script(?! [^>]*src=)| style=", page.text)
    assert "unsafe" not in page["Content-Security-Policy"]
    assert reader.get("/api").url == "/api/"
    assert reader.post("/api/").status_code == 405


def test_the_page_of_the_description_asks_no_validator_and_sends_nothing_that_writes():
    script = (settings.BASE_DIR / "osmosmjerka/static/osmosmjerka/api.js").read_text()
    assert "validatorUrl: null" in script
    assert 'supportedSubmitMethods: ["get"]' in script


def test_a_method_that_is_not_there_is_told_before_wrong_parameters(sign_in, teacher):
    reply = sign_in(teacher).put("/api/lists/?nonsense=1")
    assert (reply.status_code, reply["Allow"]) == (405, "GET, POST, HEAD, OPTIONS")
    assert sign_in(teacher).get("/api/lists/?nonsense=1").status_code == 400  # the control


# {route: fields with values of another type; REST framework would convert each of them}
OF_OTHER_TYPES = [
    ("post", "lists/", {"title": 5}),
    ("post", "lists/", {"uses_digraphs": "yes"}),
    ("post", "lists/", {"uses_digraphs": 1}),
    ("post", "lists/", {"entries": [{"term": 5}]}),
    ("post", "lists/", {"entries": [{"term": "a", "translations": {"en": [5]}}]}),
    ("post", "puzzles/", {"seed": "5"}),
    ("post", "puzzles/", {"vocabulary_list": "1"}),
    ("post", "trial/hint/", {"attempt": 5}),
    ("post", "trial/hint/", {"item": 5}),
    ("post", "trial/hint/", {"cell": ["0", "0"]}),
]


def pointer_to(value, at="#"):
    """Return the pointer to the only value that is in no list or dict."""
    if isinstance(value, dict):
        *_others, (name, below) = value.items()
        return pointer_to(below, f"{at}/{name}")
    return pointer_to(value[0], f"{at}/0") if isinstance(value, list) else at


@pytest.mark.parametrize(("method", "path", "body"), OF_OTHER_TYPES)
def test_values_of_another_type_are_refused_by_name(method, path, body, teacher, monkeypatch):
    api = Api("ana")
    at = pointer_to(body)
    told = api(method, path, body).json()
    assert (at, "wrong_type") in {(one["pointer"], one["code"]) for one in told["errors"]}
    monkeypatch.setattr(rest_requests, "_of_other_type", lambda field, value: None)  # the control
    told = api(method, path, body).json()
    assert at not in {one["pointer"] for one in told["errors"] if one["code"] != "does_not_exist"}


@pytest.mark.parametrize(
    ("body", "at", "wanted"),
    [
        ({"title": 5}, "#/title", "Send text, in quotation marks."),
        ({"title": ["a"]}, "#/title", "Send text, in quotation marks."),
        ({"description": True}, "#/description", "Send text, in quotation marks."),
        ({"uses_digraphs": "yes"}, "#/uses_digraphs",
         "Send true or false, without quotation marks."),
        ({"entries": "krava"}, "#/entries", "Send a list, in square brackets."),
        ({"entries": {"term": "krava"}}, "#/entries", "Send a list, in square brackets."),
        ({"entries": ["krava"]}, "#/entries/0", "Send an object, in curly brackets."),
        ({"entries": [{"term": "krava", "translations": ["cow"]}]}, "#/entries/0/translations",
         "Send an object, in curly brackets."),
    ],
)  # fmt: skip
def test_who_sends_another_type_is_told_what_to_send(body, at, wanted, teacher):
    told = Api("ana")("post", "lists/", body).json()
    assert {"pointer": at, "detail": wanted, "code": "wrong_type"} in told["errors"]


def test_who_chooses_what_there_is_not_is_told_what_there_is(teacher, animals):
    api = Api("ana")
    asked = {"vocabulary_list": animals.pk, "kind": "sudoku"}
    (kind,) = api("post", "puzzles/", asked).json()["errors"]
    assert (
        kind["detail"]
        == "“sudoku” is not a valid choice. Choose one of: crossword, finder, word-search."
    )
    assert (kind["pointer"], kind["code"]) == ("#/kind", "invalid_choice")
    (ordering,) = api("get", "lists/?ordering=colour").json()["errors"]
    assert ordering["detail"].startswith("“colour” is not a valid choice. Choose one of: ")
    assert ordering["parameter"] == "ordering"


def test_choices_may_be_numbers(make_puzzle, teacher):
    path = f"puzzles/{make_puzzle('finder').code}/worksheets/"
    for printing, is_right in (({"per_page": 2}, True), ({"per_page": "2"}, False)):
        reply = Api("ana")("post", path, {"content": "versions", "printing": printing})
        assert (reply.status_code == 202) == is_right, reply.content


def test_null_and_whole_numbers_with_a_point_are_of_the_right_type(teacher, animals):
    api, wish = Api("ana"), {"vocabulary_list": animals.pk, "kind": "finder"}
    assert api("post", "puzzles/", wish | {"seed": None}).status_code == 202
    assert api("post", "puzzles/", wish | {"seed": 5.0}).json()["seed"] == 5
    assert api("post", "puzzles/", wish | {"seed": 5.5}).status_code == 400


def test_what_a_change_needs_is_described(schema, teacher, animals):
    """Of a PATCH, any field may be left out, except those that are named."""
    api = Api("ana")
    swan = animals.entries.get(term="labud")
    puzzle = Puzzle.objects.create(
        vocabulary_list=animals, kind="finder", title="x", created_by=teacher, seed=1
    )
    for path, described in (
        (f"lists/{animals.pk}/", "/api/lists/{id}/"),
        (f"lists/{animals.pk}/voice/", "/api/lists/{id}/voice/"),
        (f"entries/{swan.pk}/", "/api/entries/{id}/"),
        (f"puzzles/{puzzle.code}/", "/api/puzzles/{code}/"),
    ):
        body = schema["paths"][described]["patch"]["requestBody"]["content"]["application/json"]
        needed = schema["components"]["schemas"][body["schema"]["$ref"].split("/")[-1]].get(
            "required", []
        )
        reply = api("patch", path, {})
        told = reply.json().get("errors", [])
        assert [(one["pointer"], one["code"]) for one in told] == [
            (f"#/{name}", "required") for name in needed
        ], path
    assert needed == ["title"]


def test_bodies_are_described_as_they_are_judged(schema, teacher):
    """What the description forbids is refused, and what it allows is taken."""
    api = Api("ana")
    described = schema["components"]["schemas"]["VocabularyListRequest"]
    described |= {"components": schema["components"]}
    right = {"title": "x", "language": "hr", "translation_languages": ["en"]}
    tried = {
        "language": ["hr", "pt-BR", "sr-Latn", "de-x-own", "h", "00", "hr-", "deutsch1"],
        "translation_languages": [["en"], [], ["0"]],
        "entries": [
            [{"term": "a", "translations": {"en": ["b"]}}],
            [{"term": "a", "translations": {"": ["b"]}}],
            [{"term": "a", "translations": {"0": ["b"]}}],
            [{"term": "a", "extra": {"Chapter": "7"}}],
            [{"term": "a", "extra": {" ": "7"}}],
        ],
    }
    outcomes = set()
    for name, values in tried.items():
        for value in values:
            body = right | {name: value}
            is_right = jsonschema.Draft202012Validator(described).is_valid(body)
            assert (api("post", "lists/", body).status_code == 201) == is_right, (name, value)
            outcomes.add(is_right)
    assert outcomes == {True, False}


def test_lists_are_exported_and_words_deleted_as_described(schema, teacher, animals):
    api = Api("ana")
    described = schema["paths"]["/api/lists/{id}/export/{kind}/"]["get"]["responses"]["200"]
    for kind in EXPORTS:
        reply = api("get", f"lists/{animals.pk}/export/{kind}/")
        assert reply["Content-Type"].partition(";")[0] in described["content"], kind
    swan = animals.entries.get(term="labud")
    status = api("delete", f"entries/{swan.pk}/").status_code
    assert str(status) in schema["paths"]["/api/entries/{id}/"]["delete"]["responses"]


@pytest.mark.parametrize("query", ["mode=nonsense", "list=x", "more=-1", "more=x"])
def test_parameters_of_the_review_are_judged(query, sign_in, student):
    reply = sign_in(student).get(f"/api/review/?{query}")
    assert reply.status_code == 400
    assert reply.json()["errors"][0]["parameter"] == query.partition("=")[0]


def test_a_session_has_the_same_id_before_and_after_its_end(make_puzzle, sign_in, student):
    puzzle, client = make_puzzle("finder"), sign_in(student)
    path = f"/api/play/{puzzle.code}/"
    begun = client.get(path).json()["session"]["id"]
    ended = client.post(f"{path}finish/").json()["session"]
    assert ended == {"id": begun, "state": "finished"}


@pytest.mark.parametrize("path", ["/api/classes/", "/api/schools/", "/api/students/"])
def test_what_is_for_teachers_is_not_there_for_students_and_says_so(path, schema, house):
    student = Client()
    student.force_login(house.student)
    assert "404" in schema["paths"][path]["post"]["responses"]
    assert sent(student, "POST", path, {}).status_code == 404
    for who in (house.student, house.teacher):
        client = Client()
        client.force_login(who)
        assert sent(client, "PUT", path, {}).status_code == 405
