"""Hashed static files; our scripts and styles are joined with what they import."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from django.core.files.base import ContentFile
from django.core.files.storage import InMemoryStorage, Storage
from whitenoise.storage import CompressedManifestStaticFilesStorage

from osmosmjerka.assets.bundling import OURS, Read, join_script, join_style
from osmosmjerka.server import preparation

_JOIN: dict[str, Callable[[str, Read], str]] = {".js": join_script, ".css": join_style}

Paths = dict[str, tuple[Storage, str]]  # by name: where its source is


class ModuleManifestStorage(CompressedManifestStaticFilesStorage):
    """Join the files whose names get a hash; in development, the browser follows the imports."""

    # For what stays imported, each statement must end in a semicolon.
    support_js_module_import_aggregation = True

    def post_process(
        self, paths: Paths, dry_run: bool = False, **options: Any
    ) -> Iterator[tuple[str, str | None, Any]]:
        yield from super().post_process(paths | _joined(paths), dry_run=dry_run, **options)
        if not dry_run:  # last, so that an interrupted run counts as none
            self.delete(preparation.SOURCES)
            made_from = preparation.fingerprint_of_sources()
            self._save(preparation.SOURCES, ContentFile(made_from.encode()))


def _joined(paths: Paths) -> Paths:
    """Return where the joined texts of our files are, in memory."""

    def read(name: str) -> str:
        storage, path = paths[name]
        with storage.open(path) as file:
            return str(file.read(), "utf-8")

    memory = InMemoryStorage()
    found: Paths = {}
    for name in paths:
        join = _JOIN.get(name[name.rfind(".") :])
        if join and name.startswith(OURS):
            found[name] = (memory, memory.save(name, ContentFile(join(name, read).encode())))
    return found
