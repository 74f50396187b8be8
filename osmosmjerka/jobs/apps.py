from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class JobsConfig(AppConfig):
    name = "osmosmjerka.jobs"
    label = "jobs"
    verbose_name = _("Background tasks")

    def ready(self) -> None:
        from osmosmjerka.jobs import worker  # noqa: F401  (connects the worker's signals)
