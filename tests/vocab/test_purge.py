"""What is deleted can come back for a month; then it leaves, from the disk too."""

from datetime import timedelta

import pytest
from django.core.exceptions import ValidationError
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import transaction
from django.utils import timezone

from osmosmjerka.accounts.bin import services as bin
from osmosmjerka.jobs import ledger
from osmosmjerka.jobs.models import Job
from tests.vocab.formats.bombs import MP3, PNG
from vocab.entries import bulk
from vocab.formats import write
from vocab.formats.rows import Row
from vocab.imports import services as imports
from vocab.lists import services as list_services
from vocab.memory import reviews
from vocab.models import BulkEdit, Entry, Review, StudyDay, Translation
from vocab.purge import KEPT, SETTLED, purge

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def media(settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path
    return tmp_path


@pytest.fixture(autouse=True)
def committed_at_once(monkeypatch):
    """Files leave when a transaction is committed; the test's own never is."""
    monkeypatch.setattr(transaction, "on_commit", lambda work, **_: work())


def files(media):
    return sorted(path.relative_to(media).parts[0] for path in media.rglob("*") if path.is_file())


def delete(animals, *terms):
    entries = list(animals.entries.filter(term__in=terms).values_list("pk", flat=True))
    return bulk.change_many(
        vocabulary_list=animals, person=animals.owner, action="delete", entries=entries
    )


def soon():
    return timezone.now() + KEPT - timedelta(hours=1)


def later():
    return timezone.now() + KEPT + timedelta(hours=1)


@pytest.fixture
def package(animals, teacher):
    """An import of one word with its picture and sound."""
    data = write(
        [Row(term="pas", translations={"": ["dog"]}, audio="pas.mp3", image="pas.png")],
        "apkg",
        media={"pas.mp3": MP3, "pas.png": PNG},
    )
    file = SimpleUploadedFile("pas.apkg", data)
    return imports.start_import(vocabulary_list=animals, created_by=teacher, file=file)


def test_a_deleted_word_comes_back_within_a_month_and_not_later(animals):
    edit = delete(animals, "guska")
    assert purge(soon())["entries"] == 0
    assert bulk.take_back(edit=edit, person=edit.created_by) == 1
    edit = delete(animals, "guska")
    assert purge(later())["entries"] == 1
    assert not Entry.everything.filter(term="guska").exists()
    assert not BulkEdit.objects.exists()


def test_what_is_too_old_is_refused_even_before_the_purge_came(animals):
    edit = delete(animals, "guska")
    BulkEdit.objects.update(created_at=timezone.now() - KEPT - timedelta(hours=1))
    with pytest.raises(ValidationError, match="too long ago"):
        bulk.take_back(edit=edit, person=edit.created_by)


def test_of_a_word_that_students_met_the_log_stays_and_nothing_else(animals, student):
    goose = animals.entries.get(term="guska")
    goose.hint = "it honks"
    goose.save()
    reviews.review(
        student=student, entry=goose, skill="spelling", outcome="right", at=timezone.now(),
        source="x",
    )  # fmt: skip
    delete(animals, "guska")
    days = list(StudyDay.objects.values())
    assert purge(later())["entries"] == 1
    kept = Entry.everything.get(pk=goose.pk)
    assert (kept.term, kept.hint, kept.search) == ("guska", "", "")
    assert not Translation.objects.filter(entry=goose.pk).exists()
    assert Review.objects.get().entry_id == goose.pk
    reviews.replay(student=student)
    assert list(StudyDay.objects.values()) == days
    assert purge(later())["entries"] == 0  # once


def test_words_that_stand_in_a_list_stay_whatever_their_age(animals, package):
    imports.apply_import(import_=package)
    assert purge(later() + 10 * KEPT)["entries"] == 0
    assert animals.entries.count() == 13


def test_a_discarded_import_leaves_no_file(package, media):
    assert files(media) == ["entries", "entries", "imports"]
    assert purge(later() - KEPT)["files"] == 0  # still to be applied
    imports.discard_import(import_=package)
    assert files(media) == ["entries", "entries"]
    assert purge()["files"] == 0  # it may be just being written
    assert purge(timezone.now() + SETTLED + timedelta(minutes=1))["files"] == 2
    assert files(media) == []


def test_a_preview_that_nobody_applies_leaves_with_its_files(package, media):
    assert purge(later())["imports"] == 1
    assert files(media) == []


def test_files_of_words_stay_and_those_of_a_deleted_list_leave(animals, package, media):
    imports.apply_import(import_=package)
    assert purge(later())["files"] == 0
    assert files(media) == ["entries", "entries"]
    list_services.delete_list(vocabulary_list=animals, actor=animals.owner)
    assert purge(later())["files"] == 0  # it may come back from the bin
    bin.purge(later())
    assert purge(later())["files"] == 2
    assert files(media) == []


def test_a_picture_is_kept_while_undoing_an_import_needs_it(animals, package, media, teacher):
    imports.apply_import(import_=package)
    dog = animals.entries.get(term="pas")
    again = imports.start_import(
        vocabulary_list=animals, created_by=teacher, text=f"id,term,image\n{dog.guid},pas,new.png"
    )
    imports.apply_import(import_=again)
    dog.refresh_from_db()
    assert not dog.image
    assert purge(soon())["files"] == 0
    imports.undo_import(import_=again)
    dog.refresh_from_db()
    assert dog.image.read() == PNG


def test_a_recording_that_no_word_has_leaves_after_a_month(media):
    sound = media / "sounds" / "ab" / "abcdef.mp3"
    sound.parent.mkdir(parents=True)
    sound.write_bytes(MP3)
    assert purge(soon())["files"] == 0
    assert purge(later())["files"] == 1
    assert not sound.exists()


def test_every_day_a_worker_does_it(animals):
    delete(animals, "guska")
    Entry.everything.filter(term="guska").update(deleted_at=timezone.now() - 2 * KEPT)
    ledger.enqueue_daily()
    job = Job.objects.get(kind="vocab.purge")
    ledger.run_job(str(job.pk))
    job.refresh_from_db()
    assert (job.state, job.result["entries"]) == (Job.State.DONE, 1)
