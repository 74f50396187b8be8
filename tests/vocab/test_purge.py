"""What is deleted can come back for a month; then it leaves, from the disk too."""

import os
from datetime import timedelta

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import transaction
from django.utils import timezone

from osmosmjerka.accounts.bin import services as bin
from osmosmjerka.jobs import ledger
from osmosmjerka.jobs.models import Job
from tests.conftest import rows
from tests.vocab.formats.bombs import MP3, PNG
from vocab.entries import bulk
from vocab.formats import write
from vocab.formats.rows import Row
from vocab.imports import services as imports
from vocab.lists import services as list_services
from vocab.lists import sharing
from vocab.memory import reviews
from vocab.models import (
    BulkEdit,
    Entry,
    Import,
    ImportChange,
    Pronunciation,
    Review,
    StudyDay,
    Translation,
    VocabularyList,
)
from vocab.purge import KEPT, SETTLED, purge

pytestmark = [pytest.mark.django_db, pytest.mark.database]


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


def test_of_a_word_that_students_met_the_log_stays_and_nothing_else(animals, student):
    goose = animals.entries.get(term="guska")
    goose.hint = "it honks"
    goose.save()
    reviews.review(
        student=student, entry=goose, mode="typed", skill="meaning_to_form", outcome="right",
        at=timezone.now(), source="x",
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


def test_every_day_a_worker_does_it(animals):
    delete(animals, "guska")
    Entry.everything.filter(term="guska").update(deleted_at=timezone.now() - 2 * KEPT)
    ledger.enqueue_daily()
    job = Job.objects.get(kind="vocab.purge")
    ledger.run_job(str(job.pk))
    job.refresh_from_db()
    assert (job.state, job.result["entries"]) == (Job.State.DONE, 1)


# Exactly what goes and what stays.

TEXTS = ("pronunciation", "example", "example_translation", "hint", "note", "part_of_speech",
         "search", "tag_line", "image", "audio")  # fmt: skip


def meet(student, *entries):
    for entry in entries:
        reviews.review(
            student=student, entry=entry, mode="typed", skill="meaning_to_form", outcome="right",
            at=timezone.now(), source=f"met {entry.pk}",
        )  # fmt: skip


def fill(entry):
    """Write something into every field of a word."""
    for name in TEXTS:
        setattr(entry, name, f"{name} of {entry.term}")
    entry.tags, entry.extra, entry.original = ["bird"], {"Column": "x"}, {"term": "x"}
    entry.save()
    return entry


def is_bare(entry):
    entry = Entry.everything.get(pk=entry.pk)
    texts = [str(getattr(entry, name)) for name in TEXTS]
    return (texts, entry.tags, entry.extra, entry.original) == ([""] * len(TEXTS), [], {}, None)


@pytest.fixture
def others(teacher):
    """Another list, of which one word was deleted just now."""
    others = list_services.create_list(
        owner=teacher, title="Other", language="hr", translation_languages=["en"],
        rows=rows({"vuk": "wolf", "lisica": "fox"}),
    )  # fmt: skip
    for entry in others.entries.all():
        fill(entry)
    delete(others, "lisica")
    return others


def test_of_a_deleted_word_that_was_met_only_the_term_is_left(animals, student, others):
    met, unmet, stays = (
        fill(animals.entries.get(term=term)) for term in ("guska", "labud", "slon")
    )
    meet(student, met, stays)
    delete(animals, "guska", "labud")
    assert purge(soon())["entries"] == 0
    assert not is_bare(met)
    Entry.everything.filter(term="lisica").update(deleted_at=timezone.now() + timedelta(days=5))
    assert purge(later())["entries"] == 2
    assert is_bare(met)
    assert not Entry.everything.filter(pk=unmet.pk).exists()
    for kept in (stays, *Entry.everything.filter(vocabulary_list=others)):
        assert not is_bare(kept)
        assert kept.translations.exists()


def test_more_than_a_thousand_words_go_in_several_turns(animals):
    Entry.objects.bulk_create(
        Entry(vocabulary_list=animals, term=f"w{number}", key=f"w{number}",
              deleted_at=timezone.now())
        for number in range(1001)
    )  # fmt: skip
    assert purge(later())["entries"] == 1001
    assert Entry.everything.count() == 12


def test_of_a_purged_list_its_title_and_the_words_that_were_met_are_left(
    animals, student, teacher, stranger, others
):
    met = fill(animals.entries.get(term="guska"))
    meet(student, met)
    animals.description = "For 6b and Luka"
    animals.save()
    for each in (animals, others):
        imports.start_import(vocabulary_list=each, created_by=teacher, text="vidra\totter")
        sharing.share_list(vocabulary_list=each, teacher=stranger, may_edit=True)
    bulk.change_many(
        vocabulary_list=animals, person=teacher, action="tag", tag="x", entries=[met.pk]
    )
    list_services.delete_list(vocabulary_list=animals, actor=teacher)
    bin.purge(later())
    kept = VocabularyList.everything.get(pk=animals.pk)
    assert (kept.title, kept.description, kept.purged_at is None) == ("Životinje", "", False)
    assert [entry.term for entry in Entry.everything.filter(vocabulary_list=kept)] == ["guska"]
    assert is_bare(met)
    assert not Translation.objects.filter(entry=met).exists()
    for rows_of in (kept.imports, kept.bulk_edits, kept.shares):
        assert not rows_of.exists()
    # The control: the other list has everything, also its deleted word.
    other = VocabularyList.objects.get(pk=others.pk)
    assert other.purged_at is None
    assert [entry.term for entry in other.entries.all()] == ["vuk"]
    assert not is_bare(Entry.everything.get(term="lisica"))
    for rows_of in (other.imports, other.bulk_edits, other.shares):
        assert rows_of.count() == 1


@pytest.mark.parametrize("state", Import.State.values)
def test_old_imports_go_unless_a_worker_has_them(state, animals, teacher):
    old, new = (
        Import.objects.create(vocabulary_list=animals, created_by=teacher, state=state)
        for _each in range(2)
    )
    Import.objects.filter(pk=old.pk).update(updated_at=timezone.now() - KEPT - timedelta(hours=1))
    is_kept = state in Import.UNDER_WAY
    assert purge()["imports"] == (not is_kept)
    assert set(Import.objects.all()) == ({old, new} if is_kept else {new})


def test_changes_of_many_words_can_no_longer_be_undone_after_a_month_and_others_can(animals):
    old, new = delete(animals, "guska"), delete(animals, "slon")
    BulkEdit.objects.filter(pk=old.pk).update(created_at=timezone.now() - KEPT - timedelta(hours=1))
    assert purge()["edits"] == 1
    assert list(BulkEdit.objects.all()) == [new]


def write_file(media, folder, name, days_old=60):
    path = media / folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(PNG)
    at = (timezone.now() - timedelta(days=days_old)).timestamp()
    os.utime(path, (at, at))
    return f"{folder}/{name}"


def names(media):
    return {str(path.relative_to(media)) for path in media.rglob("*") if path.is_file()}


def test_a_file_stays_while_any_row_needs_it(animals, teacher, media):
    """A word, a deleted word, what undoing an import or a merge would restore, an import."""
    wanted = {
        name: write_file(media, "entries", f"{name}.png")
        for name in ("image", "audio", "binned", "before image", "before audio", "of import",
                     "merged image", "merged audio")
    }  # fmt: skip
    wanted["source"] = write_file(media, "imports", "source.csv")
    wanted["sound"] = write_file(media, "sounds/ab", "abcdef.mp3")
    for folder in ("entries", "imports", "sounds/ab", "entries/deep/er"):
        write_file(media, folder, "nobodys.png")
    goose, swan = (animals.entries.get(term=term) for term in ("guska", "labud"))
    Entry.objects.filter(pk=goose.pk).update(image=wanted["image"], audio=wanted["audio"])
    Entry.objects.filter(pk=swan.pk).update(image=wanted["binned"], deleted_at=timezone.now())
    import_ = imports.start_import(vocabulary_list=animals, created_by=teacher, text="vidra\totter")
    Import.objects.filter(pk=import_.pk).update(
        source=wanted["source"], media={"x.png": wanted["of import"]}
    )
    for entry, before in (
        (goose, {"image": wanted["before image"], "audio": wanted["before audio"]}),
        (swan, None),
    ):
        ImportChange.objects.create(made_by=import_, entry=entry, before=before)
    for undo in (
        {"before": {"image": wanted["merged image"], "audio": wanted["merged audio"]}},
        {"tag": "x"},
    ):
        BulkEdit.objects.create(
            vocabulary_list=animals, created_by=teacher, action="merge", undo=undo
        )
    Pronunciation.objects.create(language="hr", text="x", engine="espeak", file="abcdef")
    Pronunciation.objects.create(language="hr", text="y", engine="espeak", file="")
    assert purge()["files"] == 4
    # What was pasted just now is too young to go.
    (pasted,) = names(media) - {*wanted.values()}
    assert names(media) == {*wanted.values(), pasted}
    assert pasted.startswith("imports/") and pasted.endswith("-pasted.txt")


@pytest.mark.parametrize(
    ("folder", "youngest"), [("entries", 1), ("imports", 1), ("sounds/ab", 30)]
)
def test_a_file_of_nobody_goes_when_it_is_old_enough(folder, youngest, media, db):
    old = write_file(media, folder, "old.png", days_old=youngest + 0.1)
    new = write_file(media, folder, "new.png", days_old=youngest - 0.1)
    assert purge()["files"] == 1
    assert names(media) == {new}
    assert old not in names(media)
    assert purge(timezone.now() + timedelta(days=1))["files"] == 1
    assert names(media) == set()
