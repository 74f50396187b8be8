"""A database of each past release is brought to this version, and everything in it is there."""

import json
import re
import shutil
from pathlib import Path

import pytest
from django.conf import settings

import osmosmjerka
from tests.jobs.test_kill import MIGRATE, Site
from tests.layers import daily
from tests.releases.databases import RELEASES, Postgresql, Sqlite, contents, losses
from tests.releases.make import PASSWORD
from tests.services import is_listening, missing

ROOT = Path(__file__).parents[2]
VERSIONS = sorted(folder.name for folder in RELEASES.iterdir())

# Tables ("app_model") and columns ("app_model.column") that a migration changes on purpose, by the
# first version that has the migration. Say there why nothing is lost.
CHANGED = {}


def number(version):
    return [int(part) for part in version.split(".")]


def changed_since(version):
    return [
        name
        for since, names in CHANGED.items()
        if number(since) > number(version)
        for name in names
    ]


pytestmark = pytest.mark.slow


@pytest.fixture(params=daily("sqlite", of=["sqlite", "postgresql"]))
def database(request, tmp_path):
    """An empty database."""
    if request.param == "sqlite":
        yield Sqlite(tmp_path)
        return
    if not is_listening(5432):
        missing("PostgreSQL")
    database = Postgresql()
    yield database
    database.drop()


@pytest.fixture
def site(database, tmp_path):
    """A site on that database, with the static files of this checkout."""
    (tmp_path / "static").mkdir()
    shutil.copy(Path(settings.STATIC_ROOT, "staticfiles.json"), tmp_path / "static")
    site = Site(tmp_path, DATABASE_URL=database.url)
    yield site
    site.close()


# As luka did in the old version: words of listen and find are found, others are not yet.
GO_ON = f"""
import json, uuid
from django.test import Client
from osmosmjerka.accounts.models import User
from puzzles.models import PlaySession
from vocab.models import Review

client = Client(HTTP_HOST="localhost")
home = client.post("/login/", {{"username": "luka", "password": {PASSWORD!r}}}, follow=True)
luka = User.objects.get(username="luka")
session = PlaySession.objects.get(student=luka, puzzle__kind="finder")
puzzle = session.puzzle
before = client.get(f"/api/play/{{puzzle.code}}/").json()
reviews = Review.objects.filter(student=luka).count()
slot = next(item["id"] for item in before["items"] if not item["found"])
cells = puzzle.placements.get(slot=slot).cells
answer = client.post(
    f"/api/play/{{puzzle.code}}/attempts/",
    json.dumps({{"attempt": str(uuid.uuid4()), "item": slot, "cells": cells}}),
    content_type="application/json",
).json()
print(json.dumps({{
    "home": [home.status_code, home.redirect_chain, luka.display_name in home.content.decode()],
    "page": client.get(f"/play/{{puzzle.code}}/").status_code,
    "found": [before["found"], answer["outcome"], answer["found"]],
    "reviews": Review.objects.filter(student=luka).count() - reviews,
}}))
"""


@pytest.mark.parametrize("version", VERSIONS)
def test_everything_of_an_old_release_is_there_and_goes_on(version, database, site):
    database.load((RELEASES / version / f"{database.name}.sql").read_text(encoding="utf-8"))
    before = contents(database)
    assert len(before["puzzles_move"][1]) > 20

    site.run(MIGRATE)

    after = contents(database)
    assert losses(before, after, but=changed_since(version)) == []
    went = json.loads(site.run(GO_ON))
    assert went["home"] == [200, [["/", 302]], True]
    assert went["page"] == 200
    found = went["found"][0]
    assert found > 0
    assert went["found"] == [found, "found", found + 1]
    assert went["reviews"] == 1
    # All that remains is what this version's models are.
    nothing = site.start("manage.py", "makemigrations", "--check", "--dry-run")
    assert nothing.wait() == 0, (site.data_dir / "log.txt").read_text()
    # The control: a row that is lost, and a value that is another, are noticed.
    played = contents(database)
    with database.connect() as connection:
        connection.execute("DELETE FROM puzzles_move WHERE id = (SELECT max(id) FROM puzzles_move)")
        connection.execute("UPDATE accounts_school SET name = 'Another'")
        connection.commit()
    assert set(losses(played, contents(database))) == {
        "accounts_school has other rows",
        "puzzles_move has other rows",
    }


def test_every_released_version_has_a_database_and_the_newest_is_this_one():
    """docs/releasing.md says how it is made."""
    heads = re.findall(r"^## (\d[\w.]*)", (ROOT / "CHANGELOG.md").read_text("utf-8"), re.M)
    assert set(heads) == set(VERSIONS)
    assert heads[0] == osmosmjerka.__version__


def test_a_column_that_is_gone_is_no_loss_but_a_table_is():
    before = {"a": (["id", "old"], [(1, 2)]), "b": (["id"], [(1,)])}
    assert losses(before, {"a": (["id"], [(1,)]), "b": (["id"], [(1,)])}) == []
    assert losses(before, {"a": (["id"], [(1,)])}) == ["b is gone"]
    assert losses(before, {"a": (["id"], [(1,)])}, but=["b"]) == []
