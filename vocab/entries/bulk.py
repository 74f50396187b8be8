"""Bulk edits: change many entries at once, and undo that in one call."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from datetime import datetime
from typing import Any

from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import F, Max, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from osmosmjerka.accounts.models import User
from osmosmjerka.db.deletable import KEPT
from vocab import access
from vocab.entries import pictures
from vocab.entries import services as entry_services
from vocab.formats.rows import Row
from vocab.models import BulkEdit, Entry, VocabularyList
from vocab.rows import convert, plan
from vocab.rows.write import (
    cut_again,
    hold,
    restore_snapshots,
    translations_of,
    write_translations,
)
from vocab.sounds import services as sounds

# Entries of a list: their primary keys, or all results of a query, however many.
Chosen = Collection[int] | QuerySet[Entry]
Action = BulkEdit.Action
# What `change_many` does; the others note what was removed of one word.
MANY = (Action.TAG, Action.UNTAG, Action.DELETE, Action.MERGE, Action.MOVE)
# What `take_back` restores only in part while the list has the same words again.
_DELETING = {Action.DELETE, Action.MERGE}
# Databases limit the number of parameters in one statement.
_AT_ONCE = 10_000


@transaction.atomic
def change_many(
    *,
    vocabulary_list: VocabularyList,
    person: User,
    action: str,
    entries: Chosen,
    tag: str = "",
    target: VocabularyList | None = None,
) -> BulkEdit:
    """Tag, untag, delete, merge or move entries of a list; `take_back` undoes the returned edit.

    Raises ValidationError if nothing was done, with the reason. Only the list's owner may move
    words out of it, because they leave with what students learned of them.
    """
    _lock(vocabulary_list.pk, (target or vocabulary_list).pk)
    edit = BulkEdit(vocabulary_list=vocabulary_list, created_by=person, action=action)
    # Evaluate the query before the change affects its results.
    pks = list(_some(vocabulary_list, entries))
    if action == Action.DELETE:
        _delete(edit, pks)
    elif action in {Action.TAG, Action.UNTAG}:
        _tag(edit, pks, tag)
    elif action == Action.MERGE:
        _merge(edit, pks)
    elif target is None:
        raise ValidationError(_("Choose the list to move the words to."))
    elif not access.vocabulary_lists(person, "move out").filter(pk=vocabulary_list.pk).exists():
        raise ValidationError(_("Only the owner of the list can move its words to another list."))
    else:
        _move(edit, pks, target)
    if not edit.count:
        raise ValidationError(
            _(
                "Nothing was changed: these words are already as you want them, or are no longer "
                "in the list."
            )
        )
    edit.save()
    entry_services.touch(vocabulary_list)
    return edit


@transaction.atomic
def take_back(*, edit: BulkEdit, person: User) -> int:
    """Undo a bulk edit of a list that *person* may edit; return the number of restored entries.

    Entries with later changes that conflict stay as they are. Deleted words that the list has
    again stay deleted, and the edit can be undone once more for them: see `still_deleted`.

    Raises ValidationError if nothing can be restored because of them, if the edit was already
    undone, can no longer be undone, or moved words to a list that *person* may not edit: they may
    not take words from it.
    """
    edit = BulkEdit.objects.select_for_update().get(pk=edit.pk)
    if edit.undone_at is not None:
        raise ValidationError(_("This has already been undone."))
    if edit.created_at < timezone.now() - KEPT:
        raise ValidationError(_("This can no longer be undone; it was too long ago."))
    if edit.action == Action.MOVE and not _may_return(edit, person):
        raise ValidationError(_("The other list was deleted, or you cannot edit it."))
    undo = {
        Action.DELETE: _restore,
        Action.TAG: _tag_back,
        Action.UNTAG: _tag_back,
        Action.MERGE: _split,
        Action.MOVE: _move_back,
        Action.PICTURE: pictures.return_picture,
        Action.RECORDING: sounds.return_recordings,
    }[Action(edit.action)]
    vocabulary_list = edit.vocabulary_list
    _lock(vocabulary_list.pk, edit.undo.get("target", vocabulary_list.pk))
    count = undo(edit)
    waiting = still_deleted(edit)
    if waiting and not count:
        raise ValidationError(
            _("These words are in the list again. Delete or rename them there first.")
        )
    if not waiting:
        edit.undone_at = timezone.now()
    edit.save(update_fields=["undone_at", "undo"])
    entry_services.touch(vocabulary_list)
    return count


def still_deleted(edit: BulkEdit) -> int:
    """Return how many words that *edit* deleted are deleted now."""
    return _deleted_by(edit).count() if edit.action in _DELETING else 0


def undoable(vocabulary_list: VocabularyList, person: User) -> list[BulkEdit]:
    """Return the latest bulk edits of a list that *person*, who may edit it, can undo now."""
    edits = vocabulary_list.bulk_edits.filter(
        undone_at=None, created_at__gte=timezone.now() - KEPT
    ).select_related("created_by")
    return [edit for edit in edits[:20] if _can_undo(edit, person)][:5]


def _can_undo(edit: BulkEdit, person: User) -> bool:
    """Return whether *person* may undo *edit*, and would restore anything."""
    if edit.action == Action.MOVE:
        return _may_return(edit, person)
    if edit.action == Action.DELETE:
        return _restorable(edit).exists()
    return edit.action != Action.MERGE or _first(edit).exists() or _restorable(edit).exists()


def _may_return(edit: BulkEdit, person: User) -> bool:
    """Return whether *person* may take words back from the list that *edit* moved them to.

    That list may be in the bin: then what was moved there would be lost with it.
    """
    target = edit.undo["target"]
    return any(
        access.vocabulary_lists(person, "edit", is_binned=is_binned).filter(pk=target).exists()
        for is_binned in (False, True)
    )


def _lock(*pks: int) -> None:
    """Lock lists until the transaction ends, in an order that avoids deadlocks between moves."""
    for pk in sorted(set(pks)):
        hold(VocabularyList(pk=pk))


def _some(vocabulary_list: VocabularyList, entries: Chosen) -> Iterator[int]:
    if isinstance(entries, QuerySet):
        yield from entries.filter(vocabulary_list=vocabulary_list).values_list("pk", flat=True)
        return
    for part in _parts(list(entries)):
        yield from vocabulary_list.entries.filter(pk__in=part).values_list("pk", flat=True)


def _parts(pks: Sequence[int]) -> Iterator[Sequence[int]]:
    for start in range(0, len(pks), _AT_ONCE):
        yield pks[start : start + _AT_ONCE]


def _delete(edit: BulkEdit, pks: list[int]) -> None:
    now = timezone.now()
    for part in _parts(pks):
        edit.count += Entry.objects.filter(pk__in=part).update(
            deleted_at=now, version=F("version") + 1
        )
    edit.undo = {"at": now.isoformat()}


def _restore(edit: BulkEdit) -> int:
    """Restore the entries of one deletion, except terms that were added again meanwhile."""
    return _restorable(edit).update(deleted_at=None, version=F("version") + 1)


def _restorable(edit: BulkEdit) -> QuerySet[Entry]:
    return _deleted_by(edit).exclude(key__in=edit.vocabulary_list.entries.values("key"))


def _deleted_by(edit: BulkEdit) -> QuerySet[Entry]:
    """Return the entries that a deletion or merge deleted and that are still deleted."""
    return Entry.everything.filter(
        vocabulary_list=edit.vocabulary_list, deleted_at=datetime.fromisoformat(edit.undo["at"])
    )


def _tag(edit: BulkEdit, pks: list[int], tag: str) -> None:
    tag = " ".join(tag.split())
    if not tag or len(tag) > 60:
        raise ValidationError(_("Enter a tag of at most 60 characters."))
    changed = _retag(pks, tag, remove=edit.action == Action.UNTAG)
    edit.count = len(changed)
    edit.undo = {"tag": tag, "entries": changed}


def _tag_back(edit: BulkEdit) -> int:
    remove = edit.action == Action.TAG
    return len(_retag(edit.undo["entries"], edit.undo["tag"], remove=remove))


def _retag(pks: list[int], tag: str, *, remove: bool) -> list[int]:
    """Add a tag to entries or remove it; return those that changed.

    Thousands of entries have only a few different sets of tags, so write each set once.
    """
    alike: dict[tuple[str, ...], list[int]] = defaultdict(list)
    for part in _parts(pks):
        for pk, tags in Entry.objects.filter(pk__in=part).values_list("pk", "tags"):
            if (tag in tags) == remove:
                alike[tuple(tags)].append(pk)
    for present, several in alike.items():
        model = Entry()
        model.set_tags([other for other in present if other != tag] + [tag] * (not remove))
        for part in _parts(several):
            Entry.objects.filter(pk__in=part).update(
                tags=model.tags, tag_line=model.tag_line, version=F("version") + 1
            )
    return [pk for several in alike.values() for pk in several]


def _merge(edit: BulkEdit, pks: list[int]) -> None:
    """Merge entries into the first in the list, which gains their data; delete the others."""
    vocabulary_list = edit.vocabulary_list
    if len(pks) > 1000:
        raise ValidationError(_("Select at most 1000 words to merge."))
    found = list(convert.entries_of(vocabulary_list).filter(pk__in=pks))
    if len(found) < 2:
        raise ValidationError(_("Select at least two words to merge."))
    first, *others = found
    first.vocabulary_list = vocabulary_list
    before = convert.snapshot(first)
    rows: dict[int, Row] = {first.pk: convert.row_of(first)}
    for other in others:
        twin = convert.row_of(other)
        twin.id, twin.term = "", first.term
        languages = vocabulary_list.translation_languages
        (planned,) = plan.plan([twin], rows, languages=languages, policy="add")
        rows[first.pk] = planned.row
    media = convert.media_of(vocabulary_list)
    _delete(edit, [other.pk for other in others])
    convert.put_row(first, rows[first.pk], media)
    first.version += 1
    first.save()
    write_translations({first.pk: translations_of(rows[first.pk])}, replacing=[first.pk])
    edit.undo |= {"first": first.pk, "version": first.version, "before": before}


def _split(edit: BulkEdit) -> int:
    """Restore the merged words; the one that has their data loses it, unless it changed since."""
    is_unchanged = _first(edit).exists()
    if is_unchanged:
        restore_snapshots({edit.undo["first"]: edit.undo["before"]})
        edit.undo["version"] = None  # restored once, also if other words have to wait
    return _restore(edit) + is_unchanged


def _first(edit: BulkEdit) -> QuerySet[Entry]:
    """Return the entry that a merge gave the data of the others, unless it changed since."""
    return edit.vocabulary_list.entries.filter(pk=edit.undo["first"], version=edit.undo["version"])


def _move(edit: BulkEdit, pks: list[int], target: VocabularyList) -> None:
    """Move entries to the end of another list, except terms that it already has.

    Students' progress on a word moves with it.
    """
    last = target.entries.aggregate(last=Max("position"))["last"] or 0
    there = target.entries.values("key")
    moved: list[int] = []
    for part in _parts(pks):
        some = Entry.objects.filter(pk__in=part)
        edit.staying += some.filter(key__in=there).count()
        moved += some.exclude(key__in=there).values_list("pk", flat=True)
    _hand_over(moved, edit.vocabulary_list, target, last)
    entry_services.touch(target)
    edit.count = len(moved)
    edit.undo = {"target": target.pk, "entries": moved, "shift": last}


def _move_back(edit: BulkEdit) -> int:
    target = VocabularyList.everything.get(pk=edit.undo["target"])
    here = edit.vocabulary_list.entries.values("key")
    back: list[int] = []
    for part in _parts(edit.undo["entries"]):
        some = target.entries.filter(pk__in=part).exclude(key__in=here)
        back += some.values_list("pk", flat=True)
    _hand_over(back, target, edit.vocabulary_list, -int(edit.undo["shift"]))
    entry_services.touch(target)
    return len(back)


def _hand_over(pks: list[int], source: VocabularyList, target: VocabularyList, shift: int) -> None:
    for part in _parts(pks):
        Entry.objects.filter(pk__in=part).update(
            vocabulary_list=target, position=F("position") + shift, version=F("version") + 1
        )
    cut: Any = ("language", "uses_digraphs", "playing_rules")
    if any(getattr(source, name) != getattr(target, name) for name in cut):
        for part in _parts(pks):
            cut_again(target, Entry.objects.filter(pk__in=part))
