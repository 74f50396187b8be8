"""Vocabulary lists: create, change, delete, add rows; for pages, API, tasks and commands."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import Q
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from osmosmjerka.accounts.bin import services as bin
from osmosmjerka.accounts.models import User
from vocab.formats.rows import Row
from vocab.lists import samples
from vocab.models import Entry, VocabularyList
from vocab.rows import convert, plan
from vocab.rows.write import hold, write_planned
from vocab.sentences import said
from vocab.sounds import services as sounds
from vocab.text import match_key, normal_form

# Up to this many rows, only entries with their ids or terms are read, not the whole list.
_FEW = 300


@dataclass(frozen=True, slots=True)
class Written:
    """How many entries were added and updated."""

    added: int
    updated: int


@transaction.atomic
def create_list(
    *,
    owner: User,
    title: str,
    language: str,
    translation_languages: Sequence[str],
    description: str = "",
    visibility: str = VocabularyList.Visibility.PRIVATE,
    accents: str = VocabularyList.Accents.WARN,
    uses_digraphs: bool = True,
    playing_rules: Sequence[str] = (),
    rows: Iterable[Row] = (),
) -> VocabularyList:
    """Create a list with its first entries."""
    vocabulary_list = VocabularyList(
        owner=owner,
        school=owner.school,
        title=normal_form(title),
        language=language,
        translation_languages=list(translation_languages),
        description=description,
        visibility=visibility,
        accents=accents,
        uses_digraphs=uses_digraphs,
        playing_rules=list(playing_rules),
    )
    vocabulary_list.full_clean(exclude=["school"])
    vocabulary_list.save()
    write_rows(vocabulary_list=vocabulary_list, rows=rows)
    return vocabulary_list


def copy_sample(*, owner: User, language: str, translation_language: str) -> VocabularyList:
    """Create a list of the owner's own with the sample words of two languages.

    Its title is in the reader's language. Raises ValidationError if there are no such words.
    """
    try:
        rows = samples.sample_rows(language, translation_language)
    except ValueError as error:
        raise ValidationError(_("There is no sample list for these languages.")) from error
    return create_list(
        owner=owner,
        title=_("First words"),
        language=language,
        translation_languages=[translation_language],
        rows=rows,
    )


@transaction.atomic
def write_rows(*, vocabulary_list: VocabularyList, rows: Iterable[Row]) -> Written:
    """Write parsed rows to a list: existing terms gain what is new, other terms are added.

    No data of a row is dropped. Translations without a language get the list's first. Raises
    ValidationError that names the line of a term that cannot be stored.
    """
    vocabulary_list = hold(vocabulary_list)
    rows = list(rows)
    for row in rows:
        check_lengths(row)
    planned = plan.plan(
        rows,
        _rows_they_meet(vocabulary_list, rows),
        languages=vocabulary_list.translation_languages,
        language=vocabulary_list.language,
        policy="add",
    )
    for item in planned:
        if item.outcome == "wrong" and item.problem is not None:
            raise ValidationError(
                _("Line %(line)s: %(message)s")
                % {"line": item.row.line, "message": said(item.problem)}
            )
    todo = [item for item in planned if item.outcome in ("new", "changed")]
    written = write_planned(vocabulary_list, todo, {})
    vocabulary_list.save(update_fields=["updated_at"])
    if todo:
        sounds.request_sounds(vocabulary_list=vocabulary_list)
    return Written(added=len(written.added), updated=len(written.changed))


def _rows_they_meet(vocabulary_list: VocabularyList, rows: Sequence[Row]) -> dict[int, Row]:
    """Return the list's entries with an id or term of *rows*; for many rows, all entries."""
    entries = convert.entries_of(vocabulary_list)
    if len(rows) <= _FEW:
        keys = [match_key(normal_form(row.term)) for row in rows]
        entries = entries.filter(Q(key__in=keys) | Q(guid__in=[row.id for row in rows if row.id]))
    return convert.rows_of(entries)


def check_lengths(row: Row) -> None:
    """Raise ValidationError, with the line and the limit, for text too long for the database."""
    texts = [text for texts in row.translations.values() for text in texts]
    limits = [
        (_("Word"), row.term, 300),
        (_("Part of speech"), row.part_of_speech, 60),
        (_("Pronunciation"), row.pronunciation, 300),
        *((_("Translation"), text, 500) for text in texts),
    ]
    if not normal_form(row.term):
        raise ValidationError(_("Line %(line)s: the word is missing.") % {"line": row.line})
    for name, text, limit in limits:
        if len(normal_form(text)) > limit:
            raise ValidationError(
                ngettext(
                    # Translators: %(field)s is the name of a field, such as “Part of speech”.
                    "Line %(line)s: “%(field)s” can have at most %(limit)s character.",
                    "Line %(line)s: “%(field)s” can have at most %(limit)s characters.",
                    limit,
                )
                % {"line": row.line, "field": name, "limit": limit}
            )


@transaction.atomic
def delete_list(*, vocabulary_list: VocabularyList, actor: User) -> None:
    """Put a list into the bin, with its puzzles. What students learned of its words stays.

    Raises ValidationError as long as other teachers have puzzles from it, because these are theirs.
    """
    vocabulary_list = hold(vocabulary_list)
    others = vocabulary_list.puzzles.filter(
        created_by__role__in=[User.Role.TEACHER, User.Role.SCHOOL_ADMIN]
    ).exclude(created_by=vocabulary_list.owner)
    if others.exists():
        raise ValidationError(
            _(
                "Other teachers have created puzzles from this list, so it cannot be deleted. "
                "Make it private instead, so that nobody can create new ones."
            )
        )
    bin.put(vocabulary_list, actor)


@transaction.atomic
def update_list(
    *, vocabulary_list: VocabularyList, rows: Iterable[Row] = (), **changes: Any
) -> VocabularyList:
    """Change a list's own fields and add *rows* to it.

    If the language, the digraph setting or the rules for playing forms change, all terms are cut
    into tiles again.
    """
    vocabulary_list = hold(vocabulary_list)
    cutting = ("language", "uses_digraphs", "playing_rules")
    needs_cutting = any(
        name in changes and changes[name] != getattr(vocabulary_list, name) for name in cutting
    )
    if "title" in changes:
        changes["title"] = normal_form(changes["title"])
    for name, value in changes.items():
        setattr(vocabulary_list, name, value)
    vocabulary_list.full_clean(exclude=["school"])
    vocabulary_list.save(update_fields=[*changes, "updated_at"])
    if needs_cutting:
        if "language" in changes:  # the old language's accent does not apply to the new one
            vocabulary_list.accent = ""
            vocabulary_list.save(update_fields=["accent"])
        entries = list(vocabulary_list.entries.all())
        for entry in entries:
            entry.vocabulary_list = vocabulary_list
            entry.set_term(entry.term)
        Entry.objects.bulk_update(entries, ["tiles", "answers"], batch_size=500)
        sounds.request_sounds(vocabulary_list=vocabulary_list)
    write_rows(vocabulary_list=vocabulary_list, rows=rows)
    return vocabulary_list
