"""Change what a school blocks: its own words, and whether the strong words are among them."""

from __future__ import annotations

from collections.abc import Iterable

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils.translation import gettext as _

from osmosmjerka.accounts import audit
from osmosmjerka.accounts.models import School, User
from vocab.models import BlockedWord
from vocab.text import normal_form, search_key, tiles

# Each word is looked for in every grid, in eight directions.
MOST_WORDS = 300
_LONGEST = 100


@transaction.atomic
def block_words(*, school: School, actor: User, words: Iterable[str]) -> list[BlockedWord]:
    """Add *words* to those that a school blocks; skip those that it blocks already.

    Returns the words that were added. Raises ValidationError, and adds none, if one of them has a
    single letter or is too long, or if they are too many.
    """
    # Locked, so that a form that is sent twice adds each word once.
    School.objects.select_for_update().get(pk=school.pk)
    stored = set(school.blocked_words.values_list("key", flat=True))
    wanted: dict[str, str] = {}
    for text in words:
        if word := " ".join(normal_form(text).split()):
            _check(word)
            wanted.setdefault(search_key(word), word)
    added = [
        BlockedWord(school=school, word=wanted[key], key=key) for key in wanted.keys() - stored
    ]
    if len(stored) + len(added) > MOST_WORDS:
        raise ValidationError(
            _("A school can block at most %(most)s words. Remove some first."),
            params={"most": MOST_WORDS},
        )
    if added:
        BlockedWord.objects.bulk_create(added)
        audit.record(actor, "changed blocked words", school, added=len(added))
    return added


def _check(word: str) -> None:
    if len(tiles(word)) < 2:
        raise ValidationError(
            _("“%(word)s” has fewer than two letters. Block whole words."), params={"word": word}
        )
    if len(word) > _LONGEST:
        raise ValidationError(
            _("“%(word)s…” is too long: a blocked word has at most %(most)s characters."),
            params={"word": word[:20], "most": _LONGEST},
        )


@transaction.atomic
def unblock_word(*, word: BlockedWord, actor: User) -> None:
    """Remove a word from those that its school blocks."""
    school = word.school
    if school is None:
        raise ValueError("Only site admins change the words that all schools block")
    word.delete()
    audit.record(actor, "changed blocked words", school, removed=1)


@transaction.atomic
def block_strong_words(*, school: School, actor: User, is_on: bool) -> None:
    """Switch the strong words that are shipped on or off for a school."""
    school.blocks_strong_words = is_on
    school.save(update_fields=["blocks_strong_words"])
    audit.record(actor, "changed blocked words", school, strong=int(is_on))
