from django.apps import AppConfig
from django.core.checks import register


class OsmosmjerkaConfig(AppConfig):
    name = "osmosmjerka"
    verbose_name = "Osmosmjerka"

    def ready(self) -> None:
        from osmosmjerka import preparation

        register(preparation.check, "preparation", deploy=True)
