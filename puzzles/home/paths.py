"""The path of a list: its words are seen, heard and typed, with up to three stars for each.

The stars are read from the games that were played, so that none can be lost, bought or given.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

from django.db.models import Min

from osmosmjerka.accounts.models import User
from puzzles.kinds import KINDS, Kind
from puzzles.models import Move, PlaySession
from puzzles.practice import plan
from vocab.models import VocabularyList

# Long enough that what is right again was remembered, not just seen.
LATER = timedelta(days=7)


class Star(StrEnum):
    """What a star is for."""

    UNAIDED = "unaided"
    ALL_WORDS = "all words"
    AFTER_A_WEEK = "after a week"


@dataclass(frozen=True, slots=True)
class Played:
    """A game that is over; *is_unaided* if all of its words were found without help."""

    at: datetime
    is_unaided: bool


@dataclass(frozen=True, slots=True)
class Step:
    """One kind of puzzle on the path of a list, with its stars."""

    kind: Kind
    stars: Collection[Star]
    is_next: bool

    @property
    def all_stars(self) -> list[tuple[Star, bool]]:
        """Each star with whether it was earned."""
        return [(star, star in self.stars) for star in Star]


def stars_of(
    games: Sequence[Played], words: Mapping[int, datetime], found: Mapping[int, datetime]
) -> set[Star]:
    """Return the stars for games of one kind and list.

    *words* are the words of the list that the kind can ask, with when each was added; *found* says
    when each was found first. A word that was added after the last game takes no star away.
    """
    earned = set()
    if any(game.is_unaided for game in games):
        earned.add(Star.UNAIDED)
    if any(_has_all(game.at, words, found) for game in games):
        earned.add(Star.ALL_WORDS)
    first = min((game.at for game in games), default=None)
    if first and any(game.is_unaided and game.at >= first + LATER for game in games):
        earned.add(Star.AFTER_A_WEEK)
    return earned


def _has_all(at: datetime, words: Mapping[int, datetime], found: Mapping[int, datetime]) -> bool:
    there = [word for word, added_at in words.items() if added_at <= at]
    return bool(there) and all(word in found and found[word] <= at for word in there)


def path_of(student: User, vocabulary_list: VocabularyList) -> list[Step]:
    """Return the steps of a list for a student, as a beginner takes them.

    A kind that can ask too few of the words is no step. The next step is the first without a star,
    or else the first without all of them.
    """
    games: dict[str, list[Played]] = {}
    for kind, at, is_unaided in PlaySession.objects.filter(
        student=student, puzzle__vocabulary_list=vocabulary_list, finished_at__isnull=False
    ).values_list("puzzle__kind", "finished_at", "is_unaided"):
        if at is not None:
            games.setdefault(kind, []).append(Played(at, is_unaided))
    found: dict[str, dict[int, datetime]] = {}
    for kind, entry, at in (
        Move.objects.filter(
            session__student=student,
            placement__entry__vocabulary_list=vocabulary_list,
            outcome=Move.Outcome.FOUND,
        )
        .order_by()
        .values_list("session__puzzle__kind", "placement__entry")
        .annotate(first_at=Min("at"))
    ):
        found.setdefault(kind, {})[entry] = at
    entries = vocabulary_list.entries.prefetch_related("translations")
    earned = {}
    for slug, of_kind in KINDS.items():
        words = {entry.pk: entry.created_at for entry in plan.askable(slug, entries)}
        if len(words) >= of_kind.fewest_words:
            earned[slug] = stars_of(games.get(slug, []), words, found.get(slug, {}))
    following = next(
        (slug for few in (0, len(Star) - 1) for slug in earned if len(earned[slug]) <= few), None
    )
    return [Step(KINDS[slug], stars, slug == following) for slug, stars in earned.items()]
