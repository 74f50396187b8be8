from django.apps import AppConfig
from django.core.checks import Tags, register


class OsmosmjerkaConfig(AppConfig):
    name = "osmosmjerka"
    verbose_name = "Osmosmjerka"

    def ready(self) -> None:
        from osmosmjerka.server import preparation

        register(preparation.check_files, Tags.staticfiles, deploy=True)
        # Django runs checks of the database only with `--database default`.
        register(preparation.check_migrations, Tags.database, deploy=True)
