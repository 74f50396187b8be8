"""Import a OneRoster file of a whole school on the command line."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.core.exceptions import ValidationError
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import translation

from osmosmjerka.accounts import access
from osmosmjerka.accounts.classrooms import roster_imports, school_file, school_imports
from osmosmjerka.accounts.classrooms.school_plan import Options
from osmosmjerka.accounts.models import School, User


class Command(BaseCommand):
    help = "Import the classes, teachers and students of a school from a OneRoster ZIP file."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", metavar="FILE", help="OneRoster 1.1 or 1.2, CSV: bulk or delta")
        parser.add_argument("--as", dest="username", required=True, help="an admin of the school")
        parser.add_argument("--school", type=int, help="its number, for site admins")
        parser.add_argument("--dry-run", action="store_true", help="only say what would change")
        parser.add_argument("--full-names", action="store_true", help="do not shorten surnames")
        parser.add_argument("--rename", action="store_true", help="take over the file's names")
        parser.add_argument(
            "--end-missing",
            action="store_true",
            help="end memberships from an earlier file that are not in this one",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        with translation.override("en"):
            actor = User.objects.filter(username=options["username"], is_active=True).first()
            school = self._school(actor, options["school"])
            try:
                data = Path(options["file"]).read_bytes()
                file = school_file.read(data, shorten=not options["full_names"])
            except OSError as error:
                raise CommandError(f"The file cannot be read: {error}") from error
            except ValidationError as error:
                raise CommandError(" ".join(error.messages)) from error
            assert actor is not None  # noqa: S101  (for the checker)
            roster = school_imports.begin(
                school=school,
                file=file,
                actor=actor,
                options=Options(options["end_missing"], options["rename"]),
            )
            if options["dry_run"]:
                made = school_imports.preview(roster)
                roster_imports.discard(roster=roster)
            else:
                made = school_imports.import_now(roster=roster, actor=actor)
        for problem in made.problems:
            self.stderr.write(f"{problem.file}:{problem.line}: {problem.text}")
        for kind, count in sorted(made.counts.items()):
            self.stdout.write(f"{kind}: {count}")
        if not made.changes:
            self.stdout.write("The school is as the file says.")
        elif options["dry_run"]:
            self.stdout.write("Nothing was changed.")

    def _school(self, actor: User | None, pk: int | None) -> School:
        may = access.schools(actor, "administer") if actor else School.objects.none()
        found = may.filter(pk=pk) if pk else may
        if (count := found.count()) == 1:
            return found.get()
        if count:
            raise CommandError("You administer several schools. Choose one with --school.")
        raise CommandError("No admin of a school has this username.")
