"""Vocabulary lists: create, change, delete, add rows; for pages, API, tasks and commands."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import Exists, F, OuterRef, Q
from django.utils.translation import get_language, ngettext
from django.utils.translation import gettext as _

from osmosmjerka.accounts.bin import services as bin
from osmosmjerka.accounts.models import User
from osmosmjerka.web import edit_conflicts
from vocab.formats.rows import Row
from vocab.lists import samples
from vocab.models import Entry, Translation, VocabularyList
from vocab.rows import convert, plan
from vocab.rows.write import cut_again, hold, languages_with, write_planned
from vocab.sentences import label_of, said
from vocab.sounds import services as sounds
from vocab.text import language_name, match_key, normal_form
from vocab.text_fields import LONGEST_TAG, LONGEST_TERM, LONGEST_TRANSLATION, TEXT_FIELDS

# Up to this many rows, only entries with their ids or terms are read, not the whole list.
_FEW = 300
MOST_TAGS = 20


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
    tags: Sequence[str] = (),
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
        tags=tidy_tags(tags),
    )
    vocabulary_list.full_clean(exclude=["school"])
    vocabulary_list.save()
    write_rows(vocabulary_list=vocabulary_list, rows=rows)
    return vocabulary_list


def copy_sample(*, owner: User, language: str, translation_language: str) -> VocabularyList:
    """Create a list of the owner's own with the sample words of two languages.

    Its title is in the reader's language, and names the language of the words. Raises
    ValidationError if there are no such words.
    """
    try:
        rows = samples.sample_rows(language, translation_language)
    except ValueError as error:
        raise ValidationError(_("There is no sample list for these languages.")) from error
    return create_list(
        owner=owner,
        title=_("First words: %(language)s")
        % {"language": language_name(language, get_language() or "en")},
        language=language,
        translation_languages=[translation_language],
        rows=rows,
    )


@transaction.atomic
def write_rows(*, vocabulary_list: VocabularyList, rows: Iterable[Row]) -> None:
    """Write parsed rows to a list: existing terms gain what is new, other terms are added.

    No data of a row is dropped. Translations without a language get the list's first. Raises
    ValidationError that names the line of a term that cannot be stored.
    """
    given, vocabulary_list = vocabulary_list, hold(vocabulary_list)
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
    write_planned(vocabulary_list, todo, {})
    languages = languages_with(vocabulary_list, todo)
    given.translation_languages = vocabulary_list.translation_languages = languages
    vocabulary_list.save(update_fields=["translation_languages", "updated_at"])
    if todo:
        sounds.request_sounds(vocabulary_list=vocabulary_list)


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
        (_("Word"), row.term, LONGEST_TERM),
        *(
            (label_of(field), getattr(row, field.name), field.max_length)
            for field in TEXT_FIELDS
            if field.max_length
        ),
        *((_("Translation"), text, LONGEST_TRANSLATION) for text in texts),
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
        daily=None,  # it is a class's, and goes with the list
        created_by__role__in=[User.Role.TEACHER, User.Role.SCHOOL_ADMIN],
    ).exclude(created_by=vocabulary_list.owner)
    if others.exists():
        raise ValidationError(
            _(
                "Other teachers have created puzzles from this list, so it cannot be deleted. "
                "Make it private instead, so that nobody can create new ones."
            )
        )
    bin.put(vocabulary_list, actor)


class ListConflict(Exception):
    """Somebody else changed the same `fields` of the list meanwhile; `vocabulary_list` has them."""

    def __init__(self, vocabulary_list: VocabularyList, fields: set[str]) -> None:
        super().__init__(_("Someone else changed these settings while you were editing them."))
        self.vocabulary_list = vocabulary_list
        self.fields = fields


@transaction.atomic
def update_list(
    *,
    vocabulary_list: VocabularyList,
    rows: Iterable[Row] = (),
    shown: Mapping[str, Any] | None = None,
    **changes: Any,
) -> VocabularyList:
    """Change a list's own fields and add *rows* to it.

    If the language, the digraph setting or the rules for playing forms change, all terms are cut
    into tiles again. If the language of the translations changes, they are in the new one; in
    `translation_languages`, an empty text takes out the language in whose place it is. Puzzles
    that exist stay as they are, and so does what students learned.

    *shown* are the values that the changes started from: raises ListConflict if somebody else has
    changed one of these fields since. Languages that two people add both stay.

    Raises ValidationError for a language that is in the list twice, and for one that is taken out
    although there are translations in it.
    """
    vocabulary_list = hold(vocabulary_list)
    before = vocabulary_list.translation_languages
    # By place, for what became of each language; empty where one is taken out.
    places: Sequence[str] = before
    if "translation_languages" in changes:
        started = before if shown is None else shown.get("translation_languages", before)
        places = changes["translation_languages"]
        if (rebased := _rebased(places, started, before)) is not None:
            places = rebased
            shown = None if shown is None else {**shown, "translation_languages": before}
        changes["translation_languages"] = [tag for tag in places if tag]
        _check_once(changes["translation_languages"])
    if "title" in changes:
        changes["title"] = normal_form(changes["title"])
    if "tags" in changes:
        changes["tags"] = tidy_tags(changes["tags"])
    now = {name: getattr(vocabulary_list, name) for name in changes}
    if shown is not None and (both := edit_conflicts.both_changed(changes, shown, now)):
        raise ListConflict(vocabulary_list, both)
    is_changed = {name for name, value in changes.items() if value != now[name]}
    for name, value in changes.items():
        setattr(vocabulary_list, name, value)
    vocabulary_list.full_clean(exclude=["school"])
    vocabulary_list.save(update_fields=[*changes, "updated_at"])
    is_renamed = "translation_languages" in is_changed and _rename_translations(
        vocabulary_list, before, places
    )
    if "language" in is_changed:
        sounds.follow_language(vocabulary_list=vocabulary_list)
    if is_changed & {"language", "uses_digraphs", "playing_rules"}:
        # Of deleted words too.
        cut_again(vocabulary_list, Entry.everything.filter(vocabulary_list=vocabulary_list))
        sounds.request_sounds(vocabulary_list=vocabulary_list)
    if is_renamed or "language" in is_changed:
        # What was planned or stored for undoing before does not fit these words any more.
        Entry.everything.filter(vocabulary_list=vocabulary_list).update(version=F("version") + 1)
    write_rows(vocabulary_list=vocabulary_list, rows=rows)
    return vocabulary_list


def _rebased(
    wanted: Sequence[str], started: Sequence[str], now: Sequence[str]
) -> Sequence[str] | None:
    """Return the languages of *now* with the changes from *started* to *wanted*, by place.

    Returns None if somebody else has changed one that was to be changed.
    """
    if list(now) == list(started):
        return wanted
    changed = {old: new for old, new in zip(started, wanted, strict=False) if old != new}
    if any(old not in now and new and new not in now for old, new in changed.items()):
        return None
    added = [tag for tag in wanted[len(started) :] if tag not in now]
    return [*(changed.get(tag, tag) for tag in now), *added]


def _check_once(languages: Sequence[str]) -> None:
    if not languages:
        raise ValidationError(
            _("A list needs a language for its translations. Choose at least one.")
        )
    for place, tag in enumerate(languages):
        if tag in languages[:place]:
            name = language_name(tag, get_language() or "en")
            raise ValidationError(_("The list already has %(language)s.") % {"language": name})


def _rename_translations(
    vocabulary_list: VocabularyList, before: Sequence[str], places: Sequence[str]
) -> bool:
    """Let translations be in the language that took the place of theirs; return if one did.

    One that was added to the list or moved takes nobody's place. Raises ValidationError if there
    are translations in a language that was taken out.
    """
    after = vocabulary_list.translation_languages
    texts = Translation.objects.filter(entry__vocabulary_list=vocabulary_list)
    renamed = {
        old: new
        for old, new in zip(before, places, strict=False)
        if new and old not in after and new not in before
    }
    for old in before:
        if old not in after and old not in renamed and old in languages_in_use(vocabulary_list):
            name = language_name(old, get_language() or "en")
            raise ValidationError(
                _(
                    "There are translations in %(language)s, so it stays a language of the list. "
                    "Delete these translations first."
                )
                % {"language": name}
            )
    for old, new in renamed.items():
        same = Translation.objects.filter(
            entry=OuterRef("entry"), language=new, text=OuterRef("text")
        )
        texts.filter(Exists(same), language=old).delete()
        texts.filter(language=old).update(language=new)
    return bool(renamed)


def languages_in_use(vocabulary_list: VocabularyList) -> set[str]:
    """Return the languages that translations of the list's words are in."""
    texts = Translation.objects.filter(
        entry__vocabulary_list=vocabulary_list, entry__deleted_at=None
    )
    return set(texts.order_by().values_list("language", flat=True).distinct())


def tidy_tags(tags: Iterable[str]) -> list[str]:
    """Return tags in their normal form, each once; raise ValidationError for one too long."""
    # The first spelling of a tag stays.
    tidy = {tag.casefold(): tag for tag in reversed([normal_form(tag) for tag in tags]) if tag}
    for tag in tidy.values():
        if len(tag) > LONGEST_TAG:
            raise ValidationError(
                ngettext(
                    "A tag can have at most %(limit)s character.",
                    "A tag can have at most %(limit)s characters.",
                    LONGEST_TAG,
                )
                % {"limit": LONGEST_TAG}
            )
    if len(tidy) > MOST_TAGS:
        raise ValidationError(
            ngettext(
                "A list can have at most %(count)s tag.",
                "A list can have at most %(count)s tags.",
                MOST_TAGS,
            )
            % {"count": MOST_TAGS}
        )
    return list(reversed(tidy.values()))
