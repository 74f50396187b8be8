"""How many clicks, pages and seconds a teacher's everyday tasks take, in Chromium.

    python -m benchmarks.teacher_clicks

Each task begins on the page where the thought occurs and ends when the page says that it is done.
Every click is counted; typing is not. Seconds are those of a script that needs no time to read:
what the site lets a teacher wait. Beside it: what this site needed before, as tried by hand in
November 2026, and the shortest path that Kolibri's documentation describes for the same (clicks
on the buttons and boxes that it names, each counted once; fields with a default not counted).

Kolibri's paths, from docs/coach/lessons.rst, docs/coach/quizzes.rst and docs/manage/*.rst of
learningequality/kolibri-docs (MIT): a quiz has a status but no due date; what is printed are
reports; accounts have no login cards.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from benchmarks.everyday import page_of
from benchmarks.play_page import served, use_data_of

NAMES = [
    f"{first} {last}"
    for last in ("Horvat", "Kovač", "Babić", "Marić")
    for first in ("Ana", "Luka", "Mia", "Petar", "Ema", "Ivan", "Sara")
]
PATIENCE = 30_000  # milliseconds until a page must say that it is done


@dataclass(frozen=True, slots=True)
class Task:
    """A task of a teacher, the most clicks wanted, and what it took before and takes elsewhere."""

    name: str
    wanted: int
    before: str
    kolibri: str
    do: Callable[[Counted], None]


class Counted:
    """A page on which clicks, and the pages passed, are counted."""

    def __init__(self, page: Any) -> None:
        self.page = page
        self.clicks, self.pages = 0, 1
        page.on("framenavigated", self._note)
        page.set_default_timeout(PATIENCE)

    def _note(self, frame: Any) -> None:
        self.pages += frame == self.page.main_frame

    def click(self, role: str, name: str, *, within: str = "main") -> None:
        """Click the first thing of a role with this name."""
        self.clicks += 1
        self.page.locator(within).get_by_role(role, name=name).first.click()

    def sees(self, text: str) -> None:
        """Wait until the page says *text*."""
        self.page.get_by_text(text).first.wait_for()


def _assign(teacher: Counted) -> None:
    teacher.click("link", "Assign to class")
    teacher.click("button", "Assign to")
    teacher.sees("Assigned to")


def _assign_again(teacher: Counted) -> None:
    teacher.click("link", "Assign again")
    teacher.click("button", "Assign to")
    teacher.sees("Assigned to")


def _worksheet(teacher: Counted) -> None:
    teacher.click("link", "Worksheet")
    teacher.page.locator("[name=word-search-difficulty]").select_option("easy")
    teacher.click("button", "Create the worksheet")
    with teacher.page.expect_download():
        teacher.click("button", "Worksheet (PDF)")


def _who_needs_help(teacher: Counted) -> None:
    teacher.page.locator(".help-rows .help-words").first.wait_for()


def _add_students(teacher: Counted) -> None:
    teacher.click("link", "Add students")
    teacher.page.locator("textarea").fill("\n".join(NAMES))
    teacher.click("button", "Preview")
    teacher.sees(NAMES[0])
    teacher.click("button", "Add to class")
    with teacher.page.expect_download():
        teacher.click("button", "login cards")


TASKS = [
    Task(
        "A list → assigned, with a due date", 5, "7 clicks, 4 pages",
        "10 clicks: New quiz, topic, exercise, Continue, Finish, open, Options, Edit details, "
        "Active, Save changes; no due date", _assign,
    ),
    Task(
        "Assign it again", 2, "not measured",
        "6 clicks: open, Options, Copy quiz, class, Continue, Copy", _assign_again,
    ),
    Task("A worksheet with settings", 3, "1 click, no settings", "no worksheets", _worksheet),
    Task(
        "Log-in → who needs help, with which words", 0, "1 page an assignment",
        "4 clicks: Coach, class, lesson, resource; its “Difficult questions” one more",
        _who_needs_help,
    ),
    Task(
        "28 students with login cards, after a dry run", 5, "5 clicks, no dry run",
        "4 clicks a student (New user, type, Save, then its box to enrol); no cards",
        _add_students,
    ),
]  # fmt: skip


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        use_data_of(folder)
        with served() as site, _a_teacher(site) as (open_page, places):
            for task in TASKS:
                teacher = Counted(open_page(places[task.name]))
                began = time.monotonic()
                task.do(teacher)
                seconds = time.monotonic() - began
                verdict = "" if teacher.clicks <= task.wanted else "   MORE THAN WANTED"
                print(f"{task.name}{verdict}")
                print(f"  {teacher.clicks} clicks (wanted at most {task.wanted}), ", end="")
                print(f"{teacher.pages} pages, {seconds:.1f} s")
                print(f"  before: {task.before}; Kolibri: {task.kolibri}", flush=True)
                teacher.page.context.close()


@contextmanager
def _a_teacher(site: str) -> Iterator[tuple[Callable[[str], Any], dict[str, str]]]:
    """Yield how to open a page as the demo's teacher, and where each task begins."""
    import django

    django.setup()
    from playwright.sync_api import sync_playwright

    from osmosmjerka.accounts.models import Classroom, User
    from puzzles.models import Assignment
    from tests.services import find_chromium

    teacher = User.objects.get(username="ana")
    classroom = Classroom.objects.filter(memberships__user=teacher).order_by("pk")[0]
    given = Assignment.objects.filter(classroom=classroom, is_adaptive=False).order_by("pk")[0]
    words = f"/lists/{given.puzzle.vocabulary_list_id}/"
    starts = [
        words, f"/classes/{classroom.pk}/assignments/{given.pk}/", words, "/",
        f"/classes/{classroom.pk}/",
    ]  # fmt: skip
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=find_chromium())

        def open_page(path: str) -> Any:
            page = page_of(browser, site, teacher)
            page.goto(path)
            return page

        names = [task.name for task in TASKS]
        yield open_page, dict(zip(names, starts, strict=True))
        browser.close()


if __name__ == "__main__":
    main()
