from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class VocabConfig(AppConfig):
    name = "vocab"
    verbose_name = _("Vocabulary")

    def ready(self) -> None:
        from osmosmjerka.accounts.privacy.services import on_merge
        from osmosmjerka.storage.media import refer
        from vocab import bin_sections, privacy, purge, tasks  # noqa: F401  (registers the job handlers)
        from vocab.memory import account_merge

        privacy.declare_models()
        refer(purge.files_in_use)
        bin_sections.register()
        on_merge("vocab", merge=account_merge.merge, split=account_merge.split)
