"""Pictures and sounds in a bucket: played, purged, backed up and restored like in a folder."""

import io
import json
import time
from datetime import timedelta
from importlib.util import find_spec

import pytest
from django.conf import settings as django_settings
from django.core.files.storage import default_storage, storages
from django.test import override_settings
from django.urls import reverse
from django.utils import timezone
from PIL import Image

from osmosmjerka.jobs import ledger
from osmosmjerka.jobs.models import Job
from osmosmjerka.storage.media import MediaFolder
from tests.backups.sites import SCHOOL, asked, manage, site_on
from tests.backups.test_under_load import VISIT
from tests.jobs.test_kill import free_port
from tests.services import missing
from vocab.entries import pictures
from vocab.imports import services as imports
from vocab.models import Entry, Pronunciation
from vocab.purge import purge
from vocab.sounds import voices

pytestmark = pytest.mark.xdist_group("bucket")
KEYS = {"AWS_ACCESS_KEY_ID": "test", "AWS_SECRET_ACCESS_KEY": "secret"}


@pytest.fixture(scope="module")
def store():
    """Start a server that speaks S3; return its address."""
    if not all(map(find_spec, ("storages", "boto3", "moto", "flask"))):
        missing("A store that speaks S3 (moto)")
    from moto.server import ThreadedMotoServer

    server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    server.start()
    host, port = server.get_host_and_port()
    yield f"http://{host}:{port}"
    server.stop()


@pytest.fixture
def bucket(store, monkeypatch, request):
    """Return an empty bucket of boto3."""
    import boto3

    for name, key in KEYS.items():
        monkeypatch.setenv(name, key)
    name = f"media-{time.monotonic_ns()}"
    made = boto3.resource("s3", endpoint_url=store, region_name="us-east-1").Bucket(name)
    made.create()
    return made


@pytest.fixture
def in_bucket(store, bucket):
    """Let the site of this test store its files there."""
    with override_settings(STORAGES=bucket_of(bucket, store)):
        yield


def bucket_of(bucket, address):
    options = {
        "bucket_name": bucket.name,
        "location": "school",
        "endpoint_url": address,
        "region_name": "us-east-1",
    }
    backend = {"BACKEND": "osmosmjerka.storage.bucket.MediaBucket", "OPTIONS": options}
    return django_settings.STORAGES | {"default": backend}


def keys(bucket):
    return {one.key for one in bucket.objects.all()}


def drawn():
    file = io.BytesIO()
    Image.new("RGB", (60, 40), "red").save(file, "PNG")
    return file.getvalue()


@pytest.mark.django_db
def test_a_class_sees_and_hears_what_is_in_the_bucket(
    bucket, in_bucket, animals, teacher, student, make_puzzle, sign_in
):
    for job in Job.objects.filter(kind="vocab.render_sounds"):
        ledger.run_job(str(job.pk))
    assert Pronunciation.objects.filter(state="ready").count() == 2 * animals.entries.count()
    goose = animals.entries.get(term="guska")
    pictures.keep_picture(entry=goose, data=drawn(), name="goose.png")
    assert {key.split("/")[1] for key in keys(bucket)} == {"entries", "sounds"}

    response = sign_in(teacher).get(reverse("entry-file", args=[goose.pk, "image"]))
    assert response.status_code == 200 and response["Content-Type"].startswith("image/")
    assert pictures.for_print(goose.__class__.objects.get(pk=goose.pk))

    puzzle, player = make_puzzle("finder"), sign_in(student)
    state = player.get(f"/api/play/{puzzle.code}/").json()
    sound = next(item["clue"]["sound"] for item in state["items"] if item["clue"]["sound"])
    whole = player.get(sound)
    part = player.get(sound, headers={"Range": "bytes=100-199"})
    assert whole.status_code == 200 and whole["Content-Type"] == "audio/mpeg"
    assert part.status_code == 206 and part.content == whole.content[100:200]


@pytest.mark.django_db
def test_imports_that_wait_do_not_replace_each_others_files(bucket, in_bucket, animals, teacher):
    sources = [
        imports.start_import(
            vocabulary_list=animals, created_by=teacher, text=f"{word}\tmeaning"
        ).source.name
        for word in ("vuk", "lisica")
    ]
    assert len({*sources}) == 2
    assert b"lisica" in default_storage.read(sources[1])


@pytest.mark.django_db
def test_the_purge_removes_what_no_row_needs(bucket, in_bucket, animals):
    goose = animals.entries.get(term="guska")
    kept = pictures.keep_picture(entry=goose, data=drawn(), name="goose.png").image.name
    default_storage.put("entries/unused.png", b"unused")
    assert purge()["files"] == 0  # both are too young
    assert purge(timezone.now() + timedelta(days=2))["files"] == 1
    assert keys(bucket) == {f"school/{kept}"}


@pytest.mark.django_db
def test_a_file_that_is_gone_is_not_there_for_anybody(bucket, in_bucket, animals, teacher, sign_in):
    goose = animals.entries.get(term="guska")
    Entry.objects.filter(pk=goose.pk).update(image="entries/gone.png")
    client = sign_in(teacher)
    assert client.get(reverse("entry-file", args=[goose.pk, "image"])).status_code == 404
    # A sound that is gone is made again, and kept.
    assert client.get(reverse("entry-audio", args=[goose.pk, "normal"])).status_code == 200
    assert [key for key in keys(bucket) if "/sounds/" in key]
    assert voices.cache().named("0" * 32).exists() is False


@pytest.mark.django_db
def test_while_the_store_is_away_pages_say_so(bucket, in_bucket, animals, teacher, sign_in):
    goose = animals.entries.get(term="guska")
    pictures.keep_picture(entry=goose, data=drawn(), name="goose.png")
    client = sign_in(teacher)
    client.raise_request_exception = False
    away = f"http://127.0.0.1:{free_port()}"
    with override_settings(STORAGES=bucket_of(bucket, away)):
        response = client.get(reverse("entry-file", args=[goose.pk, "image"]))
    assert (response.status_code, "Retry-After" in response) == (503, True)
    assert "cannot reach its data" in response.text
    assert client.get(reverse("entry-file", args=[goose.pk, "image"])).status_code == 200


def test_without_the_setting_files_are_in_the_data_folder():
    """The control."""
    assert isinstance(storages["default"], MediaFolder)


@pytest.mark.thorough
def test_a_backup_contains_the_bucket_and_restores_it_into_another(store, bucket, tmp_path):
    address = f"s3://{bucket.name}/%s?endpoint={store}&region=us-east-1"
    with (
        site_on(
            "sqlite",
            tmp_path / "old",
            OSMOSMJERKA_MEDIA_URL=address % "old",
            **KEYS,
            has_tables=True,
        ) as old,
        site_on("sqlite", tmp_path / "new", OSMOSMJERKA_MEDIA_URL=address % "new", **KEYS) as new,
    ):
        visitors = asked(old, SCHOOL)
        of_old = {key.removeprefix("old/") for key in keys(bucket)}
        assert {key.split("/")[0] for key in of_old} == {"entries", "imports", "sounds"}
        archive = tmp_path / "school.tar.zst"
        done = manage(old, "backup", archive)
        assert done.returncode == 0, done.stderr
        done = manage(new, "restore", archive)
        assert done.returncode == 0, done.stderr
        restored = {key.removeprefix("new/") for key in keys(bucket) if key.startswith("new/")}
        assert restored == of_old
        assert not (old.data_dir / "media").exists() and not (new.data_dir / "media").exists()
        seen = asked(new, VISIT.format(visitors=repr(visitors)))
        assert seen["picture"] == [200, "image"]
        assert seen["sound"] == [200, "audio/mpeg", 206, 100]


@pytest.mark.thorough
def test_a_store_that_does_not_answer_is_told(tmp_path):
    address = "s3://bucket/old?endpoint=http://127.0.0.1:9&region=us-east-1"
    with site_on(
        "sqlite", tmp_path / "old", OSMOSMJERKA_MEDIA_URL=address, **KEYS, has_tables=True
    ) as site:
        done = manage(site, "backup", tmp_path / "school.tar.zst")
        assert done.returncode == 1
        assert "the store does not answer" in done.stderr and "Traceback" not in done.stderr
        assert not (tmp_path / "school.tar.zst").exists()


@pytest.mark.parametrize(
    ("address", "told"),
    [
        ("s3://user:secret@bucket", "must be like s3://bucket/folder?endpoint="),
        *(
            pytest.param(address, told, marks=pytest.mark.thorough)
            for address, told in (
                ("https://bucket", "must be like"),
                ("s3://bucket?endpiont=https://s3.example", "must be like"),
                ("s3://bucket?endpoint=s3.example", "does not begin with https://"),
            )
        ),
    ],
)
def test_a_wrong_address_stops_the_start_and_prints_no_secret(address, told, tmp_path):
    with site_on("sqlite", tmp_path / "site", OSMOSMJERKA_MEDIA_URL=address) as site:
        done = manage(site, "check")
    assert done.returncode == 1
    assert "OSMOSMJERKA_MEDIA_URL" in done.stderr and told in done.stderr
    assert "secret" not in done.stderr
    assert json.dumps(address) not in done.stderr
