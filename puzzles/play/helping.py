"""Which words of a game were solved with help, counted alike on all pages and in all files."""

from __future__ import annotations

from django.db.models import Exists, OuterRef, Q

from puzzles.models import Move

HELPS = (Move.Outcome.HINT, Move.Outcome.REVEALED)


def is_found(session: str, placement: str) -> Exists:
    """Return the condition that a word was found in a game, by the names of both in the query."""
    found = Move.objects.filter(outcome=Move.Outcome.FOUND)
    return Exists(found.filter(session=OuterRef(session), placement=OuterRef(placement)))


def is_help(of_move: str = "") -> Q:
    """Return the condition that a move helped with its word."""
    return Q(**{f"{of_move}outcome__in": HELPS})


def words_with_help(
    *, is_finished: bool, total: int, found: int, helped: int, found_with_help: int
) -> int:
    """Return how many words took a hint or were shown, each once.

    *helped* are those that moves helped with, *found_with_help* such of them as were found. Once a
    game is finished, every word that was not found has been shown, of which there is no move.
    """
    return total - found + found_with_help if is_finished else helped
