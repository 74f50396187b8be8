"""A school is backed up in the middle of a lesson, and goes on elsewhere.

Daily a quiet school is backed up and restored: test_refused.py.
"""

import json
import sqlite3
from contextlib import closing

import pytest

from tests.backups.sites import SCHOOL, asked, manage, site_on
from tests.jobs.test_kill import SETUP, stop
from tests.services import wait_until

pytestmark = [pytest.mark.thorough, pytest.mark.xdist_group("kill")]

# A child after the other plays the puzzle to its end; what was acknowledged is noted afterwards.
LESSON = (
    SETUP
    + """
import sys, uuid
from pathlib import Path
from django.test import Client
from osmosmjerka.accounts.models import Classroom, Membership
from osmosmjerka.accounts.people import create_person, join_classroom
from puzzles.models import Puzzle
from vocab.models import Entry
from vocab.rows import convert
code, name, folder = sys.argv[1:]
puzzle, classroom = Puzzle.objects.get(code=code), Classroom.objects.get()
notes = Path(folder, f"notes-{name}").open("a")
number = 0
while not Path(folder, "stop").exists():
    number += 1
    child = create_person(
        username=f"{name}{number}", display_name=f"{name}{number}", role="student",
        school=classroom.school,
    )
    join_classroom(classroom=classroom, person=child, role=Membership.Role.STUDENT)
    client = Client(SERVER_NAME="localhost")
    client.force_login(child)
    for word in puzzle.placements.all():
        attempt = str(uuid.uuid4())
        body = {"attempt": attempt, "item": word.slot, "cells": word.cells}
        reply = client.post(f"/api/play/{code}/attempts/", body, content_type="application/json")
        assert reply.status_code == 200, (reply.status_code, reply.content)
        notes.write(attempt + "\\n")
        notes.flush()
    stored = convert.store(f"{name} {number}".encode() * 1000, ".png")
    Entry.objects.filter(pk=puzzle.placements.last().entry_id).update(image=stored)
"""
)

# What the restored site shows to those who had been there before.
VISIT = """
import json
from django.test import Client
from django.urls import reverse

seen = {visitors}

def visitor(session=None):
    client = Client(SERVER_NAME="localhost")
    if session:
        client.cookies["sessionid"] = session
    return client

child, teacher = visitor(seen["session"]), visitor(seen["teacher"])
state = child.get("/api/play/" + seen["puzzle"] + "/").json()
sound = next(item["clue"]["sound"] for item in state["items"] if item["clue"]["sound"])
whole, part = child.get(sound), child.get(sound, headers={{"Range": "bytes=0-99"}})
picture = teacher.get(reverse("entry-file", args=[seen["entry"], "image"]))
token = {{"Authorization": "Token " + seen["token"]}}
print(json.dumps({{
    "home": child.get("/").status_code,
    "sound": [whole.status_code, whole["Content-Type"], part.status_code, len(part.content)],
    "picture": [picture.status_code, picture["Content-Type"].split("/")[0]],
    "api": visitor().get("/api/puzzles/", headers=token).status_code,
    "card": visitor().post("/card/", {{"token": seen["card"]}}).headers.get("Location"),
}}))
"""

# The rows of each table; the attempts; how many finds and reviews there are.
COUNT = """
import json
from django.db import connection
from puzzles.models import Move
from vocab.models import Review
rows = {}
with connection.cursor() as cursor:
    for name in connection.introspection.table_names(cursor):
        cursor.execute(f'SELECT count(*) FROM "{name}"')
        rows[name] = cursor.fetchone()[0]
print(json.dumps({
    "rows": rows,
    "attempts": [str(one) for one in Move.objects.values_list("client_id", flat=True)],
    "found": Move.objects.filter(outcome="found").count(),
    "reviews": Review.objects.count(),
}))
"""


def noted(folder):
    return {
        line
        for path in folder.glob("notes-*")
        for line in path.read_text().splitlines()
        if len(line) == 36
    }


@pytest.mark.parametrize("engine", ["sqlite", "postgresql"])
def test_what_is_backed_up_during_a_lesson_runs_elsewhere(engine, tmp_path):
    with (
        site_on(engine, tmp_path / "old", has_tables=True) as old,
        site_on(engine, tmp_path / "new") as new,
    ):
        visitors = asked(old, SCHOOL)
        (tmp_path / "lesson").mkdir()
        children = [
            old.start("-c", LESSON, visitors["puzzle"], name, str(tmp_path / "lesson"))
            for name in ("mia", "ivo")
        ]
        try:
            wait_until(lambda: len(noted(tmp_path / "lesson")) > 20)
            before = noted(tmp_path / "lesson")
            archive = tmp_path / "lesson.tar.zst"
            done = manage(old, "backup", archive)
            assert done.returncode == 0, done.stderr
            wait_until(lambda: len(noted(tmp_path / "lesson")) > len(before) + 20)
            assert [child.poll() for child in children] == [None, None], old.log.name
        finally:
            (tmp_path / "lesson" / "stop").touch()
            for child in children:
                child.wait(30)
                stop(child)
        assert " rows and " in done.stdout and "missing" not in done.stdout
        assert archive.stat().st_mode & 0o777 == 0o600
        manifest = verified(old, archive)

        done = manage(new, "restore", archive)
        assert done.returncode == 0, done.stderr
        assert "all checksums equal" in done.stdout
        found = asked(new, COUNT)
        assert found["rows"] == {name: t["rows"] for name, t in manifest["tables"].items()}
        assert before <= set(found["attempts"])
        assert found["found"] == found["reviews"] > 20
        assert asked(new, VISIT.format(visitors=repr(visitors))) == {
            "home": 200,
            "sound": [200, "audio/mpeg", 206, 100],
            "picture": [200, "image"],
            "api": 200,
            "card": "/",
        }
        assert (new.data_dir / "static" / "staticfiles.json").is_file()


def verified(site, archive):
    done = manage(site, "backup", "--verify", archive)
    assert done.returncode == 0, done.stderr
    program = (
        "import json; from pathlib import Path; from osmosmjerka.backups.services import verify;"
        f"print(json.dumps(verify(Path({str(archive)!r}))))"
    )
    return asked(site, program)


def test_a_file_that_is_copied_in_the_lesson_lacks_what_the_log_beside_it_has(tmp_path):
    """Control: why the database is not simply copied."""
    with site_on("sqlite", tmp_path / "old", has_tables=True) as old:
        old.run("from django.db import connection; connection.ensure_connection()")
        asked(old, SCHOOL)  # the console keeps its connection open, as a running site does
        copy = tmp_path / "copy.sqlite3"
        copy.write_bytes((old.data_dir / "osmosmjerka.sqlite3").read_bytes())
        with closing(sqlite3.connect(copy)) as copied:
            people = copied.execute("SELECT count(*) FROM accounts_user").fetchone()[0]
        assert people < 2
        assert json.loads(old.run(COUNT))["rows"]["accounts_user"] == 2
