"""The name under which other programs import the library, for the examples of its page."""

import importlib
import pkgutil
import sys

import pytest

from puzzles import generators, library

PUBLISHED = "osmosmjerka_puzzles"


@pytest.fixture
def published(monkeypatch):
    """Let this checkout's modules be imported as those of the wheel."""
    monkeypatch.setitem(sys.modules, PUBLISHED, library)
    for package, name in ((library, PUBLISHED), (generators, f"{PUBLISHED}.generators")):
        monkeypatch.setitem(sys.modules, name, package)
        for found in pkgutil.iter_modules(package.__path__):
            module = importlib.import_module(f"{package.__name__}.{found.name}")
            monkeypatch.setitem(sys.modules, f"{name}.{found.name}", module)
    return PUBLISHED
