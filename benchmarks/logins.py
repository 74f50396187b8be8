"""Nine o'clock: a thousand logins with cards from one address, and guesses that all fail.

    python -m benchmarks.logins [--logins 1000] [--guesses 100000] [--processes 2]

Serves a temporary site (SQLite in a temporary folder) with gunicorn, real password hashing and real
requests over HTTP. Meanwhile a teacher repeatedly logs in with a password. Guesses go through
Django's own handler: the same number from one address and from a thousand. Nothing here depends on
addresses, as the figures show. A wrong name and a wrong code get the same response.
"""

from __future__ import annotations

import argparse
import os
import re
import secrets
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

PASSWORD = "correct horse battery staple"  # noqa: S105  (of a site that lives for a minute)
Guess = tuple[str, dict[str, str]]  # the address, and the data sent to it
_TOKEN = re.compile(r'name="csrfmiddlewaretoken" value="([^"]+)"')


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--logins", type=int, default=1000)
    parser.add_argument("--guesses", type=int, default=100_000)
    parser.add_argument("--processes", type=int, default=2)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        os.environ |= {
            "OSMOSMJERKA_DATA_DIR": folder,
            "DJANGO_SETTINGS_MODULE": "osmosmjerka.settings",
            "LOG_LEVEL": "ERROR",
        }
        import django

        django.setup()
        from django.core.management import call_command

        call_command("migrate", verbosity=0)
        call_command("collectstatic", interactive=False, verbosity=0)
        tokens, code = _people(options.logins)
        _measure_logins(tokens, options.processes)
        _measure_guesses(code, options.guesses)


def _people(count: int) -> tuple[list[str], str]:
    """Create a school whose classes have *count* students with cards."""
    from osmosmjerka.accounts import people
    from osmosmjerka.accounts.auth import cards
    from osmosmjerka.accounts.classrooms import services as classes
    from osmosmjerka.accounts.models import School

    school = School.objects.create(name="School")
    teacher = people.create_person(
        username="teacher", display_name="T", role="teacher", school=school, password=PASSWORD
    )
    tokens: list[str] = []
    while len(tokens) < count:
        classroom = people.create_classroom(name="class", owner=teacher)
        names = [f"Student{number}" for number in range(min(30, count - len(tokens)))]
        students = classes.add_students(classroom=classroom, names=names, actor=teacher)
        made = cards.issue_cards(students=students, actor=teacher, classroom=classroom)
        tokens += [card.token for card in made]
    return tokens, classroom.join_code


def _measure_logins(tokens: list[str], processes: int) -> None:
    import requests

    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    server = subprocess.Popen(
        [sys.executable, "-m", "gunicorn", "osmosmjerka.wsgi", "--workers", str(processes),
         "--threads", "4", "--bind", f"127.0.0.1:{port}", "--log-level", "error"],
    )  # fmt: skip
    site = f"http://127.0.0.1:{port}"

    def enter(path: str, fields: dict[str, str]) -> bool:
        """Fetch and send the form; return whether the response is someone's home page."""
        with requests.Session() as browser:
            form = browser.get(site + path, timeout=60)
            token = _TOKEN.search(form.text)
            assert token is not None
            reply = browser.post(
                site + path, data=fields | {"csrfmiddlewaretoken": token[1]}, timeout=60
            )
            return reply.status_code == 200 and "Hello, " in reply.text

    try:
        _wait(site)
        stopped = threading.Event()
        by_password: list[tuple[bool, float]] = []

        def teacher() -> None:
            while not stopped.is_set():
                began = time.monotonic()
                entered = enter("/login/", {"username": "teacher", "password": PASSWORD})
                by_password.append((entered, time.monotonic() - began))

        beside = threading.Thread(target=teacher)
        beside.start()
        began = time.monotonic()
        with ThreadPoolExecutor(16) as pool:
            entered = list(pool.map(lambda token: enter("/card/", {"token": token}), tokens))
        took = time.monotonic() - began
        stopped.set()
        beside.join()
    finally:
        server.terminate()
        server.wait()
    failed = entered.count(False)
    refused = sum(not is_in for is_in, _seconds in by_password)
    slowest = max(seconds for _is_in, seconds in by_password)
    print(f"card log-ins: {len(entered)} in {took:.1f} s, {failed} failed (at most 120 s, 0)")
    print(f"teacher's log-ins meanwhile: {len(by_password)}, {refused} failed, "
          f"slowest {slowest:.1f} s")  # fmt: skip


def _wait(site: str) -> None:
    import requests

    for _try in range(300):
        try:
            if requests.get(f"{site}/healthz", timeout=5).ok:
                return
        except requests.RequestException:
            time.sleep(0.1)
    raise SystemExit("The server did not start.")


def _measure_guesses(code: str, count: int) -> None:
    """Guess cards, class codes and word codes, *count* of them from each number of addresses."""
    from django.conf import settings
    from django.test import Client

    from osmosmjerka.accounts.codes import new_token, new_words
    from osmosmjerka.accounts.models import new_join_code

    settings.ALLOWED_HOSTS = ["*"]
    client: Any = Client()

    def door(name: str) -> Guess:
        return f"/c/{code}/", {"name": name, "words": new_words()}

    ways: dict[str, Callable[[], Guess]] = {
        "a card": lambda: ("/card/", {"token": new_token()}),
        "a class code": lambda: ("/join/", {"code": new_join_code()}),
        "the words of a student": lambda: door(f"Student{secrets.randbelow(10)}"),
        "the words of nobody": lambda: door(f"Nobody{secrets.randbelow(10)}"),
    }
    for addresses in (1, 1000):
        began, all_hits = time.monotonic(), 0
        answers: dict[str, set[str]] = {way: set() for way in ways}
        for way, guess in ways.items():
            for number in range(count // len(ways)):
                path, body = guess()
                forged = f"10.0.{number % addresses // 250}.{number % 250}"
                reply = client.post(path, body, REMOTE_ADDR=forged, HTTP_X_FORWARDED_FOR=forged)
                all_hits += reply.status_code != 200 or "_auth_user_id" in client.session
                answers[way].add(_answer(reply.content.decode(), *body.values()))
        same = answers["the words of a student"] == answers["the words of nobody"]
        print(f"{count} guesses from {addresses} address(es): {all_hits} hits in "
              f"{time.monotonic() - began:.0f} s; the answers to a wrong name and to a wrong code "
              f"are {'the same' if same else 'DIFFERENT'}", flush=True)  # fmt: skip


def _answer(page: str, *guessed: str) -> str:
    """Return the message of a page without the input, tokens, and the duration of a lock."""
    text = re.search(r'role="alert">([^<]*)<', page)
    said = text[1] if text else page
    for word in guessed:
        said = said.replace(word, "…")
    return re.sub(r"\d+ minutes?", "… minutes", said)


if __name__ == "__main__":
    main()
