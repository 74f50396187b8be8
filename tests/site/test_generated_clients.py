"""Clients that other people's generators make of the API: they hold a whole lesson."""

import fcntl
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys

import pytest
import requests
from django.conf import settings

from puzzles.models import PlaySession, Puzzle
from tests.conftest import PASSWORD
from tests.services import missing

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.thorough,  # the recipes, test_api_recipes, are daily
    pytest.mark.xdist_group("api-clients"),
]

PROGRAMS = settings.BASE_DIR / "tests/api_clients"
LESSON = {"found": 4, "total": 4, "statuses": ["done"], "refused": [400, "invalid"]}


@pytest.fixture(scope="module")
def packages(request):
    """The folder with the packages of package.json, which is kept for the next run."""
    npm = shutil.which("npm") or missing("npm")
    lock = (PROGRAMS / "package-lock.json").read_bytes()
    folder = request.config.cache.mkdir(f"npm-{hashlib.sha256(lock).hexdigest()[:12]}")
    # Other processes of this run may want the same folder at the same time.
    with (folder / "lock").open("w") as lock_file:
        fcntl.flock(lock_file, fcntl.LOCK_EX)
        if not (folder / "installed").exists():
            install(npm, folder)
    return folder / "node_modules"


def install(npm, folder):
    for name in ("package.json", "package-lock.json"):
        shutil.copy(PROGRAMS / name, folder)
    # No package runs a program of its own while it is installed.
    command = [npm, "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--fetch-retries=3"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    if re.search(r"E(NOTFOUND|AI_AGAIN|CONNREFUSED|TIMEDOUT|NETUNREACH)", done.stderr):
        # What is outside of the machine cannot be had by installing something, not even in CI.
        pytest.skip("npm’s registry cannot be reached")
    assert done.returncode == 0, done.stderr
    (folder / "installed").touch()


@pytest.fixture
def site(served, classroom, worker):
    """The variables that tell a program of the lesson where it is."""
    return {"SITE": served, "PASSWORD": PASSWORD, "CLASSROOM": str(classroom.pk)}


def run(*command, folder, **environment):
    done = subprocess.run(
        command, cwd=folder, env=os.environ | environment, capture_output=True, text=True
    )
    assert done.returncode == 0, f"{command}:\n{done.stdout}{done.stderr}"
    return done.stdout


def assert_the_lesson_was_held(told, student):
    assert json.loads(told) == LESSON
    assert Puzzle.objects.get().title == "Animals"
    session = PlaySession.objects.get()
    assert session.student == student and session.finished_at is not None


def test_a_client_in_python(site, served, student, tmp_path):
    (tmp_path / "settings.yaml").write_text("post_hooks: []\n")  # it would format the code
    told = run(
        *(sys.executable, "-m", "openapi_python_client", "generate", "--meta", "none"),
        *("--url", f"{served}/api/schema/?format=json", "--output-path", "made_client"),
        *("--config", "settings.yaml"),
        folder=tmp_path,
    )
    assert "Endpoint will not be generated" not in told
    shutil.copy(PROGRAMS / "school.py", tmp_path)
    assert_the_lesson_was_held(run(sys.executable, "school.py", folder=tmp_path, **site), student)
    # All of it can be imported, not only what the lesson needs.
    program = (
        "import importlib, pkgutil, made_client\n"
        "for found in pkgutil.walk_packages(made_client.__path__, 'made_client.'):\n"
        "    importlib.import_module(found.name)\n"
    )
    run(sys.executable, "-c", program, folder=tmp_path)


def test_a_client_in_typescript(site, served, student, packages, tmp_path):
    node = shutil.which("node") or missing("Node.js")
    (tmp_path / "node_modules").symlink_to(packages)
    for name in ("school.ts", "tsconfig.json", "package.json"):
        shutil.copy(PROGRAMS / name, tmp_path)
    description = f"{served}/api/schema/?format=json"
    run(
        *(node, "node_modules/openapi-typescript/bin/cli.js", description, "-o", "schema.d.ts"),
        folder=tmp_path,
    )
    run(node, "node_modules/typescript/bin/tsc", folder=tmp_path)
    assert_the_lesson_was_held(run(node, "out/school.js", folder=tmp_path, **site), student)


@pytest.fixture
def lint(packages, tmp_path):
    """Return what Spectral finds in a description at a path or an address."""
    shutil.copy(PROGRAMS / "spectral.yaml", tmp_path)
    (tmp_path / "node_modules").symlink_to(packages)
    node = shutil.which("node") or missing("Node.js")

    def lint(description):
        program = "node_modules/@stoplight/spectral-cli/dist/index.js"
        command = [node, program, "lint", description, "--ruleset", "spectral.yaml"]
        command += ["--format", "json", "--quiet"]
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
        return [one["code"] for one in json.loads(done.stdout)]

    return lint


def test_a_linter_of_descriptions_finds_nothing(served, lint, tmp_path):
    assert lint(f"{served}/api/schema/?format=json") == []
    # The control.
    broken = requests.get(f"{served}/api/schema/?format=json", timeout=60).json()
    del broken["paths"]["/api/lists/{id}/"]["get"]["parameters"]
    broken["paths"]["/api/lists/"]["get"]["operationId"] = "lists_create"
    (tmp_path / "broken.json").write_text(json.dumps(broken))
    assert set(lint("broken.json")) == {"path-params", "operation-operationId-unique"}
