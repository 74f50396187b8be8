from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class JobsConfig(AppConfig):
    name = "osmosmjerka.jobs"
    label = "jobs"
    verbose_name = _("Background tasks")

    def ready(self) -> None:
        # Connects the worker's signals and registers the ledger's own job.
        from osmosmjerka.jobs import tasks, worker  # noqa: F401
