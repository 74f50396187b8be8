from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class AccountsConfig(AppConfig):
    name = "osmosmjerka.accounts"
    label = "accounts"
    verbose_name = _("People")

    def ready(self) -> None:
        from osmosmjerka.accounts import bin_sections, tasks  # noqa: F401  (registers the job handlers)
        from osmosmjerka.accounts.classrooms import school_imports
        from osmosmjerka.accounts.privacy import services as privacy

        privacy.declare_own()
        privacy.before_erasure(school_imports.forget_previews)
        bin_sections.register()
