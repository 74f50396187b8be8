"""Every page of a teacher, with a full class and a long list: on a phone, at a desk, in the dark.

Nothing is wider than the screen, nobody needs to swipe through more than five phone screens without
a way to the end, and axe finds nothing. A page has one main action at most, and few controls stand
before what it is about.
"""

from __future__ import annotations

import pytest
from django.urls import reverse

from osmosmjerka.accounts import people
from osmosmjerka.accounts.classrooms import roster_imports
from osmosmjerka.accounts.classrooms.roster import parse_roster
from osmosmjerka.accounts.models import Membership, User
from tests.browser.axe import has_no_violations
from tests.browser.conftest import DESKTOP, PHONE
from tests.browser.styles import unstyled
from tests.browser.test_progress import played  # noqa: F401  (a fixture)
from tests.conftest import rows
from tests.layers import daily
from vocab.imports import services as imports
from vocab.lists import services as list_services

STUDENTS, WORDS = 30, 60
SHORT_PHONE = PHONE | {"height": 664}
MOST_SCREENS = 5
MOST_CONTROLS = 5

PAGES = [
    ("home", ""),
    ("list-overview", ""),
    ("list-new", ""),
    ("list-samples", ""),
    ("list", "words"),
    ("list-settings", "words"),
    ("list-import", "words"),
    ("list-voice", "words"),
    ("list-print", "words"),
    ("puzzle-import", ""),
    ("blocked-words", "school"),
    ("assign", ""),
    ("puzzle", "code"),
    ("worksheet", "code"),
    ("paper-results", "code"),
    ("classroom-list", ""),
    ("classroom", "classroom"),
    ("classroom-people", "classroom"),
    ("roster", "classroom"),
    ("student-new", "classroom"),
    ("student", "student"),
    ("classroom-progress", "classroom"),
    ("student-progress", "classroom student"),
    ("class-word", "classroom word"),
    ("assignment", "classroom assignment"),
    ("assignment-edit", "classroom assignment"),
    ("school-progress", ""),
    ("bin", ""),
    ("own-account", ""),
    ("own-password", ""),
    ("own-data", ""),
    ("passkeys", ""),
    ("devices", ""),
    ("second-step", ""),
    ("classroom-new", ""),
    ("entry-sound", "word"),
    ("entry-picture", "word"),
    ("student-word", "classroom student word"),
    ("live-new", "classroom"),
    ("lesson", "classroom"),
    ("lesson-board", "classroom"),
    ("search-new", "words"),
    ("import", "import"),
    ("roster-preview", "classroom roster"),
    ("help-index", ""),
    ("help", "topic"),
]


@pytest.fixture
def addresses(played, classroom, school, make_person, student, teacher):  # noqa: F811
    """A class of thirty with results, and a list of sixty words; return where its pages are."""
    for number in range(STUDENTS - 1):
        one = make_person(User.Role.STUDENT, school, f"student{number:02}")
        one.display_name = f"Željko Šimunović-Horvat {number}"
        one.save(update_fields=["display_name"])
        people.join_classroom(classroom=classroom, person=one, role=Membership.Role.STUDENT)
    words = list_services.create_list(
        owner=teacher, title="Sixty", language="hr", translation_languages=["en"],
        rows=rows({f"prijestolonasljednik{number}": f"heir {number}" for number in range(WORDS)}),
    )  # fmt: skip
    new_words = imports.start_import(
        vocabulary_list=words, created_by=teacher,
        text="".join(f"vjeverica{number}\tsquirrel\n" for number in range(WORDS)),
    )  # fmt: skip
    names = "\n".join(f"Ana Anić {number}" for number in range(STUDENTS))
    pasted = roster_imports.begin(classroom=classroom, roster=parse_roster(names), actor=teacher)
    known = {
        "import": new_words.pk, "roster": pasted.pk, "topic": "progress",
        "words": words.pk, "classroom": classroom.pk, "student": student.pk, "code": played.code,
        "school": school.pk,
        "assignment": played.assignments.get().pk, "word": played.placements.first().entry_id,
    }  # fmt: skip
    return [reverse(name, args=[known[one] for one in wanted.split()]) for name, wanted in PAGES]


# The screens until the end, and whether a link leads near it, be it in the menu of the page's head.
SCREENS = """() => {
  const height = document.documentElement.scrollHeight, screen = innerHeight;
  const links = [...document.querySelectorAll('main a[href^="#"]')].filter((link) => {
    const isOffered = link.checkVisibility() || link.closest(".page-head .menu");
    const place = isOffered && document.querySelector(link.hash);
    return place && place.getBoundingClientRect().top + scrollY > height - 2 * screen;
  });
  return { screens: height / screen, hasWay: links.length > 0 };
}"""

# The main actions that are seen, and the controls that one passes before what the page is about:
# its first table, form, card, list or section, by *subject* if that is not the first of them.
# Controls are counted as they are seen, so a closed menu is one. The breadcrumbs, the way back that
# is the same on all pages, and what a message offers are not counted.
CONTROLS = """(subject) => {
  const main = document.querySelector("main"), seen = (one) => one.checkVisibility();
  const name = (one) => (one.innerText || one.ariaLabel || one.name).trim();
  const around = ".page-head, nav, .message";
  const first = subject ? main.querySelector(subject)
    : [...main.querySelectorAll("table, form, .card, .columns, .list, section")]
      .find((one) => seen(one) && !one.closest(around));
  const isBefore = (one) => !first
    || one.compareDocumentPosition(first) === Node.DOCUMENT_POSITION_FOLLOWING;
  const controls = "a[href], button, input:not([type=hidden]), select, textarea, summary";
  return {
    primaries: [...main.querySelectorAll(".button--primary")].filter(seen).map(name),
    before: [...main.querySelectorAll(controls)]
      .filter((one) => seen(one) && isBefore(one) && !one.closest(".breadcrumbs, .message"))
      .map(name),
  };
}"""
# What a page is about, where something else comes first: words after the search for them, students
# after what the class waits for.
SUBJECTS = {"list": "#found", "classroom-people": "#students table"}
LOOKS = [("light", SHORT_PHONE), ("dark", DESKTOP)]


@pytest.mark.slow
@pytest.mark.parametrize(("scheme", "size"), daily("light", of=LOOKS))
def test_every_page_of_a_teacher_fits_a_phone_and_a_desk(
    scheme, size, addresses, teacher, open_page
):
    page = open_page("/help/", teacher, size=size, color_scheme=scheme)
    wrong = []
    for (name, _), path in zip(PAGES, addresses, strict=True):
        reply = page.goto(path)
        assert reply.status == 200, path
        width = page.evaluate("document.documentElement.scrollWidth")
        if width > size["width"]:
            wrong.append(f"{path}: {width} px wide at {size['width']}")
        controls = page.evaluate(CONTROLS, SUBJECTS.get(name))
        if len(controls["primaries"]) > 1:
            wrong.append(f"{path}: several main actions: {', '.join(controls['primaries'])}")
        if len(controls["before"]) > MOST_CONTROLS:
            wrong.append(f"{path}: before its content: {', '.join(controls['before'])}")
        if classes := unstyled(page):
            wrong.append(f"{path}: without the stylesheet of {', '.join(sorted(classes))}")
        if size == DESKTOP:
            continue
        found = page.evaluate(SCREENS)
        if found["screens"] > MOST_SCREENS and not found["hasWay"]:
            wrong.append(f"{path}: {found['screens']:.1f} phone screens without a way to the end")
    assert not wrong, "\n".join(wrong)


@pytest.mark.thorough
@pytest.mark.parametrize(("scheme", "size"), LOOKS)
def test_axe_finds_nothing_on_any_page_of_a_teacher(scheme, size, addresses, teacher, open_page):
    page = open_page("/help/", teacher, size=size, color_scheme=scheme)
    for path in addresses:
        page.goto(path)
        has_no_violations(page)


def test_controls_before_the_content_are_found_and_those_in_a_closed_menu_are_one(
    teacher, classroom, open_page
):
    """The control of the count on the pages."""
    page = open_page("/classes/", teacher)
    before = page.evaluate(CONTROLS, None)
    assert before == {"primaries": ["New class"], "before": ["New class"]}
    page.evaluate(
        """() => document.querySelector(".page-head").insertAdjacentHTML("beforeend",
          '<a class="button button--primary" href="/">Second</a>'
          + '<details><summary>Menu</summary><a href="/">One</a><a href="/">Two</a></details>')"""
    )
    after = page.evaluate(CONTROLS, None)
    assert after["primaries"] == ["New class", "Second"]
    assert after["before"] == ["New class", "Second", "Menu"]
    page.locator("main summary").click()
    assert len(page.evaluate(CONTROLS, None)["before"]) == 5
