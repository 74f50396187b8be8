"""Declare which puzzle models contain personal data."""

from __future__ import annotations

from osmosmjerka.accounts.privacy.services import declare


def declare_models() -> None:
    declare("puzzles.Move", person="session__student", also=("placement__term",))
    declare("puzzles.PlaySession", person="student", also=("puzzle__title",))
    declare("puzzles.Assignment", person="created_by", also=("classroom__name",))
    declare("puzzles.Puzzle", person="created_by")
    declare("puzzles.CrosswordSearch", person="created_by")
    declare("puzzles.Nickname", person="student", also=("classroom__name",))
    declare("puzzles.ClassGoal", person="created_by", also=("classroom__name",))
    declare("puzzles.Ranking", person=None, on_erase="keep", why="A class's, not a person's.")
    declare("puzzles.SyncCursor", person=None, on_erase="keep", why="How far, not who.")
    declare("puzzles.Placement", person=None, on_erase="keep", why="Goes with its puzzle.")
