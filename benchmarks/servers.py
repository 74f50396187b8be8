"""The embedded server and its alternatives: the same site under each of them, in one run.

    python -m benchmarks.servers [--only NAME …] [--rates 15 30 45] [--flood 240]

Serves a temporary site (SQLite in a temporary folder) with waitress as it is, with our embedded
server (osmosmjerka/embedded.py), with gunicorn (one worker, threads; as it is, and with our worker)
and with granian (one worker, WSGI). Granian is no dependency: without it, its row is missing and
said to be. To include it:

    pip install --target /tmp/peers granian && PYTHONPATH=/tmp/peers python -m benchmarks.servers

Requests come from processes of their own (benchmarks/open_loop.py). "A list" is GET /api/lists/
with a token. Processor time is that of all processes of the server.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager, suppress
from importlib.util import find_spec
from pathlib import Path
from typing import Any

HERE = "benchmarks.servers"
PORT = 8765
THREADS = 8
FILE = "/static/osmosmjerka/favicon.svg"
TICKS = os.sysconf("SC_CLK_TCK")
GUNICORN = ["-m", "gunicorn", f"{HERE}:site()", "--workers", "1", "--threads", str(THREADS),
            "--bind", f"127.0.0.1:{PORT}", "--log-level", "error"]  # fmt: skip
COMMANDS: dict[str, list[str]] = {
    "waitress": ["-m", HERE, "--serve", "waitress"],
    "embedded": ["-m", HERE, "--serve", "embedded"],
    "gunicorn": [*GUNICORN, "--worker-class", "gthread"],
    "gunicorn, patient": GUNICORN,  # by gunicorn.conf.py
    "granian": ["-m", "granian", "--interface", "wsgi", "--workers", "1", "--blocking-threads",
                str(THREADS), "--host", "127.0.0.1", "--port", str(PORT), "--log-level", "error",
                "--factory", f"{HERE}:site"],
}  # fmt: skip


def site() -> Callable[..., Any]:
    """Return the site's application, with /slow, which takes a second."""
    from osmosmjerka.wsgi import application

    def with_slow(environ: dict[str, Any], start_response: Callable[..., Any]) -> Any:
        if environ["PATH_INFO"] == "/slow":
            time.sleep(1)
            environ["PATH_INFO"] = "/healthz"
        return application(environ, start_response)

    return with_slow


def serve(name: str) -> None:
    """Serve the site in this process."""
    import waitress.server

    from osmosmjerka import embedded
    from osmosmjerka.middleware import LARGEST_BODY

    options: dict[str, Any] = {
        "host": "127.0.0.1", "port": PORT, "threads": THREADS,
        "max_request_body_size": LARGEST_BODY, "clear_untrusted_proxy_headers": True,
    }  # fmt: skip
    create_server = embedded.create_server
    if name == "waitress":
        create_server = waitress.server.create_server
        options |= {"connection_limit": 800, "channel_timeout": 20, "cleanup_interval": 5,
                    "asyncore_use_poll": True}  # fmt: skip
    server = create_server(site(), **options)
    signal.signal(signal.SIGTERM, lambda *_signal: sys.exit(0))
    server.run()


class Server:
    """A server that runs, with all its processes."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self.process = process

    def _pids(self) -> Iterator[int]:
        found = [self.process.pid]
        while found:
            pid = found.pop()
            yield pid
            for path in Path(f"/proc/{pid}/task").glob("*/children"):
                found += map(int, path.read_text().split())

    def processor(self) -> float:
        """Return the seconds of processor time used so far."""
        stats = [Path(f"/proc/{pid}/stat").read_text() for pid in self._pids()]
        used = [stat.rpartition(")")[2].split() for stat in stats]
        return sum(int(fields[11]) + int(fields[12]) for fields in used) / TICKS

    def memory(self, name: str = "VmRSS") -> float:
        """Return the memory of all processes in MB."""
        texts = [Path(f"/proc/{pid}/status").read_text() for pid in self._pids()]
        return sum(int(text.partition(f"{name}:")[2].split()[0]) for text in texts) / 1024


@contextmanager
def running(name: str) -> Iterator[Server]:
    log = Path(os.environ["OSMOSMJERKA_DATA_DIR"], f"{name}.log")
    with log.open("wb") as file:
        process = subprocess.Popen([sys.executable, *COMMANDS[name]], stdout=file, stderr=file)
    try:
        while not _answers("/healthz"):
            if process.poll() is not None:
                raise SystemExit(f"{name} did not start: {log.read_text()}")
            time.sleep(0.1)
        yield Server(process)
    finally:
        process.terminate()
        with suppress(subprocess.TimeoutExpired):
            process.wait(10)
        process.kill()
        process.wait()


def _answers(path: str, header: str = "", seconds: float = 1) -> str:
    """Return the status of an answer, or nothing."""
    try:
        with socket.create_connection(("127.0.0.1", PORT), timeout=seconds) as link:
            link.sendall(_request(path, header, "Connection: close"))
            return link.recv(64).decode()[9:12]
    except OSError:
        return ""


def _request(path: str, *headers: str) -> bytes:
    lines = [f"GET {path} HTTP/1.1", "Host: localhost", *filter(None, headers), "", ""]
    return "\r\n".join(lines).encode()


def load(path: str, header: str = "", **options: float) -> subprocess.Popen[str]:
    """Start requests from a process of their own."""
    command = [sys.executable, "-m", "benchmarks.open_loop", str(PORT), path]
    command += ["--header", header] if header else []
    for name, value in options.items():
        command += [f"--{name.replace('_', '-')}", str(value)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True)


def done(generator: subprocess.Popen[str]) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(generator.communicate()[0])
    return found


def share(found: dict[str, Any], outcome: str = "200") -> float:
    counts: dict[str, int] = found["outcomes"]
    return 100 * counts.get(outcome, 0) / max(1, sum(counts.values()))


def show(what: str, **values: Any) -> None:
    print(
        f"  {what}: " + ", ".join(f"{name} {value}" for name, value in values.items()), flush=True
    )


Costs = dict[str, list[tuple[float, float]]]


def costs(server: Server, token: str, found: Costs) -> None:
    """Add to *found* what requests cost, in ms of processor time, and how long they take."""
    with ExitStack() as stack:
        for what, path, header, requests, idle in (
            ("bare view", "/healthz", "", 1500, 0),
            ("a list", "/api/lists/", token, 200, 0),
            ("a file", FILE, "", 1500, 0),
            ("a file, beside 500 idle connections", FILE, "", 1500, 500),
        ):
            _idle(stack, idle)
            done(load(path, header, at_once=1, requests=50))
            before = server.processor()
            answers = done(load(path, header, at_once=1, requests=requests))
            used = 1000 * (server.processor() - before) / requests
            found.setdefault(what, []).append((used, answers["times"]["200"]["p50"]))


def measure(server: Server, token: str, options: argparse.Namespace) -> None:
    show("memory", MB=round(server.memory()))
    for rate in options.rates:
        found = done(load("/api/lists/", token, rate=rate, seconds=options.seconds))
        show(f"{rate:.0f} lists a second", ok=f"{share(found):.0f}%",
             **found["times"].get("200", {}))  # fmt: skip
    _slow_clients(token, options.rates[0])
    _upload(server, token)
    _overload(token, options.flood, options.seconds)
    show("memory afterwards", MB=round(server.memory()))
    _stop(server)


def _idle(stack: ExitStack, count: int) -> None:
    for _number in range(count):
        link = stack.enter_context(socket.create_connection(("127.0.0.1", PORT), timeout=5))
        link.sendall(_request(FILE))
        with suppress(TimeoutError):
            link.recv(10_000)


def _slow_clients(token: str, rate: float) -> None:
    """Hold connections that send or read little, while others ask for a list."""
    half_sent = b"POST /api/lists/ HTTP/1.1\r\nHost: localhost\r\nContent-Le"
    half_body = b"POST /api/lists/ HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9000\r\n\r\n{"
    largest = max(Path(os.environ["OSMOSMJERKA_DATA_DIR"], "static").rglob("*.js"),
                  key=lambda path: path.stat().st_size)  # fmt: skip
    read_nothing = 20 * _request(f"/static/{largest.relative_to(largest.parents[-4])}")
    kinds = {
        "200 half-sent headers": (200, half_sent), "200 half-sent bodies": (200, half_body),
        "50 that read nothing": (50, read_nothing), "1500 half-sent headers": (1500, half_sent),
    }  # fmt: skip
    for what, (count, begun) in kinds.items():
        with ExitStack() as stack:
            with ThreadPoolExecutor(1) as pool:
                holding = pool.submit(_hold, stack, count, begun)
                with suppress(Exception):
                    holding.result(20)
            found = done(load("/api/lists/", token, rate=rate, seconds=5, patience=10))
        show(f"beside {what}", ok=f"{share(found):.0f}%", **found["times"].get("200", {}))


def _hold(stack: ExitStack, count: int, begun: bytes) -> None:
    for _number in range(count):
        link = stack.enter_context(socket.create_connection(("127.0.0.1", PORT), timeout=1))
        link.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        link.sendall(begun)


def _upload(server: Server, token: str) -> None:
    """Send a body of 290 MB, and one that is larger than the limit."""
    before = server.memory("VmHWM")
    statuses = []
    for size in (290_000_000, 302_000_000):
        with socket.create_connection(("127.0.0.1", PORT), timeout=60) as link:
            head = _request("/api/lists/1/import/", token, f"Content-Length: {size}",
                            "Content-Type: multipart/form-data; boundary=x").replace(
                                b"GET", b"POST", 1)  # fmt: skip
            answer = b""
            with suppress(OSError):
                link.sendall(head)
                for _number in range(size // 1_000_000):
                    link.sendall(1_000_000 * b"x")
            with suppress(OSError):
                answer = link.recv(64)
        statuses.append(answer[9:12].decode() or "closed")
    show("bodies of 290 and 302 MB", answered="/".join(statuses),
         peak_MB_more=round(server.memory("VmHWM") - before))  # fmt: skip


def _overload(token: str, rate: float, seconds: float) -> None:
    """Send more than can be answered; then see when all is normal again."""
    flood = load("/api/lists/", token, rate=rate, seconds=seconds)
    healthy = load("/healthz", rate=2, seconds=seconds)
    began = time.monotonic()
    health, found = done(healthy), done(flood)
    counts = found["outcomes"]
    show(f"{rate:.0f} lists a second, for {seconds:.0f} s", **{
        "outcomes": json.dumps(counts),
        "answered a second": round(counts.get("200", 0) / (time.monotonic() - began)),
        "with Retry-After": found["retry_said"],
        "200": found["times"].get("200", {}), "503": found["times"].get("503", {}),
    })  # fmt: skip
    show("/healthz meanwhile", ok=f"{share(health):.0f}%", **health["times"].get("200", {}))
    ended = began + seconds
    quick = 0
    while quick < 5 and time.monotonic() - ended < 60:
        asked = time.monotonic()
        is_quick = _answers("/api/lists/", token) == "200" and time.monotonic() - asked < 0.3
        quick = quick + 1 if is_quick else 0
    # The generator ends when its last request is answered or has failed.
    show("normal again", seconds_after=round(time.monotonic() - ended, 1))


def _stop(server: Server) -> None:
    """Stop the server while requests are answered."""
    with ThreadPoolExecutor(4) as pool:
        asked = [pool.submit(_answers, "/slow", seconds=10) for _number in range(4)]
        time.sleep(0.4)
        server.process.terminate()
        answered = [answer.result() for answer in asked]
    show("stopped with 4 requests begun", answered=answered.count("200"))


def prepare() -> str:
    """Make the site and a teacher; return the header with a token."""
    import django

    django.setup()
    from django.core.management import call_command

    call_command("migrate", verbosity=0)
    call_command("collectstatic", interactive=False, verbosity=0)
    from osmosmjerka.accounts.auth import tokens
    from osmosmjerka.accounts.models import School
    from osmosmjerka.accounts.people import create_person
    from vocab.imports.pasting import parse_pasted
    from vocab.lists.services import create_list

    school = School.objects.create(name="School")
    teacher = create_person(username="t", display_name="T", role="teacher", school=school)
    rows = parse_pasted("pas\tdog\nmačka\tcat").rows
    create_list(owner=teacher, title="l", language="hr", translation_languages=["en"], rows=rows)
    _token, text = tokens.create(person=teacher, scope="teach")
    return f"Authorization: Token {text}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", nargs="*", default=list(COMMANDS), choices=list(COMMANDS))
    parser.add_argument("--rounds", type=int, default=3, help="of costs, of which the least counts")
    parser.add_argument("--rates", type=float, nargs="*", default=[15, 30, 45])
    parser.add_argument("--flood", type=float, default=240, help="more than can be answered")
    parser.add_argument("--seconds", type=float, default=8)
    parser.add_argument("--serve", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.serve:
        return serve(options.serve)
    with tempfile.TemporaryDirectory() as folder:
        os.environ |= {
            "OSMOSMJERKA_DATA_DIR": folder, "DJANGO_SETTINGS_MODULE": "osmosmjerka.settings",
            "LOG_LEVEL": "ERROR", "OSMOSMJERKA_API_RATE": "1000000000",
        }  # fmt: skip
        token = prepare()
        names = list(options.only)
        if "granian" in names and not find_spec("granian"):
            print("granian: MISSING, so not measured; see the command at the top of this file")
            names.remove("granian")
        found: dict[str, Costs] = {name: {} for name in names}
        for _round in range(options.rounds):
            for name in names:
                with running(name) as server:
                    costs(server, token, found[name])
        for name in names:
            print(name, flush=True)
            for what, measured in found[name].items():
                processor, median = map(min, zip(*measured, strict=True))
                show(what, ms_of_processor=round(processor, 2), p50=median)
            with running(name) as server:
                measure(server, token, options)


if __name__ == "__main__":
    main()
