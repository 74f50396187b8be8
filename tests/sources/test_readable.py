"""Templates and scripts that a person can read, also in a difference."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
TOO_LONG = 200  # characters
LONGEST_LINE_OF_A_SCRIPT = 110
SHARE = 0.003  # of all lines: what a sentence or a drawing may need now and then


def too_long_lines(folder):
    """Return how many lines the templates have, and where one is longer than TOO_LONG."""
    count, found = 0, []
    for path in sorted(folder.rglob("*.html")):
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            count += 1
            if len(line) > TOO_LONG:
                found.append(f"{path.relative_to(folder)}:{number}: {len(line)} characters")
    return count, found


def is_readable(folder):
    count, found = too_long_lines(folder)
    return len(found) <= SHARE * count


def test_hardly_a_line_of_a_template_is_too_long_to_read():
    count, found = too_long_lines(ROOT / "templates")
    assert count > 1000
    assert is_readable(ROOT / "templates"), found


def test_one_long_line_among_a_hundred_is_found(tmp_path):
    """The control of the test above."""
    (tmp_path / "school").mkdir()
    page = tmp_path / "school/people.html"
    page.write_text("<p>short</p>\n" * 100, encoding="utf-8")
    assert is_readable(tmp_path)
    with page.open("a", encoding="utf-8") as file:
        file.write(f"<p>{'long ' * 40}</p>\n")
    assert not is_readable(tmp_path)
    assert too_long_lines(tmp_path) == (101, ["school/people.html:101: 207 characters"])


PERCENT_BY_HAND = re.compile(r"(\}\}|\$\{\w+\})\s?%|%%")


def test_no_page_or_script_writes_a_percent_sign_by_hand():
    """Languages differ: the filter and Intl know whether there is a space before it."""
    pages = [*(ROOT / "templates").rglob("*.html")]
    apps = ("osmosmjerka", "puzzles", "vocab")
    scripts = [path for app in apps for path in (ROOT / app / "static").rglob("*.js")]
    assert len(pages) > 50
    assert len(scripts) > 20
    found = [
        path.name for path in (*pages, *scripts) if PERCENT_BY_HAND.search(path.read_text("utf-8"))
    ]
    assert found == []
    for wrong in ("{{ chance }} %", "{{ chance }}%", "`${chance} %`"):  # the control
        assert PERCENT_BY_HAND.search(wrong)


def test_no_line_of_a_script_is_too_long_to_be_compared():
    too_long = [
        f"{path.relative_to(ROOT)}:{number}"
        for folder in ("osmosmjerka", "puzzles", "tests", "vocab")
        for path in (ROOT / folder).rglob("*.js")
        if "vendor" not in path.parts
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        if len(line) > LONGEST_LINE_OF_A_SCRIPT
    ]
    assert not too_long, f"over {LONGEST_LINE_OF_A_SCRIPT} characters: {too_long}"
