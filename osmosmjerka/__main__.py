"""The command `osmosmjerka`, also `python -m osmosmjerka`: what `manage.py` is in a checkout.

Only `api` is not one of Django's commands: it talks to a site, here or elsewhere.

Names of commands may have hyphens: `osmosmjerka make-puzzle` is `manage.py make_puzzle`.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from contextlib import ExitStack
from tempfile import TemporaryDirectory

from osmosmjerka import __version__

PROGRAM = "osmosmjerka"
MATTER = {
    "serve": "serve the site and do its background work, in one process",
    "serve --demo": "the same with a demo school, to try it",
    "setup-site": "create the first site admin, school and class",
    "make-puzzle": "make a puzzle from a file of words, without a site",
    "backup": "write all data of the site to one file",
    "restore": "bring back such a file, into an empty installation",
    "migrate": "bring the database to this version; serve does it by itself",
    "check --deploy": "look for settings that a public site should not have",
    "api": "do something at any site through its API; needs its address and a token",
    "unlock": "let in somebody who was locked out after failed logins",
}
"""What somebody who types the name alone should know, with a line on each."""
WITHOUT_A_SITE = {"make_puzzle", "help"}
"""Commands that must not leave a data folder behind."""
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
    if arguments[0] == "api":  # a client of some site, which needs no Django here
        from osmosmjerka.client.command import main as call_api

        call_api(arguments[1:])
        return
    # `help make-puzzle` names its command second.
    for place in range(min(len(arguments), 2 if arguments[0] == "help" else 1)):
        if not arguments[place].startswith("-"):
            arguments[place] = arguments[place].replace("-", "_")
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "osmosmjerka.settings")
    from django.core.management import execute_from_command_line

    with ExitStack() as at_the_end:
        if arguments[0] in WITHOUT_A_SITE or arguments[-1] in HELP:
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
