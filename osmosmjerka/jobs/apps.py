from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class JobsConfig(AppConfig):
    name = "osmosmjerka.jobs"
    label = "jobs"
    verbose_name = _("Background tasks")

    def ready(self) -> None:
        # The application is in place before its task; then the worker's signals are connected and
        # the ledger's own job is registered.
        from osmosmjerka import celery  # noqa: F401
        from osmosmjerka.jobs import tasks, worker  # noqa: F401
