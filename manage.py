#!/usr/bin/env python
"""Run an administrative command of Osmosmjerka."""

import os
import sys


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "osmosmjerka.settings")
    from django.core.management import execute_from_command_line

    try:
        execute_from_command_line(sys.argv)
    except KeyboardInterrupt:
        sys.exit(130)  # what a shell expects of a command that Ctrl-C ended


if __name__ == "__main__":
    main()
