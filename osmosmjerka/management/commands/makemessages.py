"""Django's makemessages, which also collects the messages of pure modules."""

from __future__ import annotations

from django.core.management.commands import makemessages


class Command(makemessages.Command):
    # Pure modules do not use gettext: they mark a sentence with message("…") or, if its words depend
    # on a number, messages("…", "…", number), and pages translate it.
    xgettext_options = [
        *makemessages.Command.xgettext_options,
        "--keyword=message",
        "--keyword=messages:1,2",
    ]
    # A guess from a similar sentence is worse than none: an untranslated sentence fails a test.
    msgmerge_options = [*makemessages.Command.msgmerge_options, "--no-fuzzy-matching"]
