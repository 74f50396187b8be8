"""The command `osmosmjerka`, also `python -m osmosmjerka`: what `manage.py` is in a checkout.

Only `api`, which talks to a site, here or elsewhere, and `make-puzzle` need no Django.

Names of commands may have hyphens: `osmosmjerka setup-site` is `manage.py setup_site`.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from contextlib import ExitStack
from importlib import import_module
from tempfile import TemporaryDirectory

from osmosmjerka import __version__

PROGRAM = "osmosmjerka"
MATTER = {
    "serve": "serve the site and do its background work, in one process",
    "serve --demo": "the same with a demo school, to try it",
    "setup-site": "create the first site admin, school and class",
    "make-puzzle": "make a puzzle from words, without a site",
    "backup": "write all data of the site to one file",
    "restore": "bring back such a file, into an empty installation",
    "migrate": "bring the database to this version; serve does it by itself",
    "check --deploy": "look for settings that a public site should not have",
    "api": "do something at any site through its API; needs its address and a token",
    "unlock": "let in somebody who was locked out after failed logins",
}
"""What somebody who types the name alone should know, with a line on each."""
HELP = {"--help", "-h"}


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command that *arguments* name; without them, those of the shell."""
    arguments = list(sys.argv[1:] if arguments is None else arguments)
    if not arguments:
        print(overview())
        return
    if arguments[0] in {"--version", "version"}:
        print(f"Osmosmjerka {__version__}")
        return
    if arguments[0] == "help" and len(arguments) == 2:
        arguments = [arguments[1], "--help"]
    if arguments[0] == "api":
        from osmosmjerka.client.command import main as call_api

        call_api(arguments[1:])
        return
    if not arguments[0].startswith("-"):
        arguments[0] = arguments[0].replace("-", "_")
    if arguments[0] == "make_puzzle":  # of an app, which this package names as text alone
        make_puzzle = import_module("puzzles.library.command").main
        make_puzzle(arguments[1:], program=f"{PROGRAM} make-puzzle")
        return
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "osmosmjerka.settings")
    from django.core.management import execute_from_command_line

    with ExitStack() as at_the_end:
        if arguments[0] == "help" or arguments[-1] in HELP:  # leaves no data folder behind
            folder = at_the_end.enter_context(TemporaryDirectory())
            os.environ.setdefault("OSMOSMJERKA_DATA_DIR", folder)
        try:
            execute_from_command_line([PROGRAM, *arguments])
        except KeyboardInterrupt:
            sys.exit(130)  # the exit code that shells expect after Ctrl-C


def overview() -> str:
    """Return the commands that matter, each with a line on it."""
    width = max(map(len, MATTER))
    lines = [f"  {PROGRAM} {name:<{width}}  {text}" for name, text in MATTER.items()]
    return "\n".join(
        [
            f"Osmosmjerka {__version__}",
            "",
            *lines,
            "",
            f"{PROGRAM} COMMAND --help explains a command; {PROGRAM} help lists all.",
        ]
    )


if __name__ == "__main__":
    main()
