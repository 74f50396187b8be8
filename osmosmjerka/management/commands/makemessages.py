"""Django's makemessages, which also collects the messages of pure modules."""

from __future__ import annotations

from django.core.management.commands import makemessages


class Command(makemessages.Command):
    # Pure modules know no gettext: they mark a sentence as message("…") or, where its words depend
    # on a number, messages("…", "…", number); the page translates it.
    xgettext_options = [
        *makemessages.Command.xgettext_options,
        "--keyword=message",
        "--keyword=messages:1,2",
    ]
