"""A test that passes only when it is run again is never passed over in silence."""

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
# Stands for make: each time `make test` is asked for, the next answer of "answers" is given.
MAKE = """#!/usr/bin/env python3
import json, pathlib, sys
if sys.argv[1] == "test":
    answers = json.loads(pathlib.Path("answers").read_text())
    failed = answers.pop(0)
    pathlib.Path("answers").write_text(json.dumps(answers))
    cache = pathlib.Path(".pytest_cache/v/cache")
    if "--last-failed" in " ".join(sys.argv):
        print("Asked for:", *json.loads((cache / "lastfailed").read_text()))
    cache.mkdir(parents=True, exist_ok=True)
    (cache / "lastfailed").write_text(json.dumps(dict.fromkeys(failed, True)))
    sys.exit(bool(failed))
"""


@pytest.fixture
def ci(tmp_path):
    """Run .ci/run in an empty folder, where each run of the suite fails at the tests given."""
    (tmp_path / ".ci").mkdir()
    shutil.copy(ROOT / ".ci" / "run", tmp_path / ".ci")
    (tmp_path / "tests" / "browser").mkdir(parents=True)
    commands = tmp_path / "commands"
    commands.mkdir()
    programs = ("apt-get", "chromium", "node", "redis-server", "redis-cli", "pg_isready")
    for name, text in {"make": MAKE, **dict.fromkeys(programs, "#!/bin/sh\n")}.items():
        (commands / name).write_text(text)
        (commands / name).chmod(0o755)

    def run(*answers):
        (tmp_path / "answers").write_text(json.dumps(answers))
        return subprocess.run(
            [tmp_path / ".ci" / "run"],
            env=os.environ | {"PATH": f"{commands}:{os.environ['PATH']}"},
            capture_output=True,
            text=True,
        )

    return run


def test_a_run_without_failures_says_that_nothing_ran_again(ci):
    done = ci([], [])
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[-1] == "Ran again: 0 tests"


def test_what_passed_the_second_time_is_counted_and_named(ci):
    done = ci(["tests/a.py::test_one", "tests/b.py::test_two[x y]"], [], ["tests/c.py::test_3"], [])
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[-1] == (
        "WARNING: Ran again: 3 tests:"
        " tests/a.py::test_one, tests/b.py::test_two[x y], tests/c.py::test_3"
    )


def test_what_fails_twice_fails_the_run_and_is_named_too(ci):
    done = ci(["tests/a.py::test_one"], ["tests/a.py::test_one"], [])
    assert done.returncode != 0
    assert done.stdout.splitlines()[-1] == "WARNING: Ran again: 1 test: tests/a.py::test_one"


def test_what_failed_in_a_group_is_found_when_it_runs_again(ci):
    done = ci(["tests/a.py::test_one[x@y]@kill", "tests/b.py::test_two@api-clients"], [], [])
    assert done.returncode == 0, done.stderr
    assert "Asked for: tests/a.py::test_one[x@y] tests/b.py::test_two\n" in done.stdout
    assert done.stdout.splitlines()[-1].endswith("tests/a.py::test_one[x@y], tests/b.py::test_two")
