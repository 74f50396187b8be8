"""What a newcomer copies as .env names every variable, and shows what would be without it."""

import ast
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SETTINGS = ROOT / "osmosmjerka" / "settings.py"
EXAMPLE = ROOT / ".env.example"
EXAMPLES = dict(re.findall(r"^#([A-Z_]+)=(.*)$", EXAMPLE.read_text(encoding="utf-8"), re.M))


def variables(source):
    """Return the names that are read by `env.int("NAME", …)` and its like."""
    return {
        node.args[0].value
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and isinstance(node.func.value, ast.Name)
        and node.func.value.id == "env"
        and node.args
        and isinstance(node.args[0], ast.Constant)
        and node.func.attr != "parser_for"
    }


def settings_with(variables, data_dir):
    """Return what settings.py makes of *variables*: its values as text, by their names."""
    code = (
        "import json; from osmosmjerka import settings as s;"
        "values = {k: v for k, v in vars(s).items() if k.isupper() and k != 'LANGUAGES'};"
        "print(json.dumps(values, default=str))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=ROOT,
        env={"OSMOSMJERKA_DATA_DIR": str(data_dir)} | variables,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_every_variable_that_is_read_is_in_the_example_and_no_other():
    assert set(EXAMPLES) == variables(SETTINGS.read_text(encoding="utf-8"))


def test_a_variable_that_is_added_to_the_settings_alone_is_noticed():
    source = SETTINGS.read_text(encoding="utf-8") + '\nNEW = env.bool("NEW_ONE", False)\n'
    assert variables(source) - set(EXAMPLES) == {"NEW_ONE"}


# A clean clone, such as that of CI, has none.
@pytest.mark.skipif((ROOT / ".env").exists(), reason="this folder has settings of its own in .env")
def test_the_values_shown_are_the_defaults(tmp_path):
    shown = {name: value for name, value in EXAMPLES.items() if value}
    for name in ("OSMOSMJERKA_DATA_DIR", "DATABASE_URL"):
        shown[name] = shown[name].replace("var", str(tmp_path))
    assert settings_with(shown, tmp_path) == settings_with({}, tmp_path)


def test_a_shown_value_that_is_no_default_is_noticed(tmp_path):
    assert settings_with({"JOB_LEASE_SECONDS": "16"}, tmp_path) != settings_with({}, tmp_path)
