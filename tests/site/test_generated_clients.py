"""Clients that other people's generators make of the API: they hold a whole lesson."""

import json
import os
import shutil
import subprocess
import sys

import pytest
import requests
from django.conf import settings

from puzzles.models import PlaySession, Puzzle
from tests import npm
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
    return npm.packages(request.config.cache, PROGRAMS)


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
