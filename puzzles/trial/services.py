"""Play the trial: the state of one visitor's game comes with each request and goes back with it.

Nothing is in the database, so there is nothing to lock and nothing to delete. The game itself is
the same as any other: the kinds judge it, and `play.selectors` say what the visitor may know.
"""

from __future__ import annotations

import json
import uuid
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cache
from pathlib import Path
from typing import Any

from django.utils import timezone
from django.utils.translation import gettext as _

from puzzles.generators.grid import Cell
from puzzles.kinds import KINDS
from puzzles.kinds.base import MoveRefused, SentMove, cells_of
from puzzles.models import Move, Placement, PlaySession, Puzzle
from puzzles.play.games import Game, Played
from puzzles.play.services import Answer, SessionFinished
from vocab.lists.samples import sample_rows, suggested_translation
from vocab.models import VocabularyList

LANGUAGE = "es"  # has an everyday word in every language of the interface, and is none of them
# Drawn by `make_puzzle word-search WORDS --size 8 --seed 1 --language es --format json`.
_FILE = Path(__file__).with_name("puzzle.json")
_SESSION = uuid.uuid5(uuid.NAMESPACE_OID, "osmosmjerka.trial")


@dataclass(frozen=True, slots=True)
class Trial:
    """What a visitor has done: slots of words by outcome, and when the game began and ended."""

    started_at: datetime
    outcomes: dict[str, str]
    finished_at: datetime | None = None


def begin() -> Trial:
    return Trial(timezone.now(), {})


@cache
def _stored() -> dict[str, Any]:
    stored: dict[str, Any] = json.loads(_FILE.read_text(encoding="utf-8"))
    return stored


def game_of(trial: Trial) -> Game:
    """Return the trial as a game, with clues in the reader's language; nothing in it is saved."""
    stored, meanings = _stored(), suggested_translation()
    vocabulary_list = VocabularyList(language=LANGUAGE, translation_languages=[meanings])
    kind = KINDS[stored["kind"]]
    puzzle = Puzzle(
        code="trial",
        kind=kind.slug,
        title=_("First words"),
        vocabulary_list=vocabulary_list,
        settings=kind.default_settings(),
        grid=stored["grid"],
        state=Puzzle.State.READY,
    )
    translations = {row.term: row.translations[meanings] for row in sample_rows(LANGUAGE, meanings)}
    words = tuple(
        Placement(
            pk=number,
            puzzle=puzzle,
            slot=str(number),
            position=number,
            term=placed["word"],
            translations=translations[placed["word"]],
            tiles=[stored["grid"][row][col] for row, col in placed["cells"]],
            cells=placed["cells"],
        )
        for number, placed in enumerate(stored["placements"])
    )
    session = PlaySession(
        pk=_SESSION, puzzle=puzzle, started_at=trial.started_at, finished_at=trial.finished_at
    )
    moves = [
        Played(int(slot), uuid.uuid4(), outcome, {}, trial.started_at)
        for slot, outcome in trial.outcomes.items()
    ]
    return Game(session, words, moves, _speakable=set())


def try_move(trial: Trial, cells: Sequence[Cell] | None) -> tuple[Trial, Answer]:
    """Judge a move. Raises MoveRefused and SessionFinished as `play.services.record_move` does."""
    game = game_of(trial)
    if game.is_over:
        raise SessionFinished
    move = SentMove(cells=tuple(cells) if cells else None)
    word = game.kind.judge(move, game.left_first, game.puzzle).placement
    if word is None:
        return trial, Answer("wrong", game)
    if word.pk in game.solved:
        return trial, Answer("already", game, word)
    trial = _with(trial, word, Move.Outcome.FOUND)
    return trial, Answer("found", game_of(trial), word)


def show_word(trial: Trial, slot: str, kind: str) -> tuple[Trial, Game, Placement, Sequence[Cell]]:
    """Show where a word begins, or with the kind "word" all of it, which solves it."""
    game = game_of(trial)
    if game.is_over:
        raise SessionFinished
    word = game.word_in(slot)
    if word is None:
        raise MoveRefused(_("Choose a word of this puzzle first."))
    if kind != "word":
        return trial, game, word, cells_of(word)[:1]
    if word.pk not in game.solved:
        trial = _with(trial, word, Move.Outcome.REVEALED)
    return trial, game_of(trial), word, cells_of(word)


def finish(trial: Trial) -> Trial:
    return trial if trial.finished_at else replace(trial, finished_at=timezone.now())


def _with(trial: Trial, word: Placement, outcome: str) -> Trial:
    outcomes = trial.outcomes | {word.slot: str(outcome)}
    trial = replace(trial, outcomes=outcomes)
    return finish(trial) if len(outcomes) == len(_stored()["placements"]) else trial
