"""Measure what a teacher's search costs the site: memory, time to stop, delay of other jobs.

    python -m benchmarks.crossword_search [--seconds S] [--stops N]

Uses its own site in a temporary folder: SQLite and the embedded worker, as with `make run`. The
search is the largest that the page allows, with invented words.
"""

from __future__ import annotations

import argparse
import os
import resource
import tempfile
import time
from random import Random
from statistics import median
from typing import Any

BOARD = {"rows": 40, "cols": 40}
JOBS = 15


def largest(seconds: float, **size: int) -> dict[str, Any]:
    """Return the wishes of the largest search that is allowed."""
    return {"words": 200, "seconds": seconds, **size}


def peak() -> float:
    """Return the peak memory of this process so far, in MB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def make_list() -> Any:
    """Return a list of 600 words that are easy to cross."""
    from osmosmjerka.accounts.models import School
    from osmosmjerka.accounts.people import create_person
    from vocab.formats.rows import Row
    from vocab.lists.services import create_list

    rng = Random(1)
    school = School.objects.create(name="s")
    teacher = create_person(username="t", display_name="T", role="teacher", school=school)
    letters = "eeaaoiutnrslkmdpbgvz"
    words = {"".join(rng.choices(letters, k=rng.randint(4, 10))) for _ in range(600)}
    return create_list(
        owner=teacher,
        title="l",
        language="hr",
        translation_languages=["en"],
        rows=[Row(line=n, term=w, translations={"": [f"m{n}"]}) for n, w in enumerate(words)],
    )


def search_for(words: Any, seconds: float, **size: int) -> Any:
    """Start a search."""
    from puzzles.searches.services import request_search

    wishes = largest(seconds, **size)
    return request_search(vocabulary_list=words, created_by=words.owner, wishes=wishes, seed=1)


def wait_until(is_so: Any) -> float:
    """Wait until *is_so* returns true; return the seconds."""
    began = time.monotonic()
    while not is_so():
        time.sleep(0.005)
    return time.monotonic() - began


def jobs(words: Any) -> list[float]:
    """Return how long word searches requested by others take."""
    from puzzles.making.services import request_puzzle
    from puzzles.models import Puzzle

    took = []
    for number in range(JOBS):
        puzzle = request_puzzle(
            vocabulary_list=words, kind="word-search", created_by=words.owner, seed=number
        )
        queued = Puzzle.objects.filter(pk=puzzle.pk, state=Puzzle.State.QUEUED)
        took.append(wait_until(lambda queued=queued: not queued.exists()))
    return took


def stops(words: Any, number: int, **size: int) -> list[float]:
    """Return how long searches take to end that are stopped after one to five seconds."""
    from puzzles.models import CrosswordSearch
    from puzzles.searches import services as searches

    took = []
    for nth in range(number):
        search = search_for(words, 300, **size)
        own = CrosswordSearch.objects.filter(pk=search.pk)
        wait_until(lambda own=own, nth=nth: own.filter(spent__gt=1 + nth % 5).exists())
        began = time.monotonic()
        searches.stop(search=search)
        wait_until(lambda own=own: not own.filter(state="searching").exists())
        took.append(time.monotonic() - began)
    return took


def main() -> None:
    """Measure on a temporary site and print the figures."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--seconds", type=float, default=120, help="of the search for memory")
    parser.add_argument("--stops", type=int, default=20)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        os.environ |= {
            "OSMOSMJERKA_DATA_DIR": folder,
            "DJANGO_SETTINGS_MODULE": "osmosmjerka.settings",
            "OSMOSMJERKA_GTTS": "false",
            "LOG_LEVEL": "ERROR",
        }
        import django

        django.setup()
        from django.core.management import call_command

        from osmosmjerka.jobs.worker import EmbeddedWorker
        from puzzles.models import CrosswordSearch
        from puzzles.searches.services import THREADS

        call_command("migrate", verbosity=0)
        words = make_list()
        worker = EmbeddedWorker()
        worker.start()
        try:
            measure(words, arguments, THREADS, CrosswordSearch)
        finally:
            worker.stop()


def measure(words: Any, arguments: argparse.Namespace, threads: int, search_model: Any) -> None:
    """Print one line per figure."""
    jobs(words)  # loads the engine and creates the sounds of the list
    tell("a word search by its job, alone", jobs(words))
    search = search_for(words, 300, **BOARD)
    wait_until(lambda: search_model.objects.get(pk=search.pk).version > 0)
    tell("a word search by its job, beside the largest search", jobs(words))
    search_model.objects.filter(pk=search.pk).update(stop_wanted=True)
    tell("a search that is stopped, free board", stops(words, arguments.stops))
    tell("a search that is stopped, 40 × 40", stops(words, arguments.stops, **BOARD))
    print(f"memory before the long search: {peak():.0f} MB ({threads} thread(s) a search)")
    search = search_for(words, arguments.seconds, **BOARD)
    own = search_model.objects.filter(pk=search.pk)
    wait_until(lambda: not own.filter(state="searching").exists())
    print(f"memory after {arguments.seconds:g} s of the largest search: {peak():.0f} MB")


def tell(what: str, took: list[float]) -> None:
    """Print the measured times."""
    print(f"{what}: median {median(took):.2f} s, longest {max(took):.2f} s of {len(took)}")


if __name__ == "__main__":
    main()
