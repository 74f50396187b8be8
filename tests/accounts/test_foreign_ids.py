"""Requests that name another school's things, or fields that nobody asked for.

What is sent comes from the rows and right bodies of permission_table.py. Which names hold ids is
read from the code: from its forms, its serializers, and the places where views read a request.
"""

import json
import re
from collections import Counter
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest
from django import forms
from django.apps import apps
from django.db import connection
from django.http import QueryDict
from django.urls import get_resolver
from rest_framework.relations import RelatedField
from rest_framework.serializers import BaseSerializer

from osmosmjerka.accounts.models import Classroom
from tests.accounts.house import READS_JSON, ask
from tests.accounts.permission_table import (
    ANYBODY,
    METHODS,
    OWNER,
    STUDENT,
    bodies_of,
    names_in,
    path_of,
)
from tests.accounts.sweep import Request, let_in
from tests.layers import IS_THOROUGH, daily

ROOT = Path(__file__).resolve().parents[2]
APPS = ("accounts", "jobs", "puzzles", "vocab")

# What each name of an id means. The test below fails for a name that is not here.
FOREIGN_ID = {
    "classroom": lambda h: h.classroom.pk,
    "vocabulary_list": lambda h: h.vocabulary_list.pk,
    "list": lambda h: h.vocabulary_list.pk,
    "target": lambda h: h.vocabulary_list.pk,
    "entry": lambda h: h.entry.pk,
    "entries": lambda h: [h.entry.pk],
    "pinned": lambda h: [h.entry.pk],
    "banned": lambda h: [h.entry.pk],
    "student": lambda h: h.student.pk,
    "students": lambda h: [h.student.pk],
    "requests": lambda h: [h.join_request.pk],
    "excuse": lambda h: h.student.pk,
    "chosen_students": lambda h: [h.student.pk],
    "excused": lambda h: [h.student.pk],
    "puzzle": lambda h: h.puzzle.code,
    "again": lambda h: h.assignment.pk,
    "assignment": lambda h: h.assignment.pk,
    "username": lambda h: h.student.username,
    "teacher": lambda h: h.guest.pk,
    "request": lambda h: h.join_request.pk,
    "class": lambda h: "c1",  # a class of the own file
    "absent": lambda h: [h.student.pk],
    "set": lambda h: h.worksheet_set.pk,
    "player": lambda h: str(h.player.pk),
    "team": lambda h: 2,  # a number of the own game
    "invitation": lambda h: "0" * 27,  # a token, in a link to log in
    "session": lambda h: str(h.puzzle.sessions.get().pk),
}


# Whoever has the code of a class is let to its door; here the code is what is to be guessed.
OPEN_BY_CODE = {("c/<code>/", "code"), ("c/<code>/join/", "code")}
# Whoever has a link may open what it shows, if the site lets them.
OPEN_BY_LINK = ("s/<token>/", "p/<token>/", "api/shared/<token>/")
# Whoever has somebody's username and password logs in as them; in tests all passwords are alike.
OPEN_BY_PASSWORD = {("api/token/", "username")}


def sources():
    for folder in ("osmosmjerka", "vocab", "puzzles"):
        for path in (ROOT / folder).rglob("*.py"):
            yield path.read_text(encoding="utf-8")


def subclasses(kind):
    for each in kind.__subclasses__():
        yield each
        yield from subclasses(each)


def names_of_ids():
    """Return every name under which a request may hold an id, as the code shows it."""
    found = set()
    assert get_resolver().url_patterns  # that all views, and their forms, are loaded
    for form in subclasses(forms.BaseForm):
        if form.__module__.endswith(".admin"):
            continue  # for site admins only, to whom nothing is foreign
        if form.__module__.split(".")[0] in {"osmosmjerka", "vocab", "puzzles"}:
            for name, field in form.base_fields.items():
                if isinstance(field, forms.ModelChoiceField):
                    found.add(name)
    for serializer in subclasses(BaseSerializer):
        if serializer.__module__.split(".")[0] in {"osmosmjerka", "vocab", "puzzles"}:
            for name, field in getattr(serializer, "_declared_fields", {}).items():
                if isinstance(field, RelatedField) and not field.read_only:
                    found.add(name)
    named = {
        model._meta.model_name for app in APPS for model in apps.get_app_config(app).get_models()
    }
    related = {
        field.name
        for app in APPS
        for model in apps.get_app_config(app).get_models()
        for field in (*model._meta.fields, *model._meta.many_to_many)
        if field.is_relation
    }
    for text in sources():
        for call in re.findall(r"(?:_numbers?|ids?_(?:of|in))\(([^\n]*)", text):
            found |= set(re.findall(r'request\.(?:POST|GET)(?:\.get(?:list)?\(|\[)"(\w+)"', call))
        read = re.findall(r'request\.(?:POST|GET|data)(?:\.get(?:list)?\(|\[)"(\w+)"', text)
        asked = re.findall(
            r"^    (\w+) = (?:forms|serializers)\.(?:Int|Typed|UUID|Slug)", text, re.M
        )
        called = named | related | {"list", "entries"}
        found |= {name for name in (*read, *asked) if name in called}
    return found


def test_every_name_of_an_id_is_swapped():
    found = names_of_ids()
    known = {"classroom", "student", "entry", "entries", "target", "vocabulary_list", "excuse"}
    assert known | {"list", "chosen_students", "pinned"} <= found, "the reading misses some"
    assert found - set(FOREIGN_ID) == set(), "say in FOREIGN_ID what kind of id this is"


MODELS = [
    model
    for app in APPS
    for model in apps.get_app_config(app).get_models(include_auto_created=True)
    # The data of a session is signed with the time: no two requests write the same.
    if model.__name__ not in {"AuditEntry", "BrowserSession", "FailedLogin"}
]
# Of each table the columns that lead to another, and where to.
KEYS = {
    model._meta.label: [
        (field.column, field.related_model._meta.label)
        for field in model._meta.fields
        if field.is_relation
    ]
    for model in MODELS
}


def read(model):
    """Return the rows of a table by number, as the database has them: models would be slow."""
    table = connection.ops.quote_name(model._meta.db_table)
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT * FROM {table}")  # noqa: S608 - a name of ours
        names = [column[0] for column in cursor.description]
        number = names.index(model._meta.pk.column)
        return {row[number]: dict(zip(names, row, strict=True)) for row in cursor.fetchall()}


def everything():
    """Return every row but of activity log, sessions and failed logins, by table and number."""
    return {model._meta.label: read(model) for model in MODELS}


def after(before, writes):
    """Return everything after some writes: only the tables that they name are read again."""
    names = set(re.findall(r'"(\w+)"', " ".join(writes)))
    return before | {
        model._meta.label: read(model) for model in MODELS if model._meta.db_table in names
    }


def changed(before, after):
    """Yield the table, number and fields of each row that is new, gone or otherwise."""
    for table, rows in after.items():
        was = before[table]
        if rows is not was:
            for number in rows.keys() | was.keys():
                if rows.get(number) != was.get(number):
                    yield (table, number), rows.get(number, {})


def leads_to(place, fields, foreign):
    """Return whether a row has a key to a row of the other school."""
    return any((to, fields.get(column)) in foreign for column, to in KEYS[place[0]])


def rows_of(house):
    """Return the places of all rows that belong to a school, found by following its keys."""
    found = {("accounts.School", house.school.pk)}
    rows = {
        (table, number): fields
        for table, of in everything().items()
        for number, fields in of.items()
    }
    while True:
        more = {
            place
            for place, fields in rows.items()
            if place not in found and leads_to(place, fields, found)
        }
        if not more:
            return found
        found |= more


@pytest.fixture
def names_read(monkeypatch):
    """Return which names a view looks at in a form or a query, found by a request that is right."""
    seen = set()
    for method in ("get", "getlist", "__getitem__", "__contains__"):
        plain = getattr(QueryDict, method)

        def noted(query, name, *rest, plain=plain):
            seen.add(name)
            return plain(query, name, *rest)

        monkeypatch.setattr(QueryDict, method, noted)

    def names_read(asked, other):
        if asked.path.startswith(READS_JSON):
            yield from names_taken(asked, other)
            return
        seen.clear()
        asked.ask()
        yield from ({name} for name in seen & set(FOREIGN_ID))

    return names_read


def with_names(asked, names, other):
    return replace(asked, body=asked.body | {name: FOREIGN_ID[name](other) for name in names})


def names_taken(asked, other):
    """Yield each name that an address of the API does not refuse as unknown, to be sent alone.

    Where nothing that is sent is looked at, all names are sent at once. A thorough run believes
    no refusal, and sends each.
    """
    reply = with_names(asked, FOREIGN_ID.keys() - asked.body.keys(), other).ask()
    told = json.loads(reply.text or "{}").get("errors", []) if reply.status == 400 else []
    unknown = {
        error.get("parameter") or error["pointer"].removeprefix("#/")
        for error in told
        if error["code"] == "unknown"
    }
    if reply.status < 300 and not IS_THOROUGH:
        yield set(FOREIGN_ID)
    else:
        yield from ({name} for name in FOREIGN_ID if IS_THOROUGH or name not in unknown)


def with_a_foreign_id(asked, own, other, names_read):
    """Yield a right request with one id after the other of the other school's."""
    for name in names_in(asked.route):
        is_link = name == "token" and asked.route.startswith(OPEN_BY_LINK)
        if (asked.route, name) not in OPEN_BY_CODE and not is_link:
            yield name, replace(asked, path=path_of(asked.route, own, **{name: other}))
    for names in names_read(asked, other):
        names = {name for name in names if (asked.route, name) not in OPEN_BY_PASSWORD}
        yield ", ".join(names), with_names(asked, names, other)


@pytest.mark.parametrize("who", daily(OWNER, of=[OWNER, STUDENT]))
def test_a_foreign_id_reads_and_writes_nothing(who, house, other_house, names_read):
    before, foreign = everything(), rows_of(other_house)
    wrong, tried = [], 0
    for right in let_in(house, other_house, who):
        for name, asked in with_a_foreign_id(right, house, other_house, names_read):
            tried += 1
            reply = asked.ask(follow=True, look=partial(after, before))
            if other_house.secret in reply.text:
                wrong.append(f"{asked} ({name}) read something foreign")
            for place, fields in changed(before, reply.after or before):
                if place in foreign or leads_to(place, fields, foreign):
                    wrong.append(f"{asked} ({name}) wrote {place}")
    assert wrong == []
    assert tried > 50


def test_the_detector_of_foreign_writes_finds_one(house, other_house, monkeypatch):
    """The control: with the access table off, a teacher gives a foreign class a puzzle."""
    monkeypatch.setattr(
        "puzzles.assignments.assign_page.classrooms",
        lambda person, action: Classroom.objects.all(),
    )
    before, foreign = everything(), rows_of(other_house)
    [body, *_others] = bodies_of("assign/", house)
    body |= {"classroom": other_house.classroom.pk, "student": []}
    reply = ask(house.teacher, "POST", "/assign/", body, look=partial(after, before))
    assert any(leads_to(*row, foreign) for row in changed(before, reply.after))


# Of several right bodies of an address the others are left to the thorough run.
MOST = None if IS_THOROUGH else 1

# Fields that nobody may set by asking; each value can be told from what the site sets by itself.
EXTRA = {
    "score": 987654, "found": 987654, "found_count": 987654, "wrong": 987654, "attempts": 987654,
    "is_staff": "on", "is_superuser": "on", "is_active": "", "is_archived": "on",
    "groups": [1], "user_permissions": [1], "credential_stamp": "extra-stamp",
    "state": "ready", "outcome": "found", "role": "school_admin", "email": "extra@extra.example",
    "join_code": "EXTRAEXT", "code": "extra-code", "token_hash": "extra-hash", "seed": 987654,
    "retention_days": 987654, "visibility": "public", "is_join_open": "on", "uses_pictures": "on",
    "created_at": "2001-02-03", "finished_at": "2001-02-03", "archived_at": "2001-02-03",
    "erasure_warned_at": "2001-02-03", "joined_at": "2001-02-03", "password": "extra-password-1",
}  # fmt: skip
# The fields that a page has for this: sent here they are no extra.
ASKED = {
    "password/": {"email"},
    "lists/new/": {"visibility"},
    "lists/<pk>/settings/": {"visibility"},
    "api/lists/": {"visibility"},
    "api/lists/<pk>/": {"visibility"},
    "api/puzzles/": {"seed"},
    "assign/": {"seed", "attempts"},
    "api/classes/<pk>/assignments/": {"attempts"},
    "api/assignments/<pk>/": {"attempts"},
    "api/play/<code>/attempts/": {"session"},
    "classes/<pk>/change/": {"is_join_open", "uses_pictures"},
}


# Whose a row is: each is given the number of somebody of the other school.
WHOSE = (
    "owner", "owner_id", "user", "user_id", "student", "student_id", "created_by",
    "created_by_id", "teacher", "actor", "session", "id", "pk",
)  # fmt: skip


def extras_for(route, other, body):
    extra = EXTRA | dict.fromkeys(WHOSE, other.teacher.pk)
    extra |= dict.fromkeys(("school", "school_id"), other.school.pk)
    asked = ASKED.get(route, set()) | body.keys()
    return {name: value for name, value in extra.items() if name not in asked}


def values(everything, tables):
    """Return every field of every row of some tables by its place and name."""
    return {
        (table, number, name): value
        for table in tables
        for number, fields in everything[table].items()
        for name, value in fields.items()
    }


def taken(asked, extra, before, foreign):
    """Return what a right request leaves otherwise in the database with *extra* fields.

    What two equal requests leave differently (random codes, times, new rows' numbers) is looked
    at for the extra values themselves, which no more rows may have than after an equal request
    (PostgreSQL numbers new rows on though the first are undone), and for keys that lead to
    the other school.
    """
    look = partial(after, before)
    more = replace(asked, body=extra | asked.body).ask(look=look)
    if more.is_refused:
        return []
    first = asked.ask(look=look)
    if not (first.writes or more.writes):
        return []
    first, again, more = (answer.after or before for answer in (first, asked.ask(look=look), more))
    written = {
        table for table, rows in before.items()
        if any(answer[table] is not rows for answer in (first, again, more))
    }  # fmt: skip
    told = {str(value) for value in extra.values() if len(str(value)) > 3}
    was, is_again, got = (values(answer, written) for answer in (first, again, more))
    usual, given = (
        Counter((model, name, str(value)) for (model, _, name), value in of.items())
        for of in (was, got)
    )
    more_often = {counted for counted, times in given.items() if times > usual[counted]}
    wrong = []
    for key in was.keys() | got.keys():
        if key in was and key in is_again and was[key] == is_again[key]:
            if got.get(key) != was[key]:
                wrong.append((asked, key, was[key], got.get(key)))
        elif str(got.get(key)) in told and (key[0], key[2], str(got[key])) in more_often:
            wrong.append((asked, key, got[key]))
    for place, fields in changed(first, more):
        if fields and leads_to(place, fields, foreign):
            wrong.append((asked, place, "leads to the other school"))
    return wrong


@pytest.mark.parametrize("who", daily(OWNER, of=[OWNER, STUDENT, ANYBODY]))
def test_fields_that_nobody_asked_for_are_not_taken(who, house, other_house):
    before, foreign = everything(), rows_of(other_house)
    wrong, tried = [], 0
    for asked in let_in(house, other_house, who, methods=METHODS[1:], most=MOST):
        extra = extras_for(asked.route, other_house, asked.body)
        wrong += taken(asked, extra, before, foreign)
        tried += 1
    assert wrong == []
    assert tried > 10


def test_the_detector_of_extra_fields_finds_one(house, other_house):
    """The control: a field that the page has is taken."""
    route = "classes/<pk>/change/"
    asked = Request(
        OWNER, house.teacher, route, "POST", path_of(route, house),
        {"name": "x", "card_language": "en"},
    )  # fmt: skip
    found = taken(asked, {"uses_pictures": "on"}, everything(), rows_of(other_house))
    assert [key[2] for _asked, key, *_values in found] == ["uses_pictures"]
