"""What PostgreSQL does by itself, also on a server where that is off.

With autovacuum off, as on machines that only run tests, statements keep the plan that was right
while the tables were empty: every found word then reads whole tables, and costs more each minute.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

EVERY = 60  # seconds, as autovacuum_naptime is by default


def tidy() -> None:
    """Remove dead rows and gather statistics, on PostgreSQL; plans are made anew after that."""
    from django.db import connection

    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("VACUUM (ANALYZE)")


@contextmanager
def autovacuum() -> Iterator[None]:
    """Tidy up each minute meanwhile, if the server does not."""
    from django.db import connection

    if connection.vendor != "postgresql" or _is_on():
        yield
        return
    ended = threading.Event()

    def work() -> None:
        while not ended.wait(EVERY):
            tidy()
        connection.close()

    thread = threading.Thread(target=work, name="autovacuum")
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join()


def _is_on() -> bool:
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute("SHOW autovacuum")
        return bool(cursor.fetchone() == ("on",))
