"""Every page of a teacher, with a full class and a long list: on a phone, at a desk, in the dark.

Nothing is wider than the screen, nobody needs to swipe through more than five phone screens without
a way to the end, and axe finds nothing.
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

PAGES = [
    ("home", ""),
    ("list-overview", ""),
    ("list-new", ""),
    ("list-samples", ""),
    ("list", "words"),
    ("list-settings", "words"),
    ("list-import", "words"),
    ("list-voice", "words"),
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
        "assignment": played.assignments.get().pk, "word": played.placements.first().entry_id,
    }  # fmt: skip
    return [reverse(name, args=[known[one] for one in wanted.split()]) for name, wanted in PAGES]


# The screens until the end, or until the last of the page's links to a place near its end.
SCREENS = """() => {
  const height = document.documentElement.scrollHeight, screen = innerHeight;
  const links = [...document.querySelectorAll('main a[href^="#"]')].filter((link) => {
    const place = link.checkVisibility() && document.querySelector(link.hash);
    return place && place.getBoundingClientRect().top + scrollY > height - 2 * screen;
  });
  return { screens: height / screen, hasWay: links.length > 0 };
}"""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("scheme", "size"), daily("light", of=[("light", SHORT_PHONE), ("dark", DESKTOP)])
)
def test_every_page_of_a_teacher_fits_a_phone_and_a_desk(
    scheme, size, addresses, teacher, open_page
):
    page = open_page("/help/", teacher, size=size, color_scheme=scheme)
    wrong = []
    for path in addresses:
        reply = page.goto(path)
        assert reply.status == 200, path
        width = page.evaluate("document.documentElement.scrollWidth")
        if width > size["width"]:
            wrong.append(f"{path}: {width} px wide at {size['width']}")
        has_no_violations(page)
        if classes := unstyled(page):
            wrong.append(f"{path}: without the stylesheet of {', '.join(sorted(classes))}")
        if size == DESKTOP:
            continue
        found = page.evaluate(SCREENS)
        if found["screens"] > MOST_SCREENS and not found["hasWay"]:
            wrong.append(f"{path}: {found['screens']:.1f} phone screens without a way to the end")
    assert not wrong, "\n".join(wrong)
