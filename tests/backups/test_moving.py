"""A school moves from SQLite to PostgreSQL, and nothing about it changes."""

import sqlite3
from contextlib import closing

import pytest

from tests.backups.sites import SCHOOL, asked, manage, site_on
from tests.backups.test_refused import changed, command, edit
from tests.backups.test_under_load import COUNT, VISIT

pytestmark = [pytest.mark.thorough, pytest.mark.xdist_group("kill")]

# Every value of every row, as a program sees it.
EVERYTHING = """
import hashlib, json
from django.apps import apps
found = {}
for model in apps.get_models(include_auto_created=True):
    rows = model._base_manager.values_list(*(f.attname for f in model._meta.concrete_fields))
    plain = [
        json.dumps([bytes(v).hex() if isinstance(v, (bytes, memoryview)) else v for v in row],
                   default=repr, sort_keys=True)
        for row in rows
    ]
    found[model._meta.db_table] = hashlib.sha256("|".join(sorted(plain)).encode()).hexdigest()
print(json.dumps(found))
"""
# What follows needs the numbers after the last ones.
GO_ON = """
from osmosmjerka.accounts.models import School
from osmosmjerka.accounts.people import create_person
school = School.objects.create(name="new")
print(create_person(username="new", display_name="N", role="teacher", school=school).pk)
"""


def test_a_school_moves_to_postgresql(tmp_path):
    with (
        site_on("sqlite", tmp_path / "old", has_tables=True) as old,
        site_on("postgresql", tmp_path / "new") as new,
    ):
        visitors = asked(old, SCHOOL)
        archive = tmp_path / "school.tar.zst"
        assert manage(old, "backup", archive).returncode == 0
        done = manage(new, "restore", archive)
        assert done.returncode == 0, done.stderr
        assert asked(new, EVERYTHING) == asked(old, EVERYTHING)
        rows = asked(old, COUNT)["rows"]
        assert asked(new, COUNT)["rows"] == {
            name: count for name, count in rows.items() if not name.startswith("sqlite_")
        }
        assert asked(new, VISIT.format(visitors=repr(visitors))) == {
            "home": 200,
            "sound": [200, "audio/mpeg", 206, 100],
            "picture": [200, "image"],
            "api": 200,
            "card": "/",
        }
        assert asked(new, GO_ON) > rows["accounts_user"]


def test_what_postgresql_refuses_leaves_no_half_school(tmp_path):
    with (
        site_on("sqlite", tmp_path / "old", has_tables=True) as old,
        site_on("postgresql", tmp_path / "new") as new,
    ):
        asked(old, SCHOOL)
        old.close()
        old.console, old.log = None, (tmp_path / "log").open("ab")
        with closing(sqlite3.connect(old.data_dir / "osmosmjerka.sqlite3")) as database, database:
            # SQLite does not check how long a text is.
            database.execute("UPDATE accounts_school SET name = ?", ["long " * 100])
        archive = tmp_path / "school.tar.zst"
        assert manage(old, "backup", archive).returncode == 0
        done = manage(new, "restore", archive)
        assert done.returncode == 1
        assert "PostgreSQL does not take a row that SQLite has" in done.stderr
        assert asked(new, COUNT)["rows"]["accounts_user"] == 0


def test_a_backup_of_another_version_has_to_be_restored_into_sqlite_first(tmp_path):
    with (
        site_on("sqlite", tmp_path / "old", has_tables=True) as old,
        site_on("postgresql", tmp_path / "new") as new,
    ):
        archive = tmp_path / "school.tar.zst"
        assert manage(old, "backup", archive).returncode == 0
        older = changed(archive, tmp_path / "older.tar.zst", edit("about.json", migrations=[]))
        told = command(new, "restore", older)
        assert "Restore it into SQLite with this version and back that up." in told
