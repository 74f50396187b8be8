"""Declare which puzzle models contain personal data, and what of it a player may not see yet."""

from __future__ import annotations

from django.db.models import Q

from osmosmjerka.accounts.models import User
from osmosmjerka.accounts.privacy.services import declare, hold_back
from puzzles import withheld
from puzzles.models import WorksheetSet


def _sheets_of(person: User) -> Q:
    """Return the condition for sets of worksheets that a person made, or that name them."""
    named = WorksheetSet.objects.filter(named=person)
    return Q(created_by=person) | Q(pk__in=named.values("pk"))


def declare_models() -> None:
    declare("puzzles.Move", person="session__student", also=("placement__term",))
    declare("puzzles.PlaySession", person="student", also=("puzzle__title",))
    declare("puzzles.Assignment", person="created_by", also=("classroom__name",))
    declare("puzzles.Puzzle", person="created_by")
    declare("puzzles.CrosswordSearch", person="created_by")
    # What is on the sheets of others is not told to the person, nor words before they are solved.
    declare("puzzles.WorksheetSet", person=_sheets_of, secret=("sheets", "pdf", "key_pdf", "seed"))
    declare("puzzles.ShareLink", person="made_by", secret=("token_hash",))
    declare("puzzles.ParentLink", person="student", secret=("token_hash",))
    declare("puzzles.Nickname", person="student", also=("classroom__name",))
    declare("puzzles.OwnGoal", person="student")
    declare("puzzles.CompleteList", person="student", also=("vocabulary_list__title",))
    declare(
        "puzzles.SharedCompleteList", person=None, on_erase="keep", why="A class's, not a person's."
    )
    declare("puzzles.ClassGoal", person="created_by", also=("classroom__name",))
    declare("puzzles.Ranking", person=None, on_erase="keep", why="A class's, not a person's.")
    declare("puzzles.LiveGame", person="created_by", also=("classroom__name",))
    declare("puzzles.LivePlayer", person="student")
    declare("puzzles.LiveMove", person="player__student", also=("placement__term",))
    declare("puzzles.DailyPuzzle", person=None, on_erase="keep", why="A class's, not a person's.")
    declare("puzzles.SyncCursor", person=None, on_erase="keep", why="How far, not who.")
    declare("puzzles.RefusedStatement", person="student")
    declare("puzzles.LtiPerson", person="user")
    declare("puzzles.LtiGrade", person="student")
    of_school = "A school's connection, not a person's."
    for label in ("LtiPlatform", "LtiDeployment", "LtiCourse", "LtiLink"):
        declare(f"puzzles.{label}", person=None, on_erase="keep", why=of_school)
    declare("puzzles.LtiInvitation", person="created_by", secret=("token_hash",))
    declare("puzzles.LtiNonce", person=None, on_erase="keep", why="A number that was used.")
    declare("puzzles.ToolKey", person=None, on_erase="keep", why="The site's own key.")
    declare("puzzles.Placement", person=None, on_erase="keep", why="Goes with its puzzle.")
    # The seed and the entries are enough to generate the grid again; a hidden message is a setting.
    solution = ("grid", "seed", "entries", "settings", "unplaced", "reason")
    hold_back("puzzles.Puzzle", fields=solution, rows=withheld.unsolved_puzzles)
    hold_back("puzzles.Move", fields=("placement__term",), rows=withheld.moves_at_withheld_words)
    hidden = withheld.rows_of_withheld_words
    hold_back("vocab.Review", fields=("entry__term", "word"), rows=hidden)
    hold_back("vocab.WordProgress", fields=("entry__term",), rows=hidden)
