"""Write planned rows to a list: the only place that changes many entries at once."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from django.core.exceptions import ValidationError
from django.db.models import CharField, Max, Value
from django.db.models.functions import Cast, Concat
from django.utils.translation import gettext as _

from osmosmjerka.jobs import ledger
from vocab.formats.rows import Row
from vocab.models import Entry, Import, Translation, VocabularyList
from vocab.rows import convert
from vocab.rows.plan import Planned


def hold(vocabulary_list: VocabularyList) -> VocabularyList:
    """Lock the list until the transaction ends, and return it in its current state.

    Raises ValidationError while a worker applies or undoes a large import into it: changes in
    between would be lost without notice.
    """
    held = VocabularyList.everything.select_for_update().get(pk=vocabulary_list.pk)
    for import_ in held.imports.filter(state__in=Import.UNDER_WAY).only("pk"):
        if ledger.jobs_about(import_).filter(state__in=ledger.UNFINISHED).exists():
            raise ValidationError(
                _("An import into this list is in progress. Try again when it is finished.")
            )
    return held


def languages_with(vocabulary_list: VocabularyList, planned: Iterable[Planned]) -> list[str]:
    """Return the languages of a list's translations, with those that *planned* rows bring."""
    languages = dict.fromkeys(vocabulary_list.translation_languages)
    languages |= {tag: None for item in planned for tag in item.row.translations if tag != "und"}
    return list(languages)


class WrittenEntries(NamedTuple):
    """The new entries, and the changed ones, each with a snapshot from before."""

    added: list[Entry]
    changed: list[tuple[Entry, dict[str, Any]]]


def write_planned(
    vocabulary_list: VocabularyList,
    planned: Sequence[Planned],
    media: Mapping[str, str],
    originals: Mapping[str, dict[str, Any]] | None = None,
) -> WrittenEntries:
    """Write new or changed rows to a list, which the caller has locked.

    *media* is as for `convert.put_row`. For a copied list, *originals* are the rows of its
    original, by id. An entry that was deleted meanwhile stays deleted.
    """
    last = vocabulary_list.entries.aggregate(last=Max("position"))["last"] or 0
    touched = [item.key for item in planned if item.key is not None]
    old = {
        entry.pk: entry
        for entry in vocabulary_list.entries.filter(pk__in=touched).prefetch_related("translations")
    }
    written = WrittenEntries([], [])
    rows: list[tuple[Entry, Row]] = []
    for item in planned:
        if item.key is None:
            last += 1
            entry = Entry(vocabulary_list=vocabulary_list, position=last)
            if item.row.id:
                entry.guid = item.row.id
            written.added.append(entry)
        elif item.key in old:
            entry = old[item.key]
            entry.vocabulary_list = vocabulary_list
            written.changed.append((entry, convert.snapshot(entry)))
            entry.version += 1
        else:
            continue
        convert.put_row(entry, item.row, media)
        if originals and item.row.id in originals:
            entry.original = originals[item.row.id]
        rows.append((entry, item.row))
    changed = [entry for entry, _before in written.changed]
    _write_changed(changed)
    Entry.objects.bulk_create(written.added, batch_size=500)
    write_translations(
        {entry.pk: translations_of(row) for entry, row in rows},
        replacing=[entry.pk for entry in changed],
    )
    return written


def _write_changed(entries: Sequence[Entry]) -> None:
    """Write entries that may swap terms: first free all changed terms, then set them."""
    keys = dict(Entry.everything.filter(pk__in=[e.pk for e in entries]).values_list("pk", "key"))
    renamed = [entry.pk for entry in entries if entry.key != keys[entry.pk]]
    Entry.everything.filter(pk__in=renamed).update(
        key=Concat(Value("\x1f"), Cast("pk", CharField()), output_field=CharField())
    )
    Entry.everything.bulk_update(entries, [*convert.FIELDS, "version"], batch_size=200)


def translations_of(row: Row) -> list[tuple[str, str, int]]:
    """Return the translations of *row* as `write_translations` takes them, in their order."""
    pairs = ((tag, text) for tag, texts in row.translations.items() for text in texts)
    return [(tag, text, position) for position, (tag, text) in enumerate(pairs)]


def write_translations(
    wanted: Mapping[int, Sequence[tuple[str, str, int]]], *, replacing: Sequence[int]
) -> None:
    """Write (language, text, position) for each entry; delete the old ones of *replacing*."""
    Translation.objects.filter(entry__in=replacing).delete()
    Translation.objects.bulk_create(
        (
            Translation(entry_id=pk, language=tag, text=text, position=position)
            for pk, texts in wanted.items()
            for tag, text, position in texts
        ),
        batch_size=500,
    )


def cut_again(vocabulary_list: VocabularyList, entries: Iterable[Entry]) -> None:
    """Compute again what follows for *entries* from the language and the rules of their list."""
    cut = list(entries)
    for entry in cut:
        entry.vocabulary_list = vocabulary_list
        entry.set_term(entry.term)
    Entry.everything.bulk_update(cut, ["tiles", "answers"], batch_size=500)


def restore_snapshots(snapshots: Mapping[int, Mapping[str, Any]]) -> None:
    """Restore entries to what `convert.snapshot` returned, by primary key."""
    entries = Entry.everything.in_bulk(list(snapshots))
    texts = {}
    for pk, snapshot in snapshots.items():
        entry, before = entries[pk], dict(snapshot)
        texts[pk] = before.pop("translations")
        for name, value in before.items():
            setattr(entry, name, value)
        entry.version += 1
    _write_changed(list(entries.values()))
    write_translations(texts, replacing=list(entries))
