"""Compiled code is used where nobody may write, and never after a source has changed."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from puzzles.generators.kernels import stamp
from tests.services import missing

ROOT = Path(__file__).parents[3]
SOURCE = """
from puzzles.generators.kernels import kernel

@kernel
def add(number):
    return number + 1
"""
# What Numba does by itself.
PLAIN = """
import numba

@numba.njit(cache=True)
def add(number):
    return number + 1
"""
CALL = """
import small
assert small.add(1) == 2
print(sum(small.add.stats.cache_hits.values()), sum(small.add.stats.cache_misses.values()))
"""
# The administrator, too, is bound by the rights of files.
BOUND = ["setpriv", "--bounding-set=-dac_override,-dac_read_search"] if os.geteuid() == 0 else []


@pytest.fixture
def folder(tmp_path):
    yield tmp_path
    (tmp_path / "__pycache__").chmod(0o755)


def run(folder, bound=()):
    """Call a small kernel in a process of its own; return the process."""
    environment = {
        name: value for name, value in os.environ.items() if not name.startswith("NUMBA_")
    }
    return subprocess.run(
        [*bound, sys.executable, "-B", "-c", CALL],
        cwd=folder,
        env=environment | {"PYTHONPATH": f"{folder}:{ROOT}", "HOME": "/dev/null"},
        capture_output=True,
        text=True,
    )


def run_without_rights(folder):
    if BOUND and not shutil.which("setpriv"):
        missing("setpriv (util-linux)")
    (folder / "__pycache__").chmod(0o555)
    return run(folder, BOUND)


def test_a_service_that_may_not_write_to_the_programs_uses_what_was_compiled(folder):
    (folder / "small.py").write_text(SOURCE)
    assert run(folder).stdout == "0 1\n"
    assert run_without_rights(folder).stdout == "1 0\n"


@pytest.mark.thorough
def test_numba_alone_does_not_start_there(folder):
    """Control."""
    (folder / "small.py").write_text(PLAIN)
    assert run(folder).stdout == "0 1\n"
    assert "no locator available" in run_without_rights(folder).stderr


@pytest.mark.thorough
def test_what_cannot_be_stored_is_compiled_by_each_process(folder):
    (folder / "__pycache__").mkdir()
    (folder / "small.py").write_text(SOURCE)
    for _process in range(2):
        assert run_without_rights(folder).returncode == 0


def test_compiled_code_is_for_all_sources_as_they_are(tmp_path):
    """A function contains those that it calls from other files."""
    (tmp_path / "deep").mkdir()
    for name in ("a.py", "deep/b.py"):
        (tmp_path / name).write_text("1")
    before = stamp.__wrapped__(tmp_path)
    (tmp_path / "notes.txt").write_text("2")
    assert stamp.__wrapped__(tmp_path) == before
    (tmp_path / "deep" / "b.py").write_text("2")
    assert stamp.__wrapped__(tmp_path) != before
