"""What students and teachers see of progress, in a real browser: two clicks, one click, axe."""

from __future__ import annotations

import re
from datetime import timedelta
from itertools import combinations

import pytest
from django.utils import timezone
from playwright.sync_api import expect

from osmosmjerka.accounts import people
from osmosmjerka.accounts.models import Membership
from puzzles.assignments import services as assignments
from puzzles.goals import services as goals
from puzzles.models import Assignment, Puzzle
from puzzles.play import services as play
from tests.browser.axe import has_no_violations
from tests.browser.conftest import DESKTOP, PHONE
from tests.puzzles.dashboards.test_monday import give
from vocab.memory import reviews


@pytest.fixture
def played(make_puzzle, student, animals):
    """The student knows some words and misses one again and again."""
    puzzle = make_puzzle()
    for number, entry in enumerate(animals.entries.all()[:8]):
        for days in (20, 19, 15, 6, 1):
            reviews.review(
                student=student, entry=entry, mode="typed", skill="meaning_to_form",
                outcome="wrong" if number == 1 and days < 16 else "right",
                given="labut" if number == 1 and days < 16 else "",
                at=timezone.now() - timedelta(days=days), source=f"{entry.pk}:{days}",
            )  # fmt: skip
    return puzzle


def test_from_the_map_to_an_assignment_in_three_clicks(
    played, open_page, teacher, classroom, animals, student
):
    page = open_page(f"/classes/{classroom.pk}/progress/", person=teacher)
    page.get_by_role("table").filter(has_text="0").last.get_by_role("link", name="labud").click()
    page.get_by_role("button", name="Assign it to them").click()
    page.get_by_role("button", name="Assign to 1 student").click()
    expect(page.get_by_text("Assigned to 6b (1 student), due")).to_be_visible()
    given = Assignment.objects.first()
    assert list(given.chosen_students.all()) == [student]
    assert animals.entries.get(term="labud").pk in given.puzzle.entries


def test_the_map_is_walked_by_keys_and_tells_its_figures(played, open_page, teacher, classroom):
    page = open_page(f"/classes/{classroom.pk}/progress/?words=list", person=teacher)
    page.locator("[data-map] td[tabindex='0']").focus()
    expect(page.locator("[data-map-line]")).to_contain_text(
        "Luka, krokodil: known for days, 5 of 5 correct, 0 almost or with help"
    )
    page.keyboard.press("ArrowDown")
    expect(page.locator("[data-map-line]")).to_contain_text(
        "Luka, labud: learning, 2 of 5 correct, 0 almost or with help"
    )


def test_from_the_students_page_to_practice_in_one_click(worker, played, open_page, student):
    on = timezone.now().date()
    student.progress.update(due_on=on, last_on=on - timedelta(days=9))
    page = open_page(person=student)
    page.get_by_role("button", name="Practise now").click()
    expect(page.locator("[data-grid]")).to_be_visible(timeout=30_000)
    assert Puzzle.objects.filter(created_by=student).count() == 1


def test_what_is_finished_is_played_again_by_one_click(make_puzzle, open_page, student):
    puzzle = make_puzzle(words=4)
    assignments.change(assignment=puzzle.assignments.get(), attempts=2)
    play.finish_session(session=play.open_session(puzzle=puzzle, student=student))
    page = open_page(f"/play/{puzzle.code}/", student)
    page.get_by_role("button", name="Play again (1 attempt left)").click()
    expect(page.get_by_text("0 of 4 found")).to_be_visible()
    expect(page.locator("dialog.summary")).to_have_count(0)
    assert play.open_session(puzzle=puzzle, student=student).number == 2


@pytest.mark.thorough
@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("size", [PHONE, None], ids=["phone", "desktop"])
def test_axe_finds_nothing_and_no_page_scrolls_sideways(
    size, theme, played, open_page, teacher, student, classroom, animals
):
    options = {"color_scheme": theme} | ({"size": size} if size else {})
    word = animals.entries.get(term="labud").pk
    goals.set_goal(classroom=classroom, person=teacher, words=1200, ends_on=timezone.localdate())
    goals.switch_ranking(classroom=classroom, is_on=True)
    goals.choose_nickname(classroom=classroom, student=student, name="Vega")
    base = f"/classes/{classroom.pk}"
    visits = [
        (student, ["/", "/words/", f"/words/{word}/", "/review/?mode=typed"]),
        (
            teacher,
            [
                f"{base}/",
                f"{base}/progress/",
                f"{base}/assignments/{played.assignments.get().pk}/edit/",
                f"/lists/{animals.pk}/",
                f"/entries/{word}/picture/",
                f"{base}/words/{word}/",
                f"{base}/pupils/{student.pk}/",
                f"{base}/assignments/{played.assignments.get().pk}/",
            ],
        ),
    ]
    for person, paths in visits:
        page = open_page(person=person, **options)
        for path in paths:
            page.goto(path)
            has_no_violations(page)
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), path
            for drawing in page.locator(".chart-drawing").all():
                assert drawing.get_attribute("aria-label")
                figure = drawing.locator("xpath=..")
                assert figure.locator("table tbody tr").count() >= 2


@pytest.fixture
def class_of_thirty(classroom, school, animals, make_puzzle):
    """A class in which some stopped, and most missed the same words."""
    make_puzzle()
    words = list(animals.entries.all())
    for number in range(29):
        pupil = people.create_person(
            username=f"pupil{number}", display_name=f"Pupil {number:02}", role="student",
            school=school, password=None,
        )  # fmt: skip
        people.join_classroom(classroom=classroom, person=pupil, role=Membership.Role.STUDENT)
        stopped = 12 if number < 9 else 0
        reviews.record(
            student=pupil,
            answers=[
                reviews.GivenAnswer(
                    entry, "typed", "meaning_to_form",
                    "wrong" if place < 6 and age == 1 and number % 2 else "right",
                    f"{pupil.pk}:{entry.pk}:{age}",
                    timezone.now() - timedelta(days=age + stopped, minutes=place),
                    given="krivo" if place < 6 and age == 1 and number % 2 else "",
                )
                for place, entry in enumerate(words) for age in (4, 1)
            ],
        )  # fmt: skip


def test_who_needs_a_teacher_is_read_on_one_screen(class_of_thirty, open_page, teacher, classroom):
    page = open_page(f"/classes/{classroom.pk}/progress/", teacher, size=DESKTOP)
    named = page.locator(".monday-names li")
    expect(named).to_have_count(9)  # eight names, and how many more
    expect(named.first).to_contain_text("nothing for 13 days")
    button = page.get_by_role("button", name="Assign these 5 words again")
    for part in (named.last, page.locator(".week tbody tr").nth(4), button):
        box = part.bounding_box()
        assert box["y"] + box["height"] <= DESKTOP["height"]
    button.click()
    page.get_by_role("button", name=re.compile("^Assign to ")).click()
    expect(page.get_by_text("Assigned to 6b (")).to_be_visible()
    assert len(Assignment.objects.first().puzzle.entries) == 5


@pytest.mark.thorough
@pytest.mark.parametrize("size", [PHONE, DESKTOP], ids=["phone", "desktop"])
def test_at_twice_the_text_nothing_of_the_first_look_overlaps(
    size, class_of_thirty, open_page, teacher, classroom
):
    page = open_page(f"/classes/{classroom.pk}/progress/", teacher, size=size)
    page.evaluate("document.documentElement.style.fontSize = '200%'")
    has_no_violations(page)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    boxes = page.locator(".monday-names li, .shared-words p, .week-wrap, .shared .button").all()
    found = [one.bounding_box() for one in boxes]
    for one, other in combinations(found, 2):
        assert (
            one["x"] + one["width"] <= other["x"] + 1
            or other["x"] + other["width"] <= one["x"] + 1
            or one["y"] + one["height"] <= other["y"] + 1
            or other["y"] + other["height"] <= one["y"] + 1
        ), (one, other)


@pytest.mark.thorough
@pytest.mark.parametrize("size", [PHONE, DESKTOP], ids=["phone", "desktop"])
def test_names_stay_beside_the_assignments_that_scroll_sideways(
    size, class_of_thirty, open_page, teacher, classroom, animals, make_puzzle
):
    puzzle = make_puzzle()
    play.open_session(puzzle=puzzle, student=classroom.members.get(username="pupil3"))
    for _number in range(10):
        give(classroom, animals, teacher, due_at=timezone.now() + timedelta(days=3))
    page = open_page(f"/classes/{classroom.pk}/progress/", teacher, size=size)
    has_no_violations(page)
    table = page.locator("#results .table-wrap").first
    name = table.locator("tbody th").first
    before = name.bounding_box()
    last = table.locator("thead th").last
    last.scroll_into_view_if_needed()
    expect(last).to_be_in_viewport()
    after = name.bounding_box()
    assert abs(after["x"] - before["x"]) <= 1
    assert after["width"] < size["width"] / 2
    assert table.evaluate("one => one.scrollLeft") > 0
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


@pytest.mark.thorough
def test_long_pages_of_a_class_have_a_way_to_their_end_on_a_phone(
    class_of_thirty, open_page, teacher, classroom
):
    for path, last in (
        ("/", "Recent puzzles"),
        (f"/classes/{classroom.pk}/", "Goal and leaderboard"),
        (f"/classes/{classroom.pk}/progress/", "Students and words"),
    ):
        page = open_page(path, teacher, size=PHONE)
        ways = page.get_by_role("navigation", name="On this page")
        ways.get_by_role("link", name=last, exact=True).click()
        expect(page.get_by_role("heading", name=last, exact=True)).to_be_in_viewport()
    folded = page.get_by_text("Show all 30 students").first
    folded_student = page.locator(".week tbody a").nth(20)
    expect(folded_student).to_be_hidden()
    folded.click()
    expect(folded_student).to_be_visible()
