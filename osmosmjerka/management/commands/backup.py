"""Back up the site to one file while it runs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from osmosmjerka.backups import services
from osmosmjerka.backups.archive import BackupError, in_words
from osmosmjerka.backups.stopping import stopped_orderly


class Command(BaseCommand):
    help = (
        "Write database, pictures, sounds and secret key to one file, while the site runs. Keep the"
        " file safe: it contains the data of children, and the key."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "target",
            nargs="?",
            type=Path,
            help="a folder, or a file that ends with .tar.zst; without it, the folder backups in"
            " the data folder",
        )
        parser.add_argument(
            "--keep", type=int, metavar="N", help="then remove all but the newest N in that folder"
        )
        parser.add_argument("--quiet", action="store_true", help="print nothing if all is well")
        parser.add_argument(
            "--verify", action="store_true", help="read an existing backup and compare checksums"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        target, keep = options["target"], options["keep"]
        if keep is not None and keep < 1:
            raise CommandError("--keep needs a number from 1.")
        try:
            with stopped_orderly():
                told = self._verify(target) if options["verify"] else self._back_up(target, keep)
        except BackupError as error:
            raise CommandError(str(error)) from error
        if not options["quiet"]:
            self.stdout.write(told)

    def _verify(self, path: Path | None) -> str:
        if path is None:
            raise CommandError("Which file? For example: manage.py backup --verify FILE")
        manifest = services.verify(path)
        about, rows = manifest["about"], sum(t["rows"] for t in manifest["tables"].values())
        return (
            f"{path} is whole: {rows} rows and {len(manifest['files'])} files, made"
            f" {about['created_at']} by version {about['version']} on {about['engine']}."
        )

    def _back_up(self, target: Path | None, keep: int | None) -> str:
        made = services.back_up(target, keep=keep)
        told = f"{made.file}: {made.rows} rows and {made.files} files, {in_words(made.size)}."
        if made.missing:
            told += f" {len(made.missing)} files are missing, such as {made.missing[0]}."
        if made.removed:
            told += f" Removed {len(made.removed)} older."
        return told
