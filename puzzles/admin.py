from django.contrib import admin

from osmosmjerka.accounts.admin import OnlyRead
from puzzles.models import Puzzle


@admin.register(Puzzle)
class PuzzleAdmin(OnlyRead, admin.ModelAdmin[Puzzle]):
    """Find a puzzle. Its own page is where it is assigned, generated again and deleted."""

    list_display = ["title", "kind", "vocabulary_list", "created_by", "state", "created_at"]
    list_filter = ["kind", "state"]
    list_select_related = ["vocabulary_list", "created_by"]
    search_fields = ["title", "code", "created_by__username", "vocabulary_list__title"]
