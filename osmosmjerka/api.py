"""The API's addresses, gathered from the apps."""

from __future__ import annotations

from django.urls import include, path
from drf_spectacular.views import SpectacularAPIView
from rest_framework.routers import SimpleRouter

from osmosmjerka.accounts.auth.api import TokenView
from puzzles.assignments import api as assignments
from puzzles.assignments import puzzle_api as puzzles
from puzzles.dashboards import api as progress
from puzzles.home import api as home_api
from puzzles.play import api as play
from puzzles.practice import api as student
from puzzles.searches import api as searches
from vocab.entries import api as entry_api
from vocab.imports import api as import_api
from vocab.lists import api as vocab
from vocab.sounds import api as sound_api

router = SimpleRouter()
router.register("lists", vocab.VocabularyListViewSet, basename="list")
router.register("entries", entry_api.EntryViewSet, basename="entry")
router.register("imports", import_api.ImportViewSet, basename="import")
router.register("puzzles", puzzles.PuzzleViewSet, basename="puzzle")
router.register("assignments", assignments.AssignmentViewSet, basename="assignment")
router.register("searches", searches.SearchViewSet, basename="search")

app_name = "api"
urlpatterns = [
    path("schema/", SpectacularAPIView.as_view(), name="schema"),
    path("token/", TokenView.as_view(), name="token"),
    path("practice/", progress.PracticeView.as_view(), name="practice"),
    path("todo/", home_api.ToDoView.as_view(), name="todo"),
    path("assignments/<int:pk>/play/", home_api.AssignmentPlayView.as_view(), name="own-puzzle"),
    path("review/", student.ReviewView.as_view(), name="review"),
    path("review/sound/<int:pk>/", student.ReviewSoundView.as_view(), name="review-sound"),
    path("progress/", progress.OwnProgressView.as_view(), name="progress"),
    path(
        "classes/<int:pk>/progress/",
        progress.ClassProgressView.as_view(),
        name="classroom-progress",
    ),
    path(
        "classes/<int:pk>/assignments/",
        assignments.ClassAssignmentsView.as_view(),
        name="classroom-assignments",
    ),
    path(
        "play/<slug:code>/",
        include(
            [
                path("", play.PlayStateView.as_view(), name="play"),
                path("attempts/", play.PlayMoveView.as_view(), name="play-attempts"),
                path("hint/", play.PlayHintView.as_view(), name="play-hint"),
                path("draft/", play.PlayDraftView.as_view(), name="play-draft"),
                path("finish/", play.PlayFinishView.as_view(), name="play-finish"),
                path("sound/<slug:slot>/", play.PlaySoundView.as_view(), name="play-sound"),
                path("picture/<slug:slot>/", play.PlayPictureView.as_view(), name="play-picture"),
            ]
        ),
    ),
    path("lists/<int:pk>/voice/", sound_api.ListVoiceView.as_view(), name="list-voice"),
    path("lists/<int:pk>/voice/anew/", sound_api.ListAnewView.as_view(), name="list-anew"),
    path(
        "entries/<int:pk>/sounds/",
        include(
            [
                path("", sound_api.EntrySoundsView.as_view(), name="entry-sounds"),
                path("anew/", sound_api.EntryAnewView.as_view(), name="entry-anew"),
                path("engine/", sound_api.EntryEngineView.as_view(), name="entry-engine"),
                path("own/", sound_api.EntryOwnSoundView.as_view(), name="entry-own-sound"),
                path("<slug:speed>/", sound_api.EntryAudioView.as_view(), name="entry-audio"),
            ]
        ),
    ),
    path("", include(router.urls)),
]
