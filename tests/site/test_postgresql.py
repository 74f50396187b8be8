"""A connection that the server has closed is noticed without asking the server each time."""

import pytest
from django.core.signals import request_started
from django.db import OperationalError, connection

from osmosmjerka.accounts.models import School
from osmosmjerka.db import prepared
from osmosmjerka.db.postgresql.base import DatabaseWrapper
from osmosmjerka.db.prepared import Prepared
from tests.services import wait_until

pytestmark = [
    pytest.mark.skipif(connection.vendor != "postgresql", reason="about PostgreSQL"),
    pytest.mark.django_db(transaction=True),
    pytest.mark.database,
]


@pytest.fixture
def checked(monkeypatch):
    """A connection that is checked at the first statement of a request, as in production."""
    monkeypatch.setitem(connection.settings_dict, "CONN_HEALTH_CHECKS", True)
    connection.close()
    connection.ensure_connection()
    yield connection
    connection.close()


def end_the_connection():
    """Let the server end the connection of this thread, and wait until it has."""
    with connection.copy().temporary_connection() as other:
        pid = connection.connection.info.backend_pid
        other.execute("SELECT pg_terminate_backend(%s)", [pid])

        def is_gone():
            other.execute("SELECT 1 FROM pg_stat_activity WHERE pid = %s", [pid])
            return other.fetchone() is None

        wait_until(is_gone)


def begin_request():
    request_started.send(sender=None, environ={})


def test_a_request_after_the_server_ended_the_connection_gets_another(checked):
    end_the_connection()
    begin_request()
    assert School.objects.count() == 0


def test_without_the_check_it_fails(checked, monkeypatch):
    """The control."""
    monkeypatch.setattr(DatabaseWrapper, "_has_news", lambda self: False)
    end_the_connection()
    begin_request()
    with pytest.raises(OperationalError):
        School.objects.count()


def test_the_server_is_asked_only_after_an_error(checked):
    pid = checked.connection.info.backend_pid

    def last_statement():
        with checked.copy().temporary_connection() as other:
            other.execute("SELECT query FROM pg_stat_activity WHERE pid = %s", [pid])
            return other.fetchone()[0]

    School.objects.count()
    begin_request()
    assert checked.is_usable()
    assert "accounts_school" in last_statement()
    checked.errors_occurred = True
    assert checked.is_usable()
    assert last_statement() == "SELECT 1"


OF_NAME = Prepared(lambda name: School.objects.filter(name=name).values_list("pk"), name=str)


def plan_of_the_prepared_statement():
    """Return the plan that PostgreSQL has kept for `OF_NAME` on this connection."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT name FROM pg_prepared_statements WHERE statement LIKE %s AND generic_plans > 0",
            ['SELECT "accounts_school"."id"%'],
        )
        ((name,),) = cursor.fetchall()
        cursor.execute(f"EXPLAIN EXECUTE {name}('Škola 7')")
        return "\n".join(line for (line,) in cursor.fetchall())


@pytest.fixture
def grown(school, monkeypatch):
    """A table of which PostgreSQL has planned to read each row, and that then has thousands."""
    monkeypatch.setattr(prepared, "PLANS_LAST", 600)
    with connection.cursor() as cursor:
        cursor.execute("CREATE INDEX of_the_test ON accounts_school (name)")
        cursor.execute("ANALYZE accounts_school")
    for _time in range(10):
        assert OF_NAME.row(name=school.name) == (school.pk,)
    assert "Seq Scan" in plan_of_the_prepared_statement()
    School.objects.bulk_create(School(name=f"Škola {number}") for number in range(5_000))
    yield
    with connection.cursor() as cursor:
        cursor.execute("DROP INDEX of_the_test")


def test_what_was_planned_for_a_small_table_is_planned_again(grown, monkeypatch):
    """In the first minute of a site, until autovacuum has come, and for ever without it."""
    monkeypatch.setattr(prepared, "PLANS_LAST", -1)
    assert OF_NAME.row(name="Škola 7")
    assert "of_the_test" in plan_of_the_prepared_statement()


def test_otherwise_it_would_be_read_whole(grown):
    """The control of the test above: until then, the plan is kept."""
    assert OF_NAME.row(name="Škola 7")
    assert "Seq Scan" in plan_of_the_prepared_statement()
