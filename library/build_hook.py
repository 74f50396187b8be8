"""Collect the pure rooms of the repository as one package, whose imports name each other there.

The sources stay where the site has them; a source distribution contains the package as it is
collected here.
"""

from __future__ import annotations

import ast
import re
import shutil
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

PACKAGE = "osmosmjerka_puzzles"
# Packages and modules of the repository, and what they are called here.
ROOMS = {
    "puzzles.library": PACKAGE,
    "puzzles.generators": f"{PACKAGE}.generators",
    "puzzles.exports": f"{PACKAGE}.exports",
    "vocab.formats": f"{PACKAGE}.formats",
    "vocab.message": f"{PACKAGE}.message",
    "vocab.text": f"{PACKAGE}.text",
    "vocab.text_fields": f"{PACKAGE}.text_fields",
    "osmosmjerka.i18n.code_pages": f"{PACKAGE}.code_pages",
    "osmosmjerka.paper": f"{PACKAGE}.paper",
}
_NAME = re.compile(rf"\b({'|'.join(map(re.escape, ROOMS))})\b")
_FROM_AN_APP = re.compile(r"^(\s*from )vocab( import )", re.M)
_APPS = {"puzzles", "vocab", "osmosmjerka", "django"}


class CustomBuildHook(BuildHookInterface[Any]):
    """Add the package to a wheel or a source distribution that is built in the repository."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Name the files to add in *build_data*."""
        if Path(self.root, PACKAGE).exists():  # a source distribution
            return
        self._collected = TemporaryDirectory()
        collect(Path(self.root).parent, Path(self._collected.name))
        build_data["force_include"][self._collected.name] = PACKAGE

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Remove what was collected; the artifact contains it now."""
        if hasattr(self, "_collected"):
            self._collected.cleanup()


def collect(repository: Path, target: Path) -> None:
    """Write the rooms of *repository* to the folder *target*, which becomes the package.

    Raises ImportError if a module imports what is not in the package.
    """
    for room, name in ROOMS.items():
        source = repository / room.replace(".", "/")
        place = target.joinpath(*name.split(".")[1:])
        if source.is_dir():
            ignored = shutil.ignore_patterns("__pycache__")
            shutil.copytree(source, place, ignore=ignored, dirs_exist_ok=True)
        else:
            for file in source.parent.glob(f"{source.name}.*"):  # also its table
                shutil.copy(file, place.with_suffix(file.suffix))
    for path in target.rglob("*.py"):
        text = _NAME.sub(lambda found: ROOMS[found[1]], path.read_text(encoding="utf-8"))
        text = _FROM_AN_APP.sub(rf"\1{PACKAGE}\2", text)
        path.write_text(text, encoding="utf-8")
        if strange := _APPS & {name.partition(".")[0] for name in imported(ast.parse(text))}:
            raise ImportError(f"{path.relative_to(target)} imports {', '.join(strange)}")
    shutil.copy(repository / "LICENSE", target)
    (target / "py.typed").touch()


def imported(tree: ast.AST) -> set[str]:
    """Return the names of the modules that a module imports."""
    found: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            found.add(node.module or "")
    return found
