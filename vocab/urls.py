from __future__ import annotations

from django.urls import include, path

from vocab.blocking import views as blocking_views
from vocab.entries import picture_views
from vocab.entries import views as entry_views
from vocab.imports import views as import_views
from vocab.lists import print_views, sharing_views
from vocab.lists import views as list_views
from vocab.sounds import views as sound_views

_blocking = [
    path("", blocking_views.blocked_words, name="blocked-words"),
    path("strong/", blocking_views.blocked_words_strong, name="blocked-words-strong"),
    path("<int:word>/remove/", blocking_views.blocked_word_remove, name="blocked-word-remove"),
]

urlpatterns = [
    path("schools/<int:pk>/blocked-words/", include(_blocking)),
    path("lists/", list_views.list_overview, name="list-overview"),
    path("lists/new/", list_views.list_new, name="list-new"),
    path("lists/samples/", list_views.list_samples, name="list-samples"),
    path("lists/gallery/", list_views.list_gallery, name="list-gallery"),
    path("lists/preview/", list_views.preview, name="list-preview"),
    path("lists/<int:pk>/preview/", list_views.preview_more, name="list-preview-more"),
    path("lists/<int:pk>/", list_views.list_detail, name="list"),
    path("lists/<int:pk>/sounds/", sound_views.list_sounds, name="list-sounds"),
    path("lists/<int:pk>/voice/", sound_views.list_voice, name="list-voice"),
    path("lists/<int:pk>/voice/anew/", sound_views.list_remake, name="list-remake"),
    path("entries/<int:pk>/sound/", sound_views.entry_sound, name="entry-sound"),
    path("entries/<int:pk>/sound/<slug:speed>/", sound_views.entry_audio, name="entry-audio"),
    path("entries/<int:pk>/picture/", picture_views.entry_picture, name="entry-picture"),
    path("entries/<int:pk>/file/<slug:name>/", picture_views.entry_file, name="entry-file"),
    path("lists/<int:pk>/delete/", list_views.list_delete, name="list-delete"),
    path("lists/<int:pk>/import/", import_views.import_new, name="list-import"),
    path("lists/<int:pk>/export/<slug:format>/", import_views.list_export, name="list-export"),
    path("lists/<int:pk>/print/", print_views.list_print, name="list-print"),
    path("lists/<int:pk>/print/file/", print_views.list_print_file, name="list-print-file"),
    path("lists/<int:pk>/settings/", sharing_views.list_settings, name="list-settings"),
    path("lists/<int:pk>/playing/", sharing_views.list_playing, name="list-playing"),
    path("lists/<int:pk>/share/", sharing_views.list_share, name="list-share"),
    path("lists/<int:pk>/unshare/<int:teacher>/", sharing_views.list_unshare, name="list-unshare"),
    path("lists/<int:pk>/copy/", sharing_views.list_copy, name="list-copy"),
    path("lists/<int:pk>/pull/", sharing_views.list_pull, name="list-pull"),
    path("lists/<int:pk>/entries/", entry_views.entry_add, name="entry-add"),
    path("lists/<int:pk>/bulk/", entry_views.entries_bulk, name="entries-bulk"),
    path("lists/<int:pk>/bulk/<int:edit_pk>/undo/", entry_views.bulk_undo, name="bulk-undo"),
    path("entries/<int:pk>/", entry_views.entry_row, name="entry"),
    path("entries/<int:pk>/edit/", entry_views.entry_edit, name="entry-edit"),
    path("entries/<int:pk>/same-word/", entry_views.entry_same, name="entry-same"),
    path("entries/<int:pk>/place/", entry_views.entry_place, name="entry-place"),
    path("imports/<int:pk>/", import_views.import_detail, name="import"),
    path("imports/<int:pk>/settings/", import_views.import_settings, name="import-settings"),
    path("imports/<int:pk>/apply/", import_views.import_apply, name="import-apply"),
    path("imports/<int:pk>/undo/", import_views.import_undo, name="import-undo"),
    path("imports/<int:pk>/discard/", import_views.import_discard, name="import-discard"),
    path("imports/<int:pk>/progress/", import_views.import_progress, name="import-progress"),
]
