"""A token that may only read starts no game."""

import pytest
from django.test import Client

from osmosmjerka.accounts.auth import tokens
from puzzles.models import PlaySession

pytestmark = pytest.mark.django_db


def program(person, scope):
    text = tokens.create(person=person, scope=scope)[1]
    return Client(headers={"Authorization": f"Token {text}"})


@pytest.fixture
def paths(make_puzzle, student):
    puzzle = make_puzzle(words=4)
    slot = puzzle.placements.first().slot
    return [
        f"/api/play/{puzzle.code}/{rest}" for rest in ("", f"sound/{slot}/", f"picture/{slot}/")
    ]


@pytest.mark.parametrize("scope", ["play", "teach"])
def test_a_token_to_read_starts_no_game_but_reads_one(scope, paths, student):
    reader = program(student, "read")
    for path in paths:
        reply = reader.get(path)
        assert reply.status_code == 404, path
        assert "may not start" in reply.json()["detail"]
    assert not PlaySession.objects.exists()
    assert program(student, scope).get(paths[0]).status_code == 200
    assert PlaySession.objects.count() == 1
    assert reader.get(paths[0]).status_code == 200


def test_without_the_check_it_would_start_one(paths, student, monkeypatch):
    """Control."""
    monkeypatch.setattr("puzzles.play.api.covers", lambda _token, _scope: True)
    assert program(student, "read").get(paths[0]).status_code == 200
    assert PlaySession.objects.exists()
