"""What an import does to its list: compare, apply, undo. A worker does it if there is much."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from itertools import islice
from typing import Any

from django.db import transaction
from django.db.models import F
from django.utils import timezone
from django.utils.translation import gettext as _

from vocab.formats.rows import Row
from vocab.memory import changed_words
from vocab.models import Entry, Import, ImportChange, VocabularyList
from vocab.rows import convert, plan, write
from vocab.rows.plan import Planned
from vocab.sounds import services as sounds

logger = logging.getLogger(__name__)

CHUNK = 1000

Report = Callable[[int, str], None]


def originals_of(copy: VocabularyList) -> dict[str, Row]:
    """Return the originals of a copy's entries as they were, by id; including deleted entries."""
    copied = Entry.everything.filter(vocabulary_list=copy, original__isnull=False)
    originals = copied.values_list("guid", "original")
    return {guid: Row.from_json(row) for guid, row in originals if row is not None}


def plan_of(import_: Import) -> list[Planned]:
    """Return what the import would do to the current list."""
    return _plan(import_, [Row.from_json(row) for row in import_.rows])


def _plan(import_: Import, rows: Iterable[Row]) -> list[Planned]:
    vocabulary_list = import_.vocabulary_list
    policy: Any = import_.policy
    existing = convert.rows_of(vocabulary_list)
    if import_.is_pull:
        bases = originals_of(vocabulary_list)
        mine = {row.id: row for row in existing.values()}
        rows = [
            plan.changes_since(bases[row.id], row, mine[row.id])
            if row.id in bases and row.id in mine
            else row
            for row in rows
        ]
    return plan.plan(
        rows,
        existing,
        languages=vocabulary_list.translation_languages,
        language=vocabulary_list.language,
        policy=policy,
    )


def without_file(import_: Import, planned: Iterable[Planned]) -> set[tuple[int, str]]:
    """Return the line and field of each new picture and sound that the import only names."""
    return {
        (item.row.line, field)
        for item in planned
        for field in convert.FILES
        if (name := getattr(item.row, field)) and name not in import_.media
        if item.key is None or any(change.name == field for change in item.changes)
    }


def carry_out(import_: Import, what: str, report: Report) -> None:
    """Apply ("apply") or undo ("undo") the import, in one transaction per chunk.

    If interrupted and run again, it continues where it stopped, because it finds what it has
    written.
    """
    began = time.monotonic()
    wrong = 0
    if what == "apply":
        wrong = _apply(import_, report)
    else:
        _undo(import_, report)
    import_.refresh_from_db()
    log(import_, what, time.monotonic() - began, wrong)


def log(import_: Import, what: str, seconds: float, wrong: int = 0) -> None:
    """Log the result of reading ("read"), applying or undoing, without any word of the file.

    "refused" counts the lines that could not be read, and the *wrong* rows that were left out.
    """
    unread = sum(problem["severity"] == "error" for problem in import_.problems)
    counts = {
        "rows": len(import_.rows),
        "added": import_.added,
        "changed": import_.changed,
        "refused": unread + wrong,
    }
    logger.info(
        "Import %s into list %s, %s: %s after %.2f s",
        import_.pk or "not yet saved",
        import_.vocabulary_list_id,
        what,
        ", ".join(f"{count} {name}" for name, count in counts.items()),
        seconds,
        extra={
            "import": import_.pk,
            "list": import_.vocabulary_list_id,
            "what": what,
            "seconds": round(seconds, 3),
        }
        | counts,
    )


def _apply(import_: Import, report: Report) -> int:
    """Write what is new or changed; return how many invalid rows were left out."""
    report(1, _("Comparing with the list"))
    if not import_.checksum_before:
        import_.checksum_before = convert.checksum(import_.vocabulary_list)
        import_.languages_before = import_.vocabulary_list.translation_languages
        import_.save(update_fields=["checksum_before", "languages_before"])
        if import_.playing_rules and not import_.vocabulary_list.entries.exists():
            import_.vocabulary_list.playing_rules = import_.playing_rules
            import_.vocabulary_list.save(update_fields=["playing_rules"])
    planned = plan_of(import_)
    # Changed words first: a renamed word frees its old name for a new one.
    todo = [item for item in planned if item.outcome == "changed"]
    todo += [item for item in planned if item.outcome == "new"]
    done = 0
    for chunk in _chunks(todo):
        with transaction.atomic():
            report(10 + 85 * done // len(todo), _("Saving the words"))
            _write_chunk(import_, chunk)
        done += len(chunk)
    with transaction.atomic():
        vocabulary_list = _locked(import_)
        vocabulary_list.translation_languages = write.languages_with(vocabulary_list, todo)
        vocabulary_list.save(update_fields=["translation_languages", "updated_at"])
        import_.vocabulary_list = vocabulary_list
        import_.added = import_.changes.filter(before__isnull=True).count()
        import_.changed = import_.changes.filter(before__isnull=False).count()
        import_.checksum_after = convert.checksum(vocabulary_list)
        import_.state = Import.State.APPLIED
        forget_source(import_)
        import_.source = ""
        import_.save()
        sounds.request_sounds(vocabulary_list=vocabulary_list)
    return sum(item.outcome == "wrong" for item in planned)


def _locked(import_: Import) -> VocabularyList:
    return VocabularyList.objects.select_for_update().get(pk=import_.vocabulary_list_id)


def _write_chunk(import_: Import, chunk: Sequence[Planned]) -> None:
    originals = {row["id"]: row for row in import_.rows if "id" in row} if import_.is_pull else {}
    written = write.write_planned(_locked(import_), chunk, import_.media, originals)
    changed_words.terms_changed(
        [entry for entry, _before in written.changed],
        {entry.pk: (before["term"], before["key"]) for entry, before in written.changed},
    )
    changes = [
        ImportChange(made_by=import_, entry=entry, before=before)
        for entry, before in written.changed
    ]
    changes += [ImportChange(made_by=import_, entry=entry) for entry in written.added]
    # A change that exists comes from an interrupted attempt: the first snapshot is the right one.
    ImportChange.objects.bulk_create(changes, batch_size=500, ignore_conflicts=True)


def _undo(import_: Import, report: Report) -> None:
    report(1, _("Undoing the import"))
    with transaction.atomic():
        # First, because these may have the name that another word gets back. Deleted like by a
        # teacher, so that students' reviews of them stay.
        added = import_.changes.filter(before__isnull=True)
        _locked(import_).entries.filter(pk__in=added.values("entry")).update(
            deleted_at=timezone.now(), version=F("version") + 1, original=None
        )
        added.delete()
    changes = import_.changes.filter(before__isnull=False).order_by("-pk")
    total = changes.count() or 1
    done = 0
    while chunk := list(changes[:CHUNK]):
        with transaction.atomic():
            report(min(90, 5 + 85 * done // total), _("Undoing the import"))
            _locked(import_)
            entries = Entry.everything.in_bulk([change.entry_id for change in chunk])
            before = {key: (entry.term, entry.key) for key, entry in entries.items()}
            write.restore_snapshots({change.entry_id: change.before or {} for change in chunk})
            restored = Entry.everything.filter(pk__in=before).select_related("vocabulary_list")
            changed_words.terms_changed(restored, before)
            ImportChange.objects.filter(pk__in=[change.pk for change in chunk]).delete()
        done += len(chunk)
    with transaction.atomic():
        report(92, _("Undoing the import"))
        vocabulary_list = _locked(import_)
        vocabulary_list.translation_languages = import_.languages_before or []
        if import_.playing_rules:
            vocabulary_list.playing_rules = []
        vocabulary_list.save(update_fields=["translation_languages", "playing_rules", "updated_at"])
        import_.vocabulary_list = vocabulary_list
        import_.state = Import.State.UNDONE
        import_.save()
        sounds.request_sounds(vocabulary_list=vocabulary_list)


def _chunks(items: Sequence[Planned]) -> Iterable[list[Planned]]:
    iterator = iter(items)
    while chunk := list(islice(iterator, CHUNK)):
        yield chunk


def forget_source(import_: Import) -> None:
    """Delete the file that was read, once the transaction commits."""
    if name := import_.source.name:
        transaction.on_commit(partial(import_.source.storage.delete, name))
