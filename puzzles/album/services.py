"""A list that is complete: told once, when a student knows all of its words for the first time."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from osmosmjerka.accounts.models import User
from puzzles.album.looks import Place
from puzzles.album.selectors import Strip, strip_of
from puzzles.models import CompleteList
from vocab.memory.card import Level
from vocab.models import VocabularyList

# All words are known, and all have been for months.
LEVELS = (Level.DAYS, Level.MONTHS)
# With fewer words, it is soon done.
FEWEST = 5


@dataclass(frozen=True, slots=True)
class Completed:
    """A list whose words are all known at a level, for the first time."""

    strip: Strip
    level: Level


def newly_complete(
    student: User, albums: Iterable[tuple[VocabularyList, Sequence[Place]]]
) -> list[Completed]:
    """Return which lists the student has just completed, and remember that they were told.

    Each list comes with its places. A word that slips is not known now, whatever it was at best. A
    list of which a word must not be told now has to wait: the place of such a word is empty.
    """
    reached = [
        (one, places, min(place.level for place in places))
        for one, places in albums
        if len(places) >= FEWEST
    ]
    reached = [one for one in reached if one[2] >= LEVELS[0]]
    if not reached:
        return []
    rows = CompleteList.objects.filter(
        student=student, vocabulary_list__in=[one for one, *_rest in reached]
    )
    told = set(rows.values_list("vocabulary_list", "level"))
    found, new = [], []
    for one, places, least in reached:
        fresh = [level for level in LEVELS if level <= least and (one.pk, level) not in told]
        if fresh:
            found.append(Completed(strip_of(one, places), fresh[-1]))
        new += [CompleteList(student=student, vocabulary_list=one, level=level) for level in fresh]
    CompleteList.objects.bulk_create(new, ignore_conflicts=True)
    return found
