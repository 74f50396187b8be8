"""Merge what two accounts of a student know: move the reviews, rebuild the summaries."""

from __future__ import annotations

from osmosmjerka.accounts.models import User
from osmosmjerka.accounts.privacy.services import MovedRows, give, give_back
from vocab.memory import reviews
from vocab.models import Review, VocabularyList


def merge(kept: User, gone: User) -> MovedRows:
    """Give *kept* everything that *gone* remembers."""
    given = {
        "reviews": give(Review, "student", gone, kept),
        "lists": give(VocabularyList, "owner", gone, kept),
    }
    _remember_again(kept, gone)
    return given


def split(kept: User, gone: User, given: MovedRows) -> None:
    """Give *gone* back what it remembered."""
    give_back(Review, "student", given["reviews"], gone, kept)
    give_back(VocabularyList, "owner", given["lists"], gone, kept)
    _remember_again(kept, gone)


def _remember_again(*people: User) -> None:
    for person in people:
        reviews.replay(student=person)
