"""The lists in the bin."""

from __future__ import annotations

from django.db.models import Q, QuerySet
from django.utils.translation import gettext_lazy as _

from osmosmjerka.accounts.bin import services as bin
from osmosmjerka.accounts.models import User
from vocab import access
from vocab.models import VocabularyList
from vocab.purge import purge_list
from vocab.sounds import services as sounds


def register() -> None:
    bin.register(
        bin.BinSection(
            name="lists",
            label=_("Lists"),
            model=VocabularyList,
            rows=_lists,
            bring_back=_bring_back,
            erase=purge_list,
            remaining=Q(purged_at=None),
        )
    )


def _lists(person: User) -> QuerySet[VocabularyList]:
    return access.vocabulary_lists(person, "delete", is_binned=True)


def _bring_back(vocabulary_list: VocabularyList, actor: User) -> None:
    # Sounds are created for lists that somebody can see.
    sounds.request_sounds(vocabulary_list=vocabulary_list)
