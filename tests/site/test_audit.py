"""`make audit` fails for a vulnerable package, and says so if it could compare nothing."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SOUND = {"name": "django", "version": "5.2.8", "vulns": []}
VULNERABLE = {
    "name": "pillow",
    "version": "1.0",
    "vulns": [{"id": "PYSEC-1", "fix_versions": ["1.1"], "aliases": [], "description": ""}],
}
UNKNOWN = {"name": "ours", "skip_reason": "not found on PyPI"}


@pytest.fixture
def audit(tmp_path):
    """Run the audit with what pip-audit would answer, because its data needs the internet."""

    def run(answer):
        (tmp_path / "pip_audit.py").write_text(f"print({answer!r})")
        return subprocess.run(
            [sys.executable, ROOT / ".ci" / "audit"],
            env=os.environ | {"PYTHONPATH": str(tmp_path)},
            capture_output=True,
            text=True,
        )

    return run


def answer(*packages):
    return json.dumps({"dependencies": packages, "fixes": []})


def test_a_vulnerable_package_fails_and_is_named(audit):
    done = audit(answer(SOUND, VULNERABLE))
    assert done.returncode == 1
    assert "pillow 1.0: PYSEC-1, fixed in 1.1" in done.stdout


def test_sound_packages_pass_and_are_counted(audit):
    done = audit(answer(SOUND, UNKNOWN))
    assert done.returncode == 0
    assert "Not audited: ours" in done.stdout
    assert "1 packages were compared, 0 have" in done.stdout


@pytest.mark.parametrize("told", ["", "Traceback", answer(UNKNOWN)])
def test_where_nothing_could_be_compared_it_says_so(audit, told):
    done = audit(told)
    assert done.returncode == 0
    assert done.stdout.startswith("NOT AUDITED: ")
