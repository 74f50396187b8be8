from django.contrib import admin

from osmosmjerka.accounts.admin import OnlyRead
from osmosmjerka.jobs.models import Job


@admin.register(Job)
class JobAdmin(OnlyRead, admin.ModelAdmin[Job]):
    """Read the ledger; what is done with a job goes through osmosmjerka.jobs.ledger."""

    list_display = ["kind", "key", "state", "attempts", "progress", "created_at", "finished_at"]
    list_filter = ["state", "kind"]
    search_fields = ["kind", "key", "error"]
