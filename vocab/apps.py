from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class VocabConfig(AppConfig):
    name = "vocab"
    verbose_name = _("Vocabulary")

    def ready(self) -> None:
        from osmosmjerka.accounts.privacy import on_merge
        from vocab import merging_people, privacy, tasks  # noqa: F401  (registers the job handlers)

        privacy.declare_models()
        on_merge(merging_people.merge)
