"""PostgreSQL and Redis of one's own, on free ports and in a temporary folder, to break them."""

import os
import shutil
import signal
import socket
import subprocess
import time
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path

HOST = "127.0.0.1"


def binary(name: str) -> str | None:
    """Return the path of a program; Debian keeps those of PostgreSQL aside."""
    aside = sorted(Path("/usr/lib/postgresql").glob(f"*/bin/{name}"))
    return str(aside[-1]) if aside else shutil.which(name)


def free_port() -> int:
    with socket.socket() as free:
        free.bind((HOST, 0))
        return int(free.getsockname()[1])


class Service(ABC):
    """A server that can be stopped, killed and frozen, with all its processes."""

    programs: Sequence[str] = ()

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.port = free_port()
        self._process: subprocess.Popen[bytes] | None = None
        # PostgreSQL refuses to run as root.
        self.user = "postgres" if os.geteuid() == 0 else None

    @classmethod
    def missing(cls) -> str | None:
        """Return what is not installed here; None if nothing is missing."""
        return next((name for name in cls.programs if binary(name) is None), None)

    @abstractmethod
    def command(self) -> list[str]:
        """Return the command that runs the server in the foreground."""

    @abstractmethod
    def is_up(self) -> bool:
        """Return whether the server answers."""

    def start(self) -> None:
        with (self.folder / "log.txt").open("ab") as log:
            self._process = subprocess.Popen(
                self.command(), cwd=self.folder, stdout=log, stderr=log, start_new_session=True
            )
        ends = time.monotonic() + 60
        while not self.is_up():
            if time.monotonic() > ends or self._process.poll() is not None:
                raise SystemExit((self.folder / "log.txt").read_text()[-2000:])
            time.sleep(0.05)

    def stop(self, how: signal.Signals = signal.SIGINT) -> None:
        """Stop it; if it was frozen, it goes on first."""
        if self._process is None:
            return
        self.thaw()
        self._send(how)
        try:
            self._process.wait(30)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._process = None

    def kill(self) -> None:
        assert self._process is not None
        for pid in self._pids():
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        self._process.wait()
        self._process = None

    def freeze(self) -> None:
        """Let all its processes hang."""
        for pid in self._pids():
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGSTOP)

    def thaw(self) -> None:
        for pid in self._pids():
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGCONT)

    def _send(self, what: signal.Signals) -> None:
        assert self._process is not None
        os.kill(self._process.pid, what)

    def _pids(self) -> Iterator[int]:
        """Yield the process and its children: first the one that makes others."""
        assert self._process is not None
        found = [self._process.pid]
        while found:
            pid = found.pop(0)
            yield pid
            with suppress(OSError):  # it has ended meanwhile
                for path in Path(f"/proc/{pid}/task").glob("*/children"):
                    found += map(int, path.read_text().split())


class Redis(Service):
    programs = ("redis-server",)

    @property
    def url(self) -> str:
        return f"redis://{HOST}:{self.port}/0"

    def command(self) -> list[str]:
        return [
            str(binary("redis-server")), "--port", str(self.port), "--bind", HOST,
            "--dir", str(self.folder), "--save", "", "--appendonly", "no",
        ]  # fmt: skip

    def is_up(self) -> bool:
        try:
            with socket.create_connection((HOST, self.port), timeout=1) as link:
                link.sendall(b"PING\r\n")
                return link.recv(7) == b"+PONG\r\n"
        except OSError:
            return False

    def flush(self) -> None:
        with socket.create_connection((HOST, self.port), timeout=5) as link:
            link.sendall(b"FLUSHALL\r\n")
            link.recv(100)


class PostgreSQL(Service):
    programs = ("initdb", "postgres")

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self._data = folder / "data"
        if self.user:
            shutil.chown(folder, self.user)
        subprocess.run(
            [str(binary("initdb")), "-D", str(self._data), "-U", "postgres", "-A", "trust",
             "--no-sync", "--locale=C", "--encoding=UTF8"],
            check=True, stdout=subprocess.DEVNULL, user=self.user, cwd=folder,
        )  # fmt: skip

    def url(self, database: str = "postgres") -> str:
        return f"postgres://postgres@{HOST}:{self.port}/{database}"

    def command(self) -> list[str]:
        found = [
            str(binary("postgres")), "-D", str(self._data), "-p", str(self.port), "-h", HOST,
            "-k", str(self.folder), "-c", "fsync=on", "-c", "max_connections=60",
        ]  # fmt: skip
        return ["setpriv", f"--reuid={self.user}", f"--regid={self.user}", "--clear-groups",
                *found] if self.user else found  # fmt: skip

    def is_up(self) -> bool:
        import psycopg

        try:
            psycopg.connect(self.url(), connect_timeout=2).close()
        except psycopg.Error:
            return False
        return True

    def create(self, database: str, template: str = "template1") -> None:
        import psycopg

        with psycopg.connect(self.url(), autocommit=True) as admin:
            admin.execute(f'CREATE DATABASE "{database}" TEMPLATE "{template}"'.encode())
