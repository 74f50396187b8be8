"""docs/security/asvs.md is whole, and the tests that it names exist."""

import ast
import re
from collections import Counter
from functools import cache

import pytest
from django.conf import settings

ROOT = settings.BASE_DIR
FOLDER = ROOT / "docs" / "security"
PAGE = (FOLDER / "asvs.md").read_text("utf-8")
STATES = {"met", "open", "not applicable"}
# In the standard's edition 5.0.0.
OF_LEVEL = {"1": 70, "2": 183}
_ROW = re.compile(r"^\| V([\d.]+) \| (\d) \| (.+?) \| (.+?) \| (.+) \|$", re.MULTILINE)
_CHAPTER = re.compile(r"^\| (V\d+ .+?) \| (\d+) \| (\d+) \| (\d+) \|$", re.MULTILINE)
_TEST = re.compile(r"`([\w/]+\.py)::(\w+)`")
_SECTION = re.compile(r"\]\((\w+\.md)#([\w-]+)\)")


def problems_of(page):
    """Return what is wrong with the page, as sentences."""
    found, rows = [], _ROW.findall(page)
    numbers = [number for number, *_rest in rows]
    wanted = page.split("```")[1].split()
    found += [f"twice: {number}" for number, count in Counter(numbers).items() if count > 1]
    found += [f"missing: {number}" for number in set(wanted) - set(numbers)]
    found += [f"not in the list: {number}" for number in set(numbers) - set(wanted)]
    if Counter(level for _number, level, *_rest in rows) != OF_LEVEL or len(wanted) != len(rows):
        found.append("not as many as the standard has")
    for number, _level, _words, state, evidence in rows:
        tests = _TEST.findall(evidence)
        if state not in STATES:
            found.append(f"{number}: no state")
        if state == "met" and not tests:
            found.append(f"{number}: met without a test")
        if "::" in _TEST.sub("", evidence):
            found.append(f"{number}: a test that is not named as one")
        found += [
            f"{number}: no such test: {path}::{name}"
            for path, name in tests
            if name not in names_in(path)
        ]
        found += [
            f"{number}: no such section: {section}"
            for file, section in _SECTION.findall(evidence)
            if section not in sections_of(file)
        ]
    return found + wrong_figures(page, rows)


def wrong_figures(page, rows):
    states = Counter(state for *_row, state, _evidence in rows)
    told = re.search(
        r"(\d+) requirements: (\d+) met, (\d+) open, (\d+) not applicable\.", page
    ).groups()
    right = (len(rows), states["met"], states["open"], states["not applicable"])
    found = [] if tuple(map(int, told)) == right else [f"the heading should say {right}"]
    chapters = {
        (number.split(".")[0], state): 0 for number, *_rest in rows for state in STATES
    } | Counter((number.split(".")[0], state) for number, _l, _w, state, _e in rows)
    for chapter, *figures in _CHAPTER.findall(page):
        key = chapter.split()[0].removeprefix("V")
        should = [chapters[key, state] for state in ("met", "open", "not applicable")]
        if list(map(int, figures)) != should:
            found.append(f"{chapter} should say {should}")
    return found


@cache
def names_in(path):
    """Return the names of the tests in a file below tests/."""
    file = ROOT / "tests" / path
    if not file.is_file():
        return frozenset()
    tree = ast.parse(file.read_text("utf-8"))
    return frozenset(
        node.name
        for node in tree.body
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_")
    )


@cache
def sections_of(name):
    """Return the anchors of the headings of a page."""
    headings = re.findall(r"^#+ (.+)$", (FOLDER / name).read_text("utf-8"), re.MULTILINE)
    return frozenset(
        re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings
    )


def test_the_page_is_whole_and_its_tests_exist():
    assert problems_of(PAGE) == []


@pytest.mark.parametrize(
    ("was", "becomes", "problem"),
    [
        ("| V1.1.2 | 2 |", "| V1.1.1 | 2 |", "twice: 1.1.1"),
        ("| V1.1.2 | 2 |", "| V1.1.1 | 2 |", "missing: 1.1.2"),
        ("| V1.1.2 | 2 |", "| V1.1.99 | 2 |", "not in the list: 1.1.99"),
        ("| V1.1.2 | 2 |", "| V1.1.2 | 1 |", "not as many as the standard has"),
        ("scripts | met |", "scripts | perhaps |", "1.3.4: no state"),
        ("::test_nobody_is_led_to_another_site`", "::test_gone`", "no such test"),
        ("(controls.md#limits)", "(controls.md#gone)", "no such section: gone"),
    ],
)
def test_a_page_that_is_wrong_is_noticed(was, becomes, problem):
    """The control."""
    assert was in PAGE
    assert any(problem in found for found in problems_of(PAGE.replace(was, becomes, 1)))


def test_wrong_figures_are_noticed():
    """The control."""
    assert problems_of(re.sub(r"(\d+) met, ", "1 met, ", PAGE, count=1))
    assert problems_of(re.sub(r"^(\| V8 .+? \| )\d+", r"\g<1>99", PAGE, count=1, flags=re.M))


def test_the_page_is_found_from_the_documents():
    for name in ("SECURITY.md", "CONTRIBUTING.md"):
        assert "docs/security/asvs.md" in (ROOT / name).read_text("utf-8")
