"""The product and all it stands on as processes of one's own, each of which may be broken."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path
from urllib.request import urlopen

from tests.own_services import HOST, PostgreSQL, Redis, free_port

BASE = Path(__file__).resolve().parents[2]
DATABASE = "faults"
# Workers as the README starts them.
WORKERS = {"default": ("default,sound", 2), "search": ("search", 1)}
_WRONG_CLOCK = """
import time_machine
from datetime import datetime, timedelta, timezone
time_machine.travel(datetime.now(timezone.utc) + timedelta(seconds={}), tick=True).start()
"""


class Stage:
    """One web server, and on PostgreSQL and Redis Celery's workers beside it."""

    def __init__(self, folder: Path, *, is_single: bool) -> None:
        self.folder, self.is_single = folder, is_single
        self.port = free_port()
        self._log = folder / "log.txt"
        self.web: subprocess.Popen[bytes] | None = None
        self.workers: dict[str, subprocess.Popen[bytes]] = {}
        self.postgres: PostgreSQL | None = None
        self.redis: Redis | None = None

    def start_services(self) -> dict[str, str]:
        """Start what the site stands on; return the variables that name it."""
        if self.is_single:
            return {
                "DATABASE_URL": f"sqlite:///{self.folder / 'data' / 'osmosmjerka.sqlite3'}",
                "CELERY_BROKER_URL": "memory://",
                "CACHE_URL": "locmem://",
            }
        for name in ("postgres", "redis"):
            (self.folder / name).mkdir()
        self.postgres = PostgreSQL(self.folder / "postgres")
        self.redis = Redis(self.folder / "redis")
        self.postgres.start()
        self.redis.start()
        self.postgres.create(DATABASE)
        return {
            "DATABASE_URL": self.postgres.url(DATABASE),
            "CELERY_BROKER_URL": self.redis.url,
            "CACHE_URL": self.redis.url,
        }

    # Processes ---------------------------------------------------------------------------

    def start(self) -> None:
        self.start_web()
        for name in [] if self.is_single else WORKERS:
            self.start_worker(name)
        self.wait_until_ready()

    def start_web(self) -> None:
        if self.is_single:
            self.web = self._started("manage.py", "serve", "--port", str(self.port))
        else:
            self.web = self._started(
                "-m", "gunicorn", "osmosmjerka.wsgi", "--workers", "2",
                "--bind", f"{HOST}:{self.port}", "--log-level", "warning",
            )  # fmt: skip

    def start_worker(self, name: str, *, clock: float = 0) -> None:
        """Start Celery's worker of that name; its clock may be wrong by so many seconds."""
        queues, slots = WORKERS[name.partition(" ")[0]]
        arguments = [
            "worker", "-Q", queues, "-c", str(slots), "-n", f"{name.replace(' ', '-')}@%h",
            "--loglevel", "WARNING",
        ]  # fmt: skip
        program = f"from osmosmjerka.celery import app; app.worker_main({arguments!r})"
        before = _WRONG_CLOCK.format(clock) if clock else ""
        setup = "import django; django.setup()"
        self.workers[name] = self._started("-c", f"{setup}\n{before}\n{program}")

    def kill_web_worker(self) -> None:
        """Kill one of gunicorn's workers; of `serve`, all, and start it again."""
        assert self.web is not None
        if self.is_single:
            self.kill_web()
            self.start_web()
            return
        children = Path(f"/proc/{self.web.pid}/task/{self.web.pid}/children").read_text().split()
        if children:
            with suppress(ProcessLookupError):
                os.kill(int(children[0]), signal.SIGKILL)

    def kill_web(self) -> None:
        assert self.web is not None
        _kill(self.web)

    def kill_worker(self, name: str) -> None:
        _kill(self.workers.pop(name))

    def stop_worker(self, name: str) -> None:
        process = self.workers.pop(name)
        process.terminate()
        with suppress(subprocess.TimeoutExpired):
            process.wait(20)
        _kill(process)

    def wait_until_ready(self, seconds: float = 90) -> None:
        ends = time.monotonic() + seconds
        while time.monotonic() < ends:
            with suppress(OSError), urlopen(f"http://{HOST}:{self.port}/readyz", timeout=5):
                return
            time.sleep(0.2)
        raise SystemExit(f"The site is not ready:\n{self._log.read_text()[-3000:]}")

    def close(self) -> None:
        for process in (self.web, *self.workers.values()):
            if process is not None:
                process.terminate()
        for process in (self.web, *self.workers.values()):
            if process is not None:
                with suppress(subprocess.TimeoutExpired):
                    process.wait(10)
                _kill(process)
        for service in (self.redis, self.postgres):
            if service is not None:
                service.stop()

    def log_text(self) -> str:
        return self._log.read_text(encoding="utf-8", errors="replace")

    def _started(self, *command: str) -> subprocess.Popen[bytes]:
        with self._log.open("ab") as log:
            return subprocess.Popen(
                [sys.executable, *command],
                cwd=BASE,
                stdout=log,
                stderr=log,
                start_new_session=True,
                env=os.environ | {"LOG_LEVEL": "WARNING"},
            )


def _kill(process: subprocess.Popen[bytes]) -> None:
    """Kill a process with all that it started."""
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
