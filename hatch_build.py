"""What building a wheel adds to the packages: templates, guides and compiled translations."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from hatchling.builders.hooks.plugin.interface import BuildHookInterface

# `osmosmjerka/paths.py` looks for them there.
SHIPPED = "osmosmjerka/_shipped"


class CustomBuildHook(BuildHookInterface[Any]):
    """Add what lies beside the packages in the repository, so that the wheel needs no checkout."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Name the files to add in *build_data*; an editable package uses the checkout's."""
        if version == "editable":
            return
        self._compiled = TemporaryDirectory()
        added = build_data["force_include"]
        added[str(Path(self.root, "templates"))] = f"{SHIPPED}/templates"
        for guide in ("docs/teach", "docs/learn"):
            added[str(Path(self.root, guide))] = f"{SHIPPED}/{guide}"
        added[self._compiled.name] = f"{SHIPPED}/locale"
        for source in Path(self.root, "locale").glob("*/LC_MESSAGES/*.po"):
            compile_catalogue(source, Path(self.root, "locale"), Path(self._compiled.name))

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Remove the compiled translations; the wheel contains them now."""
        if version != "editable":
            self._compiled.cleanup()


def compile_catalogue(source: Path, catalogues: Path, target: Path) -> None:
    """Compile *source*, which is below *catalogues*, to the same place below *target*."""
    language = source.relative_to(catalogues).parts[0]
    with source.open("rb") as file:
        catalogue = read_po(file, locale=language)
    compiled = (target / source.relative_to(catalogues)).with_suffix(".mo")
    compiled.parent.mkdir(parents=True, exist_ok=True)
    with compiled.open("wb") as file:
        write_mo(file, catalogue)
