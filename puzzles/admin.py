from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest

from osmosmjerka.web.admin import OnlyRead
from puzzles.models import Puzzle, RefusedStatement
from puzzles.xapi import sync


@admin.register(Puzzle)
class PuzzleAdmin(OnlyRead, admin.ModelAdmin[Puzzle]):
    """Find a puzzle. Its own page is where it is assigned, generated again and deleted."""

    list_display = ["title", "kind", "vocabulary_list", "created_by", "state", "created_at"]
    list_filter = ["kind", "state"]
    list_select_related = ["vocabulary_list", "created_by"]
    search_fields = ["title", "code", "created_by__username", "vocabulary_list__title"]


@admin.register(RefusedStatement)
class RefusedStatementAdmin(OnlyRead, admin.ModelAdmin[RefusedStatement]):
    """What the learning record store rejected, with its answer; an action sends it all again."""

    list_display = ["kind", "key", "reason", "at"]
    list_filter = ["kind"]
    search_fields = ["key", "reason"]
    actions = ["send_again"]

    @admin.action(description="Send all refused statements again")
    def send_again(self, request: HttpRequest, queryset: QuerySet[RefusedStatement]) -> None:
        sync.request_again()
        messages.success(request, "The refused statements are being sent again.")
