"""Break what the site stands on while a class plays; see what is lost and how long it lasts.

    python -m benchmarks.faults [--only NAME …] [--times 50] [--seconds 60] [--puzzles 500]

Two sites: gunicorn with two processes, PostgreSQL, Redis and Celery's workers as the README starts
them, all on free ports and in a temporary folder; and one `manage.py serve` on SQLite. Thirty
students play through the pages' own API; what is not answered they send again under the same id.
A probe asks for a page and for /healthz several times a second. After each fault, what the players
were told is compared with what is stored, and a new puzzle with its job has to be made.

"Back" is the time from the end of a fault until all is as before: the probe is answered within a
second, answers are taken, and the jobs that were asked for are done. Needs Debian's postgresql and
redis-server. `disk` needs root, for a small file system in memory.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from http.client import HTTPException
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.parse import urlencode
from urllib.request import Request, urlopen

from benchmarks.lesson.crowd import Players
from benchmarks.lesson.stage import BASE, WORKERS, Stage
from tests.own_services import HOST, Service, free_port

STUDENTS, FINDS = 30, 6.0  # found words a second
QUICK = 1.0  # seconds
DRAINED = 120  # seconds within which all jobs have to be done
KINDS = ("word-search", "finder", "crossword")
NO_ANSWER = (OSError, HTTPException)  # the second, if a server died in the middle of one


@dataclass
class Probe:
    """Asks for two addresses again and again, and remembers how long each took."""

    port: int
    token: str
    cookie: str
    asked: list[tuple[str, float, float, int]] = field(default_factory=list)
    said: Counter[str] = field(default_factory=Counter)
    is_over: threading.Event = field(default_factory=threading.Event)

    def run(self) -> None:
        paths = {"health": "/healthz", "page": "/", "api": "/api/lists/"}
        threads = [
            threading.Thread(target=self._ask_all_the_time, args=each) for each in paths.items()
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

    def _ask_all_the_time(self, name: str, path: str) -> None:
        while not self.is_over.wait(0.2):
            began = time.monotonic()
            status = self._ask(name, path)
            self.asked.append((name, began, time.monotonic() - began, status))

    def _ask(self, name: str, path: str) -> int:
        headers = {"Cookie": self.cookie} if name == "page" else {"Authorization": self.token}
        request = Request(f"http://{HOST}:{self.port}{path}", headers=headers)
        try:
            with urlopen(request, timeout=15) as answer:  # noqa: S310
                answer.read()
                return int(answer.status)
        except HTTPError as error:
            told = error.read().decode(errors="replace")
            heading = re.search(r"<h1[^>]*>(.*?)</h1>", told, re.DOTALL)
            detail = re.search(r'"detail":\s*"([^"]*)"', told)
            found = heading or detail
            self.said[f"{error.code}: {found[1].strip() if found else told[:40]!r}"] += 1
            return error.code
        except NO_ANSWER as error:
            reason = getattr(error, "reason", error)
            self.said[type(reason).__name__] += 1
            return 0

    def slowest(self, *names: str) -> float:
        return max((one[2] for one in self.asked if one[0] in names), default=0.0)

    def back_after(self, ended: float) -> float:
        """Return how long after *ended* the last answer came that was late or no answer."""
        bad = [at + took for _name, at, took, status in self.asked if status != 200 or took > QUICK]
        return max((one - ended for one in bad), default=0.0)


class Sink:
    """A server that accepts connections and never says anything."""

    def __init__(self) -> None:
        self._socket = socket.create_server((HOST, 0), backlog=500)
        self.port = int(self._socket.getsockname()[1])


class Run:
    """One site, its players, and its faults."""

    def __init__(self, options: argparse.Namespace, folder: Path, *, is_single: bool) -> None:
        self.options, self.folder = options, folder
        self.stage = Stage(folder, is_single=is_single)
        self.players: Players | None = None
        self.teacher: dict[str, str] = {}
        self.asked_puzzles: list[str] = []
        self.refused_puzzles = 0
        self._finds = 0  # of the faults before

    # The faults; each returns when it began to be mended. ----------------------------------

    def web_killed(self) -> None:
        for _time in range(self.options.times):
            self.stage.kill_web_worker()
            self._wait_for_health()
            time.sleep(0.5)

    def master_killed(self) -> None:
        for _time in range(max(1, self.options.times // 5)):
            self.stage.kill_web()
            self.stage.start_web()
            self._wait_for_health()
            time.sleep(0.5)

    def worker_killed(self) -> None:
        # A person may have 50 in preparation, so that most are asked for while others are made.
        asking = threading.Thread(
            target=self._ask_puzzles, args=[self.options.puzzles], kwargs={"insists": True}
        )
        asking.start()
        for turn in range(self.options.times):
            time.sleep(0.5)
            if self.stage.is_single:
                self.stage.kill_web()
                self.stage.start_web()
                self._wait_for_health()
            else:
                name = "search" if turn % 5 == 4 else "default"
                self.stage.kill_worker(name)
                self.stage.start_worker(name)
                time.sleep(1.5)
        asking.join()

    def redis_killed(self) -> None:
        redis = self._redis()
        redis.kill()
        redis.start()

    def redis_restarted(self) -> None:
        self._restarted(self._redis())

    def redis_stopped(self) -> None:
        self._stopped(self._redis())

    def redis_flushed(self) -> None:
        self._ask_puzzles(20)
        self._redis().flush()

    def redis_hangs(self) -> None:
        self._hangs(self._redis())

    def postgres_restarted(self) -> None:
        for _time in range(max(1, self.options.times // 5)):
            self._restarted(self._postgres())
            time.sleep(1)

    def postgres_stopped(self) -> None:
        self._stopped(self._postgres())

    def postgres_hangs(self) -> None:
        self._hangs(self._postgres())

    def wrong_clocks(self) -> None:
        hour = 3600
        for clock in (hour, -hour):
            self.stage.start_worker(f"default {clock}", clock=clock)
        self._ask_puzzles(self.options.puzzles)
        self._drain()
        for clock in (hour, -hour):
            self.stage.stop_worker(f"default {clock}")

    def mail_down(self) -> None:
        """Let teachers ask for a new password; the mail server refuses from the beginning."""
        path = "/password/"
        with suppress(*NO_ANSWER):
            self._form(path, {"email": "teacher@school.example"})
        self._ask_puzzles(3)
        time.sleep(2)

    def store_down(self) -> None:
        """Let the record store refuse; players go on."""
        self.store.always = "500"
        time.sleep(self.options.seconds)
        self.store.always = ""

    def google_hangs(self) -> None:
        self._google("hang")

    def google_slow(self) -> None:
        self._google("drip")

    def google_wrong(self) -> None:
        self._google("html")

    def disk_full(self) -> None:
        """Fill the file system of the data folder."""
        filling = self.folder / "data" / "filling"
        with suppress(OSError), filling.open("wb") as file:
            while True:
                file.write(b"x" * 65536)
                file.flush()
        self._make_list()
        self._outlast()
        filling.unlink()

    # Parts of them -------------------------------------------------------------------------

    def _redis(self) -> Any:
        return self.stage.redis

    def _postgres(self) -> Any:
        return self.stage.postgres

    def _restarted(self, service: Service) -> None:
        service.stop()
        service.start()

    def _stopped(self, service: Service) -> None:
        service.stop()
        self._outlast()
        service.start()

    def _hangs(self, service: Service) -> None:
        service.freeze()
        self._outlast()
        service.thaw()

    def _outlast(self) -> None:
        """Let the fault last, while puzzles are asked for now and then."""
        ends = time.monotonic() + self.options.seconds
        while time.monotonic() < ends:
            self._ask_puzzles(1)
            time.sleep(2)

    def _google(self, fault: str) -> None:
        self.google.fault = fault
        for _list in range(3):
            self._make_list()
        self._outlast()
        self.google.fault = ""

    def _wait_for_health(self) -> None:
        ends = time.monotonic() + 60
        while time.monotonic() < ends:
            with (
                suppress(*NO_ANSWER),
                urlopen(f"http://{HOST}:{self.stage.port}/healthz", timeout=5),
            ):
                return
            time.sleep(0.05)

    def _post(self, path: str, data: dict[str, Any]) -> dict[str, Any]:
        request = Request(
            f"http://{HOST}:{self.stage.port}{path}",
            data=json.dumps(data).encode(),
            headers={"Content-Type": "application/json", "Authorization": self.teacher["token"]},
        )
        with urlopen(request, timeout=15) as answer:  # noqa: S310
            found: dict[str, Any] = json.load(answer)
            return found

    def _form(self, path: str, data: dict[str, str]) -> None:
        address = f"http://{HOST}:{self.stage.port}{path}"
        with urlopen(address, timeout=15) as page:
            text = page.read().decode()
            cookie = page.headers["Set-Cookie"].partition(";")[0]
        found = re.search(r'name="csrfmiddlewaretoken" value="([^"]+)"', text)
        body = urlencode(data | {"csrfmiddlewaretoken": found[1] if found else ""}).encode()
        origin = f"http://{HOST}:{self.stage.port}"
        headers = {"Cookie": cookie, "Origin": origin}
        urlopen(Request(address, data=body, headers=headers), timeout=15).close()

    def _ask_puzzles(self, count: int, *, insists: bool = False) -> None:
        """Ask for puzzles; those that are not accepted count apart, unless one *insists*."""
        for number in range(count):
            wanted = {"vocabulary_list": self.teacher["list"], "kind": KINDS[number % 3]}
            for _try in range(100):
                try:
                    self.asked_puzzles.append(self._post("/api/puzzles/", wanted)["code"])
                    break
                except NO_ANSWER as error:
                    is_full = isinstance(error, HTTPError) and error.code < 500
                    if not (is_full or insists):
                        self.refused_puzzles += 1
                        break
                    time.sleep(1)  # too many in preparation, or the fault is not over

    def _make_list(self) -> None:
        entries = [
            {"term": f"{word}{int(time.monotonic() * 1000) % 100_000}"}
            for word in ("kuća", "more", "nebo", "riba", "list")
        ]
        wanted = {"title": "l", "language": "hr", "translation_languages": ["en"]}
        with suppress(*NO_ANSWER):
            self._post("/api/lists/", wanted | {"entries": entries})

    def _unfinished(self) -> int:
        from osmosmjerka.jobs.ledger import UNFINISHED
        from osmosmjerka.jobs.models import Job

        jobs = Job.objects.filter(kind="puzzles.generate", state__in=UNFINISHED)
        return jobs.count()

    def _drain(self) -> float:
        """Wait until all puzzles that were asked for are made; return how long that took."""
        from django.db import Error, connection

        began = time.monotonic()
        while time.monotonic() - began < DRAINED:
            try:
                if not self._unfinished():
                    break
            except Error:
                connection.close()
            time.sleep(0.2)
        return time.monotonic() - began

    # A run ---------------------------------------------------------------------------------

    def prepare(self) -> None:
        """Make the site, its school and its players."""
        from tests.puzzles.xapi.record_store import KEY, SECRET, Store
        from tests.vocab.speech.google_server import GoogleServer

        self.google, self.store = GoogleServer(host=HOST), Store()
        data = self.folder / "data"
        data.mkdir(exist_ok=True)
        if "disk" in self.options.only and os.geteuid() == 0:
            subprocess.run(["mount", "-t", "tmpfs", "-o", "size=300m", "faults", data], check=True)
        os.environ |= self.stage.start_services() | {
            "DJANGO_SETTINGS_MODULE": "osmosmjerka.settings",
            "OSMOSMJERKA_DATA_DIR": str(data),
            "OSMOSMJERKA_GTTS": "true",
            "OSMOSMJERKA_GTTS_URL": self.google.url,
            "OSMOSMJERKA_XAPI_URL": self.store.url,
            "OSMOSMJERKA_XAPI_KEY": KEY,
            "OSMOSMJERKA_XAPI_SECRET": SECRET,
            "EMAIL_URL": f"smtp://{HOST}:{free_port()}",
            "no_proxy": HOST,
            "DEBUG": "false",
            "LOG_LEVEL": "ERROR",
            "OSMOSMJERKA_API_RATE": "1000000000",
        }
        import django

        django.setup()
        from django.conf import settings
        from django.core.management import call_command
        from django.test import Client

        from benchmarks.lesson import school
        from osmosmjerka.accounts.auth import tokens
        from osmosmjerka.accounts.models import User
        from puzzles.models import Assignment

        settings.GTTS_ENABLED = False  # while the school is made
        call_command("migrate", verbosity=0)
        call_command("collectstatic", interactive=False, verbosity=0)
        roll = self.folder / "roll.json"
        school.build(STUDENTS, 1, roll, seed=9)
        Assignment.objects.update(attempts=10_000)
        told = json.loads(roll.read_text(encoding="utf-8"))["teacher"]
        teacher = User.objects.get(username=told["username"])
        User.objects.filter(pk=teacher.pk).update(email="teacher@school.example")
        client = Client()
        client.force_login(teacher)
        self.teacher = {
            "token": f"Token {tokens.create(person=teacher, scope='teach')[1]}",
            "cookie": f"sessionid={client.cookies['sessionid'].value}",
            "list": told["list"],
        }
        self.stage.start()
        self.players = Players(roll)
        self.players("move", port=self.stage.port)
        self.players("get_ready")
        self._ask_puzzles(3)
        self._drain()

    def run(self, name: str, fault: Callable[[], None]) -> dict[str, Any]:
        """Let the class play while *fault* happens; return what became of it."""
        assert self.players is not None
        self.asked_puzzles, self.refused_puzzles = [], 0
        self._is_over = threading.Event()
        probe = Probe(self.stage.port, self.teacher["token"], self.teacher["cookie"])
        self.players("get_ready")
        with ThreadPoolExecutor(2) as pool:
            probing = pool.submit(probe.run)
            playing = pool.submit(self._play)
            time.sleep(2)
            began = time.monotonic()
            try:
                fault()
                ended = time.monotonic()
                self._ask_puzzles(3, insists=True)
                drained = self._drain()
                time.sleep(3)
            finally:
                self._is_over.set()
                probe.is_over.set()
            playing.result()
            probing.result()
        self.players("settle")
        return {
            "fault": name,
            "lasted": ended - began,
            **self._accounts(),
            "slowest_page": probe.slowest("page", "api"),
            "slowest_health": probe.slowest("health"),
            "back": max(0.0, probe.back_after(ended)),
            "drained": drained,
            "said": dict(probe.said.most_common(4)),
        }

    def _play(self) -> None:
        assert self.players is not None
        turn = 0
        while not self._is_over.is_set():
            turn += 1
            self.players("load", finds=[(FINDS, 3)], pages=1, seed=turn)

    def _accounts(self) -> dict[str, Any]:
        from django.db.models import Count, F

        from benchmarks.lesson import phases
        from puzzles.models import Puzzle

        assert self.players is not None
        told = self.players("confirmed")
        found = phases.compare(told["ids"])
        before, self._finds = self._finds, found["finds"]
        made = Puzzle.objects.filter(code__in=self.asked_puzzles).annotate(
            n=Count("placements"), words=Count("placements__entry", distinct=True)
        )
        return {
            "finds": found["finds"] - before,
            "finds_lost": found["lost"],
            "finds_doubled": found["twice"] + told["changed"],
            "puzzles": len(self.asked_puzzles),
            "puzzles_refused": self.refused_puzzles,
            "puzzles_lost": len(self.asked_puzzles) - made.filter(state="ready").count(),
            "puzzles_doubled": made.filter(n__gt=F("words")).count(),
        }

    def close(self) -> None:
        if self.players is not None:
            self.players.__exit__(None, None, None)
        self.stage.close()
        self.google.close()
        self.store.close()
        with suppress(Exception):
            subprocess.run(["umount", "-l", self.folder / "data"], check=False, capture_output=True)


BOTH = ("web-killed", "worker-killed", "google-hangs", "google-slow", "google-wrong", "store-down",
        "mail-down", "disk-full")  # fmt: skip
SEVERAL = ("master-killed", "redis-killed", "redis-restarted", "redis-stopped", "redis-flushed",
           "redis-hangs", "postgres-restarted", "postgres-stopped", "postgres-hangs",
           "wrong-clocks")  # fmt: skip
FAULTS = (*BOTH, *SEVERAL)


def row(site: str, found: dict[str, Any]) -> str:
    said = "; ".join(f"{what} ×{count}" for what, count in found["said"].items()) or "–"
    return (
        f"| {site} | {found['fault']} | {found['lasted']:.0f} s"
        f" | {found['finds']} / {found['finds_lost']} / {found['finds_doubled']}"
        f" | {found['puzzles']} / {found['puzzles_lost']} / {found['puzzles_doubled']}"
        f" ({found['puzzles_refused']} refused)"
        f" | {found['slowest_page']:.1f} s | {found['slowest_health']:.1f} s"
        f" | {found['back']:.1f} s, jobs {found['drained']:.1f} s | {said} |"
    )


HEAD = (
    "| Site | Fault | Lasted | Finds acknowledged / lost / doubled | Puzzles asked / lost / doubled"
    " | Slowest page | Slowest /healthz | Back after | The page said |\n" + "|---" * 9 + "|"
)


def run_site(options: argparse.Namespace, *, is_single: bool) -> None:
    """Run the wanted faults of one site, in this process; print a row for each."""
    site = "SQLite, serve" if is_single else f"PostgreSQL, {len(WORKERS)} workers"
    names: Sequence[str] = BOTH if is_single else FAULTS
    with tempfile.TemporaryDirectory(prefix="faults-") as folder:
        Path(folder).chmod(0o755)
        run = Run(options, Path(folder), is_single=is_single)
        try:
            run.prepare()
            for name in names:
                if name not in options.only:
                    continue
                if name == "disk-full" and (os.geteuid() != 0 or "disk" not in options.only):
                    print(f"| {site} | {name} | skipped: needs root |", flush=True)
                    continue
                found = run.run(name, getattr(run, name.replace("-", "_")))
                print(row(site, found), flush=True)
            faults = run.stage.log_text().count("Traceback (most recent call last)")
            print(f"  {site}: {faults} tracebacks in the log", file=sys.stderr)
            if options.log:
                log = options.log.with_suffix(".single" if is_single else ".several")
                log.write_text(run.stage.log_text(), encoding="utf-8")
        finally:
            run.close()


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--only", nargs="+", choices=FAULTS, default=list(FAULTS))
    parser.add_argument("--sites", nargs="+", choices=("several", "single"),
                        default=["several", "single"])  # fmt: skip
    parser.add_argument("--times", type=int, default=5, help="how often something is killed")
    parser.add_argument("--seconds", type=float, default=15, help="how long something is away")
    parser.add_argument("--puzzles", type=int, default=50, help="to make while workers are killed")
    parser.add_argument("--log", type=Path, help="write the sites' logs to files of this name")
    parser.add_argument("--site", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if "disk-full" in options.only:
        options.only.append("disk")
    if options.site:
        return run_site(options, is_single=options.site == "single")
    print(HEAD, flush=True)
    for site in options.sites:  # each has its settings, so each needs a process
        command = [sys.executable, "-m", "benchmarks.faults", "--site", site, *sys.argv[1:]]
        subprocess.run(command, cwd=BASE, check=True)


if __name__ == "__main__":
    main()
