"""HTTP API of the game on the first page: that of guests, for everybody."""

from __future__ import annotations

from puzzles.guests import api as guests
from puzzles.guests.services import GuestPuzzle
from puzzles.trial.services import trial_puzzle


class TrialView(guests.GuestView):
    """Base of the views of the trial, which asks nobody who they are."""

    authentication_classes = ()

    def guest_puzzle(self) -> GuestPuzzle:
        return trial_puzzle()


class TrialStateView(TrialView, guests.GuestStateView):
    pass


class TrialMoveView(TrialView, guests.GuestMoveView):
    pass


class TrialHintView(TrialView, guests.GuestHintView):
    pass


class TrialFinishView(TrialView, guests.GuestFinishView):
    pass
