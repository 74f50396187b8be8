"""What is done with vocabulary: the only way in for pages, API, tasks and commands."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import Max
from django.utils.translation import gettext as _

from osmosmjerka.accounts.models import User
from vocab import sounds
from vocab.formats.rows import Row
from vocab.models import Entry, Translation, VocabularyList
from vocab.progress import review as review
from vocab.text import match_key, normal_form, search_key


@dataclass(frozen=True, slots=True)
class Written:
    """What became of the rows that were written to a list."""

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
    )
    vocabulary_list.full_clean(exclude=["school"])
    vocabulary_list.save()
    write_rows(vocabulary_list=vocabulary_list, rows=rows)
    return vocabulary_list


@transaction.atomic
def write_rows(*, vocabulary_list: VocabularyList, rows: Iterable[Row]) -> Written:
    """Write parsed rows to a list: a term that is there gains what is new, others are added.

    Translations without a language get the list's first. Raises ValidationError that names the
    line for a term that cannot be stored.
    """
    vocabulary_list = VocabularyList.objects.select_for_update().get(pk=vocabulary_list.pk)
    default_language = (vocabulary_list.translation_languages or ["und"])[0]
    existing = {entry.key: entry for entry in vocabulary_list.entries.all()}
    last = vocabulary_list.entries.aggregate(last=Max("position"))["last"] or 0
    new: dict[str, Entry] = {}
    updated: set[str] = set()
    wanted: list[tuple[str, str, str]] = []
    for row in rows:
        check_lengths(row)
        term = normal_form(row.term)
        key = match_key(term)
        if key in existing:
            updated.add(key)
        elif key not in new:
            last += 1
            entry = Entry(
                vocabulary_list=vocabulary_list,
                position=last,
                part_of_speech=row.part_of_speech,
                pronunciation=row.pronunciation,
                example=row.example,
                example_translation=row.example_translation,
                hint=row.hint,
                note=row.note,
                tags=list(row.tags),
                extra=dict(row.extra),
            )
            entry.set_term(term)
            entry.set_search(())
            new[key] = entry
        for language, texts in row.translations.items():
            wanted += [(key, language or default_language, normal_form(text)) for text in texts]
    by_key = existing | new
    for key, words in _words_by_key(wanted).items():
        entry = by_key[key]
        entry.search = search_key(f"{entry.search or entry.term} {words}")
    Entry.objects.bulk_create(new.values(), batch_size=500)
    touched = [existing[key] for key in updated]
    for entry in touched:
        entry.version += 1
    Entry.objects.bulk_update(touched, ["search", "version"], batch_size=500)
    known = Counter(
        Translation.objects.filter(entry__in=[existing[key].pk for key in updated]).values_list(
            "entry__key", flat=True
        )
    )
    translations = []
    for key, language, text in dict.fromkeys(wanted):
        if text:
            translations.append(
                Translation(entry=by_key[key], language=language, text=text, position=known[key])
            )
            known[key] += 1
    Translation.objects.bulk_create(translations, batch_size=500, ignore_conflicts=True)
    vocabulary_list.save(update_fields=["updated_at"])
    if new:
        sounds.request_sounds(vocabulary_list=vocabulary_list)
    return Written(added=len(new), updated=len(updated))


def _words_by_key(wanted: Iterable[tuple[str, str, str]]) -> dict[str, str]:
    words: dict[str, str] = {}
    for key, _language, text in wanted:
        words[key] = f"{words.get(key, '')} {text}"
    return words


def check_lengths(row: Row) -> None:
    """Refuse what the database cannot hold; raise ValidationError with the line and the limit."""
    texts = [text for texts in row.translations.values() for text in texts]
    limits = [
        (_("the term"), row.term, 300),
        (_("the part of speech"), row.part_of_speech, 60),
        (_("the pronunciation"), row.pronunciation, 300),
        *((_("a translation"), text, 500) for text in texts),
    ]
    if not normal_form(row.term):
        raise ValidationError(_("Line %(line)s: there is no term.") % {"line": row.line})
    for name, text, limit in limits:
        if len(normal_form(text)) > limit:
            raise ValidationError(
                _("Line %(line)s: %(name)s is longer than %(limit)s characters.")
                % {"line": row.line, "name": name, "limit": limit}
            )


def delete_list(*, vocabulary_list: VocabularyList) -> None:
    """Delete a list with what was made of it and played.

    Raises ValidationError as long as other teachers have puzzles of it: those are theirs.
    """
    others = vocabulary_list.puzzles.filter(
        created_by__role__in=[User.Role.TEACHER, User.Role.SCHOOL_ADMIN]
    ).exclude(created_by=vocabulary_list.owner)
    if others.exists():
        raise ValidationError(
            _(
                "Other teachers have made puzzles of this list, so it stays. Make it private"
                " instead: then nobody makes new ones."
            )
        )
    vocabulary_list.delete()


@transaction.atomic
def update_list(
    *, vocabulary_list: VocabularyList, rows: Iterable[Row] = (), **changes: Any
) -> VocabularyList:
    """Change a list's own fields and add *rows* to it.

    A new language, or other digraphs, cut the tiles anew.
    """
    vocabulary_list = VocabularyList.objects.select_for_update().get(pk=vocabulary_list.pk)
    cutting = ("language", "uses_digraphs")
    needs_cutting = any(
        name in changes and changes[name] != getattr(vocabulary_list, name) for name in cutting
    )
    if "title" in changes:
        changes["title"] = normal_form(changes["title"])
    for name, value in changes.items():
        setattr(vocabulary_list, name, value)
    vocabulary_list.full_clean(exclude=["school"])
    vocabulary_list.save()
    if needs_cutting:
        # An accent of the old language says nothing of the new one.
        vocabulary_list.accent = ""
        vocabulary_list.save(update_fields=["accent"])
        entries = list(vocabulary_list.entries.all())
        for entry in entries:
            entry.vocabulary_list = vocabulary_list
            entry.set_term(entry.term)
        Entry.objects.bulk_update(entries, ["tiles"], batch_size=500)
        sounds.request_sounds(vocabulary_list=vocabulary_list)
    write_rows(vocabulary_list=vocabulary_list, rows=rows)
    return vocabulary_list
