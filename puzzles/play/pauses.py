"""How long somebody played, without pauses. Pure."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta

# Between two moves, more than this is no play: the student went on later.
PAUSE = timedelta(minutes=3)


def time_played(began: datetime, moves: Iterable[datetime]) -> timedelta:
    """Return the time from *began* to the last of *moves*, counting of each pause PAUSE at most."""
    spent, last = timedelta(), began
    for at in sorted(moves):
        if at > last:
            spent += min(at - last, PAUSE)
            last = at
    return spent
