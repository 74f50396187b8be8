"""Measure how quickly a teacher's pages open in a school with a term's review history.

    DATABASE_URL=postgres://… python -m benchmarks.dashboards --reviews 2000000

Fills the (empty) database with classes of students who reviewed their words repeatedly, then opens
the pages of a class of 35 students × 200 words and of one of 30 × 1000 as their teacher, and prints
the time and the number of queries of each. The peer in the same run: the same sums computed from
the review history, row by row, as a page without summaries would have to.
"""

from __future__ import annotations

import argparse
import json
import os
import time
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from datetime import time as time_of_day
from random import Random
from typing import Any

HISTORIES = 400
TERM_DAYS = 100


@dataclass(frozen=True, slots=True)
class Answered:
    """An answer of a history: its age in days, and what it meant for the memory."""

    age: int
    mode: str
    outcome: str
    gap: int | None
    expected: float | None


@dataclass(frozen=True, slots=True)
class History:
    """A possible history of one word, and the resulting summary."""

    answers: list[Answered]
    summary: Any


def histories(rng: Random, today: date) -> list[History]:
    """Return sampled histories with their summaries, from which thousands of rows are created."""
    from vocab.memory.card import Memory
    from vocab.memory.evidence import Answer
    from vocab.memory.reviews import _written

    made = []
    for number in range(HISTORIES):
        memory, answers = Memory(), []
        ages = {rng.randint(0, TERM_DAYS) for _answer in range(rng.randint(1, 7))}
        for age in sorted(ages, reverse=True):
            day = today - timedelta(days=age)
            outcome = rng.choices(["right", "hinted", "wrong"], [6, 1, 2])[0]
            mode = rng.choice(["typed", "crossword", "word-search"])
            taken = memory.take(
                Answer(at_noon(day), day, mode, "meaning_to_form", outcome), str(number)
            )
            answers.append(Answered(age, mode, outcome, taken.gap, taken.expected))
        last_at = at_noon(today - timedelta(days=min(ages)))
        made.append(History(answers, _written(None, None, 0, memory, last_at)))  # type: ignore[arg-type]
    return made


def at_noon(day: date) -> datetime:
    return datetime.combine(day, time_of_day(12), UTC)


def seed(reviews: int, rng: Random) -> tuple[Any, Any]:
    """Create the school; return the two classes to measure."""
    from django.db import connection

    from osmosmjerka.accounts.models import Classroom, Membership, School, User
    from puzzles.models import Assignment, Puzzle
    from vocab.models import Entry, Review, StudyDay, VocabularyList, WordProgress

    today = datetime.now(UTC).date()
    pool = histories(rng, today)
    school = School.objects.create(name="Benchmark")
    teacher = User.objects.create(
        username="bench-teacher", display_name="Teacher", role="teacher", school=school
    )
    measured: list[Any] = []
    total = 0
    sizes = [(35, 200), (30, 1000)]
    number = 0
    while total < reviews:
        student_count, word_count = sizes[number] if number < len(sizes) else (30, 200)
        words = VocabularyList.objects.create(
            owner=teacher, school=school, title=f"List {number}", language="hr",
            translation_languages=["en"],
        )  # fmt: skip
        entries = Entry.objects.bulk_create(
            Entry(vocabulary_list=words, position=i, term=f"riječ {i}", key=f"rijec{i}",
                  tiles=["R"]) for i in range(word_count)
        )  # fmt: skip
        classroom = Classroom.objects.create(school=school, name=f"Class {number}")
        Membership.objects.create(classroom=classroom, user=teacher, role="owner")
        students = User.objects.bulk_create(
            User(username=f"bench-{number}-{i}", display_name=f"Student {i}", school=school)
            for i in range(student_count)
        )  # fmt: skip
        Membership.objects.bulk_create(
            Membership(classroom=classroom, user=student, role="student") for student in students
        )
        puzzle = Puzzle.objects.create(
            kind="crossword", title="Puzzle", vocabulary_list=words, created_by=teacher, seed=1,
            state="ready",
        )  # fmt: skip
        Assignment.objects.create(puzzle=puzzle, classroom=classroom, created_by=teacher)
        met = [(student, entry, rng.choice(pool)) for student in students for entry in entries]
        WordProgress.objects.bulk_create((_summary(*what) for what in met), batch_size=2000)
        StudyDay.objects.bulk_create(
            StudyDay(student=student, day=today - timedelta(days=age), reviews=20, right=14)
            for student in students for age in range(0, TERM_DAYS, 3)
        )  # fmt: skip
        log = (row for what in met for row in _log(rng, today, *what))
        total += _write(connection, Review, log)
        measured.append(classroom)
        number += 1
        print(f"\r{total:>9} reviews, {number} classes", end="", flush=True)
    print()
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")
    return measured[0], measured[1]


def _summary(student: Any, entry: Any, history: History) -> Any:
    from vocab.models import WordProgress

    facts = {
        field.attname: getattr(history.summary, field.attname)
        for field in WordProgress._meta.concrete_fields
        if field.name not in ("id", "student", "entry")
    }
    return WordProgress(student=student, entry=entry, **facts)


def _log(
    rng: Random, today: date, student: Any, entry: Any, history: History
) -> Iterator[tuple[Any, ...]]:
    for index, one in enumerate(history.answers):
        given = rng.choice(["riejč", "riječi", "rijec"]) if one.outcome == "wrong" else ""
        day = today - timedelta(days=one.age)
        yield (
            student.pk, entry.pk, entry.key, one.mode, "meaning_to_form", one.outcome,
            0, 0, False, True, 4000,
            f"bench:{student.pk}:{entry.pk}:{index}", given, False, one.gap, one.expected,
            at_noon(day), day, at_noon(day),
        )  # fmt: skip


COLUMNS = (
    "student_id", "entry_id", "word", "mode", "skill", "outcome", "hints", "wrong_tries", "is_slip",
    "was_tried", "latency_ms", "source", "given", "is_free_practice", "gap", "expected", "at",
    "day", "recorded_at",
)  # fmt: skip


def _write(connection: Any, model: Any, rows: Iterator[tuple[Any, ...]]) -> int:
    """Append rows to the review history, by COPY if the database has it; return how many."""
    count = 0
    if connection.vendor != "postgresql":
        made = [model(**dict(zip(COLUMNS, row, strict=True))) for row in rows]
        model.objects.bulk_create(made, batch_size=2000)
        return len(made)
    statement = f"COPY {model._meta.db_table} ({', '.join(COLUMNS)}) FROM STDIN"
    with connection.cursor() as cursor, cursor.copy(statement) as copy:
        for row in rows:
            copy.write_row(row)
            count += 1
    return count


def measure(classroom: Any, name: str) -> list[dict[str, Any]]:
    """Open the pages of a class three times each; return the best wall and CPU time."""
    from django.db import connection
    from django.test import Client
    from django.test.utils import CaptureQueriesContext

    from osmosmjerka.accounts.models import User
    from osmosmjerka.accounts.selectors import students_of
    from puzzles.dashboards import selectors as dashboards

    client = Client()
    client.force_login(User.objects.get(username="bench-teacher"))
    student = students_of(classroom)[0]
    entry = dashboards.entries_of_class(classroom).first()
    pages = {
        "class": f"/classes/{classroom.pk}/progress/",
        "class, page 2": f"/classes/{classroom.pk}/progress/?page=2&words=alphabet"
        "&students=weakest",
        "export": f"/classes/{classroom.pk}/progress.csv",
        "student": f"/classes/{classroom.pk}/pupils/{student.pk}/",
        "word": f"/classes/{classroom.pk}/words/{entry.pk if entry else 0}/",
    }
    figures = []
    for page, path in pages.items():
        best, cpu, queries, size = 1e9, 1e9, 0, 0
        for _try in range(3):
            with CaptureQueriesContext(connection) as captured:
                start, start_cpu = time.perf_counter(), time.process_time()
                reply = client.get(path)
                best = min(best, time.perf_counter() - start)
                cpu = min(cpu, time.process_time() - start_cpu)
            if reply.status_code != 200:
                raise SystemExit(f"{path} answered {reply.status_code}.")
            queries, size = len(captured), len(reply.content)
        figures.append(
            {"class": name, "page": page, "seconds": round(best, 3), "cpu": round(cpu, 3),
             "queries": queries, "kB": size // 1000}
        )  # fmt: skip
    start = time.perf_counter()
    from_log(classroom)
    figures.append({"class": name, "page": "the map's sums from the log instead",
                    "seconds": round(time.perf_counter() - start, 3)})  # fmt: skip
    return figures


def from_log(classroom: Any) -> None:
    """Compute the sums of the map from the review history, as a page without summaries must."""
    from osmosmjerka.accounts.selectors import students_of
    from vocab.memory.card import Memory
    from vocab.memory.reviews import answer_of
    from vocab.models import Review

    memories: dict[tuple[int, int], Memory] = {}
    for student in students_of(classroom):
        for one in Review.objects.filter(student=student).order_by("at", "pk"):
            memory = memories.setdefault((student.pk, one.entry_id), Memory())
            memory.take(answer_of(one), f"{student.pk}:{one.entry_id}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--reviews", type=int, default=2_000_000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "osmosmjerka.settings")
    os.environ.setdefault("ALLOWED_HOSTS", "testserver,localhost")
    import django

    django.setup()
    from django.core.management import call_command
    from django.db import connection

    from osmosmjerka.accounts.models import User
    from vocab.models import Review

    call_command("migrate", verbosity=0)
    if User.objects.exists():
        raise SystemExit("This database is in use. Name an empty one in DATABASE_URL.")
    start = time.perf_counter()
    small, large = seed(options.reviews, Random(options.seed))
    print(f"{connection.vendor}: {Review.objects.count()} reviews of "
          f"{User.objects.count()} people in {time.perf_counter() - start:.0f} s")  # fmt: skip
    for classroom, name in ((small, "35 × 200"), (large, "30 × 1000")):
        for figure in measure(classroom, name):
            print(json.dumps(figure, ensure_ascii=False))


if __name__ == "__main__":
    main()
