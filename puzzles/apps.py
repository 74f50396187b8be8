from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class PuzzlesConfig(AppConfig):
    name = "puzzles"
    verbose_name = _("Puzzles")

    def ready(self) -> None:
        from osmosmjerka.accounts.privacy.services import before_erasure, on_merge
        from puzzles import (  # noqa: F401  (job handlers, and what the school is told)
            account_merge,
            bin_sections,
            privacy,
            school_events,
            tasks,
        )
        from puzzles.lti import grades
        from puzzles.play.services import finished
        from puzzles.worksheets import services

        privacy.declare_models()
        bin_sections.register()
        on_merge("puzzles", merge=account_merge.merge, split=account_merge.split)
        before_erasure(account_merge.archive_for_nobody)
        before_erasure(services.take_out)
        finished.connect(grades.note_finished, dispatch_uid="puzzles.lti")
