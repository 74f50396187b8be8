"""What a new version needs before it serves pages is made, or said in words."""

import json
import os
import re
import shutil
import time
from pathlib import Path

import pytest
from django.conf import settings as django_settings
from django.db.migrations.recorder import MigrationRecorder

from osmosmjerka.server import preparation
from tests.jobs.test_kill import Site, stop
from tests.site.starting import page, serve

CATALOGUE = django_settings.BASE_DIR / "locale/hr/LC_MESSAGES/djangojs.po"


@pytest.fixture
def static_root(settings, tmp_path):
    """A folder with static files of this version."""
    settings.STATIC_ROOT = tmp_path / "static"
    settings.STATIC_ROOT.mkdir()
    (settings.STATIC_ROOT / "staticfiles.json").write_text("{}")
    made_from = preparation.fingerprint_of_sources()
    (settings.STATIC_ROOT / preparation.SOURCES).write_text(made_from)
    return settings.STATIC_ROOT


def test_static_files_of_this_version_are_kept(static_root):
    assert not preparation.are_static_files_stale()


def test_static_files_are_stale_if_any_source_is_another(static_root, settings, tmp_path):
    (tmp_path / "more").mkdir()
    (tmp_path / "more/new.css").write_text("p {}")
    settings.STATICFILES_DIRS = [tmp_path / "more"]
    assert preparation.are_static_files_stale()
    settings.STATICFILES_DIRS = []
    assert not preparation.are_static_files_stale()


@pytest.mark.parametrize("name", ["staticfiles.json", preparation.SOURCES])
def test_static_files_are_stale_if_they_were_never_collected(static_root, name):
    (static_root / name).unlink()
    assert preparation.are_static_files_stale()


def test_the_deployment_check_and_the_log_say_which_command_collects_them(static_root, caplog):
    assert preparation.check_files() == []
    (static_root / preparation.SOURCES).write_text("of an older version")
    [error] = preparation.check_files()
    assert "collectstatic" in error.hint
    preparation._report()
    assert "collectstatic" in caplog.text


@pytest.fixture
def catalogue(settings, tmp_path):
    folder = tmp_path / "hr/LC_MESSAGES"
    folder.mkdir(parents=True)
    settings.LOCALE_PATHS = [tmp_path]
    return Path(shutil.copy(CATALOGUE, folder))


def test_translations_that_are_not_compiled_or_older_than_their_sources_are_told(catalogue):
    assert preparation.stale_catalogues() == [catalogue]
    compiled = catalogue.with_suffix(".mo")
    compiled.touch()
    assert preparation.stale_catalogues() == []
    compiled_at = compiled.stat().st_mtime
    # An installer writes both in any order.
    os.utime(catalogue, (compiled_at + 5, compiled_at + 5))
    assert preparation.stale_catalogues() == []
    os.utime(catalogue, (compiled_at + 3600, compiled_at + 3600))
    assert preparation.stale_catalogues() == [catalogue]
    assert "make setup" in [error.hint for error in preparation.check_files()][-1]


@pytest.mark.django_db
def test_missing_migrations_are_told_with_the_command(monkeypatch, caplog):
    monkeypatch.setattr(preparation, "_is_migrated", False)
    assert preparation.unapplied_migrations() == []
    monkeypatch.setattr(preparation, "_is_migrated", False)
    last = MigrationRecorder.Migration.objects.filter(app="jobs").order_by("-name").first()
    last.delete()
    assert preparation.unapplied_migrations() == [f"jobs.{last.name}"]
    [error] = preparation.check_migrations(databases=["default"])
    assert "manage.py migrate" in error.hint
    assert [lack.name for lack in preparation.lacks()][-1:] == ["migrations"]
    assert preparation.check_migrations(databases=None) == []  # as for all checks of databases


def test_compiled_generators_older_than_a_source_are_compiled_again(monkeypatch, tmp_path):
    monkeypatch.setattr(preparation, "GENERATORS", tmp_path)
    (tmp_path / "__pycache__").mkdir()
    source, code = tmp_path / "beam.py", tmp_path / "__pycache__/beam.nbi"
    source.touch()
    assert not preparation.are_generators_compiled()
    code.touch()
    os.utime(source, (1, 1))
    assert preparation.are_generators_compiled()
    os.utime(source, (time.time() + 60, time.time() + 60))
    assert not preparation.are_generators_compiled()


def test_they_are_compiled_in_another_process():
    compiling = preparation.start_compiling()
    assert compiling.wait(timeout=300) == 0


def downgrade(data_dir, *, is_noticed):
    """Leave static files as a version left them whose stylesheet had another name."""
    manifest = data_dir / "static/staticfiles.json"
    told = json.loads(manifest.read_text())
    del told["paths"]["osmosmjerka/site.css"]
    manifest.write_text(json.dumps(told))
    if is_noticed:
        (data_dir / "static" / preparation.SOURCES).write_text("of an older version")


@pytest.mark.thorough
def test_after_an_upgrade_pages_have_styles_without_another_command(tmp_path):
    site = Site(tmp_path)
    site.run(
        "from django.core.management import call_command\n"
        "call_command('collectstatic', interactive=False, verbosity=0)"
    )
    downgrade(tmp_path, is_noticed=True)
    process, port = serve(site)
    try:
        status, text = page(port)
        assert status == 200
        [style] = re.findall(r'href="(/static/osmosmjerka/site[^"]+\.css)"', text)
        assert page(port, style)[0] == 200
        assert page(port, "/setup/")[0] == 200
    finally:
        stop(process)
    downgrade(tmp_path, is_noticed=False)  # the control: only the fingerprint tells
    process, port = serve(site)
    try:
        with pytest.raises(OSError, match="500"):
            page(port)
    finally:
        stop(process)
        site.close()
