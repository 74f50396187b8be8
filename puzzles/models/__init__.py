"""Puzzles created from lists, their assignments, every move, and what goes with them."""

from puzzles.models.assignments import MOST_ATTEMPTS, Assignment, DailyPuzzle
from puzzles.models.classes import (
    ClassGoal,
    CompleteList,
    Nickname,
    OwnGoal,
    Ranking,
    SharedCompleteList,
)
from puzzles.models.games import Move, PlaySession, RefusedStatement, SyncCursor
from puzzles.models.links import ParentLink, ShareLink
from puzzles.models.live import LiveGame, LiveMove, LivePlayer, new_game_code
from puzzles.models.lti import (
    LtiCourse,
    LtiDeployment,
    LtiGrade,
    LtiInvitation,
    LtiLink,
    LtiNonce,
    LtiPerson,
    LtiPlatform,
    ToolKey,
)
from puzzles.models.puzzles import (
    CrosswordSearch,
    Placement,
    Puzzle,
    WorksheetSet,
    new_code,
    new_slot,
)

__all__ = [
    "MOST_ATTEMPTS",
    "Assignment",
    "ClassGoal",
    "CompleteList",
    "CrosswordSearch",
    "DailyPuzzle",
    "LiveGame",
    "LiveMove",
    "LivePlayer",
    "LtiCourse",
    "LtiDeployment",
    "LtiGrade",
    "LtiInvitation",
    "LtiLink",
    "LtiNonce",
    "LtiPerson",
    "LtiPlatform",
    "Move",
    "Nickname",
    "OwnGoal",
    "ParentLink",
    "Placement",
    "PlaySession",
    "Puzzle",
    "Ranking",
    "RefusedStatement",
    "ShareLink",
    "SharedCompleteList",
    "SyncCursor",
    "ToolKey",
    "WorksheetSet",
    "new_code",
    "new_game_code",
    "new_slot",
]
