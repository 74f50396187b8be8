"""Who writes to SQLite waits for who writes now, and goes on as soon as that one has ended."""

import threading

import pytest
from django.db import connection, transaction

from osmosmjerka.accounts.models import School
from osmosmjerka.db.sqlite import base
from tests.services import wait_until

pytestmark = [
    pytest.mark.skipif(connection.vendor != "sqlite", reason="about SQLite"),
    pytest.mark.django_db(transaction=True),
]


class Turn:
    """The turn of the writers, which tells how many wait for it."""

    def __init__(self, turn):
        self._turn, self.waiting = turn, 0

    def acquire(self, timeout):
        self.waiting += 1
        is_mine = self._turn.acquire(timeout=timeout)
        self.waiting -= 1
        return is_mine

    def __getattr__(self, name):
        return getattr(self._turn, name)


class NoTurn:
    """What was before: everybody asks SQLite again and again."""

    waiting = 0

    def acquire(self, timeout):
        self.waiting += 1
        return False


def told_while_the_first_writes(turn, monkeypatch):
    """Let one write while another begins to; return what the other told SQLite meanwhile."""
    monkeypatch.setattr(base, "_turn", turn)
    told = []

    def note(execute, sql, params, many, context):
        told.append(sql.split()[0])
        return execute(sql, params, many, context)

    def write():
        with connection.execute_wrapper(note), transaction.atomic():
            School.objects.create(name="second")
        connection.close()

    second = threading.Thread(target=write)
    with transaction.atomic():
        School.objects.create(name="first")
        second.start()
        wait_until(lambda: turn.waiting)
        if isinstance(turn, NoTurn):
            wait_until(lambda: told)
        meanwhile = list(told)
    second.join(30)
    assert told == ["BEGIN", "INSERT"]
    assert set(School.objects.values_list("name", flat=True)) == {"first", "second"}
    return meanwhile


def test_a_writer_begins_when_the_other_has_ended(monkeypatch):
    assert told_while_the_first_writes(Turn(threading.Lock()), monkeypatch) == []


def test_without_turns_sqlite_is_asked_meanwhile(monkeypatch):
    """The control."""
    assert told_while_the_first_writes(NoTurn(), monkeypatch) == ["BEGIN"]


def test_the_turn_is_given_back_whatever_happens():
    with pytest.raises(ZeroDivisionError), transaction.atomic():
        assert base._turn.locked()
        _fails = 1 / 0
    assert not base._turn.locked()
    with transaction.atomic():
        School.objects.create(name="kept")
        assert base._turn.locked()
    assert not base._turn.locked()
    with transaction.atomic():
        connection.close()
    assert not base._turn.locked()


def test_who_waits_too_long_is_told_by_sqlite(monkeypatch):
    """As by its own waiting: "database is locked", and nobody's turn is taken away."""
    seen = []

    def write():
        monkeypatch.setitem(connection.settings_dict["OPTIONS"], "timeout", 0.1)
        connection.close()
        try:
            with transaction.atomic():
                pass
        except Exception as error:
            seen.append(str(error))
        connection.close()

    with transaction.atomic():
        School.objects.create(name="first")
        other = threading.Thread(target=write)
        other.start()
        other.join(30)
        assert base._turn.locked()
    assert seen == ["database is locked"]
    assert not base._turn.locked()
