"""Create the first site admin, school and class on the command line."""

from __future__ import annotations

import sys
from getpass import getpass
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import Error
from django.utils import translation

from osmosmjerka.accounts.schools import setup
from osmosmjerka.accounts.schools.forms import SiteForm
from osmosmjerka.accounts.selectors import site_admins
from osmosmjerka.server import preparation

# By field of the form: its option, what the prompt asks, and whether it may be left out.
_ASKED = {
    "username": ("--username", "Username", False),
    "display_name": ("--display-name", "Name that is shown to others", False),
    "email": ("--email", "E-mail address, to reset a forgotten password (optional)", True),
    "school_name": ("--school", "Name of the school", False),
    "class_name": ("--class", "Name of the first class", False),
    "language": ("--language", f"Language of the school [{settings.LANGUAGE_CODE}]", True),
    "time_zone": ("--time-zone", f"Time zone of the school [{settings.TIME_ZONE}]", True),
}


class Command(BaseCommand):
    help = "Set up a new site: create the first site admin, school and class."

    def add_arguments(self, parser: CommandParser) -> None:
        for field, (option, label, _may_be_empty) in _ASKED.items():
            parser.add_argument(option, dest=field, help=label)
        parser.add_argument(
            "--password-stdin", action="store_true", help="read the password from standard input"
        )
        parser.add_argument(
            "--show-code",
            action="store_true",
            help="only show the link and the code with which the site is set up in a browser",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            missing = preparation.unapplied_migrations()
        except Error as error:
            reason = " ".join(str(error).split()).rstrip(".")
            raise CommandError(
                f"The database of DATABASE_URL does not answer: {reason}."
            ) from error
        if missing:
            raise CommandError("The database is not up to date. First run: manage.py migrate")
        with translation.override("en"):
            if not setup.is_needed():
                self._tell_of_admin(options)
            elif options["show_code"]:
                self._show_code()
            else:
                self._set_up(options)

    def _tell_of_admin(self, options: dict[str, Any]) -> None:
        """Say that nothing is to be done; refuse what would make another admin."""
        names = list(site_admins().order_by("pk").values_list("username", flat=True)[:5])
        if options["username"] in {None, *names}:
            self.stdout.write(f"This site is set up already. Its admin: {', '.join(names)}.")
            self.stdout.write(
                "Nothing was changed. To set a new password: manage.py changepassword"
            )
            return
        raise CommandError(
            f"This site already has an admin: {', '.join(names)}. Nothing was changed. Log in with"
            " that account (new password: manage.py changepassword), or create another site admin"
            " with manage.py createsuperuser. Schools and classes are created on the site."
        )

    def _show_code(self) -> None:
        setup.forget_failures()
        self.stdout.write(f"Setup code: {setup.code()}")
        self.stdout.write(f"Open this link of your site: {setup.address('http://localhost:8000')}")

    def _set_up(self, options: dict[str, Any]) -> None:
        given = {field: options[field] or "" for field in _ASKED}
        if sys.stdin.isatty() and not options["password_stdin"]:
            for field, (_option, label, may_be_empty) in _ASKED.items():
                given[field] = given[field] or _answer(label, may_be_empty=may_be_empty)
            given["password"] = _new_password()
        else:
            missing = [
                option
                for field, (option, _label, may_be_empty) in _ASKED.items()
                if not given[field] and not may_be_empty
            ]
            missing += [] if options["password_stdin"] else ["--password-stdin"]
            if missing:
                raise CommandError(f"These options are missing: {' '.join(missing)}")
            given["password"] = sys.stdin.readline().rstrip("\r\n")
        form = SiteForm(given | {"language": given["language"] or settings.LANGUAGE_CODE})
        if not form.is_valid():
            raise CommandError("\n".join(self._faults(form)))
        try:
            person, classroom = setup.set_up_site(**form.cleaned_data)
        except setup.AlreadySetUp:
            raise CommandError("Somebody else has just set up this site.") from None
        self.stdout.write(
            f"Created the site admin {person.username}, the school {person.school} and the class"
            f" {classroom}."
        )
        self.stdout.write("What to do next:")
        self.stdout.write("  1. Start the site if it does not run yet: manage.py serve")
        self.stdout.write(f"  2. Open its address and log in as {person.username}.")
        self.stdout.write("  3. Invite other teachers: “My school” in the menu.")
        self.stdout.write("  4. Add students: the first steps on the home page lead there.")

    def _faults(self, form: SiteForm) -> list[str]:
        return [
            f"{_ASKED[field][0] if field in _ASKED else field}: {' '.join(map(str, faults))}"
            for field, faults in form.errors.items()
        ]


def _answer(label: str, *, may_be_empty: bool) -> str:
    while not (answer := input(f"{label}: ").strip()) and not may_be_empty:
        pass
    return answer


def _new_password() -> str:
    """Ask for a password twice."""
    while True:
        password = getpass("Password: ")
        if password == getpass("Password (again): "):
            return password
        sys.stderr.write("These are not the same. Try again.\n")
