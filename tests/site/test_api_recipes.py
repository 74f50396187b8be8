"""The recipes of docs/api.md, run one after another as they are read, against a real site."""

import re
import subprocess
import sys

import pytest
from django.conf import settings

from osmosmjerka.accounts.models import ApiToken
from tests.conftest import PASSWORD
from vocab.models import VocabularyList

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.xdist_group("api-clients")]

RECIPES = (settings.BASE_DIR / "docs/api.md").read_text(encoding="utf-8")
_BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
# A block has the variables of those before it.
_SHELL = 'set -aeuo pipefail; [ -e "$STATE" ] && . "$STATE"\n{block}\nexport -p > "$STATE"\n'


@pytest.fixture
def reader(classroom, worker, tmp_path, monkeypatch):
    """Somebody who has the command, both passwords, and an empty folder."""
    monkeypatch.setenv("PASSWORD", PASSWORD)
    monkeypatch.setenv("STUDENT_PASSWORD", PASSWORD)
    monkeypatch.setenv("STATE", str(tmp_path / "state"))
    (tmp_path / "bin").mkdir()
    command = tmp_path / "bin" / "osmosmjerka"
    program = f'PYTHONPATH={settings.BASE_DIR} exec {sys.executable} -m osmosmjerka "$@"'
    command.write_text(f"#!/bin/sh\n{program}\n")
    command.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path / "bin"), prepend=":")
    folder = tmp_path / "folder"
    folder.mkdir()
    monkeypatch.chdir(folder)
    return folder


def as_here(text, served, classroom):
    """Replace the address of the site and the number of the class."""
    text = text.replace("https://words.example.org", served)
    return text.replace("/classes/7/", f"/classes/{classroom.pk}/")


def run_shell(block, line):
    done = subprocess.run(
        ["bash", "-c", _SHELL.replace("{block}", block)], capture_output=True, text=True
    )
    assert done.returncode == 0, f"docs/api.md, line {line}: {done.stdout}{done.stderr}"
    return done.stdout


def run_python(block, line, names, capsys):
    capsys.readouterr()
    exec(compile("\n" * line + block, "docs/api.md", "exec"), names)  # noqa: S102  (our own document)
    return capsys.readouterr().out


@pytest.mark.thorough
def test_the_recipes_do_what_they_say(reader, served, classroom, teacher, capsys):
    printed, names, told = "", {}, {"sh": [], "python": []}
    for found in _BLOCK.finditer(RECIPES):
        language, block = found[1], as_here(found[2], served, classroom)
        line = RECIPES.count("\n", 0, found.start()) + 1
        if language == "text":
            assert printed == block, f"docs/api.md, line {line}"
            continue
        if language == "sh":
            printed = run_shell(block, line)
        else:
            printed = run_python(block, line, names, capsys)
        told[language].append(printed)
    assert len(told["sh"]) >= 7 and len(told["python"]) >= 12

    # What the pages of other programs would show of it.
    assert '"scope":"read"' in told["sh"][0]
    assert "ratelimit-remaining: " in "".join(told["sh"]).lower()
    for name in ("animals.pdf", "animals-solution.pdf", "crossword.pdf"):
        assert (reader / name).read_bytes().startswith(b"%PDF-"), name
    assert (reader / "animals.pdf").read_bytes() != (reader / "animals-solution.pdf").read_bytes()
    assert (reader / "crossword.docx").read_bytes().startswith(b"PK")
    assert len((reader / "statements.ndjson").read_text().splitlines()) == len(names["statements"])
    assert names["verbs"]["answered"] == 4
    assert '"ready"' in (reader / "puzzle.json").read_text()
    assert set(VocabularyList.objects.values_list("title", flat=True)) == {
        "Animals",
        "Birds",
        "Fish",
    }
    # The program of the teacher has logged out, and the one with the name is revoked.
    of_ana = ApiToken.objects.filter(user=teacher).values_list("name", flat=True)
    assert not {"Recipes", "Reports"} & set(of_ana)


@pytest.mark.thorough
def test_a_recipe_that_fails_is_noticed(reader, served, classroom, capsys):
    """The control."""
    with pytest.raises(AssertionError, match=r"line 3: .*Log in first"):
        run_shell(f"curl -s --fail-with-body {served}/api/lists/ | cat", 3)
    with pytest.raises(NameError):
        run_python("print(nothing)", 3, {}, capsys)
