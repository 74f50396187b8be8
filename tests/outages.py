"""A site on PostgreSQL and Redis of its own, which a test may break."""

import json
import time
from dataclasses import dataclass

import requests

from tests.jobs.test_kill import SETUP, Site, free_port, stop, worker
from tests.services import is_listening, wait_until

PEOPLE = """
import json
from django.conf import settings
from django.test import Client
from osmosmjerka.accounts.auth import tokens
from osmosmjerka.accounts.models import School
from osmosmjerka.accounts.people import create_person
school = School.objects.create(name="s")
teacher = create_person(username="t", display_name="T", role="teacher", school=school)
client = Client()
client.force_login(teacher)
print(json.dumps({
    "token": tokens.create(person=teacher, scope="teach")[1],
    "session": client.cookies[settings.SESSION_COOKIE_NAME].value,
}))
"""
SERVE = """
from django.core.management import call_command
call_command("serve", port={port})
"""
GUNICORN = """
import sys
from gunicorn.app.wsgiapp import run
sys.argv = ["gunicorn", "osmosmjerka.wsgi", "--bind=127.0.0.1:{port}"]
run()
"""
WORDS = {"pas": "dog", "mačka": "cat", "krava": "cow", "konj": "horse", "ovca": "sheep"}


@dataclass
class Timed:
    """A response, and how long it took."""

    answer: requests.Response
    seconds: float


class Web:
    """The web server of a site, and a teacher who is logged in."""

    def __init__(self, site, program=SERVE):
        self.site, self.port = site, free_port()
        known = json.loads(site.run(PEOPLE))
        self.token = {"Authorization": f"Token {known['token']}"}
        self.cookies = {"sessionid": known["session"]}
        self.process = site.start("-c", SETUP + program.format(port=self.port))
        wait_until(lambda: is_listening(int(self.port)) or self.process.poll() is not None)
        assert self.process.poll() is None, (site.data_dir / "log.txt").read_text()

    def ask(self, path, data=None, *, seconds=15, **options):
        """Get *path*, or post *data*; to the API with a token, to pages as the teacher."""
        who = {"headers": self.token} if path.startswith("/api/") else {"cookies": self.cookies}
        began = time.monotonic()
        answer = requests.request(
            "GET" if data is None else "POST",
            f"http://127.0.0.1:{self.port}{path}",
            json=data,
            timeout=seconds,
            **who | options,
        )
        return Timed(answer, time.monotonic() - began)

    def make_list(self, title="l", **options):
        entries = [
            {"term": term, "translations": {"en": [meaning]}} for term, meaning in WORDS.items()
        ]
        wanted = {"title": title, "language": "hr", "translation_languages": ["en"]}
        return self.ask("/api/lists/", wanted | {"entries": entries}, **options)

    def stop(self):
        stop(self.process)


__all__ = ["GUNICORN", "SERVE", "Site", "Timed", "Web", "stop", "worker"]
