"""The site under load as real processes, and the processor time that they take."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from urllib.request import urlopen

WORKERS_NICE = 5  # as in deploy/systemd
TICKS = os.sysconf("SC_CLK_TCK")
HOST = "127.0.0.1"
BASE = Path(__file__).resolve().parents[2]


def free_port() -> int:
    with socket.socket() as free:
        free.bind((HOST, 0))
        return int(free.getsockname()[1])


@dataclass(frozen=True, slots=True)
class Process:
    parent: int
    seconds: float  # of processor, with those of its children that ended
    name: str


def processes() -> dict[int, Process]:
    """Return what the machine's processes have used of its processors."""
    found = {}
    for folder in Path("/proc").iterdir():
        if not folder.name.isdecimal():
            continue
        try:
            fields = (folder / "stat").read_text().rpartition(")")[2].split()
            name = (folder / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
        except OSError:  # it ended
            continue
        found[int(folder.name)] = Process(
            int(fields[1]), sum(map(int, fields[11:15])) / TICKS, name
        )
    return found


def tree(roots: Iterable[int], known: dict[int, Process]) -> set[int]:
    """Return the ids of processes with all that they started."""
    found = set(roots) & set(known)
    while True:
        more = {pid for pid, one in known.items() if one.parent in found} - found
        if not more:
            return found
        found |= more


def memory(pids: Iterable[int]) -> float:
    """Return the megabytes that these processes hold for themselves alone."""
    total = 0
    for pid in pids:
        try:
            lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
        except OSError:
            continue
        total += sum(int(line.split()[1]) for line in lines if line.startswith("Private_"))
    return total / 1024


@dataclass(frozen=True, slots=True)
class Used:
    """Seconds of processor, of the wall clock, and of all processors of the machine."""

    web: float
    worker: float
    database: float
    players: float
    machine: float
    wall: float

    def __sub__(self, other: Used) -> Used:
        return Used(
            self.web - other.web,
            self.worker - other.worker,
            self.database - other.database,
            self.players - other.players,
            self.machine - other.machine,
            self.wall - other.wall,
        )


class Site:
    """The product as its documentation says to run it.

    Without *processes* it is `manage.py serve` with its embedded worker. Otherwise gunicorn with
    that many, and Celery's workers beside it.
    """

    def __init__(self, log: Path, processes: int | None, database: str) -> None:
        self.port = free_port()
        self.processes = processes
        self._log = log
        self._database = database
        self._started: list[subprocess.Popen[bytes]] = []
        self._backends: dict[int, float] = {}
        self._stopped = threading.Event()
        self._watch = threading.Thread(target=self._look, daemon=True)
        self.players = 0  # the id of the process that makes the load

    def __enter__(self) -> Site:
        address = f"{HOST}:{self.port}"
        if self.processes is None:
            self._start("manage.py", "serve", "--port", str(self.port))
        else:
            self._start(
                "-m", "gunicorn", "osmosmjerka.wsgi", "--workers", str(self.processes),
                "--bind", address,
            )  # fmt: skip
            for queues in ("default,sound", "search"):
                self._start(
                    "-m", "celery", "-A", "osmosmjerka", "worker", "-Q", queues, "-c", "1",
                    "-n", f"{queues.partition(',')[0]}{self.port}@%h",
                )  # fmt: skip
                os.setpriority(os.PRIO_PROCESS, self._started[-1].pid, WORKERS_NICE)
        for _try in range(600):
            if self._started[0].poll() is not None:
                raise SystemExit(f"The server stopped:\n{self.log_text()[-2000:]}")
            try:
                with urlopen(f"http://{address}/readyz", timeout=5) as answer:
                    if answer.status == 200:
                        break
            except OSError:
                time.sleep(0.1)
        else:
            raise SystemExit(f"The server did not start:\n{self.log_text()[-2000:]}")
        if self.processes is not None:
            self._watch.start()
        return self

    def __exit__(
        self,
        _type: type[BaseException] | None,
        _error: BaseException | None,
        _trace: TracebackType | None,
    ) -> None:
        self._stopped.set()
        for process in self._started:
            process.terminate()
        for process in self._started:
            try:
                process.wait(20)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()

    def _start(self, *command: str) -> None:
        with self._log.open("ab") as log:
            self._started.append(
                subprocess.Popen(
                    [sys.executable, *command],
                    cwd=BASE,
                    stdout=log,
                    stderr=log,
                    env=os.environ | {"LOG_LEVEL": "INFO"},
                )
            )

    def log_text(self) -> str:
        return self._log.read_text(encoding="utf-8", errors="replace")

    def used(self) -> Used:
        """Return what has been used until now; subtract an earlier answer."""
        known = processes()
        self._see_backends(known)
        web, *workers = [process.pid for process in self._started]

        def of(roots: Iterable[int]) -> float:
            return sum(known[pid].seconds for pid in tree(roots, known))

        return Used(
            of([web]),
            of(workers),
            sum(self._backends.values()),
            of([self.players]),
            _busy(),
            time.monotonic(),
        )

    def megabytes(self) -> float:
        """Return what one web process holds in memory for itself."""
        known = processes()
        pids = tree([self._started[0].pid], known)
        if self.processes is not None:
            pids -= {self._started[0].pid}
        return memory(pids) / max(1, len(pids) if self.processes else 1)

    def _look(self) -> None:
        """Note what each of the database's processes used, before they end."""
        while not self._stopped.wait(1):
            self._see_backends(processes())

    def _see_backends(self, known: dict[int, Process]) -> None:
        for pid, process in known.items():
            if process.name.startswith("postgres:") and f" {self._database} " in process.name:
                self._backends[pid] = process.seconds


def _busy() -> float:
    """Return the seconds that the machine's processors have worked, for anybody."""
    fields = Path("/proc/stat").read_text().splitlines()[0].split()[1:]
    user, nice, system, _idle, _waiting, *others = map(int, fields)
    return (user + nice + system + sum(others[:3])) / TICKS
