"""The wheel `osmosmjerka-puzzles` where nothing else of ours is, and no Django."""

import ast
import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
import venv
import zipfile
from pathlib import Path

import pytest

import osmosmjerka
from library.build_hook import PACKAGE, collect, imported

ROOT = Path(__file__).parents[3]
PROJECT = tomllib.loads((ROOT / "library" / "pyproject.toml").read_text(encoding="utf-8"))
SITE = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
NEEDED = {"numpy", "numba", "babel", "regex"}

# One after another, so that the wheel is built and installed once.
pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("library")]

TEN_LINES = """
import importlib.util, sys
from osmosmjerka_puzzles import MissingExtra, Puzzle, crossword, listen_and_find, word_search
for made in (word_search(["cat", "dog"]), listen_and_find(["cat", "dog"]),
             crossword({"cat": "meows", "dog": "barks", "goat": "bleats"})):
    print(Puzzle.from_json(made.to_json()) == made, made._repr_svg_()[:5], len(str(made)) > 20)
try:
    made.save("a.pdf")
except MissingExtra as error:
    print(error)
ours = {"django", "puzzles", "vocab", "osmosmjerka"}
print(ours & {name.partition(".")[0] for name in sys.modules})
print([name for name in ours if importlib.util.find_spec(name)])
"""


def pip(*arguments):
    return subprocess.run([sys.executable, "-m", "pip", *arguments], capture_output=True, text=True)


def built(source, folder, what="wheel"):
    """Build a wheel, or "sdist", as pip would ask for it."""
    program = f"from hatchling.build import build_{what}; build_{what}({str(folder)!r})"
    subprocess.run([sys.executable, "-c", program], cwd=source, check=True)
    (made,) = folder.glob("osmosmjerka_puzzles-*")
    return made


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    return built(ROOT / "library", tmp_path_factory.mktemp("library"))


@pytest.fixture(scope="module")
def python(wheel, tmp_path_factory):
    """A Python that has the wheel and what it depends on, from the package index."""
    python = tmp_path_factory.mktemp("environment") / "bin" / "python"
    venv.create(python.parents[1])
    done = pip("--python", str(python), "install", "--quiet", "--no-compile", str(wheel))
    if done.returncode:
        pytest.skip(f"The package index cannot be reached: {done.stderr.strip()[-300:]}")
    yield python
    shutil.rmtree(python.parents[1])  # 340 MB


def run(*command, **options):
    """Run without compiling, which takes a minute: Numba's functions are also plain Python."""
    environment = {"PATH": os.environ["PATH"], "NUMBA_DISABLE_JIT": "1", "PYTHONWARNINGS": "ignore"}
    return subprocess.run(command, env=environment, capture_output=True, text=True, **options)


def test_the_wheel_has_the_version_the_licence_and_types(wheel):
    with zipfile.ZipFile(wheel) as file:
        held = set(file.namelist())
    assert {name.split("/")[0] for name in held} == {
        PACKAGE,
        f"{PACKAGE}-{osmosmjerka.__version__}.dist-info",
    }
    assert {f"{PACKAGE}/LICENSE", f"{PACKAGE}/py.typed", f"{PACKAGE}/text/alphabets.toml"} <= held
    assert f"{PACKAGE}/code_pages.toml" in held
    assert not any("__pycache__" in name for name in held)


def test_the_source_distribution_makes_the_same_wheel(wheel, tmp_path):
    archive = built(ROOT / "library", tmp_path, "sdist")
    shutil.unpack_archive(archive, tmp_path)
    again = built(str(archive).removesuffix(".tar.gz"), tmp_path / "wheel")
    with zipfile.ZipFile(wheel) as one, zipfile.ZipFile(again) as other:
        assert one.namelist() == other.namelist()
        assert again.name == wheel.name


def test_a_module_that_imports_the_site_is_not_shipped(tmp_path):
    """The control: a copy of the rooms, one of which names a model."""
    copy = tmp_path / "repository"
    for part in ("puzzles", "vocab", "osmosmjerka"):
        shutil.copytree(
            ROOT / part, copy / part, ignore=shutil.ignore_patterns("static", "fonts", "*.nb?")
        )
    shutil.copy(ROOT / "LICENSE", copy)
    collect(copy, tmp_path / "whole")
    (copy / "puzzles/exports/board.py").write_text("from vocab.models import Entry\n")
    with pytest.raises(ImportError, match=r"exports/board\.py imports vocab"):
        collect(copy, tmp_path / "broken")


def test_it_imports_only_what_is_declared_or_an_extra_has(tmp_path):
    """Readers of other files lie beside what reads words; the library does not call them."""
    collect(ROOT, tmp_path)
    extras = {"PIL", "docx", "icu", "puz", "pypdfium2", "segno", "uharfbuzz"}
    of_others = {"charset_normalizer", "defusedxml", "openpyxl", "zstandard"}
    names = {
        name.partition(".")[0]
        for path in tmp_path.rglob("*.py")
        for name in imported(ast.parse(path.read_text(encoding="utf-8")))
    }
    assert names - sys.stdlib_module_names == {PACKAGE, *NEEDED, *extras, *of_others}


def test_its_dependencies_are_those_of_the_site():
    """So that both are tested with the same versions."""
    own = PROJECT["project"]["dependencies"]
    extras = [
        one for extra in PROJECT["project"]["optional-dependencies"].values() for one in extra
    ]
    named = {re.split(r"[^A-Za-z0-9-]", one)[0].lower() for one in own}
    assert named == NEEDED
    listed = set(SITE["project"]["dependencies"])
    assert {one for one in (*own, *extras) if not one.startswith("osmosmjerka")} <= listed


@pytest.mark.thorough
def test_ten_lines_make_each_kind_where_no_django_is(python, tmp_path):
    done = run(python, "-c", TEN_LINES, cwd=tmp_path)
    assert done.stderr == ""
    *made, refused, loaded, found = done.stdout.splitlines()
    assert made == ["True <svg  True"] * 3
    assert refused.endswith('pip install "osmosmjerka-puzzles[pdf]"')
    assert (loaded, found) == ("set()", "[]")


@pytest.mark.thorough
def test_the_command_makes_each_kind(python, tmp_path):
    program = python.with_name("osmosmjerka-puzzles")
    (tmp_path / "words.txt").write_text("žaba\tfrog\nbara\tpuddle\n", "utf-8")
    for kind in ("word-search", "finder", "crossword"):
        done = run(program, kind, "words.txt", "--format", "json", cwd=tmp_path)
        assert {word["word"] for word in json.loads(done.stdout)["placements"]} == {"žaba", "bara"}
    assert "Traceback" not in run(program, "finder", "nothing.txt", cwd=tmp_path).stderr
    shown = run(program, "--help").stdout
    assert shown.startswith("usage: osmosmjerka-puzzles ") and "examples:" in shown


@pytest.mark.thorough
def test_the_page_s_commands_do_what_it_says(python, tmp_path):
    (tmp_path / "animals.tsv").write_text("cat\tmačka\ndog\tpas\nhorse\tkonj\n", "utf-8")
    page = (ROOT / "docs" / "library.md").read_text(encoding="utf-8")
    commands = re.search(r"## In the shell.*?```sh\n(.*?)```", page, re.S)[1]
    done = run("bash", "-e", "-c", f"PATH={python.parent}:$PATH\n{commands}", cwd=tmp_path)
    assert (done.returncode, done.stdout.count("\nhorse\n")) == (0, 1), done.stderr
    assert {path.name for path in tmp_path.iterdir()} == {"animals.tsv", "test-A.svg", "test-B.svg"}


@pytest.mark.thorough
def test_the_recipes_are_true_there(python, tmp_path):
    done = run(python, "-m", "doctest", str(ROOT / "docs" / "library.md"), cwd=tmp_path)
    assert (done.returncode, done.stdout) == (0, ""), done.stdout + done.stderr
    (tmp_path / "false.md").write_text(">>> import django\n", encoding="utf-8")
    assert run(python, "-m", "doctest", "false.md", cwd=tmp_path).returncode == 1  # the control
