"""Storage of uploaded files on a file system: whole, or not at all."""

from __future__ import annotations

import os
import uuid
from pathlib import Path, PurePosixPath
from typing import Any

from django.core.files.storage import FileSystemStorage


class WholeFiles(FileSystemStorage):
    """A file has its name only once all of it is written, so that a full disk leaves no half one.

    A file that is named after its content would otherwise stay empty for ever.
    """

    def _save(self, name: str, content: Any) -> str:
        part = str(PurePosixPath(name).with_name(f".{uuid.uuid4().hex}.part"))
        try:
            super()._save(part, content)  # type: ignore[misc]  # missing in the stubs
            return self._named(part, name)
        finally:
            Path(self.path(part)).unlink(missing_ok=True)

    def _named(self, part: str, name: str) -> str:
        """Give the file *part* its name, or one like it if another was quicker; return that."""
        while True:
            try:
                # Unlike renaming, this does not replace what another has just written.
                os.link(self.path(part), self.path(name))
            except FileExistsError:
                name = self.get_available_name(name)
            except OSError:  # a file system without links
                Path(self.path(part)).replace(self.path(name))
                return name
            else:
                return name
