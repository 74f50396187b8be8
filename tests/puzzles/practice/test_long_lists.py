"""A card of the quick review stays quick in a list of thousands of words."""

import json
from contextlib import contextmanager
from datetime import timedelta

import pytest
from django.db import connection
from django.db.models import OuterRef, Subquery
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from puzzles.assignments import services as assignments
from vocab.models import Entry, WordProgress

pytestmark = pytest.mark.database

WORDS = 4_000
# A row costs some pages: its own, and those of the indexes that lead to it.
PAGES = 5 * WORDS


@pytest.fixture
def long_list(make_puzzle, animals, student):
    """The student's list, of which they met half of the words; all of these are due."""
    assignments.close(assignment=make_puzzle(words=4).assignments.get())
    made = Entry.objects.bulk_create(
        Entry(
            vocabulary_list=animals, term=f"riječ {number}", key=f"riječ {number}", position=number
        )
        for number in range(100, 100 + WORDS)
    )
    today = timezone.now().date()
    state = {"card": {}, "before": {}, "counts_before": {}, "ways": [], "tries": 0}
    WordProgress.objects.bulk_create(
        WordProgress(
            student=student,
            entry=entry,
            stability=9.0,
            last_on=today - timedelta(days=30),
            due_on=today - timedelta(days=1 + number % 20),
            last_at=timezone.now() - timedelta(days=30),
            state=state,
        )
        for number, entry in enumerate(made[: WORDS // 2])
    )
    return animals


def pages_read(sql):
    """Return how many pages PostgreSQL looks at to answer this query."""
    with connection.cursor() as cursor:
        cursor.execute(f"EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) {sql}")
        (told,) = cursor.fetchone()
    plan = (told if isinstance(told, list) else json.loads(told))[0]["Plan"]
    return plan["Shared Hit Blocks"] + plan["Shared Read Blocks"]


def forget_statistics(*tables):
    """Let PostgreSQL know as little as after a large import, or for ever without autovacuum."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT oid FROM pg_class WHERE relname = ANY(%s) UNION SELECT indexrelid FROM pg_index"
            " WHERE indrelid = ANY(SELECT oid FROM pg_class WHERE relname = ANY(%s))",
            [[*tables], [*tables]],
        )
        known = [oid for (oid,) in cursor.fetchall()]
        cursor.execute("DELETE FROM pg_statistic WHERE starelid = ANY(%s)", [known])
        cursor.execute(
            "UPDATE pg_class SET reltuples = -1, relpages = 0 WHERE oid = ANY(%s)", [known]
        )


@contextmanager
def without_shortcuts():
    """Let PostgreSQL plan as badly as it can, whatever it believes of the tables."""
    names = ("indexscan", "indexonlyscan", "bitmapscan", "hashjoin", "mergejoin", "material")
    with connection.cursor() as cursor:
        for name in names:
            cursor.execute(f"SET LOCAL enable_{name} = off")
        yield
        for name in names:
            cursor.execute(f"SET LOCAL enable_{name} = on")


@pytest.mark.django_db
# CI runs this on PostgreSQL.
@pytest.mark.skipif(connection.vendor != "postgresql", reason="only PostgreSQL plans by statistics")
def test_a_card_reads_few_pages_of_a_list_that_the_database_knows_nothing_of(
    long_list, student, sign_in
):
    forget_statistics("vocab_entry", "vocab_wordprogress")
    client = sign_in(student)
    with CaptureQueriesContext(connection) as captured:
        assert client.get("/review/").context["question"] is not None
    asked = [one["sql"] for one in captured if '"vocab_' in one["sql"]]
    reading = [pages_read(sql) for sql in asked if sql.startswith("SELECT")]
    assert len(reading) > 5
    assert max(reading) < PAGES, asked[reading.index(max(reading))]
    # Control: the list of each word, looked for in the whole table.
    its_list = Entry.objects.filter(pk=OuterRef("entry")).order_by().values("vocabulary_list")
    met = WordProgress.objects.filter(student=student).annotate(its_list=Subquery(its_list))
    with CaptureQueriesContext(connection) as captured:
        list(met.filter(its_list=long_list.pk).order_by("due_on", "entry").values_list("pk")[:48])
    with without_shortcuts():
        assert pages_read(captured[0]["sql"]) > PAGES
