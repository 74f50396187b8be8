"""Restore a backup into an empty installation."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from osmosmjerka.backups import services
from osmosmjerka.backups.archive import BackupError
from osmosmjerka.backups.stopping import stopped_orderly


class Command(BaseCommand):
    help = "Restore a backup into this installation, which must be empty and stopped."
    # The tables may not be there yet.
    requires_migrations_checks = False

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path)

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            with stopped_orderly():
                restored = services.restore(options["file"])
        except BackupError as error:
            raise CommandError(str(error)) from error
        about, tables = restored.manifest["about"], restored.manifest["tables"]
        rows = sum(table["rows"] for table in tables.values())
        self.stdout.write(
            f"Restored the backup of {about['created_at']}: {rows} rows in {len(tables)} tables and"
            f" {len(restored.manifest['files']) - 3} files, all checksums equal."
        )
        for note in restored.notes:
            self.stderr.write(note)
        self.stdout.write("Start the site as usual.")
