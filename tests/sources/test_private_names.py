"""No name that is private to a library is used: it may change with any version of that."""

import ast
from http.client import HTTPConnection
from importlib import import_module
from inspect import isclass, isfunction

import pytest

from tests.sources.test_code import PYTHON, ROOT

# Begin with an underscore, but are documented: by Django, and for named tuples by Python.
DOCUMENTED = {
    "_meta", "_base_manager", "_default_manager", "_state", "_save", "_open", "_asdict", "_replace",
}  # fmt: skip
EXCEPTIONS = {
    # drf-spectacular documents it for extensions, which change what it would describe.
    ("osmosmjerka/rest/schema.py", "_map_serializer"),
    # bulk_create() sets the time of the last change, and save_base() inserts row by row.
    ("osmosmjerka/backups/moving.py", "_insert"),
    # Numba has no other way to a cache which notices that what a function calls has changed.
    ("puzzles/generators/kernels.py", "_cache"),
}
OURS = ("osmosmjerka", "vocab", "puzzles")


def is_private(name):
    return name.startswith("_") and not name.endswith("_") and name not in DOCUMENTED


def own_names(tree):
    """Return the names that a module defines: also of attributes of its classes' objects."""
    for node in ast.walk(tree):
        is_set = isinstance(getattr(node, "ctx", None), ast.Store)
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            yield node.name
        elif is_set and isinstance(node, ast.Name):
            yield node.id
        elif is_set and ast.unparse(node).startswith(("self.", "cls.")):
            yield getattr(node, "attr", "")


def private_names(tree):
    """Yield the private names that a module takes from others."""
    own = set(own_names(tree))
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute):
            of = ast.unparse(node.value)
            is_ours = of in ("self", "cls") or (node.attr in own and of != "super()")
            if is_private(node.attr) and not is_ours:
                yield node.attr
        elif isinstance(node, ast.ImportFrom):
            parts = [*(node.module or "").split("."), *(alias.name for alias in node.names)]
            yield from filter(is_private, parts)
        elif isinstance(node, ast.Import):
            for alias in node.names:
                yield from filter(is_private, alias.name.split("."))


def used():
    for path in PYTHON:
        name = str(path.relative_to(ROOT))
        for private in private_names(ast.parse(path.read_text(encoding="utf-8"))):
            yield name, private


def test_no_private_name_of_a_library_is_used():
    assert set(used()) == EXCEPTIONS
    assert len(EXCEPTIONS) <= 5


def overridden(kind):
    """Return the methods of a class that replace one which is private to a library."""
    bases = [base for base in kind.__mro__[1:] if not base.__module__.startswith(OURS)]
    return {
        name
        for name, what in vars(kind).items()
        if is_private(name) and isfunction(what) and any(name in vars(base) for base in bases)
    }


def modules():
    for path in PYTHON:
        name = str(path.relative_to(ROOT))
        if path.stem != "__main__":
            yield import_module(
                name.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
            )


def test_no_private_method_of_a_library_is_replaced():
    classes = {kind for module in modules() for kind in vars(module).values() if isclass(kind)}
    ours = {kind for kind in classes if kind.__module__.startswith(OURS)}
    assert len(ours) > 500
    found = {(kind, *overridden(kind)) for kind in ours if overridden(kind)}
    assert found == set()


def test_a_method_that_replaces_one_would_be_found():
    """The control."""

    class Impatient(HTTPConnection):
        def _tunnel(self):
            pass

        def _own(self):
            pass

    assert overridden(Impatient) == {"_tunnel"}


@pytest.mark.parametrize(
    ("line", "name"),
    [
        ("response._has_been_logged = True", "_has_been_logged"),
        ("class A(B):\n    def _close(self):\n        super()._close()", "_close"),
        ("from django.utils.functional import _StrPromise", "_StrPromise"),
        ("from openpyxl.worksheet._reader import WorkSheetParser", "_reader"),
        ("import numba.core._cache", "_cache"),
        ("sheets()[0]._cells", "_cells"),
    ],
)
def test_each_would_be_found(line, name):
    """The control."""
    assert [*private_names(ast.parse(line))] == [name]


@pytest.mark.parametrize(
    "line",
    [
        "self._name",
        "model._meta",
        "row.__class__",
        "from osmosmjerka import __version__",
        "class A:\n    def __init__(self):\n        self._a = 1\nprint(A()._a)",
    ],
)
def test_our_own_and_documented_ones_are_not(line):
    assert not [*private_names(ast.parse(line))]
