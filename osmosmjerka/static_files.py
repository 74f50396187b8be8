"""Hashed static files, with ES modules that import each other by their hashed names."""

from __future__ import annotations

from whitenoise.storage import CompressedManifestStaticFilesStorage


class ModuleManifestStorage(CompressedManifestStaticFilesStorage):
    """Rewrite imports in ES modules; each import statement must end in a semicolon."""

    support_js_module_import_aggregation = True
