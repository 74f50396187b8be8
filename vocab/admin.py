from django.contrib import admin

from osmosmjerka.web.admin import OnlyRead
from vocab.models import BlockedWord, Entry, VocabularyList


@admin.register(VocabularyList)
class VocabularyListAdmin(OnlyRead, admin.ModelAdmin[VocabularyList]):
    """Read-only: site admins change lists on the lists' own pages, as their owners do."""

    list_display = ["title", "language", "owner", "school", "visibility", "updated_at"]
    list_filter = ["language", "visibility"]
    list_select_related = ["owner", "school"]
    search_fields = ["title", "owner__username", "owner__display_name", "school__name"]


@admin.register(Entry)
class EntryAdmin(OnlyRead, admin.ModelAdmin[Entry]):
    list_display = ["term", "vocabulary_list", "part_of_speech"]
    list_select_related = ["vocabulary_list"]
    search_fields = ["term", "key", "vocabulary_list__title"]


@admin.register(BlockedWord)
class BlockedWordAdmin(admin.ModelAdmin[BlockedWord]):
    list_display = ["word", "school"]
    list_select_related = ["school"]
    search_fields = ["word", "school__name"]
    autocomplete_fields = ["school"]
