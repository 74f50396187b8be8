"""What benchmarks have in common: a site that is thrown away, times, word lists and tables."""

from __future__ import annotations

import gc
import json
import math
import os
import socket
import tempfile
import time
from argparse import ArgumentParser
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from statistics import median

BASE = Path(__file__).resolve().parents[1]
HOST = "127.0.0.1"


# Sites -----------------------------------------------------------------------------------------


def free_port() -> int:
    with socket.socket() as free:
        free.bind((HOST, 0))
        return int(free.getsockname()[1])


def settings_of(folder: Path) -> dict[str, str]:
    """Return the variables of a site on SQLite that has all its data in *folder*."""
    return {
        "DJANGO_SETTINGS_MODULE": "osmosmjerka.settings",
        "OSMOSMJERKA_DATA_DIR": str(folder),
        "DATABASE_URL": f"sqlite:///{folder / 'osmosmjerka.sqlite3'}",
        "CELERY_BROKER_URL": "memory://",
        "CACHE_URL": "locmem://",
        "OSMOSMJERKA_GTTS": "false",
        "DEBUG": "false",
        "LOG_LEVEL": "ERROR",
    }


@contextmanager
def throwaway_site(**variables: str) -> Iterator[Path]:
    """Let this process and its children be a new site; yield the folder of its data.

    Can be used once in a process, because Django reads its settings once.
    """
    with tempfile.TemporaryDirectory() as folder:
        os.environ |= settings_of(Path(folder)) | variables
        set_up()
        yield Path(folder)


def set_up() -> None:
    """Make the tables and static files of the site that this process's settings name."""
    import django
    from django.core.management import call_command

    django.setup()
    call_command("migrate", verbosity=0)
    call_command("collectstatic", interactive=False, verbosity=0)


@contextmanager
def postgresql_database(server: str, name: str) -> Iterator[str]:
    """Make a database on a server of PostgreSQL, drop it afterwards; yield its URL."""
    import psycopg

    server = server.rstrip("/")
    with psycopg.connect(f"{server}/postgres", autocommit=True) as connection:
        connection.execute(f'CREATE DATABASE "{name}"'.encode())
        try:
            yield f"{server}/{name}"
        finally:
            connection.execute(f'DROP DATABASE "{name}" WITH (FORCE)'.encode())


# Times -----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Times:
    """Milliseconds of several runs."""

    median: float
    least: float
    most: float

    def __str__(self) -> str:
        return f"{self.median:.1f} ({self.least:.1f}–{self.most:.1f})"


def times_of(values: Iterable[float]) -> Times:
    found = list(values)
    return Times(median(found), min(found), max(found))


def interleaved(candidates: Mapping[str, Callable[[], object]], rounds: int) -> dict[str, Times]:
    """Return the processor time of each candidate, which all take part in each round.

    So what else the machine does meets them all. One round more comes first and does not count.
    """
    spent: dict[str, list[float]] = {name: [] for name in candidates}
    for number in range(rounds + 1):
        for name, run in candidates.items():
            gc.collect()
            began = time.process_time()
            run()
            if number:
                spent[name].append(1000 * (time.process_time() - began))
    return {name: times_of(values) for name, values in spent.items()}


def percentile(values: Iterable[float], share: float) -> float:
    """Return the smallest value that is at least as large as *share* of them; 0 of none."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))] if ordered else 0.0


# Word lists, which are stored outside the project ----------------------------------------------

DEFAULT_FOLDER = Path(os.environ.get("OSMOSMJERKA_BENCH", "../shared/bench"))


def add_folder_argument(parser: ArgumentParser, name: str = "--lists") -> None:
    """Add the option for the folder of the lists."""
    told = "folder of the word lists (default: $OSMOSMJERKA_BENCH or ../shared/bench)"
    parser.add_argument(name, type=Path, default=DEFAULT_FOLDER, help=told)


@dataclass(frozen=True)
class WordList:
    """A named list of words."""

    name: str
    words: tuple[str, ...]

    def side(self, cells_a_letter: float) -> int:
        """Return the side of a square with this many cells per letter; at least a word's length."""
        side = math.ceil(math.sqrt(cells_a_letter * sum(map(len, self.words))))
        return max(side, *map(len, self.words))


def read_lists(folder: Path, words: int) -> list[WordList]:
    """Return the English lists of this number of words, in their order."""
    path = folder / "lists_dev.json"
    if not path.exists():
        raise SystemExit(f"There is no {path}. Name the folder of the word lists.")
    entries = json.loads(path.read_text(encoding="utf-8"))["lists"]
    return [WordList(e["id"], tuple(e["words"])) for e in entries if e["group"] == f"N{words}"]


# Tables ----------------------------------------------------------------------------------------


def table(lines: Sequence[Sequence[str]]) -> str:
    """Return lines whose columns are aligned: the first to the left, the others to the right."""
    widths = [max(len(line[column]) for line in lines) for column in range(len(lines[0]))]
    return "\n".join(
        "  ".join(
            text.rjust(width) if column else text.ljust(width)
            for column, (text, width) in enumerate(zip(line, widths, strict=True))
        ).rstrip()
        for line in lines
    )
