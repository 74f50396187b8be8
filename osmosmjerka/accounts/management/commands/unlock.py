"""Let in somebody who is locked out after too many failed logins."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from osmosmjerka.accounts.auth import passwords
from osmosmjerka.accounts.models import User


class Command(BaseCommand):
    help = "Forget the failed logins of an account, so that its owner can log in again at once."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("username")

    def handle(self, *args: Any, username: str, **options: Any) -> None:
        person = User.objects.filter(username__iexact=User.normalize_username(username)).first()
        if person is None:
            raise CommandError(f"There is no account with the username {username}.")
        found = passwords.unlock(person=person)
        self.stdout.write(
            f"The failed logins of {person.username} are forgotten."
            if found
            else f"{person.username} had no failed logins. Nothing was changed."
        )
        if not person.is_active:
            self.stdout.write("The account is deactivated; a school admin can reactivate it.")
        if not person.has_usable_password():
            self.stdout.write("The account has no password; manage.py changepassword sets one.")
