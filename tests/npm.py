"""Packages of npm that tests need: installed once, and kept for the next run."""

import fcntl
import hashlib
import re
import shutil
import subprocess

import pytest

from tests.services import missing


def packages(cache, programs):
    """Return the folder of the packages that *programs*, a folder with a package.json, locks.

    *cache* is pytest's, in which they are kept.
    """
    npm = shutil.which("npm") or missing("npm")
    lock = (programs / "package-lock.json").read_bytes()
    folder = cache.mkdir(f"npm-{hashlib.sha256(lock).hexdigest()[:12]}")
    # Other processes of this run may want the same folder at the same time.
    with (folder / "lock").open("w") as lock_file:
        fcntl.flock(lock_file, fcntl.LOCK_EX)
        if not (folder / "installed").exists():
            _install(npm, programs, folder)
    return folder / "node_modules"


def _install(npm, programs, folder):
    for name in ("package.json", "package-lock.json"):
        shutil.copy(programs / name, folder)
    # No package runs a program of its own while it is installed.
    command = [npm, "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--fetch-retries=3"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    if re.search(r"E(NOTFOUND|AI_AGAIN|CONNREFUSED|TIMEDOUT|NETUNREACH)", done.stderr):
        # What is outside of the machine cannot be had by installing something, not even in CI.
        pytest.skip("npm’s registry cannot be reached")
    assert done.returncode == 0, done.stderr
    (folder / "installed").touch()
