"""The documentation: its site has no broken link, guides are in all languages, pictures are new."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml
from django.conf import settings

from docs import prepare
from osmosmjerka import __version__
from osmosmjerka.web.help import TOPICS

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
OTHERS = [code for code, _name in settings.LANGUAGES if code != "en"]


def built(folder, monkeypatch):
    """Build the site in a folder as `make docs` does; return what went wrong, or ""."""
    prepare.prepare(folder / "var/docs-source")
    prepare.prepare_library(folder / "var/library-source")
    monkeypatch.chdir(folder)
    shutil.copy(ROOT / "mkdocs.yml", folder)
    return build(folder)


def build(folder):
    program = Path(sys.executable).with_name("zensical")
    done = subprocess.run(
        [program, "build", "--clean", "--strict"], cwd=folder, capture_output=True, text=True
    )
    return "" if done.returncode == 0 else done.stdout + done.stderr


def test_the_site_of_the_documentation_has_no_broken_link(tmp_path, monkeypatch):
    assert built(tmp_path, monkeypatch) == ""
    page = tmp_path / "var/docs-source/index.md"
    page.write_text(page.read_text() + "[missing](missing.md)\n", encoding="utf-8")
    assert "page does not exist" in build(tmp_path)  # the control


def test_every_document_is_in_the_menu(tmp_path):
    prepare.prepare(tmp_path)
    written = {path.relative_to(tmp_path).as_posix() for path in tmp_path.rglob("*.md")}
    menu = (ROOT / "mkdocs.yml").read_text(encoding="utf-8")
    assert set(re.findall(r"\S+\.md$", menu, re.M)) == written
    assert yaml.safe_load(menu)["docs_dir"] == "var/docs-source"


@pytest.mark.parametrize("language", OTHERS)
def test_every_topic_of_the_help_is_in_every_language_with_the_same_parts(language):
    def parts(path):
        lines = path.read_text(encoding="utf-8").split("\n")
        return [line[: line.index(" ")] for line in lines if re.match(r"(#+|-|\d\.) ", line)]

    for topic, folder in TOPICS.items():
        guide = DOCS / folder / language / f"{topic}.md"
        assert parts(guide) == parts(DOCS / folder / f"{topic}.md"), guide


def test_the_readme_is_short_and_its_pictures_show_this_version():
    readme = ROOT / "README.md"
    assert readme.stat().st_size <= 6000
    pictures = re.findall(r"docs/pictures/[\w-]+\.png", readme.read_text(encoding="utf-8"))
    assert len(pictures) == 3
    assert all((ROOT / picture).is_file() for picture in pictures)
    taken = (DOCS / "pictures/version.txt").read_text(encoding="utf-8").strip()
    assert taken == __version__, "`make pictures` takes them again"
    assert f"version: {__version__}\n" in (ROOT / "CITATION.cff").read_text(encoding="utf-8")


def test_the_changelog_has_at_most_fifteen_lines_a_version():
    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    versions = re.split(r"^## ", text, flags=re.M)[1:]
    assert versions
    assert [v for v in versions if len([line for line in v.splitlines() if line]) > 15] == []
