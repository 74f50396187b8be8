"""The scripts' pure modules, tried by Node's own test runner: no package is needed."""

import shutil
import subprocess
from pathlib import Path

import pytest

from tests.services import missing

ROOT = Path(__file__).parents[2]
FILES = sorted(Path(__file__).parent.glob("*.test.js"))
LONGEST_LINE = 110


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name.removesuffix(".test.js"))
def test_the_pure_modules_do_what_their_tests_say(file):
    node = shutil.which("node") or missing("Node.js")
    done = subprocess.run(
        [node, "--test", "--test-reporter=spec", str(file)],
        cwd=ROOT,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_no_line_of_a_script_is_too_long_to_be_compared():
    too_long = [
        f"{path.relative_to(ROOT)}:{number}"
        for folder in ("osmosmjerka", "puzzles", "tests", "vocab")
        for path in (ROOT / folder).rglob("*.js")
        if "vendor" not in path.parts
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        if len(line) > LONGEST_LINE
    ]
    assert not too_long, f"over {LONGEST_LINE} characters: {too_long}"
