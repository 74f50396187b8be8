"""Django's makemessages, which also collects the messages of pure modules."""

from __future__ import annotations

from django.core.management.commands import makemessages


class Command(makemessages.Command):
    # Pure modules do not use gettext: they mark a sentence with message("…"), and pages translate
    # it.
    xgettext_options = [*makemessages.Command.xgettext_options, "--keyword=message"]
