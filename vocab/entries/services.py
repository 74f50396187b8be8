"""Edit a list's entries one at a time, and detect conflicting edits."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import replace

from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import Max, Q
from django.utils.translation import gettext as _

from vocab.formats.rows import Row
from vocab.memory import changed_words
from vocab.models import Entry, VocabularyList
from vocab.rows import convert, plan
from vocab.rows.write import hold, translations_of, write_translations
from vocab.sentences import said
from vocab.sounds import services as sounds
from vocab.text import match_key


class EditConflict(Exception):
    """Somebody else changed the entry meanwhile; `entry` is its current version.

    `fields` are those that both changed, as `plan.differences` names them, if that is known.
    """

    def __init__(self, entry: Entry, fields: Collection[str] = ()) -> None:
        super().__init__(_("Someone else changed this word while you were editing it."))
        self.entry = entry
        self.fields = fields


def touch(vocabulary_list: VocabularyList) -> None:
    """Mark the list as changed, and request the sounds of its new words."""
    vocabulary_list.save(update_fields=["updated_at"])
    sounds.request_sounds(vocabulary_list=vocabulary_list)


@transaction.atomic
def add_entry(*, vocabulary_list: VocabularyList, row: Row) -> Entry:
    """Add one entry at the end. Raises ValidationError if the list already has the term."""
    vocabulary_list = hold(vocabulary_list)
    row = _checked(vocabulary_list, row, None)
    last = vocabulary_list.entries.aggregate(last=Max("position"))["last"] or 0
    entry = Entry(vocabulary_list=vocabulary_list, position=last + 1)
    convert.put_row(entry, row, {})
    entry.save()
    write_translations({entry.pk: translations_of(row)}, replacing=[])
    touch(vocabulary_list)
    return entry


@transaction.atomic
def edit_entry(
    *,
    entry: Entry,
    version: int,
    row: Row,
    shown: Row | None = None,
    is_correction: bool | None = None,
) -> Entry:
    """Change an entry to match *row*, if nobody has changed it since *version*.

    If somebody has, and it is known what was *shown*, fields that only one of the two people
    changed are both saved.

    If the term changes, *is_correction* says whether students keep what they remember; see
    `vocab.memory.changed_words`. Raises EditConflict, or ValidationError if another entry has the
    term.
    """
    vocabulary_list = hold(entry.vocabulary_list)
    entry = Entry.objects.select_for_update().get(pk=entry.pk)
    entry.vocabulary_list = vocabulary_list
    if entry.version != version:
        row = _with_others_changes(entry, shown, row)
    row = _checked(vocabulary_list, row, entry)
    if plan.differences(convert.row_of(entry), row):
        before = {entry.pk: (entry.term, entry.key)}
        convert.put_row(entry, row, {})
        entry.version += 1
        entry.save()
        write_translations({entry.pk: translations_of(row)}, replacing=[entry.pk])
        changed_words.terms_changed([entry], before, is_same=is_correction)
        touch(vocabulary_list)
    return Entry.objects.get(pk=entry.pk)


@transaction.atomic
def play_pronunciations(*, entries: Iterable[Entry]) -> None:
    """Let the pronunciation of each of *entries* be what is in a grid: pinyin or kana."""
    for entry in entries:
        row = replace(convert.row_of(entry), playing_form=entry.pronunciation)
        edit_entry(entry=entry, version=entry.version, row=row)


def _with_others_changes(entry: Entry, shown: Row | None, row: Row) -> Row:
    """Return the entry as it is now, with the changes from *shown* to *row*.

    Raises EditConflict if somebody else has changed one of these fields otherwise.
    """
    if shown is None:
        raise EditConflict(entry)
    now = convert.row_of(entry)
    theirs = {change.name: change.new for change in plan.differences(shown, now)}
    mine = {change.name: change.new for change in plan.differences(shown, row)}
    both = {name for name, text in mine.items() if theirs.get(name, text) != text}
    if both:
        raise EditConflict(entry, both)
    merged = plan.changes_since(shown, row, now)
    merged.translations = {
        tag: texts
        for tag, texts in merged.translations.items()
        if tag in row.translations or tag not in shown.translations
    }
    return merged


def _checked(vocabulary_list: VocabularyList, row: Row, entry: Entry | None) -> Row:
    languages = vocabulary_list.translation_languages or ["und"]
    (planned,) = plan.plan([row], {}, languages=languages, language=vocabulary_list.language)
    if planned.problem is not None:
        raise ValidationError(said(planned.problem))
    others = vocabulary_list.entries.all()
    if entry is not None:
        others = others.exclude(pk=entry.pk)
    if others.filter(key=match_key(planned.row.term)).exists():
        raise ValidationError(_("“%(term)s” is already in the list.") % {"term": planned.row.term})
    return planned.row


@transaction.atomic
def place_entry(*, entry: Entry, step: int) -> None:
    """Move an entry one place up (-1) or down (1) in its list. Raises ValidationError."""
    vocabulary_list = hold(entry.vocabulary_list)
    entry.refresh_from_db(fields=["position"])
    same = Q(position=entry.position)
    if step < 0:
        before = Q(position__lt=entry.position) | (same & Q(pk__lt=entry.pk))
        other = vocabulary_list.entries.filter(before).order_by("-position", "-pk").first()
    else:
        after = Q(position__gt=entry.position) | (same & Q(pk__gt=entry.pk))
        other = vocabulary_list.entries.filter(after).order_by("position", "pk").first()
    if other is None:
        return
    if other.position == entry.position:
        _number(vocabulary_list.entries.order_by("position", "pk"))
        entry.refresh_from_db(fields=["position"])
        other.refresh_from_db(fields=["position"])
    Entry.objects.filter(pk=entry.pk).update(position=other.position)
    Entry.objects.filter(pk=other.pk).update(position=entry.position)
    touch(vocabulary_list)


def _number(entries: Iterable[Entry]) -> None:
    numbered = list(entries)
    for position, entry in enumerate(numbered, start=1):
        entry.position = position
    Entry.objects.bulk_update(numbered, ["position"], batch_size=500)
