"""Every address of the site, asked by everybody by every method.

The table is tests/accounts/permission_table.py; an address that is not in it fails the test. Who
is refused gets no word of the class, and writes nothing.
"""

import re

import pytest
from django.db import connection
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver

from osmosmjerka.accounts.auth import cards
from osmosmjerka.accounts.classrooms import services as classes
from osmosmjerka.accounts.models import Classroom
from tests.accounts import permission_table
from tests.accounts.house import ask
from tests.accounts.permission_table import (
    ADMIN,
    ANYBODY,
    FOREIGN,
    MAY_ANSWER_NO,
    METHODS,
    NOBODY,
    OTHER,
    OWNER,
    STRANGER,
    STUDENT,
    TABLE,
    persons,
)
from tests.accounts.sweep import by_everybody
from tests.layers import IS_THOROUGH


def routes(patterns=None, prefix=""):
    """Yield every route of the resolver, parameters by their names only."""
    for pattern in get_resolver().url_patterns if patterns is None else patterns:
        route = prefix + plain(pattern.pattern)
        if isinstance(pattern, URLResolver):
            yield from routes(pattern.url_patterns, route)
        elif isinstance(pattern, URLPattern):
            yield route


def plain(pattern):
    text = str(pattern)
    text = re.sub(r"\(\?P<(\w+)>(?:[^()]|\([^()]*\))*\)", r"<\1>", text)  # regular expressions
    text = re.sub(r"<\w+:(\w+)>", r"<\1>", text)
    return text.replace("^", "").replace("\\Z", "").replace("$", "").replace("\\.", ".")


def test_every_route_is_in_the_table():
    found = {route for route in routes() if not route.startswith("admin/")}
    assert found == set(TABLE)
    assert set(permission_table.BODIES) <= set(TABLE), "a body of no row"


def told(reply, person):
    """Return what somebody read who was asked by nobody's name but their own."""
    return reply.text.replace(person.display_name, "") if person else reply.text


# A game begins when its puzzle is opened, who opens a class game joins it, and the code for an
# authenticator app is made when it is shown. All this concerns only who opens the page, and turns
# nothing on.
WRITTEN_BY_READING = {
    "": {"accounts_user"},  # the day of a teacher's visit, once a day
    "p/<token>/": {"puzzles_parentlink", "accounts_auditentry"},  # that parents opened it
    "api/play/<code>/": {"puzzles_playsession"},
    "api/play/<code>/picture/<slot>/": {"puzzles_playsession"},
    "api/play/<code>/sound/<slot>/": {"puzzles_playsession"},
    "l/<code>/": {"puzzles_livegame", "puzzles_liveplayer"},
    "me/second-step/": {"otp_totp_totpdevice"},
}


@pytest.mark.parametrize("method", METHODS)
def test_who_may_ask_what(method, house, other_house):
    """Nor does what strangers may open for themselves hold anything of the class.

    To open a page changes nothing of anybody.
    """
    wrong, written = [], {}
    for asked in by_everybody(method, house, other_house):
        reply = asked.ask()
        is_let_in = asked.who in TABLE[asked.route].get(method, NOBODY)
        is_own = "<" not in asked.route and asked.who in {ANYBODY, OTHER, FOREIGN, STRANGER}
        is_to_know_nothing = not is_let_in or (method == "GET" and is_own)
        if is_to_know_nothing and house.secret in told(reply, asked.person):
            wrong.append(f"{asked} read of the class")
        if is_let_in:
            for sql in reply.writes if method == "GET" else ():
                table = sql.replace('"', " ").split()[1 if sql.startswith("UPDATE") else 2]
                written.setdefault(asked.route, set()).add(table)
            if reply.is_refused and asked.route not in MAY_ANSWER_NO:
                wrong.append(f"{asked} was refused ({reply.status})")
            continue
        if not reply.is_refused:
            wrong.append(f"{asked} was let in ({reply.status})")
        if reply.status == 403 and asked.person is not None and "<" in asked.route:
            wrong.append(f"{asked} learned that it exists")
        if reply.writes:
            wrong.append(f"{asked} wrote {reply.writes[0][:80]}")
    assert wrong == []
    assert written == (WRITTEN_BY_READING if method == "GET" else {})


def test_the_admin_is_for_site_admins_only(house, other_house):
    wrong = []
    filled = {"object_id": house.classroom.pk, "app_label": "accounts", "url": "x/"}
    for route in {route for route in routes() if route.startswith("admin/")}:
        if route in {"admin/login/", "admin/logout/"}:
            continue
        path = "/" + re.sub(r"<(?:path:)?(\w+)>", lambda m: str(filled.get(m[1], 1)), route)
        everybody = persons(house, other_house)
        for who in (ANYBODY, STUDENT, OWNER, ADMIN):  # it knows of roles only
            person = everybody[who]
            for method in METHODS:
                reply = ask(person, method, path)
                if not reply.is_refused or reply.writes or house.secret in told(reply, person):
                    wrong.append((method, path, who, reply.status))
    assert wrong == []


def test_the_detector_of_leaks_finds_one(house, other_house, monkeypatch):
    """The control: with the access table off, a stranger reads the class's page."""
    monkeypatch.setattr(
        "puzzles.dashboards.today_views.classrooms", lambda person, action: Classroom.objects.all()
    )
    reply = ask(other_house.teacher, "GET", f"/classes/{house.classroom.pk}/")
    assert not reply.is_refused
    assert house.secret in reply.text


def test_the_detector_of_writes_sees_them_however_many_were_before(house):
    """The control: it counts on nothing that fills up, as Django's own log of queries does."""
    connection.queries_log.extend({"sql": "", "time": "0"} for _each in range(9000))
    assert len(connection.queries_log) == connection.queries_log.maxlen
    assert ask(house.teacher, "POST", f"/classes/{house.classroom.pk}/code/").writes


def test_logins_by_turns_on_one_browser_never_mix_two_students(teacher, student, classroom):
    """Pages and API of a shared tablet show whoever is logged in, and keys change each time."""
    mia = classes.add_students(classroom=classroom, names=["Mia-Sentinel"], actor=teacher)[0]
    student.display_name = "Luka-Sentinel"
    student.save()
    made = cards.issue_cards(students=[student, mia], actor=teacher, classroom=classroom)
    client, keys, tokens = Client(), set(), set()
    turns = 500 if IS_THOROUGH else 60
    for turn in range(turns):
        card, absent = made[turn % 2], made[1 - turn % 2]
        client.post("/card/", {"token": card.token})
        home = client.get("/")
        reply = client.get("/api/puzzles/") if turn % 10 == 0 else home
        assert card.student.display_name in home.content.decode()
        for shown in (home, reply):
            assert absent.student.display_name not in shown.content.decode()
            assert "no-store" in shown["Cache-Control"]
        keys.add(client.session.session_key)
        tokens.add(client.cookies["csrftoken"].value)
    assert len(keys) == len(tokens) == turns
