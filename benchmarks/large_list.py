"""Import, show, undo and export a list of 20 000 words; compare the page with a short list's.

    python -m benchmarks.large_list [ROWS]

Works on a temporary database. Prints wall and processor seconds of each step, for this process only
(the file is parsed in another), and the number of queries of the list's page.
"""

from __future__ import annotations

import gc
import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from statistics import median


@contextmanager
def timed(what: str) -> Iterator[None]:
    """Print the duration of a step."""
    wall, processor = time.perf_counter(), time.process_time()
    yield
    wall, processor = time.perf_counter() - wall, time.process_time() - processor
    print(f"{what:<44} {wall:7.2f} s   {processor:7.2f} s of processor")


def main(count: int) -> None:
    """Run every step once, with *count* rows."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "osmosmjerka.settings")
    import django

    django.setup()
    from django.db import connection
    from django.test import Client
    from django.test.utils import CaptureQueriesContext, setup_databases, setup_test_environment

    setup_test_environment()
    setup_databases(verbosity=0, interactive=False)
    from django.core.files.uploadedfile import SimpleUploadedFile

    from osmosmjerka.accounts.models import School, User
    from osmosmjerka.jobs import ledger
    from vocab.formats import FORMATS
    from vocab.imports import services as imports
    from vocab.lists import services as list_services
    from vocab.models import Import
    from vocab.rows import convert

    teacher = User.objects.create(
        username="ana", role="teacher", school=School.objects.create(name="A")
    )
    lists = [
        list_services.create_list(
            owner=teacher, title=title, language="hr", translation_languages=["en"]
        )
        for title in ("Short", "Long")
    ]
    client = Client(raise_request_exception=True)
    client.force_login(teacher)

    def import_into(place: int, rows: int, step: str) -> Import:
        text = "term,translation,tags,hint\n" + "".join(
            f"riječ {n},word {n},tag{n % 9},hint {n}\n" for n in range(rows)
        )
        file = SimpleUploadedFile("words.csv", text.encode())
        with timed(f"{step}: read, keep and show the dry run"):
            url = f"/lists/{lists[place].pk}/import/"
            client.post(url, {"file": file}, follow=True)
        made = Import.objects.latest("pk")
        before = convert.checksum(lists[place])
        with timed(f"{step}: apply"):
            client.post(f"/imports/{made.pk}/apply/")
            if job := imports.job_of(made):
                ledger.run_job(str(job.pk))
        made.refresh_from_db()
        print(f"{'':44} {made.added} added, {made.changed} changed, {made.state}")
        assert before == made.checksum_before
        return made

    import_into(0, 10, "10 rows")
    large = import_into(1, count, f"{count} rows")
    for place, name in ((0, "10 words"), (1, f"{count} words")):
        url = f"/lists/{lists[place].pk}/"
        client.get(url)
        gc.collect()
        gc.freeze()  # as osmosmjerka.wsgi does
        times = []
        for _time in range(9):
            wall, processor = time.perf_counter(), time.process_time()
            with CaptureQueriesContext(connection) as queries:
                client.get(url)
            times.append((time.perf_counter() - wall, time.process_time() - processor))
        walls, processors = zip(*times, strict=True)
        print(
            f"{'the page of ' + name + ', median of 9':<44} {median(walls):7.2f} s"
            f"   {median(processors):7.2f} s of processor"
        )
        print(f"{'':44} {len(queries)} queries")
    for format in FORMATS:
        with timed(f"export as {format}"):
            data = convert.export_list(lists[1], format=format)
        print(f"{'':44} {len(data)} bytes")
    with timed("take it back"):
        client.post(f"/imports/{large.pk}/undo/")
        if job := imports.job_of(large):
            ledger.run_job(str(job.pk))
    is_same = convert.checksum(lists[1]) == large.checksum_before
    print("the checksum is that of before" if is_same else "THE LIST DIFFERS")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 20_000)
