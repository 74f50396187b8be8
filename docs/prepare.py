"""Copy the documentation to the folder that `make docs` builds a site from, with its links.

Some pages and pictures lie outside of docs/: the site has them, too. Links to code become text.
"""

from __future__ import annotations

import re
import shutil
import sys
from pathlib import Path

from library.build_hook import PACKAGE, collect

ROOT = Path(__file__).parents[1]
# Files of the repository that the site has as well, and where.
ADDED = {
    "CONTRIBUTING.md": "repository/CONTRIBUTING.md",
    "SECURITY.md": "repository/SECURITY.md",
    "CHANGELOG.md": "repository/CHANGELOG.md",
    "CODE_OF_CONDUCT.md": "repository/CODE_OF_CONDUCT.md",
    "NOTICES.md": "repository/NOTICES.md",
    "benchmarks/README.md": "repository/benchmarks.md",
} | {
    path.relative_to(ROOT).as_posix(): f"pictures/{path.name}"
    for path in (ROOT / "puzzles/static/puzzles/pictures").glob("*.svg")
}
_LINK = re.compile(r"\[([^\]\n]*)\]\(([^)\s:#]+)(#[^)\s]*)?\)")
_CODE = re.compile(r"(^ *```.*?^ *```$|`[^`\n]*`)", re.M | re.S)


def prepared(source: str, place: str) -> str:
    """Return a page of the repository as it is for the site, where its path is *place*."""
    here = (ROOT / source).parent
    up = "../" * place.count("/")

    def moved(found: re.Match[str]) -> str:
        text, target, anchor = found[1], found[2], found[3] or ""
        path = (here / target).resolve()
        name = path.relative_to(ROOT).as_posix() if path.is_relative_to(ROOT) else ""
        if name in ADDED:
            return f"[{text}]({up}{ADDED[name]}{anchor})"
        if name.startswith("docs/"):
            return f"[{text}]({up}{name.removeprefix('docs/')}{anchor})"
        return text if name and path.exists() else found[0]  # the builder reports what is missing

    parts = _CODE.split((ROOT / source).read_text(encoding="utf-8"))
    return "".join(
        part if part.lstrip(" ").startswith("`") else _LINK.sub(moved, part) for part in parts
    )


def prepare(folder: Path) -> None:
    """Write the sources of the site to a folder, which is emptied first."""
    shutil.rmtree(folder, ignore_errors=True)
    of_docs = {
        path.relative_to(ROOT).as_posix(): path.relative_to(ROOT / "docs").as_posix()
        for path in (ROOT / "docs").rglob("*")
        if path.suffix in (".md", ".png", ".svg")
    }
    for source, place in (of_docs | ADDED).items():
        (folder / place).parent.mkdir(parents=True, exist_ok=True)
        if place.endswith(".md"):
            (folder / place).write_text(prepared(source, place), encoding="utf-8")
        else:
            shutil.copy(ROOT / source, folder / place)


def prepare_library(folder: Path) -> None:
    """Write the library, whose docstrings the site has, to a folder, which is emptied first."""
    shutil.rmtree(folder, ignore_errors=True)
    collect(ROOT, folder / PACKAGE)


if __name__ == "__main__":
    prepare(Path(sys.argv[1]))
    prepare_library(Path(sys.argv[2]))
