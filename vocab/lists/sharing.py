"""Share lists with teachers by name, and copy lists."""

from __future__ import annotations

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils.translation import gettext as _

from osmosmjerka.accounts.models import User
from osmosmjerka.accounts.selectors import by_name
from vocab.models import Entry, Share, VocabularyList
from vocab.rows import convert
from vocab.rows.write import write_translations
from vocab.sounds import services as sounds


def teacher_named(username: str) -> User:
    """Return the teacher with this username.

    Raises ValidationError; for a student's and for an unknown username alike, so as not to reveal
    who has an account.
    """
    name = username.strip()
    found = User.objects.filter(username=name, is_active=True).first()
    if found is None or not found.is_teacher:
        raise ValidationError(
            _("There is no teacher with the username “%(name)s”.") % {"name": name}
        )
    return found


@transaction.atomic
def share_list(*, vocabulary_list: VocabularyList, teacher: User, may_edit: bool) -> Share:
    """Let a teacher see the list, or edit it too. Sharing again changes the permission."""
    if not teacher.is_active or not teacher.is_teacher:
        raise ValidationError(_("Lists can only be shared with teachers."))
    if teacher.pk == vocabulary_list.owner_id:
        raise ValidationError(_("This teacher already owns the list."))
    share, _created = Share.objects.update_or_create(
        vocabulary_list=vocabulary_list, teacher=teacher, defaults={"may_edit": may_edit}
    )
    return share


def unshare_list(*, vocabulary_list: VocabularyList, teacher_pk: int) -> None:
    """Stop sharing a list with one teacher."""
    Share.objects.filter(vocabulary_list=vocabulary_list, teacher=teacher_pk).delete()


def shares_by_name(vocabulary_list: VocabularyList) -> list[Share]:
    """Return the shares of the list, sorted by the teachers' names."""
    key = by_name()
    return sorted(
        vocabulary_list.shares.select_related("teacher"), key=lambda share: key(share.teacher)
    )


@transaction.atomic
def copy_list(*, original: VocabularyList, owner: User) -> VocabularyList:
    """Create a private copy that remembers its original, for `imports.start_pull`."""
    copy = VocabularyList.objects.create(
        owner=owner,
        school=owner.school,
        title=original.title,
        description=original.description,
        language=original.language,
        translation_languages=original.translation_languages,
        uses_digraphs=original.uses_digraphs,
        playing_rules=original.playing_rules,
        accents=original.accents,
        voice_engine=original.voice_engine,
        accent=original.accent,
        is_spoken_slowly=original.is_spoken_slowly,
        copied_from=original,
    )
    sources = list(convert.entries_of(original))
    entries = []
    for source in sources:
        state = {name: getattr(source, name) for name in convert.FIELDS}
        state["original"] = convert.row_of(source).as_json()
        entries.append(Entry(vocabulary_list=copy, **state))
    Entry.objects.bulk_create(entries, batch_size=500)
    write_translations(
        {
            entry.pk: [
                (text.language, text.text, text.position) for text in source.translations.all()
            ]
            for entry, source in zip(entries, sources, strict=True)
        },
        replacing=[],
    )
    sounds.request_sounds(vocabulary_list=copy)
    return copy
