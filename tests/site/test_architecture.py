"""The house's rules: which way imports go, and what runs without Django."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
# Each part may import what stands to its left. The project's urls, API index and settings
# compose the parts and so name them all.
ORDER = ["osmosmjerka", "vocab", "puzzles"]
COMPOSITION = {"osmosmjerka/urls.py", "osmosmjerka/api.py", "osmosmjerka/settings.py"}

PURE = [
    "vocab.message",
    "vocab.text",
    "vocab.scheduling",
    "vocab.pasting",
    "vocab.formats",
    "vocab.speech",
    "puzzles.generators",
    "puzzles.exports",
]


def imported_parts(path):
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        names = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module:
            names = [node.module]
        yield from (name.split(".")[0] for name in names)


@pytest.mark.parametrize("part", ORDER)
def test_imports_go_one_way(part):
    forbidden = set(ORDER[ORDER.index(part) + 1 :])
    found = [
        f"{path.relative_to(ROOT)} imports {name}"
        for path in (ROOT / part).rglob("*.py")
        if path.relative_to(ROOT).as_posix() not in COMPOSITION
        for name in imported_parts(path)
        if name in forbidden
    ]
    assert found == []


@pytest.mark.parametrize("package", PURE)
def test_pure_modules_need_no_django(package):
    """Import every module of the package in a fresh interpreter and look for Django."""
    program = f"""
import importlib, pkgutil, sys
package = importlib.import_module({package!r})
for found in pkgutil.walk_packages(getattr(package, "__path__", []), {package!r} + "."):
    importlib.import_module(found.name)
loaded = sorted(name for name in sys.modules if name.split(".")[0] == "django")
sys.exit(", ".join(loaded) or 0)
"""
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_no_template_has_inline_style_or_script():
    found = [
        f"{path.relative_to(ROOT)}: {line.strip()}"
        for path in (ROOT / "templates").rglob("*.html")
        for line in path.read_text(encoding="utf-8").splitlines()
        if " style=" in line
        or "<style" in line
        or "javascript:" in line
        or ("<script" in line and "src=" not in line)
        or any(f" on{event}=" in line for event in ("click", "load", "change", "submit", "input"))
    ]
    assert found == []
