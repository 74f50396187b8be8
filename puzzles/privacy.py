"""Declare which puzzle models contain personal data, and what of it a player may not see yet."""

from __future__ import annotations

from osmosmjerka.accounts.privacy.services import declare, hold_back
from puzzles import untold


def declare_models() -> None:
    declare("puzzles.Move", person="session__student", also=("placement__term",))
    declare("puzzles.PlaySession", person="student", also=("puzzle__title",))
    declare("puzzles.Assignment", person="created_by", also=("classroom__name",))
    declare("puzzles.Puzzle", person="created_by")
    declare("puzzles.CrosswordSearch", person="created_by")
    declare("puzzles.Nickname", person="student", also=("classroom__name",))
    declare("puzzles.OwnGoal", person="student")
    declare("puzzles.ClassGoal", person="created_by", also=("classroom__name",))
    declare("puzzles.Ranking", person=None, on_erase="keep", why="A class's, not a person's.")
    declare("puzzles.DailyPuzzle", person=None, on_erase="keep", why="A class's, not a person's.")
    declare("puzzles.SyncCursor", person=None, on_erase="keep", why="How far, not who.")
    declare("puzzles.RefusedStatement", person="student")
    declare("puzzles.Placement", person=None, on_erase="keep", why="Goes with its puzzle.")
    # The seed and the entries are enough to generate the grid again.
    solution = ("grid", "seed", "entries", "unplaced", "reason")
    hold_back("puzzles.Puzzle", fields=solution, rows=untold.unsolved_puzzles)
    hold_back("puzzles.Move", fields=("placement__term",), rows=untold.moves_at_untold_words)
    hidden = untold.rows_of_untold_words
    hold_back("vocab.Review", fields=("entry__term", "word"), rows=hidden)
    hold_back("vocab.WordProgress", fields=("entry__term",), rows=hidden)
