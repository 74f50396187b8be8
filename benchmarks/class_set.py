"""Draw a worksheet for each of 30 students, as the background job does.

    python -m benchmarks.class_set

For every type of puzzle and content of a set it prints the seconds of the job, how many of them the
processor was busy with it, the pages, how many grids differ and how much their words cross, and the
size of the files. No more than 20 seconds are wanted
for a class.
"""

from __future__ import annotations

import os
import tempfile
import time
from collections import Counter
from statistics import fmean
from typing import Any

STUDENTS, WORDS, WANTED = 30, 200, 20.0


def _crossed(sheet: dict[str, Any]) -> int:
    """Return how many squares are in two words."""
    cells = Counter(tuple(cell) for word in sheet["words"] for cell in word["cells"])
    return sum(count > 1 for count in cells.values())


def main() -> None:
    """Make a school in a database of its own, and draw each set of worksheets once."""
    with tempfile.TemporaryDirectory() as folder:
        os.environ["OSMOSMJERKA_DATA_DIR"] = folder
        os.environ["OSMOSMJERKA_GTTS"] = "false"
        os.environ.pop("DATABASE_URL", None)
        os.environ.setdefault("DJANGO_SETTINGS_MODULE", "osmosmjerka.settings")
        import django

        django.setup()
        from django.core.management import call_command

        call_command("migrate", verbosity=0)
        _measure()


def _measure() -> None:
    import pypdfium2

    from benchmarks.made_school import make_school
    from osmosmjerka.jobs import ledger
    from puzzles.assignments import services as assignments
    from puzzles.exports import Printing
    from puzzles.kinds import KINDS
    from puzzles.making import services as making
    from puzzles.models import WorksheetSet
    from puzzles.practice.services import fitting_settings
    from puzzles.worksheets import services

    school = make_school(words=WORDS, students=STUDENTS)
    longest = max(len(one.tiles) for one in school.words.entries.all())
    slowest = 0.0
    for kind in KINDS:
        puzzle = assignments.give(
            vocabulary_list=school.words, kind=kind, created_by=school.teacher,
            classrooms=[school.classroom], seed=1, settings=fitting_settings(kind, 12, longest),
        )  # fmt: skip
        job = making.job_of(puzzle)
        assert job is not None
        ledger.run_job(str(job.pk))
        puzzle.refresh_from_db()
        for content in WorksheetSet.Content.values:
            made = services.request_set(
                puzzle=puzzle, created_by=school.teacher, content=content, versions=6,
                classroom=school.classroom, printing=Printing(),
            )  # fmt: skip
            job = services.job_of(made)
            assert job is not None
            began, busy_before = time.perf_counter(), time.process_time()
            ledger.run_job(str(job.pk))
            seconds = time.perf_counter() - began
            busy = time.process_time() - busy_before
            slowest = max(slowest, seconds)
            made.refresh_from_db()
            if made.state != made.State.READY:
                raise SystemExit(f"{kind}, {content}: {made.state}: {made.reason}")
            different = len({str(stored["grid"]) for stored in made.sheets})
            crossed = round(fmean(map(_crossed, made.sheets)))
            with pypdfium2.PdfDocument(bytes(made.pdf)) as document:
                pages = len(document)
            print(
                f"{kind:12} {content:9} {seconds:5.1f} s ({busy:.1f} s busy), {pages} pages, "
                f"{different} different grids of {len(made.sheets)} ({crossed} squares in two "
                f"words each), "
                f"{len(made.pdf) // 1024} KB and {len(made.key_pdf) // 1024} KB of solutions",
                flush=True,
            )
    print(f"Slowest: {slowest:.1f} s for {STUDENTS} students (wanted: {WANTED:.0f} s)")


if __name__ == "__main__":
    main()
