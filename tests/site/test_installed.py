"""The wheel in an empty environment and an empty folder, as who types `pip install` has it."""

import os
import re
import signal
import subprocess
import sys
import sysconfig
import tomllib
import venv
import zipfile
from pathlib import Path

import pytest

import osmosmjerka
from osmosmjerka.__main__ import MATTER
from tests.jobs.test_kill import free_port
from tests.services import is_listening, wait_until
from tests.site.starting import page

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
PACKAGES = ("osmosmjerka", "vocab", "puzzles")

# One after another, so that the wheel is built once.
pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("installed")]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    """The wheel of this checkout, built without a network."""
    folder = tmp_path_factory.mktemp("wheel")
    pip = [sys.executable, "-m", "pip", "wheel", "--no-deps", "--no-build-isolation", "--no-index"]
    subprocess.run([*pip, "--wheel-dir", folder, ROOT], check=True, capture_output=True)
    (built,) = folder.glob("*.whl")
    return built


def environment(folder, wheel, *, libraries):
    """Create a Python of its own with the wheel, and with this one's *libraries* or none."""
    venv.create(folder)
    python = folder / "bin" / "python"
    pip = [sys.executable, "-m", "pip", "--python", python, "install", "--no-compile"]
    command = [*pip, "--no-deps", "--no-index", wheel]
    subprocess.run(command, check=True, capture_output=True)
    if libraries:
        packages = next(folder.glob("lib/*/site-packages"))
        (packages / "libraries.pth").write_text(sysconfig.get_path("purelib"))
    return python


@pytest.fixture(scope="module")
def python(wheel, tmp_path_factory):
    return environment(tmp_path_factory.mktemp("environment") / "env", wheel, libraries=True)


class Folder:
    """An empty folder in which the installed program is run."""

    def __init__(self, path, python):
        self.path = path
        self.command = python.with_name("osmosmjerka")
        self.python = python
        self.variables = {
            name: value for name, value in os.environ.items() if name in {"PATH", "HOME", "LANG"}
        }
        (path / ".env").write_text("LANGUAGE_CODE=hr\nOSMOSMJERKA_GTTS=false\n")

    def run(self, *command):
        return subprocess.run(
            command, cwd=self.path, env=self.variables, capture_output=True, text=True
        )

    def __call__(self, *arguments):
        return self.run(self.command, *arguments)


@pytest.fixture
def program(python, tmp_path):
    return Folder(tmp_path, python)


def test_the_wheel_holds_every_file_of_the_packages_and_every_template(wheel):
    with zipfile.ZipFile(wheel) as file:
        held = set(file.namelist())
    shipped = {
        path: str(path.relative_to(ROOT))
        for package in PACKAGES
        for path in (ROOT / package).rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    } | {
        path: f"osmosmjerka/_shipped/{path.relative_to(ROOT)}"
        for path in (ROOT / "templates").rglob("*.html")
    }
    assert set(shipped.values()) - held == set()
    catalogues = {
        f"osmosmjerka/_shipped/{path.relative_to(ROOT).with_suffix('.mo')}"
        for path in (ROOT / "locale").rglob("*.po")
    }
    assert catalogues and catalogues <= held
    assert any(name.endswith("licenses/LICENSE") for name in held)
    assert {name.split("/")[0] for name in held} == {
        *PACKAGES,
        f"osmosmjerka-{osmosmjerka.__version__}.dist-info",
    }


@pytest.mark.thorough
def test_the_version_is_in_one_place(program):
    assert "version" not in PROJECT["project"]
    told = program("--version")
    assert told.stdout == f"Osmosmjerka {osmosmjerka.__version__}\n"
    assert program.run(program.python, "-m", "osmosmjerka", "--version").stdout == told.stdout
    assert not (program.path / "var").exists()


@pytest.mark.thorough
def test_the_name_alone_lists_the_commands_that_matter(program):
    told = program()
    assert told.returncode == 0, told.stderr
    for name in MATTER:
        assert f"osmosmjerka {name} " in told.stdout
    for words in (["help", "make-puzzle"], ["make-puzzle", "--help"]):
        assert program(*words).stdout.startswith("usage: osmosmjerka make-puzzle")
    assert not (program.path / "var").exists()  # only now somebody asks for a site
    wrong = program("setup-sit")
    assert wrong.returncode == 1
    assert "Did you mean setup_site?" in wrong.stderr


@pytest.mark.thorough
def test_a_puzzle_is_made_in_an_empty_folder_and_nothing_else_is_left_there(program):
    (program.path / "words.txt").write_text("žaba\tfrog\nslon\telephant\nпчела\tbee\n", "utf-8")
    arguments = ("finder", "words.txt", "--size=6x8", "--seed=1", "-o", "words.pdf")
    with_hyphen = program("make-puzzle", *arguments)
    assert with_hyphen.returncode == 0, with_hyphen.stderr
    assert "Traceback" not in with_hyphen.stderr
    made = program.path / "words.pdf"
    assert made.read_bytes().startswith(b"%PDF-")
    assert {path.name for path in program.path.iterdir()} == {".env", "words.txt", "words.pdf"}
    made.unlink()
    assert program("make_puzzle", *arguments).returncode == 0
    assert made.exists()


@pytest.mark.thorough
def test_a_site_is_served_from_an_empty_folder_in_the_language_of_its_env_file(program):
    """With styles, and with a link in its log that sets it up."""
    port = int(free_port())
    log = program.path / "log.txt"
    with log.open("w") as file:
        process = subprocess.Popen(
            [program.command, "serve", f"--port={port}"],
            cwd=program.path,
            env=program.variables,
            stdout=file,
            stderr=file,
        )
    try:
        wait_until(lambda: is_listening(port) or process.poll() is not None)
        assert process.poll() is None, log.read_text()
        status, text = page(port)
        assert status == 200
        assert '<html lang="hr"' in text and "Prijavi se" in text
        styles = re.findall(r'href="(/static/[^"]+\.css)"', text)
        assert styles
        for path in styles:
            assert page(port, path)[0] == 200
        link = re.search(r"(/setup/\?code=(\S+))", log.read_text())
        status, text = page(port, link[1])
        assert (status, f'value="{link[2]}"' in text) == (200, True)
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(timeout=60)
    told = log.read_text()
    assert told.rstrip().endswith("Stopped.")
    assert not re.search(r"WARNING|ERROR|CRITICAL|Traceback|make setup", told), told
    assert (program.path / "var" / "osmosmjerka.sqlite3").is_file()


@pytest.mark.thorough
def test_gunicorn_finds_our_settings_without_the_checkout(program):
    gunicorn = [program.python, "-m", "gunicorn", "--print-config", "osmosmjerka.wsgi"]
    ours = "gunicorn_log.Log"
    told = program.run(*gunicorn, "-c", "python:osmosmjerka.gunicorn_conf")
    assert ours in told.stdout, told.stderr
    assert ours not in program.run(*gunicorn).stdout  # the control


@pytest.mark.thorough
def test_gunicorn_finds_our_settings_in_the_checkout_by_itself(tmp_path):
    done = subprocess.run(
        [sys.executable, "-m", "gunicorn", "--print-config", "osmosmjerka.wsgi"],
        cwd=ROOT,
        env=os.environ | {"OSMOSMJERKA_DATA_DIR": str(tmp_path)},
        capture_output=True,
        text=True,
    )
    assert "gunicorn_log.Log" in done.stdout, done.stderr


@pytest.mark.thorough
def test_the_generators_are_imported_where_no_other_library_is(wheel, tmp_path):
    python = environment(tmp_path / "env", wheel, libraries=False)
    program = "import puzzles.generators, puzzles.generators.errors; import django"
    done = subprocess.run([python, "-c", program], cwd=tmp_path, capture_output=True, text=True)
    assert done.stderr.splitlines()[-1] == "ModuleNotFoundError: No module named 'django'"
