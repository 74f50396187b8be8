from django.contrib import admin

from osmosmjerka.jobs.models import Job
from osmosmjerka.web.admin import OnlyRead


@admin.register(Job)
class JobAdmin(OnlyRead, admin.ModelAdmin[Job]):
    """The job ledger, read-only; osmosmjerka.jobs.ledger acts on jobs."""

    list_display = ["kind", "key", "state", "attempts", "progress", "created_at", "finished_at"]
    list_filter = ["state", "kind"]
    search_fields = ["kind", "key", "error"]
