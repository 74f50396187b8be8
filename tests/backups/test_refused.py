"""A backup is restored. What cannot be, or cannot be backed up, is refused in words, and nothing is
half done.
"""

import io
import json
import shutil
import sqlite3
import subprocess
import sys
import tarfile
from contextlib import closing

import pytest
import zstandard

from tests.backups.sites import manage, site_on
from tests.databases import ROOT
from tests.services import missing

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("backups")]

SEED = """
from django.core.files.storage import default_storage
from osmosmjerka.accounts.models import School
from osmosmjerka.accounts.people import create_person
school = School.objects.create(name="s")
create_person(username="ana", display_name="Ana", role="teacher", school=school)
default_storage.put("entries/a.png", bytes(range(256)) * 200)
"""
PEOPLE = "from osmosmjerka.accounts.models import User; print(User.objects.get().username)"
# Prints what a command told, or why it refused.
COMMAND = """
from django.core.management import CommandError, call_command
try:
    call_command(*{arguments!r})
except CommandError as error:
    print("Refused:", error)
"""


def command(site, *arguments):
    return site.run(COMMAND.format(arguments=[str(one) for one in arguments])).strip()


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("backups")


@pytest.fixture(scope="module")
def school(folder):
    """A small school."""
    with site_on("sqlite", folder / "school", has_tables=True) as site:
        site.run(SEED)
        yield site


@pytest.fixture(scope="module")
def archive(school, folder):
    """Its backup."""
    path = folder / "school.tar.zst"
    done = manage(school, "backup", path)
    assert done.returncode == 0, done.stderr
    assert "files" in done.stdout
    return path


@pytest.fixture(scope="module")
def empty(folder):
    """An installation into which nothing was restored."""
    with site_on("sqlite", folder / "empty") as site:
        yield site
        with closing(sqlite3.connect(site.data_dir / "osmosmjerka.sqlite3")) as database:
            assert database.execute("SELECT count(*) FROM sqlite_master").fetchone() == (0,)
        assert not (site.data_dir / "media").exists()
        assert [*site.data_dir.glob(".restore-*")] == []


def members(archive):
    """Return (name, content) of each file in an archive."""
    data = zstandard.ZstdDecompressor().stream_reader(archive.read_bytes()).read()
    with tarfile.open(fileobj=io.BytesIO(data)) as tar:
        return [(member, tar.extractfile(member).read()) for member in tar.getmembers()]


def packed(path, files):
    """Write an archive of (name or TarInfo, content)."""
    tar_file = io.BytesIO()
    with tarfile.open(fileobj=tar_file, mode="w", format=tarfile.PAX_FORMAT) as tar:
        for name, content in files:
            member = tarfile.TarInfo(name) if isinstance(name, str) else name
            member.size = len(content)
            tar.addfile(member, io.BytesIO(content))
    path.write_bytes(zstandard.ZstdCompressor().compress(tar_file.getvalue()))
    return path


def changed(archive, path, change):
    """Write a copy of an archive whose files by name went through *change*."""
    files = {member.name: content for member, content in members(archive)}
    change(files)
    return packed(path, files.items())


def edit(name, **changes):
    def change(files):
        files[name] = json.dumps(json.loads(files[name]) | changes).encode()

    return change


def test_a_whole_backup_is_verified_and_restored(archive, folder):
    """The control of everything below, with the command as an administrator starts it."""
    with site_on("sqlite", folder / "control", has_static_files=True) as site:
        verified, done = (
            manage(site, *what, archive) for what in (("backup", "--verify"), ("restore",))
        )
        assert (verified.returncode, done.returncode) == (0, 0), verified.stderr + done.stderr
        assert "is whole" in verified.stdout
        assert "all checksums equal" in done.stdout
        assert "ana" in site.run(PEOPLE)
        assert (site.data_dir / "media/entries/a.png").stat().st_size == 256 * 200
        key = site.data_dir / "secret_key"
        assert key.read_text() == (folder / "school" / "secret_key").read_text()
        assert key.stat().st_mode & 0o777 == 0o600


def test_every_cut_is_noticed(archive, empty, tmp_path):
    data, path = archive.read_bytes(), tmp_path / "cut.tar.zst"
    for part in (0, 1, 10, len(data) // 3, len(data) // 2, len(data) - 300, len(data) - 20):
        path.write_bytes(data[:part])
        for what in (("backup", "--verify"), ("restore",)):
            told = command(empty, *what, path)
            assert told.startswith(f"Refused: {path} is "), told
            assert "Take another one." in told or "no backup of Osmosmjerka" in told


def unpacked(data):
    """Return what zstd makes of the bytes of an archive; None if it notices a damage itself."""
    try:
        with zstandard.ZstdDecompressor().stream_reader(data, read_across_frames=True) as stream:
            return stream.read()
    except zstandard.ZstdError:
        return None


def test_every_damage_is_noticed(archive, empty, tmp_path):
    data, path = archive.read_bytes(), tmp_path / "damaged.tar.zst"
    whole, noticed = unpacked(data), 0
    for place in range(4, len(data), len(data) // 40):
        damaged = data[:place] + bytes([data[place] ^ 0x55]) + data[place + 1 :]
        path.write_bytes(damaged)
        told = command(empty, "backup", "--verify", path)
        if unpacked(damaged) == whole:  # a few bits of zstd's mean nothing: nothing is damaged
            assert told.startswith(f"{path} is whole"), (place, told)
        else:
            assert told.startswith(f"Refused: {path} is "), (place, told)
            noticed += 1
    assert noticed > 30


def test_a_changed_file_is_noticed_though_the_archive_is_well_formed(archive, empty, tmp_path):
    for name in ("media/entries/a.png", "database.sqlite3", "secret_key"):
        path = changed(
            archive,
            tmp_path / "x.tar.zst",
            lambda files, name=name: files.update({name: files[name][:-1] + b"?"}),
        )
        told = command(empty, "restore", path)
        assert f"in it, {name} is not what was saved" in told


def test_a_missing_file_is_noticed(archive, empty, tmp_path):
    path = changed(archive, tmp_path / "x.tar.zst", lambda files: files.pop("media/entries/a.png"))
    assert "media/entries/a.png is not what was saved" in command(empty, "restore", path)


def test_a_database_that_does_not_match_its_checksums_is_not_loaded(archive, empty, tmp_path):
    tables = {"accounts_user": {"rows": 2, "checksum": "0"}}
    path = changed(archive, tmp_path / "x.tar.zst", edit("manifest.json", tables=tables))
    assert "The database in this backup is damaged (accounts_" in command(empty, "restore", path)
    shutil.rmtree(empty.data_dir / "media")  # files come first, and do no harm


@pytest.mark.parametrize("name", ["../evil", "/etc/evil", "media/../../evil", "media/./x", "evil"])
def test_a_file_that_would_be_elsewhere_is_refused(name, archive, empty, tmp_path):
    files = [(member.name, content) for member, content in members(archive)]
    path = packed(tmp_path / "x.tar.zst", [*files[:1], (name, b"evil"), *files[1:]])
    assert "which no backup contains" in command(empty, "restore", path)
    assert "which no backup contains" in command(empty, "backup", "--verify", path)


@pytest.mark.parametrize("kind", [tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.FIFOTYPE])
def test_whatever_is_no_plain_file_is_refused(kind, archive, empty, tmp_path):
    link = tarfile.TarInfo("media/entries")
    link.type, link.linkname = kind, "/etc"
    files = [(member.name, content) for member, content in members(archive)]
    path = packed(tmp_path / "x.tar.zst", [*files[:1], (link, b""), *files[1:]])
    assert "which no backup contains" in command(empty, "restore", path)


def test_a_newer_backup_and_one_of_another_database_are_refused(archive, empty, tmp_path):
    about = json.loads({m.name: data for m, data in members(archive)}["about.json"])
    later = {"migrations": [*about["migrations"], ["vocab", "9999_later"]], "version": "9.0"}
    path = changed(archive, tmp_path / "x.tar.zst", edit("about.json", **later))
    assert "was made by version 9.0, which is newer than this one" in command(
        empty, "restore", path
    )
    path = changed(archive, tmp_path / "y.tar.zst", edit("about.json", engine="postgresql"))
    assert "This backup is of PostgreSQL, but DATABASE_URL is SQLite" in command(
        empty, "restore", path
    )


def test_what_is_no_backup_at_all_is_refused(empty, tmp_path):
    (tmp_path / "a.txt").write_text("hello")
    assert "no backup of Osmosmjerka" in command(empty, "restore", tmp_path / "a.txt")
    assert "is a folder, not a backup" in command(empty, "restore", tmp_path)
    assert "There is no file" in command(empty, "restore", tmp_path / "nothing")


def test_an_installation_with_people_is_not_overwritten(archive, school):
    told = command(school, "restore", archive)
    assert "There are people in this database" in told
    assert school.run(PEOPLE).strip() == "ana"


def test_an_installation_that_runs_is_not_overwritten(archive, folder):
    with site_on("sqlite", folder / "running", has_tables=True) as site:
        # Its console keeps a connection, as the site's threads do.
        site.run("from osmosmjerka.accounts.models import User; print(User.objects.count())")
        done = manage(site, "restore", archive)
        assert done.returncode == 1
        assert "Stop the site and its workers first" in done.stderr


@pytest.mark.thorough
def test_another_key_in_the_environment_is_told(archive, folder):
    with site_on(
        "sqlite", folder / "other key", has_static_files=True, SECRET_KEY="k" * 40
    ) as site:
        done = manage(site, "restore", archive)
        assert done.returncode == 0
        assert "WARNING: SECRET_KEY is not the key of this backup" in done.stderr
        assert str(site.data_dir / "secret_key") in done.stderr


def test_a_backup_overwrites_nothing_and_is_for_its_owner_only(school, archive, tmp_path):
    before = archive.read_bytes()
    assert "exists already" in command(school, "backup", archive)
    assert archive.read_bytes() == before
    assert archive.stat().st_mode & 0o777 == 0o600


def test_what_is_kept_are_the_newest_and_others_files(school, tmp_path):
    for name in (
        "osmosmjerka-2026-01-01-000000Z.tar.zst",
        "osmosmjerka-2026-01-02-000000Z.tar.zst",
    ):
        (tmp_path / name).touch()
    (tmp_path / "mine.tar.zst").touch()
    assert "Removed 1 older." in command(school, "backup", tmp_path, "--keep", "2")
    left = sorted(path.name for path in tmp_path.iterdir())
    assert left[:2] == ["mine.tar.zst", "osmosmjerka-2026-01-02-000000Z.tar.zst"]
    assert len(left) == 3
    note = json.loads((school.data_dir / "last_backup.json").read_text())
    assert note["file"] == str(tmp_path / left[2])
    assert note["size"] == (tmp_path / left[2]).stat().st_size
    assert command(school, "backup", tmp_path / "quiet.tar.zst", "--quiet") == ""
    assert "needs a folder" in command(school, "backup", tmp_path / "x.tar.zst", "--keep", "2")


def test_a_disk_that_is_too_small_is_told_before_anything_is_written(school, tmp_path):
    small = tmp_path / "small"
    small.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=2m", "tmpfs", str(small)], capture_output=True
    )
    if mounted.returncode:
        missing("The right to mount a small disk")
    try:
        told = command(school, "backup", small)
        assert "The backup needs up to" in told and "Make room" in told
        assert [*small.iterdir()] == []
    finally:
        subprocess.run(["umount", str(small)], check=True)


def test_a_backup_that_fails_halfway_leaves_nothing(school, tmp_path):
    """The system refuses to write more than so many bytes to a file."""
    limit = "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (30_000, 30_000))"
    done = subprocess.run(
        [
            sys.executable,
            "-c",
            f"{limit}; import os, sys; os.execv(sys.argv[1], sys.argv[1:])",
            sys.executable,
            "manage.py",
            "backup",
            str(tmp_path),
        ],
        cwd=ROOT,
        env=school.environment,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 1, done.stderr
    assert "Traceback" not in done.stderr and "CommandError" in done.stderr
    assert [*tmp_path.iterdir()] == []


@pytest.mark.thorough
def test_old_client_programs_are_named(tmp_path):
    with site_on("postgresql", tmp_path / "site", has_tables=True) as site:
        programs = tmp_path / "bin"
        programs.mkdir()
        done = manage(site, "backup", tmp_path, environment={"PATH": str(programs)})
        assert "The program pg_dump is not on this machine." in done.stderr
        assert "postgresql-client-" in done.stderr
        (programs / "pg_dump").write_text("#!/bin/sh\necho 'pg_dump (PostgreSQL) 9.6.1'\n")
        (programs / "pg_dump").chmod(0o755)
        done = manage(site, "backup", tmp_path, environment={"PATH": str(programs)})
        assert "is version 9, too old for the server" in done.stderr
        assert done.returncode == 1
        assert [*tmp_path.glob("*.zst")] == []


@pytest.mark.thorough
def test_a_database_that_was_not_migrated_yet_is_backed_up(tmp_path):
    """An upgrade may begin with the new program: its models know columns that are not there."""
    with site_on("sqlite", tmp_path / "site", has_tables=True) as site:
        site.run(SEED)
        rename = "ALTER TABLE vocab_import RENAME COLUMN source TO old_name"
        site.run(f"from django.db import connection; connection.cursor().execute({rename!r})")
        assert " rows and 1 files" in command(site, "backup", tmp_path / "school.tar.zst")
        assert "is whole" in command(site, "backup", "--verify", tmp_path / "school.tar.zst")
