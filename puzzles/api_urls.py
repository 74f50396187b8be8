"""API URLs of puzzles, assignments, play and progress."""

from __future__ import annotations

from django.urls import include, path
from rest_framework.routers import SimpleRouter

from puzzles.assignments import api as assignments
from puzzles.assignments import puzzle_api as puzzles
from puzzles.daily import api as daily
from puzzles.dashboards import api as progress
from puzzles.goals import api as goals
from puzzles.home import api as home
from puzzles.imports import api as imports
from puzzles.lessons import api as lessons
from puzzles.live import api as live
from puzzles.parents import api as parents
from puzzles.play import api as play
from puzzles.practice import api as practice
from puzzles.searches import api as searches
from puzzles.sharing import api as sharing
from puzzles.sharing import link_api as links
from puzzles.trial import api as trial
from puzzles.worksheets import api as worksheets
from puzzles.xapi import api as xapi

router = SimpleRouter()
router.register("puzzles", puzzles.PuzzleViewSet, basename="puzzle")
router.register("assignments", assignments.AssignmentViewSet, basename="assignment")
router.register("searches", searches.SearchViewSet, basename="search")
router.register("worksheets", worksheets.WorksheetSetViewSet, basename="worksheet-set")

_play = [
    path("", play.PlayStateView.as_view(), name="play"),
    path("attempts/", play.PlayMoveView.as_view(), name="play-attempts"),
    path("hint/", play.PlayHintView.as_view(), name="play-hint"),
    path("draft/", play.PlayDraftView.as_view(), name="play-draft"),
    path("finish/", play.PlayFinishView.as_view(), name="play-finish"),
    path("again/", play.PlayAgainView.as_view(), name="play-again"),
    path("new/", play.PlayAnotherView.as_view(), name="play-another"),
    path("sound/<slug:slot>/", play.PlaySoundView.as_view(), name="play-sound"),
    path("picture/<slug:slot>/", play.PlayPictureView.as_view(), name="play-picture"),
]

_trial = [
    path("", trial.TrialStateView.as_view(), name="trial"),
    path("attempts/", trial.TrialMoveView.as_view(), name="trial-attempts"),
    path("hint/", trial.TrialHintView.as_view(), name="trial-hint"),
    path("finish/", trial.TrialFinishView.as_view(), name="trial-finish"),
]

_shared = [
    path("", sharing.SharedStateView.as_view(), name="shared"),
    path("attempts/", sharing.SharedMoveView.as_view(), name="shared-attempts"),
    path("hint/", sharing.SharedHintView.as_view(), name="shared-hint"),
    path("finish/", sharing.SharedFinishView.as_view(), name="shared-finish"),
    path("sound/<slug:slot>/", sharing.SharedSoundView.as_view(), name="shared-sound"),
    path("picture/<slug:slot>/", sharing.SharedPictureView.as_view(), name="shared-picture"),
]

_live = [
    path("", live.LiveGameView.as_view(), name="live"),
    path("skip/", live.LiveSkipView.as_view(), name="live-skip"),
    path("shuffle/", live.LiveShuffleView.as_view(), name="live-shuffle"),
    path("players/<uuid:pk>/", live.LivePlayerView.as_view(), name="live-player"),
    path("board/", live.LiveBoardView.as_view(), name="live-board"),
    path("board/sound/<slug:slot>/", live.LiveBoardSoundView.as_view(), name="live-board-sound"),
    path("join/", live.JoinView.as_view(), name="live-join"),
    path("state/", live.LiveStateView.as_view(), name="live-state"),
    path("play/", live.LivePlayView.as_view(), name="live-play"),
    path("play/attempts/", live.LiveMoveView.as_view(), name="live-attempts"),
    path("play/hint/", live.LiveHintView.as_view(), name="live-hint"),
    path("sound/<slug:slot>/", live.LiveSoundView.as_view(), name="live-sound"),
    path("picture/<slug:slot>/", live.LivePictureView.as_view(), name="live-picture"),
]

_class = [
    path("games/", live.ClassGamesView.as_view(), name="classroom-games"),
    path("parents/", parents.ClassParentsView.as_view(), name="classroom-parents"),
    path("parents/<int:student>/", parents.ClassParentView.as_view(), name="classroom-parent"),
    path("daily/", daily.DailyView.as_view(), name="classroom-daily"),
    path("daily/switch/", daily.DailySwitchView.as_view(), name="classroom-daily-switch"),
    path("goal/", goals.ClassGoalView.as_view(), name="classroom-goal"),
    path("ranking/", goals.RankingView.as_view(), name="classroom-ranking"),
    path("nickname/", goals.NicknameView.as_view(), name="classroom-nickname"),
    path("progress/", progress.ClassProgressView.as_view(), name="classroom-progress"),
    path("statements/", xapi.ClassStatementsView.as_view(), name="classroom-statements"),
    path("complete/", lessons.CompleteListsView.as_view(), name="classroom-complete"),
    path("lesson/", lessons.LessonView.as_view(), name="classroom-lesson"),
    path("assignments/", assignments.ClassAssignmentsView.as_view(), name="classroom-assignments"),
    path("path/", assignments.ClassPathView.as_view(), name="classroom-path"),
]

_puzzle = [
    path("grid/", worksheets.PuzzleGridView.as_view(), name="puzzle-grid"),
    path("files/", worksheets.PuzzleFilesView.as_view(), name="puzzle-files"),
    path("files/<slug:format_name>/", worksheets.PuzzleFileView.as_view(), name="puzzle-file"),
    path(
        "worksheets/",
        worksheets.PuzzleWorksheetSetsView.as_view(),
        name="puzzle-worksheet-sets",
    ),
]

urlpatterns = [
    path("live/<slug:code>/", include(_live)),
    path("play/<slug:code>/", include(_play)),  # first: most requests are answers
    path("trial/", include(_trial)),
    path("shared/<slug:token>/", include(_shared)),
    path("classes/<int:pk>/", include(_class)),
    path("links/", links.ShareLinksView.as_view(), name="links"),
    path("links/<int:pk>/", links.ShareLinkView.as_view(), name="link"),
    path("practice/", progress.PracticeView.as_view(), name="practice"),
    path("todo/", home.ToDoView.as_view(), name="todo"),
    path("assignments/<int:pk>/play/", home.AssignmentPlayView.as_view(), name="own-puzzle"),
    path("review/", practice.ReviewView.as_view(), name="review"),
    path("review/undo/", practice.ReviewUndoView.as_view(), name="review-undo"),
    path("review/sound/<int:pk>/", practice.ReviewSoundView.as_view(), name="review-sound"),
    path("progress/", progress.OwnProgressView.as_view(), name="progress"),
    path("goal/", goals.OwnGoalView.as_view(), name="own-goal"),
    path("puzzles/import/", imports.PuzzleImportView.as_view(), name="puzzle-import"),
    path("puzzles/<slug:code>/", include(_puzzle)),
    path(
        "worksheets/<int:pk>/files/<slug:which>/",
        worksheets.WorksheetSetFileView.as_view(),
        name="worksheet-set-file",
    ),
    path("", include(router.urls)),
]
