"""Two web processes with a database, files and a key in common serve a student in turn.

Their data folders differ, as on two machines. Whatever one of them kept for itself would be missed
on the other.
"""

import itertools
import uuid

import pytest
import requests

from tests.backups.sites import SCHOOL, asked, site_on
from tests.jobs.test_kill import SETUP, Site, free_port, lend_static_files, stop
from tests.services import is_listening, wait_until

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("kill")]

WORDS = """
import json
from puzzles.models import Placement
print(json.dumps([[word.slot, word.cells] for word in Placement.objects.all()]))
"""
# A sound that is made meanwhile has another address after it.
WAITING_SOUNDS = """
import json
from osmosmjerka.jobs.ledger import UNFINISHED
from osmosmjerka.jobs.models import Job
print(json.dumps(Job.objects.filter(kind="vocab.render_sounds", state__in=UNFINISHED).count()))
"""
DELETE = """
from django.utils import timezone
from puzzles.models import Puzzle
Puzzle.objects.update(deleted_at=timezone.now())
"""


@pytest.fixture(scope="module")
def one_and_another(tmp_path_factory):
    """Yield the first site's console, who was there before, and the addresses of both."""
    tmp_path = tmp_path_factory.mktemp("two")
    with site_on("postgresql", tmp_path / "one", has_tables=True, SECRET_KEY="k" * 50) as one:
        visitors = asked(one, SCHOOL)
        (tmp_path / "other").mkdir()
        (tmp_path / "other" / "media").symlink_to(tmp_path / "one" / "media")
        lend_static_files(tmp_path / "other")
        other = Site(
            tmp_path / "other",
            SECRET_KEY=one.environment["SECRET_KEY"],
            DATABASE_URL=one.environment["DATABASE_URL"],
        )
        processes, addresses = [], []
        try:
            for site in (one, other):
                port = free_port()
                program = f"{SETUP}from django.core.management import call_command\n"
                processes.append(site.start("-c", f"{program}call_command('serve', port={port})"))
                addresses.append(f"http://127.0.0.1:{port}")
            for process, address in zip(processes, addresses, strict=True):
                port = int(address.rsplit(":", 1)[1])
                wait_until(lambda p=port, s=process: is_listening(p) or s.poll() is not None)
                assert process.poll() is None
            wait_until(lambda: asked(one, WAITING_SOUNDS) == 0)
            yield one, visitors, addresses
        finally:
            for process in processes:
                stop(process)
            other.close()


def test_a_student_is_served_by_both_in_turn(one_and_another):
    site, visitors, addresses = one_and_another
    turns = itertools.cycle(addresses)
    # Cookies belong to a host, whatever its port.
    with requests.Session() as child:

        def get(path, **options):
            return child.get(next(turns) + path, timeout=30, **options)

        def post(path, **options):
            sent = {"X-CSRFToken": child.cookies["csrftoken"]}
            return child.post(next(turns) + path, headers=sent, timeout=30, **options)

        assert get("/card/").status_code == 200
        login = post("/card/", data={"token": visitors["card"]}, allow_redirects=False)
        assert login.status_code == 302
        assert [get("/").status_code for _both in addresses] == [200, 200]

        play = f"/api/play/{visitors['puzzle']}/"
        states = [get(play).json() for _both in addresses]
        assert states[0] == states[1]
        sound = next(i["clue"]["sound"] for i in states[0]["items"] if i["clue"]["sound"])
        heard = {get(sound).content for _both in addresses}
        assert len(heard) == 1 and len(heard.pop()) > 10_000

        words = asked(site, WORDS)
        for slot, cells in words:
            body = {"attempt": str(uuid.uuid4()), "item": slot, "cells": cells}
            # Sent again to the other, as after a lost answer: counted once.
            answers = [post(f"{play}attempts/", json=body) for _both in addresses]
            assert [answer.status_code for answer in answers] == [200, 200]
        states = [get(play).json() for _both in addresses]
        assert states[0] == states[1]
        assert all(item["term"] for item in states[0]["items"])

        # Both know the board; a third process deletes the puzzle.
        site.run(DELETE)
        assert [get(play).status_code for _both in addresses] == [404, 404]


def test_a_teachers_message_is_shown_by_the_other(one_and_another):
    _site, visitors, (one, other) = one_and_another
    path = f"/entries/{visitors['entry']}/sound/"
    with requests.Session() as teacher:
        teacher.cookies.set("sessionid", visitors["teacher"], domain="127.0.0.1")
        assert teacher.get(one + path, timeout=30).status_code == 200
        sent = {"action": "engine", "engine": "espeak"}
        done = teacher.post(
            one + path,
            data=sent,
            headers={"X-CSRFToken": teacher.cookies["csrftoken"]},
            allow_redirects=False,
            timeout=30,
        )
        assert done.status_code == 302
        assert "The voice was changed." in teacher.get(other + path, timeout=30).text
        assert "The voice was changed." not in teacher.get(one + path, timeout=30).text
