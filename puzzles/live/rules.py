"""Rules of a class game: teams, whose word it is, points, how often devices ask.

Players and slots are any texts that name them; nothing here is stored.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from datetime import timedelta
from random import Random
from typing import TypeVar

Player = TypeVar("Player")

MOST_TEAMS = 8
MOST_PLAYERS = 60
# Whose device has not asked for so long is away: a tablet that sleeps, a child that left.
HERE_FOR = timedelta(seconds=45)
# Nobody comes back to a game that was opened, or ended, longer ago than this.
OPEN_FOR = timedelta(hours=24)
# In Listen, whoever finds a word within this part of its time gets both points, later one.
EARLY = 0.5
MOST_POINTS_A_ROUND = 10
# After so many wrong answers to a word that a player holds alone, the next player gets it.
WRONG_BEFORE_PASSED = 2

ASK_AFTER = 1000  # ms, and later once all devices together would ask more than so often a second
MOST_QUESTIONS = 125


def ask_after(devices: int) -> int:
    """Return after how many ms a device asks again, one of so many that a process answers."""
    return max(ASK_AFTER, 1000 * devices // MOST_QUESTIONS)


def smallest_team(teams: Iterable[int], count: int) -> int:
    """Return the team, from 1 to *count*, with the fewest players; *teams* has each player's."""
    sizes = Counter(teams)
    return min(range(1, count + 1), key=lambda team: (sizes[team], team))


def dealt(players: Sequence[Player], count: int, rng: Random) -> dict[Player, int]:
    """Return new teams, from 1 to *count*, whose sizes differ by one at most."""
    shuffled = rng.sample(players, len(players))
    return {player: index % count + 1 for index, player in enumerate(shuffled)}


def holder(slot: str, players: Collection[str], passed: int) -> str | None:
    """Return who answers for a slot that was *passed* on so often; None if nobody is here.

    By highest random weight (Thaler and Ravishankar, 1996): a player who comes or goes moves their
    own share and no other.
    """
    if not players:
        return None
    ranked = sorted(players, key=lambda player: _weight(slot, player))
    return ranked[passed % len(ranked)]


def _weight(slot: str, player: str) -> bytes:
    return hashlib.blake2b(f"{slot} {player}".encode(), digest_size=8).digest()


def in_order(slots: Sequence[str], code: str) -> list[str]:
    """Return the slots in the order in which the game with this code asks them."""
    return Random(code).sample(slots, len(slots))


def round_points(early: int, late: int, members: int) -> int:
    """Return a team's points for a word that so many of its *members* found.

    It is their share, so that a team need not be large, and a slow child counts as much as a quick
    one in the second half of the time.
    """
    if not members:
        return 0
    return round(MOST_POINTS_A_ROUND * (2 * early + late) / (2 * members))
