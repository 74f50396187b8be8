"""The generators for other programs: documented, typed, without side effects.

The library that is made of them is in tests/puzzles/library.
"""

import ast
import doctest
import inspect
import os
import shutil
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest

from puzzles import generators
from puzzles.generators import crossword, errors, finder, generate_grid, word_search
from puzzles.generators.word_search import masks

ROOT = Path(__file__).parents[3]
WORDS = ["apple", "pear", "plum", "cherry", "lemon", "melon", "grape", "peach", "mango", "fig"]


@pytest.mark.parametrize("module", [crossword.generator, word_search.generator, masks])
def test_the_examples_in_the_modules_are_true(module):
    assert doctest.testmod(module).attempted
    assert doctest.testmod(module).failed == 0


PUBLIC = [
    generate_grid,
    generators.warm_up,
    crossword.generate,
    finder.generate,
    word_search.generate,
    word_search.directions_of,
]


@pytest.mark.parametrize("function", PUBLIC, ids=lambda f: f"{f.__module__}.{f.__name__}")
def test_a_public_function_says_in_types_and_words_what_it_takes_and_returns(function):
    signature = inspect.signature(function)
    assert signature.return_annotation is not inspect.Signature.empty
    for parameter in signature.parameters.values():
        assert parameter.annotation is not inspect.Parameter.empty
    text = inspect.getdoc(function)
    if "rng" in signature.parameters:
        assert "Returns:" in text and "Raises:" in text and "*rng*" in text


@pytest.mark.parametrize("package", ["osmosmjerka", "vocab", "puzzles"])
def test_type_checkers_of_other_programs_may_read_our_types(package):
    assert (ROOT / package / "py.typed").is_file()


MAKERS = {
    "word_search": lambda **chance: word_search.generate(WORDS, **chance).grid,
    "finder": lambda **chance: finder.generate(WORDS, **chance).grid,
    "crossword": lambda **chance: crossword.generate(WORDS, **chance).grid,
    "generate_grid": lambda **chance: generate_grid([{"word": w} for w in WORDS], **chance)[0],
}


@pytest.mark.parametrize("name", MAKERS)
def test_without_chance_of_ones_own_every_puzzle_is_another(name):
    make = MAKERS[name]
    assert make(rng=Random(1)) == make(rng=Random(1))
    grids = [make() for _ in range(4)]
    assert any(grid != grids[0] for grid in grids[1:])


def test_every_error_is_where_errors_are():
    found = {
        node.name: path.name
        for path in (ROOT / "puzzles" / "generators").rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.ClassDef)
        and any(isinstance(base, ast.Name) and base.id.endswith("Error") for base in node.bases)
    }
    assert found
    assert set(found.values()) == {"errors.py"}
    assert crossword.CrosswordError is errors.CrosswordError


IMPORT_ALL = """
import importlib, pkgutil, sys
sys.path.insert(0, {folder!r})
from puzzles import generators
for found in pkgutil.walk_packages(generators.__path__, "puzzles.generators."):
    importlib.import_module(found.name)
"""


def test_importing_changes_no_file_even_if_compiled_code_is_old(tmp_path):
    """Whoever may not write beside the package can import it."""
    for package in ("puzzles", "vocab"):
        shutil.copytree(
            ROOT / package, tmp_path / package, ignore=shutil.ignore_patterns("*.nb?", "static")
        )
    old = tmp_path / "puzzles" / "generators" / "__pycache__" / "grid.f-1.py311.nbi"
    old.parent.mkdir(exist_ok=True)
    old.touch()
    os.utime(old, (1000, 1000))

    program = IMPORT_ALL.format(folder=str(tmp_path))
    subprocess.run([sys.executable, "-c", program], cwd=tmp_path, check=True)
    assert old.exists()


def test_where_no_compiled_code_can_be_kept_puzzles_are_made_and_a_line_says_why():
    """Without it, Numba refuses to compile at all: the control."""
    program = """
import logging
from numba import njit
from numba.core import caching
logging.basicConfig()
for impl in vars(caching).values():
    if hasattr(impl, "_locator_classes"):
        impl._locator_classes = []
try:
    njit(cache=True)(lambda: None)
except RuntimeError:
    print("refused")
from puzzles.generators import kernels
kernels._Place._locator_classes = []
@kernels.kernel
def double(number):
    return 2 * number
print(double(21))
"""
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == ["refused", "42"]
    assert "NUMBA_CACHE_DIR" in done.stderr
