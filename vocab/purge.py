"""Daily purge of deleted words, old imports and edits, and files that are no longer used."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.core.files.storage import default_storage
from django.db.models import Exists, OuterRef, QuerySet
from django.utils import timezone

from osmosmjerka.accounts.models import User
from osmosmjerka.db.deletable import KEPT
from osmosmjerka.storage.media import media
from vocab import text_fields
from vocab.models import (
    BulkEdit,
    Entry,
    Import,
    ImportChange,
    Pronunciation,
    Review,
    Translation,
    VocabularyList,
)

# A newer file may belong to something that is just being written.
SETTLED = timedelta(days=1)


def purge(at: datetime | None = None) -> dict[str, int]:
    """Remove what can no longer be undone; return how many of each."""
    before = (at or timezone.now()) - KEPT
    return {
        "imports": _purge_imports(before),
        "edits": BulkEdit.objects.filter(created_at__lt=before).delete()[0],
        "entries": _purge_entries(before),
        "files": _purge_files(at or timezone.now()),
    }


def purge_list(vocabulary_list: VocabularyList, actor: User | None) -> None:
    """Remove a list of the bin for good, but not what students learned.

    The words that they met stay with their reviews as bare terms, and so does the list's title.
    """
    at = timezone.now() - KEPT - SETTLED
    Entry.objects.filter(vocabulary_list=vocabulary_list).update(deleted_at=at)
    vocabulary_list.imports.all().delete()
    vocabulary_list.bulk_edits.all().delete()
    vocabulary_list.shares.all().delete()
    _purge_entries(timezone.now() - KEPT, Entry.everything.filter(vocabulary_list=vocabulary_list))
    if Entry.everything.filter(vocabulary_list=vocabulary_list).exists():
        VocabularyList.everything.filter(pk=vocabulary_list.pk).update(
            purged_at=timezone.now(), description=""
        )
    else:
        vocabulary_list.delete()


def _purge_imports(before: datetime) -> int:
    done = (Import.State.WAITING, Import.State.APPLIED, Import.State.UNDONE)
    old = Import.objects.filter(updated_at__lt=before, state__in=done)
    count = old.count()
    old.delete()  # their files are purged as unused
    return count


def _purge_entries(before: datetime, entries: QuerySet[Entry] | None = None) -> int:
    """Remove deleted words; of a word with reviews, keep the term, because the reviews are kept."""
    gone = (Entry.everything.all() if entries is None else entries).filter(deleted_at__lt=before)
    met = Exists(Review.objects.filter(entry=OuterRef("pk")))
    count = 0
    # In batches: a list of 20 000 words must not block other writers.
    while some := list(gone.exclude(met).values_list("pk", flat=True)[:1000]):
        Entry.everything.filter(pk__in=some).delete()
        count += len(some)
    names = gone.exclude(search="")
    Translation.objects.filter(entry__in=names).delete()
    empty = dict.fromkeys((*text_fields.NAMES, "search", "tag_line", "image", "audio"), "")
    return count + names.update(tags=[], extra={}, answers=[], original=None, **empty)


def _purge_files(at: datetime) -> int:
    """Remove pictures, sounds and imported files that no row refers to."""
    count = 0
    for folder, named, youngest in (
        ("entries", _media_in_use(), SETTLED),
        ("imports", _sources_in_use(), SETTLED),
        # Sounds created on demand have no row; they are created again when needed.
        ("sounds", _sounds_in_use(), KEPT),
    ):
        for file in media().files(folder):
            if file.written_at < at - youngest and file.name not in named:
                default_storage.delete(file.name)
                count += 1
    return count


def files_in_use() -> set[str]:
    """Return the names of all files in the storage that rows refer to."""
    return _media_in_use() | _sources_in_use() | _sounds_in_use()


def _media_in_use() -> set[str]:
    used: set[str] = set()
    for field in ("image", "audio"):
        used.update(Entry.everything.exclude(**{field: ""}).values_list(field, flat=True))
        before = ImportChange.objects.exclude(before=None)
        used.update(before.values_list(f"before__{field}", flat=True))
    for names in Import.objects.exclude(media={}).values_list("media", flat=True):
        used.update(names.values())
    for undo in BulkEdit.objects.filter(undo__has_key="before").values_list("undo", flat=True):
        used.update((undo["before"]["image"], undo["before"]["audio"]))
    removed = BulkEdit.objects.filter(action=BulkEdit.Action.PICTURE)
    used.update(undo["image"] for undo in removed.values_list("undo", flat=True))
    return used


def _sources_in_use() -> set[str]:
    return set(Import.objects.exclude(source="").values_list("source", flat=True))


def _sounds_in_use() -> set[str]:
    names = set(Pronunciation.objects.exclude(file="").values_list("file", flat=True))
    for undo in BulkEdit.objects.filter(action=BulkEdit.Action.RECORDING).values_list(
        "undo", flat=True
    ):
        names.update(row["file"] for row in undo["recordings"])
    return {f"sounds/{name[:2]}/{name}.mp3" for name in names}
