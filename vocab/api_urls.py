"""The API's URLs for vocabulary."""

from __future__ import annotations

from django.urls import include, path
from rest_framework.routers import SimpleRouter

from vocab.blocking import api as blocking
from vocab.entries import api as entries
from vocab.imports import api as imports
from vocab.lists import api as lists
from vocab.sounds import api as sounds

router = SimpleRouter()
router.register("lists", lists.VocabularyListViewSet, basename="list")
router.register("entries", entries.EntryViewSet, basename="entry")
router.register("imports", imports.ImportViewSet, basename="import")

_entry_sounds = [
    path("", sounds.EntrySoundsView.as_view(), name="entry-sounds"),
    path("anew/", sounds.EntryAnewView.as_view(), name="entry-anew"),
    path("engine/", sounds.EntryEngineView.as_view(), name="entry-engine"),
    path("own/", sounds.EntryOwnSoundView.as_view(), name="entry-own-sound"),
    path("<slug:speed>/", sounds.EntryAudioView.as_view(), name="entry-audio"),
]

_blocked_words = [
    path("", blocking.BlockedWordsView.as_view(), name="blocked-words"),
    path("strong/", blocking.StrongWordsView.as_view(), name="blocked-words-strong"),
    path("<int:word>/", blocking.BlockedWordView.as_view(), name="blocked-word"),
]

urlpatterns = [
    path("schools/<int:pk>/blocked-words/", include(_blocked_words)),
    path("lists/samples/", lists.SampleListsView.as_view(), name="list-samples"),
    path("lists/<int:pk>/voice/", sounds.ListVoiceView.as_view(), name="list-voice"),
    path("lists/<int:pk>/voice/anew/", sounds.ListAnewView.as_view(), name="list-anew"),
    path("entries/<int:pk>/picture/", entries.EntryPictureView.as_view(), name="entry-picture"),
    path("entries/<int:pk>/place/", entries.EntryPlaceView.as_view(), name="entry-place"),
    path("entries/<int:pk>/sounds/", include(_entry_sounds)),
    path("", include(router.urls)),
]
